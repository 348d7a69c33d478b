// What chapter 4 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 4.4, influence.cpp: the influence of each token on the last state, in an Elman network whose tokens and
// states are single numbers: h_t = tanh(w x_t + u h_(t-1)), with h = 0 before the first token. Returns, for each
// token t of x, the derivative of the last state with respect to x_t.
std::vector<double> influence(const std::vector<double>& x, double w, double u);

// Step 4.5, carried_and_reset.cpp: a test. `layer` reads a batch of B examples, each of T tokens of 4 numbers, for
// any B and T, and gives the state after each token: B times T vectors of 4 numbers. True if
//
//   carried   the state after a token depends on this token and on each one before it, and on none after it;
//   reset     each example begins with the same state (this reset is not the gate r): neither the other examples of
//             the batch nor earlier calls of the layer change the example's states.
//
// You may call the layer as often as you like. In a right layer, and up to 8 tokens, adding 1 to the first number
// of a token changes the state after it and each later one by more than 1e-3 in one of its numbers. Differences
// below 1e-5 are rounding.
using Rows = std::vector<std::vector<double>>;  // T vectors
using Examples = std::vector<Rows>;             // B examples
using Layer = std::function<Examples(const Examples&)>;
bool carried_and_reset(const Layer& layer);

}  // namespace locus
