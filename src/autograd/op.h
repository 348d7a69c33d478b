#pragma once

#include <vector>

namespace locus {

// A kind of op, one static object beside each op's code. The list of all of them lets the tests prove that
// every op has a gradient check.
struct Op {
  explicit Op(const char* op_name);
  const char* name;
  static const std::vector<const Op*>& all();
};

}  // namespace locus
