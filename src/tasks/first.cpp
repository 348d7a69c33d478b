// First: every position looks at position 0. The simplest question about absolute position.
#include "tasks/support/toy.h"

namespace locus::tasks::first {

Tokens solve(const Tokens& input) { return Tokens(input.size(), input.front()); }

const RegisterTask first{
    {.name = "first", .summary = "at each position the first token of the input", .solve = solve}};

}  // namespace locus::tasks::first
