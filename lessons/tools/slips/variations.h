// All changes of one symbol of a region of code, each with the words that name it as a mistake.
#pragma once

#include <string>
#include <vector>

namespace locus::slips {

struct Variation {
  std::string code;  // the changed region
  std::string says;  // "`k` stands where `j` belongs, in `b[k]`": goes on after "This is what you get when "
};

// Of a region, with names of parameters and variables from outside that may stand in it too. What was left out comes
// first, then exchanges, operators, constants and names: where two give the same answer, the first one's words are
// the likelier. Many do not compile. At the left margin a region holds whole functions, whose heads are not changed.
std::vector<Variation> variations_of(const std::string& region, const std::vector<std::string>& names);

}  // namespace locus::slips
