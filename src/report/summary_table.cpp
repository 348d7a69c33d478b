#include "report/summary_table.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "ablation/judgement.h"
#include "ablation/statistics.h"
#include "ablation/summary.h"
#include "base/error.h"
#include "base/format.h"
#include "base/terminal.h"
#include "base/utf8.h"

namespace locus {

std::string sparkline(std::span<const double> values) {
  constexpr std::array<const char*, 8> bars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const double value : values)
    line += bars[static_cast<std::size_t>(std::lround(std::clamp(value, 0.0, 1.0) * (bars.size() - 1)))];
  return line;
}

std::vector<double> mean_accuracy(const std::vector<Curve>& curves, int last_step, std::size_t points) {
  std::vector<double> means(curves.empty() ? 0 : points);
  for (std::size_t i = 0; i < means.size(); ++i) {
    for (const Curve& curve : curves)
      means[i] += curve.accuracy_at(last_step * static_cast<double>(i + 1) / static_cast<double>(points));
    means[i] /= static_cast<double>(curves.size());
  }
  return means;
}

namespace {

constexpr std::size_t longest_name = 21, sparkline_width = 10;

// ".267": without the leading zero, to save width.
std::string without_zero(double value) {
  const std::string text = fixed(value, 3);
  return text.starts_with("0.") ? text.substr(1) : text;
}

// The mean and the distance to the farther end of its interval, which is not symmetric near 0 and 1.
std::string with_interval(const Summary& row, const LengthSummary& at) {
  const double center = mean(row.accuracy(at));
  const auto interval = accuracy_interval(row.accuracy(at), at.examples);
  return fixed(center, 3) +
         (interval ? "±" + without_zero(std::max(interval->high - center, center - interval->low)) : "");
}

const char* sign_of(Verdict verdict) {
  constexpr const char* signs[] = {"↓", "≈", "↑", ""};
  return signs[static_cast<std::size_t>(verdict)];
}

// The columns beside the accuracies.
struct Extras {
  bool solved, parameters, milliseconds, curves;
};

// Rows of one table: of one model, tested at the same lengths.
class Block {
 public:
  Block(const std::vector<const Summary*>& rows, const Records& records, const std::vector<Summary>& all,
        const std::vector<Comparison>& comparisons)
      : rows_(rows),
        records_(records),
        all_(all),
        comparisons_(comparisons),
        exact_(rows.front()->generates),
        whole_(rows.front()->dataset) {}

  std::string to_text(std::size_t width, bool colour) const {
    const std::size_t lengths = whole_ ? 1 : rows_.front()->by_length.size();
    const bool timed = !records_.durations.empty();
    std::vector<std::pair<std::vector<std::size_t>, Extras>> layouts;
    if (!records_.curves.empty()) layouts.push_back({some_of(lengths, lengths), {true, true, timed, true}});
    for (std::size_t shown = lengths; shown >= std::min<std::size_t>(lengths, 2); --shown)
      layouts.push_back({some_of(lengths, shown), {true, true, timed, false}});
    const std::vector<std::size_t> fewest = layouts.back().first;
    layouts.push_back({fewest, {true, true, false, false}});
    layouts.push_back({fewest, {true, false, false, false}});
    layouts.push_back({fewest, {false, false, false, false}});
    for (const auto& [shown, extras] : layouts) {
      const TextTable table = text_table(shown, extras);
      if (table.width() > width && &shown != &layouts.back().first) continue;
      return text(wrapped(title(shown.size(), lengths), width), "\n", table.to_text(colour), "\n");
    }
    return "";
  }

 private:
  std::string title(std::size_t shown, std::size_t lengths) const {
    return text(rows_.front()->model, ": ", exact_ ? "exact match" : "token accuracy",
                rows_.front()->seeds() > 1 ? ", mean ± 95 % interval" : "",
                whole_ ? ", held-out rows of all lengths" : ", by length (* trained)",
                shown < lengths ? text("; ", shown, " of ", lengths, " lengths") : "");
  }

