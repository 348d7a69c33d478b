#include "lessons/tools/claims.h"

#include <numeric>

#include "ablation/results.h"
#include "base/error.h"
#include "io/format.h"

namespace locus {

namespace {

// The mean accuracy at this length of the runs of one scheme in a recorded study of lessons/results: three seeds.
double mean(const std::string& study, const std::string& task, const std::string& scheme, int width,
            int heads, int length) {
  std::vector<double> found;
  for (const Result& result : read_records({"lessons/results/" + study}).results) {
    const RunSettings& settings = result.settings;
    if (settings.task != task || settings.model.scheme != scheme || settings.model.d_model != width ||
        settings.model.heads != heads)
      continue;
    for (const LengthScore& at : result.outcome.by_length)
      if (at.length == length) found.push_back(at.score.accuracy(result.outcome.generates));
  }
  if (found.size() < 3)
    fail("ledger",
         text(study, " has ", found.size(), " runs of ", task, " with ", scheme, " at width ", width));
  return std::accumulate(found.begin(), found.end(), 0.0) / static_cast<double>(found.size());
}

constexpr int widths[] = {32, 64};

const Settles row_7(
    7, "holds past the trained length: a preference for near tokens costs nothing at 12, and some at 48", [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const int width : widths) {
        const auto at = [&](const char* scheme, int length) {
          return mean("near-decoder", "needle", scheme, width, 8, length);
        };
        supports &= at("alibi", 12) > 0.99 && at("none", 12) > 0.99 && at("none", 48) > 0.99 &&
                    at("alibi", 48) < at("none", 48) - 0.02;
        words.push_back(text("ALiBi ", fixed(at("alibi", 12), 3), " and ", fixed(at("alibi", 48), 3),
                             ", none ", fixed(at("none", 12), 3), " and ", fixed(at("none", 48), 3),
                             " (width ", width, ')'));
      }
      return Evidence{supports, text("needle as a decoder, whose mask shows direction to both, at 12 "
                                     "and 48 tokens, three seeds: ",
                                     join(words, "; "))};
    });

const Settles row_39(
    39,
    "holds with a condition: a preference for near tokens helps where the answer is a neighbour, and costs where it "
    "is far",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const int width : widths) {
        const double near = mean("encoder-previous", "previous", "alibi:direction=asymmetric", width, 8, 24),
                     rope = mean("encoder-previous", "previous", "rope", width, width / 16, 24),
                     far = mean("near-decoder", "needle", "alibi", width, 8, 48),
                     none = mean("near-decoder", "needle", "none", width, 8, 48);
        supports &= near > rope + 0.1 && far < none - 0.02;
        words.push_back(text("previous at 24, ALiBi ", fixed(near, 3), ", rope ", fixed(rope, 3),
                             "; needle as a decoder at 48, ALiBi ", fixed(far, 3), ", none ", fixed(none, 3),
                             " (width ", width, ')'));
      }
      return Evidence{supports,
                      text("trained at 12, three seeds, no model short of direction: ", join(words, "; "))};
    });

}  // namespace

}  // namespace locus
