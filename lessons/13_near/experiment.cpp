// Chapter 13: the learner's tasks trained with ALiBi and with local attention, with sinusoids added and without; then
// `mirror`, by the distance of a pair. With WIDTH=32 or WIDTH=64 instead what the text has recorded: rope on the learner's
// tasks, more schemes on `mirror`, and the table far_pairs.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>
#include <numeric>

#include "base/error.h"
#include "base/machine.h"
#include "base/size.h"
#include "draw/charts.h"
#include "examine/answer.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/13_near/contract.h"
#include "positional/support/bias_scheme.h"
#include "positional/support/registry.h"
#include "tasks/support/registry.h"
#include "tasks/support/toy.h"

namespace locus {

namespace {

// --- the learner's functions, as two tasks ---

void shuffle_chain(Random& random, Tokens& chain) {
  do shuffle_all(random, chain);
  while (!accepts_chain(chain));
}

Toy task_of(const std::string& name, const std::string& summary, Tokens (*solve)(const Tokens&)) {
  return {.name = name,
          .summary = summary,
          .form = Form::classification,
          .alphabet = numbers(10, {".", "!"}),
          .sample = draw_chain,
          .accepts = accepts_chain,
          .solve = solve,
          .shuffle = shuffle_chain,
          .shortest = 4,
          .layout = "three digits at different distances from the mark !, and hay",
          .example = "4 . ! . . 7 2"};
}

}  // namespace

namespace tasks::chain {

Tokens nearest(const Tokens& chain) { return {partner(chain, false)}; }
Tokens farthest(const Tokens& chain) { return {partner(chain, true)}; }
const RegisterTask near{task_of("nearest", "the digit nearest to the mark, on either side", nearest)},
    far{task_of("farthest", "the digit farthest from the mark, on either side", farthest)};

}  // namespace tasks::chain

namespace {

// --- local attention, as a scheme ---

constexpr int reach = 1;

class Local : public BiasScheme {
 public:
  Local(const Options&, const SchemeContext& context, ParameterTable&) : BiasScheme(context) {}
  std::optional<double> bias(int, double query, double key) const override {
    return std::abs(query - key) > reach ? -1e9 : 0;
  }
  Claims claims() const override { return {.shift_invariant = true, .extrapolates = true}; }
};
const RegisterScheme registered{{.name = "local",
                                 .summary = "keys more than one position away are masked",
                                 .source = "chapter 13",
                                 .stage = Stage::scores,
                                 .options = {},
                                 .make = make<Local>}};

// --- training ---

constexpr int length = 12;

RunSettings settings(const std::string& task, const std::string& scheme, int width, std::uint64_t seed) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = scheme;
  settings.model.d_model = width;
  settings.model.heads = width / 8;
  settings.train.seed = seed;
  settings.train.steps = 450;
  settings.train.optimizer.learning_rate = 0.003;
  settings.test_lengths = {length, 2 * length};
  settings.test_examples = 500;
  return settings;
}

struct Trained {
  std::vector<double> at[2];  // at 12 and 24 tokens, one accuracy for each seed
  std::vector<std::pair<int, int>>
      by_distance;  // at 12: right answers and all, by how far the digit is from the mark
  double mean(int i) const {
    return std::accumulate(at[i].begin(), at[i].end(), 0.0) / static_cast<double>(at[i].size());
  }
  std::string seeds(int i) const {
    std::string words;
    for (const double value : at[i]) words += str(words.empty() ? "" : " ", fixed(value, 2));
    return words;
  }
};

Trained train_seeds(const std::string& task, const std::string& scheme, int width = usual_width) {
  Trained trained;
  trained.by_distance.resize(length);
  Pool pool(hardware_threads());
  for (const std::uint64_t seed : {1u, 2u, 3u}) {
    const Run run(complete(settings(task, scheme, width, seed)));
    const Reals parameters = train(run);
    const std::vector<LengthScore> scores = run.test(parameters.data(), pool);
    for (std::size_t i = 0; i < 2; ++i) trained.at[i].push_back(scores[i].score.accuracy(false));
    for (const Example& example : run.task().test_set(length, 500)) {
      const auto at = [&](int token) {
        return std::ranges::find(example.input, token) - example.input.begin();
      };
      auto& [right, all] = trained.by_distance[as_size(std::abs(at(mark) - at(example.target.front())))];
      right += ask(run, parameters.data(), example.input).wrong().front() ? 0 : 1;
      ++all;
    }
  }
  return trained;
}

// Where the digit that was asked for stood at a distance in fewer than 20 inputs, nothing is drawn.
Series by_distance(const std::string& name, const Trained& trained, std::size_t colour) {
  Series series{.name = name, .samples = {}, .style = series_style(colour)};
  for (std::size_t d = 1; d < trained.by_distance.size(); ++d)
    if (const auto& [right, all] = trained.by_distance[d]; all >= 20)
      series.samples.push_back({static_cast<double>(d), static_cast<double>(right) / all});
  return series;
}

// The learner's count, of a model trained on `mirror`.
std::vector<double> mirror_by_distance(const std::string& scheme, int width, std::uint64_t seed) {
  RunSettings of = settings("mirror", scheme, width, seed);
  of.model.heads = scheme == "alibi" ? 8 : width / 16;  // with fewer, its slopes are too flat
  of.train.steps = 600;
  const Run run(complete(of));
  const Reals parameters = train(run);
  std::vector<std::vector<bool>> right;
  for (const Example& example : run.task().test_set(length, 300)) {
    std::vector<bool> row = ask(run, parameters.data(), example.input).wrong();
    row.flip();
    right.push_back(row);
  }
  return right_by_distance(right);
}

// --- the table of far pairs ---

RunSettings folded(const std::string& scheme, int width = usual_width) {
  RunSettings of = settings("far_pairs", scheme, width, 1);
  of.dataset = "datasets/far_pairs.tsv";
  of.train.steps = 400;
  of.test_lengths = {13};
  return of;
}

// --- what the text has recorded ---

void record(int width) {
  TextTable chains({{"asked for"}, {"scheme"}, {"right at 12"}, {"right at 24"}});
  for (const char* task : {"nearest", "farthest"})
    for (const char* scheme : {"alibi", "rope"}) {
      const Trained trained = train_seeds(task, scheme, width);
      chains.add_row({task, scheme, trained.seeds(0), trained.seeds(1)});
    }
  std::cout << chains.to_text(false);

  std::cout << "\nright in datasets/far_pairs.tsv, seed 1:";
  for (const char* scheme : {"none", "alibi", "rope", "sinusoidal"})
    std::cout << ' ' << scheme << ' '
              << fixed(train_and_test(folded(scheme, width)).front().score.token_accuracy, 2);
  std::cout << '\n';

  TextTable pairs({{"mirror"}, {"distance 1"}, {"3"}, {"5"}, {"7"}, {"9"}, {"11"}});
  for (const char* scheme : {"none", "sinusoidal", "alibi", "t5", "shaw", "rope"}) {
    std::vector<std::string> cells(length);
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const std::vector<double> shares = mirror_by_distance(scheme, width, seed);
      for (std::size_t d = 1; d < length; d += 2) cells[d] += str(seed > 1 ? " " : "", fixed(shares[d], 2));
    }
    pairs.add_row({scheme, cells[1], cells[3], cells[5], cells[7], cells[9], cells[11]});
  }
  std::cout << "mirror, 12 tokens: right answers by the distance of the pair, three seeds\n\n"
            << pairs.to_text(false);
}

}  // namespace

