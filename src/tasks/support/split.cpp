#include "tasks/support/split.h"

namespace locus {

Split SplitHash::split() const {
  std::uint64_t mixed = state_;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  mixed ^= mixed >> 31;
  return mixed % 5 == 0 ? Split::test : Split::train;
}

Split split_of(const Tokens& input) {
  SplitHash hash;
  for (const int token : input) hash.add(static_cast<std::uint64_t>(token));
  return hash.split();
}

}  // namespace locus
