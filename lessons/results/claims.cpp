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

const Records& read(const std::string& study) {
  static std::map<std::string, Records> records;
  if (!records.contains(study)) records[study] = read_records({"lessons/results/" + study});
  return records[study];
}

// The accuracies of the seeds of one model (of decoders, exact matches), at the length trained on and at the longest
// that was tested.
struct Seeds {
  std::vector<double> trained, longest;
};
Seeds seeds(const std::string& study, const std::string& task, const std::string& scheme, int width) {
  Seeds seeds;
  for (const auto& [settings, outcome, where] : read(study).results) {
    if (settings.task != task || settings.model.scheme != scheme || settings.model.d_model != width) continue;
    seeds.trained.push_back(outcome.by_length.front().score.accuracy(outcome.generates));
    seeds.longest.push_back(outcome.by_length.back().score.accuracy(outcome.generates));
  }
  if (seeds.trained.empty()) fail("ledger", str(study, " has no run of ", task, " with ", scheme));
  return seeds;
}

double least(const std::vector<double>& values) { return std::ranges::min(values); }
double most(const std::vector<double>& values) { return std::ranges::max(values); }

// "0.95 to 0.97"
std::string range(const std::vector<double>& values) {
  return str(fixed(least(values), 2), " to ", fixed(most(values), 2));
}

// The shares of right answers of the seeds of one model on `needle`, at one length; of decoders, exact matches.
std::vector<double> needles(const std::string& study, const std::string& scheme, int width, int length) {
  std::vector<double> found;
  for (const auto& [settings, outcome, where] : read(study).results)
    if (settings.task == "needle" && settings.model.scheme == scheme && settings.model.d_model == width)
      for (const LengthScore& at : outcome.by_length)
        if (at.length == length) found.push_back(at.score.accuracy(outcome.generates));
  if (found.empty()) fail("ledger", str(study, " has no run with ", scheme, " at width ", width));
  return found;
}

// "rope 0.75 to 0.95, sinusoidal 0.35 to 0.45"
std::string beside(const std::string& study, const std::string& one, const std::string& other, int width,
                   int length) {
  return str(one, ' ', range(needles(study, one, width, length)), ", ", other, ' ',
             range(needles(study, other, width, length)));
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
    words.push_back(str("width ", width, ": ", range(alibi.longest), ", without it ",
                        fixed(least(none.longest), 3), " or more"));
  }
  found.text =
      str("decoders on needle, three seeds: with ALiBi 1.00 at 12 tokens, and at 48 ", join(words, "; "));
  return found;
}

// Whether at 24, 48 and 96 tokens every mean of `one` is above that of `other`, by size.
bool is_above(const std::string& study, const std::string& one, const std::string& other, int width) {
  return std::ranges::all_of(std::vector{24, 48, 96}, [&](int length) {
    return mean(needles(study, one, width, length)) > mean(needles(study, other, width, length));
  });
}

// Whether there even the worst seed of `one` is above the best of `other`.
bool is_far_above(const std::string& study, const std::string& one, const std::string& other, int width) {
  return std::ranges::all_of(std::vector{24, 48, 96}, [&](int length) {
    return least(needles(study, one, width, length)) > most(needles(study, other, width, length));
  });
}

// "width 32: at 24 tokens rope 0.79 to 0.90, sinusoidal ..., at 96 ...; width 64: ..."
std::string by_size(const std::string& study, const std::string& one, const std::string& other) {
  std::vector<std::string> words;
  for (const int width : {32, 64})
    words.push_back(str("width ", width, ": at 24 tokens ", beside(study, one, other, width, 24), ", at 96 ",
                        beside(study, one, other, width, 96)));
  return join(words, "; ");
}

const Settles row_6(
    6,
    "holds for encoders, where RoPE finds more among distractors in longer inputs than added sinusoids; fails for "
    "decoders, where plain RoPE (base 10000) finds fewer",
    [] {
      const bool encoders = is_above("lengths-encoder", "rope", "sinusoidal", 32) &&
                            is_above("lengths-encoder", "rope", "sinusoidal", 64),
                 decoders = is_above("lengths-decoder", "sinusoidal", "rope", 32) &&
                            is_far_above("lengths-decoder", "sinusoidal", "rope", 64);
      return Evidence{
          encoders && decoders,
          str("needle, trained at 12 tokens, five seeds, without reading 0.11 or less: encoders, ",
              by_size("lengths-encoder", "rope", "sinusoidal"), "; decoders, ",
              by_size("lengths-decoder", "rope", "sinusoidal"))};
    });

