// Numbers as a reader wants them; the same text on every machine.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace locus {

// Exactly this many decimals, never "-0.00".
std::string fixed(double value, int decimals);

// At most this many digits; 9 read back as the same float.
std::string significant(double value, int digits);

// Three significant digits, or all digits of whole numbers under a million: "0.333", "12800", "1.25e+06".
std::string short_number(double value);

// Broken between words into lines of at most so many terminal columns, each ended by '\n'.
std::string wrapped(std::string_view text, std::size_t columns);

// Whether short_number does without an exponent.
bool reads_plainly(double value);

}  // namespace locus
