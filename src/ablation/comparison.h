// Every row of an ablation compared with the control: the same task, model, settings and seeds, another
// scheme.
#pragma once

#include <string>
#include <vector>

#include "ablation/statistics.h"
#include "ablation/summary.h"

namespace locus {

enum class Verdict { worse, not_distinguishable, better };
std::string to_string(Verdict);  // "better", "not distinguishable" ...

struct Comparison {
  std::size_t row, control;  // indices into the summaries
  int length;                // 0: all lengths together
  bool trained;
  int pairs;  // seeds that both rows have
  Difference difference;
  double adjusted_p;  // by Holm, over all comparisons of the report
  Verdict verdict;    // at significance_level
  bool is_aa;         // the control compared with itself on other seeds: the difference is noise
};

// The default control: none, or else the first scheme.
std::string usual_control(const std::vector<Summary>& summaries);

// At those headline lengths of each row (judgement.h) at which its control was tested as well. Rows without a
// control of their task, model and settings are left out. Throws UsageError when no row has that scheme.
std::vector<Comparison> compare(const std::vector<Summary>& summaries, const std::string& control);

}  // namespace locus
