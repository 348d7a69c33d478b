// Whether the results can be trusted: controls, noise, runs that went wrong.
#include <algorithm>
#include <cmath>

#include "base/size.h"
#include "base/text.h"
#include "io/format.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"
#include "tasks/support/table.h"
#include "train/trainer.h"

namespace locus {

static std::vector<const ResultRow*> without_positions(const ModelRows& view) {
  std::vector<const ResultRow*> rows = view.rows;
  std::erase_if(rows, [](const ResultRow* row) { return row->scheme != "none"; });
  return rows;
}

// An encoder without positions cannot exceed the order-blind ceiling, and one whose scheme cannot tell left from
// right not the mirror-blind one. If it does, it sees order in some other way, and no comparison on the page can be
// trusted.
std::optional<Finding> order_leaks(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::vector<Judged> tested;
  std::vector<Difference> above;
  for (const ResultRow* row : view.rows)
    for (const RowAtLength& at : row->by_length)
      if (const auto ceiling = own_ceiling(*row, at)) {
        tested.push_back({row, at});
        above.push_back(difference(*row, at, *ceiling + equivalence_margin));
      }
  const std::vector<bool> real = told_apart(above);
  for (std::size_t i = 0; i < tested.size(); ++i)
    if (real[i] && above[i].mean > 0) {
      const auto& [row, at, standing] = tested[i];
      return Finding{"Order leaks in",
                     str("On ", row->task, " at ", tokens(at), " the encoder ",
                         at.mirror_blind_ceiling
                             ? str("with ", code(row->name()), ", which cannot tell left from right,")
                             : "without positions",
                         " reaches ", score(mean(row->accuracy(at))), ", above the ceiling of ",
                         score(*own_ceiling(*row, at)), ": it must see ",
                         at.mirror_blind_ceiling ? "direction" : "order",
                         " some other way. Find out how before trusting the rest.")};
    }
  return {};
}

// The encoder without positions must reach the ceiling and no more: that confirms the ceiling, the model and
// the test.
std::optional<Finding> null_control(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::set<std::string> landed, lost;  // tasks
  double widest = 0.001;
  for (const ResultRow* row : without_positions(view)) {
    if (std::ranges::none_of(row->by_length,
                             [](const RowAtLength& at) { return at.order_blind_ceiling.has_value(); }))
      continue;
    double gap = 0;
    bool is_shown = true;
    for (const RowAtLength& at : row->by_length)
      if (at.order_blind_ceiling) {
        gap = std::max(gap, std::abs(mean(row->accuracy(at)) - *at.order_blind_ceiling));
        is_shown &= is_shown_at(*at.order_blind_ceiling, *row, at);
      }
    (is_shown ? landed : lost).insert(row->task);
    if (is_shown) widest = std::max(widest, gap);
  }
  const std::vector<std::string> missed(lost.begin(), lost.end());
  for (const std::string& task : missed) landed.erase(task);
  if (landed.empty()) return {};
  const std::string where = missed.empty()
                                ? all_of_tasks({landed.begin(), landed.end()})
                                : str(landed.size(), " of ", landed.size() + missed.size(), " tasks");
  return Finding{"Without order, the ceiling holds",
                 str("Without positions (`none`) the encoder lands on the order-blind ceiling of ", where,
                     " at every length, within ", fixed(widest, 3), " (shown to be less than ",
                     significant(equivalence_margin, 2), " by an equivalence test).",
                     missed.empty() ? "" : str(" That is not shown on ", some_of(missed), '.'))};
}

// Encoders that were trained with positions and are read without them: at once they may get less than models that never
// had any, whose ceiling is the order-blind one; and after more training without positions, reach it.
std::optional<Finding> taken_away(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::vector<Judged> bare;
  std::vector<Difference> below;
  for (const ResultRow* row : without_positions(view))
    if (const auto at = in_distribution(*row); at && at->order_blind_ceiling &&
                                               !row->settings.trained_as.empty() &&
                                               row->settings.trained_as != "none") {
      bare.push_back({row, *at});
      below.push_back(difference(*row, *at, *at->order_blind_ceiling - equivalence_margin));
    }
  const std::vector<bool> real = told_apart(below);
  std::vector<std::string> lost, back;
  for (std::size_t i = 0; i < bare.size(); ++i) {
    const auto& [row, at, standing] = bare[i];
    const double ceiling = *at.order_blind_ceiling;
    const std::string which =
        str(code(row->settings.trained_as), " on ", row->task, " (", score(measure_of(bare[i])));
    if (row->settings.recalibrate == 0 && real[i] && below[i].mean < 0)
      lost.push_back(str(which, " of ", score(ceiling), ')'));
    if (row->settings.recalibrate > 0 && is_shown_at(ceiling, *row, at))
      back.push_back(str(which, ", after ", counted(as_size(row->settings.recalibrate), "step"), ')'));
  }
  if (lost.empty() && back.empty()) return {};
  return Finding{
      "Positions taken away",
      str(lost.empty()
              ? ""
              : str("Trained with positions and read without them, a model gets less than the order-blind "
                    "ceiling, which a model can reach that never had positions: ",
                    some_of(lost), '.'),
          lost.empty() || back.empty() ? "" : " ",
          back.empty() ? ""
                       : str("Trained on without positions, it reaches the order-blind ceiling: ",
                             some_of(back), '.'))};
}

// The control against itself, trained on other seeds.
std::optional<Finding> noise_floor(const ModelRows& view) {
  std::vector<ResultRow> rows;
  for (const auto& part : {view.rows, view.again})
    for (const ResultRow* row : part) rows.push_back(*row);
  const std::string control = view.again.empty() ? usual_control(rows) : view.again.front()->scheme;
  double widest = 0;
  for (const Comparison& one : compare(rows, control)) {
    if (!one.is_aa || one.verdict == Verdict::none_with_one_seed) continue;
    widest = std::max({widest, std::abs(one.difference.mean), 0.001});
    if (one.verdict == Verdict::better || one.verdict == Verdict::worse)
      return Finding{
          "The control differs from itself",
          str(code(control), " on ", rows[one.row].task, ", trained twice on different seeds, differs by ",
              fixed(std::abs(one.difference.mean), 3), view.is_text ? " nats of loss" : "",
              ", more than chance allows: be wary of differences of that size.")};
  }
  if (widest == 0) return {};
  return Finding{"How much is noise",
                 str(code(control), " against itself, on other seeds, differs by up to ", fixed(widest, 3),
                     view.is_text ? " nats of loss" : "", ", which cannot be told from 0.")};
}

// What a run on a table can have learned without understanding it.
std::optional<Finding> memorised(const ModelRows& view) {
  std::vector<std::string> names;
  for (const ResultRow* row : view.rows)
    if (row->memorised > 0)
      names.push_back(str(code(row->name()), " on ", row->task, " (", rows_text(*row), ')'));
  if (names.empty()) return {};
  return Finding{
      "Learned by heart",
      str("Most rows trained on are answered, and far fewer of the others: ", some_of(names), '.')};
}

// Tables whose ceiling says too little to compare with.
std::optional<Finding> ceiling_too_high(const ModelRows& view) {
  std::vector<std::string> warnings;
  for (const std::string& name : view.tasks)
    if (const Task* task = task_if_there(view.of_task(name).front()->settings))
      if (std::string words = ceiling_warning(*task); !words.empty()) warnings.push_back(std::move(words));
  if (warnings.empty() || view.generates) return {};
  return Finding{"The ceiling is too high to tell", join(warnings, " ") + "."};
}

std::optional<Finding> diverged(const ModelRows& view) {
  std::size_t count = 0;
  std::vector<std::string> names;
  for (const ResultRow* row : view.rows)
    if (row->diverged > 0) {
      count += as_size(row->diverged);
      names.push_back(str(code(row->name()), " on ", row->task));
    }
  if (count == 0) return {};
  return Finding{"Diverged", str("Training diverged in ", counted(count, "model"), ": ", some_of(names),
                                 ". (The loss was not a finite number, or at the end above ", diverged_above,
                                 " times that of a uniform guess.)")};
}

}  // namespace locus
