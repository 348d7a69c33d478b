#include <algorithm>
#include <cmath>

#include "ablation/comparison.h"
#include "base/text.h"
#include "report/format.h"
#include "report/page/evidence.h"
#include "report/page/findings.h"
#include "report/page/words.h"

namespace locus {

namespace {

std::vector<const Summary*> without_positions(const ModelRows& view) {
  std::vector<const Summary*> found;
  std::ranges::copy_if(view.rows, std::back_inserter(found),
                       [](const Summary* row) { return row->scheme == "none"; });
  return found;
}

double widest_gap(const Summary& row) {
  double gap = 0;
  for (const LengthSummary& at : row.by_length)
    if (at.order_blind_ceiling)
      gap = std::max(gap, std::abs(mean(row.accuracy(at)) - *at.order_blind_ceiling));
  return gap;
}

}  // namespace

// Better than possible: then order comes in somewhere, and no comparison on the page can be trusted.
std::optional<Finding> order_leaks(const ModelRows& view) {
  if (view.model != "encoder") return {};
  for (const Summary* row : without_positions(view))
    for (const LengthSummary& at : row->by_length)
      if (at.order_blind_ceiling && is_above(difference(*row, at, *at.order_blind_ceiling + near_ceiling)))
        return Finding{"Order leaks in",
                       text("On ", row->task, " at ", tokens(at), " the encoder without positions reaches ",
                            fixed(mean(row->accuracy(at)), 2), ", above the ceiling of ",
                            fixed(*at.order_blind_ceiling, 2),
                            ": it must see order some other way. Find out how before trusting the rest.")};
  return {};
}

// It has to land on the ceiling: that shows that the ceiling, the model and the test are what they are said
// to be.
std::optional<Finding> null_control(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::vector<std::string> landed, missed;
  double widest = 0;
  for (const Summary* row : without_positions(view)) {
    const double gap = widest_gap(*row);
    (gap < near_ceiling ? landed : missed).push_back(row->task);
    if (gap < near_ceiling) widest = std::max(widest, gap);
  }
  if (landed.empty()) return {};
  const std::string where = !missed.empty()
                                ? text(landed.size(), " of ", landed.size() + missed.size(), " tasks")
                            : landed.size() == 1 ? landed.front()
                                                 : text("all ", landed.size(), " tasks");
  return Finding{"Without order, the ceiling holds",
                 text("Without positions (`none`) the encoder lands on the order-blind ceiling of ", where,
                      ", at every length tested, within ", fixed(std::max(widest, 0.001), 3), '.',
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

// The control against itself, on other seeds.
std::optional<Finding> noise_floor(const ModelRows& view) {
  std::vector<Summary> rows;
  for (const Summary* row : view.rows) rows.push_back(*row);
  const std::string control = usual_control(rows);
  double widest = 0;
  std::size_t count = 0;
  for (const Comparison& one : compare(rows, control)) {
    if (!one.is_aa()) continue;
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

}  // namespace locus
