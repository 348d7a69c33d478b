// What the ops compute, and what they say to the wrong shapes. Their backward: gradient_test.cpp.
#include "autograd/ops.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "../support/random_values.h"
#include "base/error.h"
#include "positional/support/contextual.h"

using namespace locus;

namespace {

using Values = Reals;

Values values_of(Tensor x) { return {x.value(), x.value() + x.count()}; }

// Makes tensors on a tape that only evaluates.
struct Maker {
  Tape tape;

  Tensor operator()(Shape shape, const Values& values) { return tape.constant(shape, values.data()); }
  Tensor operator()(Shape shape) {  // 1, 2, 3, ...
    Values values(shape.count());
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<Real>(i + 1);
    return (*this)(shape, values);
  }
  Tensor random(Shape shape, std::uint64_t seed) {
    return (*this)(shape, random_values(shape.count(), seed));
  }
};

// Entry (b,h,t,c) of a tensor (B,H,T,d), or of one without the leading axes.
Real at(Tensor x, std::vector<int> index) {
  std::size_t offset = 0;
  for (int axis = 0; axis < x.shape().rank(); ++axis)
    offset =
        offset * static_cast<std::size_t>(x.shape()[axis]) +
        static_cast<std::size_t>(index[index.size() - static_cast<std::size_t>(x.shape().rank() - axis)]);
  return x.value()[offset];
}

constexpr double near = tolerance(1e-5, 1e-12);

}  // namespace

TEST_CASE("ops: arithmetic repeats axes of size 1 as numpy does") {
  Maker make;
  CHECK(values_of(make({2, 2}) + make({2}, {10, 20})) == Values{11, 22, 13, 24});
  CHECK(values_of(make({2}, {10, 20}) + make({2, 2})) == Values{11, 22, 13, 24});
  CHECK(values_of(make({2, 2}) - make({}, {5})) == Values{-4, -3, -2, -1});
  CHECK(values_of(make({2, 1, 2}) + make({1, 2}, {10, 20})) == Values{11, 22, 13, 24});
  CHECK(values_of(make({2, 2}) * make({2, 2})) == Values{1, 4, 9, 16});
  CHECK(values_of(make({2, 1}) * make({3})) == Values{1, 2, 3, 2, 4, 6});
  CHECK(values_of(make({1, 3}) - make({2, 1})) == Values{0, 1, 2, -1, 0, 1});
  CHECK(values_of(make({2, 2}, {1, 6, 3, 8}) / make({2, 1}, {4, -2})) == Values{0.25, 1.5, -1.5, -4});
  CHECK((make({2, 3, 1}) + make({3, 4})).shape() == Shape{2, 3, 4});
  CHECK((make({3, 1, 2}) * make({2, 1, 4, 1})).shape() == Shape{2, 3, 4, 2});
}

// Each element by its indices, the plain way.
TEST_CASE("ops: broadcasting equals plain loops over all shapes of small sizes") {
  Maker make;
  int compared = 0;
  for (int pattern = 0; pattern < 81 * 16; ++pattern) {  // on each of 4 axes: both 2 or 3, or one of them 1
    Shape x{1, 1, 1, 1}, y = x;
    std::vector<int> a(4), b(4);
    for (int axis = 0, rest = pattern; axis < 4; ++axis, rest /= 6) {
      const int size = rest % 2 == 0 ? 2 : 3, kind = rest / 2 % 3;
      a[static_cast<std::size_t>(axis)] = kind == 1 ? 1 : size;
      b[static_cast<std::size_t>(axis)] = kind == 2 ? 1 : size;
    }
    x = {a[0], a[1], a[2], a[3]};
    y = {b[0], b[1], b[2], b[3]};
    make.tape.reset();
    const Tensor u = make(x), v = make(y), w = u - v;
    bool equal = true;
    for (int i = 0; i < w.shape()[0]; ++i)
      for (int j = 0; j < w.shape()[1]; ++j)
        for (int k = 0; k < w.shape()[2]; ++k)
          for (int l = 0; l < w.shape()[3]; ++l)
            equal &= at(w, {i, j, k, l}) == at(u, {i % a[0], j % a[1], k % a[2], l % a[3]}) -
                                                at(v, {i % b[0], j % b[1], k % b[2], l % b[3]});
    CAPTURE(x);
    CAPTURE(y);
    CHECK(equal);
    ++compared;
  }
  CHECK(compared == 1296);
}

