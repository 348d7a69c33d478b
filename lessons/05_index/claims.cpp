#include "lessons/tools/claims.h"

#include <algorithm>
#include <memory>

#include "base/error.h"
#include "lessons/05_index/properties.h"
#include "report/format.h"
#include "train/run.h"

namespace locus {

namespace {

constexpr int T = 12;

// A model that learns to name the previous token of 12.
struct Study {
  explicit Study(const std::string& scheme, std::uint64_t seed) : run(settings(scheme, seed)) {}

  static RunSettings settings(const std::string& scheme, std::uint64_t seed) {
    RunSettings settings;
    settings.task = "previous";
    settings.model.scheme = scheme;
    settings.train.seed = seed;
    settings.test_lengths = {T, 2 * T};
    settings.test_examples = 1000;
    return complete(settings);
  }

  Run run;
  Pool pool{hardware_threads()};
  Trainer trainer{run.model(), run.task(), run.settings().train, pool};
};

// With the plain index, trained to the end; done once.
const Study& with_index() {
  static const auto study = [] {
    auto made = std::make_unique<Study>("index", 1);
    while (made->trainer.train_step() == TrainStatus::running) continue;
    return made;
  }();
  return *study;
}

// The most steps on three seeds until 99 % of a probe are right; no end of them if one never gets there.
double steps_to_solve(const std::string& scheme) {
  int most = 0;
  for (const unsigned seed : {1u, 2u, 3u}) {
    Study study(scheme, seed);
    const Trainer& trainer = study.trainer;
    while (trainer.steps_to_solve() == 0 && study.trainer.train_step() == TrainStatus::running) continue;
    if (trainer.steps_to_solve() == 0) return INFINITY;
    most = std::max(most, trainer.steps_to_solve());
  }
  return most;
}

// Queries and keys are equal vectors with the index appended. From how many positions does the dot product
// grow with every step of the key?
int growing_positions() {
  const std::vector<Code> index = codes_of("index", T, T);
  const Code content = {0.3, -1.2, 0.8};
  int growing = 0;
  for (const Code& query : index) {
    bool grows = true;
    for (std::size_t key = 1; key < index.size(); ++key)
      grows &=
          dot(content, content) + dot(query, index[key]) > dot(content, content) + dot(query, index[key - 1]);
    growing += grows;
  }
  return growing;
}

// In the trained model: from how many positions, of all heads of all layers, the last key gets the most
// weight.
struct Rows {
  int all = 0, to_the_last = 0;
};
Rows last_key_wins() {
  const Study& study = with_index();
  std::vector<Code> sums;  // row after row of every head, over inputs
  for (const Example& example : study.run.task().test_set(T, 200)) {
    Tape tape(study.trainer.parameters().data());
    std::vector<Tensor> weights;
    Inputs inputs = inputs_at_test(tape, example.input, T);
    inputs.attention = &weights;
    study.run.model().logits(tape, inputs);
    std::size_t row = 0;
    for (const Tensor& layer : weights)
      for (std::size_t from = 0; from < layer.count(); from += T, ++row) {
        if (sums.size() <= row) sums.emplace_back(T);
        for (std::size_t key = 0; key < T; ++key) sums[row][key] += layer.value()[from + key];
      }
  }
  const auto last = std::ranges::count_if(
      sums, [](const Code& row) { return std::ranges::max_element(row) == row.end() - 1; });
  return {static_cast<int>(sums.size()), static_cast<int>(last)};
}

const Settles row_2(
    2, "holds if query and key are the vectors themselves, and not from position 0; training turns it off",
    [] {
      const int growing = growing_positions();
      const Rows trained = last_key_wins();
      return Evidence{growing == T - 1 && 2 * trained.to_the_last < trained.all,
                      text("as they are, it grows from ", growing, " of ", T,
                           " positions; in a trained model the last key gets the most weight from ",
                           trained.to_the_last, " of ", trained.all)};
    });

const Settles row_3(3, "holds", [] {
  constexpr int count = 100;
  const std::vector<Code> codes = codes_of(text("onehot:capacity=", count), count, count);
  int wrong = 0;
  for (std::size_t a = 0; a < count; ++a)
    for (std::size_t b = 0; b < count; ++b) wrong += dot(codes[a], codes[b]) != (a == b);
  return Evidence{wrong == 0, text("of ", count * count, " pairs ", wrong,
                                   " are otherwise; so neighbours are as far apart as any two: ",
                                   fixed(distance(codes[0], codes[1]), 2))};
});

const Settles row_20(
    20, "holds if the input is longer than those trained on; but it is not too large to learn from", [] {
      const Study& study = with_index();
      Pool pool(hardware_threads());
      const auto scores = study.run.test(study.trainer.parameters().data(), pool);
      const double trained = scores[0].score.token_accuracy, longer = scores[1].score.token_accuracy;
      const int index = study.trainer.steps_to_solve();
      const double sinusoidal = steps_to_solve("sinusoidal");
      return Evidence{trained > 0.99 && longer < 0.75 && index > 0 && index <= sinusoidal + probe_every,
                      text("previous token: ", fixed(trained, 2), " right at ", T, ", ", fixed(longer, 2),
                           " at ", 2 * T, "; learnt in ", index, " steps, sinusoidal in ", sinusoidal)};
    });

const Settles row_21(21, "holds", [] {
  const auto step = [](int length) {
    const std::vector<Code> codes = codes_of("fraction", 2, length);
    return codes[1][0] - codes[0][0];
  };
  return Evidence{step(24) < 0.5 * step(12),
                  text("one position is ", fixed(step(12), 3), " at 12 tokens, ", fixed(step(24), 3),
                       " at 24, ", fixed(step(512), 4), " at 512")};
});

const Settles row_38(
    38,
    "fails: the index, unbounded, is learnt as fast as sinusoids; fraction and binary, bounded, take twice "
    "as long",
    [] {
      const double index = steps_to_solve("index"), sinusoidal = steps_to_solve("sinusoidal"),
                   fraction = steps_to_solve("fraction"), binary = steps_to_solve("binary");
      return Evidence{index <= sinusoidal + probe_every && std::min(fraction, binary) >= 1.5 * index,
                      text("previous token of 12, steps to 99 % right, the slowest of three seeds: index ",
                           index, ", sinusoidal ", sinusoidal, ", fraction ", fraction, ", binary ", binary)};
    });

}  // namespace

}  // namespace locus
