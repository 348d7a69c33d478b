// The checker of gradients must itself be able to say no.
#include "autograd/gradient_check.h"

#include <doctest/doctest.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "autograd/ops.h"

#ifdef LOCUS_DOUBLE

using namespace locus;

namespace {

using Slopes = std::array<double, 4>;
constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// 3 x for four numbers, with a backward that claims these slopes. It uses the name of another op: an op of
// its own would be in the list of all ops.
Tensor triple(Tensor x, Slopes slopes) {
  Tensor y = x.tape().result(x.shape(), {x});
  for (std::size_t i = 0; i < 4; ++i) y.value()[i] = 3 * x.value()[i];
  x.tape().record(*Op::all().front(), y, [=] {
    for (std::size_t i = 0; i < 4; ++i) x.gradient()[i] += slopes[i] * y.gradient()[i];
  });
  return y;
}

const Parameter left{{2, 2}, 0}, right{{3}, 4};

std::string check(const TensorFunction& f) {
  return check_gradients(f, {{"left", left}}, random_values(7, 1), 1);
}

std::string check_triple(Slopes slopes) {
  return check([&](Tape& tape) { return triple(tape.parameter(left), slopes); });
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("gradient check: passes a right gradient") {
  CHECK(check_triple({3, 3, 3, 3}) == "");
  CHECK(check([](Tape& tape) {
          return triple(triple(tape.parameter(left), {3, 3, 3, 3}), {3, 3, 3, 3});
        }) == "");
}

TEST_CASE(
    "gradient check: catches a single entry that is off by a hundred-thousandth, and says which and how "
    "much") {
  for (std::size_t entry = 0; entry < 4; ++entry) {
    Slopes slopes = {3, 3, 3, 3};
    slopes[entry] = 3.00003;
    const std::string message = check_triple(slopes);
    CAPTURE(message);
    CHECK(contains(message, "left (2,2), entry " + std::to_string(entry) + ": the tape says "));
    CHECK(contains(message, ", differences say "));
    CHECK(contains(message, "(relative error "));
  }
}

TEST_CASE("gradient check: catches a contribution that was forgotten and one that was added twice") {
  CHECK(check_triple({3, 0, 3, 3}) != "");
  CHECK(check_triple({3, 3, 6, 3}) != "");
  CHECK(check_triple({-3, -3, -3, -3}) != "");
}

TEST_CASE("gradient check: says that an op has no number at its inputs") {
  const std::string message =
      check([](Tape& tape) { return log1p(-100 - tape.parameter(left) * tape.parameter(left)); });
  CAPTURE(message);
  CHECK(message.find("left: a reference gradient is ") == 0);
  CHECK(contains(message, ": the op is not defined at these inputs"));
}

TEST_CASE("gradient check: refuses to compare with a gradient of zero") {
  const std::vector<CheckedInput> both = {{"left", left}, {"right", right}};
  const auto ignores_right = [](Tape& tape) { return 2 * tape.parameter(left); };
  const std::string message = check_gradients(ignores_right, both, random_values(7, 1), 1);
  CAPTURE(message);
  CHECK(contains(message, "right: the largest reference gradient is "));
  CHECK(contains(message, ", too near zero for a check to prove anything"));
  CHECK(check([](Tape& tape) { return 1e-5 * tape.parameter(left); }) != "");
}

TEST_CASE("gradient check: NaN never passes, on the tape or in the differences") {
  CHECK(check_triple({3, 3, not_a_number, 3}) != "");
  CHECK(check([](Tape& tape) { return not_a_number * tape.parameter(left); }) != "");
}

#endif
