#include "report/summary_table.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "ablation/comparison.h"
#include "ablation/statistics.h"
#include "base/error.h"
#include "base/size.h"
#include "io/format.h"
#include "io/terminal.h"
#include "io/utf8.h"
#include "report/page/findings.h"
#include "report/text_study.h"

namespace locus {

std::string sparkline(const std::vector<Curve>& curves, int last_step) {
  constexpr std::array<const char*, 8> bars = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  constexpr int width = 10;
  std::string line;
  for (int i = 1; !curves.empty() && i <= width; ++i) {
    const double accuracy = mean_accuracy(curves, last_step * static_cast<double>(i) / width);
    line += bars[as_size(std::lround(std::clamp(accuracy, 0.0, 1.0) * (bars.size() - 1)))];
  }
  return line;
}

namespace {

constexpr std::size_t longest_name = 21;

// ".27", "0", "1": as short as can be.
std::string end_text(double value) {
  const std::string text = fixed(value, 2);
  return text.ends_with(".00") ? text.substr(0, 1) : text.substr(1);
}

// "0.87 (.26 to 1)": the mean and its interval, if that is wider than the digits show. Of seeds that are split, "2/3¦
// (.21 to .94)": how many are above the gap, and the interval of that rate.
std::string with_interval(const ResultRow& row, const RowAtLength& at) {
  const std::vector<double>& seeds = row.accuracy(at);
  const auto above = above_a_split(seeds);
  const auto interval =
      above ? success_interval(*above, seeds.size()) : accuracy_interval(seeds, at.examples);
  const std::string low = interval ? end_text(interval->low) : "",
                    high = interval ? end_text(interval->high) : "";
  return (above ? str(*above, '/', seeds.size(), "¦") : fixed(mean(seeds), 2)) +
         (low == high ? "" : str(" (", low, " to ", high, ")"));
}

const char* sign_of(Verdict verdict) {
  constexpr const char* signs[] = {"↓", "?", "≈", "↑", ""};
  return signs[as_size(verdict)];
}

using Rows = std::vector<const ResultRow*>;

std::string solved(const ResultRow& row, const Rows&) {
  return str(row.steps_to_solve.size(), "/", row.seeds(),
             row.steps_to_solve.empty() ? "" : str(" @", fixed(mean(row.steps_to_solve), 0)),
             row.diverged ? str(" (", row.diverged, " diverged)") : "",
             row.memorised ? str(" (", row.memorised, " memorised)") : "");
}

std::string parameters(const ResultRow& row, const Rows&) { return str(row.parameters); }
std::string milliseconds(const ResultRow& row, const Rows&) {
  return row.timed_steps > 0 ? short_number(1000 * row.training_seconds / row.timed_steps) : "";
}

std::string learning(const ResultRow& row, const Rows& rows) {
  int last_step = 0;  // of any run on the task
  for (const ResultRow* other : rows)
    for (const Curve& curve : other->curves)
      if (other->task == row.task) last_step = std::max(last_step, curve.step.back());
  return sparkline(row.curves, last_step);
}

// The columns beside the accuracies. The last are left out first.
struct Extra {
  TableColumn column;
  std::string (*cell)(const ResultRow& row, const Rows& rows);
};

std::vector<Extra> extras_of(const Records& records) {
  std::vector<Extra> extras = {{{"solved"}, solved}, {{"params", Align::right}, parameters}};
  if (records.have_times()) extras.push_back({{"ms", Align::right}, milliseconds});
  if (records.have_curves()) extras.push_back({{"learning"}, learning});
  return extras;
}

// For a row at a length that was compared with the control.
using Verdicts = std::map<std::pair<const ResultRow*, int>, Verdict>;

// The rows, with their headline lengths (judgement.h), that get less than the no-input baseline: one family for each
// kind of model, with the control on other seeds.
using Places = std::set<std::pair<const ResultRow*, int>>;
Places less_than_nothing(const Study& study) {
  Places places;
  for (const ModelRows& view : study.views) {
    std::vector<Judged> tested;
    for (const auto length_of : {in_distribution, out_of_distribution})
      for (const auto* rows : {&view.rows, &view.again})
        for (const ResultRow* row : *rows)
          if (const auto at = length_of(*row); at && is_measured(*row, *at)) tested.push_back({row, *at});
    for (const Judged& one : below_reading_nothing(tested)) places.insert({one.row, one.at.length});
  }
  return places;
}

// Rows of one table: of one model, tested at the same lengths.
class Block {
 public:
  Block(const Rows& rows, const Records& records, const Verdicts& verdicts, const Places& below)
      : rows_(rows), first_(*rows.front()), extras_(extras_of(records)), verdicts_(verdicts), below_(below) {}

