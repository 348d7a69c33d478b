// The codes of an embedding-stage scheme: position by channel.
#include "base/error.h"
#include "cli/inspect/view.h"
#include "report/shade_map.h"

namespace locus {

namespace views::embedding {

Rows rows(const Subject& s) {
  Rows rows;
  for (int p = 0; p < s.positions(); ++p) {
    const std::vector<double> code = s.code(p);
    for (std::size_t dim = 0; dim < code.size(); ++dim)
      rows.push_back({static_cast<double>(p), static_cast<double>(dim), code[dim]});
  }
  return rows;
}

HeatMap map_of(const Subject& s, const Rows& rows) {
  const auto positions = static_cast<std::size_t>(s.positions());
  return {.title = text("The codes of ", s.spec, ": one row per position"),
          .rows = positions,
          .columns = rows.size() / positions,
          .values = last_column(rows),
          .row_axis = {"position"},
          .column_axis = {"channel"},
          .value_label = "value",
          .scale = HeatMap::Scale::diverging,
          .width = 640};
}
Figure figure(const Subject& s, const Rows& rows) { return heat_map(map_of(s, rows)); }
std::string sketch(const Subject& s, const Rows& rows) { return shade_map(map_of(s, rows)); }

}  // namespace views::embedding

View embedding_view() {
  using namespace views::embedding;
  return {
      "embedding",
      "the code of each position",
      "position,dim,value",
      has_codes,
      [](const Subject& s) { return static_cast<double>(s.length) * static_cast<double>(s.code(0).size()); },
      rows,
      figure,
      sketch};
}

}  // namespace locus
