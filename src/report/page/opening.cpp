// What was compared, and what was found.
#include <set>

#include "base/text.h"
#include "report/page/findings.h"
#include "report/page/parts.h"
#include "report/page/sections.h"
#include "report/page/words.h"

namespace locus {

namespace {

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

}  // namespace

Html opening(const Study& study) {
  std::vector<Html> parts = {element("p", {{"class", "kicker"}}, {"Locus · how transformers know order"}),
                             element("h1", {}, {headline(study)}),
                             element("p", {{"class", "facts"}}, {facts(study)})};
  for (const ModelRows& view : study.views) parts.push_back(findings_of(view, study.views.size() > 1));
  return element("header", {}, parts);
}

}  // namespace locus