  // The indices of `shown` of the lengths, evenly spaced, with the longest trained length and the longest
  // of all among them.
  std::vector<std::size_t> some_of(std::size_t lengths, std::size_t shown) const {
    std::size_t first = 0;
    if (!whole_)
      for (std::size_t l = 0; l < lengths; ++l)
        if (rows_.front()->by_length[l].trained) first = l;
    if (shown >= lengths) first = 0;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::size_t place = shown == 1 ? first : first + (lengths - 1 - first) * i / (shown - 1);
      if (places.empty() || places.back() != place) places.push_back(place);
    }
    return places;
  }

  std::vector<LengthSummary> lengths_of(const Summary& row, const std::vector<std::size_t>& shown) const {
    if (whole_) return {all_lengths(row)};
    std::vector<LengthSummary> lengths;
    for (const std::size_t l : shown) lengths.push_back(row.by_length[l]);
    return lengths;
  }

  TextTable text_table(const std::vector<std::size_t>& shown, const Extras& extras) const {
    std::vector<TableColumn> columns{{""}};
    for (const LengthSummary& at : lengths_of(*rows_.front(), shown))
      columns.push_back({whole_ ? "accuracy" : text(at.length, at.trained ? "*" : "")});
    if (extras.solved) columns.push_back({"solved"});
    if (extras.parameters) columns.push_back({"params", Align::right});
    if (extras.milliseconds) columns.push_back({"ms", Align::right});
    if (extras.curves) columns.push_back({"learning"});
    TextTable table(columns);
    std::string last_task;
    for (const Summary* row : rows_) {
      if (row->task != last_task) begin_task(*row, shown, !last_task.empty(), table);
      add(*row, shown, extras, table);
      last_task = row->task;
    }
    return table;
  }

  void begin_task(const Summary& row, const std::vector<std::size_t>& shown, bool rule,
                  TextTable& table) const {
    if (rule) table.add_rule();
    table.add_heading({row.task, Ink::bold});
    if (exact_) return;  // exact match has neither
    add_baseline("order-blind", row, shown, &LengthSummary::order_blind_ceiling, table);
    add_baseline("no input", row, shown, &LengthSummary::no_input_baseline, table);
  }

  void add_baseline(const char* name, const Summary& row, const std::vector<std::size_t>& shown,
                    std::optional<double> LengthSummary::*value, TextTable& table) const {
    std::vector<TableCell> cells{{name, Ink::faint}};
    bool known = false;
    for (const LengthSummary& at : lengths_of(row, shown)) {
      cells.push_back({at.*value ? fixed(*(at.*value), 3) : "", Ink::faint});
      known |= (at.*value).has_value();
    }
    if (known) table.add_row(std::move(cells));
  }

  void add(const Summary& row, const std::vector<std::size_t>& shown, const Extras& extras,
           TextTable& table) const {
    std::vector<TableCell> cells{row.name()};
    if (display_width(row.name()) > longest_name) {  // the name gets a line of its own
      table.add_heading(row.name());
      cells.front() = "";
    }
    for (const LengthSummary& at : lengths_of(row, shown)) {
      const Ink ink = solves(row, at)                       ? Ink::good
                      : no_better_than_order_blind(row, at) ? Ink::faint
                                                            : Ink::plain;
      cells.push_back({with_interval(row, at) + verdict(row, at.length), ink});
    }
    if (extras.solved) cells.push_back(solved(row));
    if (extras.parameters) cells.push_back(text(row.parameters));
    if (extras.milliseconds) cells.push_back(milliseconds(row));
    if (extras.curves) cells.push_back(learning(row));
    table.add_row(std::move(cells));
  }

  std::string verdict(const Summary& row, int length) const {
    for (const Comparison& one : comparisons_)
      if (&all_[one.row] == &row && one.length == length) return sign_of(one.verdict);
    return "";
  }

  static std::string solved(const Summary& row) {
    return text(row.steps_to_solve.size(), "/", row.seeds(),
                row.steps_to_solve.empty() ? "" : text(" @", fixed(mean(row.steps_to_solve), 0)),
                row.diverged ? text(" (", row.diverged, " diverged)") : "");
  }

