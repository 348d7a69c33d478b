#include "cli/run_report.h"

#include <unistd.h>

#include <algorithm>

#include "report/format.h"
#include "report/terminal.h"

namespace locus {

std::string score_table(const std::vector<LengthScore>& scores) {
  const bool ceilings =
      std::ranges::any_of(scores, [](const LengthScore& s) { return s.order_blind_ceiling.has_value(); });
  std::vector<TableColumn> columns{
      {"length", Align::right}, {"token accuracy", Align::right}, {"exact match", Align::right}};
  if (ceilings) columns.push_back({"order-blind ceiling", Align::right});
  columns.insert(columns.end(), {{"no-input baseline", Align::right}, {"examples", Align::right}});
  TextTable table(columns);
  for (const auto& [length, score, ceiling, baseline] : scores) {
    std::vector<TableCell> row{std::to_string(length), fixed(score.token_accuracy, 3),
                               fixed(score.exact_match, 3)};
    if (ceilings) row.push_back(ceiling ? fixed(*ceiling, 3) : "-");
    row.push_back(baseline ? fixed(*baseline, 3) : "-");
    row.push_back(std::to_string(score.examples));
    table.add_row(row);
  }
  return table.to_text(is_lively_terminal(STDOUT_FILENO));
}

}  // namespace locus
