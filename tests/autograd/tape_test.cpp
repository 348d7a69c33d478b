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
          const Tensor b = add(a, a);
          return add(b, b);
        }) == Reals{4});
  CHECK(gradients_of({3}, [](Tape&, Tensor a) {
          a = scale(a, 1);  // the same from an intermediate result
          const Tensor b = add(a, a);
          return add(b, b);
        }) == Reals{4});
}

TEST_CASE("tape: a result that nobody used adds nothing, in whatever place it stands") {
  const Reals expected = {2, 2, 2};
  CHECK(gradients_of(start, [](Tape&, Tensor a) {
          tanh(gelu(a));
          const Tensor b = scale(a, 2);
          multiply(b, b);
          return b;
        }) == expected);
  CHECK(gradients_of(start, [](Tape&, Tensor a) {
          const Tensor b = scale(a, 2);
          add(b, b);
          scale(b, 7);
          return b;
        }) == expected);
}

TEST_CASE("tape: the loss may itself be used further, which changes nothing about its gradient") {
  CHECK(gradients_of(start, [](Tape&, Tensor a) {
          const Tensor loss = scale(a, 3);
          scale(loss, 100);
          return loss;
        }) == Reals{3, 3, 3});
}

// add() passes its gradient on by handing over the memory: whoever comes later must add, not overwrite.
TEST_CASE("tape: residual chains, x + f(x), with x used three times") {
  const auto expect = [](auto f) {
    return gradients_of(start, [&](Tape&, Tensor a) { return f(scale(a, 1)); });
  };
  const Reals slope = {2 + 3 + 2, 2 + 3 - 4, 2 + 3 + 1};  // of 2x + 3x + x^2
  CHECK(expect([](Tensor x) { return add(add(scale(x, 2), scale(x, 3)), multiply(x, x)); }) == slope);
  CHECK(expect([](Tensor x) { return add(add(x, add(x, scale(x, 3))), multiply(x, x)); }) == slope);
  CHECK(expect([](Tensor x) {
          const Tensor square = multiply(x, x);
          return add(add(x, square), add(scale(x, 3), x));
        }) == slope);
  CHECK(expect([](Tensor x) { return add(add(add(add(add(x, x), x), x), x), multiply(x, x)); }) == slope);
}

// d/dx of x2 where x1 = x + x^2 and x2 = x1 + x1^2: (1 + 2x)(1 + 2 x1), exact for these numbers.
TEST_CASE("tape: a stack of residual blocks multiplies their slopes") {
  const auto slopes = gradients_of({1, -2, Real(0.5)}, [](Tape&, Tensor x) {
    for (int block = 0; block < 2; ++block) x = add(x, multiply(x, x));
    return x;
  });
  CHECK(slopes == Reals{3 * 5, -3 * 5, 2 * Real(2.5)});
}

TEST_CASE("tape: gradients of parameters are added to what is there, over several steps") {
  Reals values = {2}, gradients = {100};
  Tape tape(values.data(), gradients.data());
  for (int step = 1; step <= 3; ++step) {
    const Tensor a = tape.parameter({{1}, 0});
    tape.backward(multiply(a, a));
    CHECK(gradients[0] == 100 + 4 * step);
    tape.reset();
  }
}

