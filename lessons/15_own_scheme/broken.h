// Judges the tests that a learner wrote for a scheme: they must pass it, and fail it broken. The schemes are unknown when
// this is written, so they are broken from outside: told wrong positions, or their numbers made larger.
#pragma once

#include <string>
#include <vector>

namespace locus {

struct TestVerdict {
  int cases = 0;                                 // tests in the file
  bool passes = false;                           // the scheme as it is
  std::string failure{};                         // what the tests say of it, if they fail
  std::vector<std::string> noticed{}, missed{};  // ways of breaking it
};

// The doctest cases of the source file whose path ends so ("wheel_test.cpp"), each time in a process of its own. Ways of
// breaking that change nothing in this scheme are left out: counting from 1 does not matter to a bias by distance.
TestVerdict judge_tests(const std::string& scheme, const std::string& file);

}  // namespace locus
