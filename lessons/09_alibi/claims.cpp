#include "lessons/tools/claims.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "ablation/results.h"
#include "base/error.h"
#include "io/format.h"

namespace locus {

namespace {

// What to look up in a recorded study of lessons/results.
struct Which {
  std::string study, task, scheme;
  int width, heads;
};

// Token accuracy at one length, of an encoder, or the share of right answers, of a decoder; one for each seed.
std::vector<double> accuracies(const Which& which, int length) {
  static std::map<std::string, Records> read;
  const std::string folder = "lessons/results/" + which.study;
  if (!read.contains(folder)) read[folder] = read_records({folder});
  std::vector<double> found;
  for (const Result& result : read[folder].results) {
    const RunSettings& settings = result.settings;
    if (settings.task != which.task || settings.model.scheme != which.scheme ||
        settings.model.d_model != which.width || settings.model.heads != which.heads)
      continue;
    for (const LengthScore& at : result.outcome.by_length)
      if (at.length == length) found.push_back(at.score.accuracy(result.outcome.generates));
  }
  if (found.size() < 3)
    fail("ledger", str(folder, " has ", found.size(), " runs of ", which.task, " with ", which.scheme,
                       " at width ", which.width, " and length ", length));
  return found;
}

// Perplexity of the recorded decoders that read a text, in windows of `length` characters that slide by half: each
// character has half a window or more before it. Mean loss over the seeds.
double text_perplexity(int width, const std::string& scheme, int length) {
  static std::map<int, Records> read;
  if (!read.contains(width)) read[width] = read_records({str("lessons/results/text-", width)});
  double sum = 0;
  int seeds = 0;
  for (const Result& result : read[width].results) {
    if (result.settings.model.scheme != scheme) continue;
    for (const LengthScore& at : result.outcome.by_length)
      if (at.length == length) sum += at.score.text.value().sliding, ++seeds;
  }
  if (seeds < 3) fail("ledger", str("three texts read with ", scheme, " are needed, not ", seeds));
  return std::exp(sum / seeds);
}

double mean(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

// ".94 to .86": the means at two lengths.
std::string from_to(const Which& which, int shorter, int longer) {
  return str(fixed(mean(accuracies(which, shorter)), 2), " and ", fixed(mean(accuracies(which, longer)), 2));
}

constexpr int widths[] = {32, 64};

const Settles row_15(15, "holds for questions about order and neighbours, fails for the first token", [] {
  bool supports = true;
  std::vector<std::string> words;
  for (const int width : widths) {
    const auto at_24 = [&](const char* task, const char* scheme) {
      return accuracies({width == 32 ? "encoder" : "relative-64", task, scheme, width, 2}, 24);
    };
    for (const char* task : {"before", "previous", "first"}) {
      const std::vector<double> t5 = at_24(task, "t5"), sinusoidal = at_24(task, "sinusoidal"),
                                learned = at_24(task, "learned");
      const bool is_first = task == std::string("first");
      const double best_absolute = std::max(mean(sinusoidal), mean(learned));
      supports &= is_first ? mean(t5) < best_absolute - 0.1 : mean(t5) > best_absolute + 0.05;
      words.push_back(str(task, " ", fixed(mean(t5), 2), " (sinusoidal ", fixed(mean(sinusoidal), 2),
                          ", learned ", fixed(mean(learned), 2), ")"));
    }
    words.back() += str(" at width ", width);
  }
  return Evidence{supports,
                  str("T5 at 24 tokens, trained at 12, mean of three seeds or more: ", join(words, ", "))};
});

const Settles row_36(
    36,
    "holds if what is asked for is near; what is far is lost, and a symmetric bias cannot pass its ceiling",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const int width : widths) {
        const std::string half = "alibi:direction=asymmetric";
        const Which near{"alibi", "previous", half, width, 8}, blind{"alibi", "previous", "alibi", width, 8},
            far{"alibi-decoder", "needle", "alibi", width, 4};
        const auto at = [](const Which& which, int length) { return mean(accuracies(which, length)); };
        supports &= at(near, 96) > 0.8 && std::abs(at(blind, 12) - 0.55) < 0.02 &&
                    std::abs(at(blind, 96) - 0.55) < 0.03 && at(far, 12) > 0.99 && at(far, 96) < 0.8;
        words.push_back(str("previous, asymmetric, ", from_to(near, 12, 96), "; symmetric ",
                            from_to(blind, 12, 96), " of 0.55; needle as a decoder ", from_to(far, 12, 96),
                            " (width ", width, ")"));
      }
      std::vector<std::string> read;
      for (const int width : widths) {
        const double there = text_perplexity(width, "alibi", 64),
                     beyond = text_perplexity(width, "alibi", 512);
        supports &= beyond < 1.05 * there && text_perplexity(width, "rope", 512) > 5 * beyond;
        read.push_back(str(fixed(there, 2), " and ", fixed(beyond, 2), ", with rope ",
                           fixed(text_perplexity(width, "rope", 64), 2), " and ",
                           fixed(text_perplexity(width, "rope", 512), 0), " (width ", width, ")"));
      }
      return Evidence{supports,
                      str("at 12 and at 96 tokens, trained at 12, three seeds: ", join(words, "; "),
                          ". Perplexity of a text in windows of 64 characters, as trained, and of 512: ",
                          join(read, "; "))};
    });

}  // namespace

}  // namespace locus