TEST_CASE("tape: rows that were never gathered have gradient exactly zero") {
  const std::vector<int> ids = {3, 1, 3};
  Reals values = random_values(10, 1), gradients(10);
  Tape tape(values.data(), gradients.data());
  const Tensor table = scale(tape.parameter({{5, 2}, 0}), 1);
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
      x = add(x, gelu(linear(x, tape.parameter({{4, 4}, 0}), tape.parameter({{4}, 16}))));
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

TEST_CASE("tape: ops are noted in order, and only where a gradient will flow") {
  const Reals values = {1, 2};
  Reals gradients(2);
  Tape tape(values.data(), gradients.data());
  const Tensor a = tape.parameter({{2}, 0}), fixed = tape.constant({2}, values.data());
  tanh(scale(fixed, 2));
  add(gelu(scale(a, 2)), fixed);
  std::vector<std::string> names;
  for (const Op* op : tape.ops()) names.push_back(op->name);
  CHECK(names == std::vector<std::string>{"scale", "gelu", "add"});
  tape.reset();
  CHECK(tape.ops().empty());
}

TEST_CASE("tape: one that only evaluates computes the same values and leaves no notes") {
  const auto values = random_values(6, 1);
  Reals gradients(6);
  Tape training(values.data(), gradients.data()), evaluation(values.data());
  const auto f = [](Tape& tape) { return softmax(tanh(tape.parameter({{2, 3}, 0}))); };
  const Tensor trained = f(training), evaluated = f(evaluation);
  CHECK(std::equal(trained.value(), trained.value() + 6, evaluated.value()));
  CHECK_FALSE(evaluation.records());
  CHECK_FALSE(evaluated.needs_gradient());
  CHECK(evaluation.ops().empty());
}

TEST_CASE("tape: constants are copied, parameters are read where they lie") {
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

TEST_CASE("tape: a remembered table is filled once per owner and key, and outlives resets") {
  Tape tape;
  int filled = 0;
  const auto table = [&](const void* owner, std::vector<double> key) {
    return tape.remember(owner, key, 2, [&](Real* to) {
      to[0] = static_cast<Real>(key[0]);
      to[1] = static_cast<Real>(++filled);
    });
  };
  const int owner = 0, other = 0;
  const Real* first = table(&owner, {5, 6});
  CHECK(first[0] == 5);
  tape.reset();
  CHECK(table(&owner, {5, 6}) == first);
  CHECK(filled == 1);
  table(&other, {5, 6});
  table(&owner, {5});
  table(&owner, {5, 7});
  CHECK(filled == 4);
  for (int key = 0; key < 1000; ++key) table(&owner, {1000.0 + key});  // the oldest are forgotten
  CHECK(filled == 1004);
  CHECK(table(&owner, {1999})[1] == 1004);
  CHECK(table(&owner, {5, 6})[0] == 5);
  CHECK(filled == 1005);
}

// Three rows of two positions are no two rows of three, even if the numbers are the same.
TEST_CASE("tape: tables of different sizes from equal keys are different tables") {
  Tape tape;
  const std::vector<double> key = {0, 1, 0, 1, 0, 1};
  const int owner = 0;
  const auto fill_with = [](Real value, std::size_t count) {
    return [=](Real* to) { std::fill_n(to, count, value); };
  };
  const Real* small = tape.remember(&owner, key, 12, fill_with(1, 12));
  const Real* large = tape.remember(&owner, key, 18, fill_with(2, 18));
  CHECK(small != large);
  CHECK(large[17] == 2);
  CHECK(tape.remember(&owner, key, 12, fill_with(3, 12))[11] == 1);
}

TEST_CASE("tape: whatever is worked out from a key can be remembered, not tables only") {
  Tape tape;
  const std::vector<double> key = {1, 2};
  const int owner = 0;
  int made = 0;
  const auto words = [&]() -> const std::vector<std::string>& {
    return tape.remember(&owner, key, 2, [&] { return std::vector<std::string>{text("made ", ++made)}; });
  };
  CHECK(words().at(0) == "made 1");
  tape.reset();
  CHECK(words().at(0) == "made 1");
}

TEST_CASE("tape: one tape can serve several gradient vectors in turn") {
  const Reals values = {2};
  Reals first = {0}, second = {0};
  Tape tape(values.data(), first.data());
  const auto step = [&](Real factor) { tape.backward(scale(tape.parameter({{1}, 0}), factor)); };
  step(3);
  tape.reset(second.data());
  step(5);
  tape.reset(first.data());
  step(7);
  CHECK(first[0] == 10);
  CHECK(second[0] == 5);
}

TEST_CASE("tape: what heads have of their gradient moves with them when they are put in order") {
  const Reals values = random_values(12, 1);
  Reals gradients(values.size());
  Tape tape(values.data(), gradients.data());
  const Tensor heads = split_heads(tape.parameter({{1, 2, 6}, 0}), 3);
  const auto share = heads.add_gradient(Order::as_it_lies);
  for (std::size_t i = 0; i < heads.count(); ++i) share.data[i] = 100 * heads.value(Order::as_it_lies)[i];
  const auto rest = heads.add_gradient();
  CHECK_FALSE(heads.by_token());
  CHECK(rest.accumulate);
  for (std::size_t i = 0; i < heads.count(); ++i) CHECK(rest.data[i] == 100 * heads.value()[i]);
}
