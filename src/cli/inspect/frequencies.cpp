// The pairs of a rotary scheme: how fast each turns, and how far it gets.
#include <algorithm>
#include <numbers>

#include "base/error.h"
#include "cli/inspect/view.h"
#include "report/line_chart.h"

namespace locus {

namespace views::frequencies {

Rows rows(const Subject& s) {
  Rows rows;
  const Frequencies frequencies = s.scheme->frequencies(s.length);
  for (const double frequency : frequencies.inverse_frequency)
    rows.push_back({static_cast<double>(rows.size()), frequency, frequencies.scale});
  return rows;
}

Figure figure(const Subject& s, const Rows& rows) {
  LineChart chart{.title = text("How far each pair of ", s.spec, " has turned"),
                  .x_label = "position",
                  .y_label = "turns",
                  .series = {}};
  for (const auto& row : rows) {
    Series series{text("pair ", static_cast<int>(row[0])), {}};
    for (int p = 0; p < s.length; p += std::max(1, s.length / 500))
      series.samples.push_back({static_cast<double>(p), p * row[1] / (2 * std::numbers::pi)});
    chart.series.push_back(std::move(series));
  }
  return line_chart(chart);
}

}  // namespace views::frequencies

View frequencies_view() {
  using namespace views::frequencies;
  return {"frequencies",
          "how fast the pairs of a rotary scheme turn",
          "pair,inverse_frequency,scale",
          is_rotary,
          [](const Subject& s) { return s.shape.d_head() / 2.0; },
          rows,
          figure};
}

}  // namespace locus
