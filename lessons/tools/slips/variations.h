// All changes of one symbol of a region of code.
#pragma once

#include <string>
#include <vector>

namespace locus::slips {

struct Variation {
  std::string code;  // the changed region
  std::size_t at;    // where the change begins
};

// Of a region, with names of parameters and variables from outside that may stand in it too. What is left out comes
// first, then exchanges, operators, constants and names; with `near`, which looks for what is right near a learner's
// lines, at last what a learner may have left out. Many do not compile. At the left margin a region holds whole functions,
// whose heads are not changed.
std::vector<Variation> variations_of(const std::string& region, const std::vector<std::string>& names,
                                     bool near = false);

}  // namespace locus::slips