  std::string to_text(std::size_t width, bool colour) const {
    const std::size_t lengths = first_.is_table ? 1 : first_.by_length.size();
    // The last columns are left out first, all but the first of the extras; then lengths.
    for (std::size_t most = lengths, extras = extras_.size();;) {
      const std::vector<std::size_t> shown = some_of(lengths, most);
      const TextTable table = text_table(shown, extras);
      if (table.width() <= width || extras == 0)
        return str(wrapped(title(shown.size(), lengths), width), "\n", table.to_text(colour), "\n");
      if (extras <= 1 && most > 2)
        --most;
      else
        --extras;
    }
  }

 private:
  std::string title(std::size_t shown, std::size_t lengths) const {
    return str(first_.model, ": ", measure_name(first_), first_.seeds() > 1 ? ", mean (95 % interval)" : "",
               first_.is_table ? ", held-out rows of all lengths" : ", by length (*: trained on)",
               shown < lengths ? str("; ", shown, " of ", lengths, " lengths") : "");
  }

  // The indices of `shown` of the lengths, evenly spaced, with the longest trained length and the longest
  // of all among them.
  std::vector<std::size_t> some_of(std::size_t lengths, std::size_t shown) const {
    std::size_t first = 0;
    if (shown < lengths)
      for (std::size_t l = 0; l < lengths; ++l)
        if (first_.by_length[l].trained) first = l;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < shown; ++i) {
      const std::size_t place = shown == 1 ? first : first + (lengths - 1 - first) * i / (shown - 1);
      if (places.empty() || places.back() != place) places.push_back(place);
    }
    return places;
  }

  static std::vector<RowAtLength> lengths_of(const ResultRow& row, const std::vector<std::size_t>& shown) {
    if (row.is_table) return {all_lengths(row)};
    std::vector<RowAtLength> lengths;
    for (const std::size_t l : shown) lengths.push_back(row.by_length[l]);
    return lengths;
  }

  TextTable text_table(const std::vector<std::size_t>& shown, std::size_t extras) const {
    std::vector<TableColumn> columns{{""}};
    for (const RowAtLength& at : lengths_of(first_, shown))
      columns.push_back({first_.is_table ? "accuracy" : str(at.length, at.trained ? "*" : "")});
    for (std::size_t i = 0; i < extras; ++i) columns.push_back(extras_[i].column);
    TextTable table(columns);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      const ResultRow& row = *rows_[i];
      if (i == 0 || row.task != rows_[i - 1]->task) {
        if (i > 0) table.add_rule();
        table.add_heading({row.task, Ink::bold});
        add_baseline("order-blind", row, shown, &RowAtLength::order_blind_ceiling, table);
        const auto mirror_blind = std::ranges::find_if(
            rows_, [&](const ResultRow* one) { return one->task == row.task && is_mirror_blind(*one); });
        if (mirror_blind != rows_.end())
          add_baseline("mirror-blind", **mirror_blind, shown, &RowAtLength::mirror_blind_ceiling, table);
        std::set<std::string> windows;  // a level for each, of the rows of this task
        for (const ResultRow* one : rows_)
          if (const ModelSettings& model = one->settings.model;
              one->task == row.task && windows.insert(str(model.window_by_layer, model.layers)).second)
            add_baseline(str("windows ", model.window_by_layer), *one, shown, &RowAtLength::window_ceiling,
                         table);
        add_baseline("no input", row, shown, &RowAtLength::no_input_baseline, table);
      }
      add(row, shown, extras, table);
    }
    return table;
  }

