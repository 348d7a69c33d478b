// Every op's way back against differences of its value. The examples are one table; every example is checked
// with its inputs in several roles, because a share of a gradient is written in one place and added in
// another.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "autograd/gradient_check.h"
#include "autograd/ops.h"
#include "base/error.h"
#include "base/hash.h"

#ifdef LOCUS_DOUBLE

using namespace locus;

namespace {

using Inputs = std::vector<Tensor>;

struct Example {
  const char* name;
  std::vector<Shape> shapes;  // of the inputs
  Tensor (*f)(const Inputs&);
};

// A table of angles that outlives every tape.
Rotation rotation(int pairs, int rows, bool interleaved) {
  static const Reals angles = random_values(64, 1);
  static const auto waves = [](Real (*wave)(Real)) {
    Reals values;
    for (const Real angle : angles) values.push_back(wave(angle));
    return values;
  };
  static const Reals cos = waves(std::cos), sin = waves(std::sin);
  return {pairs, rows, cos.data(), sin.data(), interleaved};
}

constexpr int rows_read[] = {2, 0, 2, 4, 2, 1};                                         // (2,3) or (6)
constexpr int columns_read[] = {0, 1, 1, 3, 0, 1, 4, 3, 0, 0, 1, 3, 4, 4, 0, 1, 2, 2};  // (3,3) or (2,3,3)
constexpr int targets[] = {1, 0, not_scored, 3, 3, 2};

std::span<const int> first(const int* ids, std::size_t count) { return {ids, count}; }

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"add: equal shapes", {{2, 3}, {2, 3}}, [](const Inputs& x) { return add(x[0], x[1]); }},
      {"add: a table for every example",
       {{2, 3, 5}, {3, 5}},
       [](const Inputs& x) { return add(x[0], x[1]); }},
      {"add: a bias", {{2, 3, 5}, {5}}, [](const Inputs& x) { return add(x[0], x[1]); }},
      {"add: one number", {{2, 3}, {}}, [](const Inputs& x) { return add(x[0], x[1]); }},
      {"add: to itself", {{2, 3}}, [](const Inputs& x) { return add(x[0], x[0]); }},
      {"multiply", {{2, 3}, {2, 3}}, [](const Inputs& x) { return multiply(x[0], x[1]); }},
      {"multiply: by itself", {{2, 3}}, [](const Inputs& x) { return multiply(x[0], x[0]); }},
      {"scale", {{2, 3}}, [](const Inputs& x) { return scale(x[0], Real(-1.5)); }},
      {"gelu", {{3, 7}}, [](const Inputs& x) { return gelu(x[0]); }},
      {"tanh", {{3, 7}}, [](const Inputs& x) { return tanh(x[0]); }},
      {"sigmoid", {{3, 7}}, [](const Inputs& x) { return sigmoid(x[0]); }},
      {"divide", {{2, 3}, {2, 3}}, [](const Inputs& x) { return divide(x[0], exp(x[1])); }},
      {"divide: by itself", {{2, 3}}, [](const Inputs& x) { return divide(x[0], add(x[0], exp(x[0]))); }},
      {"relu", {{3, 7}}, [](const Inputs& x) { return relu(x[0]); }},
      {"exp", {{3, 7}}, [](const Inputs& x) { return exp(x[0]); }},
      {"log1p", {{3, 7}}, [](const Inputs& x) { return log1p(multiply(x[0], x[0])); }},
      {"softplus", {{3, 7}}, [](const Inputs& x) { return softplus(x[0]); }},

      {"matmul: two matrices", {{3, 5}, {5, 2}}, [](const Inputs& x) { return matmul(x[0], x[1]); }},
      {"matmul: batch by batch",
       {{2, 2, 3, 5}, {2, 2, 5, 4}},
       [](const Inputs& x) { return matmul(x[0], x[1], Real(0.7)); }},
      {"matmul: one matrix for a batch",
       {{2, 3, 5}, {5, 4}},
       [](const Inputs& x) { return matmul(x[0], x[1]); }},
      {"matmul: some matrices for a larger batch",
       {{2, 3, 2, 4}, {3, 4, 5}},
       [](const Inputs& x) { return matmul(x[0], x[1], Real(0.7)); }},
      {"matmul: transposed, some matrices for a larger batch",
       {{2, 3, 2, 4}, {3, 5, 4}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[1]), Real(0.7)); }},
      {"matmul: transposed", {{3, 5}, {2, 5}}, [](const Inputs& x) { return matmul(x[0], transpose(x[1])); }},
      {"matmul: transposed, batch by batch",
       {{2, 2, 3, 5}, {2, 2, 4, 5}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[1]), Real(0.7)); }},
      {"matmul: transposed, one matrix for a batch",
       {{2, 3, 5}, {4, 5}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[1]), Real(-2)); }},
      {"matmul: a square", {{3, 3}}, [](const Inputs& x) { return matmul(x[0], x[0]); }},
      {"matmul: all pairs of rows",
       {{2, 3, 5}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[0])); }},
      {"linear: rows", {{3, 5}, {5, 2}, {2}}, [](const Inputs& x) { return linear(x[0], x[1], x[2]); }},
      {"linear: a batch", {{2, 3, 5}, {5, 4}, {4}}, [](const Inputs& x) { return linear(x[0], x[1], x[2]); }},
      {"feed_forward: rows",
       {{3, 5}, {5, 2}, {2}, {2, 4}, {4}},
       [](const Inputs& x) { return feed_forward(x[0], x[1], x[2], x[3], x[4]); }},
      {"feed_forward: a batch",
       {{2, 3, 5}, {5, 17}, {17}, {17, 5}, {5}},
       [](const Inputs& x) { return feed_forward(x[0], x[1], x[2], x[3], x[4]); }},

      {"softmax: one row", {{5}}, [](const Inputs& x) { return softmax(x[0]); }},
      {"softmax: a batch", {{2, 2, 3, 5}}, [](const Inputs& x) { return softmax(x[0]); }},
      {"softmax: causal", {{4, 4}}, [](const Inputs& x) { return softmax(x[0], Mask::causal); }},
      {"softmax: causal, a batch",
       {{2, 2, 3, 3}},
       [](const Inputs& x) { return softmax(x[0], Mask::causal); }},
      {"layer_norm: rows", {{3, 5}, {5}, {5}}, [](const Inputs& x) { return layer_norm(x[0], x[1], x[2]); }},
      {"layer_norm: a batch",
       {{2, 3, 17}, {17}, {17}},
       [](const Inputs& x) { return layer_norm(x[0], x[1], x[2]); }},

      {"gather_rows: (T)",
       {{5, 3}},
       [](const Inputs& x) { return gather_rows(x[0], first(rows_read, 6), {6}); }},
      {"gather_rows: (B,T)",
       {{5, 3}},
       [](const Inputs& x) {
         return gather_rows(x[0], first(rows_read, 6), {2, 3});
       }},
      {"gather_columns: (T,T)",
       {{2, 5}},
       [](const Inputs& x) {
         return gather_columns(x[0], first(columns_read, 9), {3, 3});
       }},
      {"gather_columns: (B,T,T)",
       {{2, 5}},
       [](const Inputs& x) {
         return gather_columns(x[0], first(columns_read, 18), {2, 3, 3});
       }},

      {"gather_columns: rows of one",
       {{2, 1, 5}},
       [](const Inputs& x) {
         return gather_columns(x[0], first(columns_read, 9), {3, 3});
       }},
      {"add_pairs: of queries",
       {{2, 2, 3, 3}, {2, 2, 3, 5}},
       [](const Inputs& x) {
         return add_pairs(x[0], x[1], first(columns_read, 9), {3, 3}, RowOf::query);
       }},
      {"add_pairs: of keys, own ids for each example",
       {{2, 2, 3, 3}, {2, 2, 3, 5}},
       [](const Inputs& x) {
         return add_pairs(x[0], x[1], first(columns_read, 18), {2, 3, 3}, RowOf::key);
       }},
      {"sum_pairs",
       {{2, 2, 3, 3}},
       [](const Inputs& x) {
         return sum_pairs(x[0], first(columns_read, 9), {3, 3}, 6);
       }},
      {"sum_pairs: own ids for each example",
       {{2, 2, 3, 3}},
       [](const Inputs& x) {
         return sum_pairs(x[0], first(columns_read, 18), {2, 3, 3}, 5);
       }},

      {"reverse_cumsum", {{2, 4, 4}}, [](const Inputs& x) { return reverse_cumsum(x[0]); }},
      {"interpolate",
       {{2, 3, 4}, {2, 3, 5}},
       [](const Inputs& x) { return interpolate(x[0], scale(x[1], Real(2.3))); }},
      {"interpolate: a table of one entry, and places that need no gradient",
       {{2, 3, 1}},
       [](const Inputs& x) {
         static const Reals places = random_values(6, 7);
         return interpolate(x[0], x[0].tape().constant({2, 3, 1}, places.data()));
       }},
      {"stick_breaking", {{2, 4, 4}}, [](const Inputs& x) { return stick_breaking(x[0], false); }},
      {"stick_breaking: the current token, too",
       {{2, 4, 4}},
       [](const Inputs& x) { return stick_breaking(x[0], true); }},
      {"unit_length", {{2, 3, 5}}, [](const Inputs& x) { return unit_length(x[0]); }},
      {"path_scores",
       {{2, 2, 4, 3}, {2, 2, 4, 3}, {2, 2, 4, 3}, {2, 2, 4, 1}},
       [](const Inputs& x) { return path_scores(x[0], x[1], x[2], x[3], Real(0.7)); }},

      {"split_heads", {{2, 3, 6}}, [](const Inputs& x) { return split_heads(x[0], 2); }},
      {"merge_heads", {{2, 2, 3, 4}}, [](const Inputs& x) { return merge_heads(x[0]); }},
      {"concat: equal rows", {{2, 3, 4}, {2, 3, 5}}, [](const Inputs& x) { return concat(x[0], x[1]); }},
      {"concat: a table for every example",
       {{2, 3, 4}, {3, 5}},
       [](const Inputs& x) { return concat(x[0], x[1]); }},
      {"concat: with itself", {{2, 3}}, [](const Inputs& x) { return concat(x[0], x[0]); }},
      {"mean_over_time", {{2, 3, 5}}, [](const Inputs& x) { return mean_over_time(x[0]); }},
      {"time_slice and stack_over_time: times change places",
       {{2, 3, 5}},
       [](const Inputs& x) {
         return stack_over_time(
             std::vector{time_slice(x[0], 2), time_slice(x[0], 0), time_slice(x[0], 1), time_slice(x[0], 2)});
       }},
      {"stack_over_time: slices of several tensors, one of them twice",
       {{2, 5}, {2, 5}},
       [](const Inputs& x) {
         return stack_over_time(std::vector{x[0], x[1], x[0]});
       }},

      {"rotate: interleaved",
       {{2, 2, 3, 6}},
       [](const Inputs& x) { return rotate(x[0], rotation(3, 3, true)); }},
      {"rotate: half", {{2, 2, 3, 6}}, [](const Inputs& x) { return rotate(x[0], rotation(3, 3, false)); }},
      {"rotate: own positions for each example",
       {{2, 2, 3, 6}},
       [](const Inputs& x) { return rotate(x[0], rotation(3, 6, false)); }},
      {"rotate: some channels pass",
       {{2, 2, 3, 7}},
       [](const Inputs& x) { return rotate(x[0], rotation(2, 3, true)); }},

      {"cross_entropy: some rows not scored",
       {{2, 3, 4}},
       [](const Inputs& x) { return cross_entropy(x[0], first(targets, 6), 5); }},
  };
  return all;
}

