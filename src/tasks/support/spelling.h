// Which words a reader may take for one, though a model has no reason to. A modest table, not Unicode's: capitals of
// Latin, Greek and Cyrillic; letters with one accent; signs around words; characters that look like others or like
// nothing.
#pragma once

#include <string>
#include <string_view>

namespace locus {

// Equal for words that look the same: é as one character or as e and an accent, Latin a and Cyrillic а, with or without
// characters that cannot be seen.
std::string look_of(std::string_view word);

// Equal for words that differ in capitals and signs alone, such as The and the, Ä and ä, (cat) and cat, don’t and
// don't.
std::string spelling_of(std::string_view word);

// What two words have instead of each other, between their common beginning and end: "U+00E9 and U+0065 U+0301".
std::string differing_code_points(std::string_view one, std::string_view other);

}  // namespace locus
