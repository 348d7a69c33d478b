#include "autograd/tape.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "autograd/ops.h"
#include "base/error.h"

using namespace locus;

namespace {

// The gradients of the sum of f(x), x a vector of parameters.
template <class F>
Reals gradients_of(Reals values, F f) {
  Reals gradients(values.size());
  Tape tape(values.data(), gradients.data());
  const Tensor result = f(tape, tape.parameter({{static_cast<int>(values.size())}, 0}));
  const Reals ones(result.count(), 1);
  tape.backward(result, ones.data());
  return gradients;
}

const Reals start = {1, -2, Real(0.5)};

}  // namespace

TEST_CASE("tape: b = a + a and c = b + b has gradient 4") {
  CHECK(gradients_of({3}, [](Tape&, Tensor a) {
          const Tensor b = a + a;
          return b + b;
        }) == Reals{4});
  CHECK(gradients_of({3}, [](Tape&, Tensor a) {
          a = 1 * a;  // the same from an intermediate result
          const Tensor b = a + a;
          return b + b;
        }) == Reals{4});
}

TEST_CASE("tape: a result that is not used adds nothing, wherever it was computed") {
  const Reals expected = {2, 2, 2};
  CHECK(gradients_of(start, [](Tape&, Tensor a) {
          tanh(gelu(a));
          const Tensor b = 2 * a;
          b* b;
          return b;
        }) == expected);
  CHECK(gradients_of(start, [](Tape&, Tensor a) {
          const Tensor b = 2 * a;
          b + b;
          7 * b;
          return b;
        }) == expected);
}

TEST_CASE("tape: the loss may itself be used further, which changes nothing about its gradient") {
  CHECK(gradients_of(start, [](Tape&, Tensor a) {
          const Tensor loss = 3 * a;
          100 * loss;
          return loss;
        }) == Reals{3, 3, 3});
}

TEST_CASE("tape: residual chains, x + f(x), with x used three times") {
  const auto expect = [](auto f) { return gradients_of(start, [&](Tape&, Tensor a) { return f(1 * a); }); };
  const Reals slope = {2 + 3 + 2, 2 + 3 - 4, 2 + 3 + 1};  // of 2x + 3x + x^2
  CHECK(expect([](Tensor x) { return 2 * x + 3 * x + x * x; }) == slope);
  CHECK(expect([](Tensor x) { return x + (x + 3 * x) + x * x; }) == slope);
  CHECK(expect([](Tensor x) {
          const Tensor square = x * x;
          return (x + square) + (3 * x + x);
        }) == slope);
  CHECK(expect([](Tensor x) { return x + x + x + x + x + x * x; }) == slope);
}

// d/dx of x2 where x1 = x + x^2 and x2 = x1 + x1^2: (1 + 2x)(1 + 2 x1), exact for these numbers.
TEST_CASE("tape: a stack of residual blocks multiplies their slopes") {
  const auto slopes = gradients_of({1, -2, Real(0.5)}, [](Tape&, Tensor x) {
    for (int block = 0; block < 2; ++block) x = x + x * x;
    return x;
  });
  CHECK(slopes == Reals{3 * 5, -3 * 5, 2 * Real(2.5)});
}

TEST_CASE("tape: gradients of parameters are added to what is there, over several steps") {
  Reals values = {2}, gradients = {100};
  Tape tape(values.data(), gradients.data());
  for (int step = 1; step <= 3; ++step) {
    const Tensor a = tape.parameter({{1}, 0});
    tape.backward(a * a);
    CHECK(gradients[0] == 100 + 4 * step);
    tape.reset();
  }
}

TEST_CASE("tape: rows that were never gathered have gradient exactly zero") {
  const std::vector<int> ids = {3, 1, 3};
  Reals values = random_values(10, 1), gradients(10);
  Tape tape(values.data(), gradients.data());
  const Tensor table = 1 * tape.parameter({{5, 2}, 0});
  tape.backward(gather_rows(table, ids, {3}), Reals{1, 10, 2, 20, 4, 40}.data());
  CHECK(gradients == Reals{0, 0, 2, 20, 0, 0, 5, 50, 0, 0});
}

