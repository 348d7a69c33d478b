// After how many positions each clock is back where it was: 2 pi / theta. Within the window shown, clocks of
// much longer waves hardly move. Those that stand still (prope) have no wavelength, so no row.
#include <numbers>

#include "base/error.h"
#include "cli/inspect/view.h"
#include "report/line_chart.h"

namespace locus {

namespace views::wavelengths {

Rows rows(const Subject& s) {
  Rows rows;
  const std::vector<double> thetas = clocks_of(s).inverse_frequency;
  for (std::size_t pair = 0; pair < thetas.size(); ++pair)
    if (thetas[pair] > 0)
      rows.push_back({static_cast<double>(pair), thetas[pair], 2 * std::numbers::pi / thetas[pair]});
  return rows;
}

Figure figure(const Subject& s, const Rows& rows) {
  Series series{"pair", {}};
  for (const auto& row : rows) series.samples.push_back({row[2], row[0]});
  return line_chart({.title = text("The wavelengths of ", s.spec, ", pair by pair"),
                     .x_label = "positions per turn (logarithmic)",
                     .y_label = "pair",
                     .series = {series},
                     .vertical_lines = {{static_cast<double>(s.length), text("window: ", s.length)}},
                     .x_axis = LineChart::Axis::log2,
                     .labels = LineChart::Labels::none});
}

}  // namespace views::wavelengths

View wavelengths_view() {
  using namespace views::wavelengths;
  return {"wavelengths",
          "positions per turn of each such pair",
          "pair,inverse_frequency,wavelength",
          [](const Subject& s) { return !rows(s).empty(); },
          [](const Subject& s) { return s.shape.d_model / 2.0; },
          rows,
          figure};
}

}  // namespace locus
