// Chapter 1: three words in two orders through an untrained layer, then a trained model that has no
// positions.
#include "lessons/tools/experiment.h"

#include <algorithm>
#include <cmath>
#include <iostream>

#include "base/error.h"
#include "draw/charts.h"
#include "io/format.h"
#include "io/terminal.h"
#include "lessons/01_attention/contract.h"
#include "lessons/tools/compare.h"
#include "model/attention.h"
#include "model/model.h"
#include "positional/support/spec.h"

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

// Attention for "dog", with two numbers in each vector, worked out by the learner's attend().
Figure three_words() {
  const std::vector<double> query = {2, 1};
  const Rows keys = {{0, 1}, {1, 1}, {1, 0}}, values = {{1, 0}, {0, 1}, {1, 1}};
  const Rows units = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<double> weights = attend(query, keys, units), output = attend(query, keys, values);

  constexpr double left = 20, top = 62, row = 62, cell = 38, height = 28;
  const std::string ink[] = {series_colour(0), series_colour(1), series_colour(2)};
  Drawing drawing;
  const auto vector = [&](double x, double y, const std::vector<double>& numbers, const std::string& colour,
                          int digits) {
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      const double corner = x + cell * static_cast<double>(c);
      drawing.polyline(
          {{corner, y}, {corner + cell, y}, {corner + cell, y + height}, {corner, y + height}, {corner, y}},
          {colour, 1.6, "", 1});
      drawing.text({corner + cell / 2, y + 19}, fixed(numbers[c], digits), {Anchor::middle, dark_ink, 13});
    }
  };
  const auto arrow = [&](Point from, Point to) { drawing.line(from, to, {guide_ink, 1.2, "", 1}); };
  const double x_query = left + 60, x_key = 230, x_score = 350, x_weight = 450, x_value = 560, x_output = 700;
  const auto head = [&](double x, const char* name) {
    drawing.text({x, top - 14}, name, {Anchor::start, pale_ink, 12});
  };
  head(x_query, "query of dog");
  head(x_key, "key");
  head(x_score, "score");
  head(x_weight, "weight");
  head(x_value, "value");
  head(x_output, "output of dog");
  vector(x_query, top + row, query, ink[0], 0);
  const double middle = top + row + height / 2;
  for (std::size_t word = 0; word < words.size(); ++word) {
    const double y = top + row * static_cast<double>(word), at = y + height / 2;
    drawing.text({x_key - 10, y + 19}, words[word], {Anchor::end, dark_ink, 13, true});
    vector(x_key, y, keys[word], ink[1], 0);
    const double score = (query[0] * keys[word][0] + query[1] * keys[word][1]) / std::sqrt(2.0);
    drawing.text({x_score, y + 19}, fixed(score, 2), {Anchor::start, dark_ink, 13});
    drawing.rectangle({x_weight, y + 4}, 60 * weights[word], height - 8, reference_ink);
    drawing.text({x_weight, y + 19}, fixed(weights[word], 2), {Anchor::start, dark_ink, 13});
    vector(x_value, y, values[word], ink[2], 0);
    arrow({x_query + 2 * cell, middle}, {x_key - 48, at});
    arrow({x_key + 2 * cell + 4, at}, {x_score - 6, at});
    arrow({x_score + 36, at}, {x_weight - 6, at});
    arrow({x_weight + 64, at}, {x_value - 4, at});
    arrow({x_value + 2 * cell + 4, at}, {x_output - 4, middle});
  }
  vector(x_output, top + row, output, ink[2], 2);
  const double notes = top + 3 * row + 6;
  drawing.text({x_score, notes}, "query·key / √2", {Anchor::start, pale_ink, 12});
  drawing.text({x_weight, notes}, "softmax", {Anchor::start, pale_ink, 12});
  drawing.text({x_output, notes}, "sum of weight · value", {Anchor::start, pale_ink, 12});
  const std::string title = "Attention for one word: no number in it says where a word stands";
  drawing.heading(title, title_size, padding, 10, 800);
  return {title, 840, notes + 20, drawing.take()};
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
  save_figure("three_words", three_words());
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
