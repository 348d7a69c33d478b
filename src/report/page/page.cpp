#include "report/page/page.h"

#include "report/html.h"
#include "report/page/sections.h"
#include "report/page/words.h"
#include "report/series_style.h"

namespace locus {

namespace {

Figure key_of(std::size_t place) {
  Drawing drawing;
  draw_key(drawing, {1, 7}, series_style(place));
  return {"", key_length + 2, 14, drawing.take()};
}

// What each line is, once for all charts.
Html legend(const Study& study) {
  std::vector<Html> items;
  for (std::size_t i = 0; i < study.schemes.size(); ++i)
    items.push_back(element("li", {{"data-series", study.schemes[i]}},
                            {element("span", {{"aria-hidden", "true"}}, {figure_element(key_of(i))}),
                             element("span", {{"class", "name"}}, {study.schemes[i]})}));
  return element("nav", {{"class", "legend"}, {"aria-label", "Schemes"}}, {element("ul", {}, items)});
}

}  // namespace

std::string report_page(const Study& study) {
  return html_document({.title = "Locus: " + counted(study.schemes.size(), "scheme") + " compared",
                        .style = page_style(),
                        .script = page_script(),
                        .body = element("main", {},
                                        {opening(study), map_section(study), legend(study),
                                         accuracy_section(study), steps_section(study), cost_section(study),
                                         settings_section(study), terms_section()})});
}

}  // namespace locus
