#include "report/page/findings.h"

#include <algorithm>
#include <cmath>

#include "ablation/judgement.h"
#include "base/text.h"
#include "report/format.h"
#include "report/page/parts.h"
#include "train/trainer.h"

namespace locus {

namespace {

std::vector<const Summary*> without_positions(const ModelRows& view) {
  std::vector<const Summary*> rows = view.rows;
  std::erase_if(rows, [](const Summary* row) { return row->scheme != "none"; });
  return rows;
}

double widest_gap(const Summary& row) {
  double gap = 0;
  for (const LengthSummary& at : row.by_length)
    if (at.order_blind_ceiling)
      gap = std::max(gap, std::abs(mean(row.accuracy(at)) - *at.order_blind_ceiling));
  return gap;
}

// An encoder without positions cannot exceed the order-blind ceiling. If it does, it sees order in some
// other way, and no comparison on the page can be trusted.
std::optional<Finding> order_leaks(const ModelRows& view) {
  if (view.model != "encoder") return {};
  for (const Summary* row : without_positions(view))
    for (const LengthSummary& at : row->by_length)
      if (at.order_blind_ceiling &&
          is_above(difference(*row, at, *at.order_blind_ceiling + accuracy_tolerance)))
        return Finding{"Order leaks in",
                       text("On ", row->task, " at ", tokens(at), " the encoder without positions reaches ",
                            fixed(mean(row->accuracy(at)), 2), ", above the ceiling of ",
                            fixed(*at.order_blind_ceiling, 2),
                            ": it must see order some other way. Find out how before trusting the rest.")};
  return {};
}

// The encoder without positions must reach the ceiling and no
// more: that confirms the ceiling, the model and the test.
std::optional<Finding> null_control(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::vector<std::string> landed, missed;
  double widest_landed = 0.001;
  for (const Summary* row : without_positions(view)) {
    const double gap = widest_gap(*row);
    (gap < accuracy_tolerance ? landed : missed).push_back(row->task);
    if (gap < accuracy_tolerance) widest_landed = std::max(widest_landed, gap);
  }
  if (landed.empty()) return {};
  const std::string where = !missed.empty()
                                ? text(landed.size(), " of ", landed.size() + missed.size(), " tasks")
                            : landed.size() == 1 ? landed.front()
                                                 : text("all ", landed.size(), " tasks");
  return Finding{"Without order, the ceiling holds",
                 text("Without positions (`none`) the encoder lands on the order-blind ceiling of ", where,
                      ", at every length tested, within ", fixed(widest_landed, 3), '.',
                      missed.empty() ? "" : text(" It does not on ", some_of(missed), '.'))};
}

// The causal mask is a position signal (Haviv et al. 2022, "Transformer Language Models without Positional
// Encodings Still Learn Positional Information").
std::optional<Finding> mask_shows_order(const ModelRows& view) {
  if (view.model != "decoder") return {};
  std::vector<std::string> tasks;
  for (const Summary* row : without_positions(view))
    if (solves(*row)) tasks.push_back(row->task);
  if (tasks.empty()) return {};
  return Finding{"A decoder sees order without being told",
                 text("Without positions (`none`) the decoder solves ", some_of(tasks),
                      " in every seed: its causal mask shows it where tokens stand.")};
}

// The control against itself, trained on other seeds.
std::optional<Finding> noise_floor(const ModelRows& view) {
  std::vector<Summary> rows;
  for (const Summary* row : view.rows) rows.push_back(*row);
  const std::string control = usual_control(rows);
  double widest = 0;
  std::size_t count = 0;
  for (const Comparison& one : compare(rows, control)) {
    if (!one.is_aa || one.verdict == Verdict::none_with_one_seed) continue;
    ++count;
    widest = std::max(widest, std::abs(one.difference.mean));
    if (one.verdict != Verdict::not_distinguishable)
      return Finding{
          "The control differs from itself",
          text(code(control), " on ", rows[one.row].task, ", trained twice on different seeds, differs by ",
               fixed(std::abs(one.difference.mean), 3),
               ", more than chance allows: be wary of differences of that size.")};
  }
  if (count == 0) return {};
  return Finding{"How much is noise",
                 text(code(control), " against itself, on other seeds, differs by up to ",
                      fixed(std::max(widest, 0.001), 3), ", which is not distinguishable from 0.")};
}

// The schemes that were run on every task: only they can be compared over all tasks.
std::vector<std::string> on_all_tasks(const ModelRows& view) {
  std::vector<std::string> names = view.schemes;
  std::erase_if(
      names, [&](const std::string& scheme) { return view.of_scheme(scheme).size() != view.tasks.size(); });
  return names;
}

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
                      " there in every seed: ", some_of(names, 8), '.')};
}

