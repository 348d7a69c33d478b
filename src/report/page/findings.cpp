#include "report/page/findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "io/format.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"
#include "report/text_study.h"

namespace locus {

std::string score(double accuracy) { return fixed(accuracy, 2); }

std::vector<const ResultRow*> without_positions(const ModelRows& view) {
  std::vector<const ResultRow*> rows = view.rows;
  std::erase_if(rows, [](const ResultRow* row) { return row->scheme != "none"; });
  return rows;
}

std::string some_tasks(const std::vector<std::string>& tasks, const ModelRows& view) {
  return tasks.size() > 5 ? str(tasks.size(), " of ", view.tasks.size(), " tasks") : list_of(tasks);
}

std::vector<Judged> judged_at(std::optional<RowAtLength> (*length_of)(const ResultRow&),
                              const ModelRows& view) {
  std::vector<Judged> together;
  for (const ResultRow* row : view.rows)
    if (const auto at = length_of(*row); at && is_measured(*row, *at)) together.push_back({row, *at});
  return judged(together);
}

std::string steps_of(const std::vector<const ResultRow*>& rows) {
  std::set<int> steps;
  for (const ResultRow* row : rows) steps.insert(row->steps.begin(), row->steps.end());
  return str(steps.size() == 1 ? "" : with_separators(*steps.begin()) + " to ",
             with_separators(*steps.rbegin()), " steps");
}

std::string budget_of(const std::vector<const ResultRow*>& rows) { return "After " + steps_of(rows); }

double measure_of(const Judged& one) { return mean(one.row->measure(one.at)); }

std::string measure_text(const Judged& one) {
  return one.row->is_text ? "perplexity " + perplexity_text(std::exp(-measure_of(one)))
                          : score(measure_of(one));
}

bool has_seeds(const ModelRows& view) {  // several, of every row
  return std::ranges::all_of(view.rows, [](const ResultRow* row) { return row->seeds() > 1; });
}

std::vector<std::string> on_all_tasks(const ModelRows& view) {
  std::vector<std::string> names = view.schemes;
  std::erase_if(
      names, [&](const std::string& scheme) { return view.of_scheme(scheme).size() != view.tasks.size(); });
  return names;
}

bool needs_order_on(const Judged& one) { return blind_level(*one.row, one.at) < needs_order; }

bool is_above(const Judged& one) { return one.standing == Standing::above; }

std::vector<Finding> findings(const Study& study) {
  std::vector<std::pair<std::size_t, Finding>> ranked;  // by the rank within a kind of model
  for (const ModelRows& view : study.views) {
    std::size_t rank = 0;
    for (const auto rule :
         {order_leaks, diverged, memorised, perplexity_beyond, ceiling_too_high, null_control, taken_away,
          mask_shows_order, best_beyond, learned_by_heart, never_trained, less_than_nothing, left_or_right,
          says_nothing, who_learns, noise_floor, few_seeds})
      if (auto finding = rule(view)) {
        if (study.views.size() > 1)
          finding->lead += str(" (", view.model, view.is_text ? ", texts" : "", ')');
        ranked.emplace_back(rank++, std::move(*finding));
      }
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Finding>::first);
  std::vector<Finding> found;
  for (auto& [rank, finding] : ranked) found.push_back(std::move(finding));
  return found;
}

std::string headline(const Study& study) {
  const std::vector<Finding> found = findings(study);
  std::string words = found.empty() ? counted(study.schemes.size(), "positional scheme") : found.front().text;
  std::erase(words, '`');
  return words;
}

std::string headline_answer(const Study& study) {
  if (study.views.empty() || study.schemes.size() < 2) return "";
  const ModelRows& view = study.views.front();
  if (!has_seeds(view)) return "";
  if (view.is_text) return text_answer(view);
  std::vector<Judged> all = judged_at(out_of_distribution, view);
  if (all.empty()) all = judged_at(in_distribution, view);
  std::erase_if(all, [](const Judged& one) { return !needs_order_on(one); });
  if (all.empty()) return "";
  std::set<std::string> tasks;
  std::map<std::size_t, std::vector<std::string>, std::greater<>> schemes;  // by the number of tasks
  for (const std::string& scheme : view.schemes) {
    std::size_t above = 0;
    for (const Judged& one : all)
      if (one.row->name() == scheme) {
        tasks.insert(one.row->task);
        above += is_above(one);
      }
    schemes[above].push_back(code(scheme));
  }
  const std::string what =
      view.generates ? " answers inputs rightly on " : " beats what can be had without order or reading on ";
  const std::string budget = str(", after ", steps_of(view.rows), '.');
  if (schemes.begin()->first == 0)
    return str("At ", tokens(all.front().at), " no scheme", what, "any task", budget);
  std::vector<std::string> parts;
  for (const auto& [above, names] : schemes) {
    if (parts.empty())
      parts.push_back(str("At ", tokens(all.front().at), ", ", names.size() > 1 ? "each of " : "",
                          some_of(names), what, above, " of ", counted(tasks.size(), "task")));
    else if (above > 0 && parts.size() < 3)
      parts.push_back(str(some_of(names), " on ", above));
    else {
      parts.push_back(str("no other scheme on ", above > 0 ? str("more than ", above) : "any"));
      break;
    }
  }
  return join(parts, "; ") + budget;
}

}  // namespace locus
