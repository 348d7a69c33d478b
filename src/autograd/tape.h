// The tape: who made which tensor from what, in order of evaluation. This file and tape.cpp are the whole
// engine.
//
//   Tape tape(parameters, gradients);
//   Tensor y = gelu(matmul(x, w));     // each op computes its value and leaves a note of how to go back
//   tape.backward(y_summed_to_a_loss); // walks the notes in reverse
//   tape.reset();                      // forgets the step, keeps the memory
//
// Why the walk must be in order: an op may pass its gradient back only when everything that used its result
// has already added to it. Ops are noted when they run, after their inputs exist, so reverse order always has
// that property, with no sorting. Who zeroes gradients: nobody; the first op to add to a gradient writes it
// instead. (Parameters are the exception: their gradients live outside the tape, in one flat vector, and are
// always added to.) How long a gradient lives: until its note has gone back; then its memory, still warm in
// the cache, serves the next gradient of that size.
//
// Left out: gradients of gradients, tensors that outlive a step, views of anything but heads. Lesson 2 tells
// the story.
#pragma once

#include <any>
#include <concepts>
#include <cstddef>
#include <deque>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "autograd/profile.h"
#include "base/real.h"
#include "tensor/arena.h"
#include "tensor/shape.h"

namespace locus {

class Tape;

// How to look at a tensor. Attention heads, (B,H,T,d), are cut out of (B,T,D) without moving anything: until
// somebody reads them in the order of their shape they lie by token (tensor/heads.h). The few ops that can
// read them so ask for them as they lie; then by_token() says how that is.
enum class Order { of_shape, as_it_lies };

// A slice of a model's flat parameter vector.
struct Parameter {
  Shape shape;
  std::size_t offset = 0;
};

// A value on a tape: a small handle, cheap to copy, valid until its tape is reset.
class Tensor {
 public:
  Tensor() = default;

  const Shape& shape() const { return node_->shape; }
  Real* value(Order order = Order::of_shape) const { return node(order).value; }
  std::size_t count() const { return node_->shape.count(); }
  Tape& tape() const { return *node_->tape; }

  bool needs_gradient() const { return node_->needs_gradient; }
  bool has_gradient() const { return node_->has_gradient; }
  // Complete once every user of this tensor went back.
  const Real* gradient(Order order = Order::of_shape) const { return node(order).gradient; }
  bool by_token() const { return node_->by_token; }

  // Where an op's backward adds its share: data[i] += ..., or data[i] = ... while nothing has been added.
  struct Share {
    Real* data;
    bool accumulate;
  };
  Share add_gradient(Order order = Order::of_shape) const;

  // Adds all of `result`'s gradient to this one's, for ops that pass it through unchanged. If this is the
  // first share, the memory changes hands and nothing is copied: call it last, as nobody may read
  // result.gradient() afterwards. (Nor that of any result whose note has gone back.) The result's gradient is
  // taken as it lies.
  void take_gradient(Tensor result, Order order = Order::of_shape) const;

 private:
  friend class Tape;
  struct Node {
    Tape* tape;
    Shape shape;
    Real* value;
    Real* gradient;
    bool needs_gradient;
    bool has_gradient;
    bool by_token = false;
  };
  explicit Tensor(Node* node) : node_(node) {}
  const Node& node(Order order) const {
    if (order == Order::of_shape && node_->by_token) put_in_order();
    return *node_;
  }
  void put_in_order() const;
  Node* node_ = nullptr;
};

class Tape {
 public:
  // A tape for training: reads `parameters`, adds to `gradients` (both as long as the model's parameter
  // vector).
  Tape(const Real* parameters, Real* gradients) : parameters_(parameters), gradients_(gradients) {}
  // A tape that only evaluates: no notes, no gradients.
  explicit Tape(const Real* parameters = nullptr) : parameters_(parameters) {}

  bool records() const { return gradients_ != nullptr; }

  Tensor parameter(const Parameter&);
  Tensor constant(Shape, const Real* values);  // the values are copied
  // Uninitialised: the result of an op, to be filled by it. It needs a gradient if one of the op's inputs
  // does.
  Tensor result(Shape shape, std::initializer_list<Tensor> inputs, bool by_token = false) {
    return result(shape, std::span(inputs.begin(), inputs.size()), by_token);
  }
  Tensor result(Shape, std::span<const Tensor> inputs, bool by_token = false);
  // The numbers of x, as they lie, in another shape: nothing is copied.
  Tensor view(Tensor x, Shape, bool by_token);

  // Notes how to go back from `result`. `backward` runs at most once, when the result's gradient is complete;
  // it is copied onto the tape, so it captures tensors and numbers by value and owns nothing. `operations`
  // counts the floating-point operations of a matrix product, for the profile.
  template <std::invocable Backward>
  void record(const Op& op, Tensor result, Backward backward, double operations = 0) {
    static_assert(std::is_trivially_destructible_v<Backward>);
    if (profile_) profile_->forward(op, operations);
    if (!records() || !result.needs_gradient()) return;
    void* memory = arena_.allocate<Backward>(1);
    notes_.push_back(
        {&op, result, [](void* b) { (*static_cast<Backward*>(b))(); }, new (memory) Backward(backward)});
  }

  // Gradients of `loss` (one number) with respect to everything that led to it.
  void backward(Tensor loss);
  // The same, from a tensor of any shape and a given gradient of it (the "cotangent").
  void backward(Tensor result, const Real* cotangent);

  // Something worked out from `key` and `count` alone, kept across reset(): `make()` runs only when this
  // owner has nothing for them yet. For what a scheme works out from the positions, which hardly ever change.
  // One owner keeps things of one type.
  template <std::invocable Make>
  const auto& remember(const void* owner, std::span<const double> key, std::size_t count, Make make) {
    const std::any* known = remembered(owner, key, count);
    return *std::any_cast<std::invoke_result_t<Make>>(known ? known : new_memory(owner, key, count, make()));
  }
  // The same for a table of `count` numbers, made by `fill(Real*)`.
  template <std::invocable<Real*> Fill>
  const Real* remember(const void* owner, std::span<const double> key, std::size_t count, Fill fill) {
    const auto make = [&] {
      Reals table(count);
      fill(table.data());
      return table;
    };
    return remember(owner, key, count, make).data();
  }

  void reset();                 // forgets all tensors and notes; keeps the memory
  void reset(Real* gradients);  // the same, and from now on adds to these gradients of the parameters
  Arena& arena() { return arena_; }
  std::vector<const Op*> ops() const;  // of the notes, in order

  void profile(Profile* profile) { profile_ = profile; }  // from now on fills this; nullptr: nothing

 private:
  struct Note {
    const Op* op;
    Tensor result;
    void (*call)(void*);
    void* backward;
  };

  struct Memory {
    const void* owner;
    std::vector<double> key;
    std::size_t count;
    std::any value;
  };
  static constexpr std::size_t memories = 64;  // of past keys; the oldest is replaced first
  const std::any* remembered(const void* owner, std::span<const double> key, std::size_t count) const;
  const std::any* new_memory(const void* owner, std::span<const double> key, std::size_t count, std::any);

  friend class Tensor;
  Real* gradient_memory(std::size_t count);

  Tensor node(Shape, Real* value, Real* gradient, bool needs_gradient, bool has_gradient,
              bool by_token = false);

  const Real* parameters_;
  Real* gradients_ = nullptr;
  Profile* profile_ = nullptr;
  Arena arena_;
  std::vector<Note> notes_;
  std::vector<std::span<Real>> spent_;  // gradients nobody needs any more
  std::deque<Memory> memories_;
};

}  // namespace locus
