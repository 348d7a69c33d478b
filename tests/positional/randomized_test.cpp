// Positions drawn at random.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "../support/errors.h"
#include "base/random.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

using Places = std::vector<double>;

// Where the scheme puts tokens that come at these places, row by row.
Places put(const std::string& spec, const Places& places, std::uint64_t stream = 0, bool training = true,
           int rows = 1) {
  ParameterTable table;
  const auto scheme = make_scheme(spec, {.d_model = 8, .heads = 2, .causal = false}, table);
  Reals parameters(table.count() + 1), gradients(table.count() + 1);
  Tape training_tape(parameters.data(), gradients.data()), test_tape(parameters.data());
  const int T = static_cast<int>(places.size()) / rows;
  const Positions put =
      scheme->positions(training ? training_tape : test_tape,
                        {{}, T, {rows, T, places.data()}, Random(1, Purpose::positions, stream)});
  CHECK(put.rows == rows);
  CHECK(put.length == T);
  return {put.all().begin(), put.all().end()};
}

const Places four = {0, 1, 2, 3};

}  // namespace

TEST_CASE("randomized: different whole numbers below the range, rising, another draw from every stream") {
  Places last;
  for (std::uint64_t stream = 0; stream < 200; ++stream) {
    const Places drawn = put("randomized:range=20", four, stream);
    for (std::size_t t = 0; t < 4; ++t) {
      CHECK(drawn[t] == static_cast<int>(drawn[t]));
      CHECK((drawn[t] >= 0 && drawn[t] < 20));
      if (t > 0) CHECK(drawn[t - 1] < drawn[t]);
    }
    CHECK(put("randomized:range=20", four, stream) == drawn);
    CHECK(drawn != last);
    last = drawn;
  }
}

// 15 choices of 2 from 6, each with probability 1/15. Of 3000 draws each gets 200 with deviation 13.7; six
// deviations is one false alarm in 30 million.
TEST_CASE("randomized: every choice is equally likely") {
  std::map<Places, int> counts;
  for (std::uint64_t stream = 0; stream < 3000; ++stream) ++counts[put("randomized:range=6", {0, 1}, stream)];
  CHECK(counts.size() == 15);
  for (const auto& [choice, count] : counts) CHECK(std::abs(count - 200) < 6 * 13.7);
}

TEST_CASE("randomized: a full range leaves nothing to choose") {
  CHECK(put("randomized:range=4", four) == four);
  CHECK(put("randomized:range=4,test=sorted", four, 0, false) == four);
}

TEST_CASE("randomized: only the order of the given positions counts, and the batch shares one draw") {
  const Places drawn = put("randomized", four);
  CHECK(put("randomized", {1000, 1001.5, 1002, 5000}) == drawn);
  CHECK(put("randomized", {3, 0, 2, 1}) == Places{drawn[3], drawn[0], drawn[2], drawn[1]});
  CHECK(put("randomized", {0, 1, 1, 0}) == Places{drawn[0], drawn[2], drawn[3], drawn[1]});  // as given
  CHECK(put("randomized", {0, 1, 2, 3, 7, 6, 5, 4}, 0, true, 2) ==
        Places{drawn[0], drawn[1], drawn[2], drawn[3], drawn[3], drawn[2], drawn[1], drawn[0]});
}

TEST_CASE("randomized: at test drawn as well, or evenly spaced; in training always drawn") {
  CHECK(put("randomized", four, 0, false) == put("randomized", four, 0, true));
  CHECK(put("randomized:test=sorted", four, 0, true) == put("randomized", four, 0, true));
  CHECK(put("randomized:range=9,test=sorted", four, 0, false) == Places{1, 3, 5, 7});  // 10 (r+1) / 5 - 1
  CHECK(put("randomized:range=9,test=sorted", {0}, 5, false) == Places{4});
}

// The r-th smallest of L from 0 .. range-1 has mean (r+1) (range+1) / (L+1) - 1; 4000 draws of numbers below
// 39 with deviation less than 10 have a mean within 0.8 of it, at five deviations.
TEST_CASE("randomized: evenly spaced is where draws have their mean") {
  Places sums(4);
  for (std::uint64_t stream = 0; stream < 4000; ++stream) {
    const Places drawn = put("randomized:range=39", four, stream);
    for (std::size_t t = 0; t < 4; ++t) sums[t] += drawn[t] / 4000;
  }
  const Places sorted = put("randomized:range=39,test=sorted", four, 0, false);
  for (std::size_t t = 0; t < 4; ++t) CHECK(std::abs(sums[t] - sorted[t]) < 0.8);
}

TEST_CASE("randomized: left to itself it draws what the other scheme knows") {
  double largest = 0;
  for (std::uint64_t stream = 0; stream < 50; ++stream)
    largest = std::max(largest, put("randomized+learned:capacity=8", four, stream).back());
  CHECK(largest == 7);
  CHECK(put("learned:capacity=4+randomized", four) == four);
  CHECK(put("randomized+rope", four) == put("randomized:range=2048", four));
}

TEST_CASE("randomized: more tokens than positions is an error") {
  CHECK(error_of([] { put("randomized:range=3", four); }) ==
        "[randomized] 4 tokens cannot have 3 different positions. Hint: give randomized:range=4 or more");
}
