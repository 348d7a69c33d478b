#include <algorithm>

#include "base/text.h"
#include "report/charts.h"
#include "report/figures.h"
#include "report/format.h"

namespace locus {

namespace {

// Of the heads of one layer.
LineChart offsets_of(int layer, const std::vector<AttentionMap>& maps) {
  LineChart chart{.title = text("layer ", layer, ": how far its heads look"),
                  .x_label = "key minus query",
                  .y_label = "share of the attention",
                  .series = {},
                  .width = 520,
                  .height = 280};
  for (const AttentionMap& map : maps) {
    if (map.head.layer != layer) continue;
    Series series{.name = text("head ", map.head), .samples = {}};
    const std::vector<double> shares = map.share_by_offset();
    const int last = map.causal ? 0 : map.length - 1;
    for (int offset = 1 - map.length; offset <= last; ++offset)
      series.samples.push_back(
          {static_cast<double>(offset), shares[static_cast<std::size_t>(offset + map.length - 1)]});
    chart.series.push_back(std::move(series));
  }
  return chart;
}

}  // namespace

std::vector<HeatMap> attention_heat_maps(const std::vector<AttentionMap>& maps,
                                         const std::vector<std::string>& tokens) {
  std::vector<HeatMap> drawn;
  double highest = 0;
  for (const AttentionMap& map : maps) highest = std::max(highest, std::ranges::max(map.weights));
  for (const AttentionMap& map : maps) {
    const auto T = static_cast<std::size_t>(map.length);
    drawn.push_back({.title = text("head ", map.head, ", entropy ", fixed(map.entropy, 2), " bits"),
                     .rows = T,
                     .columns = T,
                     .values = map.weights,
                     .row_axis = {"query", tokens},
                     .column_axis = {"key", tokens},
                     .value_label = "attention weight",
                     .range = Range{0, highest},
                     .square_cells = true,
                     .width = tokens.empty() ? 320 : std::max(320.0, 130 + 24 * static_cast<double>(T))});
  }
  return drawn;
}

Figure attention_figure(std::string_view title, const std::vector<AttentionMap>& maps,
                        const std::vector<std::string>& tokens) {
  std::vector<Figure> heads, layers;
  for (const HeatMap& map : attention_heat_maps(maps, tokens)) heads.push_back(heat_map(map));
  for (std::size_t i = 0; i < maps.size(); ++i)
    if (i == 0 || maps[i].head.layer != maps[i - 1].head.layer)
      layers.push_back(line_chart(offsets_of(maps[i].head.layer, maps)));
  const auto of_first_layer = static_cast<std::size_t>(std::ranges::count_if(
      maps, [&](const AttentionMap& map) { return map.head.layer == maps[0].head.layer; }));
  return panels("",
                {panels(title, heads, std::min<std::size_t>(of_first_layer, 4)),
                 panels("", layers, std::min<std::size_t>(layers.size(), 2))},
                1);
}

}  // namespace locus
