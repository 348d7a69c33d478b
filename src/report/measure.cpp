#include "report/measure.h"

namespace locus {

namespace {

std::optional<LengthSummary> longest(const Summary& row, bool trained) {
  std::optional<LengthSummary> found;
  for (const LengthSummary& at : row.by_length)
    if (at.trained == trained && (!found || at.length > found->length)) found = at;
  return found;
}

}  // namespace

const char* measure_name(const Summary& row) { return row.generates() ? "exact match" : "token accuracy"; }

std::optional<LengthSummary> in_distribution(const Summary& row) {
  return row.dataset ? all_lengths(row) : longest(row, true);
}

std::optional<LengthSummary> out_of_distribution(const Summary& row) {
  return row.dataset ? std::nullopt : longest(row, false);
}

}  // namespace locus
