// What chapter 13 asks for: a task, written from blank, a test of its solver, and a count.
#pragma once

#include <functional>
#include <vector>

#include "base/random.h"
#include "tasks/task.h"

namespace locus {

// A chain is a list of tokens: three digits, 0 to 9, one mark, and hay at all other positions.
inline constexpr int hay = 10, mark = 11;

// Step 13.1, task.cpp: whether these tokens, each from 0 to 11, are a chain of the task: there is exactly one mark and
// exactly three digits; the digits are different; and their distances from the mark are different, on whichever side
// of it they are. So there is always one digit that is nearest, and one that is farthest. Any amount of hay is right.
bool accepts_chain(const Tokens& tokens);

// Step 13.2, task.cpp: a chain of `length` tokens, at least 4. All chains of this length are equally likely. Nothing is
// random but what `random` gives: see base/random.h. You may call accepts_chain().
Tokens draw_chain(Random& random, int length);

// Step 13.3, task.cpp: the digit that is farthest from the mark, or, if not `far`, the digit that is nearest to it.
int partner(const Tokens& chain, bool far);

// Step 13.4, finds_partner.cpp: a test. True if `solve` gives the right digit for every chain of 4 to 16 tokens: the
// farthest, or, if not `far`, the nearest. Your test makes chains, and knows by itself what is right for them.
using Partner = std::function<int(const Tokens& chain)>;
bool finds_partner(const Partner& solve, bool far);

// Step 13.5, right_by_distance.cpp: `right[n][i]` is whether the answer at position i of input n is right. All inputs
// have T tokens, and position i is asked about its mirror image, position T - 1 - i. The result has T entries: entry d
// is the share of right answers, over all inputs, at positions whose mirror image is d positions away; 0 if no position
// has one at this distance.
std::vector<double> right_by_distance(const std::vector<std::vector<bool>>& right);

}  // namespace locus
