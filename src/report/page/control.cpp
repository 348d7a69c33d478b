// Two sections: every difference from the control, with its interval; and what each scheme costs.
#include <algorithm>

#include "ablation/judgement.h"
#include "base/text.h"
#include "report/format.h"
#include "report/page/parts.h"

namespace locus {

namespace {

std::string signed_number(double value) { return (value > 0 ? "+" : "") + fixed(value, 3); }

std::string p_text(double p) { return p < 0.001 ? "< 0.001" : fixed(p, 3); }

PageTable control_table(const Study& study, const std::vector<Comparison>& comparisons) {
  PageTable out{.caption = text("Difference from ", study.control, ", seed by seed"),
                .columns = {{"task", false},
                            {"scheme", false},
                            {"length"},
                            {"difference"},
                            {"95 % interval"},
                            {"p (Holm)"},
                            {"verdict", false}}};
  for (const Comparison& one : comparisons) {
    const Summary& row = study.rows[one.row];
    const auto& interval = one.difference.interval;
    out.rows.push_back(
        {one.is_aa ? "" : row.name(),
         {row.task, one.is_aa ? row.name() + ", other seeds" : row.name(),
          one.length == 0 ? "all" : text(one.length, one.trained ? "*" : ""),
          signed_number(one.difference.mean),
          interval ? text(signed_number(interval->low), " to ", signed_number(interval->high)) : "–",
          interval ? p_text(one.adjusted_p) : "–", to_string(one.verdict)}});
  }
  return out;
}

// "Each scheme against `none` ...: 40 better, 3 worse and 53 not distinguishable."
std::string totals(const Study& study, const std::vector<Comparison>& comparisons) {
  std::vector<std::string> parts;
  for (const Verdict verdict :
       {Verdict::better, Verdict::worse, Verdict::not_distinguishable, Verdict::none_with_one_seed}) {
    const auto count = std::ranges::count_if(
        comparisons, [&](const Comparison& one) { return !one.is_aa && one.verdict == verdict; });
    if (count > 0) parts.push_back(text(count, ' ', to_string(verdict)));
  }
  return text("Each scheme against ", code(study.control),
              " on the same data and seeds, at the longest length trained on (*) and at the longest of all: ",
              list_of(parts), '.');
}

// "26122", or "26122 to 42506" when a scheme has other sizes on other tasks.
std::string parameters_text(int low, int high) { return low == high ? text(low) : text(low, " to ", high); }

// How much larger it is than the smallest model of its task. `largest`: the largest model of a scheme.
std::string more_text(const ModelRows& view, const Summary& largest) {
  const int parameters = largest.parameters;
  const int smallest = std::ranges::min(view.of_task(largest.task), {}, &Summary::parameters)->parameters;
  return parameters == smallest || smallest <= 0
             ? "–"
             : text('+', fixed(100.0 * (parameters - smallest) / smallest, 1), " %");
}

// Milliseconds per step, over all cells of these rows that were timed.
std::string pace_text(const std::vector<const Summary*>& rows) {
  double seconds = 0, steps = 0;
  for (const Summary* row : rows) {
    seconds += row->duration.training;
    steps += row->duration.steps;
  }
  return steps > 0 ? fixed(1000 * seconds / steps, 2) : "–";
}

PageTable cost_table(const Study& study, const ModelRows& view) {
  PageTable out{
      .caption = text("Size and speed, ", view.model, "; more: than the smallest model of the task"),
      .columns = {{"scheme", false}, {"parameters"}, {"more"}}};
  if (!study.durations.empty()) out.columns.push_back({"ms per step"});
  for (const std::string& scheme : view.schemes) {
    const auto rows = view.of_scheme(scheme);
    const int least = std::ranges::min(rows, {}, &Summary::parameters)->parameters;
    const Summary& largest = *std::ranges::max(rows, {}, &Summary::parameters);
    out.rows.push_back(
        {scheme, {scheme, parameters_text(least, largest.parameters), more_text(view, largest)}});
    if (!study.durations.empty()) out.rows.back().cells.push_back(pace_text(rows));
  }
  return out;
}

}  // namespace

Section control_section(const Study& study) {
  const std::vector<Comparison> comparisons = compare(study.rows, study.control);
  if (std::ranges::all_of(comparisons, &Comparison::is_aa)) return {};
  return {"control",
          "Differences from the control",
          {paragraph(totals(study, comparisons)),
           paragraph(
               "The intervals are Student's, of the differences seed by seed, and allow for the size of the "
               "test set. Holm's correction keeps the chance of even one false verdict in this table at "
               "5\u00a0%."),
           as_tables({control_table(study, comparisons)})}};
}

Section cost_section(const Study& study) {
  std::vector<Html> parts;
  if (!study.durations.empty())
    parts.push_back(
        paragraph("Milliseconds are those of the machine and the hour in which the models were trained, "
                  "one thread each: compare them with each other only."));
  for (const ModelRows& view : study.views) parts.push_back(table(cost_table(study, view)));
  return {"cost", "Cost", parts};
}

}  // namespace locus
