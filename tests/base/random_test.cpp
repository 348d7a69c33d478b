#include "base/random.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <vector>

using namespace locus;

namespace {

using Block = std::array<std::uint32_t, 4>;

Block first_block(Random random) { return {random.bits(), random.bits(), random.bits(), random.bits()}; }

// Pearson's statistic of counts that should all be equal.
double chi_square(const std::vector<int>& counts) {
  double total = 0, sum = 0;
  for (const int count : counts) total += count;
  const double expected = total / static_cast<double>(counts.size());
  for (const int count : counts) sum += (count - expected) * (count - expected) / expected;
  return sum;
}

// The value that chi-square of so many degrees of freedom exceeds with probability 1e-4.
double chi_square_limit(std::size_t cells) {
  const std::map<std::size_t, double> limit = {
      {1, 15.137}, {2, 18.421}, {5, 25.745}, {6, 27.856}, {9, 33.720}};
  return limit.at(cells - 1);
}

}  // namespace

// "Known answer tests" of the authors' library Random123, file tests/kat_vectors, lines "philox4x32 10".
TEST_CASE("philox: ten rounds give the published vectors") {
  CHECK(philox({0, 0, 0, 0}, {0, 0}) == Block{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  CHECK(philox({0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff}, {0xffffffff, 0xffffffff}) ==
        Block{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        Block{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

TEST_CASE("random: a stream is philox of (block, purpose, index) under the seed as key") {
  const std::uint64_t seed = 0x0123456789abcdef, index = 0xfedcba9876543210;
  Random random(seed, Purpose::testing, index);
  for (std::uint32_t block = 0; block < 3; ++block)
    for (const std::uint32_t expected :
         philox({block, static_cast<std::uint32_t>(Purpose::testing), 0x76543210, 0xfedcba98},
                {0x89abcdef, 0x01234567}))
      CHECK(random.bits() == expected);
}

TEST_CASE("random: streams of different seeds, purposes and indices differ; equal ones repeat") {
  std::set<Block> blocks;
  const std::vector<std::uint64_t> numbers = {0, 1, 2, 1ull << 32, (1ull << 32) + 1, 1ull << 63};
  for (const std::uint64_t seed : numbers)
    for (const auto purpose :
         {Purpose::initialisation, Purpose::training_data, Purpose::test_data, Purpose::validation_data,
          Purpose::ceiling, Purpose::positions, Purpose::statistics, Purpose::testing})
      for (const std::uint64_t index : numbers) {
        const Block block = first_block(Random(seed, purpose, index));
        CHECK(block == first_block(Random(seed, purpose, index)));
        blocks.insert(block);
      }
  CHECK(blocks.size() == numbers.size() * 8 * numbers.size());
}

TEST_CASE("random: uniform() is in [0, 1) and evenly spread (chi-square, level 1e-4)") {
  Random random(1, Purpose::testing);
  std::vector<int> counts(10);
  for (int i = 0; i < 100000; ++i) {
    const double x = random.uniform();
    if (!(x >= 0 && x < 1)) FAIL(x, " is not in [0, 1)");
    ++counts[static_cast<std::size_t>(10 * x)];
  }
  CHECK(chi_square(counts) < chi_square_limit(10));
}

TEST_CASE("random: below(n) gives 0 to n-1 with equal probability (chi-square, level 1e-4)") {
  Random random(2, Purpose::testing);
  for (const int n : {2, 3, 6, 7, 10}) {
    CAPTURE(n);
    std::vector<int> counts(static_cast<std::size_t>(n));
    for (int i = 0; i < 20000 * n; ++i) {
      const int x = random.below(n);
      if (x < 0 || x >= n) FAIL(x, " is not in 0 .. n-1");
      ++counts[static_cast<std::size_t>(x)];
    }
    CHECK(chi_square(counts) < chi_square_limit(counts.size()));
  }
  for (int i = 0; i < 10; ++i) CHECK(random.below(1) == 0);
}

// 2^32 is 8/3 of this n: without rejection, two remainders modulo 3 would be drawn 3 times
// for every 2 of the third.
TEST_CASE("random: below(n) has no bias for an n that is large and no power of two") {
  Random random(3, Purpose::testing);
  std::vector<int> counts(3);
  for (int i = 0; i < 60000; ++i) ++counts[static_cast<std::size_t>(random.below(3 << 29) % 3)];
  CHECK(chi_square(counts) < chi_square_limit(3));
}

// Each within four standard errors: a correct generator fails one of the four with probability below 3e-4.
TEST_CASE("random: normal() has the moments of the normal distribution") {
  Random random(4, Purpose::testing);
  constexpr int n = 200000;
  double moment[5] = {};
  for (int i = 0; i < n; ++i) {
    double power = 1;
    const double x = random.normal();
    for (int k = 1; k <= 4; ++k) moment[k] += (power *= x) / n;
  }
  const double variance_of_power[] = {0, 1, 2, 15, 96}, expected[] = {0, 0, 1, 0, 3};
  for (int k = 1; k <= 4; ++k) {
    CAPTURE(k);
    CHECK(std::abs(moment[k] - expected[k]) < 4 * std::sqrt(variance_of_power[k] / n));
  }
}

TEST_CASE("random: all orders of three are equally likely after a shuffle (chi-square, level 1e-4)") {
  Random random(5, Purpose::testing);
  std::map<std::array<int, 3>, int> seen;
  for (int i = 0; i < 60000; ++i) {
    std::array<int, 3> order = {0, 1, 2};
    random.shuffle(std::span<int>(order));
    ++seen[order];
  }
  REQUIRE(seen.size() == 6);
  std::vector<int> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  CHECK(chi_square(counts) < chi_square_limit(6));
}

TEST_CASE("random: a shuffle keeps what it shuffles, and leaves nothing and one alone") {
  Random random(6, Purpose::testing);
  std::vector<int> none, one = {7}, many(1000);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<int>(i);
  const std::vector<int> sorted = many;
  random.shuffle(std::span<int>(none));
  random.shuffle(std::span<int>(one));
  random.shuffle(std::span<int>(many));
  CHECK(one[0] == 7);
  CHECK(many != sorted);
  std::ranges::sort(many);
  CHECK(many == sorted);
}
