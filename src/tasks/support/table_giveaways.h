// The mistakes of a table that give answers away to a model that sees no order, or does not read: part of
// table_mistakes.h.
#pragma once

#include <string>
#include <vector>

#include "tasks/support/table.h"

namespace locus {

inline constexpr double a_few = 0.02;  // of the rows: fewer are not a mistake

// At most 60 bytes of it, so that a mistake is a sentence.
std::string shortened(std::string words);

// "line 3: the cat chased the mouse -> mouse"
std::string shown(const TableRow&);

// A sentence for each kind of them, "" for a kind that the table does not have.
std::vector<std::string> table_giveaways(const Table&, const TableRows&);

}  // namespace locus
