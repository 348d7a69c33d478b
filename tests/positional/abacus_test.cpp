// Places of digits within their numbers.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <vector>

#include "../golden/golden.h"
#include "../support/errors.h"
#include "base/random.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

// Token ids are bytes here, and the digits those of text.
const std::vector<int> digits = {'0', '1', '2', '3', '4', '5', '6', '7', '8', '9'};

// The row of the table that each token of the text got: the table holds its own row numbers.
std::vector<int> rows(const std::string& spec, const std::string& tokens, int length,
                      const std::vector<int>& known_digits = digits, bool training = false,
                      std::uint64_t stream = 0) {
  ParameterTable table;
  const auto scheme =
      make_scheme(spec, {.d_model = 1, .heads = 1, .causal = false, .digits = known_digits}, table);
  Reals parameters(table.count()), gradients(table.count());
  for (std::size_t row = 0; row < parameters.size(); ++row) parameters[row] = static_cast<Real>(row);
  Tape training_tape(parameters.data(), gradients.data()), test_tape(parameters.data());
  Tape& tape = training ? training_tape : test_tape;
  const std::vector<int> ids(tokens.begin(), tokens.end());
  const Reals zeros(ids.size());
  const Tensor x = tape.constant({static_cast<int>(ids.size()) / length, length, 1}, zeros.data());
  const Tensor y =
      scheme->embedding(x, {ids, length, {1, length, nullptr}, Random(1, Purpose::positions, stream)});
  return {y.value(), y.value() + y.count()};
}

}  // namespace

TEST_CASE("abacus: digits count from 1 within their number, all else is 0") {
  const Json golden = golden_scheme("abacus");
  CHECK(rows("abacus", "12+345=0753", 11) == integers(golden, "ids_of_\"12+345=0753\""));
  CHECK(rows("abacus", "++", 2) == std::vector{0, 0});
}

TEST_CASE("abacus: a number does not run on from one example into the next") {
  CHECK(rows("abacus", "1+2345+6", 4) == std::vector{1, 0, 1, 2, 1, 2, 0, 1});
}

TEST_CASE("abacus: where no digits are named, every token is one") {
  CHECK(rows("abacus", "a+b7", 4, {}) == std::vector{1, 2, 3, 4});
}

TEST_CASE("abacus: in training one offset is drawn for all digits of the batch, at test none") {
  const Json golden = golden_scheme("abacus");
  const std::vector<int> plain = integers(golden, "ids_of_\"12+345=0753\"");
  std::set<int> offsets;
  for (std::uint64_t stream = 0; stream < 200; ++stream) {
    const std::vector<int> drawn = rows("abacus:offset=5", "12+345=0753", 11, digits, true, stream);
    const int offset = drawn[0] - 1;
    offsets.insert(offset);
    for (std::size_t i = 0; i < plain.size(); ++i) CHECK(drawn[i] == (plain[i] ? plain[i] + offset : 0));
    if (offset == 5) CHECK(drawn == integers(golden, "with_k5"));
  }
  CHECK(offsets == std::set{0, 1, 2, 3, 4, 5});
  CHECK(rows("abacus:offset=5", "12+345=0753", 11) == plain);
  CHECK(rows("abacus", "12+345=0753", 11, digits, true) == plain);
}

TEST_CASE("abacus: a number too long for the table is an error") {
  CHECK(rows("abacus:capacity=3", "123", 3) == std::vector{1, 2, 3});
  CHECK(error_of([] { rows("abacus:capacity=3", "+1234", 5); }) ==
        "[abacus] digit 4 of a number needs row 4 of a table of 3. Hint: give abacus:capacity=N, as much as "
        "the longest number and the offset");
}
