// Which numbers of a row count, and what they support.
#pragma once

#include <optional>

#include "ablation/statistics.h"
#include "ablation/summary.h"

namespace locus {

// Which of the numbers of a row are put beside each other: at a length the model was trained on, and at the
// longest one beyond.

const char* measure_name(const Summary& row);  // "token accuracy" or "exact match"

// The longest length that was trained on and tested; of a table of examples, all lengths together.
std::optional<LengthSummary> in_distribution(const Summary& row);

// The longest length beyond those.
std::optional<LengthSummary> out_of_distribution(const Summary& row);

// What the numbers support. A single seed supports no comparison.

inline constexpr double near_ceiling = 0.02;  // as near as several thousand test tokens can tell
inline constexpr double needs_order = 0.98;   // below this ceiling, order is worth something
inline constexpr double solved = 0.99;        // as training calls a task solved

bool solves(const Summary& row);  // in every seed, at the length trained on
bool is_at_ceiling(const Summary& row, const LengthSummary& at);

// Seed by seed, on the seeds that both have, at lengths that count alike; nothing when they share none.
std::optional<Difference> difference(const Summary& row, const LengthSummary& at, const Summary& other,
                                     const LengthSummary& other_at);
// The same from a level that is known.
Difference difference(const Summary& row, const LengthSummary& at, double level);

// The whole 95 % interval lies above, or below, zero.
bool is_above(const std::optional<Difference>& difference);
bool is_below(const std::optional<Difference>& difference);

}  // namespace locus
