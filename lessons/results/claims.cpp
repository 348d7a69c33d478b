// Rows of the ledger that no chapter settles yet, from the studies recorded here.
#include "lessons/tools/claims.h"

#include <algorithm>
#include <map>

#include "ablation/results.h"
#include "base/error.h"
#include "io/format.h"

namespace locus {

namespace {

// The accuracies of the seeds of one model, at the length trained on and at four times that.
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

// "0.64 to 0.65 at 12, 0.52 to 0.57 at 48"
std::string range(const Seeds& of) {
  return text(fixed(least(of.trained), 2), " to ", fixed(most(of.trained), 2), " at 12, ",
              fixed(least(of.longest), 2), " to ", fixed(most(of.longest), 2), " at 48");
}

}  // namespace

}  // namespace locus
