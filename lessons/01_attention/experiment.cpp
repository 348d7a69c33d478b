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
  Reals parameters = table.sample(4);
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
  map.no_value = "";  // the colour bar is beside a map without a mask; so all maps are of one size
  map.row_axis = map.column_axis = axis;
  map.row_axis.label = "query";
  map.column_axis.label = "key";
  map.value_label = "weight";
  map.range = Range{0, 1};
  map.square_cells = true;
  map.width = 350;
  return map;
}

// Attention for "dog", with two numbers in each vector, worked out by the learner's attend().
Figure three_words() {
  const std::vector<double> query = {2, 1};
  const Rows keys = {{0, 1}, {1, 1}, {1, 0}}, values = {{1, 0}, {0, 1}, {1, 1}};
  const Rows units = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const std::vector<double> weights = attend(query, keys, units), output = attend(query, keys, values);

  constexpr double row = 58, cell = 34, height = 28, width = 560;
  constexpr double x_query = 16, x_key = 156, x_score = 240, x_weight = 292, x_value = 366, x_output = 480;
  const std::string ink[] = {series_colour(0), series_colour(1), series_colour(2)};
  Drawing drawing;
  const std::string title =
      "\"bites\" has the largest score for the query of \"dog\", and gets more than half of the weight";
  const double top = drawing.heading(title, title_size, padding, 10, width - 2 * padding) + 34;
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
  const auto note = [&](double x, double y, const char* line, Anchor anchor = Anchor::start) {
    drawing.text({x, y}, line, {anchor, pale_ink, 12});
  };
  const double names = top - 14, middle = top + row + height / 2;
  note(x_query, names, "query of dog");
  note(x_key, names, "keys");
  note(x_score, names, "scores");
  note(x_weight, names, "weights");
  note(x_value, names, "values");
  note(x_output + 2 * cell, names, "output of dog", Anchor::end);
  vector(x_query, top + row, query, ink[0], 0);
  for (std::size_t word = 0; word < words.size(); ++word) {
    const double y = top + row * static_cast<double>(word), at = y + height / 2;
    drawing.text({x_key - 8, y + 19}, words[word], {Anchor::end, dark_ink, 13, true});
    vector(x_key, y, keys[word], ink[1], 0);
    const double score = (query[0] * keys[word][0] + query[1] * keys[word][1]) / std::sqrt(2.0);
    drawing.text({x_score, y + 19}, fixed(score, 2), {Anchor::start, dark_ink, 13});
    drawing.text({x_weight, y + 19}, fixed(weights[word], 2), {Anchor::start, dark_ink, 13});
    drawing.rectangle({x_weight, y + height}, 56 * weights[word], 6, series_colour(3));
    drawing.text({x_value - 12, y + 19}, "·", {Anchor::middle, dark_ink, 15, true});
    vector(x_value, y, values[word], ink[2], 0);
    arrow({x_query + 2 * cell, middle}, {x_key - 46, at});
    arrow({x_key + 2 * cell + 2, at}, {x_score - 4, at});
    arrow({x_score + 32, at}, {x_weight - 4, at});
    arrow({x_value + 2 * cell + 2, at}, {x_output - 2, middle});
  }
  vector(x_output, top + row, output, ink[2], 2);
  const double notes = top + 3 * row + 2;
  note(x_weight - 10, notes, "query·key / √2", Anchor::end);
  note(x_weight, notes, "softmax");
  note(x_output + 2 * cell, notes, "sum of weight · value", Anchor::end);
  return {title, width, notes + 16, drawing.take()};
}

// How much the outputs of each word change when the two nouns are exchanged.
void print_turned() {
  const std::vector<int> sentence = {0, 1, 2}, turned = {2, 1, 0};
  TextTable table({{"word"}, {"without a mask", Align::right}, {"with a causal mask", Align::right}});
  const auto change = [&](std::size_t word, bool causal) {
    const Array a = read(sentence, causal).outputs, b = read(turned, causal).outputs;
    double moved = 0, length = 0;  // squared
    for (int c = 0; c < D; ++c) {
      const double x = a.values[word * as_size(D) + as_size(c)],
                   y = b.values[(words.size() - 1 - word) * as_size(D) + as_size(c)];
      moved += (x - y) * (x - y);
      length += x * x;
    }
    return fixed(std::sqrt(moved / length), 2);
  };
  for (std::size_t word = 0; word < words.size(); ++word)
    table.add_row({words[word], change(word, false), change(word, true)});
  std::cout
      << "From \"dog bites man\" to \"man bites dog\": how far each word's output moves, as a share of its length\n\n"
      << table.to_text(false) << '\n';
}

}  // namespace

void experiment() {
  save_figure("three_words", three_words());
  save_figure(
      "maps",
      heat_maps("Nouns exchanged: each weight moves with its two words. With a causal mask, weights change",
                {map({0, 1, 2}, false), map({2, 1, 0}, false), map({0, 1, 2}, true), map({2, 1, 0}, true)},
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
  reply(
      right_without,
      "Each sentence is in the dataset a second time with its nouns exchanged, and the answers differ. A model\n"
      "that sees no order gives both the same answer, so at most one of two is right: the order-blind ceiling.");
  std::cout << '\n' << table.to_text(false) << '\n';
  print_turned();
  expect("who_chased_whom without positions", right_without, 0.5, 0.02,
         "Nothing can be above the ceiling: does something in your lines depend on the position of a token?");
  expect("who_chased_whom with sinusoids", right_with, 1, 0.02,
         "Does a gradient get through each of your lines?");
}

}  // namespace locus
