#include "lessons/tools/claims.h"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "ablation/results.h"
#include "base/error.h"
#include "base/random.h"
#include "io/file.h"
#include "io/format.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

constexpr int widths[] = {32, 64};

// --- of speeds ---

Frequencies speeds(const std::string& options, int d, int length) {
  ParameterTable table;
  return make_scheme("rope:" + options, {.d_model = d, .heads = 1, .causal = true}, table)
      ->frequencies(length);
}

// What the extension multiplies the speed of each pair by.
std::vector<double> multipliers(const std::string& base, const std::string& extension, int d, int length) {
  std::vector<double> all = speeds(base + extension, d, length).inverse_frequency;
  const std::vector<double> plain = speeds(base, d, length).inverse_frequency;
  for (std::size_t pair = 0; pair < all.size(); ++pair) all[pair] /= plain[pair];
  return all;
}

bool near(double a, double b) { return std::abs(a - b) < 1e-9; }

// --- of the recorded study `extension` ---

// Token accuracy of three seeds at one length.
struct Which {
  std::string task, width, trained_at, reading, when = "zero-shot";
};
std::vector<double> accuracies(const Which& which, int length) {
  static const std::string all = read_file("lessons/results/extension/models.tsv");
  std::vector<double> found;
  std::istringstream lines(all);
  std::string line;
  while (std::getline(lines, line)) {
    std::istringstream cells(line);
    std::string task, width, trained_at, rate, seed, reading, when, tokens;
    double accuracy = 0;
    cells >> task >> width >> trained_at >> rate >> seed >> reading >> when >> tokens >> accuracy;
    if (task == which.task && width == which.width && trained_at == which.trained_at &&
        reading == which.reading && when == which.when && tokens == str(length))
      found.push_back(accuracy);
  }
  if (found.size() != 3)
    fail("ledger", str("lessons/results/extension has ", found.size(), " models of ", which.task, ", width ",
                       which.width, ", trained at ", which.trained_at, ", read as ", which.reading));
  return found;
}

double least(const std::vector<double>& values) { return *std::ranges::min_element(values); }
double most(const std::vector<double>& values) { return *std::ranges::max_element(values); }
std::string range(const std::vector<double>& values) {
  return str(fixed(least(values), 2), " to ", fixed(most(values), 2));
}

const Settles row_32(
    32,
    "holds if the task asks for shares of the input, as sort does; fails for neighbours without fine-tuning",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const int width : widths) {
        const auto of = [&](const char* task, const char* reading) {
          return accuracies({task, str(width), "16", reading}, 64);
        };
        const auto plain = of("sort", "plain"), pi = of("sort", "pi"), neighbours = of("previous", "plain"),
                   slowed = of("previous", "pi");
        supports &= least(pi) > most(plain) + 0.5 && most(slowed) < least(neighbours) - 0.3;
        words.push_back(str("width ", width, ": sort ", range(pi), ", plain ", range(plain), "; previous ",
                            range(slowed), ", plain ", range(neighbours)));
      }
      const auto tuned = accuracies({"sort", "32", "16", "pi", "tuned"}, 64);
      supports &= least(tuned) > 0.99;
      return Evidence{
          supports,
          str("trained at 16, read at 64 without further training, three seeds: ", join(words, "; "),
              "; sort after 100 more steps, a tenth of the training, ", range(tuned), " (width 32)")};
    });

const Settles row_33(
    33, "fails as printed: all clocks but the first turn faster; the base times s^(d/(d-2)) is right", [] {
      const double d = 16, s = 4;
      const auto right = multipliers("base=100", ",extend=ntk,factor=4", 16, 16);
      const double alpha = std::pow(s, 1 / (d - 2)), printed = std::pow(alpha, 2 * 7 / d);
      const double of_base = std::pow(100 * std::pow(s, d / (d - 2)), -2 * 7 / d) / std::pow(100, -2 * 7 / d);
      return Evidence{
          near(right.front(), 1) && near(right.back(), 1 / s) && near(of_base, 1 / s) && printed > 1,
          str("factor 4, 16 channels, base 100: the slowest clock is multiplied by ", fixed(right.back(), 3),
              " with the right form, by ", fixed(printed, 3), " as printed; the base becomes ",
              fixed(100 * std::pow(s, d / (d - 2)), 3), ", as printed ", fixed(100 / alpha, 3))};
    });

// Of sort at 64 tokens, trained at 16 (lessons/results/factor-32 and factor-64), one accuracy for each seed.
std::vector<double> sorted(int width, const std::string& extension) {
  const std::string folder = str("lessons/results/factor-", width);
  std::vector<double> found;
  for (const auto& [settings, outcome, where] : read_records({folder}).results)
    if (settings.train.lengths.low == 16 && settings.model.scheme == "rope:base=100" + extension)
      found.push_back(outcome.by_length.back().score.token_accuracy);
  if (found.size() != 3) fail("ledger", str(folder, " has ", found.size(), " models with '", extension, "'"));
  return found;
}

