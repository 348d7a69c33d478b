// Every row compared with the control, and the verdicts.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/judgement.h"

namespace locus {

// Every row compared with the control: the same task, model and seeds, and another scheme. The settings are the same
// where there is such a control; where they are not, settings_apart (result_rows.h) says what differs.

// better, worse: a difference that is not by chance. equal: the true difference is below equivalence_margin, by an
// equivalence test. cannot_tell: neither is shown; more seeds may. With one seed the spread over seeds is unknown,
// so no test is possible.
enum class Verdict { worse, cannot_tell, equal, better, none_with_one_seed };
std::string to_string(Verdict);  // "better", "equal within 0.02", "cannot tell", "one seed: no verdict" ...

struct Comparison {
  std::size_t row, control;  // indices into the rows
  int length;                // 0: all lengths together
  bool trained;
  int pairs;  // seeds that both rows have
  Difference difference;
  double adjusted_p;  // that there is no difference: by Holm, over its family
  Verdict verdict;    // at significance_level, over its family
  // Where the verdict is cannot_tell: about how many seeds would settle it, if mean and spread stayed as they are, with
  // the strictest level of the family. Nothing when more than 1000, or when only a larger test set would.
  std::optional<int> seeds_needed;
  // The rates that keep it from being told (Tested::against, farthest); "" where that is not the reason.
  std::string other_rates;
  bool is_aa;  // the control compared with itself on other seeds: the difference is noise
};

// The verdict in words: "better", "cannot tell; about 12 seeds would", "cannot tell: other learning rates disagree
// ...".
std::string verdict_text(const Comparison& one);

// The default control: none, or else the first scheme.
std::string usual_control(const std::vector<ResultRow>& rows);

// At those headline lengths of each row at which its control was tested as well. Holm corrects within a family: the
// schemes that are compared with one control on one task at its longest trained length, or at its longest. That is
// the question a reader asks at one place of the table. The control against itself is a family of its own. Rows
// without a control of their task and model, or with several of other settings, are left out. Throws UsageError when
// no row has that scheme.
std::vector<Comparison> compare(const std::vector<ResultRow>& rows, const std::string& control);

}  // namespace locus
