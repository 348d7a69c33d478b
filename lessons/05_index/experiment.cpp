// Chapter 5: which of the codes a model still reads in inputs twice as long as those it was trained on.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>

#include "base/error.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/05_index/contract.h"
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"
#include "positional/support/table_rows.h"
#include "report/scheme_style.h"

namespace locus {

namespace {

constexpr int trained = 12, longer = 24;

// The learner's Gray code as a scheme, which the whole program of the chapter has, too.
class Gray : public CodeScheme {
 public:
  Gray(const Options&, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::concat, bits, context, table) {}

  int capacity() const override { return 1 << bits; }
  std::vector<double> code(double position, int, const Real*) const override {
    return gray_code(table_row("gray", position, capacity()), bits);
  }
  Claims claims() const override {
    return {.direction_aware = true, .unique = true, .parameters = join_parameters()};
  }

 private:
  static constexpr int bits = 5;
};

const RegisterScheme registered{{
    .name = "gray",
    .summary = "a binary code of 5 bits whose neighbours differ in one bit",
    .source = "chapter 5",
    .stage = Stage::embedding,
    .make = make<Gray>,
}};

struct Named {
  std::string name, spec;
};
const std::vector<Named> codes = {{"index", "index"},
                                  {"fraction", "fraction"},
                                  {"one-hot", str("onehot:capacity=", longer)},
                                  {"binary", str("binary:capacity=", longer)},
                                  {"Gray", "gray"}};
const Named filled = {"filled", "index:join=fill"};

// What a model learns on inputs of 12 tokens, tested there and on 24.
struct Trained {
  Run run;
  Reals parameters;
  std::vector<LengthScore> scores;
};
RunSettings settings_of(const std::string& spec, const std::string& task, int seed = 1) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = spec;
  settings.train.seed = static_cast<std::uint64_t>(seed);
  settings.test_lengths = {trained, longer};
  return complete(settings);
}
Trained train_with(const std::string& spec, const std::string& task) {
  Run run(settings_of(spec, task));
  Reals parameters = train(run);
  Pool pool(hardware_threads());
  std::vector<LengthScore> scores = run.test(parameters.data(), pool);
  return {std::move(run), std::move(parameters), std::move(scores)};
}

const std::vector<std::string> tasks = {"before", "sort", "previous"};
using Models = std::map<std::string, std::map<std::string, Trained>>;  // by code and task
using Sorters =
    std::map<std::string, std::vector<double>>;  // by code: sort at 24 tokens, each of three seeds

void print_scores(const Models& models, const Sorters& sorters) {
  std::vector<TableColumn> columns = {{"right at 12 / at 24"}};
  for (const std::string& task : tasks) columns.push_back({task, Align::right});
  columns.push_back({"sort at 24, three seeds", Align::right});
  TextTable table(columns);
  const auto add_row = [&](const std::string& name, const std::string& code, const auto& number) {
    std::vector<TableCell> cells = {name};
    for (const std::string& task : tasks) {
      const auto& scores = models.at(code).at(task).scores;
      cells.push_back(fixed(number(scores[0]), 2) + " / " + fixed(number(scores[1]), 2));
    }
    const auto of_seeds = sorters.find(name);
    cells.push_back(of_seeds == sorters.end() ? "" : of_each(of_seeds->second));
    table.add_row(cells);
  };
  const auto accuracy = [](const LengthScore& at) { return at.score.token_accuracy; };
  for (const Named& code : codes) add_row(code.name, code.name, accuracy);
  add_row("index, in all channels", filled.name, accuracy);
  add_row("order-blind ceiling", filled.name, [](const LengthScore& at) { return *at.order_blind_ceiling; });
  add_row("best fixed answer", filled.name, [](const LengthScore& at) { return at.no_input_baseline; });
  std::cout << '\n' << table.to_text(false) << "One seed, but for the last column.\n";
}

// By position, the share of inputs of 24 tokens for which the answer there is what `wanted` says.
using Wanted = std::function<int(const Example&, std::size_t position)>;
std::vector<Sample> share_by_position(const Trained& model, const Wanted& wanted) {
  constexpr int examples = 1000;
  std::vector<int> counts(longer);
  for (const Example& example : model.run.task().test_set(longer, examples)) {
    const Tokens answer = answer_of(model.run.model(), model.parameters.data(), example.input);
    for (std::size_t position = 0; position < longer; ++position)
      counts[position] += answer[position] == wanted(example, position);
  }
  std::vector<Sample> shares;
  for (const int count : counts)
    shares.push_back({static_cast<double>(shares.size()), static_cast<double>(count) / examples});
  return shares;
}

void draw_positions(const Models& models) {
  const auto chart_of = [&](const std::string& task, const std::string& title) {
    LineChart chart;
    chart.title = title;
    chart.x_label = "position of the answer";
    chart.y_label = "share of right answers";
    chart.y_range = Range{0, 1};
    chart.vertical_line = {trained - 0.5, "trained up to 11"};
    chart.width = 430;
    chart.height = 330;
    for (const Named& code : codes) {
      Series series;
      series.name = code.name;
      series.style = series_style(chart.series.size());
      if (code.name == "one-hot")
        series.style->dashes = "2 4";  // so that the line of the index below it can be seen
      series.samples = share_by_position(
          models.at(code.name).at(task),
          [](const Example& example, std::size_t position) { return example.target[position]; });
      chart.series.push_back(series);
    }
    return chart;
  };
  const LineChart sort = chart_of("sort", "sort: the fraction is right nearly everywhere"),
                  previous = chart_of("previous", "previous: index and one-hot are right up to 11");
  save_figure(
      "trained_positions",
      panels("Given twice the trained length, only the fraction sorts; no code finds every previous token",
             {line_chart(sort), line_chart(previous)}, 1));
}

}  // namespace

void experiment() {
  Models models;
  std::vector<Named> all = codes;
  all.push_back(filled);
  for (const Named& code : all)
    for (const std::string& task : tasks) models[code.name].emplace(task, train_with(code.spec, task));
  draw_positions(models);
  Sorters sorters;
  for (const Named& code : codes) {
    sorters[code.name] = {models.at(code.name).at("sort").scores[1].score.token_accuracy};
    for (const int seed : {2, 3})
      sorters[code.name].push_back(
          train_and_test(settings_of(code.spec, "sort", seed))[1].score.token_accuracy);
  }

  const auto sorts = [&](const std::string& code, std::size_t length) {
    return models.at(code).at("sort").scores[length].score.token_accuracy;
  };
  const double fixed_answer = models.at(filled.name).at("sort").scores[1].no_input_baseline;
  const auto is_better = [&](const Named& code) {
    return std::ranges::min(sorters.at(code.name)) > fixed_answer;
  };
  reply(
      static_cast<double>(std::count_if(codes.begin(), codes.begin() + 4, is_better)),
      "Only the fraction. To sort, a model must know how far along a position is, and only the fraction says it at\n"
      "any length. The others learned what stands at place 6 of 12, and place 6 of 24 holds a smaller digit.");
  print_scores(models, sorters);
  for (const Named& code : codes)
    expect(str("sort with ", code.name, ", at the trained length,"), sorts(code.name, 0), 1, 0.1,
           "Does a gradient get through the code, and do two positions share one?");
  expect("sort with the index in all channels", sorts(filled.name, 0), 0.26, 0.05,
         "The layer norm should subtract it.");
}

}  // namespace locus
