// Chapter 11. The speeds that the learner's lines give are compared with formulas worked out here in another form.
#include "lessons/tools/check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <functional>
#include <numbers>
#include <string>
#include <vector>

#include "base/error.h"
#include "lessons/11_longer/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "positional/support/rotary_extensions.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

constexpr double pi = std::numbers::pi;

std::unique_ptr<Scheme> rope(const std::string& options, int d) {
  ParameterTable table;
  return make_scheme("rope:" + options, {.d_model = d, .heads = 1, .causal = false}, table);
}

double plain_speed(double base, int d, int pair) {
  return std::exp(-std::log(base) * static_cast<double>(2 * pair) / d);
}

// A head whose speeds are asked for: rope with these options, in inputs of `length` tokens.
struct Head {
  std::string options;
  double base;
  int d, length;
};

// Compares all speeds of each head with base^(-2i/d) times what `right` gives for pair i of head number `head`.
void compare_speeds(const std::vector<Head>& heads,
                    const std::function<double(std::size_t head, int pair)>& right,
                    const char* file = __builtin_FILE()) {
  std::vector<std::string> inputs;
  for (const Head& head : heads)
    inputs.push_back(
        str("speeds of rope:", head.options, ", head width ", head.d, ", ", head.length, " tokens"));
  compare(
      inputs, {"pair"},
      [&](std::size_t i) {
        return list(rope(heads[i].options, heads[i].d)->frequencies(heads[i].length).inverse_frequency);
      },
      [&](std::size_t i) {
        std::vector<double> speeds;
        for (int pair = 0; pair < heads[i].d / 2; ++pair)
          speeds.push_back(plain_speed(heads[i].base, heads[i].d, pair) * right(i, pair));
        return list(speeds);
      },
      1e-9, {}, file);
}

// A function that gives one number, at several inputs.
void compare_numbers(const std::vector<std::string>& calls, const std::function<double(std::size_t)>& yours,
                     const std::function<double(std::size_t)>& right, const char* file = __builtin_FILE()) {
  compare(
      calls, {"number"}, [&](std::size_t i) { return list({yours(i)}); },
      [&](std::size_t i) { return list({right(i)}); }, 1e-9, {}, file);
}

// A straight line from 0 at x = from to 1 at x = to, level outside.
double line(double x, double from, double to) {
  if (x <= from) return 0;
  return x >= to ? 1 : (x - from) / (to - from);
}

// A bar for each clock of a head of 16 channels: its angle at the last of 64 tokens, of that at the last of 16 in training.
std::vector<std::string> reach_of(const std::string& extension) {
  const auto trained = rope("base=100", 16)->frequencies(16).inverse_frequency,
             read = rope("base=100," + extension, 16)->frequencies(64).inverse_frequency;
  std::vector<std::string> bars;
  for (std::size_t pair = 0; pair < read.size(); ++pair)
    bars.push_back(bar(read[pair] * 63 / (trained[pair] * 15) / 4.2, 42));
  return bars;
}

}  // namespace

TEST_CASE("11.1 position interpolation") {
  const double factors[] = {2.5, 7};
  compare_speeds({{"base=9,extend=pi,factor=2.5", 9, 8, 6}, {"base=10000,extend=pi,factor=7", 10000, 12, 6}},
                 [&](std::size_t head, int) { return 1 / factors[head]; });

  show(
      "How far each of 8 clocks goes in 64 tokens, slowed by your line; a column is a tenth of training at 16",
      reach_of("extend=pi,factor=4"));
}

