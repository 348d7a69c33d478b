// What models do that see no order, or no direction, or lost their positions.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/size.h"
#include "base/text.h"
#include "positional/support/spec.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"

namespace locus {

namespace {

// Whether the same tokens in another order can have another answer, as far as short test examples show it.
bool depends_on_order(const ResultRow& row) {
  const Task* task = task_if_there(row.settings);
  if (!task) return false;
  for (auto length = task->length_from(2); length && *length <= 8; length = task->length_from(*length + 1)) {
    std::map<Tokens, Tokens> answer;  // by the sorted input
    try {
      for (const Example& example : task->test_set(*length, 1000)) {
        Tokens bag = example.input;
        std::ranges::sort(bag);
        if (answer.try_emplace(bag, example.target).first->second != example.target) return true;
      }
    } catch (const UsageError&) {
      // of so few tokens there may be no input for the test
    }
  }
  return false;
}

// " `index:join=fill`: the position itself in all channels ...": of the schemes among these that are variants.
std::string why_of(const ModelRows& view, const std::map<std::string, std::vector<std::string>>& named) {
  std::string words;
  for (const ResultRow* row : view.rows) {
    const auto found = named.find(row->name());
    if (found == named.end() || found->second.front() != row->task) continue;  // once for each scheme
    for (const Spec::Part& part : row->settings.model.scheme.known_parts())
      if (const SchemeInfo::Variant* variant = part.variant())
        words += str(' ', code(row->name()), ": ", variant->summary, '.');
  }
  return words;
}

}  // namespace

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

// Schemes that cannot tell left from right, at the length trained on: which of them can become no better.
std::optional<Finding> left_or_right(const ModelRows& view) {
  std::vector<std::string> schemes, landed, below, longer;
  std::vector<const ResultRow*> rows_below;
  for (const ResultRow* row : view.rows) {
    const auto at = in_distribution(*row);
    if (!at || !at->mirror_blind_ceiling || *at->mirror_blind_ceiling >= needs_order) continue;
    if (std::ranges::count(schemes, code(row->name())) == 0) schemes.push_back(code(row->name()));
    const bool is_landed = is_on_mirror_blind_ceiling(*row, *at);
    (is_landed ? landed : below)
        .push_back(str(code(row->name()), " on ", row->task, " (", score(mean(row->accuracy(*at))),
                       is_landed ? "" : str(" of ", score(*at->mirror_blind_ceiling)), ')'));
    if (!is_landed) rows_below.push_back(row);
    if (const auto beyond = out_of_distribution(*row); is_landed && beyond && beyond->mirror_blind_ceiling)
      longer.push_back(str(code(row->name()), " on ", row->task, " (", score(mean(row->accuracy(*beyond))),
                           " of ", score(*beyond->mirror_blind_ceiling), " at ", tokens(*beyond), ')'));
  }
  if (landed.empty()) return {};
  return Finding{
      "Left and right look alike",
      str(some_of(schemes), schemes.size() == 1 ? " gives" : " give",
          " an input and its mirror image mirrored answers. At the length trained on, the most that any "
          "such model can reach is reached by ",
          some_of(landed), '.',
          below.empty() ? ""
                        : str(" Not shown to reach it, ", budget_of(rows_below), ": ", some_of(below), '.'),
          longer.empty() ? "" : str(" On the longest inputs: ", some_of(longer), '.'))};
}

// The causal mask is a position signal (Haviv et al. 2022, "Transformer Language Models without Positional
// Encodings Still Learn Positional Information").
std::optional<Finding> mask_shows_order(const ModelRows& view) {
  if (view.model != "decoder") return {};
  std::vector<std::string> tasks;
  for (const ResultRow* row : without_positions(view))
    if (kind_of(*row) == "none" && solves(*row) && depends_on_order(*row) &&
        std::ranges::count(tasks, row->task) == 0)  // once for all sizes
      tasks.push_back(row->task);
  if (tasks.empty()) return {};
  return Finding{"A decoder sees order without being told",
                 str("Without positions (`none`) the decoder solves ", some_of(tasks),
                     has_seeds(view) ? " in every seed" : "",
                     ", which needs the order: its causal mask shows where tokens stand.")};
}

std::optional<Finding> says_nothing(const ModelRows& view) {
  std::map<std::string, std::vector<std::string>> tasks;
  std::vector<const ResultRow*> rows;
  for (const auto& [row, at, standing] : judged_at(in_distribution, view))
    if (row->scheme != "none" && standing != Standing::above && no_better_than_order_blind(*row, at)) {
      tasks[row->name()].push_back(row->task);
      rows.push_back(row);
    }
  if (tasks.empty()) return {};
  std::vector<std::string> clauses;
  for (const std::string& scheme : view.schemes)
    if (tasks.contains(scheme)) clauses.push_back(str(code(scheme), " on ", some_tasks(tasks[scheme], view)));
  return Finding{"Positions that do not help",
                 str("No better than a model without order at the length trained on, ", budget_of(rows), ": ",
                     some_clauses(clauses), '.', why_of(view, tasks))};
}

}  // namespace locus