struct Prepared {
  std::vector<CheckedInput> inputs;
  Reals values;
};

Prepared prepare(const Example& example) {
  Prepared prepared;
  std::size_t offset = 0;
  for (const Shape& shape : example.shapes) {
    prepared.inputs.push_back({text("input ", prepared.inputs.size()), {shape, offset}});
    offset += shape.count();
  }
  prepared.values = random_values(offset, hash(example.name));
  return prepared;
}

// Fills the memory that the step will use with NaN, so that adding to what should be written shows.
void poison(Tape& tape) {
  if (!tape.records()) return;
  constexpr std::size_t count = 1 << 14;
  std::fill_n(tape.arena().allocate<Real>(count), count, std::numeric_limits<Real>::quiet_NaN());
  tape.reset();
}

Inputs parameters(Tape& tape, const Prepared& prepared) {
  Inputs x;
  for (const CheckedInput& input : prepared.inputs) x.push_back(tape.parameter(input.where));
  return x;
}

Inputs intermediates(Tape& tape, const Prepared& prepared) {
  Inputs x = parameters(tape, prepared);
  for (Tensor& tensor : x) tensor = scale(tensor, 1);
  return x;
}

}  // namespace

TEST_CASE("gradients: every op agrees with differences, straight from parameters") {
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    const Prepared prepared = prepare(example);
    const auto f = [&](Tape& tape) { return example.f(parameters(tape, prepared)); };
    CHECK(check_gradients(f, prepared.inputs, prepared.values, 1) == "");
  }
}

