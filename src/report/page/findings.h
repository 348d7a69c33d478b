// What the results show, in sentences. A sentence is left out when the numbers do not support it
// (ablation/judgement.h).
#pragma once

#include <string>
#include <vector>

#include "report/study.h"

namespace locus {

struct Finding {
  std::string lead;  // "On the longest inputs"
  std::string text;  // one or two sentences, with schemes between backquotes
};

// The most important first; of the kinds of models in turn.
std::vector<Finding> findings(const Study& study);

// What a reader would tell a colleague: a sentence or two, with schemes between backquotes. The scheme that is far
// ahead of all others on a task; else what each scheme keeps on the longest inputs; of texts, which schemes still
// predict there; of each kind of model. "" with one scheme or one seed. findings() does not say it again.
std::string headline(const Study& study);

// It without backquotes, or else what was compared: the title of a figure.
std::string plain_headline(const Study& study);

}  // namespace locus
