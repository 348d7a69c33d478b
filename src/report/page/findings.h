// What a reader should conclude, in words. Each sentence is derived from the numbers and is left out when
// they do not support it; one that says that something is better says so of means whose difference, seed by
// seed, has a 95 % interval above zero.
#pragma once

#include <string>
#include <vector>

#include "report/page/study.h"

namespace locus {

struct Finding {
  std::string lead;  // "Longer inputs"
  std::string text;  // one or two sentences; schemes stand between backquotes
};

std::vector<Finding> findings(const View& view);

}  // namespace locus
