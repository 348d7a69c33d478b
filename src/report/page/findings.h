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

// The most important first; of the kinds of models in turn, so that the first screen shows each.
std::vector<Finding> findings(const Study& study);

// The first of them as plain text, or else what was compared: the title of a figure.
std::string headline(const Study& study);

// The answer to the headline, in a sentence: on how many tasks each scheme is above what needs no order, at the longest
// inputs. "" where there is no verdict.
std::string headline_answer(const Study& study);

}  // namespace locus