TEST_CASE("11.2 NTK-aware: the fastest pair untouched, the slowest interpolated") {
  const double factors[] = {2.5, 7, 3};
  const int widths[] = {8, 12, 4};
  compare_speeds({{"base=9,extend=ntk,factor=2.5", 9, 8, 6},
                  {"base=10000,extend=ntk,factor=7", 10000, 12, 6},
                  {"base=50,extend=ntk,factor=3", 50, 4, 6}},
                 [&](std::size_t head, int pair) {
                   return std::exp(-std::log(factors[head]) * pair / (widths[head] / 2 - 1));
                 });
  // Dynamic calls it with a factor that is not s.factor.
  RotarySettings settings{.base = 50, .channels = 8};
  settings.factor = 5;
  compare_numbers(
      {"the multiplier of pair 2 of 4 for the factor 3, where s.factor is 5"},
      [&](std::size_t) { return extensions::ntk(settings, 2, 3); },
      [](std::size_t) { return std::cbrt(1.0 / 9); });

  show("The same, by your second rule: the fastest clock goes on, the slowest stays within training",
       reach_of("extend=ntk,factor=4"));
}

namespace locus {
// Taken when ntk_base.cpp has no such function.
__attribute__((weak)) double ntk_base(double, int, double) { fail("exercise 11.3", "still to be written"); }
}  // namespace locus

TEST_CASE("11.3 the base that does the same, from blank") {
  struct Case {
    double base;
    int d;
    double factor;
  };
  const std::vector<Case> cases = {{100, 16, 4}, {9, 8, 2.5}, {50, 4, 3}, {10000, 64, 8}, {700, 10, 1}};
  std::vector<std::string> calls;
  for (const auto& [base, d, factor] : cases)
    calls.push_back(str("ntk_base(", base, ", ", d, ", ", factor, ")"));
  compare_numbers(
      calls, [&](std::size_t i) { return ntk_base(cases[i].base, cases[i].d, cases[i].factor); },
      [&](std::size_t i) {
        // Of the last pair, number (d - 2) / 2: new_base^(-(d-2)/d) = base^(-(d-2)/d) / factor.
        const double last = plain_speed(cases[i].base, cases[i].d, cases[i].d / 2 - 1) / cases[i].factor;
        return std::exp(-std::log(last) * cases[i].d / (cases[i].d - 2));
      });
}

// same, 1 of `return s.channels * std::log(s.original / (turn * turns)) / (2 * std::log(s.base));`: a product does not depend on the order of its factors
TEST_CASE("11.4 which pair makes so many turns") {
  struct Case {
    double base, original, turns;
    int channels;
  };
  const std::vector<Case> cases = {{9, 16, 1, 8}, {10000, 2048, 32, 128}, {100, 16, 4, 16}, {7, 90, 2.5, 12}};
  std::vector<std::string> inputs;
  for (const auto& [base, original, turns, channels] : cases)
    inputs.push_back(
        str("the pair with ", turns, " turns in ", original, " positions, base ", base, ", d ", channels));
  compare_numbers(
      inputs,
      [&](std::size_t i) {
        const auto& [base, original, turns, channels] = cases[i];
        RotarySettings settings{.base = base, .channels = channels};
        settings.original = original;
        // Nothing of these is asked for.
        settings.factor = 3;
        settings.beta_fast = 5;
        settings.beta_slow = 0.7;
        return extensions::pair_with_turns(settings, turns);
      },
      [&](std::size_t i) {
        const auto& [base, original, turns, channels] = cases[i];
        const double speed = 2 * pi * turns / original;  // radians a position
        return -std::log(speed) / std::log(base) * channels / 2;
      });
}

// same, 2 of `return 1 - std::clamp((pair - low) / std::max(high - low, 0.001), 0.0, 1.0);`: the larger of two numbers does not depend on their order; -0.0 and 0.0 are equal as limits, and what is subtracted from 1 or added to it is the same
TEST_CASE("11.5 the ramp of YaRN") {
  struct Case {
    int pair;
    double low, high;
  };
  const std::vector<Case> cases = {{0, 0, 2}, {1, 0, 2}, {2, 0, 2}, {3, 0, 2},          {1, 2, 7},
                                   {2, 2, 7}, {3, 2, 7}, {6, 2, 7}, {7, 2, 7},          {9, 2, 7},
                                   {3, 3, 3}, {4, 3, 3}, {2, 3, 3}, {3, 2.9995, 2.9995}};
  std::vector<std::string> calls;
  for (const auto& [pair, low, high] : cases)
    calls.push_back(str("yarn_keeps(", pair, ", ", low, ", ", high, ")"));
  compare_numbers(
      calls,
      [&](std::size_t i) { return extensions::yarn_keeps(cases[i].pair, cases[i].low, cases[i].high); },
      [&](std::size_t i) {
        const auto& [pair, low, high] = cases[i];
        return 1 - line(pair, low, std::max(high, low + 0.001));
      });
}

