#include "autograd/op.h"

namespace locus {

namespace {
std::vector<const Op*>& op_list() {
  static std::vector<const Op*> list;  // made at first use: ops are listed before main, in any order
  return list;
}
}  // namespace

Op::Op(const char* op_name) : name(op_name) { op_list().push_back(this); }
const std::vector<const Op*>& Op::all() { return op_list(); }

double Profile::lap() {
  const double before = last_;
  last_ = clock_seconds();
  return last_ - before;
}

void Profile::forward(const Op& op, double operations) {
  Line& line = lines_[&op];
  ++line.calls;
  line.forward += lap();
  line.operations += 3 * operations;  // each of the two gradients is a product of the same size
  line.bytes += bytes_;
  bytes_ = 0;
}

void Profile::backward(const Op& op) { lines_[&op].backward += lap(); }

}  // namespace locus
