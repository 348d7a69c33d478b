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

// "270 models, trained and tested: encoder, 5 seeds each."
std::string facts(const Study& study) {
  std::set<std::string> models;
  int least = study.rows.front().seeds(), most = least;
  for (const Summary& row : study.rows) {
    models.insert(row.model);
    least = std::min(least, row.seeds());
    most = std::max(most, row.seeds());
  }
  return text(
      counted(study.results.size(), "model"),
      " trained and tested: ", list_of({models.begin(), models.end()}), ", ",
      least == most ? counted(static_cast<std::size_t>(least), "seed") : text(least, " to ", most, " seeds"),
      " each.");
}

Html findings_of(const View& view, bool named) {
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
  for (const View& view : study.views) parts.push_back(findings_of(view, study.views.size() > 1));
  return element("header", {}, parts);
}

}  // namespace locus