TEST_CASE("ops: numbers on either side") {
  Maker make;
  CHECK(values_of(-2 * make({3})) == Values{-2, -4, -6});
  CHECK(values_of(make({3}) / 2) == Values{0.5, 1, 1.5});
  CHECK(values_of(1 - make({3})) == Values{0, -1, -2});
  CHECK(values_of(make({3}) - 1) == Values{0, 1, 2});
  CHECK(values_of(2 + make({3})) == Values{3, 4, 5});
  CHECK(values_of(-make({2})) == Values{-1, -2});
}

TEST_CASE("ops: functions of one number, far from zero too") {
  Maker make;
  const Tensor x = make({5}, {-800, -1, 0, 2, 800});
  const auto check = [](Tensor y, const std::vector<double>& expected) {
    for (std::size_t i = 0; i < expected.size(); ++i)
      CHECK(static_cast<double>(y.value()[i]) == doctest::Approx(expected[i]).epsilon(1e-6));
  };
  check(sigmoid(x), {0, 0.26894142137, 0.5, 0.88079707798, 1});
  check(softplus(x), {0, 0.31326168752, 0.69314718056, 2.12692801104, 800});
  check(relu(x), {0, 0, 0, 2, 800});
  check(exp(make({2}, {-1, 2})), {0.36787944117, 7.38905609893});
  check(log1p(make({2}, {0, 3})), {0, 1.38629436112});
}

TEST_CASE("ops: matmul over leading axes equals plain loops, whichever way b is stored") {
  Maker make;
  const int B = 2, H = 3, M = 4, K = 5, N = 6;
  const Tensor a = make.random({B, H, M, K}, 1), b = make.random({B, H, K, N}, 2),
               bt = make.random({B, H, N, K}, 3);
  const Tensor shared = make.random({K, N}, 4), shared_t = make.random({N, K}, 5);
  const Tensor of_heads = make.random({H, K, N}, 6), of_heads_t = make.random({H, N, K}, 7);
  const struct {
    Tensor c, b;
    bool transposed;
  } cases[] = {{matmul(a, b, 2), b, false},
               {matmul(a, transpose(bt), 2), bt, true},
               {matmul(a, shared, 2), shared, false},
               {matmul(a, transpose(shared_t), 2), shared_t, true},
               {matmul(a, of_heads, 2), of_heads, false},
               {matmul(a, transpose(of_heads_t), 2), of_heads_t, true}};
  for (const auto& one : cases) {
    CHECK(one.c.shape() == Shape{B, H, M, N});
    double largest = 0;
    for (int batch = 0; batch < B; ++batch)
      for (int h = 0; h < H; ++h)
        for (int i = 0; i < M; ++i)
          for (int j = 0; j < N; ++j) {
            Real sum = 0;
            for (int k = 0; k < K; ++k)
              sum += at(a, {batch, h, i, k}) *
                     at(one.b, one.transposed ? std::vector{batch, h, j, k} : std::vector{batch, h, k, j});
            largest = std::max(largest, std::abs(static_cast<double>(at(one.c, {batch, h, i, j}) - 2 * sum)));
          }
    CHECK(largest < near);
  }
}

TEST_CASE("ops: linear is a product plus a bias") {
  Maker make;
  CHECK(values_of(linear(make({1, 2, 2}), make({2, 3}), make({3}, {100, 200, 300}))) ==
        Values{109, 212, 315, 119, 226, 333});
}

TEST_CASE("ops: rows of a softmax are probabilities") {
  Maker make;
  const Tensor y = softmax(make({2, 3}, {0, std::log(Real(2)), std::log(Real(5)), 7, 7, 7}));
  const double expected[] = {0.125, 0.25, 0.625, 1 / 3.0, 1 / 3.0, 1 / 3.0};
  for (std::size_t i = 0; i < 6; ++i) CHECK(y.value()[i] == doctest::Approx(expected[i]).epsilon(1e-6));
}

