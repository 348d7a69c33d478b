// Every difference from the control: a panel of intervals for each task, and the numbers.
#include <algorithm>
#include <cmath>

#include "ablation/comparison.h"
#include "base/text.h"
#include "io/format.h"
#include "report/page/parts.h"
#include "report/scheme_style.h"
#include "report/summary_notes.h"

namespace locus {

namespace {

constexpr std::size_t most_open_panels = 9;  // more would make the page very long; they are folded

std::string signed_number(double value) {
  return (value > 0 ? "+" : value < 0 ? "\u2212" : "") + fixed(std::abs(value), 3);
}

// Near the level of the verdict with the digits that decide.
std::string p_text(double p) {
  if (p < 0.001) return "< 0.001";
  return fixed(p, std::abs(p - significance_level) < 0.005 ? 5 : 3);
}

std::string length_text(const Comparison& one) {
  return one.length == 0 ? "all" : str(one.length, one.trained ? "*" : "");
}

PageTable control_table(const Study& study, const std::vector<Comparison>& comparisons) {
  PageTable out{.caption = str("Difference from ", study.control, ", seed by seed"),
                .columns = {{"task", false},
                            {"scheme", false},
                            {"length"},
                            {"difference"},
                            {"95 %, uncorrected"},
                            {"p (Holm)"},
                            {"verdict", false}}};
  for (const Comparison& one : comparisons) {
    const ResultRow& row = study.rows[one.row];
    const auto& interval = one.difference.interval;
    out.rows.push_back(
        {one.is_aa ? "" : row.name(),
         {row.task, one.is_aa ? row.name() + ", other seeds" : row.name(), length_text(one),
          signed_number(one.difference.mean),
          interval ? str(signed_number(interval->low), " to ", signed_number(interval->high)) : "–",
          interval ? p_text(one.adjusted_p) : "–", verdict_text(one)}});
  }
  return out;
}

// "Each scheme against `none` ...: 40 better, 3 worse, 2 equal within 0.02 and 51 cannot tell."
std::string totals(const Study& study, const std::vector<Comparison>& comparisons) {
  std::vector<std::string> parts;
  for (const Verdict verdict :
       {Verdict::better, Verdict::worse, Verdict::equal, Verdict::cannot_tell, Verdict::none_with_one_seed}) {
    const auto count = std::ranges::count_if(
        comparisons, [&](const Comparison& one) { return !one.is_aa && one.verdict == verdict; });
    if (count > 0) parts.push_back(str(count, ' ', to_string(verdict)));
  }
  const bool texts = std::ranges::any_of(study.views, &ModelRows::is_text);
  return str(
      texts ? "For a text the difference is in nats of loss, to the right a lower loss. " : "",
      "Each scheme against ", code(study.control),
      " on the same data and seeds, at the longest length trained on (*, the upper mark) and at the "
      "longest of all (the lower): ",
      list_of(parts),
      ". A filled mark is told apart from 0. Equal is what an equivalence test shows (two one-sided tests); "
      "where neither is shown, the table names the number of seeds that would show one, if mean and spread "
      "stayed as they are. The verdicts allow for the number of schemes on one task at one length "
      "(Holm: the chance of even one false difference there is 5\u00a0%, that of a false equality again "
      "5\u00a0%); the intervals, 95\u00a0% each, do not, so "
      "one may lie off 0 beside a hollow mark.");
}

// The comparisons of one task and model, the largest difference at the longest inputs first.
Figure interval_panel(const Study& study, std::vector<Comparison> comparisons) {
  const auto far = [given = comparisons](const Comparison& one) {
    double difference = one.difference.mean;
    for (const Comparison& other : given)
      if (other.row == one.row && !other.trained) difference = other.difference.mean;
    return std::pair(difference, one.row);
  };
  std::ranges::stable_sort(comparisons, std::ranges::greater(), far);
  std::vector<std::string> names;
  for (const Comparison& one : comparisons)
    if (names.empty() || names.back() != study.rows[one.row].name())
      names.push_back(study.rows[one.row].name());

  constexpr double row_height = 17;
  const ResultRow& first = study.rows[comparisons.front().row];
  Drawing drawing;
  PlotArea area;
  area.top = drawing.heading(first.task, title_size, 0, 0, 340);
  area.left = widest(names) + 8;
  area.right = area.left + 190;
  area.bottom = area.top + row_height * static_cast<double>(names.size());
  double reach = 1;  // of accuracies; differences of loss may be larger
  if (first.is_text)
    for (const Comparison& one : comparisons) {
      const Interval interval = one.difference.interval.value_or(Interval{});
      reach = std::max({reach, std::ceil(std::abs(one.difference.mean)), std::ceil(-interval.low),
                        std::ceil(interval.high)});
    }
  area.x = {-reach, reach};
  drawing.line({area.x_at(0), area.top}, {area.x_at(0), area.bottom}, {axis_ink});
  double y = area.top - row_height / 2;
  std::string last;
  for (const Comparison& one : comparisons) {
    const ResultRow& row = study.rows[one.row];
    if (row.name() != last) drawing.text({area.left - 8, (y += row_height) + 4}, row.name(), {Anchor::end});
    last = row.name();
    const SeriesStyle style = scheme_style(row.settings.model.scheme);
    const bool paired = first.by_length.size() > 1 && !row.is_table, thin = paired && one.trained;
    const double level = y + (!paired ? 0 : thin ? -4 : 3), middle = area.x_at(one.difference.mean);
    const bool told_apart = one.verdict == Verdict::better || one.verdict == Verdict::worse;
    drawing.begin_series(row.name());
    if (const auto& interval = one.difference.interval)
      drawing.line({area.x_at(std::max(interval->low, -reach)), level},
                   {area.x_at(std::min(interval->high, reach)), level}, {style.colour, thin ? 1.0 : 2.5});
    drawing.shape({middle, level}, style.form, told_apart ? style.colour : paper, style.colour,
                  str(row.name(), " on ", row.task, " at ", length_text(one), ": ",
                      signed_number(one.difference.mean), ", ", verdict_text(one)));
    drawing.end_series();
  }
  draw_x_axis(drawing, area, {-reach, -reach / 2, 0, reach / 2, reach}, "");
  return {str(first.task, ": differences from ", study.control), area.right, area.bottom + x_axis_height(""),
          drawing.take()};
}

}  // namespace

Section control_section(const Study& study) {
  const std::vector<Comparison> comparisons = compare(study.rows, study.control);
  std::vector<Html> panels;
  for (const ModelRows& view : study.views)
    for (const std::string& task : view.tasks) {
      std::vector<Comparison> here = comparisons;
      std::erase_if(here, [&](const Comparison& one) {
        const ResultRow& row = study.rows[one.row];
        return one.is_aa || row.task != task || row.model != view.model;
      });
      if (!here.empty())
        panels.push_back(element("figure", {}, {figure_element(interval_panel(study, here))}));
    }
  if (panels.empty()) return {};
  std::vector<Html> content = {paragraph(totals(study, comparisons))};
  if (const std::string words = unlike_control(study, comparisons); !words.empty())
    content.push_back(paragraph("Rows are " + words + '.'));
  const Html charts = element("div", {{"class", "charts"}}, panels);
  content.push_back(panels.size() <= most_open_panels ? charts
                                                      : folded("The differences, task by task", charts));
  content.push_back(as_tables("The numbers", {control_table(study, comparisons)}));
  return {"control", str("Differences from ", study.control), content};
}

}  // namespace locus
