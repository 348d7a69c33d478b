#include "report/summary_table.h"

#include <algorithm>

#include "ablation/statistics.h"
#include "base/error.h"
#include "report/format.h"
#include "report/table.h"

namespace locus {

namespace {

// ".267": every number of the table is at most 1, and the leading zero only costs room.
std::string without_zero(double value) {
  const std::string text = fixed(value, 3);
  return text.starts_with("0.") ? text.substr(1) : text;
}

std::string with_spread(const std::vector<double>& values) {
  const auto spread = sample_standard_deviation(values);
  return fixed(mean(values), 3) + (spread ? " ±" + without_zero(*spread) : "");
}

class Block {
 public:
  explicit Block(const std::vector<const Summary*>& rows)
      : exact_(rows.front()->generates()), whole_(rows.front()->dataset), table_(columns(*rows.front())) {
    std::string last_task;
    for (const Summary* row : rows) {
      if (!last_task.empty() && row->task != last_task) table_.add_rule();
      add(*row, row->task == last_task);
      last_task = row->task;
    }
  }

  std::string to_text(bool colour) const {
    return text(
        "mean ", exact_ ? "exact match" : "token accuracy", " ± standard deviation over seeds",
        whole_ ? ", held-out sentences of all lengths" : ", by length; * = a length it was trained on",
        "\n\n", table_.to_text(colour), "\n");
  }

 private:
  std::vector<TableColumn> columns(const Summary& first) const {
    std::vector<TableColumn> columns{{"task"}, {"scheme"}};
    if (whole_)
      columns.push_back({"all lengths", Align::right});
    else
      for (const LengthSummary& at : first.by_length)
        columns.push_back({text(at.length, at.trained ? "*" : ""), Align::right});
    if (!exact_) columns.push_back({"order-blind ceiling", Align::right});
    columns.insert(columns.end(),
                   {{"solved", Align::right}, {"steps", Align::right}, {"parameters", Align::right}});
    return columns;
  }

  void add(const Summary& row, bool same_task) {
    std::vector<TableCell> cells{same_task ? "" : row.task, row.name()};
    std::string ceilings;
    const auto lengths = whole_ ? std::vector{all_lengths(row)} : row.by_length;
    for (const LengthSummary& at : lengths) {
      const std::vector<double>& values = row.accuracy(at);
      const double average = mean(values);
      const bool at_ceiling = !exact_ && at.order_blind_ceiling && average < *at.order_blind_ceiling + 0.02 &&
                              *at.order_blind_ceiling < 0.98;
      cells.push_back({with_spread(values), average >= 0.99 ? Ink::good
                                            : at_ceiling    ? Ink::faint
                                                            : Ink::plain});
      ceilings += text(ceilings.empty() ? "" : " ",
                       at.order_blind_ceiling ? without_zero(*at.order_blind_ceiling) : "-");
    }
    if (!exact_) cells.push_back(ceilings);
    cells.push_back(text(row.steps_to_solve.size(), "/", row.seeds(),
                         row.diverged ? text(" (", row.diverged, " diverged)") : ""));
    cells.push_back(row.steps_to_solve.empty() ? "-" : fixed(mean(row.steps_to_solve), 0));
    cells.push_back(text(row.parameters));
    table_.add_row(std::move(cells));
  }

  bool exact_, whole_;
  TextTable table_;
};

// What must be alike for rows to stand in one table.
std::string layout_of(const Summary& summary) {
  std::string layout = text(summary.model, summary.dataset);
  if (!summary.dataset)
    for (const LengthSummary& at : summary.by_length) layout += text(" ", at.length, at.trained);
  return layout;
}

}  // namespace

std::string summary_table(const std::vector<Summary>& summaries, bool colour) {
  std::vector<std::pair<std::string, std::vector<const Summary*>>> blocks;
  for (const Summary& summary : summaries) {
    const std::string layout = layout_of(summary);
    auto block = std::ranges::find(blocks, layout, &decltype(blocks)::value_type::first);
    if (block == blocks.end()) block = blocks.insert(block, {layout, {}});
    block->second.push_back(&summary);
  }
  std::string out;
  for (const auto& [layout, rows] : blocks) out += Block(rows).to_text(colour);
  return out +
         "order-blind ceiling: the best any encoder could do that sees the tokens but not their order, by "
         "counting.\n"
         "solved, steps: seeds that answered 99 % of fresh examples without a mistake, and after how many "
         "steps.\n";
}

}  // namespace locus
