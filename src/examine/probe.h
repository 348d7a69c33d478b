// The position probe: how well can positions be read, by a linear map, from what a transformer holds of each token?
//
// At each place of the model (the embedding; each layer after attention and after feed-forward) a ridge regression is
// fitted on the tokens of one half of the inputs, and R^2 is that of the tokens of the other half. The inputs have
// several lengths: in inputs of a single length the distance from the end is the length minus the position, and both
// would be recovered alike.
//
// A number alone says little, since much can be read from weights that no training made: the causal mask of a decoder,
// or a code that was added. So the same is measured of two controls with the same inputs: the parameters permuted, and
// the initial ones. Alain and Bengio 2016, "Understanding intermediate layers using linear classifier probes"; controls
// as in Hewitt and Liang 2019, "Designing and Interpreting Probes with Control Tasks".
#pragma once

#include <array>
#include <string>
#include <vector>

#include "train/run.h"

namespace locus {

enum class ProbeTarget { position, from_end, from_centre };
inline constexpr std::array all_probe_targets = {ProbeTarget::position, ProbeTarget::from_end,
                                                 ProbeTarget::from_centre};
std::string to_string(ProbeTarget);  // "position", "distance from the end", "distance from the centre"
inline constexpr std::size_t probe_targets = all_probe_targets.size();
// The targets of token t among `length` that the model reads: t, length - 1 - t, |t - (length - 1) / 2|.
std::array<double, probe_targets> targets_of(int t, int length);

// The penalty of the regression (ridge.h), in units of the variance of a feature.
inline constexpr double probe_penalty = 1e-4;

struct ProbeInputs {
  std::vector<int> lengths;  // of the inputs
  int examples;              // of each length: test inputs, 2 or more; every second one is left for R^2
};

// About 1/2, 2/3, 5/6 and 1 times the longest length that was trained, as far as the task has such lengths; all lengths
// of a table.
std::vector<int> usual_probe_lengths(const Run& run);

using ProbeScores = std::array<double, probe_targets>;  // R^2 for each target

// "embedding", "layer 0 attention", "layer 0 feed-forward", ...
std::vector<std::string> probe_places(const Run& run);

// R^2 at each of these places. A model that generates reads the right answer behind each input. Throws UsageError of a
// recurrent model, and when the scheme has too few positions; Error when a length has fewer than 2 inputs, or when
// a hidden state is not a finite number.
std::vector<ProbeScores> probe(const Run& run, const Real* parameters, const ProbeInputs& inputs);

// What the length of the input alone tells of each target: R^2 of the mean at that length.
ProbeScores told_by_length(const Run& run, const ProbeInputs& inputs);

// A control: the elements of each tensor shuffled, with a random stream of its own, keyed by the seed and its name.
Reals permuted_weights(const Model& model, const Reals& parameters, std::uint64_t seed);

}  // namespace locus