TEST_CASE("11.6 YaRN: from untouched to interpolated") {
  struct Case {
    double keeps, factor;
  };
  const std::vector<Case> cases = {{0, 4}, {1, 4}, {0.25, 4}, {0.7, 2.5}, {0.5, 9}};
  std::vector<std::string> calls;
  for (const auto& [keeps, factor] : cases) calls.push_back(str("mixture(", keeps, ", ", factor, ")"));
  compare_numbers(
      calls, [&](std::size_t i) { return extensions::mixture(cases[i].keeps, cases[i].factor); },
      [&](std::size_t i) { return (cases[i].keeps * (cases[i].factor - 1) + 1) / cases[i].factor; });
  // All lines of YaRN together: pairs 0 and 1 of 6 keep their speed, 4 and 5 are slowed in full.
  compare_speeds({{"base=50,extend=yarn,factor=5,original=60,beta_fast=4,temperature=off", 50, 12, 6}},
                 [&](std::size_t, int pair) {
                   const double untouched = 1 - line(pair, 1, 4);
                   return untouched + (1 - untouched) / 5;
                 });

  show("The same, by YaRN: the fastest clock is left alone, those that never came round stay within training",
       reach_of("extend=yarn,factor=4,original=16,beta_fast=2,temperature=off"));
}

TEST_CASE("11.7 the temperature of YaRN") {
  const std::vector<double> factors = {4, 1, 16, 2.5};
  std::vector<std::string> inputs;
  for (const double factor : factors) inputs.push_back(str("the temperature for factor ", factor));
  compare_numbers(
      inputs,
      [&](std::size_t i) { return rope(str("temperature=on,factor=", factors[i]), 8)->frequencies(6).scale; },
      [&](std::size_t i) { return 1 + std::log10(factors[i]) * std::log(10) / 10; });
  RotarySettings settings{.base = 100, .channels = 8};
  settings.factor = 5;
  settings.extend = "dynamic";
  settings.original = 4;
  settings.temperature = true;
  compare_numbers(
      {"the temperature of dynamic at 12 tokens, trained at 4, where s.factor is 5"},
      [&](std::size_t) { return extensions::temperature(settings, 12); },
      [](std::size_t) { return 1 + std::log10(3) * std::log(10) / 10; });
}

// same, 1 of `const double stretch = std::max(length / s.original, 1.0);`: the larger of two numbers does not depend on their order
TEST_CASE("11.8 dynamic: the factor grows with the input") {
  struct Case {
    double factor, original;
    int length;
  };
  const std::vector<Case> cases = {{1, 16, 64}, {4, 16, 64},     {4, 16, 16},
                                   {4, 16, 5},  {2.5, 100, 130}, {1, 10, 25}};
  std::vector<std::string> inputs;
  for (const auto& [factor, original, length] : cases)
    inputs.push_back(str("the factor for s = ", factor, ", L = ", original, ", T = ", length));
  compare_numbers(
      inputs,
      [&](std::size_t i) {
        RotarySettings settings{.base = 100, .channels = 16};
        settings.factor = cases[i].factor;
        settings.original = cases[i].original;
        settings.extend = "dynamic";
        return extensions::dynamic_factor(settings, cases[i].length);
      },
      [&](std::size_t i) {
        const auto& [s, L, T] = cases[i];
        return T <= L ? 1.0 : 1 + s * (T - L) / L;
      });
}