std::optional<Finding> says_nothing(const ModelRows& view) {
  std::vector<std::string> clauses;
  for (const std::string& scheme : view.schemes) {
    std::vector<std::string> tasks;
    for (const Summary* row : view.of_scheme(scheme))
      if (const auto at = in_distribution(*row);
          row->scheme != "none" && at && no_better_than_order_blind(*row, *at))
        tasks.push_back(row->task);
    if (!tasks.empty()) clauses.push_back(text(code(scheme), " on ", some_of(tasks)));
  }
  if (clauses.empty()) return {};
  return Finding{"Positions that do not help",
                 text("No better, even at the length trained on, than a model blind to order: ",
                      some_clauses(clauses), '.')};
}

// Compares only schemes that solve every task in every seed: they are timed on the same tasks and seeds.
std::optional<Finding> quick_to_learn(const ModelRows& view) {
  struct Timed {
    std::string scheme;
    std::vector<double> steps;  // task by task, seed by seed
  };
  std::vector<Timed> all;
  for (const std::string& scheme : on_all_tasks(view)) {
    Timed one{scheme, {}};
    std::size_t seeds = 0;
    for (const Summary* row : view.of_scheme(scheme)) {
      one.steps.insert(one.steps.end(), row->steps_to_solve.begin(), row->steps_to_solve.end());
      seeds += row->seed.size();
    }
    if (one.steps.size() == seeds) all.push_back(std::move(one));
  }
  if (all.size() < 2) return {};
  std::ranges::stable_sort(all, {}, [](const Timed& one) { return mean(one.steps); });
  const Timed &first = all.front(), &last = all.back();
  // The standard error of the step, which is only known to lie between two probes.
  const double unseen = probe_every / std::sqrt(12.0);
  if (first.steps.size() != last.steps.size() ||
      !is_above(paired_difference(last.steps, first.steps, unseen)))
    return {};
  return Finding{"Quick to learn", text("Of the schemes that solve everything, ", code(first.scheme),
                                        " needs the fewest steps (", fixed(mean(first.steps), 0),
                                        " on average over tasks and seeds), ", code(last.scheme),
                                        " the most (", fixed(mean(last.steps), 0), ").")};
}

// A mean over seeds that solve a task and seeds that do not describes neither kind.
std::optional<Finding> seeds_disagree(const ModelRows& view) {
  std::vector<std::string> pairs;
  for (const Summary* row : view.rows)
    if (only_some_seeds_solve(*row))
      pairs.push_back(text(code(row->name()), " on ", row->task, " (", row->steps_to_solve.size(), " of ",
                           row->seeds(), ')'));
  if (pairs.empty()) return {};
  return Finding{"Seeds disagree", text("Solved in some seeds only: ", some_of(pairs),
                                        ". There the dots say more than the mean.")};
}

struct Entry {
  const Summary* row;
  LengthSummary at;
  double mean;
};

// The rows of a task that were tested at its longest inputs, the best first.
std::vector<Entry> ranking(const ModelRows& view, const std::string& task) {
  std::vector<Entry> entries;
  for (const Summary* row : view.of_task(task))
    if (const auto at = out_of_distribution(*row)) entries.push_back({row, *at, mean(row->accuracy(*at))});
  if (entries.empty()) return entries;
  const int longest = std::ranges::max(entries, {}, [](const Entry& e) { return e.at.length; }).at.length;
  std::erase_if(entries, [&](const Entry& e) { return e.at.length != longest; });
  std::ranges::stable_sort(entries, std::ranges::greater(), &Entry::mean);
  return entries;
}

// Even the best scheme is no better there than what is reached without order, or without reading the input.
bool nobody_carries(const std::vector<Entry>& entries) {
  const auto& [row, at, mean] = entries.front();
  return no_better_than(blind_level(*row, at), *row, at);
}

// Whether the first is above every other, with Holm's correction over these comparisons.
bool leads(const std::vector<Entry>& entries) {
  std::vector<double> p;
  for (auto other = entries.begin() + 1; other != entries.end(); ++other) {
    const auto lead = difference(*entries.front().row, entries.front().at, *other->row, other->at);
    if (!is_above(lead)) return false;
    p.push_back(lead->p);
  }
  return !p.empty() &&
         std::ranges::all_of(holm(p), [](double adjusted) { return adjusted < significance_level; });
}

std::string trained_text(const Summary& row) {
  const auto at = in_distribution(row);
  return at ? text(", ", fixed(mean(row.accuracy(*at)), 2), " at ", tokens(*at)) : "";
}

std::optional<Finding> best_beyond(const ModelRows& view) {
  std::vector<std::string> winners, nobody;
  for (const std::string& task : view.tasks) {
    const std::vector<Entry> entries = ranking(view, task);
    if (entries.empty()) continue;
    const Entry& best = entries.front();
    if (nobody_carries(entries))
      nobody.push_back(task);
    else if (leads(entries))
      winners.push_back(text(code(best.row->name()), " on ", task, " (", fixed(best.mean, 2), " at ",
                             tokens(best.at), trained_text(*best.row), ')'));
  }
  if (winners.empty() && nobody.empty()) return {};
  std::string sentences = winners.empty() ? "" : text("Ahead of every other scheme: ", some_of(winners), '.');
  if (!nobody.empty())
    sentences +=
        text(winners.empty() ? "On " : " On ", some_of(nobody),
             view.generates ? " no scheme gets even 2\u00a0% of the answers right."
                            : " no scheme beats both the order-blind ceiling and the no-input baseline.");
  return Finding{"On the longest inputs", sentences};
}

