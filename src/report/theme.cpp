#include "report/theme.h"

#include <vector>

#include "base/text.h"
#include "report/colour.h"

namespace locus {

std::span<const Twin> twins() {
  static const std::vector<Twin> all = [] {
    std::vector<Twin> pairs = {{paper, "#15171a"},         {dark_ink, "#eceae6"},    {pale_ink, "#b0aea9"},
                               {grid_ink, "#303338"},      {axis_ink, "#7d8085"},    {guide_ink, "#a3a3a3"},
                               {reference_ink, "#565a61"}, {missing_fill, "#3b3e43"}};
    // The series in their order: the same hues, lighter where they would sink into the ground.
    for (const char* dark : {"#3f9fe3", "#f07b3a", "#2dbb8d", "#dd94bf", "#f0b23c", "#9bd8f7", "#f4f4f4"})
      pairs.push_back({to_string(series_colour(pairs.size() - 8)), dark});
    return pairs;
  }();
  return all;
}

std::string dark_style() {
  std::string rules;
  for (const auto& [light, dark] : twins()) {
    const char* fills = light == paper ? "rect" : "";  // white numbers on cells stay white
    rules +=
        text(fills, "[fill=\"", light, "\"]{fill:", dark, "}[stroke=\"", light, "\"]{stroke:", dark, "}");
  }
  return text("@media screen and (prefers-color-scheme:dark){", rules, "}");
}

}  // namespace locus
