// All changes of one symbol of a region of code, and of one piece for another's.
#pragma once

#include <string>
#include <vector>

namespace locus::slips {

struct Variation {
  std::string code;        // the changed region
  std::size_t begin, end;  // what of the region was changed
  std::string place = {};  // of a graft: which piece this is
};

// Of a region, with names of parameters and variables from outside that may stand in it too. What is left out comes
// first, then exchanges, operators, constants and names; with `near`, which looks for what is right near a learner's
// lines, at last what a learner may have left out. Many do not compile. At the left margin a region holds whole functions,
// whose heads are not changed.
std::vector<Variation> variations_of(const std::string& region, const std::vector<std::string>& names,
                                     bool near = false);

// The region with one piece of it exchanged for one of the `original`: a value, a statement, a block, neighbouring statements,
// the smallest first; then a value in all its places; at last, with one statement of the original put in. The one that passes
// tells where alone a learner's region is wrong. Names that the original alone declares stand for those that the region alone
// declares, in their order, those of a type first.
std::vector<Variation> grafts_of(const std::string& region, const std::string& original);

}  // namespace locus::slips
