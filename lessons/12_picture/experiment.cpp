// Chapter 12: what trained heads look like, and what the model loses without them. With WIDTH=64 the same table for that
// width, with 4 heads.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iostream>

#include "base/error.h"
#include "base/machine.h"
#include "base/pool.h"
#include "base/size.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/12_picture/contract.h"
#include "lessons/tools/array.h"
#include "report/attention/attention.h"

namespace locus {

namespace {

constexpr int examples_of_a_map = 256, trained_length = 12;
constexpr std::array<std::uint64_t, 3> seeds = {1, 2, 3};

struct Subject {
  Run run;
  Reals parameters;
};

Reals without(const Subject& subject, const std::vector<Head>& silent) {
  Reals altered = subject.parameters;
  for (const Head head : silent) transformer_of(subject.run).silence(altered, head.layer, head.head);
  return altered;
}
double right(const Subject& subject, const std::vector<Head>& silent = {}) {
  Pool pool(hardware_threads());
  return subject.run.test(trained_length, without(subject, silent).data(), pool).score.token_accuracy;
}

// By how much the logit of the right answer is above the largest other one, as a mean over all answers.
double lead(const Subject& subject, const std::vector<Head>& silent = {}) {
  const Reals parameters = without(subject, silent);
  double sum = 0, answers = 0;
  for (const Example& example : subject.run.task().test_set(trained_length, examples_of_a_map)) {
    Tape tape(parameters.data());
    const Array logits = copy(
        subject.run.model().logits(tape, {example.input, trained_length, count_up(tape, trained_length)}));
    for (int t = 0; t < trained_length; ++t) {
      const int answer = example.target[as_size(t)];
      double other = -INFINITY;
      for (int v = 0; v < logits.shape.last(); ++v)
        if (v != answer) other = std::max(other, double{logits(0, t, v)});
      sum += logits(0, t, answer) - other;
      ++answers;
    }
  }
  return sum / answers;
}

std::vector<AttentionMap> maps(const Run& run, const Reals& parameters) {
  return mean_attention_maps(transformer_of(run), parameters.data(), run.batcher(),
                             run.task().test_set(trained_length, examples_of_a_map));
}

// The weight of the key at each offset, by the learner's lines.
std::vector<double> by_offset(const AttentionMap& map) {
  const auto T = static_cast<std::ptrdiff_t>(map.length);
  Rows rows;
  for (std::ptrdiff_t query = 0; query < T; ++query)
    rows.emplace_back(map.weights.begin() + query * T, map.weights.begin() + (query + 1) * T);
  return weight_by_offset(rows);
}
double one_before(const AttentionMap& map) { return by_offset(map)[as_size(map.length - 2)]; }

Reals initial_parameters(const Run& run) {
  Pool pool(1);
  return Trainer(run.model(), run.batcher(), run.settings().train, pool).parameters();
}

Subject trained(const std::string& task, int width, std::uint64_t seed) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = "sinusoidal";
  settings.model.d_model = width;
  settings.model.heads = width / 16;
  settings.train.seed = seed;
  settings.test_lengths = {trained_length};
  settings.test_examples = 1000;
  Run run(complete(settings));
  Reals parameters = train(run);
  return {std::move(run), std::move(parameters)};
}

struct Silenced {
  TextTable table{{{"silenced"},
                   {"weight of the token before"},
                   {"right without it"},
                   {"lead of the right logit"}}};  // each of all seeds
  double kept = 0, both = 0;  // right without one head of layer 1, and without all of them: means
};

Silenced silenced(const std::vector<Subject>& models) {
  std::vector<std::vector<AttentionMap>> of_models;
  for (const Subject& model : models) of_models.push_back(maps(model.run, model.parameters));
  Silenced found;
  // Adds a row, and returns the mean of what is right.
  const auto add = [&](const std::string& name, const std::vector<Head>& silent, std::size_t map) {
    std::vector<std::string> weights, rights, leads;
    double sum = 0;
    for (std::size_t i = 0; i < models.size(); ++i) {
      const double share = right(models[i], silent);
      sum += share;
      if (map < of_models[i].size()) weights.push_back(fixed(one_before(of_models[i][map]), 2));
      rights.push_back(fixed(share, 3));
      leads.push_back(fixed(lead(models[i], silent), 1));
    }
    found.table.add_row({name, join(weights, " "), join(rights, " "), join(leads, " ")});
    return sum / static_cast<double>(models.size());
  };
  constexpr std::size_t no_map = -1;
  add("nothing", {}, no_map);
  std::vector<Head> layer_0, layer_1;
  for (std::size_t map = 0; map < of_models[0].size(); ++map) {
    const Head head = of_models[0][map].head;
    const double kept = add(to_string(head), {head}, map);
    if (head.layer == 0) {
      layer_0.push_back(head);
      continue;
    }
    found.kept += kept;
    layer_1.push_back(head);
  }
  found.kept /= static_cast<double>(layer_1.size());
  add("all of layer 0", layer_0, no_map);
  found.both = add("all of layer 1", layer_1, no_map);
  return found;
}

Figure offsets(const Subject& model) {
  LineChart chart;
  chart.title = "After training, both heads of layer 1 give most weight to the token before";
  chart.x_label = "offset key - query (tokens)";
  chart.y_label = "mean weight by offset";
  const auto add = [&](const std::string& name, const AttentionMap& map) {
    Series series;
    series.name = name;
    const std::vector<double> weights = by_offset(map);
    for (int i = 0; i < 2 * map.length - 1; ++i)
      series.samples.push_back({static_cast<double>(i - map.length + 1), weights[as_size(i)]});
    chart.series.push_back(series);
  };
  const std::vector<AttentionMap> after = maps(model.run, model.parameters),
                                  before = maps(model.run, initial_parameters(model.run));
  add("head 1.0", after[2]);
  add("head 1.1", after[3]);
  add("head 0.0", after[0]);
  add("head 1.0 before training", before[2]);
  chart.width = 720;
  return line_chart(chart);
}

}  // namespace

void experiment() {
  std::vector<Subject> models;
  for (const std::uint64_t seed : seeds) models.push_back(trained("previous", width_asked(), seed));
  const Silenced found = silenced(models);
  if (width_asked() == usual_width)
    reply(
        found.kept,
        "(The mean over the heads of layer 1.) All their pictures show the same clean diagonal, and most answers do not\n"
        "need the one that is silenced: what is left fetches the same token. Without all of them, nearly all answers are\n"
        "wrong. So a clean picture shows what a head reads. It does not show that the model needs it.");
  else
    std::cout << "At width " << width_asked() << ", " << fixed(found.kept, 2)
              << " of the answers are right without one head of layer 1 (the mean over its heads), and "
              << fixed(found.both, 2) << " without all of them.\n";
  std::cout << "\nTrained on previous with sinusoidal codes, three seeds\n\n"
            << found.table.to_text(false) << '\n';
  if (width_asked() != usual_width) return;
  save_figure(
      "trained_maps",
      heat_maps("Trained on previous: both heads of layer 1 show a clean diagonal, those of layer 0 do not",
                attention_heat_maps(maps(models[0].run, models[0].parameters), {}), 2));
  save_figure("trained_offsets", offsets(models[0]));
  expect("right without one head of layer 1, the mean of six", found.kept, 0.92, 0.07,
         "Does silencing clear the rows of this head only (step 12.4)?");
  expect("right without both heads of layer 1, the mean of three models", found.both, 0.14, 0.07,
         "Does silencing clear all rows of a head (step 12.4)?");
}

}  // namespace locus
