#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/format.h"
#include "report/measure.h"
#include "report/page/evidence.h"
#include "report/page/findings.h"
#include "report/page/words.h"
#include "train/trainer.h"

namespace locus {

namespace {

// The schemes that were run on every task: only they can be compared over all.
std::vector<std::string> on_all_tasks(const ModelRows& view) {
  std::vector<std::string> names;
  std::ranges::copy_if(view.schemes, std::back_inserter(names), [&](const std::string& scheme) {
    return view.of_scheme(scheme).size() == view.tasks.size();
  });
  return names;
}

struct Timed {
  std::string scheme;
  std::vector<double> steps;  // task by task, seed by seed
};

// Schemes that solve everything, so that all are timed on the same tasks and seeds.
std::vector<Timed> timed(const ModelRows& view) {
  std::vector<Timed> found;
  for (const std::string& scheme : on_all_tasks(view)) {
    Timed one{scheme, {}};
    std::size_t seeds = 0;
    for (const Summary* row : view.of_scheme(scheme)) {
      one.steps.insert(one.steps.end(), row->steps_to_solve.begin(), row->steps_to_solve.end());
      seeds += row->seed.size();
    }
    if (one.steps.size() == seeds) found.push_back(std::move(one));
  }
  return found;
}

}  // namespace

std::optional<Finding> who_learns(const ModelRows& view) {
  std::vector<std::string> names;
  const std::vector<std::string> complete = on_all_tasks(view);
  for (const std::string& scheme : complete)
    if (std::ranges::all_of(view.of_scheme(scheme), [](const Summary* row) { return solves(*row); }))
      names.push_back(code(scheme));
  if (names.empty() || complete.size() < 2) return {};
  return Finding{"At the length trained on",
                 text(names.size(), " of ", complete.size(), " schemes solve ",
                      view.tasks.size() == 1 ? view.tasks.front() : text("all ", view.tasks.size(), " tasks"),
                      " there in every seed: ", list_of(names), '.')};
}

std::optional<Finding> says_nothing(const ModelRows& view) {
  std::vector<std::string> clauses;
  for (const std::string& scheme : view.schemes) {
    std::vector<std::string> tasks;
    for (const Summary* row : view.of_scheme(scheme))
      if (const auto at = in_distribution(*row); row->scheme != "none" && at && is_at_ceiling(*row, *at))
        tasks.push_back(row->task);
    if (!tasks.empty()) clauses.push_back(text(code(scheme), " on ", some_of(tasks)));
  }
  if (clauses.empty()) return {};
  return Finding{"Positions that do not help",
                 text("No better, even at the length trained on, than a model blind to order: ",
                      join(clauses, "; "), '.')};
}

std::optional<Finding> quick_to_learn(const ModelRows& view) {
  std::vector<Timed> all = timed(view);
  if (all.size() < 2) return {};
  std::ranges::stable_sort(all, {}, [](const Timed& one) { return mean(one.steps); });
  const Timed &first = all.front(), &last = all.back();
  const double unseen =
      probe_every / std::sqrt(12.0);  // what happened between two probes, as a standard error
  if (first.steps.size() != last.steps.size() ||
      !is_above(paired_difference(last.steps, first.steps, unseen)))
    return {};
  return Finding{"Quick to learn", text("Of the schemes that solve everything, ", code(first.scheme),
                                        " needs the fewest steps (", fixed(mean(first.steps), 0),
                                        " on average over tasks and seeds), ", code(last.scheme),
                                        " the most (", fixed(mean(last.steps), 0), ").")};
}

// A mean over seeds that solve a task and seeds that do not describes neither.
std::optional<Finding> seeds_disagree(const ModelRows& view) {
  std::vector<std::string> pairs;
  for (const Summary* row : view.rows)
    if (row->seeds_disagree())
      pairs.push_back(text(code(row->name()), " on ", row->task, " (", row->steps_to_solve.size(), " of ",
                           row->seeds(), ')'));
  if (pairs.empty()) return {};
  return Finding{"Seeds disagree", text("Solved in some seeds only: ", some_of(pairs),
                                        ". There the dots say more than the mean.")};
}

}  // namespace locus
