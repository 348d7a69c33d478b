// Copy: trivial for an encoder, which sees the answer at the same position. A decoder must find the i-th
// token of the input when it writes the i-th token of its output.
#include "tasks/support/toy.h"

namespace locus::tasks::copy {

Tokens solve(const Tokens& input) { return input; }

const RegisterTask copy{
    {.name = "copy", .summary = "the input again (of interest with --model decoder)", .solve = solve}};

}  // namespace locus::tasks::copy
