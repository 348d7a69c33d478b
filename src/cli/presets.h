// Ablations that are worth running as they are: the words that `locus ablate --preset NAME` stands for.
#pragma once

#include <string>
#include <vector>

namespace locus {

// Unknown: UsageError with the nearest names.
std::vector<std::string> preset_words(const std::string& name);

}  // namespace locus
