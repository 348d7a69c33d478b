// Chapter 12: circuits built by hand, heads of trained models silenced, and scores in four parts. With WIDTH=64 the same
// tables for that width, with 4 heads.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <array>
#include <iostream>

#include "base/error.h"
#include "base/machine.h"
#include "base/pool.h"
#include "base/size.h"
#include "draw/charts.h"
#include "examine/construct.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/12_picture/contract.h"
#include "lessons/12_picture/score_parts.h"
#include "report/attention/attention.h"

namespace locus {

namespace {

constexpr int examples_of_a_map = 256, trained_length = 12;
constexpr std::array<std::uint64_t, 3> seeds = {1, 2, 3};

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
double one_before(const AttentionMap& map) { return by_offset(map)[as_size(map.length - 2)]; }

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

void print_constructed() {
  TextTable table({{"model"},
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
  std::cout << "Built by hand: one layer, one head\n\n" << table.to_text(false) << '\n';
}

std::vector<Head> heads_of(int layer, int count) {
  std::vector<Head> heads;
  for (int head = 0; head < count; ++head) heads.push_back({layer, head});
  return heads;
}

// What the heads of layer 1 look like and what they are worth; returns the mean of what stays right without one.
double print_silenced(const std::vector<Subject>& models) {
  const int heads = models[0].run.settings().model.heads;
  TextTable looks({{"seed", Align::right},
                   {"head"},
                   {"entropy, bits", Align::right},
                   {"weight of the token before", Align::right},
                   {"right without it", Align::right}});
  TextTable sets({{"seed", Align::right},
                  {"right", Align::right},
                  {"without layer 0", Align::right},
                  {"lost one by one", Align::right},
                  {"lost together", Align::right}});
  double kept = 0;
  int seed = 0;
  for (const Subject& model : models) {
    ++seed;
    const std::vector<Head> layer_1 = heads_of(1, heads);
    const double whole = right(model);
    double lost = 0;
    for (const AttentionMap& map : maps(model.run, model.parameters)) {
      if (map.head.layer == 0) continue;
      const double without = right(model, {map.head});
      lost += whole - without;
      kept += without / (heads * static_cast<double>(models.size()));
      looks.add_row({map.head.head == 0 ? str(seed) : "", to_string(map.head), fixed(map.entropy, 2),
                     fixed(one_before(map), 2), fixed(without, 3)});
    }
    sets.add_row({str(seed), fixed(whole, 3), fixed(right(model, heads_of(0, heads)), 3), fixed(lost, 3),
                  fixed(whole - right(model, layer_1), 3)});
  }
  std::cout
      << "Trained on previous with sinusoidal codes: the heads of layer 1\n\n"
      << looks.to_text(false)
      << "\nRight answers of the whole model and without the heads of layer 0; lost when those of layer 1 are silenced "
         "one by\none (the losses added up) or together\n\n"
      << sets.to_text(false) << '\n';
  return kept;
}

// Which of the four parts the scores of layer 1 consist of, and what is right with position-position alone and without
// it; returns the lowest share of right answers of `previous` with position-position alone.
double print_parts(const std::vector<std::vector<Subject>>& of_tasks) {
  TextTable table({{"task, seed"},
                   {"content-content", Align::right},
                   {"content-position", Align::right},
                   {"position-content", Align::right},
                   {"position-position", Align::right},
                   {"last alone", Align::right},
                   {"other three", Align::right}});
  constexpr int layer = 1;
  double lowest = 1;
  Pool pool(hardware_threads());
  for (const std::vector<Subject>& models : of_tasks) {
    int seed = 0;
    for (const Subject& model : models) {
      const std::vector<QueriesAndKeys> seen =
          queries_and_keys(model.run, model.parameters, trained_length, examples_of_a_map);
      ++seed;
      std::vector<TableCell> cells{str(model.run.task().name, ", ", seed)};
      for (const double share : shares(seen[layer])) cells.push_back(fixed(share, 2));
      const double alone = right_with(model.run, model.parameters, seen, layer, true, pool);
      if (model.run.task().name == "previous") lowest = std::min(lowest, alone);
      cells.push_back(fixed(alone, 3));
      cells.push_back(fixed(right_with(model.run, model.parameters, seen, layer, false, pool), 3));
      table.add_row(cells);
    }
  }
  std::cout
      << "The scores of layer 1 in four parts: the share of each in the differences between keys; and the share of right\n"
         "answers when its scores are the last part alone, or the other three\n\n"
      << table.to_text(false) << '\n';
  return lowest;
}

// The four parts of the scores of one head in one input, each without what is the same for all keys of a query.
std::vector<HeatMap> part_maps(const Subject& model, int head) {
  constexpr int layer = 1, T = trained_length;
  const QueriesAndKeys of = queries_and_keys(model.run, model.parameters, T, examples_of_a_map)[layer];
  std::vector<std::string> tokens;
  for (const int token : model.run.task().test_set(T, 1).front().input)
    tokens.push_back(model.run.batcher().names()[as_size(token)]);
  std::vector<HeatMap> maps;
  for (std::size_t part = 0; part < 4; ++part) {
    HeatMap map;
    map.title = str(model.run.task().name, ": ", names_of_parts[part]);
    map.rows = map.columns = T;
    map.row_axis = {"position of the query", {}, 0};
    map.column_axis = {"token of the key", tokens, 0};
    map.scale = HeatMap::Scale::diverging;
    map.range = Range{-6, 6};
    map.square_cells = true;
    map.width = 330;
    map.value_label = "part minus its row mean";
    for (int query = 0; query < T; ++query) {
      double mean = 0;
      for (int key = 0; key < T; ++key) mean += of.parts(0, head, query, key)[part] / T;
      for (int key = 0; key < T; ++key) map.values.push_back(of.parts(0, head, query, key)[part] - mean);
    }
    maps.push_back(map);
  }
  return maps;
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
  const int width = width_asked();
  const auto of_seeds = [&](const char* task) {
    std::vector<Subject> models;
    for (const std::uint64_t seed : seeds) models.push_back(trained(task, width, seed));
    return models;
  };
  if (width == usual_width) print_constructed();
  std::vector<std::vector<Subject>> models;
  models.push_back(of_seeds("previous"));
  const double kept = print_silenced(models[0]);
  models.push_back(of_seeds("sort"));
  const double alone = print_parts(models);
  if (width != usual_width) return;
  const Subject& model = models[0][0];
  save_figure(
      "trained_maps",
      heat_maps("Trained on previous: both heads of layer 1 show a clean diagonal, those of layer 0 do not",
                attention_heat_maps(maps(model.run, model.parameters), {}), 2));
  save_figure("trained_offsets", offsets(model));
  std::vector<HeatMap> of_parts = part_maps(model, 1);
  for (const HeatMap& map : part_maps(models[1][0], 0)) of_parts.push_back(map);
  save_figure(
      "trained_parts",
      heat_maps("Trained on previous, layer 1 scores a key by position alone; trained on sort, by the key's "
                "token and the query's position",
                of_parts, 2));
  reply(
      kept,
      "(The mean of six heads.) Both heads of layer 1 fetch the token before. What one of them adds is often enough\n"
      "for the right answer; without both nearly all answers are wrong. So the losses of single heads do not add up\n"
      "to the loss of the layer, and a clean picture does not prove that a head is needed.");
  expect("right without one head of layer 1, the mean of six", kept, 0.92, 0.07,
         "Does silencing clear the rows of this head only (step 12.4)?");
  expect("right with position-position alone in layer 1, the lowest of three models of previous", alone, 1,
         0.05, "Did all three models learn the task?");
}

}  // namespace locus
