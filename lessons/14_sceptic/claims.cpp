#include "lessons/tools/claims.h"

#include <cmath>

#include "ablation/results.h"
#include "ablation/statistics.h"
#include "base/error.h"
#include "io/format.h"

namespace locus {

namespace {

// Accuracies of three seeds of encoders of this width on `previous`, read at 18 tokens after training at 12.
std::vector<double> recorded(const std::string& scheme, int width) {
  static const Records records = read_records({"lessons/results/encoder-previous"});
  std::vector<double> values;
  for (const Result& result : records.results)
    if (result.settings.model.scheme == scheme && result.settings.model.d_model == width)
      for (const LengthScore& at : result.outcome.by_length)
        if (at.length == 18) values.push_back(at.score.token_accuracy);
  return values;
}

// What a mean leaves open without its spread: the same two schemes at two widths.
const Settles row_45(
    45, "not settled: untestable here, since the article gives no source, no number of seeds and no spread",
    [] {
      const auto difference = [](int width) {
        const std::vector<double> one = recorded("alibi:direction=asymmetric", width),
                                  other = recorded("sinusoidal", width);
        return paired_difference(
            one, other, std::hypot(test_set_error(mean(one), 4000), test_set_error(mean(other), 4000)));
      };
      const Difference narrow = difference(32), wide = difference(64);
      return Evidence{
          narrow.p > 0.05 && wide.p < 0.05 && narrow.mean > 0.1,
          str("what a mean leaves open: of two schemes of ours on `previous` at 18 tokens, one is ahead in each of three "
              "seeds, by ",
              fixed(narrow.mean, 3), " at width 32 (p = ", fixed(narrow.p, 4), ": not shown) and by ",
              fixed(wide.mean, 3), " at width 64 (p = ", fixed(wide.p, 4), ": shown)")};
    });

}  // namespace

}  // namespace locus
