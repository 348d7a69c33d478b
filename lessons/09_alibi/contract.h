// What chapter 9 asks for that src/ does not have: numbers counted by hand, two functions from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 9.4, by_hand.cpp: four mirror-blind ceilings.
std::vector<double> mirror_blind_by_hand();

// Step 9.5, best_share.cpp: the mirror-blind ceiling of one input: the largest share of right labels that a model can
// reach on this input and its mirror image together, if it is mirror-blind. The labels that such a model gives for the
// mirror image are those that it gives for the input, reversed; if it gives a single label for the whole input, it gives
// both the same. `solve` gives the right labels: one for each token, or a single one for the whole input, or an empty
// list if the tokens are no input of the task. `input` is one; if its mirror image is none, only `input` counts.
using Tokens = std::vector<int>;
using Solve = std::function<std::vector<int>(const Tokens& input)>;
double best_share(const Tokens& input, const Solve& solve);

// Step 9.6, mirror_blind.cpp: a test. `read` stands for a model: it gives a number for each token of an input. True if it
// is mirror-blind: for every input, the numbers of the mirror image are those of the input, reversed. An input is 1 to 16
// digits, from 0 to 9. Differences below 1e-9 are rounding.
using Read = std::function<std::vector<double>(const Tokens& input)>;
bool mirror_blind(const Read& read);

// Step 9.7, two_sides.cpp: a bias of your own by which a model can tell left from right: what is added to the score of
// the key at position `key` for the query at position `query`, both whole numbers. `head` is one of `heads`, counted
// from 0, and m, which is above 0, is its slope. As with ALiBi,
//   - the bias is a finite number, and depends on the positions through key - query only;
//   - in every head, on both sides of the query, a key gets no more than a nearer key on its side;
//   - in every head, on at least one side, it gets less than each nearer key on that side, up to the distance 64.
// Unlike with ALiBi,
//   - at every distance from 1 to 64, the key on the left and the key on the right get different biases in at least one
//     head: by more than 1e-6. This must hold for any number of heads, also for one.
double two_sided_bias(int head, int heads, double m, double query, double key);

}  // namespace locus