  void add_baseline(const std::string& name, const ResultRow& row, const std::vector<std::size_t>& shown,
                    std::optional<double> RowAtLength::*value, TextTable& table) const {
    std::vector<TableCell> cells{{name, Ink::faint}};
    bool known = false;
    for (const RowAtLength& at : lengths_of(row, shown)) {
      cells.push_back({at.*value ? fixed(*(at.*value), 2) : "", Ink::faint});
      known |= (at.*value).has_value();
    }
    if (known && is_of_measure(value, row)) table.add_row(std::move(cells));
  }

  void add(const ResultRow& row, const std::vector<std::size_t>& shown, std::size_t extras,
           TextTable& table) const {
    std::vector<TableCell> cells{row.name()};
    if (display_width(row.name()) > longest_name) {  // the name gets a line of its own
      table.add_heading(row.name());
      cells.front() = "";
    }
    for (const RowAtLength& at : lengths_of(row, shown)) {
      const Ink ink = solves(row, at)                       ? Ink::good
                      : no_better_than_order_blind(row, at) ? Ink::faint
                                                            : Ink::plain;
      const auto verdict = verdicts_.find({&row, at.length});
      cells.push_back({with_interval(row, at) + (verdict == verdicts_.end() ? "" : sign_of(verdict->second)) +
                           (is_on_mirror_blind_ceiling(row, at) ? "⊤" : "") +
                           (below_.contains({&row, at.length}) ? "⊥" : ""),
                       ink});
    }
    for (std::size_t i = 0; i < extras; ++i) cells.push_back(extras_[i].cell(row, rows_));
    table.add_row(std::move(cells));
  }

  const Rows& rows_;
  const ResultRow& first_;
  const std::vector<Extra> extras_;
  const Verdicts& verdicts_;
  const Places& below_;
};

// Rows with equal layouts can be in one table.
std::string layout_of(const ResultRow& summary) {
  std::string layout = str(summary.model, summary.is_table, summary.generates);
  if (!summary.is_table)
    for (const RowAtLength& at : summary.by_length) layout += str(" ", at.length, at.trained);
  return layout;
}

}  // namespace

std::string findings_text(const Study& study, std::size_t width) {
  std::vector<std::string> paragraphs{headline(study)};
  for (const auto& [lead, sentences] : findings(study)) paragraphs.push_back(str(lead, ": ", sentences));
  std::string out;
  for (std::string& words : paragraphs) {
    std::erase(words, '`');
    if (!words.empty()) out += wrapped(words, width) + "\n";
  }
  return out;
}

static std::string tables(const Study& study, const std::vector<Comparison>& comparisons, std::size_t width,
                          bool colour) {
  const std::vector<ResultRow>& rows = study.rows;
  Verdicts verdicts;
  for (const Comparison& one : comparisons) verdicts.try_emplace({&rows[one.row], one.length}, one.verdict);
  const Places below = less_than_nothing(study);
  std::vector<std::pair<std::string, Rows>> blocks;
  for (const ResultRow& row : rows) {
    if (row.is_text) continue;  // judged by its loss, below
    const std::string layout = layout_of(row);
    auto block = std::ranges::find(blocks, layout, &decltype(blocks)::value_type::first);
    if (block == blocks.end()) block = blocks.insert(block, {layout, {}});
    block->second.push_back(&row);
  }
  std::string out;
  for (auto& [layout, of_block] : blocks) {
    // With several folders, the rows of one task stand together.
    std::vector<std::string> tasks;
    for (const ResultRow* row : of_block)
      if (std::ranges::count(tasks, row->task) == 0) tasks.push_back(row->task);
    std::ranges::stable_sort(of_block, {},
                             [&](const ResultRow* row) { return std::ranges::find(tasks, row->task); });
    out += Block(of_block, study, verdicts, below).to_text(width, colour);
  }
  LengthMarks signs;
  for (const auto& [place, verdict] : verdicts) signs[place] += sign_of(verdict);
  for (const auto& place : below) signs[place] += "⊥";
  return out + perplexity_tables(study, width, colour, signs);
}

std::string summary_table(const Study& study, std::size_t width, bool colour) {
  const std::vector<Comparison> comparisons = compare(study.rows, study.control);
  const std::string plain = tables(study, comparisons, width, false);
  return (colour ? tables(study, comparisons, width, true) : plain) +
         summary_notes(plain, study, comparisons, width, colour);
}

}  // namespace locus
