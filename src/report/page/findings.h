// What a reader should conclude, in words. Each sentence is derived from the numbers, and is left out when
// they do not support it (evidence.h).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "report/page/study.h"

namespace locus {

struct Finding {
  std::string lead;  // "On the longest inputs"
  std::string text;  // one or two sentences; schemes stand between backquotes
};

std::vector<Finding> findings(const ModelRows& view);

}  // namespace locus
