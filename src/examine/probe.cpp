#include "examine/probe.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/size.h"
#include "examine/ridge.h"

namespace locus {

namespace {

std::span<const Example> examples_of(const Run& run, int length, int count) {
  const std::span<const Example> examples = run.task().test_set(length, count);
  if (examples.size() < 2)
    fail("probe", str("there is ", examples.size(), " test input of ", length, " tokens"),
         "the map is fitted on one half of the inputs and tested on the other: choose other --lengths");
  return examples;
}

// Calls visit(tokens, whether they are for R^2, the stream for schemes that draw positions) for each input.
void for_each_input(const Run& run, const ProbeInputs& inputs, const auto& visit) {
  for (const int length : inputs.lengths) {
    const std::span<const Example> examples = examples_of(run, length, inputs.examples);
    const Draws draws = run.draws_at(length);
    for (std::size_t i = 0; i < examples.size(); ++i)
      visit(run.batcher().batch({&examples[i], 1}).tokens, i % 2 == 1, draws.at(i));
  }
}

void check(const Run& run, const ProbeInputs& inputs) {
  const ModelSettings& s = run.model().settings();
  if (is_recurrent(s.kind))
    fail_usage("probe", str("the model is a ", s.kind, ", which reads in order and is told no positions"),
               "probe an encoder or a decoder");
  const int longest = run.batcher().model_length(std::ranges::max(inputs.lengths)),
            capacity = run.model().capacity();
  if (longest > capacity)
    fail_usage("probe", str("the model would read ", longest, " tokens; the most is ", capacity),
               "choose shorter --lengths");
}

}  // namespace

std::string to_string(ProbeTarget target) {
  switch (target) {
    case ProbeTarget::position:
      return "position";
    case ProbeTarget::from_end:
      return "distance from the end";
    case ProbeTarget::from_centre:
      return "distance from the centre";
  }
  return "";
}

std::array<double, probe_targets> targets_of(int t, int length) {
  return {static_cast<double>(t), static_cast<double>(length - 1 - t), std::abs(t - (length - 1) / 2.0)};
}

std::vector<int> usual_probe_lengths(const Run& run) {
  if (const std::vector<int> fixed = run.task().fixed_lengths(); !fixed.empty()) return fixed;
  std::vector<int> lengths;
  const int longest = run.settings().train.lengths.high;
  for (const int sixths : {3, 4, 5, 6})
    if (const auto length = run.task().length_from(std::max(1, longest * sixths / 6));
        length && *length <= longest && !std::ranges::count(lengths, *length))
      lengths.push_back(*length);
  return lengths;
}

std::vector<std::string> probe_places(const Run& run) {
  std::vector<std::string> places{"embedding"};
  for (int layer = 0; layer < run.model().settings().layers; ++layer)
    for (const char* part : {"attention", "feed-forward"}) places.push_back(str("layer ", layer, " ", part));
  return places;
}

std::vector<ProbeScores> probe(const Run& run, const Real* parameters, const ProbeInputs& inputs) {
  check(run, inputs);
  const std::vector<std::string> places = probe_places(run);
  const int D = run.model().settings().d_model;
  const Moments none(D, static_cast<int>(probe_targets));
  std::vector<Moments> fitted(places.size(), none), held_out(places.size(), none);
  Tape tape(parameters);
  for_each_input(run, inputs, [&](const Tokens& tokens, bool is_held_out, const Random& positions) {
    const auto T = static_cast<int>(tokens.size());
    tape.reset();
    std::vector<Tensor> hidden;  // (1,T,D) at each place
    Inputs watched = inputs_at_test(tape, tokens, T, positions);
    watched.hidden = &hidden;
    run.model().logits(tape, watched);
    for (std::size_t place = 0; place < places.size(); ++place)
      for (int t = 0; t < T; ++t) {
        const std::span<const Real> x(hidden[place].value() + std::ptrdiff_t{t} * D, as_size(D));
        if (!std::ranges::all_of(x, [](Real one) { return std::isfinite(one); }))
          fail("probe", str(computes_no_number, " at the place '", places[place], "'"));
        (is_held_out ? held_out : fitted)[place].add(x, targets_of(t, T));
      }
  });
  std::vector<ProbeScores> scores(places.size());
  for (std::size_t place = 0; place < places.size(); ++place)
    std::ranges::copy(r_squared(ridge(fitted[place], probe_penalty), held_out[place]), scores[place].begin());
  return scores;
}

ProbeScores told_by_length(const Run& run, const ProbeInputs& inputs) {
  // Fitted as above, with a feature for each number of tokens that a model reads: 1 where the input has that many.
  std::vector<int> read;
  for_each_input(run, inputs, [&](const Tokens& tokens, bool, const Random&) {
    if (const auto T = static_cast<int>(tokens.size()); !std::ranges::count(read, T)) read.push_back(T);
  });
  Moments fitted(static_cast<int>(read.size()), static_cast<int>(probe_targets)), held_out = fitted;
  for_each_input(run, inputs, [&](const Tokens& tokens, bool is_held_out, const Random&) {
    const auto T = static_cast<int>(tokens.size());
    std::vector<Real> x;
    for (const int one : read) x.push_back(one == T ? Real{1} : Real{0});
    for (int t = 0; t < T; ++t) (is_held_out ? held_out : fitted).add(x, targets_of(t, T));
  });
  ProbeScores scores;
  std::ranges::copy(r_squared(ridge(fitted, probe_penalty), held_out), scores.begin());
  return scores;
}

Reals permuted_weights(const Model& model, const Reals& parameters, std::uint64_t seed) {
  Reals permuted = parameters;
  for (const auto& [name, where, initial] : model.parameters().entries()) {
    Random random(seed, Purpose::permuted_weights, hash(name));
    random.shuffle(std::span(permuted).subspan(where.offset, where.shape.count()));
  }
  return permuted;
}

}  // namespace locus