  static std::string milliseconds(const Summary& row) {
    const auto& [steps, training, all] = row.duration;
    return steps > 0 ? short_number(1000 * training / steps) : "";
  }

  std::string learning(const Summary& row) const {
    int last_step = 0;  // of any run on the task
    for (const Summary* other : rows_)
      for (const Curve& curve : other->curves)
        if (other->task == row.task) last_step = std::max(last_step, curve.step.back());
    return sparkline(mean_accuracy(row.curves, last_step, sparkline_width));
  }

  const std::vector<const Summary*>& rows_;
  const Records& records_;
  const std::vector<Summary>& all_;
  const std::vector<Comparison>& comparisons_;
  bool exact_, whole_;
};

// Rows with equal layouts can be in one table.
std::string layout_of(const Summary& summary) {
  std::string layout = text(summary.model, summary.dataset, summary.generates);
  if (!summary.dataset)
    for (const LengthSummary& at : summary.by_length) layout += text(" ", at.length, at.trained);
  return layout;
}

// When only some seeds solved the task, the rate of success says more than the mean.
std::string disagreement(const Summary& row) {
  const std::size_t solved = row.steps_to_solve.size();
  const auto [low, high] = success_interval(solved, static_cast<std::size_t>(row.seeds()));
  return text(row.task, " with ", row.name(), ": ", solved, " of ", row.seeds(),
              " seeds solved it, a rate from ", fixed(low, 2), " to ", fixed(high, 2));
}

std::string legend(const std::vector<Summary>& rows, const std::string& control,
                   const std::vector<Comparison>& comparisons, std::size_t width) {
  std::string words =
      "order-blind: the best accuracy of an encoder that sees the tokens but not their order, found by "
      "counting; no input: always the most frequent answer; a model that sees order can reach 1.000. solved: "
      "seeds that answered 99 % of fresh examples without a mistake, @ the mean number of steps until then; "
      "ms: per step of training, on one thread.";
  if (std::ranges::any_of(rows, [](const Summary& row) { return row.seeds() > 1; }))
    words +=
        " ±: to the farther end of the 95 % interval, which allows for the spread over seeds and for the "
        "size of the test set (near 0 and 1 it is not symmetric).";
  const auto untested = std::ranges::count(comparisons, Verdict::none_with_one_seed, &Comparison::verdict);
  if (const auto tested = std::ssize(comparisons) - untested; tested > 0)
    words +=
        text(" ↑ better than ", control, ", ↓ worse, ≈ not distinguishable: paired differences over seeds, ",
             tested, " comparisons at 5 % together (Holm).");
  if (untested > 0)
    words +=
        text(" No sign where there is one seed to compare: ", to_string(Verdict::none_with_one_seed), ".");
  if (std::ranges::count(rows, true, &Summary::again) > 0)
    words += text(" ", control, " (again): the control on other seeds; what differs is chance.");
  if (std::ranges::any_of(rows, [](const Summary& row) { return !row.settings.trained_as.empty(); }))
    words += " All were trained as one scheme (trained_as in the results), and tested as named here.";
  return wrapped(words, width);
}

}  // namespace

std::string summary_table(const Records& records, const std::string& wanted_control, std::size_t width,
                          bool colour) {
  const std::vector<Summary> rows = summarise(records, ExtraSeeds::in_a_row_of_their_own);
  const std::string control = wanted_control.empty() ? usual_control(rows) : wanted_control;
  const std::vector<Comparison> comparisons = compare(rows, control);
  std::vector<std::pair<std::string, std::vector<const Summary*>>> blocks;
  for (const Summary& row : rows) {
    const std::string layout = layout_of(row);
    auto block = std::ranges::find(blocks, layout, &decltype(blocks)::value_type::first);
    if (block == blocks.end()) block = blocks.insert(block, {layout, {}});
    block->second.push_back(&row);
  }
  std::string out;
  for (const auto& [layout, of_block] : blocks)
    out += Block(of_block, records, rows, comparisons).to_text(width, colour);
  for (const Summary& row : rows)
    if (only_some_seeds_solve(row)) out += wrapped(disagreement(row), width);
  return out + legend(rows, control, comparisons, width);
}

}  // namespace locus
