// What the results of runs support: each judgement asks one question of the evidence, and none asks whether the scheme is
// good. They are independent of each other, and use the thresholds of src/ablation/judgement.h.
#pragma once

#include <string>
#include <vector>

#include "ablation/results.h"
#include "draw/svg.h"
#include "lessons/15_own_scheme/evidence.h"

namespace locus {

// `words` says what was found in one line; when it is not good enough, `why` says what is wrong, where, and what to do.
struct Judgement {
  bool good;
  std::string words;
  std::string why = {};
};

// On each task of the scheme, none and rope are there as well; the model is an encoder, whose none sees no order.
Judgement has_controls(const Evidence&, const Records&);
// Five seeds or more, the same ones for the scheme and its controls, at each learning rate.
Judgement has_enough_seeds(const Evidence&, const Records&);
// The scheme and its controls differ in the scheme alone: the same steps, batch, sizes, tests ..., and rates tried.
Judgement has_equal_budget(const Evidence&, const Records&);
// At least three learning rates, and of each scheme the best lies between two others. A best rate at the edge is no
// fault where the model is shown to be at its ceiling: no other rate can lift it.
Judgement has_rate_inside(const Evidence&, const Records&);
// One recorded run of the scheme, trained again with the scheme as it is now, gives the same first loss and the same
// accuracies. Takes seconds.
Judgement repeats(const Evidence&, const Records&);

// Whether the numbers support what was said. A comparison that was predicted (in a statement of `kept`, written before
// the runs) is one question, or a few, and tested as such. For any other one might have picked any of all comparisons that
// were made, so all of them are tested together (Holm).
Judgement is_supported(const Statement& said, const Evidence&, const Records&,
                       const std::vector<Statement>& kept);

// What became of it, as words behind "it": "came true: ...", "did not come true: ...", "is open, the numbers cannot tell: ...",
// with all the numbers, or with the means alone.
enum class Detail { all, means };
std::string outcome(const Statement& prediction, const Evidence&, const Records&,
                    Detail detail = Detail::all);

// The accuracy of every scheme at its best rate, by length, as `locus report --svg` draws it.
Figure figure_of(const std::string& title, const Records&);

}  // namespace locus
