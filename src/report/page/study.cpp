#include "report/page/study.h"

#include <algorithm>

#include "report/measure.h"

namespace locus {

namespace {

void add_once(std::vector<std::string>& names, const std::string& name) {
  if (!std::ranges::count(names, name)) names.push_back(name);
}

}  // namespace

const Summary* View::find(const std::string& task, const std::string& scheme) const {
  const auto found = std::ranges::find_if(
      rows, [&](const Summary* row) { return row->task == task && row_name(*row) == scheme; });
  return found == rows.end() ? nullptr : *found;
}

std::vector<const Summary*> View::of_scheme(const std::string& scheme) const {
  std::vector<const Summary*> found;
  std::ranges::copy_if(rows, std::back_inserter(found),
                       [&](const Summary* row) { return row_name(*row) == scheme; });
  return found;
}

std::vector<const Summary*> View::of_task(const std::string& task) const {
  std::vector<const Summary*> found;
  std::ranges::copy_if(rows, std::back_inserter(found),
                       [&](const Summary* row) { return row->task == task; });
  return found;
}

std::vector<View> views(const std::vector<Summary>& rows) {
  std::vector<View> all;
  for (const Summary& row : rows) {
    auto view = std::ranges::find_if(
        all, [&](const View& v) { return v.model == row.model && v.generates == row.generates(); });
    if (view == all.end()) view = all.insert(view, {row.model, row.generates(), {}, {}, {}});
    view->rows.push_back(&row);
    add_once(view->tasks, row.task);
    add_once(view->schemes, row_name(row));
  }
  return all;
}

Study::Study(const std::vector<Result>& all)
    : results(all), rows(summarise(results)), views(locus::views(rows)) {
  for (const Summary& row : rows) add_once(schemes, row_name(row));
}

std::size_t Study::place(const std::string& scheme) const {
  return static_cast<std::size_t>(std::ranges::find(schemes, scheme) - schemes.begin());
}

}  // namespace locus
