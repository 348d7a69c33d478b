// --positions and --only-layers: a trained model whose scheme is told other positions (model/position_change.h).
#pragma once

#include <optional>

#include "cli/runs.h"

namespace locus {

inline const OptionSpec positions_option{"--positions", "CHANGE",
                                         "beside it, with its scheme told other positions: swap:2,7 ..."},
    only_layers_option{"--only-layers", "A,B",
                       "with --positions: tell only the attention of these layers, from 0"};

// For the help of a command.
inline constexpr const char* position_changes =
    R"(Changes of positions, which count from 0:
  swap:2,7    the tokens at 2 and 7 are told each other's position
  shift:100   100 is added to every position
  scale:2     every position is multiplied by 2
  reversed    the first token is told the last position, and so on
  constant    every token is told the position of the first
  shuffled    a random permutation, another one for every 16 test inputs
)";

// Nothing without --positions; then throws UsageError when --only-layers is given.
std::optional<PositionChange> read_position_change(const Arguments& arguments);

// The same trained model, told so.
TrainedRun with_positions(const TrainedRun& trained, const PositionChange& change);

}  // namespace locus
