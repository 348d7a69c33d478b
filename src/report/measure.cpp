#include "report/measure.h"

#include <algorithm>

namespace locus {

namespace {

// All lengths of a table are trained on: together they are one number, each by its share of the examples.
LengthSummary all_lengths(const Summary& row) {
  LengthSummary all{.length = 0,
                    .trained = true,
                    .token_accuracy = std::vector<double>(static_cast<std::size_t>(row.seeds())),
                    .exact_match = std::vector<double>(static_cast<std::size_t>(row.seeds())),
                    .order_blind_ceiling = 0.0,
                    .examples = 0};
  for (const LengthSummary& at : row.by_length) all.examples += at.examples;
  for (const LengthSummary& at : row.by_length) {
    const double share = at.examples / all.examples;
    for (std::size_t seed = 0; seed < at.token_accuracy.size(); ++seed) {
      all.token_accuracy[seed] += share * at.token_accuracy[seed];
      all.exact_match[seed] += share * at.exact_match[seed];
    }
    if (!at.order_blind_ceiling)
      all.order_blind_ceiling.reset();
    else if (all.order_blind_ceiling)
      *all.order_blind_ceiling += share * *at.order_blind_ceiling;
  }
  return all;
}

std::optional<LengthSummary> longest(const Summary& row, bool trained) {
  std::optional<LengthSummary> found;
  for (const LengthSummary& at : row.by_length)
    if (at.trained == trained && (!found || at.length > found->length)) found = at;
  return found;
}

}  // namespace

const char* measure_name(const Summary& row) { return row.generates() ? "exact match" : "token accuracy"; }

const std::vector<double>& accuracy(const Summary& row, const LengthSummary& at) {
  return row.generates() ? at.exact_match : at.token_accuracy;
}

std::optional<LengthSummary> in_distribution(const Summary& row) {
  return row.dataset ? all_lengths(row) : longest(row, true);
}

std::optional<LengthSummary> out_of_distribution(const Summary& row) {
  return row.dataset ? std::nullopt : longest(row, false);
}

std::string row_name(const Summary& row) { return row.scheme; }

}  // namespace locus
