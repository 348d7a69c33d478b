// Comparing what a learner computed with what is right, in a way that teaches: a wrong shape is told apart
// from wrong values, the first values that differ are shown, and the likely mistake is named.
#pragma once

#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "lessons/tools/array.h"
#include "lessons/tools/memory.h"

namespace locus {

// What an answer makes of each input of a step, numbered from 0.
using Answer = std::function<Array(std::size_t input)>;

// Inputs that a mistake may concern alone: "in the gradient of y". So a mistake in one of two lines is named, and so is
// each of two different mistakes.
struct Group {
  std::string where;
  std::vector<std::size_t> inputs;
};

// From here on, compare() looks for the mistakes of this step: "1.2".
void begin_step(const std::string& number);

// `axes` names each axis of an answer, "query", or its elements, "low|high".
//
// Throws Error unless `yours` has the shape and, to `tolerance` (absolutely or relatively), the values of
// `right`, for each of the inputs. A mistake of the chapter's mistakes.txt is named if it explains what `yours` makes
// of all inputs; or else, for each group of inputs, one that explains these. Groups hold each input once.
void compare(const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
             const Answer& yours, const Answer& right, double tolerance = 1e-4,
             const std::vector<Group>& groups = {}, const char* file = __builtin_FILE());

// The same for a list of cases: an input is called name(case); `yours` and `right` get the case.
template <class Case>
void compare_cases(const std::vector<Case>& cases,
                   const std::type_identity_t<std::function<std::string(const Case&)>>& name,
                   const std::vector<std::string>& axes,
                   const std::type_identity_t<std::function<Array(const Case&)>>& yours,
                   const std::type_identity_t<std::function<Array(const Case&)>>& right,
                   double tolerance = 1e-4, const std::vector<Group>& groups = {},
                   const char* file = __builtin_FILE()) {
  std::vector<std::string> names;
  for (const Case& one : cases) names.push_back(name(one));
  compare(
      names, axes, [&](std::size_t i) { return yours(cases[i]); },
      [&](std::size_t i) { return right(cases[i]); }, tolerance, groups, file);
}

// The same in words of the chapter's own: of the first input that is wrong, in place of where it differs; and below
// that, unless a mistake is named. The answers are `yours`, of all inputs.
struct Words {
  std::function<std::string(std::size_t input, const std::vector<Array>&yours)> wrong = {}, unexplained = {};
};
void compare_in_words(const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
                      const Answer& yours, const Answer& right, double tolerance, const Words& words,
                      const char* file = __builtin_FILE());

// Numbers that a learner counted by hand and `function` gives, one comparison each, with what is right of each name.
// The message does not say what is right. `unexplained`: what is said of the number that is wrong, unless a mistake is named.
void compare_by_hand(const std::string& function, const std::vector<double>& yours,
                     const std::vector<std::pair<std::string, double>>& right,
                     const std::function<std::string(std::size_t number)>& unexplained,
                     const char* file = __builtin_FILE());

}  // namespace locus
