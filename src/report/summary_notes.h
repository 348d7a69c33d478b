// What is said below the table of an ablation: where seeds disagree, what more seeds would settle, what the ceiling of
// a table is worth, and what the signs mean.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ablation/comparison.h"
#include "report/study.h"

namespace locus {

// Lines of at most this width. `has_below`: the table marks rows that get less than the no-input baseline.
std::string summary_notes(const Study& study, const std::vector<Comparison>& comparisons, bool has_below,
                          std::size_t width, bool colour);

// "compared with a control that differs in more than the scheme: heads (alibi), max_steps (rope)"; "" when no row is.
// Learning rates that were chosen for each scheme (Study::chosen) do not count.
std::string unlike_control(const Study& study, const std::vector<Comparison>& comparisons);

}  // namespace locus
