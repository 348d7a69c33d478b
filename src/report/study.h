// The results that tables, figures and the page show, in groups.
#pragma once

#include <string>
#include <vector>

#include "ablation/results.h"
#include "ablation/summary.h"

namespace locus {

// All rows of one kind of model. They have the same measure of accuracy, so they can be compared.
struct ModelRows {
  std::string model;
  bool generates;
  std::vector<const Summary*> rows;
  std::vector<const Summary*> again;        // the control on other seeds (A/A), apart from the rows
  std::vector<std::string> tasks, schemes;  // in the order of first appearance; schemes by Summary::name

  std::vector<const Summary*> of_scheme(const std::string& scheme) const;
  std::vector<const Summary*> of_task(const std::string& task) const;
};

struct Study : Records {
  // `control`: the scheme that the others are compared with; "": usual_control.
  explicit Study(Records records, std::string control = "");
  Study(const Study&) = delete;  // views points into rows

  std::vector<Summary> rows;
  std::vector<ModelRows> views;      // of `rows`
  std::vector<std::string> schemes;  // of all views
  std::string control;
};

}  // namespace locus
