#include "autograd/tape.h"

#include <algorithm>

#include "base/error.h"

namespace locus {

Real* Tensor::gradient() const {
  if (!node_->gradient) std::fill_n(new_gradient(), count(), Real{0});
  return node_->gradient;
}

Real* Tensor::new_gradient() const { return node_->gradient = node_->tape->gradient_memory(count()); }

Tensor Tape::parameter(const Parameter& parameter) {
  auto* value = const_cast<Real*>(parameters_ + parameter.offset);  // no op writes to its inputs
  return node(parameter.shape, value, records() ? gradients_ + parameter.offset : nullptr, records());
}

Tensor Tape::constant(Shape shape, const Real* values) {
  Real* copy = arena_.allocate<Real>(shape.count());
  std::copy_n(values, shape.count(), copy);
  return node(shape, copy, nullptr, false);
}

Tensor Tape::result(Shape shape, std::span<const Tensor> inputs) {
  if (profile_) {
    std::size_t elements = shape.count();
    for (const Tensor& input : inputs) elements += input.count();
    profile_->moved(static_cast<double>(elements * sizeof(Real)));
  }
  const bool needs_gradient = std::ranges::any_of(inputs, &Tensor::needs_gradient);
  return node(shape, arena_.allocate<Real>(shape.count()), nullptr, needs_gradient);
}

Tensor Tape::node(Shape shape, Real* value, Real* gradient, bool needs_gradient) {
  void* memory = arena_.allocate<Tensor::Node>(1);
  return Tensor(new (memory) Tensor::Node{this, shape, value, gradient, needs_gradient});
}

Real* Tape::gradient_memory(std::size_t count) {
  const auto same_size = [count](std::span<Real> memory) { return memory.size() == count; };
  const auto used = std::find_if(used_.rbegin(), used_.rend(), same_size);
  if (used == used_.rend()) return arena_.allocate<Real>(count);
  Real* memory = used->data();
  used_.erase(std::next(used).base());
  return memory;
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
  for (std::size_t i = 0; i < result.count(); ++i) result.gradient()[i] += cotangent[i];
  for (auto record = records_.rbegin(); record != records_.rend(); ++record) {
    if (!record->result.has_gradient()) continue;  // the loss does not depend on this result
    record->call(record->backward);
    Real*& complete = record->result.node_->gradient;
    used_.push_back({complete, record->result.count()});
    complete = nullptr;
    if (profile_) profile_->backward(*record->op);
  }
}

void Tape::reset() {
  records_.clear();
  used_.clear();
  arena_.reset();
}

void Tape::reset(Real* gradients) {
  reset();
  gradients_ = gradients;
}

std::vector<const Op*> Tape::ops() const {
  std::vector<const Op*> ops;
  for (const Record& record : records_) ops.push_back(record.op);
  return ops;
}

}  // namespace locus
