#include "report/study.h"

#include <algorithm>

namespace locus {

namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!std::ranges::count(names, name)) names.push_back(name);
}

std::vector<const ResultRow*> those(std::vector<const ResultRow*> rows, auto is_wanted) {
  std::erase_if(rows, [&](const ResultRow* row) { return !is_wanted(*row); });
  return rows;
}

std::vector<ModelRows> views_of(const std::vector<ResultRow>& rows) {
  std::vector<ModelRows> all;
  for (const ResultRow& row : rows) {
    auto view = std::ranges::find_if(all, [&](const ModelRows& v) {
      return v.model == row.model && v.generates == row.generates && v.is_text == row.is_text;
    });
    if (view == all.end()) view = all.insert(view, {row.model, row.generates, row.is_text});
    (row.again ? view->again : view->rows).push_back(&row);
    if (row.again) continue;
    add_once(view->tasks, row.task);
    add_once(view->schemes, row.name());
  }
  return all;
}

}  // namespace

std::vector<const ResultRow*> ModelRows::of_scheme(const std::string& scheme) const {
  return those(rows, [&](const ResultRow& row) { return row.name() == scheme; });
}

std::vector<const ResultRow*> ModelRows::of_task(const std::string& task) const {
  return those(rows, [&](const ResultRow& row) { return row.task == task; });
}

Study::Study(Records records, std::string compared_with, std::vector<ChosenRate> chosen_of_more)
    : Records(std::move(records)),
      chosen(std::move(chosen_of_more)),
      rows(summarise(*this, chosen)),
      views(views_of(rows)),
      control(compared_with.empty() ? usual_control(rows) : std::move(compared_with)) {
  const std::vector<ChosenRate> best = chosen.empty() ? chosen_rates(*this) : chosen;
  for (ModelRows& view : views) {
    for (const std::string& scheme : view.schemes) add_once(schemes, scheme);
    for (const ChosenRate& one : best) {
      const ModelSettings& model = one.settings.model;
      const bool order_blind = model.scheme == "none" && model.kind == ModelKind::encoder;
      if (one.is_at_edge() && to_string(model.kind) == view.model && !order_blind &&
          std::ranges::count(view.tasks, one.settings.task) > 0)
        view.at_edge.insert(one.settings.task);
    }
  }
}

}  // namespace locus
