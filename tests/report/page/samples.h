// Results to make pages of.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "ablation/results.h"
#include "base/text.h"

namespace locus::test {

struct Tested {
  int length;
  double accuracy;
  std::optional<double> ceiling = 0.25, baseline = 0.1;
  int examples = 4000;
};

struct Sample {
  std::string task = "reverse", scheme = "rope", model = "encoder";
  int seed = 1;
  std::vector<Tested> tested = {{12, 1}, {24, 0.5}};
  std::optional<int> steps_to_solve = {};
  int parameters = 26122;
  std::string status = "finished";
};

inline Json json_of(const Sample& sample) {
  Json json;
  const auto number_or_null = [](auto value) { return value ? Json(*value) : Json(); };
  json.set("task", sample.task);
  json.set("dataset", nullptr);
  json.set("scheme", sample.scheme);
  json.set("model", sample.model);
  json.set("seed", sample.seed);
  for (const auto& [key, value] :
       std::initializer_list<std::pair<const char*, double>>{{"layers", 2},
                                                             {"heads", 2},
                                                             {"d_model", 32},
                                                             {"d_ff", 128},
                                                             {"batch", 64},
                                                             {"max_steps", 1000},
                                                             {"learning_rate", 0.003},
                                                             {"warmup", 100},
                                                             {"weight_decay", 0.01},
                                                             {"clip", 1}})
    json.set(key, value);
  json.set("stop_when_solved", true);
  json.set("train_lengths", parse_json("[12,12]", "sample"));
  std::vector<int> lengths;
  Json::Array by_length;
  for (const auto& [length, accuracy, ceiling, baseline, examples] : sample.tested) {
    lengths.push_back(length);
    Json entry;
    entry.set("length", length);
    entry.set("token_accuracy", accuracy);
    entry.set("exact_match", ceiling ? accuracy / 2 : accuracy);
    entry.set("order_blind_ceiling", number_or_null(ceiling));
    entry.set("no_input_baseline", number_or_null(baseline));
    entry.set("examples", examples);
    by_length.push_back(entry);
  }
  json.set("test_lengths", Json::Array(lengths.begin(), lengths.end()));
  json.set("test_examples", 4000);
  json.set("parameters", sample.parameters);
  json.set("steps", 1000);
  json.set("steps_to_solve", number_or_null(sample.steps_to_solve));
  json.set("loss", 0.5);
  json.set("status", sample.status);
  json.set("by_length", by_length);
  return json;
}

// The same sample with an accuracy for each seed at each length.
using BySeed = std::vector<double>;
inline std::vector<Result> seeds_of(Sample sample, const std::vector<BySeed>& at_each_length) {
  std::vector<Result> results;
  for (std::size_t seed = 0; seed < at_each_length.front().size(); ++seed) {
    sample.seed = static_cast<int>(seed) + 1;
    for (std::size_t i = 0; i < at_each_length.size(); ++i)
      sample.tested[i].accuracy = at_each_length[i][seed];
    results.push_back({json_of(sample), text("results.jsonl:", seed + 1)});
  }
  return results;
}

inline std::vector<Result> together(const std::vector<std::vector<Result>>& parts) {
  std::vector<Result> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace locus::test
