#include "report/page/findings.h"

namespace locus {

std::vector<Finding> findings(const ModelRows& view) {
  std::vector<Finding> found;
  for (const auto look :
       {order_leaks, null_control, mask_shows_order, who_learns, says_nothing, best_beyond, too_close,
        learned_by_heart, quick_to_learn, seeds_disagree, noise_floor, sizes_differ, diverged, few_seeds})
    if (auto finding = look(view)) found.push_back(std::move(*finding));
  return found;
}

}  // namespace locus
