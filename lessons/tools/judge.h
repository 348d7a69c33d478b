// Judges a test that a learner wrote: it must pass every right implementation and fail every broken one.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace locus {

struct Candidate {
  std::string what;  // "a causal mask"
  bool is_right;
  std::function<bool()> passes;  // what the learner's test says of it
};

// Throws Error, which names what the test wrongly fails, or else the first three that it does not notice, and how many more.
void judge(const std::vector<Candidate>& candidates);

// The same for a `test` of something, and lists of what is right and what is broken, each with its name.
template <class Subject>
using Named = std::vector<std::pair<std::string, Subject>>;
template <class Subject, class Test>
void judge(const Test& test, const Named<Subject>& right, const Named<Subject>& broken) {
  std::vector<Candidate> candidates;
  for (const bool is_right : {true, false})
    for (const auto& [what, subject] : is_right ? right : broken)
      candidates.push_back({what, is_right, [&test, &subject = subject] { return test(subject); }});
  judge(candidates);
}

}  // namespace locus
