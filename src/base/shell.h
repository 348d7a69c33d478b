// Commands that people, or a shell, can take as they are printed.
#pragma once

#include <string>

namespace locus {

// A word as a shell reads it back: 'two words'.
std::string shell_word(const std::string& word);

}  // namespace locus
