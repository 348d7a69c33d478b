// Predictions count for more than other sentences, if they were written before anybody could have seen the numbers: then
// each is one question, and not one of all that might have been picked.
//
// Each is kept in a file as it was before its own comparison was measured. From then on the line in the form may change,
// and what is kept does not.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "lessons/15_own_scheme/evidence.h"

namespace locus {

// Where a scheme was already trained and tested, by task and length: the folder of results.
using Measured = std::map<std::pair<std::string, int>, std::string>;

// In these folders; what is no folder of results, or a broken one, says nothing.
Measured measured_in(const std::set<std::string>& folders, const std::string& scheme);

// The folders that the form names, and all below `runs`.
std::set<std::string> known_folders(const Evidence&, const std::string& runs = "runs");

// Those of this scheme in the file; none without a file.
std::vector<Statement> kept_predictions(const std::string& file, const std::string& scheme);

// Brings the file up to date, and returns what it holds.
std::vector<Statement> keep_predictions(const Evidence&, const Measured&, const std::string& file);

// The predictions of the form that are not among those kept, word for word.
std::vector<Statement> written_late(const Evidence&, const std::vector<Statement>& kept);

// Two that compare the same: one of them is sure to come true.
std::optional<std::pair<Statement, Statement>> two_about_one(const std::vector<Statement>&);

}  // namespace locus
