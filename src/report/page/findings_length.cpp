#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/format.h"
#include "report/measure.h"
#include "report/page/evidence.h"
#include "report/page/findings.h"
#include "report/page/words.h"

namespace locus {

namespace {

struct Entry {
  const Summary* row;
  LengthSummary at;
  double mean;
};

// A task at its longest inputs, the best scheme first; only rows tested at that length.
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

// What can be had without order, or without reading. Whole answers that are generated cannot be.
double blind(const ModelRows& view, const LengthSummary& at) {
  return view.generates ? 0 : std::max(at.order_blind_ceiling.value_or(0), at.no_input_baseline.value_or(0));
}

bool nobody_carries(const ModelRows& view, const std::vector<Entry>& entries) {
  const double level = blind(view, entries.front().at);
  return level < needs_order && entries.front().mean < level + near_ceiling;
}

// The first is above every other, by Holm's correction over those comparisons.
bool leads(const std::vector<Entry>& entries) {
  std::vector<double> p;
  for (auto other = entries.begin() + 1; other != entries.end(); ++other) {
    const auto lead = difference(*entries.front().row, entries.front().at, *other->row, other->at);
    if (!is_above(lead)) return false;
    p.push_back(lead->p);
  }
  return !p.empty() && std::ranges::all_of(holm(p), [](double adjusted) { return adjusted < 0.05; });
}

std::string trained_text(const Summary& row) {
  const auto at = in_distribution(row);
  return at ? text(", ", fixed(mean(row.accuracy(*at)), 2), " at ", tokens(*at)) : "";
}

}  // namespace

std::optional<Finding> best_beyond(const ModelRows& view) {
  std::vector<std::string> winners, nobody;
  for (const std::string& task : view.tasks) {
    const std::vector<Entry> entries = ranking(view, task);
    if (entries.empty()) continue;
    const Entry& best = entries.front();
    if (nobody_carries(view, entries))
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

// Where the first is not ahead of the second: an honest table has no winner there.
std::optional<Finding> too_close(const ModelRows& view) {
  std::vector<std::string> pairs;
  for (const std::string& task : view.tasks) {
    const std::vector<Entry> entries = ranking(view, task);
    if (entries.size() < 2 || nobody_carries(view, entries)) continue;
    const Entry &first = entries[0], &second = entries[1];
    const auto lead = difference(*first.row, first.at, *second.row, second.at);
    if (blind(view, first.at) < needs_order && lead && !is_above(lead))
      pairs.push_back(text(code(first.row->name()), " and ", code(second.row->name()), " on ", task, " (",
                           fixed(first.mean, 2), ", ", fixed(second.mean, 2), ')'));
  }
  if (pairs.empty()) return {};
  return Finding{"Not distinguishable",
                 text("The two that lead on the longest inputs cannot be told apart by these seeds: ",
                      join(pairs, "; "), '.')};
}

// Right at the length trained on, and beyond it worse than a model that sees no order at all.
std::optional<Finding> learned_by_heart(const ModelRows& view) {
  const Summary* worst = nullptr;
  double deepest = 0;
  std::size_t count = 0;
  for (const Summary* row : view.rows) {
    const auto beyond = out_of_distribution(*row);
    if (!beyond || !beyond->order_blind_ceiling || !solves(*row)) continue;
    if (!is_below(difference(*row, *beyond, *beyond->order_blind_ceiling - near_ceiling))) continue;
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

}  // namespace locus
