#include "autograd/tape.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "tensor/heads.h"

namespace locus {

// Heads move when they are first read in the order of their shape, once. (What a part of the gradient
// collected as they lay moves with them.)
void Tensor::put_in_order() const {
  auto moved = [&](const Real* from) {
    Real* to = node_->tape->arena().allocate<Real>(count());
    order_by_head(shape(), from, to, false);
    return to;
  };
  node_->value = moved(node_->value);
  if (node_->gradient) node_->gradient = moved(node_->gradient);
  node_->by_token = false;
}

Tensor::Share Tensor::add_gradient(Order order) const {
  node(order);  // which puts heads in order, if they are asked for so
  if (!node_->gradient) node_->gradient = node_->tape->gradient_memory(count());
  const bool accumulate = node_->has_gradient;
  node_->has_gradient = true;
  return {node_->gradient, accumulate};
}

void Tensor::take_gradient(Tensor result, Order order) const {
  node(order);  // which puts heads in order, if they are asked for so
  if (!node_->has_gradient) {
    node_->gradient = std::exchange(result.node_->gradient, nullptr);
    node_->has_gradient = true;
    return;
  }
  Real* __restrict to = node_->gradient;
  const Real* __restrict from = result.node_->gradient;
  const std::size_t size = count();
  for (std::size_t i = 0; i < size; ++i) to[i] += from[i];
}

Tensor Tape::node(Shape shape, Real* value, Real* gradient, bool needs_gradient, bool has_gradient,
                  bool by_token) {
  return Tensor(new (arena_.allocate<Tensor::Node>(1))
                    Tensor::Node{this, shape, value, gradient, needs_gradient, has_gradient, by_token});
}

Tensor Tape::result(Shape shape, std::span<const Tensor> inputs, bool by_token) {
  const bool needs_gradient = std::ranges::any_of(inputs, &Tensor::needs_gradient);
  if (profile_) {
    double numbers = static_cast<double>(shape.count());
    for (const Tensor& input : inputs) numbers += static_cast<double>(input.count());
    profile_->moved(numbers * sizeof(Real));
  }
  return node(shape, arena_.allocate<Real>(shape.count()), nullptr, needs_gradient, false, by_token);
}

Tensor Tape::view(Tensor x, Shape shape, bool by_token) {
  return node(shape, x.value(Order::as_it_lies), nullptr, x.needs_gradient(), false, by_token);
}

Tensor Tape::constant(Shape shape, const Real* values) {
  Real* copy = arena_.allocate<Real>(shape.count());
  std::copy_n(values, shape.count(), copy);
  return node(shape, copy, nullptr, false, false);
}

Tensor Tape::parameter(const Parameter& parameter) {
  auto* value = const_cast<Real*>(parameters_ + parameter.offset);  // no op writes to its inputs
  return node(parameter.shape, value, records() ? gradients_ + parameter.offset : nullptr, records(),
              records());
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
  for (std::size_t i = 0; i < result.count(); ++i)
    gradient[i] = (accumulate ? gradient[i] : 0) + cotangent[i];
  for (auto note = notes_.rbegin(); note != notes_.rend(); ++note)
    if (note->result.has_gradient()) {  // else nothing depends on it
      note->call(note->backward);
      if (note->result.node_->gradient)
        spent_.push_back({note->result.node_->gradient, note->result.count()});
      if (profile_) profile_->backward(*note->op);
    }
}

Real* Tape::gradient_memory(std::size_t count) {
  const auto spent = std::find_if(spent_.rbegin(), spent_.rend(),
                                  [count](std::span<Real> memory) { return memory.size() == count; });
  if (spent == spent_.rend()) return arena_.allocate<Real>(count);
  Real* memory = spent->data();
  spent_.erase(std::next(spent).base());
  return memory;
}

const std::any* Tape::remembered(const void* owner, std::span<const double> key, std::size_t count) const {
  for (const Memory& memory : memories_)
    if (memory.owner == owner && memory.count == count && std::ranges::equal(memory.key, key))
      return &memory.value;
  return nullptr;
}

const std::any* Tape::new_memory(const void* owner, std::span<const double> key, std::size_t count,
                                 std::any value) {
  if (memories_.size() == memories) memories_.pop_front();
  return &memories_.emplace_back(Memory{owner, {key.begin(), key.end()}, count, std::move(value)}).value;
}

void Tape::reset() {
  notes_.clear();
  spent_.clear();
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
