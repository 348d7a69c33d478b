#include "report/page/page.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "report/html.h"
#include "report/page/findings.h"
#include "report/page/parts.h"
#include "report/plot.h"

namespace locus {

namespace {

// What was compared, and what was found.

std::string headline(const Study& study) {
  std::set<std::string> tasks;
  for (const Summary& row : study.rows) tasks.insert(row.task);
  return text(counted(study.schemes.size(), "positional scheme"), " on ", counted(tasks.size(), "task"));
}

// "270 models trained and tested: encoder, 5 seeds each, 10 of the control."
std::string facts(const Study& study) {
  std::set<std::string> models;
  std::set<int> seeds, of_control;
  for (const Summary& row : study.rows) {
    models.insert(row.model);
    (row.scheme == study.control ? of_control : seeds).insert(row.seeds());
  }
  if (seeds.empty()) seeds = of_control;
  const auto range = [](const std::set<int>& counts) {
    const auto most = counted(static_cast<std::size_t>(*counts.rbegin()), "seed");
    return counts.size() == 1 ? most : text(*counts.begin(), " to ", most);
  };
  return text(
      counted(study.results.size(), "model"),
      " trained and tested: ", list_of({models.begin(), models.end()}), ", ", range(seeds), " each",
      of_control.empty() || of_control == seeds ? "" : text(", ", range(of_control), " of the control"), '.');
}

Html findings_of(const ModelRows& view, bool named) {
  std::vector<Html> items;
  for (const auto& [lead, words] : findings(view))
    items.push_back(element("li", {}, {element("h3", {}, {lead}), element("p", {}, {prose(words)})}));
  Html out;
  if (items.empty()) return out;
  if (named) out += element("h2", {}, {text("What the ", view.model, "s show")});
  out += element("ul", {{"class", "findings"}}, items);
  return out;
}

// The top of the page: what was compared, and what was found.
Html opening(const Study& study) {
  std::vector<Html> parts = {element("p", {{"class", "kicker"}}, {"Locus · how transformers know order"}),
                             element("h1", {}, {headline(study)}),
                             element("p", {{"class", "facts"}}, {facts(study)})};
  for (const ModelRows& view : study.views) parts.push_back(findings_of(view, study.views.size() > 1));
  return element("header", {}, parts);
}

Section terms_section() {
  struct Term {
    const char *name, *meaning;
  };
  constexpr Term terms[] = {
      {"token accuracy", "the share of answer tokens that are right; encoders are measured by it"},
      {"exact match",
       "the share of examples whose whole answer is right; where answers are generated, the measure"},
      {"order-blind ceiling",
       "the best token accuracy of any encoder that sees the tokens but not their order: found by counting, "
       "not by training. A decoder's causal mask shows order, so it has none"},
      {"no-input baseline",
       "the token accuracy of always giving the most frequent answer at each place, unread"},
      {"length trained on",
       "the longest input the model saw in training; what is longer is out of distribution"},
      {"solved", "99\u00a0% of fresh examples answered without a mistake"},
  };
  std::vector<Html> list;
  for (const auto& [name, meaning] : terms)
    list.push_back(element("div", {}, {element("dt", {}, {name}), element("dd", {}, {meaning})}));
  return {"terms", "Terms", {element("dl", {{"class", "terms"}}, list)}};
}

Html key(const SeriesStyle& style, const std::string& name) {
  Drawing drawing;
  draw_key(drawing, {1, 7}, style);
  const Figure line = {"", key_length + 2, 14, drawing.take()};
  return element("li", {{"data-series", name}},
                 {element("span", {{"aria-hidden", "true"}}, {figure_element(line)}),
                  element("span", {{"class", "name"}}, {name})});
}

// The key of all charts of the page.
Html legend(const Study& study) {
  std::vector<Html> schemes, others;
  for (std::size_t i = 0; i < study.schemes.size(); ++i)
    schemes.push_back(key(series_style(i), study.schemes[i]));
  if (study.has(&LengthSummary::order_blind_ceiling))
    others.push_back(key(ceiling_style(), "order-blind ceiling"));
  if (study.has(&LengthSummary::no_input_baseline))
    others.push_back(key(baseline_style(), "no-input baseline"));
  return element("nav", {{"class", "legend"}, {"aria-label", "Schemes"}},
                 {element("ul", {{"class", "schemes"}}, schemes), element("ul", {}, others)});
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
