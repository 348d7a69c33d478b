#include "report/evidence.h"

#include <doctest/doctest.h>

using namespace locus;

namespace {

Summary row(const std::vector<std::pair<int, bool>>& lengths, bool dataset = false) {
  Summary summary{.task = "sort", .scheme = "rope", .model = "encoder", .dataset = dataset, .parameters = 1};
  for (const auto& [length, trained] : lengths)
    summary.by_length.push_back({length, trained, {1, 0.5}, {0.5, 0}, 0.25, 100});
  return summary;
}

}  // namespace

TEST_CASE("measure: the longest length trained on, and the longest beyond") {
  const Summary both = row({{8, true}, {12, true}, {24, false}, {18, false}});
  CHECK(in_distribution(both)->length == 12);
  CHECK(out_of_distribution(both)->length == 24);
  CHECK_FALSE(out_of_distribution(row({{8, true}})));
  CHECK_FALSE(in_distribution(row({{24, false}})));
}

TEST_CASE("measure: a table of examples counts as a whole") {
  const Summary table = row({{5, true}, {7, true}}, true);
  CHECK(in_distribution(table)->length == 0);
  CHECK(in_distribution(table)->examples == 200);
  CHECK_FALSE(out_of_distribution(table));
}

TEST_CASE("measure: answers that are generated count as a whole") {
  Summary generated = row({{12, true}});
  CHECK(measure_name(generated) == std::string("token accuracy"));
  generated.by_length.front().order_blind_ceiling.reset();
  CHECK(measure_name(generated) == std::string("exact match"));
}
