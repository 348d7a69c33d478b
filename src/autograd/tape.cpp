#include "autograd/tape.h"

#include <algorithm>

#include "base/error.h"

namespace locus {

namespace {
std::vector<const Op*>& op_list() {
  static std::vector<const Op*> list;
  return list;
}
}  // namespace

Op::Op(const char* op_name) : name(op_name) { op_list().push_back(this); }
const std::vector<const Op*>& Op::all() { return op_list(); }

Tensor::Share Tensor::add_gradient() const {
  if (!node_->gradient) node_->gradient = node_->tape->arena().allocate<Real>(count());
  const bool accumulate = node_->has_gradient;
  node_->has_gradient = true;
  return {node_->gradient, accumulate};
}

void Tensor::take_gradient(Tensor result) const {
  if (!node_->has_gradient) {
    node_->gradient = result.node_->gradient;
    node_->has_gradient = true;
    return;
  }
  Real* __restrict to = node_->gradient;
  const Real* __restrict from = result.node_->gradient;
  for (std::size_t i = 0; i < count(); ++i) to[i] += from[i];
}

Tensor Tape::empty(Shape shape, bool needs_gradient) {
  Real* value = arena_.allocate<Real>(shape.count());
  return Tensor(new (arena_.allocate<Tensor::Node>(1))
                    Tensor::Node{this, shape, value, nullptr, needs_gradient && records(), false});
}

Tensor Tape::constant(Shape shape, const Real* values) {
  const Tensor tensor = empty(shape, false);
  std::copy_n(values, shape.count(), tensor.value());
  return tensor;
}

Tensor Tape::parameter(const Parameter& parameter) {
  auto* value = const_cast<Real*>(parameters_ + parameter.offset);  // no op writes to its inputs
  Real* gradient = records() ? gradients_ + parameter.offset : nullptr;
  return Tensor(new (arena_.allocate<Tensor::Node>(1))
                    Tensor::Node{this, parameter.shape, value, gradient, records(), records()});
}

void Tape::backward(Tensor loss) {
  if (loss.count() != 1)
    fail("backward", text("the loss has shape ", loss.shape(), ", but must be one number"),
         "reduce it first, or pass a cotangent of the same shape");
  const Real one = 1;
  backward(loss, &one);
}

void Tape::backward(Tensor result, const Real* cotangent) {
  if (!records()) fail("backward", "this tape only evaluates", "give the tape a gradient vector");
  if (!result.needs_gradient()) fail("backward", "the result depends on no parameter");
  const auto [gradient, accumulate] = result.add_gradient();
  for (std::size_t i = 0; i < result.count(); ++i) gradient[i] = (accumulate ? gradient[i] : 0) + cotangent[i];
  for (auto note = notes_.rbegin(); note != notes_.rend(); ++note)
    if (note->result.has_gradient()) note->call(note->backward);  // else nothing depends on it
}

const Real* Tape::remembered(const void* owner, std::span<const double> key, std::size_t count) const {
  for (const Memory& memory : memories_)
    if (memory.owner == owner && memory.table.size() == count && std::ranges::equal(memory.key, key))
      return memory.table.data();
  return nullptr;
}

Real* Tape::new_memory(const void* owner, std::span<const double> key, std::size_t count) {
  if (memories_.size() == memories) memories_.pop_front();
  return memories_.emplace_back(Memory{owner, {key.begin(), key.end()}, std::vector<Real>(count)}).table.data();
}

void Tape::reset() {
  notes_.clear();
  arena_.reset();
}

void Tape::reset(Real* gradients) {
  reset();
  gradients_ = gradients;
}

std::vector<const Op*> Tape::ops() const {
  std::vector<const Op*> ops;
  for (const Note& note : notes_) ops.push_back(note.op);
  return ops;
}

}  // namespace locus