const Settles row_34(
    34,
    "fails at this size: YaRN and interpolation do no worse without it, and alone it helps little; a temperature that "
    "makes scores flatter is not tested",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      const std::string yarn = ",extend=yarn,factor=4,original=16,beta_fast=4", pi = ",extend=pi,factor=4";
      for (const int width : widths) {
        const auto with = sorted(width, yarn), without = sorted(width, yarn + ",temperature=off"),
                   cold = sorted(width, pi), heated = sorted(width, pi + ",temperature=on"),
                   alone = accuracies({"sort", str(width), "16", "temperature"}, 64);
        supports &= most(alone) < least(with);
        for (std::size_t seed = 0; seed < with.size(); ++seed)
          supports &= without[seed] > with[seed] && cold[seed] > heated[seed];
        words.push_back(str("width ", width, ": temperature alone ", range(alone), ", YaRN ", range(with),
                            ", without it ", range(without), "; interpolation ", range(cold), ", with it ",
                            range(heated)));
      }
      return Evidence{supports, str("sort at 64 tokens, trained at 16, three seeds: ", join(words, "; "),
                                    "; at each width every seed does better without it")};
    });

const Settles row_35(35, "holds: a mixture of the two speeds, by a ramp over the pairs", [] {
  const std::string base = "base=10000", yarn = ",extend=yarn,factor=4,original=2048";
  const auto by = multipliers(base, yarn, 128, 2048);
  const auto theta = speeds(base, 128, 2048).inverse_frequency;
  bool supports = true;
  double step = 0;
  int untouched = 0, interpolated = 0;
  for (std::size_t pair = 0; pair < by.size(); ++pair) {
    const double turns = 2048 * theta[pair] / (2 * std::acos(-1.0));
    if (near(by[pair], 1))
      ++untouched;
    else if (near(by[pair], 0.25))
      ++interpolated;
    else if (pair > 0 && !near(by[pair - 1], 1)) {  // on the ramp: the same step from pair to pair
      supports &= step == 0 || near(by[pair - 1] - by[pair], step);
      step = by[pair - 1] - by[pair];
    }
    // A pair at each end belongs to the ramp, as its ends are whole numbers.
    supports &= turns < 40 || near(by[pair], 1);
    supports &= turns > 0.8 || near(by[pair], 0.25);
  }
  supports &= step > 0 && untouched > 0 && interpolated > 0;
  return Evidence{
      supports,
      str("128 channels, trained at 2048, factor 4: ", untouched, " pairs keep their speed, ", interpolated,
          " have a quarter of it, and between them it falls by ", fixed(step, 3), " from pair to pair")};
});

// The sum of -p log2 p over the softmax of these scores.
double entropy(const std::vector<double>& scores, double multiplier) {
  double sum = 0, bits = 0;
  for (const double score : scores) sum += std::exp(score * multiplier);
  for (const double score : scores) {
    const double p = std::exp(score * multiplier) / sum;
    bits -= p * std::log2(p);
  }
  return bits;
}

const Settles row_42(
    42, "fails: scores are divided by t sqrt(d), and the softmax becomes sharper, not flatter", [] {
      const double scale = speeds("base=100,temperature=on,factor=4", 16, 64).scale,
                   of_scores = scale * scale;
      const double t = 1 / of_scores;  // Peng et al. 2023: sqrt(1/t) = 0.1 ln s + 1
      Random random(42, Purpose::testing);
      double before = 0, after = 0;
      bool supports = std::abs(scale - (0.1 * std::log(4) + 1)) < 1e-12;
      for (int draw = 0; draw < 100; ++draw) {
        std::vector<double> scores(64);
        for (double& score : scores) score = random.normal();
        supports &= entropy(scores, of_scores) < entropy(scores, 1);
        before += entropy(scores, 1) / 100;
        after += entropy(scores, of_scores) / 100;
      }
      return Evidence{supports, str("factor 4: t is ", fixed(t, 3), ", so scores grow by ",
                                    fixed(of_scores, 3), " with t sqrt(d), by ", fixed(std::sqrt(1 / t), 3),
                                    " as printed; the entropy of a softmax over 64 random scores falls from ",
                                    fixed(before, 2), " to ", fixed(after, 2), " bits")};
    });

const Settles row_43(
    43, "fails: that is NTK-by-parts, as in YaRN; dynamic depends on the length of the input", [] {
      const auto dynamic = [](int tokens) {
        return multipliers("base=100", ",extend=dynamic,original=16", 16, tokens);
      };
      const auto parts = [](int tokens) {
        return multipliers("base=100", ",extend=yarn,factor=4,original=16,beta_fast=4", 16, tokens);
      };
      bool supports = true;
      for (std::size_t pair = 0; pair < 8; ++pair) {
        supports &= near(dynamic(16)[pair], 1) && near(parts(16)[pair], parts(64)[pair]);
        supports &=
            near(dynamic(64)[pair], std::pow(4.0, -static_cast<double>(pair) / 7));  // one ratio, no parts
      }
      supports &= near(parts(64)[0], 1) && near(parts(64)[2], 0.25);
      return Evidence{
          supports, str("trained at 16: dynamic leaves the slowest clock alone at 16 tokens and slows it to ",
                        fixed(dynamic(64)[7], 3), " at 64, the third to ", fixed(dynamic(64)[2], 3),
                        "; by parts the third has ", fixed(parts(64)[2], 3), " at both lengths")};
    });

}  // namespace

}  // namespace locus
