#include "positional/support/rotary_settings.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/size.h"

namespace locus {

namespace {

// Which settings an extension cannot do without, and which it takes as well. Temperature alone needs a
// factor.
struct Setting {
  std::string key;
  std::vector<std::string> needed_by, taken_by;
};

void check_settings(const Options& options) {
  static const std::vector<Setting> settings = {
      {"factor", {"pi", "ntk", "yarn", "llama3", "longrope"}, {"dynamic"}},
      {"original", {"dynamic", "yarn", "llama3", "longrope"}, {"pi", "ntk"}},
      {"beta_fast", {}, {"yarn", "llama3"}},
      {"beta_slow", {}, {"yarn", "llama3"}},
      {"rescale", {}, {"longrope"}}};
  const std::string& extend = options.text("extend");
  for (const auto& [key, needed_by, taken_by] : settings) {
    const bool taken = std::ranges::count(taken_by, extend) > 0;
    const bool heats = key == "factor" && options.text("temperature") == "on" && !taken;
    const bool needed = std::ranges::count(needed_by, extend) > 0 || heats;
    if (needed && !options.given(key))
      fail_usage("rope", str("extend=", extend, heats ? ",temperature=on" : "", " needs ", key),
                 "for example rope:extend=yarn,factor=4,original=16");
    if (!needed && !taken && options.given(key)) {
      std::vector<std::string> users = needed_by;
      users.insert(users.end(), taken_by.begin(), taken_by.end());
      fail_usage(
          "rope", str("'", key, "' does nothing with extend=", extend),
          str("it belongs to extend=", join(users, ", "), key == "factor" ? ", and to temperature=on" : ""));
    }
  }
}

// What would be even in place of this number of turned channels.
std::string even_channels(double turned, int d_head) {
  if (turned == d_head || d_head < 2)
    return str("make --d-model / --heads even: ", d_head > 2 ? str(d_head - 1, " or ") : "", d_head + 1,
               ", not ", d_head);
  const double even = std::clamp(2 * std::round(turned / 2), 2.0, 2.0 * (d_head / 2));
  return str("make fraction * --d-model / --heads even, as with fraction=", even / d_head);
}

// The pairs of `still`, each of them one of those that would turn.
std::vector<int> still_pairs(const Options& options, int turning) {
  std::vector<int> pairs;
  for (const double number : options.numbers("still")) {
    const int pair = static_cast<int>(number);
    if (pair >= turning)
      fail_usage("rope", str("'still' names pair ", pair, ", but pairs 0 to ", turning - 1, " turn"),
                 "a head has d-model / heads / 2 pairs, counted from 0");
    if (std::ranges::count(pairs, pair) > 0)
      fail_usage("rope", str("'still' names pair ", pair, " twice"), "name each once");
    pairs.push_back(pair);
  }
  if (pairs.size() == as_size(turning))
    fail_usage("rope", "'still' stops every pair, so that nothing says positions", "use the scheme none");
  return pairs;
}

}  // namespace

int channels_in_pairs(std::string_view scheme, double turned, int d_head) {
  const int channels = static_cast<int>(std::lround(turned));
  if (channels < 2 || channels % 2 != 0 || std::abs(turned - channels) > 1e-9)
    fail_usage(
        scheme,
        str(turned, " channels of each head of ", d_head, " would be turned, but ", scheme, " turns pairs"),
        even_channels(turned, d_head));
  return channels;
}

RotarySettings rotary_settings(const Options& options, int d_head) {
  check_settings(options);
  const std::string& extend = options.text("extend");
  const int turned = channels_in_pairs("rope", options.number("fraction") * d_head, d_head);
  // Partial rotation has speeds as if the head were narrower; p-RoPE those of the whole head.
  const int channels = extend == "prope" ? channels_in_pairs("rope", d_head, d_head) : turned;
  const bool heated = extend == "yarn" || extend == "longrope";
  const bool early = extend == "llama3" && !options.given("beta_fast");
  const auto number_or_1 = [&](const char* key) { return options.given(key) ? options.number(key) : 1; };
  RotarySettings s{
      .base = options.number("base"),
      .channels = channels,
      .turning = turned / 2,
      .extend = extend,
      .factor = number_or_1("factor"),
      .original = number_or_1("original"),
      .beta_fast = early ? 4 : options.number("beta_fast"),
      .beta_slow = options.number("beta_slow"),
      .rescale = options.numbers("rescale"),
      .still = still_pairs(options, turned / 2),
      .temperature = options.given("temperature") ? options.text("temperature") == "on" : heated};
  const std::size_t pairs = as_size(channels / 2);
  if (s.beta_fast <= s.beta_slow)
    fail_usage("rope", str("beta_fast=", s.beta_fast, " is not above beta_slow=", s.beta_slow),
               "both count turns in the trained length: the fast pairs make more");
  if (!s.rescale.empty() && s.rescale.size() != pairs)
    fail_usage("rope", str("'rescale' has ", s.rescale.size(), " numbers for ", pairs, " pairs"),
               "give one for each pair, from fast to slow");
  const bool from_fast_to_slow =
      extend == "ntk" || extend == "dynamic" || (extend == "longrope" && s.rescale.empty());
  if (pairs < 2 && from_fast_to_slow)
    fail_usage("rope", str("extend=", extend, " goes from the fastest pair to the slowest, but there is one"),
               "choose d-model / heads * fraction 4 or more");
  return s;
}

}  // namespace locus
