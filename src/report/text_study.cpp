#include "report/text_study.h"

#include <algorithm>
#include <cmath>
#include <ranges>
#include <set>

#include "base/text.h"
#include "io/format.h"
#include "io/terminal.h"
#include "report/grid.h"
#include "report/scheme_style.h"

namespace locus {

namespace {

// The losses that are numbers, ascending.
std::vector<double> numbers_of(std::vector<double> losses) {
  std::erase_if(losses, [](double loss) { return std::isnan(loss); });
  std::ranges::sort(losses);
  return losses;
}

bool has_loss(const ResultRow& row) {  // at some length
  return std::ranges::any_of(row.by_length, [](const RowAtLength& at) { return at.text.has_value(); });
}

// What is the same for every row: of the first that has it.
const TextLevels* levels_at(const std::vector<const ResultRow*>& rows, int length) {
  for (const ResultRow* row : rows)
    if (const TextSummary* at = text_at(*row, length)) return &at->levels;
  return nullptr;
}

std::vector<int> lengths_of(const std::vector<const ResultRow*>& rows) {
  std::set<int> lengths;
  for (const ResultRow* row : rows)
    for (const RowAtLength& at : row->by_length)
      if (at.text) lengths.insert(at.length);
  return {lengths.begin(), lengths.end()};
}

// "1.42", and of several seeds "1.42 1.40-1.45".
std::string with_seeds(const std::vector<double>& losses) {
  const std::vector<double> found = numbers_of(losses);
  if (found.empty()) return "–";
  const std::string middle = perplexity_text(mean_perplexity(losses));
  if (losses.size() == 1) return middle;
  const std::string missing = found.size() < losses.size() ? str(" of ", found.size()) : "";
  return str(middle, " ", perplexity_text(std::exp(found.front())), "-",
             perplexity_text(std::exp(found.back())), missing);
}

std::string table_of(const std::vector<const ResultRow*>& rows, const WindowReading& reading,
                     std::vector<int> lengths, bool colour, std::size_t width, const LengthMarks& signs) {
  const bool is_first = reading.loss == &TextSummary::loss;
  bool has_costs = is_first;
  for (;;) {
    std::vector<TableColumn> columns{{""}};
    for (const int length : lengths)
      columns.push_back({str(length, rows.front()->settings.trains_at(length) ? "*" : "")});
    if (has_costs) columns.push_back({"params", Align::right});
    TextTable table(columns);
    for (const TextLevel& level : text_levels_of(rows, lengths)) {
      std::vector<TableCell> cells{{level.name, Ink::faint}};
      for (const double nats : level.nats)
        cells.push_back({std::isnan(nats) ? "–" : perplexity_text(std::exp(nats)), Ink::faint});
      table.add_row(std::move(cells));
    }
    for (const ResultRow* row : rows) {
      std::vector<TableCell> cells{row->name()};
      for (const int length : lengths) {
        const TextSummary* at = text_at(*row, length);
        const auto mark = is_first ? signs.find({row, length}) : signs.end();
        cells.push_back(at ? with_seeds(at->*reading.loss) + (mark == signs.end() ? "" : mark->second) : "–");
      }
      if (has_costs) cells.push_back(str(row->parameters));
      table.add_row(std::move(cells));
    }
    if (table.width() <= width || lengths.size() <= 2) return table.to_text(colour);
    if (has_costs)
      has_costs = false;
    else
      lengths.erase(lengths.end() - 2);
  }
}

}  // namespace

const TextSummary* text_at(const ResultRow& row, int length) {
  const auto found = std::ranges::find(row.by_length, length, &RowAtLength::length);
  return found == row.by_length.end() || !found->text ? nullptr : &*found->text;
}

std::string token_name(const RunSettings& settings) {
  return settings.text.tokens == "char" ? "character" : "word";
}

std::string last_half(int length, const std::string& units) {
  return str("last ", length - length / 2, ' ', units, " of each window of ", length);
}

double mean_perplexity(const std::vector<double>& losses) {
  const std::vector<double> found = numbers_of(losses);
  return found.empty() ? NAN : std::exp(mean(found));
}

std::vector<const ResultRow*> best_first(std::vector<const ResultRow*> rows, int length,
                                         std::vector<double> TextSummary::*loss) {
  std::erase_if(rows, [&](const ResultRow* row) { return !text_at(*row, length); });
  std::ranges::stable_sort(rows, {}, [&](const ResultRow* row) {
    const double perplexity = mean_perplexity(text_at(*row, length)->*loss);
    return std::isnan(perplexity) ? INFINITY : perplexity;
  });
  return rows;
}

std::string perplexity_text(double perplexity) {
  return fixed(perplexity, perplexity < 10 ? 2 : perplexity < 1000 ? 1 : 0);
}

std::vector<TextLevel> text_levels_of(const std::vector<const ResultRow*>& rows,
                                      const std::vector<int>& lengths) {
  std::vector<TextLevel> all = {{"unigram", {}}, {"bigram", {}}, {"floor", {}}};
  for (const int length : lengths) {
    const TextLevels* levels = levels_at(rows, length);
    all[0].nats.push_back(levels ? levels->unigram : NAN);
    all[1].nats.push_back(levels && levels->bigram ? *levels->bigram : NAN);
    all[2].nats.push_back(levels && levels->floor ? *levels->floor : NAN);
  }
  std::erase_if(all, [](const TextLevel& level) { return numbers_of(level.nats).empty(); });
  return all;
}

std::vector<TextRows> texts_of(const Study& study) {
  std::vector<TextRows> all;
  for (const ModelRows& view : study.views)
    for (const std::string& task : view.tasks) {
      std::vector<const ResultRow*> rows = view.of_task(task);
      std::erase_if(rows, [](const ResultRow* row) { return !has_loss(*row); });
      if (!rows.empty()) all.push_back({task, view.model, rows, lengths_of(rows), &view});
    }
  return all;
}

std::string perplexity_tables(const Study& study, std::size_t width, bool colour, const LengthMarks& signs) {
  std::string out;
  for (const auto& [task, model, rows, lengths, view] : texts_of(study))
    for (const WindowReading& reading : window_readings)
      out += wrapped(str(model, ": perplexity of ", task, ", ", reading.name, " (", reading.what,
                         ") by length (*: trained on)",
                         rows.front()->seeds() > 1 ? "; mean over seeds, smallest-largest" : ""),
                     width) +
             "\n" + table_of(rows, reading, lengths, colour, width, signs) + "\n";
  return out;
}

std::vector<Figure> text_study_figures(const Study& study, double width) {
  std::vector<Figure> figures;
  for (const auto& [task, model, rows, lengths, view] : texts_of(study)) {
    const int longest = lengths.back();
    LineChart chart = text_chart();
    chart.y_label = "perplexity (lower is better), mean over seeds";
    chart.log_y = true;
    chart.width = width;
    const std::vector<const ResultRow*> order = best_first(rows, longest, &TextSummary::sliding);
    for (const ResultRow* row : std::views::reverse(order))  // the best is drawn over the others
      chart.series.push_back({.name = row->name(),
                              .samples = samples_by_position(text_at(*row, longest)->by_position, longest),
                              .style = row_style(*view, *row),
                              .marked = false});
    const int trained = rows.front()->settings.train.lengths.high;
    add_levels(chart, *levels_at(rows, longest), longest, trained);
    for (Series& series : chart.series)
      for (Sample& sample : series.samples) sample.y = std::exp(sample.y);
    const auto said = [&](const ResultRow* row) {
      return str(row->name(), " ", perplexity_text(mean_perplexity(text_at(*row, longest)->sliding)));
    };
    chart.title =
        str(task, ", ", model, "s: perplexity by position; in the ",
            last_half(longest, token_name(rows.front()->settings) + "s"), ", from ", said(order.front()),
            order.size() > 1 ? str(" (the best) to ", said(order.back()), " (the worst)") : "",
            longest > trained ? str("; trained on ", trained) : "");
    figures.push_back(line_chart(chart));
  }
  return figures;
}

Figure study_figure(const std::string& title, const Study& study) {
  std::vector<Figure> figures = text_study_figures(study);
  const bool only_texts = std::ranges::all_of(study.rows, has_loss);
  if (figures.empty()) return grid_figure(title, study);
  if (only_texts && figures.size() == 1) return figures.front();
  if (!only_texts) figures.insert(figures.begin(), grid_figure("", study));
  return panels(title, figures, 1);
}

}  // namespace locus