TEST_CASE("ops: a causal softmax gives keys after the query weight exactly 0, and rows still sum to 1") {
  Maker make;
  const int T = 6;
  const Tensor y = softmax(make.random({2, 3, T, T}, 1), Mask::causal);
  for (int b = 0; b < 2; ++b)
    for (int h = 0; h < 3; ++h)
      for (int i = 0; i < T; ++i) {
        Real sum = 0;
        for (int j = 0; j < T; ++j) {
          if (j > i)
            CHECK(at(y, {b, h, i, j}) == 0);
          else
            CHECK(at(y, {b, h, i, j}) > 0);
          sum += at(y, {b, h, i, j});
        }
        CHECK(sum == doctest::Approx(1).epsilon(near));
      }
  for (int h = 0; h < 3; ++h) CHECK(at(y, {0, h, 0, 0}) == 1);
}

TEST_CASE("ops: layer_norm brings rows to mean 0 and variance 1, then applies gain and bias") {
  Maker make;
  const Tensor y = layer_norm(make({2, 2}, {1, 3, 10, 30}), make({2}, {1, 10}), make({2}, {0, 5}));
  const double expected[] = {-1, 15, -1, 15};
  for (std::size_t i = 0; i < 4; ++i) CHECK(y.value()[i] == doctest::Approx(expected[i]).epsilon(1e-5));
}

TEST_CASE("ops: gather_rows and gather_columns read the entries that are named") {
  Maker make;
  CHECK(values_of(gather_rows(make({3, 2}), std::vector<int>{2, 0, 2}, {3})) == Values{5, 6, 1, 2, 5, 6});
  CHECK(gather_rows(make({3, 2}), std::vector<int>{2, 0}, {1, 2}).shape() == Shape{1, 2, 2});

  const Tensor one = gather_columns(make({2, 3}), std::vector<int>{2, 0, 0, 1}, {2, 2});
  CHECK(one.shape() == Shape{2, 2, 2});
  CHECK(values_of(one) == Values{3, 1, 1, 2, 6, 4, 4, 5});
  const Tensor two = gather_columns(make({2, 3}), std::vector<int>{2, 1}, {2, 1, 1});
  CHECK(two.shape() == Shape{2, 2, 1, 1});
  CHECK(values_of(two) == Values{3, 6, 2, 5});
}

TEST_CASE("ops: gather_columns takes a table (H,1,N) for one (H,N)") {
  Maker make;
  const std::vector<int> ids = {2, 0, 0, 1};
  CHECK(values_of(gather_columns(make({2, 1, 3}), ids, {2, 2})) ==
        values_of(gather_columns(make({2, 3}), ids, {2, 2})));
}

TEST_CASE("ops: gather_pairs reads a row of the query or of the key, the same way for all heads") {
  Maker make;
  const std::vector<int> ids = {2, 0, 1, 1};
  const Tensor rows = make({1, 2, 2, 3});  // 1 2 3, 4 5 6, ...
  CHECK(values_of(gather_pairs(rows, ids, {2, 2}, RowOf::query)) == Values{3, 1, 5, 5, 9, 7, 11, 11});
  CHECK(values_of(gather_pairs(rows, ids, {2, 2}, RowOf::key)) == Values{3, 4, 2, 5, 9, 10, 8, 11});
  const Tensor two =
      gather_pairs(make({2, 1, 2, 3}), std::vector<int>{2, 0, 1, 1, 0, 0, 0, 2}, {2, 2, 2}, RowOf::query);
  CHECK(values_of(two) == Values{3, 1, 5, 5, 7, 7, 10, 12});
}

TEST_CASE("ops: sum_pairs adds up the elements of a query at keys of one id") {
  Maker make;
  const std::vector<int> ids = {2, 0, 1, 1};
  CHECK(values_of(sum_pairs(make({1, 2, 2, 2}), ids, {2, 2}, 3)) ==
        Values{2, 0, 1, 0, 7, 0, 6, 0, 5, 0, 15, 0});
}

