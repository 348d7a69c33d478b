// What models do that see no order, or no direction, or lost their positions.
#include <algorithm>

#include "base/size.h"
#include "base/text.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"

namespace locus {

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
      longer.push_back(str(code(row->name()), " gets ", score(mean(row->accuracy(*beyond))), " of at most ",
                           score(*beyond->mirror_blind_ceiling), " on ", row->task, " at ", tokens(*beyond)));
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
          longer.empty() ? "" : str(" On the longest inputs ", some_of(longer), '.'))};
}

}  // namespace locus