// same, 1 of `return std::clamp((turns - s.beta_slow) / (s.beta_fast - s.beta_slow), 0.0, 1.0);`: -0.0 and 0.0 are equal as limits, and what is subtracted from 1 or added to it is the same
TEST_CASE("11.9 Llama 3: the ramp by turns") {
  // Turns of the pairs of these heads in `original` positions, from fast to slow: in the first from 64 / 2 pi = 10.2.
  const double originals[] = {64, 200}, fast[] = {4, 9}, slow[] = {1, 2.5}, factors[] = {8, 3};
  const int widths[] = {16, 10};
  const double bases[] = {100, 700};
  compare_speeds({{"base=100,extend=llama3,factor=8,original=64", 100, 16, 6},
                  {"base=700,extend=llama3,factor=3,original=200,beta_fast=9,beta_slow=2.5", 700, 10, 6}},
                 [&](std::size_t head, int pair) {
                   const double positions_of_a_turn = 2 * pi / plain_speed(bases[head], widths[head], pair);
                   const double untouched =
                       line(originals[head] / positions_of_a_turn, slow[head], fast[head]);
                   return untouched + (1 - untouched) / factors[head];
                 });
}

// --- 11.10 ---

namespace {

// A scheme of four pairs with the base 100: the angle of a pair and what multiplies the key.
using Angle = std::function<double(int pair, double speed, int position, int tokens)>;
using Scale = std::function<double(int position, int tokens)>;

Turned turned_by(
    const Angle& angle, const Scale& scale = [](int, int) { return 1.0; }) {
  return [=](const Vector& key, int position, int tokens) {
    if (key.size() != 8)
      throw Error(str("Your test turns a key of ", key.size(), " numbers; contract.h says 8."));
    if (position < 0 || position >= tokens || tokens > 512)
      throw Error(str("Your test asks for position ", position, " of ", tokens,
                      " tokens; contract.h allows 0 <= position < tokens <= 512."));
    Vector out(8);
    for (int pair = 0; pair < 4; ++pair) {
      const auto a = static_cast<std::size_t>(2 * pair);
      const auto product =
          std::complex(key[a], key[a + 1]) *
          std::polar(scale(position, tokens), angle(pair, plain_speed(100, 8, pair), position, tokens));
      out[a] = product.real();
      out[a + 1] = product.imag();
    }
    return out;
  };
}

double ntk_slowing(double factor, int pair) { return std::pow(factor, -pair / 3.0); }

}  // namespace

