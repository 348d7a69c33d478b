// The cosine of the angle between the codes of any two positions: 1 same direction, 0 at right angles, -1
// opposite. A code of zeros has no direction, so no row.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "cli/inspect/view.h"
#include "report/shade_map.h"

namespace locus {

namespace views::similarity {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Rows rows(const Subject& s) {
  Rows codes, rows;
  for (int p = 0; p < s.positions(); ++p) {
    codes.push_back(s.code(p));
    const double length = std::sqrt(dot(codes.back(), codes.back()));
    for (double& value : codes.back()) value /= length;  // NaN when all are 0
  }
  for (std::size_t a = 0; a < codes.size(); ++a)
    for (std::size_t b = 0; b < codes.size(); ++b)
      if (const double cosine = dot(codes[a], codes[b]); std::isfinite(cosine))
        rows.push_back({static_cast<double>(a), static_cast<double>(b), cosine});
  return rows;
}

HeatMap map_of(const Subject& s, const Rows& rows) {
  const auto positions = static_cast<std::size_t>(s.positions());
  return {.title = text("How alike the codes of ", s.spec, " are"),
          .rows = positions,
          .columns = positions,
          .values = matrix_of(rows, s.positions()),
          .row_axis = {"position"},
          .column_axis = {"other position"},
          .value_label = "cosine similarity",
          .scale = HeatMap::Scale::diverging,
          .range = Range{-1, 1},
          .square_cells = true};
}
Figure figure(const Subject& s, const Rows& rows) { return heat_map(map_of(s, rows)); }
std::string sketch(const Subject& s, const Rows& rows) { return shade_map(map_of(s, rows)); }

}  // namespace views::similarity

View similarity_view() {
  using namespace views::similarity;
  return {"similarity",
          "the cosine between the codes of two positions",
          "position,other,similarity",
          has_codes,
          [](const Subject& s) {
            const double T = s.length;
            return T * std::max(T, static_cast<double>(s.code(0).size()));
          },
          rows,
          figure,
          sketch};
}

}  // namespace locus
