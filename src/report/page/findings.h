// What a reader should conclude, in words. Each sentence is derived from the numbers, and is left out when
// they do not support it (ablation/judgement.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/page/study.h"

namespace locus {

struct Finding {
  std::string lead;  // "On the longest inputs"
  std::string text;  // one or two sentences; schemes stand between backquotes
};

std::vector<Finding> findings(const ModelRows& view);

// Each looks for one thing. Can the rest be trusted?
std::optional<Finding> order_leaks(const ModelRows& view);
std::optional<Finding> null_control(const ModelRows& view);
std::optional<Finding> mask_shows_order(const ModelRows& view);
std::optional<Finding> noise_floor(const ModelRows& view);
// At the length trained on.
std::optional<Finding> who_learns(const ModelRows& view);
std::optional<Finding> says_nothing(const ModelRows& view);
std::optional<Finding> quick_to_learn(const ModelRows& view);
std::optional<Finding> seeds_disagree(const ModelRows& view);
// Beyond it.
std::optional<Finding> best_beyond(const ModelRows& view);
std::optional<Finding> too_close(const ModelRows& view);
std::optional<Finding> learned_by_heart(const ModelRows& view);
// What to keep in mind.
std::optional<Finding> sizes_differ(const ModelRows& view);
std::optional<Finding> diverged(const ModelRows& view);
std::optional<Finding> few_seeds(const ModelRows& view);

}  // namespace locus