TEST_CASE("11.10 your test: can keys be cached?") {
  const auto candidate = [](const std::string& what, bool is_right, const Turned& turned) {
    return Candidate{what, is_right, [=] { return can_be_cached(turned); }};
  };
  const Angle plain = [](int, double speed, int position, int) { return speed * position; };
  // Speeds multiplied by a number that depends on pair and length.
  const auto slowed = [](const std::function<double(int pair, int tokens)>& by) {
    return turned_by([=](int pair, double speed, int position, int tokens) {
      return speed * position * by(pair, tokens);
    });
  };
  const auto dynamic = [&](double original, double factor) {
    return slowed([=](int pair, int tokens) {
      return ntk_slowing(factor * std::max(tokens / original, 1.0) - (factor - 1), pair);
    });
  };
  // The number that turns a token in place of its position.
  const auto at = [](const std::function<double(int position, int tokens)>& place) {
    return turned_by(
        [=](int, double speed, int position, int tokens) { return speed * place(position, tokens); });
  };
  judge(
      {candidate("plain rope", true, turned_by(plain)),
       candidate("plain rope, rounded otherwise in longer inputs", true,
                 turned_by([](int, double speed, int position, int tokens) {
                   return speed * position * (1 + 1e-15 * tokens);  // less than 1e-9 in all
                 })),
       candidate("no positions", true, turned_by([](int, double, int, int) { return 0.0; })),
       candidate("position interpolation", true, slowed([](int, int) { return 0.25; })),
       candidate("NTK-aware with a fixed factor", true,
                 slowed([](int pair, int) { return ntk_slowing(4, pair); })),
       candidate("YaRN, with a temperature that is always the same", true,
                 turned_by(plain, [](int, int) { return 0.1 * std::log(4) + 1; })),
       candidate("LongRoPE with one list of numbers", true,
                 slowed([](int pair, int) { return 1 / (1 + 0.7 * pair); })),
       candidate("a scale that depends on the key's own position", true,
                 turned_by(plain, [](int position, int) { return std::log(position + 2.0); })),
       candidate("the first 4 tokens at plain speed, the others slowed", true,
                 at([](int position, int) { return position < 4 ? position : 4 + (position - 4) / 4.0; })),

       candidate("dynamic, trained at 16", false, dynamic(16, 1)),
       candidate("dynamic with factor 4, trained at 128", false, dynamic(128, 4)),
       candidate("dynamic, trained at 500", false, dynamic(500, 1)),
       candidate("dynamic, the base changed at 64, 128, 256 tokens only", false,
                 slowed([](int pair, int tokens) {
                   const double doubled = std::exp2(std::floor(std::log2(tokens / 32.0)));
                   return ntk_slowing(std::max(doubled, 1.0), pair);
                 })),
       candidate("interpolation by T / L, as soon as the input is longer than L = 100", false,
                 slowed([](int, int tokens) { return std::min(100.0 / tokens, 1.0); })),
       candidate("interpolation of the slowest pair alone, by T / 16", false,
                 slowed([](int pair, int tokens) { return pair == 3 ? std::min(16.0 / tokens, 1.0) : 1.0; })),
       candidate("LongRoPE with two lists: one up to 256 tokens, another for longer inputs", false,
                 slowed([](int pair, int tokens) { return tokens <= 256 ? 1.0 : 1 / (1 + 0.7 * pair); })),
       candidate("two lists, the second from 511 tokens on", false,
                 slowed([](int pair, int tokens) { return tokens < 511 ? 1.0 : 1 / (1 + 0.7 * pair); })),
       candidate("two numbers of the key change places in inputs that are 50 tokens longer", false,
                 [](Vector key, int position, int tokens) {
                   if (tokens > position + 50) std::swap(key[2], key[5]);
                   return key;
                 }),
       candidate("a temperature that grows with the input", false,
                 turned_by(plain,
                           [](int, int tokens) { return 0.1 * std::log(std::max(tokens / 16.0, 1.0)) + 1; })),
       candidate("keys multiplied by the logarithm of the number of tokens", false,
                 turned_by(plain, [](int, int tokens) { return std::log(tokens + 1.0); })),
       candidate("positions counted from the end", false,
                 at([](int position, int tokens) { return tokens - 1.0 - position; })),
       candidate("positions counted from the middle", false,
                 at([](int position, int tokens) { return position - tokens / 2; })),
       candidate("positions as a share of the input", false,
                 at([](int position, int tokens) { return 16.0 * position / tokens; })),
       candidate("positions counted within the last 256 tokens", false,
                 at([](int position, int tokens) { return position - std::max(tokens - 256, 0); })),
       candidate("positions counted within the last 500 tokens", false,
                 at([](int position, int tokens) { return position - std::max(tokens - 500, 0); })),
       candidate("the last token alone at another position", false,
                 at([](int position, int tokens) { return position == tokens - 1 ? 0.5 : position; })),
       candidate("positions halved once 100 more tokens have come", false, at([](int position, int tokens) {
                   return tokens - position > 100 ? position / 2.0 : position;
                 })),
       candidate("the speed of the tokens from 300 on depends on the length", false,
                 at([](int position, int tokens) {
                   return position < 300 ? position : 300 + (position - 300) * 300.0 / tokens;
                 })),
       candidate("other positions from the next token to the 500th only", false,
                 at([](int position, int tokens) {
                   return tokens > position + 1 && tokens < 500 ? 0.9 * position : position;
                 })),
       candidate("speeds changed by a ten-thousandth at 400 tokens", false,
                 slowed([](int, int tokens) { return tokens < 400 ? 1 : 0.9999; }))});
}
