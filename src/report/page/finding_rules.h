// The rules by which findings.cpp reads a view of the results, and what several of them share. A rule finds a sentence,
// or nothing where the numbers do not support one.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/judgement.h"
#include "report/page/findings.h"

namespace locus {

// findings_trust.cpp
std::optional<Finding> order_leaks(const ModelRows& view);
std::optional<Finding> null_control(const ModelRows& view);
std::optional<Finding> noise_floor(const ModelRows& view);
std::optional<Finding> memorised(const ModelRows& view);
std::optional<Finding> ceiling_too_high(const ModelRows& view);
std::optional<Finding> diverged(const ModelRows& view);

// findings_blind.cpp
std::optional<Finding> taken_away(const ModelRows& view);
std::optional<Finding> left_or_right(const ModelRows& view);
std::optional<Finding> mask_shows_order(const ModelRows& view);
std::optional<Finding> says_nothing(const ModelRows& view);

// findings_learned.cpp
// A scheme on a task at its longest inputs, above what is free there and ahead of every other scheme.
struct Lead {
  Judged best, second;
  bool at_edge;  // a better learning rate of some scheme may lie beyond those tried
};
std::vector<Lead> leads(const ModelRows& view);  // all tasks corrected together
// The one that is news by itself: most answers right, and the second far behind.
std::optional<Lead> lone_lead(const ModelRows& view);
std::optional<Finding> who_learns(const ModelRows& view);
std::optional<Finding> best_beyond(const ModelRows& view);
std::optional<Finding> less_than_nothing(const ModelRows& view);
std::optional<Finding> learned_by_heart(const ModelRows& view);
std::optional<Finding> never_trained(const ModelRows& view);

// findings_text.cpp
// "Trained on 64 tokens of grammar, only `alibi` (1.40) still predicts as well at 512 ...": of each text.
std::string text_headline(const ModelRows& view);

// findings.cpp
std::string score(double accuracy);

std::vector<const ResultRow*> without_positions(const ModelRows& view);

// "sort and before", or "16 of 23 tasks" when they are too many to name.
std::string some_tasks(const std::vector<std::string>& tasks, const ModelRows& view);

// The rows of the view that have such a length.
std::vector<Judged> judged_at(std::optional<RowAtLength> (*length_of)(const ResultRow&),
                              const ModelRows& view);

// "after 1,000 steps", "after 250 to 1,000 steps": the budget of sentences on what was not learned. Of a seed that
// solved the task it is the steps until then, as in the tables, so that both can be compared.
std::string budget_of(const std::vector<const ResultRow*>& rows);

// "24 tokens, twice the length trained on"
std::string beyond_text(const Judged& one);

double measure_of(const Judged& one);  // mean over seeds
// "0.53"; of a text "perplexity 1.40"
std::string measure_text(const Judged& one);

bool has_seeds(const ModelRows& view);

// The schemes that were run on every task: only they can be compared over all tasks.
std::vector<std::string> on_all_tasks(const ModelRows& view);

bool needs_order_on(const Judged& one);

bool is_above(const Judged& one);

}  // namespace locus
