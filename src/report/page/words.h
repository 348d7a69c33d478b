// Small change of language.
#pragma once

#include <string>
#include <vector>

namespace locus {

std::string list_of(const std::vector<std::string>& items);                    // "a", "a and b", "a, b and c"
std::string some_of(const std::vector<std::string>& items, std::size_t most);  // "a, b and 4 more"
std::string counted(std::size_t count, const std::string& thing);              // "1 task", "3 tasks"
std::string code(const std::string& name);                                     // "`rope`"

}  // namespace locus
