// What each scheme costs: parameters, and time.
#include <algorithm>

#include "base/text.h"
#include "report/format.h"
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

namespace {

// Over all cells of a row; nothing when none of them was timed.
struct Pace {
  double seconds = 0, steps = 0;
};

void add_pace(Pace& pace, const Study& study, const Summary& row) {
  for (const CellDuration& one : study.durations)
    if (one.settings == row.settings) {
      pace.seconds += one.duration.training;
      pace.steps += one.steps;
    }
}

std::string range_text(int low, int high) { return low == high ? text(low) : text(low, " to ", high); }

std::string more_text(int parameters, int smallest) {
  return parameters == smallest || smallest <= 0
             ? "–"
             : text('+', fixed(100.0 * (parameters - smallest) / smallest, 1), " %");
}

// The task where the scheme asks for the most, beside the smallest model of that task.
std::string most_more(const ModelRows& view, const std::vector<const Summary*>& rows) {
  const Summary& largest = *std::ranges::max(rows, {}, &Summary::parameters);
  return more_text(largest.parameters,
                   std::ranges::min(view.of_task(largest.task), {}, &Summary::parameters)->parameters);
}

PageTable cost_table(const Study& study, const ModelRows& view) {
  PageTable out{
      .caption = text("Size and speed, ", view.model, "; more: than the smallest model of the task"),
      .columns = {{"scheme", false}, {"parameters"}, {"more"}}};
  const bool timed = !study.durations.empty();
  if (timed) out.columns.push_back({"ms per step"});
  for (const std::string& scheme : view.schemes) {
    const auto rows = view.of_scheme(scheme);
    const auto [low, high] = std::ranges::minmax(rows, {}, &Summary::parameters);
    out.rows.push_back(
        {scheme, {scheme, range_text(low->parameters, high->parameters), most_more(view, rows)}});
    Pace pace;
    for (const Summary* row : rows) add_pace(pace, study, *row);
    if (timed)
      out.rows.back().cells.push_back(pace.steps > 0 ? fixed(1000 * pace.seconds / pace.steps, 2) : "–");
  }
  return out;
}

}  // namespace

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
