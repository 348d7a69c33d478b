#include "autograd/tape.h"

#include <algorithm>

#include "base/error.h"

namespace locus {

Tensor::Node Tensor::nothing{nullptr, {}, nullptr, nullptr, false};

Tape& Tensor::tape() const {
  if (!node_->tape)
    fail("tensor", "a tensor is used that was never given a value",
         "is a variable of the same name declared again, further in?");
  return *node_->tape;
}

Real* Tensor::gradient() const {
  const auto [gradient, accumulate] = contribution();
  if (!accumulate) std::fill_n(gradient, count(), Real{0});
  return gradient;
}

Tensor::Contribution Tensor::contribution() const {
  if (node_->consumed)
    fail("gradient", str("that of a tensor ", shape(), " is gone: backward has passed it"),
         "read the gradients of parameters, or look at this one from a backward function");
  const bool first = !node_->gradient;
  if (first) node_->gradient = tape().gradient_pool_.take(count(), tape().arena_);
  return {node_->gradient, !first};
}

Tensor Tape::parameter(const Parameter& parameter) {
  auto* value = const_cast<Real*>(parameters_ + parameter.offset);  // no op writes to its inputs
  return node(parameter.shape, value, is_recording() ? gradients_ + parameter.offset : nullptr,
              is_recording());
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
  for (const Tensor& input : inputs)
    if (&input.tape() != this)
      fail("tape", "the operands of an op are on different tapes", "use one tape for both");
  const bool needs_gradient = std::ranges::any_of(inputs, &Tensor::needs_gradient);
  return node(shape, arena_.allocate<Real>(shape.count()), nullptr, needs_gradient);
}

Tensor Tape::node(Shape shape, Real* value, Real* gradient, bool needs_gradient) {
  void* memory = arena_.allocate<Tensor::Node>(1);
  return Tensor(new (memory) Tensor::Node{this, shape, value, gradient, needs_gradient});
}

Real* GradientPool::take(std::size_t count, Arena& arena) {
  const auto same_size = [count](std::span<Real> memory) { return memory.size() == count; };
  const auto found =
      std::find_if(free_.rbegin(), free_.rend(), same_size);  // the one released last is in the cache
  if (found == free_.rend()) return arena.allocate<Real>(count);
  Real* memory = found->data();
  free_.erase(std::next(found).base());  // the same element, as a forward iterator
  return memory;
}

// After the backward of its op nothing reads the gradient of a result.
void Tape::release(const Record& record) {
  Real*& gradient = record.result.node_->gradient;
  gradient_pool_.release({gradient, record.result.count()});
  gradient = nullptr;
  record.result.node_->consumed = true;
  if (profile_) profile_->backward(*record.op);
}

void Tape::backward(Tensor loss) {
  if (loss.count() != 1)
    fail("backward", str("the loss has shape ", loss.shape(), ", but must be one number"),
         "reduce it first, or pass a cotangent of the same shape");
  const Real one = 1;
  backward(loss, &one);
}

void Tape::backward(Tensor result, const Real* cotangent) {
  if (!is_recording()) fail("backward", "this tape only evaluates", "give the tape a gradient vector");
  if (!result.needs_gradient()) fail("backward", "the result depends on no parameter");
  // exercise 2.6: add the cotangent to the gradient of `result`, then run the backwards in the right order.
  // A Record holds its backward as a function, `call`, and the argument of `call`, `backward`. Leave out an op on
  // which `result` does not depend (the node_->gradient of its own result is null): 0 times infinity is NaN.
  for (std::size_t i = 0; i < result.count(); ++i) result.gradient()[i] += cotangent[i];
  for (auto record = records_.rbegin(); record != records_.rend(); ++record) {
    if (!record->result.node_->gradient) continue;
    record->call(record->backward);
    release(*record);
  }
  // end
}

void Tape::reset() {
  records_.clear();
  gradient_pool_.forget();
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
