// Chapter 1: three words in two orders through an untrained layer, then a trained model that has no
// positions.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/error.h"
#include "lessons/tools/compare.h"
#include "model/attention.h"
#include "model/model.h"
#include "positional/support/registry.h"
#include "report/charts.h"
#include "report/format.h"
#include "report/terminal.h"

namespace locus {

namespace {

const std::vector<std::string> words = {"dog", "bites", "man"};
constexpr int D = 16;

// What one untrained layer makes of a sentence: the weights of its one head, and a row of outputs for each
// word.
struct Reading {
  Array weights, outputs;
};
Reading read(const std::vector<int>& sentence, bool causal) {
  ParameterTable table;
  const Embedding embedding(table, "embedding", static_cast<int>(words.size()), D);
  const Attention attention(table, "attention", {.d_model = D, .heads = 1, .causal = causal}, 0);
  Reals parameters = table.draw(4);
  for (Real& value : parameters) value *= 2;  // for contrast: a new layer mixes all words nearly alike
  Tape tape(parameters.data());
  const auto none = make_scheme("none", {.d_model = D, .heads = 1, .causal = causal}, table);
  std::vector<Tensor> weights;
  const int T = static_cast<int>(sentence.size());
  const Tensor y =
      attention(embedding(tape, sentence, T), *none,
                {.tokens = sentence, .length = T, .positions = count_up(tape, T), .attention = &weights});
  return {copy(weights.front()), copy(y)};
}

HeatMap map(const std::vector<int>& sentence, bool causal) {
  HeatMapAxis axis;
  std::string title;
  for (const int word : sentence) {
    axis.names.push_back(words[static_cast<std::size_t>(word)]);
    title += (title.empty() ? "" : " ") + axis.names.back();
  }
  HeatMap map;
  map.title = title + (causal ? ", causal mask" : "");
  map.rows = map.columns = words.size();
  map.values = read(sentence, causal).weights.values;
  for (std::size_t i = 0; causal && i < map.values.size(); ++i)
    if (i % map.columns > i / map.columns) map.values[i] = NAN;
  map.no_value = "masked";
  map.row_axis = map.column_axis = axis;
  map.row_axis.label = "query";
  map.column_axis.label = "key";
  map.value_label = "weight";
  map.range = Range{0, 1};
  map.square_cells = true;
  map.width = 320;
  return map;
}

// How far each word's output moves when the sentence is turned round, beyond moving along with the word.
void print_turned() {
  const std::vector<int> sentence = {0, 1, 2}, turned = {2, 1, 0};
  TextTable table({{"word"}, {"without a mask", Align::right}, {"with a causal mask", Align::right}});
  const auto change = [&](std::size_t word, bool causal) {
    const Array a = read(sentence, causal).outputs, b = read(turned, causal).outputs;
    const auto row = [&](const Array& y, std::size_t t) {
      const auto start = y.values.begin() + static_cast<std::ptrdiff_t>(t * D);
      return std::vector<double>(start, start + D);
    };
    return fixed(largest_difference(row(a, word), row(b, words.size() - 1 - word)), 3);
  };
  for (std::size_t word = 0; word < words.size(); ++word)
    table.add_row({words[word], change(word, false), change(word, true)});
  std::cout << "\"dog bites man\" turned to \"man bites dog\": change of each word's output\n\n"
            << table.to_text(false) << '\n';
}

}  // namespace

void experiment() {
  print_turned();
  save_figure("maps", heat_maps("The same numbers, moved: unless a mask counts the words",
                                {map({0, 1, 2}, false), map({2, 1, 0}, false), map({0, 1, 2}, true),
                                 map({2, 1, 0}, true)},
                                2));

  TextTable table({{"who chased whom"}, {"right", Align::right}, {"order-blind ceiling", Align::right}});
  double right_without = 0, right_with = 0;
  for (const char* scheme : {"none", "sinusoidal"}) {
    RunSettings settings;
    settings.dataset = "datasets/who_chased_whom.tsv";
    settings.model.scheme = scheme;
    const LengthScore score = train_and_test(settings).front();
    (scheme == std::string("none") ? right_without : right_with) = score.score.token_accuracy;
    table.add_row({scheme, fixed(score.score.token_accuracy, 2), fixed(*score.order_blind_ceiling, 2)});
  }
  std::cout << table.to_text(false);
  reply(
      right_without,
      "Each sentence stands in the table both ways round, with both answers. Without order the two are one\n"
      "input, so that no model can do better than toss a coin: that is what the order-blind ceiling counts.");
  expect("who_chased_whom without positions", right_without, 0.5, 0.02,
         "Nothing can be above the ceiling: does something in your lines look at where a token stands?");
  expect("who_chased_whom with sinusoids", right_with, 1, 0.02,
         "Does a gradient get through each of your lines?");
}

}  // namespace locus