TEST_CASE("ops: reverse_cumsum adds from the key to the query, both included") {
  Maker make;
  CHECK(values_of(reverse_cumsum(make({3, 3}))) == Values{1, 0, 0, 9, 5, 0, 24, 17, 9});
}

TEST_CASE("ops: interpolate reads between two entries, and no further than the ends") {
  Maker make;
  const Tensor table = make({2, 3}, {1, 2, 4, 10, 20, 40});
  CHECK(values_of(interpolate(table, make({2, 4}, {0, 0.5, 1.25, 2, 7, -3, 1, 1.5}))) ==
        Values{1, 1.5, 2.5, 4, 40, 10, 20, 30});
}

TEST_CASE("ops: unit_length keeps directions, and leaves a zero row at zero") {
  Maker make;
  const Tensor unit = unit_length(make({2, 2}, {3, -4, 0, 0}));
  CHECK(unit.value()[0] == doctest::Approx(0.6).epsilon(near));
  CHECK(unit.value()[1] == doctest::Approx(-0.8).epsilon(near));
  CHECK(unit.value()[2] == 0);
  CHECK(unit.value()[3] == 0);
}

TEST_CASE("ops: heads are split off the width, and merged back") {
  Maker make;
  const Tensor x = make({1, 2, 4});
  CHECK(split_heads(x, 2).shape() == Shape{1, 2, 2, 2});
  CHECK(values_of(split_heads(x, 2)) == Values{1, 2, 5, 6, 3, 4, 7, 8});
  const Tensor y = make.random({2, 3, 10}, 1);
  for (const int heads : {1, 2, 5, 10}) CHECK(values_of(merge_heads(split_heads(y, heads))) == values_of(y));
}

TEST_CASE("ops: as_row shows a column as a row, cumsum_over_time adds up the times so far") {
  Maker make;
  CHECK(as_row(make({1, 2, 3, 1})).shape() == Shape{1, 2, 1, 3});
  CHECK(values_of(as_row(make({1, 2, 3, 1}))) == Values{1, 2, 3, 4, 5, 6});
  CHECK(values_of(cumsum_over_time(make({2, 3, 2}))) == Values{1, 2, 4, 6, 9, 12, 7, 8, 16, 18, 27, 30});
}

TEST_CASE("ops: concat sets rows side by side, mean_over_time averages them") {
  Maker make;
  const Tensor x = make({2, 2, 1}), table = make({2, 2}, {10, 20, 30, 40});
  CHECK(concat(x, table).shape() == Shape{2, 2, 3});
  CHECK(values_of(concat(x, table)) == Values{1, 10, 20, 2, 30, 40, 3, 10, 20, 4, 30, 40});
  CHECK(values_of(concat(x, x)) == Values{1, 1, 2, 2, 3, 3, 4, 4});
  CHECK(values_of(mean_over_time(make({2, 2, 2}))) == Values{2, 3, 6, 7});
}

TEST_CASE("ops: time_slice takes one row of every example, stack_over_time sets them one after the other") {
  Maker make;
  const Tensor x = make({2, 3, 2});
  CHECK(time_slice(x, 0).shape() == Shape{2, 2});
  CHECK(values_of(time_slice(x, 0)) == Values{1, 2, 7, 8});
  CHECK(values_of(time_slice(x, 2)) == Values{5, 6, 11, 12});
  const Tensor back = stack_over_time(std::vector{time_slice(x, 0), time_slice(x, 1), time_slice(x, 2)});
  CHECK(back.shape() == x.shape());
  CHECK(values_of(back) == values_of(x));
  CHECK(stack_over_time(std::vector{make({0, 4})}).shape() == Shape{0, 1, 4});
}

TEST_CASE("ops: sigmoid is 1 / (1 + exp(-x)), however far out") {
  Maker make;
  const Tensor x = make({7}, {-1000, -3, Real(-0.2), 0, Real(0.7), 5, 1000}), y = sigmoid(x);
  for (std::size_t i = 0; i < x.count(); ++i)
    CHECK(std::abs(y.value()[i] - 1 / (1 + std::exp(-x.value()[i]))) <= near);
}