TEST_CASE("gradients: every op agrees with differences when it is the first to reach its inputs") {
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    const Prepared prepared = prepare(example);
    const auto f = [&](Tape& tape) {
      poison(tape);
      return example.f(intermediates(tape, prepared));
    };
    CHECK(check_gradients(f, prepared.inputs, prepared.values, 2) == "");
  }
}

TEST_CASE("gradients: every op agrees with differences when its inputs are used twice") {
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    const Prepared prepared = prepare(example);
    const auto f = [&](Tape& tape) {
      poison(tape);
      const Inputs x = intermediates(tape, prepared);
      const Tensor once = example.f(x);
      return add(once, scale(example.f(x), Real(-0.4)));
    };
    CHECK(check_gradients(f, prepared.inputs, prepared.values, 3) == "");
  }
}

// As split_heads() leaves them, whoever reads them. The second use finds them as the first has left them.
TEST_CASE("gradients: every op agrees with differences when its heads lie by token") {
  std::ptrdiff_t lying = 0;
  for (const Example& example : examples()) {
    CAPTURE(example.name);
    const Prepared prepared = prepare(example);
    for (const bool twice : {false, true}) {
      const auto f = [&](Tape& tape) {
        poison(tape);
        Inputs x = intermediates(tape, prepared);
        for (Tensor& tensor : x)
          if (tensor.shape().rank() == 4) tensor = split_heads(merge_heads(tensor), tensor.shape()[1]);
        lying += std::ranges::count_if(x, &Tensor::by_token);
        const Tensor once = example.f(x);
        return twice ? add(once, scale(example.f(x), Real(-0.4))) : once;
      };
      CHECK(check_gradients(f, prepared.inputs, prepared.values, 6) == "");
    }
  }
  CHECK(lying > 0);
}

