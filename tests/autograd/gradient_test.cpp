// Every op's backward against differences of its value. The examples are one table; every example is checked
// with its inputs in several roles: parameters, results of other ops, used twice, constants.
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
#include "base/random.h"
#include "positional/support/contextual.h"

#ifdef LOCUS_DOUBLE

using namespace locus;

namespace {

using Inputs = std::vector<Tensor>;

struct Example {
  const char* name;
  std::vector<Shape> shapes;  // of the inputs
  Tensor (*f)(const Inputs&);
};

// x turned by angles that are constants of shape `angles`.
Tensor turned(Tensor x, Shape angles, PairLayout layout) {
  Reals cos, sin;
  for (const Real angle : random_values(angles.count(), 1)) {
    cos.push_back(std::cos(angle));
    sin.push_back(std::sin(angle));
  }
  return rotate(x, x.tape().constant(angles, cos.data()), x.tape().constant(angles, sin.data()), layout);
}

constexpr int rows_read[] = {2, 0, 2, 4, 2, 1};                                         // (2,3) or (6)
constexpr int columns_read[] = {0, 1, 1, 3, 0, 1, 4, 3, 0, 0, 1, 3, 4, 4, 0, 1, 2, 2};  // (3,3) or (2,3,3)
constexpr int targets[] = {1, 0, not_scored, 3, 3, 2};

std::span<const int> first(const int* ids, std::size_t count) { return {ids, count}; }

const std::vector<Example>& examples() {
  static const std::vector<Example> all = {
      {"add: equal shapes", {{2, 3}, {2, 3}}, [](const Inputs& x) { return x[0] + x[1]; }},
      {"add: a table for every example", {{2, 3, 5}, {3, 5}}, [](const Inputs& x) { return x[0] + x[1]; }},
      {"add: a bias", {{2, 3, 5}, {5}}, [](const Inputs& x) { return x[0] + x[1]; }},
      {"add: one number", {{2, 3}, {}}, [](const Inputs& x) { return x[0] + x[1]; }},
      {"add: to itself", {{2, 3}}, [](const Inputs& x) { return x[0] + x[0]; }},
      {"add: both repeated", {{2, 1, 3, 1}, {4, 1, 5}}, [](const Inputs& x) { return x[0] + x[1]; }},
      {"subtract", {{2, 3}, {2, 3}}, [](const Inputs& x) { return x[0] - x[1]; }},
      {"subtract: a row from columns",
       {{2, 2, 3, 1}, {2, 2, 1, 3}},
       [](const Inputs& x) { return x[0] - x[1]; }},
      {"multiply", {{2, 3}, {2, 3}}, [](const Inputs& x) { return x[0] * x[1]; }},
      {"multiply: by itself", {{2, 3}}, [](const Inputs& x) { return x[0] * x[0]; }},
      {"multiply: a column by a row", {{4, 1}, {3}}, [](const Inputs& x) { return x[0] * x[1]; }},
      {"multiply: the middle axis repeated",
       {{2, 3, 4}, {2, 1, 4}},
       [](const Inputs& x) { return x[0] * x[1]; }},
      {"divide", {{2, 3}, {2, 3}}, [](const Inputs& x) { return x[0] / exp(x[1]); }},
      {"divide: by itself", {{2, 3}}, [](const Inputs& x) { return x[0] / (x[0] + exp(x[0])); }},
      {"divide: a number for each row",
       {{2, 3, 4}, {2, 3, 1}},
       [](const Inputs& x) { return x[0] / exp(x[1]); }},
      {"numbers: 2 - x / 4 + 1", {{2, 3}}, [](const Inputs& x) { return 2 - x[0] / 4 + 1; }},
      {"numbers: -1.5 x - 7", {{2, 3}}, [](const Inputs& x) { return -(1.5 * x[0]) - 7; }},
      {"gelu", {{3, 7}}, [](const Inputs& x) { return gelu(x[0]); }},
      {"tanh", {{3, 7}}, [](const Inputs& x) { return tanh(x[0]); }},
      {"sigmoid", {{3, 7}}, [](const Inputs& x) { return sigmoid(x[0]); }},
      {"relu", {{3, 7}}, [](const Inputs& x) { return relu(x[0]); }},
      {"clamp", {{3, 7}}, [](const Inputs& x) { return clamp(x[0], -0.5, 0.7); }},
      {"cosine", {{3, 7}}, [](const Inputs& x) { return cosine(x[0]); }},
      {"sine_over_root: a time for each row",
       {{2, 1, 3}, {4, 1}},
       [](const Inputs& x) { return sine_over_root(x[0] * x[0], 3 * x[1]); }},
      {"sine_over_root: small angles, by its series",
       {{2, 3}, {2, 3}},
       [](const Inputs& x) { return 1e4 * sine_over_root(1e-3 * (x[0] * x[0]), x[1]); }},
      {"exp", {{3, 7}}, [](const Inputs& x) { return exp(x[0]); }},
      {"log1p", {{3, 7}}, [](const Inputs& x) { return log1p(x[0] * x[0]); }},
      {"softplus", {{3, 7}}, [](const Inputs& x) { return softplus(x[0]); }},

      {"matmul: two matrices", {{3, 5}, {5, 2}}, [](const Inputs& x) { return matmul(x[0], x[1]); }},
      {"matmul: batch by batch",
       {{2, 2, 3, 5}, {2, 2, 5, 4}},
       [](const Inputs& x) { return matmul(x[0], x[1], 0.7); }},
      {"matmul: one matrix for a batch",
       {{2, 3, 5}, {5, 4}},
       [](const Inputs& x) { return matmul(x[0], x[1]); }},
      {"matmul: some matrices for a larger batch",
       {{2, 3, 2, 4}, {3, 4, 5}},
       [](const Inputs& x) { return matmul(x[0], x[1], 0.7); }},
      {"matmul: transposed, some matrices for a larger batch",
       {{2, 3, 2, 4}, {3, 5, 4}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[1]), 0.7); }},
      {"matmul: transposed", {{3, 5}, {2, 5}}, [](const Inputs& x) { return matmul(x[0], transpose(x[1])); }},
      {"matmul: transposed, batch by batch",
       {{2, 2, 3, 5}, {2, 2, 4, 5}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[1]), 0.7); }},
      {"matmul: transposed, one matrix for a batch",
       {{2, 3, 5}, {4, 5}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[1]), -2); }},
      {"matmul: a square", {{3, 3}}, [](const Inputs& x) { return matmul(x[0], x[0]); }},
      {"matmul: all pairs of rows",
       {{2, 3, 5}},
       [](const Inputs& x) { return matmul(x[0], transpose(x[0])); }},
      {"linear: rows", {{3, 5}, {5, 2}, {2}}, [](const Inputs& x) { return linear(x[0], x[1], x[2]); }},
      {"linear: a batch", {{2, 3, 5}, {5, 4}, {4}}, [](const Inputs& x) { return linear(x[0], x[1], x[2]); }},

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
      {"gather_pairs: of queries",
       {{2, 2, 3, 5}},
       [](const Inputs& x) {
         return gather_pairs(x[0], first(columns_read, 9), {3, 3}, RowOf::query);
       }},
      {"gather_pairs: of keys, own ids for each example",
       {{2, 2, 3, 5}},
       [](const Inputs& x) {
         return gather_pairs(x[0], first(columns_read, 18), {2, 3, 3}, RowOf::key);
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
      {"interpolate", {{2, 3, 4}, {2, 3, 5}}, [](const Inputs& x) { return interpolate(x[0], 2.3 * x[1]); }},
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
      {"stick_breaking: the remainder kept",
       {{2, 4, 4}},
       [](const Inputs& x) { return stick_breaking(x[0], false, true); }},
      {"stick_breaking: the current token, and the remainder kept",
       {{2, 4, 4}},
       [](const Inputs& x) { return stick_breaking(x[0], true, true); }},
      {"unit_length", {{2, 3, 5}}, [](const Inputs& x) { return unit_length(x[0]); }},
      {"path_scores",
       {{2, 2, 4, 3}, {2, 2, 4, 3}, {2, 2, 4, 3}, {2, 2, 4, 1}},
       [](const Inputs& x) { return path_scores(x[0], x[1], x[2], x[3]); }},

      {"gated_delta_rule",
       {{2, 2, 4, 3}, {2, 2, 4, 3}, {2, 2, 4, 3}, {2, 4, 2}, {2, 4, 2}},
       [](const Inputs& x) { return gated_delta_rule(x[0], x[1], x[2], x[3], x[4]); }},

      {"split_heads", {{2, 3, 6}}, [](const Inputs& x) { return split_heads(x[0], 2); }},
      {"merge_heads", {{2, 2, 3, 4}}, [](const Inputs& x) { return merge_heads(x[0]); }},
      {"concat: equal rows", {{2, 3, 4}, {2, 3, 5}}, [](const Inputs& x) { return concat(x[0], x[1]); }},
      {"concat: a table for every example",
       {{2, 3, 4}, {3, 5}},
       [](const Inputs& x) { return concat(x[0], x[1]); }},
      {"concat: head by head",
       {{2, 2, 3, 4}, {2, 2, 3, 5}},
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

      {"as_row", {{2, 2, 3, 1}}, [](const Inputs& x) { return as_row(x[0]); }},
      {"cumsum_over_time", {{2, 4, 3}}, [](const Inputs& x) { return cumsum_over_time(x[0]); }},

      {"rotate: interleaved",
       {{2, 2, 3, 6}},
       [](const Inputs& x) {
         return turned(x[0], {3, 3}, PairLayout::interleaved);
       }},
      {"rotate: half",
       {{2, 2, 3, 6}},
       [](const Inputs& x) {
         return turned(x[0], {3, 3}, PairLayout::half);
       }},
      {"rotate: own positions for each example",
       {{2, 2, 3, 6}},
       [](const Inputs& x) { return turned(x[0], {2, 3, 3}, PairLayout::half); }},
      {"rotate: some channels pass",
       {{2, 2, 3, 7}},
       [](const Inputs& x) { return turned(x[0], {3, 2}, PairLayout::interleaved); }},

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
    prepared.inputs.push_back({str("input ", prepared.inputs.size()), {shape, offset}});
    offset += shape.count();
  }
  prepared.values = random_values(offset, hash(example.name));
  return prepared;
}

// Fills the memory that the step will use with NaN, so that adding to memory that was never set to zero
// shows.
void poison(Tape& tape) {
  if (!tape.is_recording()) return;
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
  for (Tensor& tensor : x) tensor = tensor * 1;
  return x;
}

}  // namespace

