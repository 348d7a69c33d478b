// Positions that digits of equal weight share.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "base/random.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

using Places = std::vector<double>;

// Where the scheme puts these tokens: bytes, in examples of this length; digits are those of text.
Places put(const std::string& spec, const std::string& tokens, int length, bool training = false,
           std::uint64_t stream = 0) {
  const std::vector<int> ten_digits = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'};
  ParameterTable table;
  const auto scheme =
      make_scheme(spec, {.d_model = 8, .heads = 2, .causal = true, .digits = ten_digits}, table);
  Reals parameters(table.count() + 1), gradients(table.count() + 1);
  Tape training_tape(parameters.data(), gradients.data()), test_tape(parameters.data());
  const std::vector<int> ids(tokens.begin(), tokens.end());
  const Places given(static_cast<std::size_t>(length), 100);  // wherever they are said to stand
  const Positions put =
      scheme->positions(training ? training_tape : test_tape,
                        {ids, length, {1, length, given.data()}, Random(1, Purpose::positions, stream)});
  CHECK(put.length == length);
  CHECK(put.rows * length == static_cast<int>(tokens.size()));
  return {put.all().begin(), put.all().end()};
}

}  // namespace

// 83 + 49 = 231 (38 + 94 = 132, least significant digit first), as a decoder reads it: ^ and > for BOS and SEP.
TEST_CASE("coupled: digits of the same weight share a position, and what comes next is one further") {
  CHECK(put("coupled", "^83+49=>231", 11) == Places{0, 1, 2, 0, 1, 2, 0, 0, 1, 2, 3});
  CHECK(put("coupled+learned", "^83+49=>231", 11) == put("coupled", "^83+49=>231", 11));
}

TEST_CASE("coupled: a number does not run on from one example into the next") {
  CHECK(put("coupled", "1+2345+6", 4) == Places{1, 0, 1, 2, 1, 2, 0, 1});
}

TEST_CASE("coupled: in training one offset is added to all positions of the batch, at test none") {
  const Places plain = put("coupled", "83+49=12+34=", 6);
  std::set<double> offsets;
  for (std::uint64_t stream = 0; stream < 200; ++stream) {
    const Places drawn = put("coupled:offset=5", "83+49=12+34=", 6, true, stream);
    offsets.insert(drawn[2]);  // of a sign
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(drawn[i] == plain[i] + drawn[2]);
  }
  CHECK(offsets == std::set<double>{0, 1, 2, 3, 4, 5});
  CHECK(put("coupled:offset=5", "83+49=12+34=", 6) == plain);
}

TEST_CASE("coupled: the control has the same positions in each number, in an order that is drawn") {
  const Places plain = put("coupled", "8351+4962=", 10);
  int moved = 0, apart = 0;
  for (std::uint64_t stream = 0; stream < 100; ++stream)
    for (const bool training : {false, true}) {
      Places drawn = put("coupled:ids=shuffled", "8351+4962=", 10, training, stream);
      moved += drawn != plain;
      apart += !std::equal(drawn.begin(), drawn.begin() + 4, drawn.begin() + 5);
      std::sort(drawn.begin(), drawn.begin() + 4);
      std::sort(drawn.begin() + 5, drawn.begin() + 9);
      CHECK(drawn == plain);
    }
  CHECK(moved > 180);  // one order in 24 x 24 is the plain one
  CHECK(apart > 170);  // one in 24 is the same in both numbers
}