TEST_CASE("tape: a repeated step takes no new memory and gives the same bits") {
  const auto values = random_values(20, 1), input = random_values(800, 2), cotangent = random_values(800, 3);
  Reals gradients(20), first;
  Tape tape(values.data(), gradients.data());
  std::size_t capacity = 0;
  for (int step = 0; step < 6; ++step) {
    std::fill(gradients.begin(), gradients.end(), Real(0));
    Tensor x = tape.constant({200, 4}, input.data());
    for (int layer = 0; layer < 30; ++layer)
      x = x + gelu(linear(x, tape.parameter({{4, 4}, 0}), tape.parameter({{4}, 16})));
    tape.backward(x, cotangent.data());
    tape.reset();
    if (step == 0) {
      capacity = tape.arena().capacity();
      first = gradients;
    }
    CHECK(tape.arena().capacity() == capacity);
    CHECK(gradients == first);
  }
}

TEST_CASE("tape: ops are recorded in order, and only where a gradient will flow") {
  const Reals values = {1, 2};
  Reals gradients(2);
  Tape tape(values.data(), gradients.data());
  const Tensor a = tape.parameter({{2}, 0}), fixed = tape.constant({2}, values.data());
  tanh(2 * fixed);
  gelu(2 * a) + fixed;
  std::vector<std::string> names;
  for (const Op* op : tape.ops()) names.push_back(op->name);
  CHECK(names == std::vector<std::string>{"multiply_number", "gelu", "add"});
  tape.reset();
  CHECK(tape.ops().empty());
}

TEST_CASE("tape: one that only evaluates computes the same values and records nothing") {
  const auto values = random_values(6, 1);
  Reals gradients(6);
  Tape training(values.data(), gradients.data()), evaluation(values.data());
  const auto f = [](Tape& tape) { return softmax(tanh(tape.parameter({{2, 3}, 0}))); };
  const Tensor trained = f(training), evaluated = f(evaluation);
  CHECK(std::equal(trained.value(), trained.value() + 6, evaluated.value()));
  CHECK_FALSE(evaluation.is_recording());
  CHECK_FALSE(evaluated.needs_gradient());
  CHECK(evaluation.ops().empty());
}

TEST_CASE("tape: constants are copied, parameters are not") {
  Reals values = {1, 2};
  Tape tape(values.data());
  const Tensor constant = tape.constant({2}, values.data()), parameter = tape.parameter({{1}, 1});
  values[0] = values[1] = 9;
  CHECK(constant.value()[0] == 1);
  CHECK(parameter.value()[0] == 9);
}

TEST_CASE("tape: backward wants one number, or a cotangent, and something to differentiate by") {
  const Reals values = {1, 2};
  Reals gradients(2);
  Tape tape(values.data(), gradients.data()), evaluation(values.data());
  CHECK_THROWS_WITH_AS(
      tape.backward(tape.parameter({{2}, 0})),
      "[backward] the loss has shape (2), but must be one number. Hint: reduce it first, or pass a "
      "cotangent of the same shape",
      Error);
  CHECK_THROWS_WITH_AS(tape.backward(tape.constant({1}, values.data())),
                       "[backward] the result depends on no parameter", Error);
  CHECK_THROWS_WITH_AS(evaluation.backward(evaluation.parameter({{1}, 0})),
                       "[backward] this tape only evaluates. Hint: give the tape a gradient vector", Error);
}

TEST_CASE("tape: one tape can serve several gradient vectors in turn") {
  const Reals values = {2};
  Reals first = {0}, second = {0};
  Tape tape(values.data(), first.data());
  const auto step = [&](double factor) { tape.backward(factor * tape.parameter({{1}, 0})); };
  step(3);
  tape.reset(second.data());
  step(5);
  tape.reset(first.data());
  step(7);
  CHECK(first[0] == 10);
  CHECK(second[0] == 5);
}