TEST_CASE("gradients: every op agrees with differences, and spares inputs that need no gradient") {
  for (const Example& example : examples()) {
    const Prepared prepared = prepare(example);
    for (std::size_t fixed = 0; prepared.inputs.size() > 1 && fixed < prepared.inputs.size(); ++fixed) {
      CAPTURE(example.name);
      CAPTURE(fixed);
      Tensor constant;
      const auto f = [&](Tape& tape) {
        poison(tape);
        Inputs x = intermediates(tape, prepared);
        const Parameter& where = prepared.inputs[fixed].where;
        constant = x[fixed] = tape.constant(where.shape, prepared.values.data() + where.offset);
        return example.f(x);
      };
      auto others = prepared.inputs;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(fixed));
      CHECK(check_gradients(f, others, prepared.values, 4) == "");

      Reals gradients(prepared.values.size());
      Tape tape(prepared.values.data(), gradients.data());
      const Tensor result = f(tape);
      const auto cotangent = random_values(result.count(), 5);
      tape.backward(result, cotangent.data());
      CHECK_FALSE(constant.has_gradient());
    }
  }
}

TEST_CASE("gradients: the examples cover every op there is") {
  std::set<std::string> missing;
  for (const Op* op : Op::all()) missing.insert(op->name);
  for (const Example& example : examples()) {
    const Prepared prepared = prepare(example);
    Reals gradients(prepared.values.size());
    Tape tape(prepared.values.data(), gradients.data());
    example.f(parameters(tape, prepared));
    for (const Op* op : tape.ops()) missing.erase(op->name);
  }
  INFO("ops without an example: ", join({missing.begin(), missing.end()}, ", "));
  CHECK(missing.empty());
}

#endif