// The tasks on which the first is not above the second.
std::optional<Finding> too_close(const ModelRows& view) {
  std::vector<std::string> pairs;
  for (const std::string& task : view.tasks) {
    const std::vector<Entry> entries = ranking(view, task);
    if (entries.size() < 2 || nobody_carries(entries)) continue;
    const Entry &first = entries[0], &second = entries[1];
    const auto lead = difference(*first.row, first.at, *second.row, second.at);
    if (blind_level(*first.row, first.at) < needs_order && lead && lead->interval && !is_above(lead))
      pairs.push_back(text(code(first.row->name()), " and ", code(second.row->name()), " on ", task, " (",
                           fixed(first.mean, 2), ", ", fixed(second.mean, 2), ')'));
  }
  if (pairs.empty()) return {};
  return Finding{"Not distinguishable",
                 text("The two that lead on the longest inputs cannot be told apart by these seeds: ",
                      some_clauses(pairs), '.')};
}

// Schemes that solve the length trained on, and are worse on longer inputs than a model that sees no order.
std::optional<Finding> learned_by_heart(const ModelRows& view) {
  const Summary* worst = nullptr;
  double deepest = 0;
  std::size_t count = 0;
  for (const Summary* row : view.rows) {
    const auto beyond = out_of_distribution(*row);
    if (!beyond || !beyond->order_blind_ceiling || !solves(*row)) continue;
    if (!is_below(difference(*row, *beyond, *beyond->order_blind_ceiling - accuracy_tolerance))) continue;
    ++count;
    const double depth = *beyond->order_blind_ceiling - mean(row->accuracy(*beyond));
    if (depth > deepest) deepest = depth, worst = row;
  }
  if (!worst) return {};
  const LengthSummary beyond = *out_of_distribution(*worst);
  return Finding{
      "Right is not the same as understood",
      text(code(worst->name()), " solves ", worst->task, " at ", tokens(*in_distribution(*worst)),
           ", and at ", tokens(beyond), " gets ", fixed(mean(worst->accuracy(beyond)), 2), ", less than the ",
           fixed(*beyond.order_blind_ceiling, 2), " of a model that sees no order.",
           count == 1
               ? ""
               : text(" The same holds for ", counted(count - 1, "other pair"), " of scheme and task."))};
}

// On the task whose models differ most; across tasks, sizes differ for other reasons.
std::optional<Finding> sizes_differ(const ModelRows& view) {
  const Summary *small = nullptr, *large = nullptr;
  double ratio = 0;
  for (const std::string& task : view.tasks) {
    const auto rows = view.of_task(task);
    const auto [least, most] = std::ranges::minmax(rows, {}, &Summary::parameters);
    const double here = static_cast<double>(most->parameters) / least->parameters;
    if (here > ratio) small = least, large = most, ratio = here;
  }
  if (ratio < unequal_sizes) return {};
  return Finding{"Mind the sizes",
                 text("On ", large->task, ' ', code(large->name()), " has ", fixed(ratio, 1),
                      " times the parameters of ", code(small->name()), '.')};
}

std::optional<Finding> diverged(const ModelRows& view) {
  std::size_t count = 0;
  std::vector<std::string> names;
  for (const Summary* row : view.rows)
    if (row->diverged > 0) {
      count += static_cast<std::size_t>(row->diverged);
      names.push_back(text(code(row->name()), " on ", row->task));
    }
  if (count == 0) return {};
  return Finding{"Diverged", text("Training diverged in ", counted(count, "model"), ": ", some_of(names),
                                  ". (The loss was not a finite number, or at the end above ", diverged_above,
                                  " times that of a uniform guess.)")};
}

std::optional<Finding> few_seeds(const ModelRows& view) {
  const int seeds = std::ranges::min(view.rows, {}, &Summary::seeds)->seeds();
  if (seeds >= enough_seeds) return {};
  return Finding{"Few seeds",
                 text("With ", counted(static_cast<std::size_t>(seeds), "seed"),
                      ", a small difference may be luck: take five or more before claiming one.")};
}

}  // namespace

std::vector<Finding> findings(const ModelRows& view) {
  std::vector<Finding> found;
  for (const auto look :
       {order_leaks, null_control, mask_shows_order, who_learns, says_nothing, best_beyond, too_close,
        learned_by_heart, quick_to_learn, seeds_disagree, noise_floor, sizes_differ, diverged, few_seeds})
    if (auto finding = look(view)) found.push_back(std::move(*finding));
  return found;
}

}  // namespace locus
