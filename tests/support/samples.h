// Results as they might have come out, for tests of what is made of them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/results.h"
#include "base/text.h"

namespace locus::test {

struct Tested {
  int length;
  double accuracy;
  std::optional<double> ceiling = 0.25;
  double baseline = 0.1;
  int examples = 4000;
};

// Trained at 12 tokens. Of encoders, half as many whole answers are right as tokens; of decoders, as many.
struct Sample {
  std::string task = "reverse", scheme = "rope", model = "encoder";
  int seed = 1;
  std::vector<Tested> tested = {{12, 1}, {24, 0.5}};
  std::optional<int> steps_to_solve = {};
  int parameters = 26122;
  TrainStatus status = TrainStatus::finished;
};

inline Result result_of(const Sample& sample, std::string where = "") {
  Result result;
  RunSettings& s = result.settings;
  s.task = sample.task;
  s.model = {.kind = parse_model_kind(sample.model), .scheme = sample.scheme, .d_ff = 128};
  s.train = {.steps = 1000,
             .lengths = {12, 12},
             .seed = static_cast<std::uint64_t>(sample.seed),
             .optimizer = {.learning_rate = 0.003}};
  const bool generates = s.model.kind == ModelKind::decoder;
  result.outcome = {.generates = generates,
                    .parameters = sample.parameters,
                    .steps = 1000,
                    .steps_to_solve = sample.steps_to_solve,
                    .loss = 0.5,
                    .status = sample.status,
                    .by_length = {}};
  for (const auto& [length, accuracy, ceiling, baseline, examples] : sample.tested) {
    s.test_lengths.push_back(length);
    result.outcome.by_length.push_back({length,
                                        {accuracy, generates ? accuracy : accuracy / 2, examples},
                                        generates ? std::nullopt : ceiling,
                                        baseline});
  }
  result.where = std::move(where);
  return result;
}

// The same sample with an accuracy for each seed at each length.
using BySeed = std::vector<double>;
inline std::vector<Result> seeds_of(Sample sample, const std::vector<BySeed>& at_each_length) {
  std::vector<Result> results;
  for (std::size_t seed = 0; seed < at_each_length.front().size(); ++seed) {
    sample.seed = static_cast<int>(seed) + 1;
    for (std::size_t i = 0; i < at_each_length.size(); ++i)
      sample.tested[i].accuracy = at_each_length[i][seed];
    results.push_back(result_of(sample, str("results.jsonl:", seed + 1)));
  }
  return results;
}

inline std::vector<Result> together(const std::vector<std::vector<Result>>& parts) {
  std::vector<Result> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace locus::test
