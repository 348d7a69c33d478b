// What the results show, in sentences. A sentence is left out when the numbers do not support it
// (ablation/judgement.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/page/study.h"

namespace locus {

struct Finding {
  std::string lead;  // "On the longest inputs"
  std::string text;  // one or two sentences, with schemes between backquotes
};

std::vector<Finding> findings(const ModelRows& view);

}  // namespace locus
