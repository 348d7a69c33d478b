// What each of the four codes lacks: a prediction, which the check compares with the codes themselves.
#include "lessons/05_index/contract.h"

namespace locus {

std::string lacks(const std::string& code) {
  // exercise 5.6: which of the words small, apart, lasting, ordered, known each code lacks: contract.h defines them
  if (code == "index") return "small known";
  if (code == "fraction") return "apart lasting";
  return "ordered known";  // one-hot, binary
  // end
}

}  // namespace locus
