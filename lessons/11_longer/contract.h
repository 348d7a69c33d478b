// What chapter 11 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 11.3, ntk_base.cpp: the base that gives plain rope the speeds of NTK-aware. `base` is the base in training. Pair
// 0 is untouched, and the speed of the last of the d/2 pairs is divided by `factor`. d is even, 4 or more.
double ntk_base(double base, int d, double factor);

// Step 11.10, can_be_cached.cpp: a test. A decoder reads its own answer, token by token, and keeps ("caches") keys that
// it has computed. `turned` gives the key of the token at `position` in an input of `tokens` tokens, computed anew;
// 0 <= position < tokens <= 512, and key has 8 numbers. True if a key that was computed when its token was the last of
// the input (tokens = position + 1) can be used in every longer input: for every key and position it is the same as the
// key computed anew there. Differences below 1e-9 are rounding.
using Vector = std::vector<double>;
using Turned = std::function<Vector(const Vector& key, int position, int tokens)>;
bool can_be_cached(const Turned& turned);

}  // namespace locus