TEST_CASE("ops: rotate turns pairs of channels by their angle, and passes the rest") {
  Maker make;
  const Values cos = {0, 1, -1, 0}, sin = {1, 0, 0, -1};  // row 0: 90 and 0 degrees; row 1: 180 and -90
  const Tensor x = make({1, 1, 2, 5});
  const Tensor c = make({2, 2}, cos), s = make({2, 2}, sin);
  CHECK(values_of(rotate(x, c, s, PairLayout::interleaved)) == Values{-2, 1, 3, 4, 5, -6, -7, 9, -8, 10});
  CHECK(values_of(rotate(x, c, s, PairLayout::half)) == Values{-3, 2, 1, 4, 5, -6, 9, -8, -7, 10});
}

TEST_CASE("ops: rotate with a table for every example gives each its own rows") {
  Maker make;
  const Tensor x = make({2, 2, 1, 2}), cos = make({2, 1, 1}, {1, -1}), sin = make({2, 1, 1}, {0, 0});
  CHECK(values_of(rotate(x, cos, sin, PairLayout::interleaved)) == Values{1, 2, 3, 4, -5, -6, -7, -8});
}

TEST_CASE("ops: cross_entropy is the surprise at the scored targets over the divisor") {
  Maker make;
  const Real two = std::log(Real(2)), five = std::log(Real(5));
  const Tensor logits = make({2, 2, 3}, {0, two, five, 0, 0, 0, 500, -500, 0, 9, 9, 9});
  const double expected = (std::log(8.0 / 5) + 500 + std::log(3.0)) / 4;
  const Tensor loss = cross_entropy(logits, std::vector<int>{2, not_scored, 2, 0}, 4);
  CHECK(loss.shape() == Shape{});
  CHECK(*loss.value() == doctest::Approx(expected).epsilon(near));
  CHECK(*cross_entropy(logits, std::vector<int>(4, not_scored), 1).value() == 0);
}

TEST_CASE("ops: empty tensors go through") {
  Maker make;
  CHECK(matmul(make({0, 3}), make({3, 2})).shape() == Shape{0, 2});
  CHECK(values_of(matmul(make({2, 0}), make({0, 2}))) == Values{0, 0, 0, 0});
  CHECK(matmul(make({2, 3, 0, 4}), transpose(make({2, 3, 0, 4}))).shape() == Shape{2, 3, 0, 0});
  CHECK(softmax(make({2, 0, 0}), Mask::causal).count() == 0);
  CHECK((make({2, 0, 3}) + make({3})).count() == 0);
  CHECK((make({2, 0}) + make({0})).count() == 0);
  CHECK(concat(make({2, 0, 3}), make({0, 1})).count() == 0);
  CHECK(layer_norm(make({0, 3}), make({3}), make({3})).count() == 0);
  CHECK(gather_rows(make({4, 3}), {}, {2, 0}).count() == 0);
  CHECK(matmul(make({0, 2, 3, 4}), make({2, 4, 5})).shape() == Shape{0, 2, 3, 5});
  CHECK(gather_pairs(make({2, 1, 0, 3}), {}, {0, 0}, RowOf::query).count() == 0);
  CHECK(stick_breaking(make({2, 0, 0}), false).count() == 0);
  CHECK(gated_delta_rule(make({1, 1, 0, 2}), make({1, 1, 0, 2}), make({1, 1, 0, 2}), make({1, 0, 1}),
                         make({1, 0, 1}))
            .count() == 0);
  CHECK(path_scores(make({1, 1, 0, 2}), make({1, 1, 0, 2}), make({1, 1, 0, 2}), make({1, 1, 0, 1})).count() ==
        0);
}

