// Which distances share a learned number.
#include "base/error.h"
#include "cli/inspect/view.h"
#include "report/line_chart.h"

namespace locus {

namespace views::buckets {

Rows rows(const Subject& s) {
  Rows rows;
  for (int relative = 1 - s.length; relative < s.length; ++relative)
    if (const auto bucket = s.scheme->bucket(relative))
      rows.push_back({static_cast<double>(relative), static_cast<double>(*bucket)});
  return rows;
}

// A staircase: each distance is a step as wide as one place, and jumps are upright.
Figure figure(const Subject& s, const Rows& rows) {
  Series stairs{.name = "bucket", .samples = {}, .marked = false};
  for (const auto& row : rows)
    for (const double edge : {-0.5, 0.5}) stairs.samples.push_back({row[0] + edge, row[1]});
  return line_chart({.title = text("The buckets of ", s.spec),
                     .x_label = "distance: key - query (positions)",
                     .y_label = "bucket",
                     .series = {stairs},
                     .labels = LineChart::Labels::none});
}

}  // namespace views::buckets

View buckets_view() {
  using namespace views::buckets;
  return {"buckets",
          "which distances share a learned number",
          "relative,bucket",
          [](const Subject& s) { return s.scheme->bucket(0).has_value(); },
          [](const Subject& s) { return 2.0 * s.length - 1; },
          rows,
          figure};
}

}  // namespace locus
