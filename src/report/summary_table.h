// The results of an ablation as text: a table for the terminal with its notes, and CSV for other programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "report/study.h"

namespace locus {

// The sentences of the page: what was found, a paragraph each.
std::string findings_text(const Study& study, std::size_t width);

// The table that ends an ablation. For each task: the accuracy that can be reached without order and
// without the input, then a row per scheme with its accuracy by length, its comparison with the control,
// and its costs. The accuracy of encoders is token accuracy, that of decoders exact match. To fit the
// width, learning curves and costs are left out first, then lengths between the longest trained and the longest.
std::string summary_table(const Study& study, std::size_t width, bool colour);

// The mean accuracy of the curves in a few characters, "▁▂▅█": bars from 0 (lowest) to 1, at evenly spaced steps up to
// `last_step`. Empty without curves.
std::string sparkline(const std::vector<Curve>& curves, int last_step);

// RFC 4180 with a header: a row for each model and length: task, scheme, model, seed, the settings that differ among
// the results, length, then every measure, ceiling and baseline. Empty: not there. A text has losses in nats per token;
// accuracies are from 0 to 1.
std::string results_csv(const std::vector<Result>& results);

// summary_notes.cpp

// What is said below the table, in lines of at most this width: where seeds disagree, what more seeds would settle,
// what the words and signs of these tables, which have no colours, mean.
std::string summary_notes(const std::string& tables, const Study& study,
                          const std::vector<Comparison>& comparisons, std::size_t width, bool colour);

// "More than the scheme differs from the control: heads (alibi), max_steps (rope)."; "" when nothing else does.
// Learning rates that were chosen for each scheme (Study::chosen) do not count.
std::string unlike_control(const Study& study, const std::vector<Comparison>& comparisons);

}  // namespace locus
