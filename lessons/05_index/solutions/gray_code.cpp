// A binary code in which neighbours differ in one bit only (Gray 1953).
#include "lessons/05_index/contract.h"

namespace locus {

// exercise 5.8: gray_code(), from blank: contract.h says what it must do
std::vector<double> gray_code(int position, int bits) {
  std::vector<double> code;
  const int gray = position ^ (position >> 1);  // a bit changes where the next higher one differs from it
  for (int bit = 0; bit < bits; ++bit) code.push_back(gray >> bit & 1);
  return code;
}
// end

}  // namespace locus
