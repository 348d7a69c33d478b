// Small change of language.
#pragma once

#include <string>
#include <vector>

#include "ablation/summary.h"

namespace locus {

std::string list_of(const std::vector<std::string>& items);  // "a", "a and b", "a, b and c"
// "a, b, c, d and 4 more": never "and 1 more", which is no shorter.
std::string some_of(const std::vector<std::string>& items, std::size_t most = 4);
std::string counted(std::size_t count, const std::string& thing);  // "1 task", "3 tasks"
std::string code(const std::string& name);                         // "`rope`"
std::string tokens(const LengthSummary& at);  // "12 tokens"; of a table of examples, "held-out sentences"

}  // namespace locus
