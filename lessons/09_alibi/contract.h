// What chapter 9 asks for that src/ does not have: numbers counted by hand, two functions from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 9.4, by_hand.cpp: the mirror-blind ceilings of four questions.
std::vector<double> mirror_blind_by_hand();

// Step 9.5, best_share.cpp: the mirror-blind ceiling of one input: the largest share of right labels that a model can
// reach on this input and its mirror image together, if it cannot tell the two apart. What such a model answers to the
// mirror image is its answer to the input, reversed; a model that gives a single label for all of the input gives both
// the same one. `solve` gives the right labels of an input: one for each of its tokens, or a single one for all of it,
// or an empty list for what is no input of the task. `input` is one; if its mirror image is none, the model only
// has to be right on `input`.
using Tokens = std::vector<int>;
using Solve = std::function<std::vector<int>(const Tokens& input)>;
double best_share(const Tokens& input, const Solve& solve);

// Step 9.6, mirror_blind.cpp: a test. `read` gives a number for each token of an input. True if it cannot tell left
// from right: for every input, what it reads in the reversed input is what it reads in the input, reversed. An input
// is 1 to 16 digits, from 0 to 9. Differences below 1e-9 are rounding.
using Read = std::function<std::vector<double>(const Tokens& input)>;
bool mirror_blind(const Read& read);

// Step 9.7, two_sides.cpp: a bias of your own by which a model can tell left from right: what is added to the score of
// the key at position `key` for the query at position `query`, both whole numbers. `head` is one of `heads`, counted
// from 0, and m, which is above 0, is its slope. As with ALiBi,
//   - the bias is a finite number, and depends on the positions through key - query only;
//   - in every head, on neither side of the query is a farther key given more than a nearer one;
//   - in every head, on at least one side each key gets less than the one before it, up to the distance 64.
// Unlike with ALiBi,
//   - for every distance from 1 to 64 there is a head that gives the key so far on the left another number than the key
//     as far on the right: more than 1e-6 above or below. This must hold for any number of heads, also for one.
double two_sided_bias(int head, int heads, double m, double query, double key);

}  // namespace locus
