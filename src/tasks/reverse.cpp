// Reverse: position i looks at position T - 1 - i, so a model must know the distance to both ends.
#include "tasks/support/toy.h"

namespace locus::tasks::reverse {

Tokens solve(const Tokens& input) { return {input.rbegin(), input.rend()}; }

const RegisterTask reverse{{.name = "reverse", .summary = "the input backwards", .solve = solve}};

}  // namespace locus::tasks::reverse
