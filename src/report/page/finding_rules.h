// The rules by which findings.cpp reads a view of the results, and what several of them share. A rule finds a sentence,
// or nothing where the numbers do not support one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/judgement.h"
#include "report/page/findings.h"

namespace locus {

using Rule = std::optional<Finding>(const ModelRows& view);
// findings_trust.cpp
Rule order_leaks, null_control, taken_away, noise_floor, memorised, ceiling_too_high, diverged;
// findings_learned.cpp
Rule who_learns, best_beyond, learned_by_heart, left_or_right;

// A scheme on a task at its longest inputs, above what is free there and ahead of every other scheme.
struct Lead {
  Judged best, second;
};
// The one that is news by itself: most answers right, and the second far behind.
std::optional<Lead> lone_lead(const ModelRows& view);

// findings_text.cpp
// "Trained on grammar in windows of 64 characters, only `alibi` predicts windows of 512 as well ...": of each text.
std::string text_headline(const ModelRows& view);

// findings.cpp
std::string score(double accuracy);

// On the longest inputs: the scheme that keeps most over all tasks, the tasks on which it keeps half or more of what
// order is worth, and those on which no scheme is shown to keep anything. Nothing unless there are tasks of each kind.
struct TaskSplit {
  std::string best;
  double least, most;  // that it keeps on the former
  std::vector<std::string> kept, lost;
};
std::optional<TaskSplit> split_of(const ModelRows& view);

// The rows of the view that have such a length.
std::vector<Judged> judged_at(std::optional<RowAtLength> (*length_of)(const ResultRow&),
                              const ModelRows& view);

// "after 1,000 steps", "after 250 to 1,000 steps": the budget of sentences on what was not learned. For a seed that
// solved the task, the steps until then, as in the tables.
std::string budget_of(const std::vector<const ResultRow*>& rows);

double measure_of(const Judged& one);   // mean over seeds
bool has_seeds(const ModelRows& view);  // several, of every row
bool needs_order_on(const Judged& one);
bool is_above(const Judged& one);

// The schemes that were run on every task: only they can be compared over all tasks.
std::vector<std::string> on_all_tasks(const ModelRows& view);

// "sort", "both tasks", "all 3 tasks"
std::string all_of_tasks(const std::vector<std::string>& tasks);

}  // namespace locus