TEST_CASE("errors: arithmetic names both shapes and the rule") {
  Maker make;
  const std::string hint =
      ". Hint: counted from the last axis, sizes must be equal, or one of them 1 or missing";
  CHECK_THROWS_WITH_AS(make({2, 3}) + make({2}),
                       ("[add] shapes do not broadcast: x is (2,3), y is (2)" + hint).c_str(), Error);
  CHECK_THROWS_WITH_AS(make({2}) - make({4, 3}),
                       ("[subtract] shapes do not broadcast: x is (2), y is (4,3)" + hint).c_str(), Error);
  CHECK_THROWS_WITH_AS(make({2, 3, 4}) * make({2, 1}),
                       ("[multiply] shapes do not broadcast: x is (2,3,4), y is (2,1)" + hint).c_str(),
                       Error);
  CHECK_THROWS_WITH_AS(make({2, 3}) / make({3, 2}),
                       ("[divide] shapes do not broadcast: x is (2,3), y is (3,2)" + hint).c_str(), Error);
}

TEST_CASE("errors: matmul names both shapes, and suggests the transpose where it would help") {
  Maker make;
  CHECK_THROWS_WITH_AS(matmul(make({3}), make({3, 2})),
                       "[matmul] both must have rank 2 or more: a is (3), b is (3,2)", Error);
  CHECK_THROWS_WITH_AS(
      matmul(make({8, 16}), make({32, 16})),
      "[matmul] inner sizes differ: a is (8,16), b is (32,16); a's last must equal b's second to "
      "last. Hint: does a or b need a transpose?",
      Error);
  CHECK_THROWS_WITH_AS(
      matmul(make({8, 16}), transpose(make({16, 32}))),
      "[matmul] inner sizes differ: a is (8,16), b is (16,32); a's last must equal b's last, as b is "
      "transposed. Hint: does b fit without transpose?",
      Error);
  CHECK_THROWS_WITH_AS(
      matmul(make({8, 16}), make({4, 5})),
      "[matmul] inner sizes differ: a is (8,16), b is (4,5); a's last must equal b's second to last", Error);
  for (const Shape& b : {Shape{3, 5, 4}, Shape{1, 2, 5, 4}})
    CHECK_THROWS_WITH_AS(
        matmul(make({2, 3, 5}), make(b)),
        str("[matmul] leading sizes differ: a is (2,3,5), b is ", b, "; those of b must end those of a")
            .c_str(),
        Error);
}

TEST_CASE("errors: linear and layer_norm say what the shapes should be") {
  Maker make;
  CHECK_THROWS_WITH_AS(linear(make({4, 3}), make({2, 5}), make({5})),
                       "[linear] x is (4,3), weight is (2,5), bias is (5); weight must be (3,O) and bias (O)",
                       Error);
  CHECK_THROWS_WITH_AS(linear(make({4, 3}), make({3, 5}), make({4})),
                       "[linear] x is (4,3), weight is (3,5), bias is (4); weight must be (3,O) and bias (O)",
                       Error);
  CHECK_THROWS_WITH_AS(layer_norm(make({4, 3}), make({2}), make({3})),
                       "[layer_norm] x is (4,3), gain is (2), bias is (3); gain and bias must be (3)", Error);
  CHECK_THROWS_WITH_AS(layer_norm(make({4, 3}), make({3}), make({4})),
                       "[layer_norm] x is (4,3), gain is (3), bias is (4); gain and bias must be (3)", Error);
}

TEST_CASE("errors: a causal softmax needs a square") {
  Maker make;
  CHECK_THROWS_WITH_AS(softmax(make({2, 3, 4}), Mask::causal),
                       "[softmax] a causal mask needs as many queries as keys, but x is (2,3,4)", Error);
  CHECK_THROWS_WITH_AS(softmax(make({4}), Mask::causal),
                       "[softmax] a causal mask needs as many queries as keys, but x is (4)", Error);
}

