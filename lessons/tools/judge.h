// Judges a test that a learner wrote: it must pass every right implementation and fail every broken one.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace locus {

struct Candidate {
  std::string what;  // "a causal mask"
  bool is_right;
  std::function<bool()> passes;  // what the learner's test says of it
};

// Throws Error, which names what the test wrongly fails, or else all that it does not notice.
void judge(const std::vector<Candidate>& candidates);

}  // namespace locus
