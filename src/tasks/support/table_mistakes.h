// The mistakes that ruin a table, found by counting its rows: what gives the answer away without the order of the
// words, and what leaves too little to test. (What makes a table unreadable, such as one input with two answers, is
// refused by table_rows.h.) `locus tasks FILE` prints them; datasets/README.md explains each.
#pragma once

#include <string>
#include <vector>

#include "tasks/support/table.h"

namespace locus {

// A sentence or two for each mistake: how often it occurs, a row that has it, and what to do. Empty for a good table.
// `table` is made of these rows.
std::vector<std::string> table_mistakes(const Table& table, const TableRows& rows);

}  // namespace locus