TEST_CASE("errors: lookups outside the table, or ids that do not fill their shape") {
  Maker make;
  const Tensor table = make({5, 2});
  for (const int id : {5, -1, 1000000})
    CHECK_THROWS_WITH_AS(gather_rows(table, std::vector<int>{0, id}, {2}),
                         str("[gather_rows] id ", id, " is outside the table, which has 5 entries").c_str(),
                         Error);
  CHECK_THROWS_WITH_AS(gather_rows(table, std::vector<int>{0, 1, 2}, {2, 2}),
                       "[gather_rows] 3 ids do not fill the shape (2,2)", Error);
  CHECK_THROWS_WITH_AS(gather_rows(make({5}), std::vector<int>{0}, {1}),
                       "[gather_rows] the table is (5), but must be (V,D)", Error);
  CHECK_THROWS_WITH_AS(gather_columns(table, std::vector<int>{0, 1, 2, 1}, {2, 2}),
                       "[gather_columns] id 2 is outside the table, which has 2 entries", Error);
  CHECK_THROWS_WITH_AS(gather_columns(table, std::vector<int>{0, 1}, {2, 2}),
                       "[gather_columns] 2 ids do not fill the shape (2,2)", Error);
  for (const Shape& shape : {Shape{2, 3}, Shape{6}, Shape{1, 3, 2}, Shape{1, 1, 2, 3}})
    CHECK_THROWS_WITH_AS(gather_columns(table, std::vector<int>(6), shape),
                         str("[gather_columns] the table is (5,2) and the ids ", shape,
                             ", but they must be (H,N) and (T,T) or (B,T,T)")
                             .c_str(),
                         Error);
}

TEST_CASE("errors: lookups for pairs want a row for every token and an id for every pair") {
  Maker make;
  const std::vector<int> ids(9);
  const Tensor scores = make({2, 2, 3, 3});
  CHECK_THROWS_WITH_AS(gather_pairs(make({2, 3, 5}), ids, {3, 3}, RowOf::query),
                       "[gather_pairs] the rows are (2,3,5), but must be (B,H,T,N)", Error);
  for (const Shape& shape : {Shape{9}, Shape{1, 3, 3}, Shape{3, 4}})
    CHECK_THROWS_WITH_AS(
        gather_pairs(make({2, 2, 3, 5}), ids, shape, RowOf::query),
        str("[gather_pairs] x is (2,2,3,5) and the ids ", shape, ", but they must be (3,3) or (2,3,3)")
            .c_str(),
        Error);
  CHECK_THROWS_WITH_AS(sum_pairs(make({2, 2, 3, 4}), ids, {3, 3}, 2),
                       "[sum_pairs] x is (2,2,3,4), but must be (B,H,T,T)", Error);
  CHECK_THROWS_WITH_AS(sum_pairs(scores, ids, {9}, 2),
                       "[sum_pairs] x is (2,2,3,3) and the ids (9), but they must be (3,3) or (2,3,3)",
                       Error);
  const std::vector<int> outside = {0, 0, 0, 0, 5, 0, 0, 0, 0};
  CHECK_THROWS_WITH_AS(gather_pairs(make({2, 2, 3, 5}), outside, {3, 3}, RowOf::key),
                       "[gather_pairs] id 5 is outside the table, which has 5 entries", Error);
}

TEST_CASE("errors: what runs from the query back needs a square, and what interpolates equal rows") {
  Maker make;
  CHECK_THROWS_WITH_AS(reverse_cumsum(make({2, 3, 4})),
                       "[reverse_cumsum] x is (2,3,4), but must have as many queries as keys", Error);
  CHECK_THROWS_WITH_AS(stick_breaking(make({4}), false),
                       "[stick_breaking] x is (4), but must have as many queries as keys", Error);
  CHECK_THROWS_WITH_AS(interpolate(make({2, 3}), make({3, 3})),
                       "[interpolate] the table is (2,3), the places are (3,3); all sizes but the last must "
                       "be equal",
                       Error);
  const Tensor q = make({1, 2, 3, 4});
  CHECK_THROWS_WITH_AS(path_scores(q, q, q, make({1, 2, 3})),
                       "[path_scores] q is (1,2,3,4), k is (1,2,3,4), w is (1,2,3,4), beta is (1,2,3); they "
                       "must be (B,H,T,d) three times and (B,H,T,1)",
                       Error);
}