void experiment() {
  if (std::getenv("WIDTH")) {
    record(width_asked());
    return;
  }
  TextTable table({{"asked for"}, {"scheme"}, {"right at 12"}, {"right at 24"}});
  std::vector<Trained> all;
  for (const char* task : {"nearest", "farthest"})
    for (const char* scheme : {"alibi", "none", "sinusoidal+local", "local"}) {
      all.push_back(train_seeds(task, scheme));
      table.add_row(
          {scheme == std::string("alibi") ? task : "", scheme, all.back().seeds(0), all.back().seeds(1)});
    }
  const Trained &alibi_near = all[0], &alibi_far = all[4], &added_far = all[6], &local_far = all[7];
  reply(
      alibi_far.mean(0),
      "ALiBi gives a key less weight the farther away it is, so the weight shows the distance. Training decides which\n"
      "distance the model prefers. (Your guess is of the mean of three seeds at width 32.)");
  std::cout << "\nTwo tasks with the same chains; the order-blind ceiling of both is 1/3. Three seeds:\n\n"
            << table.to_text(false);
  LineChart far_and_near;
  far_and_near.title = "Asked for the farthest digit, ALiBi finds it also at the other end of the input";
  far_and_near.x_label = "how far the farthest digit is from the mark (positions)";
  far_and_near.y_label = "share of right answers, 12 tokens";
  far_and_near.y_range = {{0, 1}};
  far_and_near.width = 560;
  Series guessed{.name = "order-blind ceiling", .samples = {}, .style = ceiling_style()};
  for (int d = 3; d < length; ++d) guessed.samples.push_back({1.0 * d, 1.0 / 3});
  far_and_near.series = {guessed, by_distance("alibi", alibi_far, 0), by_distance("local", local_far, 1)};
  save_figure("trained_farthest", line_chart(far_and_near));

  LineChart chart;
  chart.title = "RoPE on mirror: the two ends are the easiest pair";
  chart.x_label = "distance of the pair (positions)";
  chart.y_label = "share of right answers, 12 tokens";
  chart.y_range = {{0.4, 1}};
  chart.width = 560;
  // No order-blind model is above it at any distance: all pairs of an input have the same one.
  const double ceiling = find_task("mirror").order_blind_ceiling(length)->value;
  double near = 0, far = 0;
  {
    std::vector<double> mean(length);
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      const std::vector<double> shares = mirror_by_distance("rope", usual_width, seed);
      for (std::size_t d = 1; d < length; d += 2) mean[d] += shares[d] / 3;
    }
    Series series{.name = "mean of three seeds", .samples = {}, .style = series_style(0)};
    for (std::size_t d = 1; d < length; d += 2) series.samples.push_back({static_cast<double>(d), mean[d]});
    Series blind{.name = "order-blind ceiling", .samples = {}, .style = ceiling_style()};
    for (std::size_t d = 1; d < length; d += 2) blind.samples.push_back({static_cast<double>(d), ceiling});
    chart.series = {blind, series};
    near = mean[1];
    far = mean[length - 1];
  }
  save_figure("trained_mirror", line_chart(chart));
  std::cout << "\nThe second guess: RoPE on `mirror` gets " << fixed(far, 2) << " of the two ends right, and "
            << fixed(near, 2) << " of the neighbours (three\nseeds; " << fixed(ceiling, 2)
            << " can be had without order). trained_mirror.svg has the pairs between.\n";

  expect("ALiBi on farthest", alibi_far.mean(0), 0.94, 0.06,
         "Does partner() give the farthest digit (step 13.3)?");
  expect("ALiBi on nearest", alibi_near.mean(0), 0.97, 0.05,
         "Does partner() give the nearest digit (step 13.3)?");
  expect("local attention with sinusoids, on farthest", added_far.mean(0), 0.96, 0.04,
         "Are all chains equally likely (step 13.2)?");
  expect("local attention alone, on farthest", local_far.mean(0), 0.59, 0.08,
         "Does accepts_chain() ask for different distances (step 13.1)?");
  expect("RoPE on mirror, far minus near", far - near, 0.2, 0.2,
         "Is the share counted by distance (step 13.5)?");
}

}  // namespace locus
