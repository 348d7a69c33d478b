// Chapter 12: circuits built by hand, heads of trained models silenced, layers without positions, and the position probe.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <iostream>

#include "base/error.h"
#include "base/machine.h"
#include "base/pool.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/12_picture/contract.h"
#include "report/attention/attention.h"
#include "train/construct.h"
#include "train/probe.h"

namespace locus {

namespace {

constexpr int examples_of_a_map = 256, trained_length = 12;

struct Subject {
  Run run;
  Reals parameters;
};

double right(const Subject& subject, const std::vector<Head>& silent = {}) {
  Reals altered = subject.parameters;
  for (const Head head : silent) transformer_of(subject.run).silence(altered, head.layer, head.head);
  Pool pool(hardware_threads());
  return subject.run.test(trained_length, altered.data(), pool).score.token_accuracy;
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
double one_before(const AttentionMap& map) {
  return by_offset(map)[static_cast<std::size_t>(map.length - 2)];
}

Reals initial_parameters(const Run& run) {
  Pool pool(1);
  return Trainer(run.model(), run.batcher(), run.settings().train, pool).parameters();
}

Subject constructed(const std::string& name) {
  Construction construction{.name = name};
  construction.test_lengths = {trained_length};
  Run run(settings_of(construction));
  Reals parameters = construct(construction, run.model());
  return {std::move(run), std::move(parameters)};
}

Subject trained(const std::string& task, const std::string& scheme, std::uint64_t seed) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = scheme;
  settings.train.seed = seed;
  settings.test_lengths = {trained_length};
  settings.test_examples = 1000;
  Run run(complete(settings));
  Reals parameters = train(run);
  return {std::move(run), std::move(parameters)};
}

void print_constructed() {
  TextTable table({{"built by hand"},
                   {"entropy, bits", Align::right},
                   {"of at most", Align::right},
                   {"weight of the token before", Align::right},
                   {"right", Align::right},
                   {"right without the head", Align::right}});
  for (const char* name : {"previous", "count"}) {
    const Subject subject = constructed(name);
    const AttentionMap map = maps(subject.run, subject.parameters).front();
    table.add_row({name, fixed(map.entropy, 2), fixed(map.highest_entropy(), 2), fixed(one_before(map), 2),
                   fixed(right(subject), 3), fixed(right(subject, {{0, 0}}), 3)});
  }
  std::cout << "One layer, one head, weights set by hand\n\n" << table.to_text(false) << '\n';
}

// What the heads of layer 1 look like and what they are worth; returns the mean of what stays right without one.
double print_silenced(const std::vector<Subject>& models) {
  TextTable looks({{"seed", Align::right},
                   {"head"},
                   {"entropy, bits", Align::right},
                   {"weight of the token before", Align::right},
                   {"right without it", Align::right}});
  TextTable sets({{"seed", Align::right},
                  {"whole", Align::right},
                  {"without both of layer 1", Align::right},
                  {"without both of layer 0", Align::right},
                  {"lost one by one", Align::right},
                  {"lost together", Align::right}});
  double kept = 0;
  int seed = 0;
  for (const Subject& model : models) {
    ++seed;
    const double whole = right(model), without_1 = right(model, {{1, 0}, {1, 1}});
    double lost = 0;
    for (const AttentionMap& map : maps(model.run, model.parameters)) {
      if (map.head.layer == 0) continue;
      const double without = right(model, {map.head});
      lost += whole - without;
      kept += without / static_cast<double>(2 * models.size());
      looks.add_row({map.head.head == 0 ? text(seed) : "", to_string(map.head), fixed(map.entropy, 2),
                     fixed(one_before(map), 2), fixed(without, 3)});
    }
    sets.add_row({text(seed), fixed(whole, 3), fixed(without_1, 3), fixed(right(model, {{0, 0}, {0, 1}}), 3),
                  fixed(lost, 3), fixed(whole - without_1, 3)});
  }
  std::cout << "Trained on previous with sinusoidal codes: the heads of layer 1\n\n"
            << looks.to_text(false) << '\n'
            << sets.to_text(false) << '\n';
  return kept;
}

// The most that a model keeps with the positions of one layer only, as the lowest over the models.
double print_layers() {
  TextTable table({{"seed", Align::right},
                   {"both layers", Align::right},
                   {"layer 0 only", Align::right},
                   {"layer 1 only", Align::right},
                   {"no layer", Align::right}});
  double lowest = 1;
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Subject model = trained("first", "rope", seed);
    std::vector<TableCell> cells{text(seed)};
    std::vector<double> shares;
    for (const char* scheme : {"rope", "rope none", "none rope", "none"}) {
      RunSettings settings = model.run.settings();
      settings.model.scheme = scheme;
      shares.push_back(right({Run(settings), model.parameters}));
      cells.push_back(fixed(shares.back(), 3));
    }
    lowest = std::min(lowest, std::max(shares[1], shares[2]));
    table.add_row(cells);
  }
  std::cout << "Trained on first with rope, then read with the turns of some layers only\n\n"
            << table.to_text(false) << '\n';
  return lowest;
}

// A decoder without positions, so that nothing was added that a probe could find again.
void print_probe() {
  RunSettings settings;
  settings.task = "previous";
  settings.model.scheme = "none";
  settings.model.kind = ModelKind::decoder;
  settings.test_lengths = {trained_length};
  settings.test_examples = 1000;
  const Run run(complete(settings));
  const Reals initial = initial_parameters(run), parameters = train(run),
              permuted = permuted_weights(run.model(), parameters, settings.train.seed);
  const ProbeInputs inputs{usual_probe_lengths(run), 128};
  const auto trained_scores = probe(run, parameters.data(), inputs),
             before = probe(run, initial.data(), inputs), mixed = probe(run, permuted.data(), inputs);
  TextTable table({{"position read after"},
                   {"trained", Align::right},
                   {"before training", Align::right},
                   {"weights permuted", Align::right}});
  const std::vector<std::string> places = probe_places(run);
  for (std::size_t i = 0; i < places.size(); ++i)
    table.add_row({places[i], fixed(trained_scores[i][0], 2), fixed(before[i][0], 2), fixed(mixed[i][0], 2)});
  std::cout << "The position probe (R^2) of a decoder without positions, trained on previous\n\n"
            << table.to_text(false) << '\n';
}

Figure offsets(const Subject& model) {
  LineChart chart;
  chart.title = "Both heads of layer 1 look at the token before, after training only";
  chart.x_label = "offset key - query (tokens)";
  chart.y_label = "mean weight";
  const auto add = [&](const std::string& name, const AttentionMap& map) {
    Series series;
    series.name = name;
    const std::vector<double> weights = by_offset(map);
    for (int i = 0; i < 2 * map.length - 1; ++i)
      series.samples.push_back(
          {static_cast<double>(i - map.length + 1), weights[static_cast<std::size_t>(i)]});
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
  print_constructed();
  std::vector<Subject> models;
  for (const std::uint64_t seed : {1u, 2u, 3u}) models.push_back(trained("previous", "sinusoidal", seed));
  const double kept = print_silenced(models);
  const double lowest = print_layers();
  print_probe();
  save_figure(
      "trained_maps",
      heat_maps("Both heads of layer 1 show a diagonal, and one of them can be silenced without a loss",
                attention_heat_maps(maps(models[0].run, models[0].parameters), {}), 4));
  save_figure("trained_offsets", offsets(models[0]));
  reply(
      kept,
      "(The mean of six heads.) Both heads of layer 1 fetch the token before. What one of them adds is often enough\n"
      "for the right answer; without both nearly all answers are wrong. So the losses of single heads do not add up\n"
      "to the loss of the layer, and a clean picture does not prove that a head is needed.");
  expect("right without one head of layer 1, the mean of six", kept, 0.92, 0.07,
         "Does silencing clear the rows of this head only (step 12.4)?");
  expect("right with the turns of one layer, the better of two, the lowest of three models", lowest, 0.97,
         0.05, "Did all three models learn the task?");
}

}  // namespace locus
