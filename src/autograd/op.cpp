#include "autograd/op.h"

namespace locus {

namespace {
std::vector<const Op*>& op_list() {
  static std::vector<const Op*> list;
  return list;
}
}  // namespace

Op::Op(const char* op_name) : name(op_name) { op_list().push_back(this); }
const std::vector<const Op*>& Op::all() { return op_list(); }

}  // namespace locus
