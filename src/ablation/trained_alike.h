// Cells that are trained alike are trained once. Then each goes on as its settings say: with --trained-as, the
// trained model is read with the scheme of the cell, and with --recalibrate trained on under it; then it is tested.
// Every cell ends in the bytes that it would have alone.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ablation/ablation.h"

namespace locus {

// The training steps that a cell goes on for under its own scheme: a new run of --recalibrate N steps at
// --recalibrate-lr that begins with the trained parameters. The optimizer is new, and so are its schedule (warm-up in
// at most a tenth of the steps, then a cosine) and the batches, which no training of this seed has seen. All steps
// are done, also when a validation is right before, so that every scheme gets equally many.
TrainSettings recalibration(const RunSettings& cell);

// These cells of the plan, put together where they share their training; in the order of the first of each group.
using Cells = std::vector<std::size_t>;
std::vector<Cells> trained_alike(const std::vector<RunSettings>& plan, const Cells& cells);

// The most floating-point operations of the group: one training, and the recalibration of each cell.
double group_work(const std::vector<RunSettings>& plan, const Cells& group);

// Runs the cells of one group on the calling thread.
void run_group(const std::vector<RunSettings>& plan, const Cells& group, Results& results,
               const AblationEvents& events, const std::string& keep_in);

}  // namespace locus
