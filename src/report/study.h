// The results that tables, figures and the page show, in groups.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "ablation/comparison.h"
#include "ablation/result_rows.h"
#include "ablation/results.h"
#include "ablation/tuning.h"

namespace locus {

// All rows of one kind of model that have the same measure (ResultRow::measure), so that they can be compared: texts
// are apart from toy tasks and tables.
struct ModelRows {
  std::string model;
  bool generates, is_text;
  std::vector<const ResultRow*> rows = {};
  std::vector<const ResultRow*> again = {};  // the control on other seeds (A/A), apart from the rows
  std::vector<std::string> tasks = {},
                           schemes = {};  // in the order of first appearance; schemes by ResultRow::name
  // Tasks on which the best learning rate of some scheme is the smallest or the largest tried: it may do better yet. An
  // encoder without positions cannot: no rate lifts it above the order-blind ceiling, and no leader is below that.
  std::set<std::string> at_edge = {};

  std::vector<const ResultRow*> of_scheme(const std::string& scheme) const;
  std::vector<const ResultRow*> of_task(const std::string& task) const;
};

struct Study : Records {
  // `control`: the scheme that the others are compared with; "": usual_control. `chosen`: the learning rates that the
  // results were chosen by, when those at other rates are not among them; if empty, what chosen_rates() finds. What is
  // said of lengths not trained on then holds at every rate near them (ablation/tuning.h).
  explicit Study(Records records, std::string control = "", std::vector<ChosenRate> chosen = {});
  Study(const Study&) = delete;  // views points into rows

  std::vector<ChosenRate> chosen;  // as given: of these rates alone are the results; may be empty
  std::vector<ResultRow> rows;
  std::vector<ModelRows> views;      // of `rows`
  std::vector<std::string> schemes;  // of all views
  std::string control;
};

}  // namespace locus
