// Rows of the ledger that no chapter settles yet, from the studies recorded here.
#include "lessons/tools/claims.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "ablation/results.h"
#include "ablation/statistics.h"
#include "autograd/tape.h"
#include "base/error.h"
#include "base/random.h"
#include "io/format.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

// The accuracies of the seeds of one model, at the length trained on and at the longest that was tested.
struct Seeds {
  std::vector<double> trained, longest;
};
Seeds seeds(const std::string& study, const std::string& task, const std::string& scheme, int width) {
  static std::map<std::string, Records> read;
  const std::string folder = "lessons/results/" + study;
  if (!read.contains(folder)) read[folder] = read_records({folder});
  Seeds seeds;
  for (const auto& [settings, outcome, where] : read[folder].results) {
    if (settings.task != task || settings.model.scheme != scheme || settings.model.d_model != width) continue;
    seeds.trained.push_back(outcome.by_length.front().score.token_accuracy);
    seeds.longest.push_back(outcome.by_length.back().score.token_accuracy);
  }
  if (seeds.trained.empty()) fail("ledger", text(folder, " has no run of ", task, " with ", scheme));
  return seeds;
}

double least(const std::vector<double>& values) { return std::ranges::min(values); }
double most(const std::vector<double>& values) { return std::ranges::max(values); }

// "0.95 to 0.97"
std::string range(const std::vector<double>& values) {
  return text(fixed(least(values), 2), " to ", fixed(most(values), 2));
}

// Decoders on `needle`, where the causal mask shows direction, so that ALiBi adds its preference for near tokens and
// nothing else: a symmetric ALiBi in an encoder would lack direction as well, and its mirror-blind ceiling is 0.67.
struct Preference {
  bool costs_beyond = true;  // at 48 tokens the best seed with ALiBi is below the worst without
  bool free_as_trained = true;
  std::string text;
};
Preference on_needle() {
  Preference found;
  std::vector<std::string> words;
  for (const int width : {32, 64}) {
    const Seeds alibi = seeds("near-decoder", "needle", "alibi", width),
                none = seeds("near-decoder", "needle", "none", width);
    found.costs_beyond &= most(alibi.longest) < least(none.longest);
    found.free_as_trained &= least(alibi.trained) > 0.99;
    words.push_back(locus::text("width ", width, ": ", range(alibi.longest), ", without it ",
                                fixed(least(none.longest), 3), " or more"));
  }
  found.text = locus::text("decoders on needle, three seeds: with ALiBi 1.00 at 12 tokens, and at 48 ",
                           join(words, "; "));
  return found;
}

const Settles row_7(
    7, "holds past the trained length: there a preference for near tokens costs; as trained it costs nothing",
    [] {
      const Preference needle = on_needle();
      return Evidence{needle.costs_beyond && needle.free_as_trained, needle.text};
    });

const Settles row_39(
    39,
    "holds, for better and for worse: it helps where the neighbour is asked for, and costs where the answer "
    "may be far",
    [] {
      const Preference needle = on_needle();
      bool supports = needle.costs_beyond;
      std::vector<std::string> words;
      for (const int width : {32, 64}) {
        const Seeds near = seeds("encoder-previous", "previous", "alibi:direction=asymmetric", width),
                    rope = seeds("encoder-previous", "previous", "rope", width);
        supports &= least(near.longest) > most(rope.longest) + 0.1;
        words.push_back(text("width ", width, ": ", range(near.longest), ", rope ", range(rope.longest)));
      }
      return Evidence{supports,
                      text("encoders on previous with an ALiBi that tells left from right, at 24 tokens: ",
                           join(words, "; "), "; ", needle.text)};
    });

// The angles, in radians, that the first pair of a head of 8 channels has as a query at position 5, for 100 random
// tokens: how far the farthest is from the first. pi: tokens decide where the pair points.
double spread_of_angles(const std::string& spec) {
  constexpr int d = 8;
  ParameterTable table;
  const auto scheme = make_scheme(spec, {.d_model = d, .heads = 1, .causal = false}, table);
  Random random(1, Purpose::testing);
  const double position = 5;
  double first = 0, most = 0;
  for (int token = 0; token < 100; ++token) {
    Tape tape;
    std::vector<Real> values(d);
    for (Real& value : values) value = static_cast<Real>(random.normal());
    Tensor q = tape.constant({1, 1, 1, d}, values.data()), k = q;
    scheme->query_and_key(q, k, {q, q, k, {1, 1, &position}, 0});
    const int width = q.shape().last();  // of pope 2 d: the pair of a channel is half of that apart
    const double angle = std::atan2(q.value()[width == d ? 1 : d], q.value()[0]);
    if (token == 0) first = angle;
    most = std::max(most, std::abs(std::remainder(angle - first, 2 * std::numbers::pi)));
  }
  return most;
}

// PoPE minus RoPE at the longest length, seed by seed. 4000 test inputs.
Difference polar_minus_turned(const Seeds& polar, const Seeds& turned) {
  const auto error = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return test_set_error(sum / static_cast<double>(values.size()), 4000);
  };
  return paired_difference(polar.longest, turned.longest,
                           std::hypot(error(polar.longest), error(turned.longest)));
}

const Settles row_46(
    46,
    "holds of the scores; 'better' is not settled: on previous, which asks by position alone, a difference from RoPE "
    "past the trained length is not shown at both widths",
    [] {
      const double rope = spread_of_angles("rope"), pope = spread_of_angles("pope:delta=none");
      bool supports = rope > 2 && pope < 1e-5;
      std::vector<std::string> words;
      int shown = 0;
      for (const int width : {32, 64}) {
        const Seeds polar = seeds("since-previous", "previous", "pope:delta=uniform", width),
                    turned = seeds("since-previous", "previous", "rope", width);
        const Difference beyond = polar_minus_turned(polar, turned);
        supports &= least(polar.trained) > 0.99 && least(turned.trained) > 0.99;
        shown += beyond.p < 0.05;
        words.push_back(text("width ", width, ": PoPE ", range(polar.longest), ", RoPE ",
                             range(turned.longest), ", difference ", fixed(beyond.mean, 2), " (",
                             fixed(beyond.interval->low, 2), " to ", fixed(beyond.interval->high, 2), ')'));
      }
      return Evidence{
          supports && shown < 2,
          text(
              "the angle of a pair of a query at one position, for 100 random tokens: RoPE's differ by up to ",
              fixed(rope, 2), " radians, PoPE's by ", pope < 1e-5 ? "less than 1e-5" : fixed(pope, 5),
              "; encoders on previous, trained at 12 tokens and right there, five seeds at 24: ",
              join(words, "; "))};
    });

}  // namespace

}  // namespace locus
