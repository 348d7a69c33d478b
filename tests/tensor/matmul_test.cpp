#include "tensor/matmul.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "base/error.h"
#include "base/random.h"
#include "tensor/register.h"

using namespace locus;

namespace {

constexpr Real not_a_number = std::numeric_limits<Real>::quiet_NaN();
constexpr double epsilon = static_cast<double>(std::numeric_limits<Real>::epsilon());

// What to multiply and how.
struct Product {
  int M, N, K;
  bool a_transposed = false, b_transposed = false;
  Real scale = 1;
  bool bias = false, accumulate = false;
  int a_gap = 0, b_gap = 0;  // elements between the rows in memory
};

std::string to_string(const Product& p) {
  return str("(", p.M, ",", p.K, ")", p.a_transposed ? "^T" : "", " (", p.K, ",", p.N, ")",
             p.b_transposed ? "^T" : "", " scale ", p.scale, p.bias ? " bias" : "",
             p.accumulate ? " accumulate" : "", " gaps ", p.a_gap, " ", p.b_gap);
}

// A matrix in a vector that ends with its last element. The gaps hold NaN: reading one would show.
struct Stored {
  Reals data;
  Matrix matrix;
  double at(int i, int j) const {
    return static_cast<double>(
        data[static_cast<std::size_t>(matrix.transposed ? j * matrix.stride + i : i * matrix.stride + j)]);
  }
};

Stored random_matrix(int rows, int columns, bool transposed, int gap, std::uint64_t seed) {
  if (transposed) std::swap(rows, columns);
  const int stride = columns + gap;
  Stored stored{random_values(static_cast<std::size_t>(rows * stride), seed), {}};
  for (int i = 0; i < rows; ++i)
    for (int j = columns; j < stride; ++j)
      stored.data[static_cast<std::size_t>(i * stride + j)] = not_a_number;
  if (rows > 0) stored.data.resize(stored.data.size() - static_cast<std::size_t>(gap));
  stored.matrix = {stored.data.data(), stride, transposed};
  return stored;
}

// Three plain loops, and the bound that rounding theory gives for any order of summation. "" when all agree.
std::string compare_with_plain_loops(const Product& p, std::uint64_t seed) {
  const Stored a = random_matrix(p.M, p.K, p.a_transposed, p.a_gap, seed);
  const Stored b = random_matrix(p.K, p.N, p.b_transposed, p.b_gap, seed + 1);
  const auto bias = random_values(static_cast<std::size_t>(p.N), seed + 2);

  // c is in a field of 77s, which must stay around it.
  constexpr std::size_t guard = 64;
  const auto stride = static_cast<std::size_t>(p.N);
  const auto place = [&](int i, int j) {
    return guard + static_cast<std::size_t>(i) * stride + static_cast<std::size_t>(j);
  };
  Reals c(static_cast<std::size_t>(p.M) * stride + 2 * guard, Real(77));
  Reals before = random_values(c.size(), seed + 3);
  if (!p.accumulate) std::ranges::fill(before, not_a_number);
  for (int i = 0; i < p.M; ++i)
    for (int j = 0; j < p.N; ++j) c[place(i, j)] = before[place(i, j)];
  matmul(p.M, p.N, p.K, a.matrix, b.matrix, c.data() + guard,
         {.scale = p.scale, .bias = p.bias ? bias.data() : nullptr, .accumulate = p.accumulate});

  std::size_t untouched = 0;
  for (const Real number : c) untouched += number == 77;
  if (untouched != c.size() - static_cast<std::size_t>(p.M) * static_cast<std::size_t>(p.N))
    return to_string(p) + ": wrote outside c";
  for (int i = 0; i < p.M; ++i)
    for (int j = 0; j < p.N; ++j) {
      double sum = 0, size = 0;
      for (int k = 0; k < p.K; ++k) {
        sum += a.at(i, k) * b.at(k, j);
        size += std::abs(a.at(i, k) * b.at(k, j));
      }
      const double scale = static_cast<double>(p.scale);
      const double added = p.bias ? static_cast<double>(bias[static_cast<std::size_t>(j)]) : 0;
      const double held = static_cast<double>(before[place(i, j)]), product = scale * sum + added;
      const double rounding = epsilon * (p.K + 4), sizes = std::abs(scale) * size + std::abs(added);
      const double expected = p.accumulate ? held + product : product;
      const double allowed = rounding * (p.accumulate ? sizes + std::abs(held) : sizes);
      const double got = static_cast<double>(c[place(i, j)]);
      if (!(std::abs(got - expected) <= allowed))
        return str(to_string(p), ": c(", i, ",", j, ") is ", got, ", plain loops give ", expected);
    }
  return "";
}

}  // namespace

