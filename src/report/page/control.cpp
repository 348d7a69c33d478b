// Every difference from the control, with its interval: what may be claimed, and what may not.
#include <algorithm>

#include "ablation/comparison.h"
#include "base/text.h"
#include "report/format.h"
#include "report/page/parts.h"
#include "report/page/sections.h"
#include "report/page/words.h"

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
        {one.is_aa() ? "" : row.name(),
         {row.task, one.is_aa() ? row.name() + ", other seeds" : row.name(),
          one.length == 0 ? "all" : text(one.length, one.trained ? "*" : ""),
          signed_number(one.difference.mean),
          interval ? text(signed_number(interval->low), " to ", signed_number(interval->high)) : "–",
          interval ? p_text(one.adjusted_p) : "–", to_string(one.verdict)}});
  }
  return out;
}

// "Against `none`: 40 of 96 comparisons better, 3 worse, 53 not distinguishable."
std::string totals(const Study& study, const std::vector<Comparison>& comparisons) {
  std::vector<std::string> parts;
  for (const Verdict verdict : {Verdict::better, Verdict::worse, Verdict::not_distinguishable}) {
    const auto count = std::ranges::count_if(
        comparisons, [&](const Comparison& one) { return !one.is_aa() && one.verdict == verdict; });
    if (count > 0) parts.push_back(text(count, ' ', to_string(verdict)));
  }
  return text("Each scheme against ", code(study.control),
              " on the same data and seeds, at the longest length trained on (*) and at the longest of all: ",
              list_of(parts), '.');
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

}  // namespace locus
