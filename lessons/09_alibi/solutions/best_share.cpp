// The mirror-blind ceiling of one input.
#include "lessons/09_alibi/contract.h"

namespace locus {

// exercise 9.5: best_share(), from blank: contract.h says what it must do
double best_share(const Tokens& input, const Solve& solve) {
  const std::vector<int> labels = solve(input), of_mirror = solve({input.rbegin(), input.rend()});
  if (of_mirror.empty()) return 1;
  double sum = 0;
  for (std::size_t i = 0; i < labels.size(); ++i)
    sum += labels[i] == of_mirror[labels.size() - 1 - i] ? 1 : 0.5;
  return sum / static_cast<double>(labels.size());
}
// end

}  // namespace locus
