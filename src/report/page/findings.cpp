#include "report/page/findings.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/format.h"
#include "report/measure.h"
#include "report/page/words.h"

namespace locus {

namespace {

constexpr double near = 0.02;         // as near to a ceiling as several thousand test tokens can tell
constexpr double solved = 0.99;       // the share of right answers at which training calls a task solved
constexpr double needs_order = 0.98;  // below this ceiling, order is worth something
constexpr std::size_t most_named = 4;

using Names = std::vector<std::string>;

std::optional<double> mean_at(const Summary& row, const std::optional<LengthSummary>& at) {
  return at ? std::optional(mean(accuracy(row, *at))) : std::nullopt;
}

bool solves(const Summary& row) {
  const auto at = in_distribution(row);
  return at && smallest(accuracy(row, *at)) >= solved;
}

bool is_at_ceiling(const Summary& row, const std::optional<LengthSummary>& at) {
  return at && at->order_blind_ceiling && *at->order_blind_ceiling < needs_order &&
         std::abs(mean(accuracy(row, *at)) - *at->order_blind_ceiling) < near;
}

// Seed by seed, so that what a seed does to both does not count. A single seed supports nothing.
bool is_above(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return false;
  std::vector<double> differences;
  for (std::size_t seed = 0; seed < a.size(); ++seed) differences.push_back(a[seed] - b[seed]);
  const auto interval = mean_interval(differences);
  return interval && interval->low > 0;
}

bool is_above(const std::vector<double>& values, double level) {
  return is_above(values, std::vector<double>(values.size(), level));
}

std::string accuracy_text(double value) { return fixed(value, 2); }

// "12 tokens"; of a table, "held-out sentences".
std::string place_of(const LengthSummary& at) {
  return at.length == 0 ? "held-out sentences" : text(at.length, " tokens");
}

// The encoder without positions has to land on the ceiling: that shows that the ceiling, the model and the
// test are what they are said to be.
std::optional<Finding> null_control(const View& view) {
  if (view.model != "encoder") return {};
  Names landed, missed;
  double widest = 0;
  for (const Summary* row : view.of_scheme("none")) {
    double gap = 0;
    for (const LengthSummary& at : row->by_length)
      if (at.order_blind_ceiling)
        gap = std::max(gap, std::abs(mean(accuracy(*row, at)) - *at.order_blind_ceiling));
    (gap < near ? landed : missed).push_back(row->task);
    if (gap < near) widest = std::max(widest, gap);
  }
  if (landed.empty()) return {};
  return Finding{
      "Without order, the ceiling holds",
      text("Without positions (`none`) the encoder lands on the order-blind ceiling of ",
           missed.empty() ? landed.size() == 1 ? landed.front() : text("all ", landed.size(), " tasks")
                          : text(landed.size(), " of ", landed.size() + missed.size(), " tasks"),
           ", at every length tested, within ", fixed(widest, 3), '.',
           missed.empty() ? "" : text(" It does not on ", some_of(missed, most_named), '.'))};
}

// Better than possible: then order leaks in somewhere, and no comparison on this page can be trusted.
std::optional<Finding> leak(const View& view) {
  if (view.model != "encoder") return {};
  for (const Summary* row : view.of_scheme("none"))
    for (const LengthSummary& at : row->by_length)
      if (at.order_blind_ceiling && is_above(accuracy(*row, at), *at.order_blind_ceiling + near))
        return Finding{"Order leaks in",
                       text("On ", row->task, " at ", place_of(at), " the model without positions reaches ",
                            accuracy_text(mean(accuracy(*row, at))), ", above the ceiling of ",
                            accuracy_text(*at.order_blind_ceiling),
                            ": it must see order some other way. Find out how before trusting "
                            "the rest of this page.")};
  return {};
}

// The causal mask is a position signal (Haviv et al. 2022, "Transformer Language Models without Positional
// Encodings Still Learn Positional Information").
std::optional<Finding> mask_shows_order(const View& view) {
  if (view.model != "decoder") return {};
  Names tasks;
  for (const Summary* row : view.of_scheme("none"))
    if (solves(*row)) tasks.push_back(row->task);
  if (tasks.empty()) return {};
  return Finding{"A decoder sees order without being told",
                 text("Without positions (`none`) the decoder solves ", some_of(tasks, most_named),
                      " in every seed: its causal mask shows it where tokens stand.")};
}

std::optional<Finding> who_learns(const View& view) {
  Names all, none;
  std::size_t complete = 0;  // schemes that were run on all tasks
  for (const std::string& scheme : view.schemes) {
    const auto rows = view.of_scheme(scheme);
    if (rows.size() != view.tasks.size()) continue;
    ++complete;
    if (std::ranges::all_of(rows, [](const Summary* row) { return solves(*row); }))
      all.push_back(code(scheme));
  }
  if (all.empty() || complete < 2) return {};
  return Finding{"Learned at the length trained on",
                 text(all.size(), " of ", complete, " schemes solve ",
                      view.tasks.size() == 1 ? view.tasks.front() : text("all ", view.tasks.size(), " tasks"),
                      " there in every seed: ", list_of(all), '.')};
}

std::optional<Finding> no_better_than_blind(const View& view) {
  Names clauses;
  for (const std::string& scheme : view.schemes) {
    if (scheme == "none") continue;
    Names tasks;
    for (const Summary* row : view.of_scheme(scheme))
      if (is_at_ceiling(*row, in_distribution(*row))) tasks.push_back(row->task);
    if (!tasks.empty())
      clauses.push_back(
          text(clauses.empty() ? "on " : "", some_of(tasks, most_named), " with ", code(scheme)));
  }
  if (clauses.empty()) return {};
  return Finding{"Positions that say nothing",
                 text("Even at the length trained on, the model does no better than one blind to order ",
                      join(clauses, "; on "), '.')};
}

// On each task, the scheme whose lead over every other is more than chance.
std::optional<Finding> best_beyond(const View& view) {
  Names winners, nobody;
  for (const std::string& task : view.tasks) {
    const Summary* best = nullptr;
    std::optional<LengthSummary> best_at;
    for (const Summary* row : view.of_task(task))
      if (const auto at = out_of_distribution(*row))
        if (!best || mean(accuracy(*row, *at)) > mean(accuracy(*best, *best_at))) best = row, best_at = at;
    if (!best) continue;
    const bool leads = std::ranges::all_of(view.of_task(task), [&](const Summary* other) {
      const auto at = out_of_distribution(*other);
      return other == best || (at && is_above(accuracy(*best, *best_at), accuracy(*other, *at)));
    });
    const double top = mean(accuracy(*best, *best_at));
    const double blind = best_at->order_blind_ceiling.value_or(0);
    if (blind < needs_order && top < blind + near)
      nobody.push_back(task);
    else if (leads && view.of_task(task).size() > 1)
      winners.push_back(
          text(code(row_name(*best)), " on ", task, " (", accuracy_text(top), " at ", place_of(*best_at),
               ", ", accuracy_text(mean_at(*best, in_distribution(*best)).value_or(NAN)), " as trained)"));
  }
  std::string sentences;
  if (!winners.empty()) sentences = text("Ahead of all others: ", list_of(winners), '.');
  if (!nobody.empty())
    sentences += text(sentences.empty() ? "" : " ", "On ", some_of(nobody, most_named),
                      view.generates ? " no scheme still answers even 2 % there."
                                     : " no scheme is above one that sees no order.");
  if (sentences.empty()) return {};
  return Finding{"On the longest inputs", sentences};
}

// Right at the length trained on, and beyond it worse than a model that sees no order at all.
std::optional<Finding> learned_by_heart(const View& view) {
  const Summary* worst = nullptr;
  double deepest = 0;
  std::size_t others = 0;
  for (const Summary* row : view.rows) {
    const auto beyond = out_of_distribution(*row);
    if (!solves(*row) || !beyond || !beyond->order_blind_ceiling) continue;
    const std::vector<double> blind(accuracy(*row, *beyond).size(), *beyond->order_blind_ceiling - near);
    if (!is_above(blind, accuracy(*row, *beyond))) continue;
    ++others;
    const double depth = *beyond->order_blind_ceiling - mean(accuracy(*row, *beyond));
    if (depth > deepest) deepest = depth, worst = row;
  }
  if (!worst) return {};
  const LengthSummary beyond = *out_of_distribution(*worst);
  --others;
  return Finding{
      "Right is not the same as understood",
      text(code(row_name(*worst)), " solves ", worst->task, " at ", place_of(*in_distribution(*worst)),
           ", yet at ", place_of(beyond), " it gets ", accuracy_text(mean(accuracy(*worst, beyond))),
           ", less than the ", accuracy_text(*beyond.order_blind_ceiling), " of a model that sees no order.",
           others == 0 ? "" : text(" So do ", counted(others, "other pair"), " of scheme and task."))};
}

// Among schemes that solve everything, so that all are timed on the same tasks.
std::optional<Finding> fastest(const View& view) {
  struct Timed {
    std::string scheme;
    std::vector<double> steps;  // task by task, seed by seed
  };
  std::vector<Timed> timed;
  for (const std::string& scheme : view.schemes) {
    Timed one{scheme, {}};
    const auto rows = view.of_scheme(scheme);
    if (rows.size() != view.tasks.size()) continue;
    if (!std::ranges::all_of(rows, [](const Summary* row) {
          return row->seeds() > 0 && row->steps_to_solve.size() == static_cast<std::size_t>(row->seeds());
        }))
      continue;
    for (const Summary* row : rows)
      one.steps.insert(one.steps.end(), row->steps_to_solve.begin(), row->steps_to_solve.end());
    timed.push_back(std::move(one));
  }
  if (timed.size() < 2) return {};
  std::ranges::stable_sort(timed, {}, [](const Timed& one) { return mean(one.steps); });
  const Timed &first = timed.front(), &last = timed.back();
  if (!is_above(last.steps, first.steps)) return {};
  return Finding{"Quick to learn", text("Of the schemes that solve everything, ", code(first.scheme),
                                        " needs the fewest steps (", fixed(mean(first.steps), 0),
                                        " on average over tasks and seeds), ", code(last.scheme),
                                        " the most (", fixed(mean(last.steps), 0), ").")};
}

// A mean over seeds that solve a task and seeds that do not describes neither.
std::optional<Finding> seeds_disagree(const View& view) {
  Names pairs;
  for (const Summary* row : view.rows)
    if (!row->steps_to_solve.empty() && row->steps_to_solve.size() < static_cast<std::size_t>(row->seeds()))
      pairs.push_back(text(code(row_name(*row)), " on ", row->task, " (", row->steps_to_solve.size(), " of ",
                           row->seeds(), ')'));
  if (pairs.empty()) return {};
  return Finding{"Seeds disagree", text("Solved in some seeds only: ", some_of(pairs, most_named),
                                        ". There the dots say more than the mean.")};
}

std::optional<Finding> sizes_differ(const View& view) {
  const auto [least, most] =
      std::ranges::minmax_element(view.rows, {}, [](const Summary* row) { return row->parameters; });
  if ((*least)->parameters <= 0 || (*most)->parameters < 1.25 * (*least)->parameters) return {};
  return Finding{"Mind the sizes",
                 text(code(row_name(**most)), " on ", (*most)->task, " has ",
                      significant(1.0 * (*most)->parameters / (*least)->parameters, 2),
                      " times the parameters of ", code(row_name(**least)), " on ", (*least)->task, '.')};
}

std::optional<Finding> few_seeds(const View& view) {
  const auto seeds =
      std::ranges::min(view.rows, {}, [](const Summary* row) { return row->seeds(); })->seeds();
  if (seeds >= 5) return {};
  return Finding{"Few seeds",
                 text("With ", counted(static_cast<std::size_t>(seeds), "seed"),
                      " a small difference may be luck: take five or more before claiming one.")};
}

std::optional<Finding> diverged(const View& view) {
  std::size_t count = 0;
  Names names;
  for (const Summary* row : view.rows)
    if (row->diverged > 0) {
      count += static_cast<std::size_t>(row->diverged);
      names.push_back(text(code(row_name(*row)), " on ", row->task));
    }
  if (count == 0) return {};
  return Finding{"Diverged", text("Training blew up in ", counted(count, "model"), ": ",
                                  some_of(names, most_named), '.')};
}

}  // namespace

std::vector<Finding> findings(const View& view) {
  std::vector<Finding> found;
  for (const auto& look :
       {leak, null_control, mask_shows_order, who_learns, no_better_than_blind, best_beyond, learned_by_heart,
        fastest, seeds_disagree, sizes_differ, diverged, few_seeds})
    if (auto finding = look(view)) found.push_back(std::move(*finding));
  return found;
}

}  // namespace locus
