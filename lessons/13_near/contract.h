// What chapter 13 asks for: a task, written from blank, a test of its solver, and a count.
#pragma once

#include <functional>
#include <vector>

#include "base/random.h"
#include "tasks/task.h"

namespace locus {

// A chain is a list of tokens: three digits, 0 to 9, one mark, and hay at all other positions.
inline constexpr int hay = 10, mark = 11;

// Step 13.1, task.cpp: true if these tokens, each from 0 to 11, are a chain: there are exactly one mark and exactly three
// digits; no two digits are equal, and no two are at the same distance from the mark, on whichever side of it they are.
// Any amount of hay is right, none as well.
bool accepts_chain(const Tokens& tokens);

// Step 13.2, task.cpp: a chain of `length` tokens, at least 4. All chains of this length are equally likely. All random
// numbers come from `random`: see base/random.h.
Tokens draw_chain(Random& random, int length);

// Step 13.3, task.cpp, the solver: the mark's partner, which is the farthest digit from the mark if `far`, and otherwise
// the nearest.
int partner(const Tokens& chain, bool far);

// Step 13.4, finds_partner.cpp: a test. True if `solve` gives the mark's partner (as in step 13.3) for every chain of 4 to
// 16 tokens. Your test is given no chains and no right answers: it makes both, by your draw_chain and partner if you
// like, with Random random(1, Purpose::testing).
using Solver = std::function<int(const Tokens& chain)>;
bool finds_partner(const Solver& solve, bool far);

// Step 13.5, right_by_distance.cpp: `right[n][i]` is true if the model's answer at position i of input n is right. All
// inputs have T tokens, and position i and its mirror image, position T - 1 - i, are a pair. The result has T entries:
// entry d is the share of right answers, over all inputs, at positions whose mirror image is d positions away; 0 if no
// position has its mirror image at this distance.
std::vector<double> right_by_distance(const std::vector<std::vector<bool>>& right);

}  // namespace locus
