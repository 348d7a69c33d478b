// Rows of the ledger that no chapter settles yet, from the studies recorded here.
#include "lessons/tools/claims.h"

#include <algorithm>
#include <map>

#include "ablation/results.h"
#include "base/error.h"
#include "io/format.h"

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

}  // namespace

}  // namespace locus
