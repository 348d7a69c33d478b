// The results of a page, sorted once for all its sections.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ablation/results.h"
#include "ablation/summary.h"

namespace locus {

// All rows of one kind of model: they are measured alike, and can be compared.
struct ModelRows {
  std::string model;
  bool generates;
  std::vector<const Summary*> rows;
  std::vector<std::string> tasks,
      schemes;  // in the order of first appearance; schemes as Summary::name has them

  std::vector<const Summary*> of_scheme(const std::string& scheme) const;
  std::vector<const Summary*> of_task(const std::string& task) const;
};

// What schemes are held against, at each length. Only token accuracy has these.
struct Reference {
  const char* name;
  std::optional<double> LengthSummary::*value;
};
inline constexpr Reference references[] = {{"order-blind ceiling", &LengthSummary::order_blind_ceiling},
                                           {"no-input baseline", &LengthSummary::no_input_baseline}};

std::vector<ModelRows> views(const std::vector<Summary>& rows);

struct Study : Records {
  // `control`: the scheme that others are compared with; "": the usual one.
  explicit Study(Records records, std::string control = "");
  Study(const Study&) = delete;  // views point into rows

  std::vector<Summary> rows;
  std::vector<ModelRows> views;
  std::vector<std::string> schemes;  // of all views: the place of a scheme is its colour everywhere
  std::string control;

  std::size_t place(const std::string& scheme) const;
  // Whether any row measured by token accuracy has this to be held against.
  bool has(std::optional<double> LengthSummary::*reference) const;
};

}  // namespace locus
