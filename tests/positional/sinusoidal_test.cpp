// What the sinusoid promises, and the slips seen in print and in homework: each passes a test of shapes, and
// is told from the right formula by its numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "../golden/golden.h"
#include "../support/errors.h"
#include "positional/support/sinusoid.h"
#include "positional/support/spec.h"

namespace sinusoidal_test {

using namespace locus;

namespace {

using Code = std::vector<double>;
using Formula = std::function<Code(double position, int width)>;

Code scheme_code(double position, int width) {
  ParameterTable table;
  return make_scheme("sinusoidal", {.d_model = width, .heads = 1, .causal = false}, table)
      ->code(position, 0, nullptr);
}

double dot(const Code& a, const Code& b) { return std::inner_product(a.begin(), a.end(), b.begin(), 0.0); }

// angle(p, pair k, cosine?, width) in channels 2k and 2k + 1.
Formula interleaved(std::function<double(double, int, bool, int)> angle) {
  return [angle](double p, int width) {
    Code code;
    for (int c = 0; c < width; ++c) {
      const double turned = angle(p, c / 2, c % 2 == 1, width);
      code.push_back(c % 2 == 1 ? std::cos(turned) : std::sin(turned));
    }
    return code;
  };
}

struct Slip {
  const char* name;
  Formula code;
};
const Slip slips[] = {
    {"the exponent doubled",
     interleaved([](double p, int k, bool, int d) { return p * std::pow(1e4, -4.0 * k / d); })},
    {"sine and cosine of different speeds", interleaved([](double p, int k, bool cosine, int d) {
       return p * std::pow(1e4, -(2.0 * k + cosine) / d);
     })},
    {"p / 10000 ** 2k / d, read from the left",
     interleaved([](double p, int k, bool, int d) { return p / std::pow(1e4, 2.0 * k) / d; })},
    {"the exponent over d - 2, as ladders to both ends have it",
     interleaved([](double p, int k, bool, int d) { return p * std::pow(1e4, -2.0 * k / (d - 2)); })},
    {"positions from 1",
     interleaved([](double p, int k, bool, int d) { return (p + 1) * std::pow(1e4, -2.0 * k / d); })},
    {"all sines, then all cosines", [](double p, int d) {
       Code code;
       for (int c = 0; c < d; ++c) {
         const double angle = p * std::pow(1e4, -2.0 * (c % (d / 2)) / d);
         code.push_back(c < d / 2 ? std::sin(angle) : std::cos(angle));
       }
       return code;
     }}};

bool on_the_ladder(const Formula& code) {
  const Json golden = golden_scheme("sinusoid");
  return difference(code(3, 6), numbers(golden, "d6_row3_interleaved"), 1e-11).empty();
}

bool knows_distances_only(const Formula& code) {
  for (const double shift : {1.0, 7.0, 100.0})
    for (const double distance : {1.0, 2.0, 5.0})
      if (std::abs(dot(code(shift, 6), code(shift + distance, 6)) - dot(code(0, 6), code(distance, 6))) >
          1e-9)
        return false;
  return true;
}

}  // namespace

TEST_CASE("sinusoidal: every slip is off the golden ladder") {
  CHECK(on_the_ladder(scheme_code));
  for (const Slip& slip : slips) {
    CAPTURE(slip.name);
    CHECK(slip.code(3, 6).size() == 6);  // the test that all of them pass
    CHECK_FALSE(on_the_ladder(slip.code));
  }
}

TEST_CASE(
    "sinusoidal: the dot product of two codes depends on their distance; two speeds in a pair break it") {
  CHECK(knows_distances_only(scheme_code));
  for (const Slip& slip : slips) {
    CAPTURE(slip.name);
    CHECK(knows_distances_only(slip.code) ==
          (std::string(slip.name) != "sine and cosine of different speeds"));
  }
}

TEST_CASE("sinusoidal: a learned scale starts at 1 and multiplies what is added, and the code") {
  ParameterTable table;
  const auto scheme =
      make_scheme("sinusoidal:scale=learned", {.d_model = 6, .heads = 1, .causal = false}, table);
  CHECK(table.sample(1) == Reals{1});
  CHECK(scheme->claims().parameters == 1);
  const Reals quarter = {0.25}, zeros(6, 0);
  const double place[] = {3};
  const std::vector<int> token = {0};
  Reals gradients = {0};
  Tape tape(quarter.data(), gradients.data());
  const Tensor x = tape.constant({1, 1, 6}, zeros.data());
  const Tensor added = scheme->embedding(x, {token, 1, {1, 1, place}});
  Code expected = scheme_code(3, 6);
  const double length = dot(expected, expected);
  for (double& c : expected) c *= 0.25;
  CHECK(difference({added.value(), added.value() + 6}, expected, 1e-6) == "");
  CHECK(difference(scheme->code(3, 1, quarter.data()), expected, 1e-12) == "");
  tape.backward(added, added.value());  // d(|y|^2 / 2) / d scale = y . PE = scale |PE|^2
  CHECK(static_cast<double>(gradients[0]) == doctest::Approx(0.25 * length).epsilon(1e-6));
}

TEST_CASE("sinusoidal: one matrix leads from each position to that k further on") {
  for (const int width : {2, 32})
    for (const double base : {10.0, 10000.0})
      for (const double k : {1.0, -3.0, 0.5, 40.0}) {
        const std::vector<double> M = shift_matrix(k, width, base);
        for (double p = 0; p < 200; ++p) {
          const Code here = sinusoid(p, width, base), there = sinusoid(p + k, width, base);
          for (std::size_t row = 0; row < here.size(); ++row) {
            const double* entries = &M[row * here.size()];
            CHECK(std::abs(std::inner_product(here.begin(), here.end(), entries, 0.0) - there[row]) < 1e-12);
          }
        }
      }
  CHECK(error_of([] { shift_matrix(1, 7); }) ==
        "[shift_matrix] width 7: the last sine has no cosine to turn with. Hint: an even width");
}

TEST_CASE("sinusoidal: the dot product falls with distance, but not for long") {
  const auto rises_at = [](int width) {
    int distance = 1;
    const Code first = sinusoid(0, width);
    while (dot(first, sinusoid(distance, width)) < dot(first, sinusoid(distance - 1, width))) ++distance;
    return distance;
  };
  CHECK(rises_at(64) == 6);
  CHECK(rises_at(512) == 44);
}

}  // namespace sinusoidal_test
