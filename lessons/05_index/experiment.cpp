// Chapter 5: what the four codes look like, what they promise, and which of them a model still reads in
// inputs twice as long as those it was trained on.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>

#include "base/error.h"
#include "lessons/05_index/properties.h"
#include "report/format.h"
#include "report/heat_map.h"
#include "report/line_chart.h"
#include "report/table.h"

namespace locus {

namespace {

constexpr int trained = 12, longer = 24, test_examples = 1000;

struct Named {
  std::string name, spec;
};
const std::vector<Named> codes = {{"index", "index"},
                                  {"fraction", "fraction"},
                                  {"one-hot", text("onehot:capacity=", longer)},
                                  {"binary", text("binary:capacity=", longer)}};

void print_properties() {
  TextTable table({{"code"},
                   {"tokens", Align::right},
                   {"numbers", Align::right},
                   {"largest", Align::right},
                   {"closest two", Align::right},
                   {"stays when longer"},
                   {"nearer is closer"}});
  for (const Named& code : codes)
    for (const int length : {trained, longer}) {
      const Properties found = properties_of(code.spec, length);
      table.add_row({length == trained ? code.name : "", text(length), short_number(found.numbers),
                     short_number(found.largest), short_number(found.closest),
                     found.same_when_longer ? "yes" : "no", found.nearer_is_closer ? "yes" : "no"});
    }
  std::cout << "What the codes promise\n\n" << table.to_text(false) << '\n';
}

// The dot product of the codes of any two of 16 places.
Figure products(const std::string& title, const std::string& spec) {
  constexpr int places = 16;
  const std::vector<Code> all = codes_of(spec, places, places);
  HeatMap map;
  map.title = title;
  map.rows = map.columns = places;
  for (const Code& query : all)
    for (const Code& key : all) map.values.push_back(dot(query, key));
  map.row_axis.label = "position of the query";
  map.column_axis.label = "position of the key";
  map.value_label = "dot product";
  map.square_cells = true;
  map.width = 400;
  return heat_map(map);
}

void draw_products() {
  save_figure("products", panels("What a query finds where: dot products of the codes of 16 places",
                                 {products("index: the last key wins", "index"),
                                  products("fraction: the same, made small", "fraction"),
                                  products("one-hot: neighbours are strangers", "onehot:capacity=16"),
                                  products("binary: 7 and 8 share nothing", "binary:capacity=16")},
                                 2));
}

// What a model with these codes learns on inputs of 12 tokens, tested there and on 24.
struct Trained {
  Run run;
  std::vector<Real> parameters;
  std::vector<LengthScore> scores;
};
Trained train_with(const std::string& spec, const std::string& task) {
  RunSettings settings;
  settings.task = task;
  settings.model.scheme = spec;
  settings.test_lengths = {trained, longer};
  settings.test_examples = test_examples;
  Run run(complete(settings));
  std::vector<Real> parameters = train(run);
  Pool pool(hardware_threads());
  std::vector<LengthScore> scores = run.test(parameters.data(), pool);
  return {std::move(run), std::move(parameters), std::move(scores)};
}

// By place, the share of inputs of 24 tokens for which the answer there is the right one.
using RightAnswer = std::function<int(const Example&, std::size_t place)>;
std::vector<Sample> right_by_place(const Trained& model, const RightAnswer& right) {
  std::vector<int> counts(longer);
  for (const Example& example : model.run.task().test_set(longer, test_examples)) {
    const Tokens answer = answer_of(model.run.model(), model.parameters.data(), example.input);
    for (std::size_t place = 0; place < longer; ++place)
      counts[place] += answer[place] == right(example, place);
  }
  std::vector<Sample> places;
  for (const int count : counts)
    places.push_back({static_cast<double>(places.size()), static_cast<double>(count) / test_examples});
  return places;
}

// Of the answers from place 2 on, the share that is the token so many places back.
double share_back(const Trained& model, std::size_t back) {
  const std::vector<Sample> places = right_by_place(model, [&](const Example& example, std::size_t place) {
    return example.input[place - std::min(back, place)];
  });
  double sum = 0;
  for (std::size_t place = 2; place < longer; ++place) sum += places[place].y;
  return sum / (longer - 2);
}

LineChart chart_of(const std::string& title) {
  LineChart chart;
  chart.title = title;
  chart.x_label = "position of the answer";
  chart.y_label = "share right";
  chart.y_range = Range{0, 1};
  chart.vertical_lines = {{trained - 0.5, "longest trained"}};
  chart.labels = LineChart::Labels::none;
  chart.width = 430;
  chart.height = 330;
  return chart;
}

void train_and_compare() {
  const std::vector<std::string> tasks = {"before", "sort", "previous"};
  std::map<std::string, LineChart> charts = {{"sort", chart_of("sort: the fraction reads on")},
                                             {"previous", chart_of("previous: none reads on")}};
  std::vector<TableColumn> columns = {{"right at 12 / at 24"}};
  for (const std::string& task : tasks) columns.push_back({task, Align::right});
  TextTable table(columns);
  const auto both = [](double a, double b) { return fixed(a, 2) + " / " + fixed(b, 2); };
  const auto score_of = [&](const Trained& model) {
    return both(model.scores[0].score.token_accuracy, model.scores[1].score.token_accuracy);
  };

  std::string where_it_looks;
  for (const Named& code : codes) {
    std::vector<TableCell> cells = {code.name};
    for (const std::string& task : tasks) {
      const Trained model = train_with(code.spec, task);
      cells.push_back(score_of(model));
      if (charts.contains(task))
        charts[task].series.push_back(
            {code.name, right_by_place(model, [](const Example& example, std::size_t place) {
               return example.target[place];
             })});
      if (code.name == "fraction" && task == "previous")
        where_it_looks =
            text("Asked for the previous token of 24, the model with the fraction names the token one back ",
                 fixed(share_back(model, 1), 2), ",\nand the one two back ", fixed(share_back(model, 2), 2),
                 " of the time.\n");
    }
    table.add_row(cells);
  }
  std::vector<TableCell> filled = {"index, in all channels"}, ceiling = {"order-blind ceiling"};
  for (const std::string& task : tasks) {
    const Trained model = train_with("index:join=fill", task);
    filled.push_back(score_of(model));
    ceiling.push_back(both(*model.scores[0].order_blind_ceiling, *model.scores[1].order_blind_ceiling));
  }
  table.add_row(filled);
  table.add_row(ceiling);
  std::cout << table.to_text(false) << '\n' << where_it_looks;
  save_figure("trained_places", panels("Trained on 12 tokens, given 24: share of answers right, by place",
                                       {line_chart(charts["sort"]), line_chart(charts["previous"]),
                                        line_chart_key(charts["sort"], 430)},
                                       2));
}

}  // namespace

void experiment() {
  const std::string guess = predict(
      "Four models learn to sort 12 digits; each is told the positions in another code: index, fraction,\n"
      "one-hot or binary. All four do it. Then they get 24 digits. Which of them still sorts?");
  print_properties();
  draw_products();
  train_and_compare();
  std::cout << guessed(guess);
}

}  // namespace locus