TEST_CASE("gradients: every op agrees with differences, straight from parameters") {
  for (const Example& example : examples()) {
    CAPTURE(std::string(example.name));
    const Prepared prepared = prepare(example);
    const auto f = [&](Tape& tape) { return example.f(parameters(tape, prepared)); };
    CHECK(check_gradients(f, prepared.inputs, prepared.values, 1) == "");
  }
}

TEST_CASE("gradients: every op agrees with differences when it is the first to reach its inputs") {
  for (const Example& example : examples()) {
    CAPTURE(std::string(example.name));
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
    CAPTURE(std::string(example.name));
    const Prepared prepared = prepare(example);
    const auto f = [&](Tape& tape) {
      poison(tape);
      const Inputs x = intermediates(tape, prepared);
      const Tensor once = example.f(x);
      return once - 0.4 * example.f(x);
    };
    CHECK(check_gradients(f, prepared.inputs, prepared.values, 3) == "");
  }
}

TEST_CASE("gradients: every op agrees with differences when one of its inputs is a constant") {
  for (const Example& example : examples()) {
    const Prepared prepared = prepare(example);
    for (std::size_t fixed = 0; prepared.inputs.size() > 1 && fixed < prepared.inputs.size(); ++fixed) {
      CAPTURE(std::string(example.name));
      CAPTURE(fixed);
      const auto f = [&](Tape& tape) {
        poison(tape);
        Inputs x = intermediates(tape, prepared);
        const Parameter& where = prepared.inputs[fixed].where;
        x[fixed] = tape.constant(where.shape, prepared.values.data() + where.offset);
        return example.f(x);
      };
      auto others = prepared.inputs;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(fixed));
      CHECK(check_gradients(f, others, prepared.values, 4) == "");
    }
  }
}

TEST_CASE("gradients: the examples cover every op there is") {
  std::set<std::string> missing;
  for (const Op* op : Op::all()) {
    INFO("two ops are called ", std::string(op->name));
    CHECK(missing.insert(op->name).second);
  }
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