TEST_CASE("matmul: equals three plain loops for every small size, each side transposed or not") {
  std::uint64_t seed = 0;
  for (int M = 0; M <= 17; ++M)
    for (int N = 0; N <= 35; ++N)
      for (const int K : {0, 1, 2, 9})
        for (int variant = 0; variant < 4; ++variant) {
          Product p{M, N, K};
          p.a_transposed = variant & 1;
          p.b_transposed = variant & 2;
          p.bias = seed % 3 == 0;
          p.accumulate = seed % 5 < 2;
          p.scale = seed % 7 == 0 ? Real(-0.25) : Real(1);
          const std::string difference = compare_with_plain_loops(p, ++seed);
          if (!difference.empty()) FAIL_CHECK(difference);
        }
  CHECK(seed == 18 * 36 * 4 * 4);
}

TEST_CASE("matmul: equals three plain loops for random sizes up to a few hundred, with gaps between rows") {
  Random random(1, Purpose::testing);
  const int sizes[] = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  12,  13,  15,  16,  17,  23,
                       24, 31, 32, 33, 47, 48, 63, 64, 65, 96, 127, 128, 129, 130, 200, 257};
  const auto size = [&] { return sizes[random.below(std::size(sizes))]; };
  const auto coin = [&] { return random.below(2) == 1; };
  int compared = 0;
  for (double work = 0; work < 6e7; ++compared) {
    Product p{size(), size(), size()};
    p.a_transposed = coin();
    p.b_transposed = coin();
    p.scale = coin() ? Real(1) : static_cast<Real>(random.normal());
    p.bias = coin();
    p.accumulate = coin();
    p.a_gap = coin() ? random.below(20) : 0;
    p.b_gap = coin() ? random.below(20) : 0;
    work += 1000.0 + static_cast<double>(p.M) * p.N * p.K;
    const std::string difference = compare_with_plain_loops(p, static_cast<std::uint64_t>(compared));
    if (!difference.empty()) FAIL_CHECK(difference);
  }
  CHECK(compared > 100);
}

TEST_CASE("matmul: equals three plain loops for long, tall and wide products") {
  std::uint64_t seed = 0;
  for (const Product& p :
       {Product{3, 5, 3000}, Product{1500, 9, 33}, Product{7, 1100, 40}, Product{1, 1, 5000},
        Product{1, 700, 64}, Product{600, 1, 64}, Product{150, 160, 170}})
    for (int variant = 0; variant < 4; ++variant) {
      Product q = p;
      q.a_transposed = variant & 1;
      q.b_transposed = variant & 2;
      CHECK(compare_with_plain_loops(q, ++seed) == "");
    }
}

// So a batch gives the same bits as its examples one by one: a row does not care which rows are computed
// beside it.
TEST_CASE("matmul: a row of the result has the same bits whatever the number of rows") {
  constexpr int M = 40, N = 37, K = 50;
  const Stored a = random_matrix(M, K, false, 0, 1), b = random_matrix(K, N, false, 0, 2);
  Reals whole(M * N), part(M * N);
  matmul(M, N, K, a.matrix, b.matrix, whole.data());
  for (int rows = 1; rows <= M; ++rows) {
    CAPTURE(rows);
    std::fill(part.begin(), part.end(), Real(0));
    matmul(rows, N, K, a.matrix, b.matrix, part.data());
    CHECK(std::equal(part.begin(), part.begin() + rows * N, whole.begin()));
  }
}

TEST_CASE(
    "matmul: each element is one chain of fused multiply-adds in the order of k, in tiles of every kind") {
  for (const Product& p : {Product{1, 1, 9}, Product{5, 7, 30}, Product{13, 37, 50}, Product{64, 64, 65},
                           Product{129, 130, 131}, Product{150, 200, 40}})
    for (int variant = 0; variant < 4; ++variant) {
      CAPTURE(to_string(p));
      CAPTURE(variant);
      const Stored a = random_matrix(p.M, p.K, variant & 1, 3, 1),
                   b = random_matrix(p.K, p.N, variant & 2, 5, 2);
      Reals c(static_cast<std::size_t>(p.M) * static_cast<std::size_t>(p.N));
      matmul(p.M, p.N, p.K, a.matrix, b.matrix, c.data());
      int different = 0;
      for (int i = 0; i < p.M; ++i)
        for (int j = 0; j < p.N; ++j) {
          Register sum = {};
          for (int k = 0; k < p.K; ++k)
            sum = fma(splat(static_cast<Real>(a.at(i, k))), splat(static_cast<Real>(b.at(k, j))), sum);
          different += sum[0] != c[static_cast<std::size_t>(i * p.N + j)];
        }
      CHECK(different == 0);
    }
}
