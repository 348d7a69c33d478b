// What the check.cpp of a chapter uses. Its steps are doctest cases; what is wrong is thrown as an Error.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "io/format.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/evaluate.h"
#include "lessons/tools/judge.h"
#include "lessons/tools/scheme_alone.h"

namespace locus {

// What is said when the lines of this step use an index out of range, at which the standard library ends the program or
// throws, or memory that is not theirs.
void on_crash(const char* words);
void on_timeout(const char* words);  // in place of what is said when time is up; nullptr: the usual

// A prize: something small that the learner's lines of a step made. It is shown below the step when it passes for the first
// time, and as long as the next one is still to be written. At most nine lines.
void show(const std::string& what, const std::vector<std::string>& lines);
std::string bar(double share, int columns = 40);             // share from 0 to 1
std::string shades(const std::vector<double>& from_0_to_1);  // two columns each, dark is high
std::vector<std::string> shaded(const Array& x);             // its rows, from its lowest value to its highest

// What a weak function of check.cpp does, which is taken when the learner has not written that function yet.
[[noreturn]] inline void still_to_write(const std::string& exercise) {
  fail("exercise " + exercise, "still to be written");
}

inline bool refuses(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error&) {
    return true;
  }
  return false;
}

template <class... Words>
void require(bool holds, const Words&... otherwise) {
  if (!holds) throw Error(str(otherwise...));
}

}  // namespace locus
