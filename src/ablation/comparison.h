// Every row of an ablation against the control: the same task, model, settings and seeds, and another scheme.
#pragma once

#include <string>
#include <vector>

#include "ablation/statistics.h"
#include "ablation/summary.h"

namespace locus {

enum class Verdict { worse, not_distinguishable, better };
std::string to_string(Verdict);  // "better", "not distinguishable" ...

struct Comparison {
  std::size_t row, control;  // places in the summaries
  int length;                // 0: all lengths together
  bool trained;
  int pairs;  // seeds that both have
  Difference difference;
  double adjusted_p;  // by Holm, over all comparisons of the report
  Verdict verdict;    // at 5 %

  bool aa;  // the control against itself, on seeds that no other row has: what differs is noise
  bool is_aa() const { return aa; }
};

// The scheme to compare with when nobody says another: none, or the first there is.
std::string usual_control(const std::vector<Summary>& summaries);

// At the headline lengths of each row (summary.h) that its control was tested at as well. Throws UsageError
// when no row has that scheme. Rows without a control of their task, model and settings are left out.
std::vector<Comparison> compare(const std::vector<Summary>& summaries, const std::string& control);

}  // namespace locus
