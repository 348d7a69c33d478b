#include "nn/layers.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "autograd/gradient_check.h"
#include "autograd/ops.h"
#include "base/error.h"

using namespace locus;

namespace {

using Values = Reals;

std::vector<std::string> names(const ParameterTable& table) {
  std::vector<std::string> names;
  for (const auto& entry : table.entries()) names.push_back(str(entry.name, " ", entry.where.shape));
  return names;
}

}  // namespace

TEST_CASE("layers: each reserves the parameters it is known by") {
  ParameterTable table;
  const Linear linear(table, "linear", 3, 5);
  const Embedding embedding(table, "embedding", 7, 4);
  const LayerNorm norm(table, "norm", 4);
  const FeedForward feed_forward(table, "ff", 4, 6);
  CHECK(names(table) == std::vector<std::string>{"linear.weight (3,5)", "linear.bias (5)", "embedding (7,4)",
                                                 "norm.gain (4)", "norm.bias (4)", "ff.up.weight (4,6)",
                                                 "ff.up.bias (6)", "ff.down.weight (6,4)",
                                                 "ff.down.bias (4)"});
}

TEST_CASE("layers: a linear layer begins within 1/sqrt(inputs), a norm as plain normalisation") {
  ParameterTable table;
  const Linear linear(table, "linear", 16, 40);
  const LayerNorm norm(table, "norm", 2);
  const Values values = table.sample(1);
  Real largest = 0;
  for (std::size_t i = 0; i < 16 * 40 + 40; ++i) largest = std::max(largest, std::abs(values[i]));
  CHECK(largest <= Real(0.25));
  CHECK(largest > Real(0.24));

  Tape tape(values.data());
  const Tensor y = norm(tape.constant({1, 2}, Values{3, 5}.data()));
  CHECK(y.value()[0] == doctest::Approx(-1).epsilon(1e-5));
  CHECK(y.value()[1] == doctest::Approx(1).epsilon(1e-5));
}

TEST_CASE("layers: an embedding looks up one row per token, example after example") {
  ParameterTable table;
  const Embedding embedding(table, "embedding", 3, 2);
  const Values values = {1, 2, 3, 4, 5, 6};
  Tape tape(values.data());
  const Tensor y = embedding(tape, std::vector<int>{2, 0, 1, 1}, 2);
  CHECK(y.shape() == Shape{2, 2, 2});
  CHECK(Values(y.value(), y.value() + 8) == Values{5, 6, 1, 2, 3, 4, 3, 4});
  CHECK_THROWS_WITH_AS(embedding(tape, std::vector<int>{3, 0}, 2),
                       "[gather_rows] id 3 is outside the table, which has 3 entries", Error);
}

TEST_CASE("layers: a linear layer refuses another width") {
  ParameterTable table;
  const Linear linear(table, "linear", 3, 5);
  const Values values = table.sample(1);
  Tape tape(values.data());
  CHECK_THROWS_WITH_AS(linear(tape.constant({2, 4}, Values(8).data())),
                       "[linear] x is (2,4), weight is (3,5), bias is (5); weight must be (4,O) and bias (O)",
                       Error);
}

#ifdef LOCUS_DOUBLE

namespace {

// Gradients of all the layer's parameters, and of an input x (2,3,4) that is one more parameter.
template <class Layer>
std::string check_layer(ParameterTable& table, const Layer& layer) {
  const Parameter input = table.add("x", {2, 3, 4}, Initial::normal(1));
  std::vector<CheckedInput> inputs;
  for (const auto& entry : table.entries()) inputs.push_back({entry.name, entry.where});
  return check_gradients([&](Tape& tape) { return layer(tape.parameter(input)); }, inputs,
                         random_values(table.count(), 1), 1);
}

}  // namespace

TEST_CASE("layers: gradients of linear, norm and feed-forward agree with differences") {
  ParameterTable for_linear, for_norm, for_feed_forward;
  CHECK(check_layer(for_linear, Linear(for_linear, "linear", 4, 5)) == "");
  CHECK(check_layer(for_norm, LayerNorm(for_norm, "norm", 4)) == "");
  CHECK(check_layer(for_feed_forward, FeedForward(for_feed_forward, "ff", 4, 6)) == "");
}

TEST_CASE("layers: gradients of an embedding agree with differences") {
  ParameterTable table;
  const Embedding embedding(table, "embedding", 5, 3);
  const std::vector<int> tokens = {1, 4, 1, 0, 1, 2};
  CHECK(check_gradients([&](Tape& tape) { return embedding(tape, tokens, 3); },
                        {{"embedding", table.entries()[0].where}}, random_values(15, 1), 1) == "");
}

#endif