TEST_CASE("errors: heads, time and rows side by side") {
  Maker make;
  CHECK_THROWS_WITH_AS(
      split_heads(make({2, 3, 5}), 2),
      "[split_heads] x is (2,3,5) and cannot be split into 2 heads. Hint: x must be (B,T,D) with D a "
      "multiple of the heads",
      Error);
  for (const int heads : {0, -1}) CHECK_THROWS_AS(split_heads(make({2, 3, 4}), heads), Error);
  CHECK_THROWS_AS(split_heads(make({3, 4}), 2), Error);
  CHECK_THROWS_WITH_AS(merge_heads(make({2, 3, 4})), "[merge_heads] x is (2,3,4), but must be (B,H,T,d)",
                       Error);
  CHECK_THROWS_WITH_AS(mean_over_time(make({3, 4})), "[mean_over_time] x is (3,4), but must be (B,T,D)",
                       Error);
  CHECK_THROWS_AS(mean_over_time(make({2, 0, 4})), Error);
  for (const int t : {3, -1})
    CHECK_THROWS_WITH_AS(
        time_slice(make({2, 3, 4}), t),
        str("[time_slice] x is (2,3,4) and has no time ", t, ". Hint: x must be (B,T,D), and t below T")
            .c_str(),
        Error);
  CHECK_THROWS_AS(time_slice(make({3, 4}), 0), Error);
  CHECK_THROWS_WITH_AS(
      stack_over_time(std::vector{make({2, 4}), make({3, 4})}),
      "[stack_over_time] one slice is (2,4), one is (3,4). Hint: all must be of one shape (B,D)", Error);
  CHECK_THROWS_WITH_AS(stack_over_time({}),
                       "[stack_over_time] there are no slices. Hint: give one (B,D) for each time", Error);
  CHECK_THROWS_AS(stack_over_time(std::vector{make({4})}), Error);
  CHECK_THROWS_WITH_AS(
      concat(make({2, 3, 4}), make({2, 4})),
      "[concat] rows do not match: x is (2,3,4), y is (2,4). Hint: all sizes but the last must be "
      "equal; y may lack the leading ones",
      Error);
  CHECK_THROWS_AS(concat(make({2}), make({})), Error);
  CHECK_THROWS_WITH_AS(as_row(make({2, 3, 4, 2})), "[as_row] x is (2,3,4,2), but must be (B,H,T,1)", Error);
  CHECK_THROWS_WITH_AS(cumsum_over_time(make({3, 4})), "[cumsum_over_time] x is (3,4), but must be (B,T,D)",
                       Error);
}

TEST_CASE("errors: rotate wants four axes, room for its pairs, and a row for each position") {
  Maker make;
  const auto turn = [&](Shape x, Shape cos, Shape sin) {
    rotate(make(x), make(cos), make(sin), PairLayout::half);
  };
  CHECK_THROWS_WITH_AS(turn({2, 3, 4}, {3, 2}, {3, 2}), "[rotate] x is (2,3,4), but must be (B,H,T,d)",
                       Error);
  CHECK_THROWS_WITH_AS(turn({2, 1, 3, 5}, {3, 3}, {3, 3}), "[rotate] 3 pairs need 6 channels; x is (2,1,3,5)",
                       Error);
  for (const Shape& cos : {Shape{5, 2}, Shape{1, 3, 2}, Shape{3, 2}})
    CHECK_THROWS_WITH_AS(
        turn({2, 1, 3, 4}, cos, {5, 2}),
        str("[rotate] cos is ", cos, ", sin is (5,2); x is (2,1,3,4), so both must be (3,2) or (2,3,2)")
            .c_str(),
        Error);
}

TEST_CASE("errors: cross_entropy wants a target for every row, each a class") {
  Maker make;
  CHECK_THROWS_WITH_AS(cross_entropy(make({2, 3, 4}), std::vector<int>(5), 1),
                       "[cross_entropy] 5 targets for logits (2,3,4), which have 6 rows", Error);
  for (const int target : {4, -2})
    CHECK_THROWS_WITH_AS(cross_entropy(make({1, 4}), std::vector<int>{target}, 1),
                         str("[cross_entropy] target ", target, " is outside the 4 classes").c_str(), Error);
}