// Of decay-32 and decay-64: needles found with this decay minus those found with RoPE, seed by seed. 1000 test inputs.
Difference decay_minus_rope(int width, double rate, const std::string& decay, int length) {
  const auto found = [&](const std::string& scheme) {
    std::vector<double> by_seed;
    for (const auto& [settings, outcome, where] : read(str("decay-", width)).results)
      if (settings.model.scheme == scheme && settings.train.optimizer.learning_rate == rate)
        for (const LengthScore& at : outcome.by_length)
          if (at.length == length) by_seed.push_back(at.score.exact_match);
    return by_seed;
  };
  const std::vector<double> with = found(decay), rope = found("rope");
  if (with.empty() || with.size() != rope.size())
    fail("ledger", str("decay-", width, " lacks seeds of ", decay, " or rope at the rate ", rate));
  return paired_difference(with, rope,
                           std::hypot(test_set_error(mean(with), 1000), test_set_error(mean(rope), 1000)));
}

const Settles row_37(
    37,
    "holds up to four times the trained length, with a decay over 16 or 64 tokens: more needles than RoPE finds; at eight "
    "times the rate of training decides whether the first finds more or fewer",
    [] {
      bool supports = true, more = false, fewer = false;
      std::vector<std::string> words;
      for (const int width : {32, 64})
        for (const double rate : {0.001, 0.003}) {
          const Difference twice = decay_minus_rope(width, rate, "xpos:scale_base=16", 24),
                           eight_times = decay_minus_rope(width, rate, "xpos:scale_base=16", 96);
          supports &= twice.interval->low > 0;
          more |= eight_times.interval->low > 0;
          fewer |= eight_times.interval->high < 0;
          for (const char* decay : {"xpos:scale_base=16", "xpos:scale_base=64"})
            for (const int length : {24, 48})
              supports &= decay_minus_rope(width, rate, decay, length).mean > 0;
          const auto in_words = [](const Difference& of) {
            return str(fixed(of.mean, 2), " (", fixed(of.interval->low, 2), " to ",
                       fixed(of.interval->high, 2), ')');
          };
          words.push_back(str("width ", width, ", rate ", rate, ": ", in_words(twice), " at 24, ",
                              in_words(eight_times), " at 96"));
        }
      return Evidence{
          supports && more && fewer,
          str("decoders on needle, trained at 12 tokens, 20 seeds, found with a decay over 16 tokens "
              "minus found with RoPE: ",
              join(words, "; "))};
    });

const Settles row_7(
    7,
    "holds of needles, past the trained length: there a preference for near tokens costs; as trained it costs nothing. "
    "Residues are not tested",
    [] {
      const Preference needle = on_needle();
      return Evidence{needle.costs_beyond && needle.free_as_trained, needle.text};
    });

const Settles row_39(
    39,
    "holds, for better and for worse: with it the neighbour is found, and what may be far is lost in longer inputs; "
    "RoPE with base 1,000,000 finds the neighbour without it",
    [] {
      const Preference needle = on_needle();
      bool supports = needle.costs_beyond;
      std::vector<std::string> words;
      for (const int width : {32, 64}) {
        const Seeds near = seeds("encoder-previous", "previous", "alibi:direction=asymmetric", width),
                    rope = seeds("encoder-previous", "previous", "rope", width),
                    slow = seeds("encoder-previous", "previous", "rope:base=1000000", width);
        supports &=
            least(near.longest) > most(rope.longest) + 0.1 && least(slow.longest) > most(near.longest);
        words.push_back(str("width ", width, ": ", range(near.longest), ", rope ", range(rope.longest),
                            ", with base 1000000 ", range(slow.longest)));
      }
      return Evidence{supports,
                      str("encoders on previous with an ALiBi that tells left from right, at 24 tokens: ",
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
  return paired_difference(
      polar.longest, turned.longest,
      std::hypot(test_set_error(mean(polar.longest), 4000), test_set_error(mean(turned.longest), 4000)));
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
        words.push_back(str("width ", width, ": PoPE ", range(polar.longest), ", RoPE ",
                            range(turned.longest), ", difference ", fixed(beyond.mean, 2), " (",
                            fixed(beyond.interval->low, 2), " to ", fixed(beyond.interval->high, 2), ')'));
      }
      return Evidence{
          supports && shown < 2,
          str("the angle of a pair of a query at one position, for 100 random tokens: RoPE's differ by up to ",
              fixed(rope, 2), " radians, PoPE's by ", pope < 1e-5 ? "less than 1e-5" : fixed(pope, 5),
              "; encoders on previous, trained at 12 tokens and right there, five seeds at 24: ",
              join(words, "; "))};
    });

}  // namespace

}  // namespace locus
