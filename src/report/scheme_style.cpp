#include "report/scheme_style.h"

#include <algorithm>
#include <tuple>

#include "base/size.h"

namespace locus {

SeriesStyle scheme_style(const Spec& spec) {
  constexpr std::tuple<Stage, const char*, std::size_t> looks[] = {{Stage::nowhere, dark_ink, 0},
                                                                   {Stage::embedding, green_ink, 2},
                                                                   {Stage::positions, pink_ink, 1},
                                                                   {Stage::query_and_key, purple_ink, 3},
                                                                   {Stage::scores, ochre_ink, 4}};
  SeriesStyle style{.colour = petrol_ink,
                    .form = 5};  // of several stages, of a spec for each layer, of another version
  for (const auto& [stage, colour, form] : looks)
    if (stage_of(spec) == to_string(stage)) style = {.colour = colour, .form = form};
  return style;
}

SeriesStyle row_style(const ModelRows& view, const ResultRow& row) {
  if (!view.is_text) return scheme_style(row.settings.model.scheme);
  const auto nth = as_size(std::ranges::find(view.schemes, row.name()) - view.schemes.begin());
  return nth_alike(series_style(nth), nth);
}

std::string stage_of(const Spec& spec) {
  const auto parts = spec.known_parts();
  return parts.size() == 1 ? to_string(parts.front().info->stage) : "several places";
}

}  // namespace locus
