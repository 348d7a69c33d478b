// The rotary family against numbers worked out elsewhere (tests/golden/schemes.json), and the published
// mistakes that must be told from it.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "../golden/golden.h"
#include "../support/random_values.h"
#include "layer.h"
#include "positional/support/spec.h"

namespace rotary_test {

using namespace locus;

namespace {

constexpr double digits12 = 1e-11;  // the files hold 12 significant digits
constexpr double turned = sizeof(Real) == 8 ? digits12 : 1e-6;

std::unique_ptr<Scheme> scheme(const std::string& spec, int width) {
  ParameterTable table;
  return make_scheme(spec, {.d_model = width, .heads = 1, .causal = true}, table);
}

Frequencies frequencies(const std::string& spec, int width, int length = 1) {
  return scheme(spec, width)->frequencies(length);
}
std::vector<double> speeds(const std::string& spec, int width, int length = 1) {
  return frequencies(spec, width, length).inverse_frequency;
}

std::vector<double> pick(const std::vector<double>& all, const std::vector<std::size_t>& which) {
  std::vector<double> some;
  for (const std::size_t i : which) some.push_back(all.at(i));
  return some;
}

// Vectors, one for each position, as queries and as keys after the scheme, row by row.
struct Turned {
  std::vector<double> q, k;
};
Turned turn(const std::string& spec, const std::vector<double>& rows, const std::vector<double>& positions) {
  const int T = static_cast<int>(positions.size()), d = static_cast<int>(rows.size()) / T;
  const Reals values(rows.begin(), rows.end());
  Tape tape;
  Tensor q = tape.constant({1, 1, T, d}, values.data()), k = q;
  scheme(spec, d)->query_and_key(q, k, {q, q, k, {1, T, positions.data()}, 0});
  return {{q.value(), q.value() + q.count()}, {k.value(), k.value() + k.count()}};
}

// q at position m times k at position n.
double logit(const std::string& spec, const Json& golden, double m, double n) {
  std::vector<double> rows = numbers(golden, "q");
  const std::vector<double> k = numbers(golden, "k");
  rows.insert(rows.end(), k.begin(), k.end());
  const Turned both = turn(spec, rows, {m, n});
  double sum = 0;
  for (std::size_t c = 0; c < k.size(); ++c) sum += both.q[c] * both.k[k.size() + c];
  return sum;
}

}  // namespace

TEST_CASE("rope, pi: all speeds divided by the factor, so that position 7 is where 1.75 was") {
  const Json golden = golden_scheme("pi_linear");
  CHECK(difference(speeds("rope:extend=pi,factor=4", 8), numbers(golden, "d8_s4_inv_freq"), digits12) == "");
  const std::vector<double> angles = numbers(golden, "angle_pos7_s4_equals_angle_pos1.75");
  CHECK(difference({7 * speeds("rope:extend=pi,factor=4", 8)[1], 1.75 * speeds("rope", 8)[1]}, angles,
                   digits12) == "");
}

TEST_CASE("rope, ntk: the fastest pair untouched, the slowest divided by exactly the factor") {
  const Json golden = golden_scheme("ntk_aware");
  CHECK(difference(speeds("rope:extend=ntk,factor=4", 8), numbers(golden, "d8_s4_inv_freq"), digits12) == "");
  CHECK(numbers(golden, "check_last_inv_freq_is_original/4")[0] ==
        doctest::Approx(speeds("rope:extend=ntk,factor=4", 8).back()).epsilon(digits12));
  for (const int d : {8, 16, 64})
    for (const int s : {2, 4, 16}) {
      CAPTURE(d);
      CAPTURE(s);
      const double base = numbers(golden.member("new_base", "golden"), str("d", d, "_s", s)).at(0);
      CHECK(difference(speeds(str("rope:extend=ntk,factor=", s), d), speeds(str("rope:base=", base), d),
                       digits12) == "");
    }
}

// An article in circulation multiplies theta_i by alpha^(2i/d), alpha = s^(1/(d-2)): every clock goes faster.
TEST_CASE("rope, ntk: a misprinted formula, which speeds clocks up, is told from it") {
  constexpr int d = 64;
  constexpr double s = 4;
  const std::vector<double> plain = speeds("rope", d), right = speeds("rope:extend=ntk,factor=4", d);
  std::vector<double> misprinted;
  for (int i = 0; i < d / 2; ++i)
    misprinted.push_back(plain[static_cast<std::size_t>(i)] *
                         std::pow(std::pow(s, 1.0 / (d - 2)), 2.0 * i / d));
  CHECK(misprinted.back() / plain.back() == doctest::Approx(1.02).epsilon(0.005));
  CHECK(right.back() / plain.back() == doctest::Approx(0.25).epsilon(1e-12));
  for (std::size_t k = 1; k < plain.size(); ++k) {
    CHECK(right[k] < plain[k]);
    CHECK(misprinted[k] > plain[k]);
  }
}

TEST_CASE("rope, dynamic: the base grows with the input, once it is longer than trained on") {
  const Json golden = golden_scheme("dynamic_ntk");
  const Json bases = golden.member("d64_L2048", "golden");
  for (const int factor : {1, 2, 4})
    for (const int length : {1000, 2048, 2049, 4096, 8192}) {
      CAPTURE(factor);
      CAPTURE(length);
      const std::string spec = str("rope:extend=dynamic,original=2048,factor=", factor);
      const double base = numbers(bases, str("factor", factor, "_seq", length)).at(0);
      CHECK(difference(speeds(spec, 64, length), speeds(str("rope:base=", base), 64), digits12) == "");
    }
  for (const int factor : {1, 2})
    CHECK(difference(pick(speeds(str("rope:extend=dynamic,original=2048,factor=", factor), 64, 4096),
                          {0, 1, 15, 16, 31}),
                     numbers(golden, str("d64_L2048_factor", factor, "_seq4096_inv_freq_idx0,1,15,16,31")),
                     digits12) == "");
  CHECK(difference(speeds("rope:extend=dynamic,original=16", 8, 32),
                   numbers(golden, "tiny_d8_L16_factor1_seq32_inv_freq"), digits12) == "");
}

TEST_CASE("rope, dynamic: the input's length decides in the model, not only on paper") {
  const std::vector<double> x = {1, 2, 3, 4};
  std::vector<double> rows;
  for (int t = 0; t < 6; ++t) rows.insert(rows.end(), x.begin(), x.end());
  const std::vector<double> six = {0, 1, 2, 3, 4, 5};
  const std::string spec = "rope:base=100,extend=dynamic,original=3";
  const auto first_three = [&](const std::vector<double>& q) {
    return std::vector(q.begin(), q.begin() + 12);
  };
  const std::vector<double> three = turn(spec, first_three(rows), {0, 1, 2}).q;
  CHECK(difference(three, turn("rope:base=100", first_three(rows), {0, 1, 2}).q, 0) == "");
  CHECK(difference(first_three(turn(spec, rows, six).q), three, 1e-3) != "");
  CHECK(difference(turn(spec, rows, six).q, turn("rope:base=100,extend=ntk,factor=2", rows, six).q, turned) ==
        "");
}

TEST_CASE("rope, yarn: the ramp between plain and interpolated speeds, and the temperature") {
  const Json golden = golden_scheme("yarn");
  const struct {
    const char *key, *spec;
    int width;
  } cases[] = {{"d64_base1e4_L2048_s16_bf32_bs1", "factor=16,original=2048", 64},
               {"tiny_d8_base1e4_L32_s4", "factor=4,original=32", 8},
               {"tiny_d16_base1e4_L32_s2", "factor=2,original=32", 16},
               {"tiny_d8_base1e4_L32_s4_bf4_bs1", "factor=4,original=32,beta_fast=4,beta_slow=1", 8}};
  for (const auto& one : cases) {
    CAPTURE(one.key);
    const Json expected = golden.member(one.key, "golden");
    const Frequencies ours = frequencies(str("rope:extend=yarn,", one.spec), one.width);
    CHECK(difference(ours.inverse_frequency, numbers(expected, "inv_freq"), digits12) == "");
    CHECK(difference({ours.scale}, numbers(expected, "attention_factor"), digits12) == "");
  }
}

TEST_CASE("rope: a temperature multiplies queries and keys, so scores by its square") {
  const Json golden = golden_scheme("yarn");
  for (const int s : {1, 2, 4, 8, 16, 32}) {
    const double expected = numbers(golden.member("attention_factor_by_s", "golden"), str(s)).at(0);
    for (const char* spec :
         {"rope:extend=yarn,original=2048", "rope:temperature=on", "rope:temperature=on,extend=pi"})
      CHECK(difference({frequencies(str(spec, ",factor=", s), 64).scale}, {expected}, digits12) == "");
  }
  CHECK(frequencies("rope:extend=yarn,factor=4,original=32,temperature=off", 8).scale == 1);
  CHECK(frequencies("rope:extend=ntk,factor=4", 8).scale == 1);
  CHECK(frequencies("rope:extend=dynamic,original=16,temperature=on", 8, 64).scale ==
        frequencies("rope:temperature=on,factor=4", 8).scale);

  const Json vectors = golden_scheme("rope");
  const double squared = numbers(golden, "attention_factor_squared(effective logit multiplier)").at(0);
  const double hot = logit("rope:temperature=on,factor=16", vectors, 3, 1),
               cold = logit("rope", vectors, 3, 1);
  CHECK(difference({hot / cold}, {squared}, 10 * turned) == "");
}

TEST_CASE("rope, longrope: each pair slowed by a number of its own, and a temperature of its own") {
  const Json golden = golden_scheme("longrope");
  CHECK(difference(speeds("rope:extend=longrope,factor=4,original=32,rescale=1/1.5/3/4", 8),
                   numbers(golden, "d8_rescale[1,1.5,3,4]_inv_freq"), digits12) == "");
  const auto scale = [](const char* settings) {
    return std::vector{frequencies(str("rope:extend=longrope,", settings), 8).scale};
  };
  CHECK(difference(scale("factor=16,original=2048"), numbers(golden, "L2048_s16"), digits12) == "");
  CHECK(difference(scale("factor=32,original=4096"), numbers(golden, "L4096_s32(Phi3)"), digits12) == "");
  CHECK(difference(scale("factor=4,original=32"), numbers(golden, "L32_s4"), digits12) == "");
}

TEST_CASE("rope, llama3: fast pairs untouched, slow ones divided, those between mixed") {
  const Json golden = golden_scheme("llama3_rope");
  const std::string spec = "rope:base=500000,extend=llama3,factor=8,original=8192";
  const std::vector<double> ours = speeds(spec, 128), plain = speeds("rope:base=500000", 128);
  CHECK(difference(pick(ours, {0, 28, 29, 32, 34, 35, 36, 63}),
                   numbers(golden, "d128_base5e5_f8_lo1_hi4_L8192_idx0,28,29,32,34,35,36,63"),
                   digits12) == "");
  std::vector<int> counts(3);  // unchanged, mixed, divided
  for (std::size_t k = 0; k < ours.size(); ++k)
    ++counts[ours[k] == plain[k] ? 0 : ours[k] == plain[k] / 8 ? 2 : 1];
  CHECK(counts == integers(golden, "n_unchanged,n_mixed,n_divided"));
  CHECK(difference(speeds("rope:base=100,extend=llama3,factor=4,original=32", 8),
                   numbers(golden, "tiny_d8_base100_f4_lo1_hi4_L32"), digits12) == "");
  CHECK(difference(speeds("rope:base=100", 8), numbers(golden, "tiny_d8_base100_inv_freq"), digits12) == "");
}

TEST_CASE("rope, prope: speeds of the whole head, the slow pairs still; partial rotation has others") {
  const Json golden = golden_scheme("p_rope");
  for (const char* p : {"0.75", "0.25"})
    CHECK(difference(speeds(str("rope:extend=prope,fraction=", p), 8), numbers(golden, str("d8_p", p)),
                     digits12) == "");
  CHECK(difference(speeds("rope:fraction=0.5", 8),
                   numbers(golden, "contrast_partial_rotary_d8_fraction0.5(inv_freq computed with dim=4)"),
                   digits12) == "");
}

TEST_CASE("rope: how many pairs turn more than half a radian within a window") {
  const Json golden = golden_scheme("effective_rope_dims_for_toys");
  const struct {
    const char *key, *spec;
    int width, window;
  } cases[] = {{"d8_base1e4_L32", "rope", 8, 32},
               {"d8_base100_L32", "rope:base=100", 8, 32},
               {"d16_base1e4_L32", "rope", 16, 32},
               {"d16_base100_L32", "rope:base=100", 16, 32},
               {"d64_base1e4_L2048", "rope", 64, 2048}};
  for (const auto& one : cases) {
    int turning = 0;
    for (const double speed : speeds(one.spec, one.width)) turning += speed * one.window > 0.5;
    CHECK(std::vector{turning} == integers(golden, one.key));
  }
}

namespace {

// Rope as one gets it wrong: a vector of four channels at a position, as a query or as a key.
using Vector = std::vector<double>;
struct Slip {
  const char* name;
  Vector (*turn)(const Vector& x, double position, bool is_query);
  bool keeps_lengths, knows_distances_only;
};

Vector turn_pairs(const Vector& x, double first_angle, double second_angle) {
  const double c = std::cos(first_angle), s = std::sin(first_angle), c2 = std::cos(second_angle),
               s2 = std::sin(second_angle);
  return {x[0] * c - x[1] * s, x[0] * s + x[1] * c, x[2] * c2 - x[3] * s2, x[2] * s2 + x[3] * c2};
}

const Slip right = {"none", [](const Vector& x, double p, bool) { return turn_pairs(x, p, p / 100); }, true,
                    true};
const Slip slips[] = {
    {"keys are forgotten",
     [](const Vector& x, double p, bool is_query) { return is_query ? turn_pairs(x, p, p / 100) : x; }, true,
     false},
    {"keys turn the other way",
     [](const Vector& x, double p, bool is_query) {
       return is_query ? turn_pairs(x, p, p / 100) : turn_pairs(x, -p, -p / 100);
     },
     true, false},
    {"both sines have a plus",
     [](const Vector& x, double p, bool) {
       const double c = std::cos(p), s = std::sin(p), c2 = std::cos(p / 100), s2 = std::sin(p / 100);
       return Vector{x[0] * c + x[1] * s, x[0] * s + x[1] * c, x[2] * c2 + x[3] * s2, x[2] * s2 + x[3] * c2};
     },
     false, false},
    {"the pairs of one layout, the angles of the other",
     [](const Vector& x, double p, bool) {
       const double c = std::cos(p), s = std::sin(p), c2 = std::cos(p / 100), s2 = std::sin(p / 100);
       return Vector{x[0] * c - x[1] * s, x[1] * c2 + x[0] * s2, x[2] * c - x[3] * s, x[3] * c2 + x[2] * s2};
     },
     false, false},
    {"the exponent halved", [](const Vector& x, double p, bool) { return turn_pairs(x, p, p / 10); }, true,
     true},
    {"one layout where the other is meant",
     [](const Vector& x, double p, bool) {
       const Vector y = turn_pairs({x[0], x[2], x[1], x[3]}, p, p / 100);
       return Vector{y[0], y[2], y[1], y[3]};
     },
     true, true}};

double score(const Slip& slip, const Json& golden, double m, double n) {
  const Vector q = slip.turn(numbers(golden, "q"), m, true), k = slip.turn(numbers(golden, "k"), n, false);
  return q[0] * k[0] + q[1] * k[1] + q[2] * k[2] + q[3] * k[3];
}

}  // namespace

TEST_CASE("rope: every slip gives another score than the golden one, though some break nothing else") {
  const Json golden = golden_scheme("rope");
  const double expected = numbers(golden, "dot_inter_(m,n)=(3,1)").at(0);
  const auto holds = [](double a, double b) { return std::abs(a - b) < 1e-6; };
  CHECK(holds(score(right, golden, 3, 1), expected));
  CHECK(holds(logit("rope", golden, 3, 1), expected));
  for (const Slip& slip : slips) {
    CAPTURE(slip.name);
    CHECK_FALSE(holds(score(slip, golden, 3, 1), expected));
    CHECK(holds(score(slip, golden, 3, 1), score(slip, golden, 8, 6)) == slip.knows_distances_only);
    const Vector x = numbers(golden, "q"), y = slip.turn(x, 3, true);
    CHECK(holds(std::hypot(std::hypot(x[0], x[1]), std::hypot(x[2], x[3])),
                std::hypot(std::hypot(y[0], y[1]), std::hypot(y[2], y[3]))) == slip.keeps_lengths);
  }
}

TEST_CASE("xpos: queries fade and keys grow by zeta, counted from the middle of the input") {
  const Json golden = golden_scheme("xpos");
  const std::vector<double> from_the_middle = numbers(golden, "scale_d8_L8_rows(pos -4..3)");
  std::vector<double> ones;
  for (int i = 0; i < 64; ++i) ones.push_back(i % 2 == 0 ? 1 : 0);  // (1, 0) in every pair of 8 vectors
  const Turned both = turn("xpos", ones, {0, 1, 2, 3, 4, 5, 6, 7});
  std::vector<double> fading, growing;
  for (std::size_t i = 0; i < 64; i += 2) {
    fading.push_back(std::hypot(both.q[i], both.q[i + 1]));
    growing.push_back(1 / std::hypot(both.k[i], both.k[i + 1]));
  }
  CHECK(difference(fading, from_the_middle, turned) == "");
  CHECK(difference(growing, from_the_middle, turned) == "");
  CHECK(speeds("xpos", 8) == speeds("rope", 8));

  // zeta itself shows one scale_base away: a query at -1 from the middle grows by 1 / zeta when B = 1.
  for (const auto& [width, key] : {std::pair{8, "zeta_d8"}, {64, "zeta_d64_idx0,1,16,31"}}) {
    std::vector<double> two(2 * static_cast<std::size_t>(width));
    for (std::size_t i = 0; i < two.size(); i += 2) two[i] = 1;
    const std::vector<double> q = turn("xpos:scale_base=1", two, {0, 1}).q;
    std::vector<double> zeta;
    for (std::size_t i = 0; i < static_cast<std::size_t>(width); i += 2)
      zeta.push_back(1 / std::hypot(q[i], q[i + 1]));
    CHECK(difference(width == 8 ? zeta : pick(zeta, {0, 1, 16, 31}), numbers(golden, key), turned) == "");
  }
}

TEST_CASE("xpos: every score is that of its distance, however far the positions are from one another") {
  constexpr int pairs = 4;
  one_layer::Layer layer(1, 600, 2 * pairs);
  const auto check = [&](double scale, double scale_base) {
    CAPTURE(scale);
    for (int t = 0; t < layer.T; ++t) layer.places[one_layer::Layer::count(t)] = scale * t;
    const std::string spec = str("xpos:scale_base=", scale_base);
    const one_layer::Numbers scores = one_layer::Subject(spec, one_layer::context_of(layer)).scores(layer);
    double worst = 0;
    for (int i = 0, n = 0; i < layer.T; ++i)
      for (int j = 0; j < layer.T; ++j, ++n) {
        if (j > i) continue;
        double score = 0;
        for (int pair = 0; pair < pairs; ++pair) {
          const double far = scale * (i - j), zeta = (2 * pair + 0.4 * 2 * pairs) / (1.4 * 2 * pairs);
          const std::complex<double> q(layer.q_at(0, i, 2 * pair), layer.q_at(0, i, 2 * pair + 1)),
              k(layer.k_at(0, j, 2 * pair), layer.k_at(0, j, 2 * pair + 1));
          const double theta = std::pow(10000, -1.0 * pair / pairs);
          score +=
              std::pow(zeta, far / scale_base) * (q * std::conj(k) * std::polar(1.0, far * theta)).real();
        }
        const double off = std::abs(scores[one_layer::Layer::count(n)] - score / std::sqrt(2 * pairs));
        worst = off <= worst ? worst : off;  // NaN counts
      }
    CHECK(worst < (sizeof(Real) == 8 ? 1e-9 : 1e-5));
  };
  check(1, 512);
  check(1, 2);
  check(10000, 512);
}

TEST_CASE("xpos: a score depends on the distance only; with a small B it fades, and grows ahead") {
  const Json golden = golden_scheme("xpos");
  const auto check = [&](const char* spec, double m, double n, const char* key) {
    CAPTURE(key);
    CHECK(difference({logit(spec, golden, m, n)}, numbers(golden, key), turned) == "");
  };
  check("xpos", 3, 1, "logit_(m,n)=(3,1)");
  check("xpos", 103, 101, "logit_(103,101)");
  check("xpos:scale_base=8", 3, 1, "logit_(3,1)_B8");
  check("xpos:scale_base=8", 1, 3, "logit_(1,3)_B8_(future key GROWS)");
}

}  // namespace rotary_test
