// Every difference from the control: a panel of intervals for each task, and the numbers.
#include <algorithm>
#include <cmath>

#include "ablation/comparison.h"
#include "base/text.h"
#include "io/format.h"
#include "report/page/parts.h"
#include "report/scheme_style.h"

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
  return str("Each scheme against ", code(study.control), " on the same data and seeds: ", list_of(parts),
             ". Hollow: at the length trained on. Filled: at the longest, with its 95\u00a0% interval.",
             texts ? " For a text the difference is in nats of loss, to the right a lower loss." : "");
}

constexpr const char* statistics =
    "Better and worse are told apart from 0. Equal is what an equivalence test shows (two one-sided tests); "
    "where neither is shown, the table names the number of seeds that would show one, if mean and spread stayed "
    "as they are. The verdicts allow for the number of schemes on one task at one length (Holm: the chance of "
    "even one false difference there is 5\u00a0%, that of a false equality again 5\u00a0%); the intervals, "
    "95\u00a0% each, do not.";

// The comparisons of one scheme on one task: at the longest inputs, and at the length trained on if that is shorter.
struct Dumbbell {
  const Comparison *longest, *trained = nullptr;
};

std::vector<Dumbbell> dumbbells(const std::vector<Comparison>& comparisons) {  // the largest difference first
  std::vector<Dumbbell> all;
  for (const Comparison& one : comparisons) {  // of a row the shortest first
    if (!all.empty() && all.back().longest->row == one.row)
      all.back() = {&one, all.back().longest};
    else
      all.push_back({&one});
  }
  std::ranges::stable_sort(all, std::ranges::greater(),
                           [](const Dumbbell& one) { return one.longest->difference.mean; });
  return all;
}

// Of all tasks, or of all texts.
Range reach_of(const Study& study, const std::vector<Comparison>& comparisons, bool is_text) {
  Range reach{0, 0};
  for (const Comparison& one : comparisons) {
    if (one.is_aa || study.rows[one.row].is_text != is_text) continue;
    const Interval interval =
        one.difference.interval.value_or(Interval{one.difference.mean, one.difference.mean});
    reach = {std::min({reach.low, one.difference.mean, interval.low}),
             std::max({reach.high, one.difference.mean, interval.high})};
  }
  if (!is_text) reach = {std::max(reach.low, -1.0), std::min(reach.high, 1.0)};
  return reach.high - reach.low < 0.1 ? Range{reach.low - 0.05, reach.high + 0.05} : reach;
}

Figure difference_panel(const Study& study, const ModelRows& view, const std::vector<Comparison>& comparisons,
                        Range reach) {
  const std::vector<Dumbbell> all = dumbbells(comparisons);
  std::vector<std::string> names;
  for (const Dumbbell& one : all) names.push_back(study.rows[one.longest->row].name());
  // Long names stand above their intervals: beside them the panel would be too wide for a phone.
  const auto in_lines = [](std::string name) {
    for (std::size_t at = 0; (at = name.find(',', at) + 1) > 0;) name.insert(at, " ");
    return wrap_text(name, label_size, 340);
  };
  std::size_t above = 0;
  for (const std::string& name : names)
    if (widest(names) > 120) above = std::max(above, in_lines(name).size());
  const ResultRow& first = study.rows[comparisons.front().row];
  const double row_height = 16 + 14 * static_cast<double>(above);
  Drawing drawing;
  PlotArea area;
  area.top = drawing.heading(first.task, title_size, 0, 0, 340);
  area.left = above > 0 ? 12 : widest(names) + 12;
  area.right = above > 0 ? 320 : area.left + 190;
  area.bottom = area.top + row_height * static_cast<double>(all.size());
  area.x = reach;
  drawing.line({area.x_at(0), area.top}, {area.x_at(0), area.bottom}, {axis_ink});
  double y = area.top - 8;
  for (const auto& [longest, trained] : all) {
    const ResultRow& row = study.rows[longest->row];
    const SeriesStyle style = row_style(view, row);
    y += row_height;
    const auto x_at = [&](double value) { return area.x_at(std::clamp(value, area.x.low, area.x.high)); };
    drawing.begin_series(row.name());
    if (above == 0) drawing.text({area.left - 12, y + 4}, row.name(), {Anchor::end});
    double text_y = y - row_height + 6;
    for (const std::string& line : above > 0 ? in_lines(row.name()) : std::vector<std::string>{})
      drawing.text({0, text_y += 14}, line, {});
    if (trained)
      drawing.line({x_at(trained->difference.mean), y}, {x_at(longest->difference.mean), y},
                   {style.colour, 1});
    if (const auto& interval = longest->difference.interval)
      drawing.line({x_at(interval->low), y}, {x_at(interval->high), y}, {style.colour, 2.5});
    for (const Comparison* one : {trained, longest})
      if (one)
        drawing.shape({x_at(one->difference.mean), y}, style.form, one == longest ? style.colour : paper,
                      style.colour,
                      str(row.name(), " on ", row.task, " at ", length_text(*one), ": ",
                          signed_number(one->difference.mean), ", ", verdict_text(*one)));
    drawing.end_series();
  }
  draw_x_axis(drawing, area, nice_ticks(area.x, 5), "");
  return {str(first.task, ": differences from ", study.control), area.right + 12,
          area.bottom + x_axis_height(""), drawing.take()};
}

}  // namespace

Section control_section(const Study& study) {
  const std::vector<Comparison> comparisons = compare(study.rows, study.control);
  std::vector<Html> panels;
  for (const ModelRows& view : study.views) {
    const Range reach = reach_of(study, comparisons, view.is_text);
    for (const std::string& task : view.tasks) {
      std::vector<Comparison> here = comparisons;
      std::erase_if(here, [&](const Comparison& one) {
        const ResultRow& row = study.rows[one.row];
        return one.is_aa || row.task != task || row.model != view.model;
      });
      if (!here.empty())
        panels.push_back(element("figure", {}, {figure_element(difference_panel(study, view, here, reach))}));
    }
  }
  if (panels.empty()) return {};
  std::vector<Html> content = {paragraph(totals(study, comparisons))};
  const Html charts = element("div", {{"class", "charts"}}, panels);
  content.push_back(panels.size() <= most_open_panels ? charts
                                                      : folded("The differences, task by task", charts));
  content.push_back(as_tables("The numbers", {control_table(study, comparisons)}));
  content.push_back(folded("How the verdicts are made", paragraph(statistics)));
  return {"control", str("Differences from ", study.control), content};
}

}  // namespace locus
