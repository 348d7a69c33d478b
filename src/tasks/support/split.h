// Which inputs are kept for testing: decided by a hash of the input, so a run cannot train on what it is tested on,
// whatever its seed.
#pragma once

#include <cstdint>

#include "tasks/task.h"

namespace locus {

// FNV-1a over values instead of bytes, then the finaliser of splitmix64: FNV alone leaves its low bits to the last value.
class SplitHash {
 public:
  void add(std::uint64_t value) { state_ = (state_ ^ value) * 0x100000001b3; }
  Split split() const;  // test for one hash in five

 private:
  std::uint64_t state_ = 0xcbf29ce484222325;
};

Split split_of(const Tokens& input);

}  // namespace locus
