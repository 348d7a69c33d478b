// The tape: which tensor was computed by which op, in order of evaluation. This file and tape.cpp are the
// whole engine that computes gradients; the ops are in ops.h.
//
//   Tape tape(parameters, gradients);
//   Tensor loss = cross_entropy(matmul(x, w), targets, n);  // each op computes its value, records its backward
//   tape.backward(loss);                                    // runs the recorded backwards, the last one first
//   tape.reset();                                           // forgets the tensors, keeps the memory
//
// Why in reverse order? An op's backward reads the gradient of the op's result, so every op that used the
// result must have added its contribution before. An op is recorded when it runs, after its inputs exist: in
// reverse order all users of a tensor come before the op that made it, and nothing has to be sorted.
//
// Who sets gradients to zero? The tape, the first time a gradient is asked for; of parameters the caller,
// whose memory it is. Every backward then adds (+=), because a tensor that is used twice gets two
// contributions. One way to be faster is allowed: the first contribution may be assigned, by an op that
// writes all elements of it (Tensor::contribution).
//
// How long does a gradient live? Until the backward of the op that made the tensor has run: no op reads it
// after that, and its memory, still in the cache, serves the next gradient of that size; asking for it is an
// error. The gradients of parameters remain.
//
// Left out: gradients of gradients, views, tensors that outlive a reset. Chapter 2 of the lessons is about this
// file.
#pragma once

#include <concepts>
#include <cstddef>
#include <initializer_list>
#include <new>
#include <span>
#include <type_traits>
#include <vector>

#include "autograd/op.h"
#include "base/real.h"
#include "tensor/arena.h"
#include "tensor/shape.h"

namespace locus {

class Tape;

// Which keys a query sees: all of them, or in row i the keys 0 .. i only.
enum class Mask { none, causal };

// A slice of a model's flat parameter vector.
struct Parameter {
  Shape shape;
  std::size_t offset = 0;
};

// A value on a tape: a small handle that is cheap to copy, valid until its tape is reset. A default one has
// no tape: its shape is () and an op that gets it throws Error.
class Tensor {
 public:
  Tensor() = default;

  const Shape& shape() const { return node_->shape; }
  std::size_t count() const { return node_->shape.count(); }  // elements
  Tape& tape() const;

  Real* value() const { return node_->value; }  // count() elements, row after row
  // d loss / d value, count() elements: zeros when first asked for; backward functions add to them.
  Real* gradient() const;

  // The same for a backward that writes all elements at once. `accumulate` tells whether it must add to what
  // is there; if not, it must assign every element, which saves setting zeros and reading them. Matrix
  // products, functions of one tensor and the copies of heads do so; elsewhere it gains nothing.
  struct Contribution {
    Real* gradient;
    bool accumulate;
  };
  Contribution contribution() const;

  bool needs_gradient() const { return node_->needs_gradient; }  // it depends on a parameter

 private:
  friend class Tape;
  struct Node {
    Tape* tape;
    Shape shape;
    Real* value;
    Real* gradient;
    bool needs_gradient;
    bool consumed = false;  // the backward of the op that made it has run
  };
  explicit Tensor(Node* node) : node_(node) {}
  static Node nothing;  // of a default Tensor
  Node* node_ = &nothing;
};

// The memory of gradients that no backward reads any more: the next gradient of the same size gets it.
class GradientPool {
 public:
  Real* take(std::size_t count, Arena& arena);  // count elements, of a released gradient or else of the arena
  void release(std::span<Real> gradient) { free_.push_back(gradient); }
  void forget() { free_.clear(); }

 private:
  std::vector<std::span<Real>> free_;
};

class Tape {
 public:
  // A tape for training: reads `parameters` and adds to `gradients`, two vectors, each as long as the model's
  // parameter vector.
  Tape(const Real* parameters, Real* gradients) : parameters_(parameters), gradients_(gradients) {}
  // A tape that evaluates only: it records nothing until reset(gradients) makes it one for training.
  explicit Tape(const Real* parameters = nullptr) : parameters_(parameters) {}

  bool is_recording() const { return gradients_ != nullptr; }

  Tensor parameter(const Parameter&);
  Tensor constant(Shape, const Real* values);  // the values are copied

  // The result of an op, not yet initialised. It needs a gradient if one of the op's inputs does.
  Tensor result(Shape, std::span<const Tensor> inputs);
  Tensor result(Shape shape, std::initializer_list<Tensor> inputs) {
    return result(shape, std::span(inputs.begin(), inputs.size()));
  }

  // Records an op. `backward` runs when the gradient of `result` is complete, and adds the op's
  // contributions to the gradients of its inputs. It is copied into the arena: it may capture tensors and
  // numbers by value, and nothing that has a destructor; an input that needs no gradient gets none.
  // `operations` is the number of floating-point operations of a matrix product, forward only, for the
  // profile (op.h).
  template <std::invocable Backward>
  void record(const Op& op, Tensor result, Backward backward, double operations = 0) {
    static_assert(std::is_trivially_destructible_v<Backward>);
    if (profile_) profile_->forward(op, operations);
    if (!is_recording() || !result.needs_gradient()) return;
    void* copy = new (arena_.allocate<Backward>(1)) Backward(backward);
    records_.push_back({&op, result, [](void* b) { (*static_cast<Backward*>(b))(); }, copy});
  }

  // Adds the gradients of `loss`, a single number, to those of the parameters. Once for each reset().
  void backward(Tensor loss);
  // The same from a tensor of any shape, when its own gradient is given (the "cotangent").
  void backward(Tensor result, const Real* cotangent);

  void reset();  // forgets all tensors and records; keeps the memory
  void reset(
      Real* gradients);  // the same; from now on it records, and adds to these gradients of the parameters

  Arena& arena() { return arena_; }                       // memory for an op's own needs, until reset()
  std::vector<const Op*> ops() const;                     // of the records, in order
  void profile(Profile* profile) { profile_ = profile; }  // to be filled from now on; nullptr: none

 private:
  friend class Tensor;
  struct Record {
    const Op* op;
    Tensor result;
    void (*call)(void*);
    void* backward;
  };
  Tensor node(Shape, Real* value, Real* gradient, bool needs_gradient);
  void release(const Record& record);  // its backward has run

  const Real* parameters_;
  Real* gradients_ = nullptr;
  Profile* profile_ = nullptr;
  Arena arena_;
  std::vector<Record> records_;
  GradientPool gradient_pool_;
};

}  // namespace locus
