#include "report/page/page.h"

#include <algorithm>

#include "report/html.h"
#include "report/page/sections.h"
#include "report/page/words.h"
#include "report/series_style.h"

namespace locus {

namespace {

Html key(const SeriesStyle& style, const std::string& name) {
  Drawing drawing;
  draw_key(drawing, {1, 7}, style);
  const Figure line = {"", key_length + 2, 14, drawing.take()};
  return element("li", {{"data-series", name}},
                 {element("span", {{"aria-hidden", "true"}}, {figure_element(line)}),
                  element("span", {{"class", "name"}}, {name})});
}

// What each line is, once for all charts.
Html legend(const Study& study) {
  std::vector<Html> schemes, references;
  for (std::size_t i = 0; i < study.schemes.size(); ++i)
    schemes.push_back(key(series_style(i), study.schemes[i]));
  const auto has = [&](std::optional<double> LengthSummary::*value) {
    return std::ranges::any_of(
        study.rows, [&](const Summary& row) { return !row.generates() && row.by_length.front().*value; });
  };
  if (has(&LengthSummary::order_blind_ceiling))
    references.push_back(key(ceiling_style(), "order-blind ceiling"));
  if (has(&LengthSummary::no_input_baseline))
    references.push_back(key(baseline_style(), "no-input baseline"));
  return element("nav", {{"class", "legend"}, {"aria-label", "Schemes"}},
                 {element("ul", {{"class", "schemes"}}, schemes), element("ul", {}, references)});
}

Html contents(const std::vector<Section>& sections) {
  std::vector<Html> items;
  for (const Section& one : sections)
    items.push_back(element("li", {}, {element("a", {{"href", "#" + one.id}}, {one.heading})}));
  return element("nav", {{"class", "contents"}, {"aria-label", "Contents"}}, {element("ul", {}, items)});
}

}  // namespace

std::string report_page(const Study& study) {
  std::vector<Section> sections = {map_section(study),      accuracy_section(study), learning_section(study),
                                   steps_section(study),    control_section(study),  cost_section(study),
                                   settings_section(study), terms_section()};
  std::erase_if(sections, [](const Section& one) { return one.content.empty(); });
  std::vector<Html> parts = {opening(study), contents(sections), section_element(sections.front()),
                             legend(study)};
  for (auto one = sections.begin() + 1; one != sections.end(); ++one) parts.push_back(section_element(*one));
  return html_document({.title = "Locus: " + counted(study.schemes.size(), "scheme") + " compared",
                        .style = page_style(),
                        .script = page_script(),
                        .body = element("main", {}, parts)});
}

}  // namespace locus
