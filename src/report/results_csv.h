// The results as a table for other programs: a spreadsheet, pandas, awk.
#pragma once

#include <string>
#include <vector>

#include "train/run.h"

namespace locus {

// RFC 4180 with a header: a row for each model and length: task, scheme, model, seed, the settings that differ among
// the results, length, then every measure, ceiling and baseline. Empty: not there. A text has losses in nats per token;
// accuracies are from 0 to 1.
std::string results_csv(const std::vector<Result>& results);

}  // namespace locus
