// lessons/00_tour/whole.cpp says that it is the model of src/, number for number. Both get the same parameters
// and inputs here, and must give the same logits, loss and gradients.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "autograd/ops.h"
#include "base/text.h"
#include "model/model.h"

// A program of its own; last, because its names are short. It indexes vectors with int.
#define main main_of_whole
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wreturn-type"  // its main() has another name here
#include "lessons/00_tour/whole.cpp"            // NOLINT
#pragma GCC diagnostic pop
#undef main

namespace {

// A tensor of whole.cpp, and where it stands in a parameter of the framework, which holds all heads in one.
struct Piece {
  Tensor tensor;
  std::string name;
  int first_row = 0, first_column = 0;
};

std::vector<Piece> pieces_of(const Model& model) {
  std::vector<Piece> pieces{{model.embedding, "embedding"}};
  const auto add_linear = [&](const Linear& linear, const std::string& name, int first_column = 0) {
    pieces.push_back({linear.weight, name + ".weight", 0, first_column});
    pieces.push_back({linear.bias, name + ".bias", 0, first_column});
  };
  const auto add_norm = [&](const Norm& norm, const std::string& name) {
    pieces.push_back({norm.gain, name + ".gain"});
    pieces.push_back({norm.bias, name + ".bias"});
  };
  for (int l = 0; l < layers; ++l) {
    const std::string name = locus::str("layer", l, ".");
    const Layer& layer = model.stack[locus::as_size(l)];
    add_norm(layer.attention_norm, name + "attention_norm");
    for (int h = 0; h < heads; ++h) {
      const Head& head = layer.attention[locus::as_size(h)];
      const int first = h * D / heads;
      add_linear(head.query, name + "attention.query", first);
      add_linear(head.key, name + "attention.key", first);
      add_linear(head.value, name + "attention.value", first);
      pieces.push_back({head.output, name + "attention.output.weight", first, 0});
    }
    pieces.push_back({layer.attention_bias, name + "attention.output.bias"});
    add_norm(layer.feed_forward_norm, name + "feed_forward_norm");
    add_linear(layer.up, name + "feed_forward.up");
    add_linear(layer.down, name + "feed_forward.down");
  }
  add_norm(model.norm, "norm");
  add_linear(model.to_logits, "head");
  return pieces;
}

// Calls act(element of the piece, element of the framework's parameter vector).
template <class Act>
void each_element(const Piece& piece, const locus::ParameterTable& table, Act act) {
  const auto entry = std::ranges::find(table.entries(), piece.name, &locus::ParameterTable::Entry::name);
  REQUIRE_MESSAGE(entry != table.entries().end(), piece.name);
  const int columns = entry->where.shape.last();
  for (int i = 0; i < piece.tensor->rows; ++i)
    for (int j = 0; j < piece.tensor->columns; ++j)
      act(locus::as_size(i * piece.tensor->columns + j),
          entry->where.offset + locus::as_size((piece.first_row + i) * columns + piece.first_column + j));
}

// Not finite counts as infinite.
double difference(double a, double b) { return std::isfinite(a - b) ? std::abs(a - b) : INFINITY; }

}  // namespace

TEST_CASE("whole.cpp: logits, loss and all gradients are those of the framework's encoder") {
  for (const std::string scheme : {"sinusoidal", "none"}) {
    CAPTURE(scheme);
    const auto framework = locus::make_model(
        {.scheme = scheme, .layers = layers, .heads = heads, .d_model = D, .d_ff = 4 * D}, {.vocabulary = V});
    const locus::ParameterTable& table = framework->parameters();
    locus::Reals values = table.sample(1), gradients(values.size());
    const auto moves =
        locus::random_values(values.size(), 1, 0.3);  // norms, too, get gains and biases of their own
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += moves[i];

    generator.seed(1);
    parameters.clear();
    const Model model;
    if (scheme == "none") std::ranges::fill(model.positions->value, 0.0f);
    std::size_t count = 0;
    for (const Piece& piece : pieces_of(model))
      each_element(piece, table, [&](std::size_t mine, std::size_t its) {
        piece.tensor->value[mine] = static_cast<float>(values[its]);
        ++count;
      });
    CHECK(count == values.size());  // each number of the framework has its twin
    std::size_t trained = 0;
    for (const Tensor& parameter : parameters) trained += parameter->value.size();
    CHECK(trained == count);  // and there are no others

    const Tokens inputs = draw();
    std::vector<int> answers;
    for (int t = 0; t < B * T; ++t) answers.push_back(answer(inputs, t));
    locus::Tape framework_tape(values.data(), gradients.data());
    const locus::Tensor logits = framework->logits(
        framework_tape, {.tokens = inputs, .length = T, .positions = locus::count_up(framework_tape, T)});
    const locus::Tensor loss = locus::cross_entropy(logits, answers, B * T);
    framework_tape.backward(loss);

    const Tensor my_logits = model.logits(inputs);
    REQUIRE(my_logits->value.size() == logits.count());
    double of_logits = 0, of_gradients = 0, largest = 0;
    for (std::size_t i = 0; i < logits.count(); ++i)
      of_logits = std::max(of_logits, difference(my_logits->value[i], logits.value()[i]));
    tape.clear();
    CHECK(loss_and_right(model, inputs).first == doctest::Approx(*loss.value()).epsilon(1e-5));
    backward();
    for (const Piece& piece : pieces_of(model))
      each_element(piece, table, [&](std::size_t mine, std::size_t its) {
        const double off = difference(piece.tensor->gradient[mine], gradients[its]);
        if (off > 1e-4)
          FAIL_CHECK(piece.name, " ", mine, ": ", piece.tensor->gradient[mine], " ", gradients[its]);
        of_gradients = std::max(of_gradients, off);
        largest = std::max(largest, std::abs(static_cast<double>(gradients[its])));
      });
    CHECK(of_logits < 1e-4);
    CHECK(of_gradients < 1e-4);
    CHECK(largest > 0.01);  // there was something to compare
    MESSAGE(scheme, ": logits differ by ", of_logits, ", gradients by ", of_gradients, ", at most");
  }
}

TEST_CASE("whole.cpp: parameters begin as the framework's do") {
  generator.seed(1);
  parameters.clear();
  const Model model;
  const auto framework =
      locus::make_model({.layers = layers, .heads = heads, .d_model = D, .d_ff = 4 * D}, {.vocabulary = V});
  const locus::ParameterTable& table = framework->parameters();
  for (const Piece& piece : pieces_of(model)) {
    CAPTURE(piece.name);
    const auto entry = std::ranges::find(table.entries(), piece.name, &locus::ParameterTable::Entry::name);
    const auto [least, most] = std::ranges::minmax(piece.tensor->value);
    using Kind = locus::Initial::Kind;
    if (entry->initial.kind == Kind::constant) {
      CHECK(least == static_cast<float>(entry->initial.size));
      CHECK(most == least);
    } else if (entry->initial.kind == Kind::uniform) {
      const double size = entry->initial.size;
      CHECK(std::max(-least, most) <= size * 1.0001);
      CHECK(std::max(-least, most) > size * 0.6);
    } else {
      double squares = 0;
      for (const float x : piece.tensor->value) squares += x * x;
      const double deviation = std::sqrt(squares / static_cast<double>(piece.tensor->value.size()));
      CHECK(deviation == doctest::Approx(entry->initial.size).epsilon(0.15));
    }
  }
}
