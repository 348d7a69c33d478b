// A positional scheme, and the four places where it can enter a transformer:
//
//   positions ----> [positions] ----.
//   tokens -> x --> [embedding] --> x --> q, k, v --> [query and key] --> scores --> [scores] --> softmax
//
// The few schemes that go further than the scores can also replace the softmax (weights) or add to what the
// weights pick out of the values (mixed).
//
// A scheme overrides the hooks it needs; a hook left alone changes nothing. One scheme is one file in this
// folder, in a namespace of its own, with a static RegisterScheme at its end (support/registry.h); nothing
// else has to be edited to add one. Letters: B batch, T length, D width, H heads, d head width.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/random.h"

namespace locus {

// What a scheme is told about the model it serves.
struct ModelShape {
  int d_model, heads;
  bool causal;  // a decoder: each query sees the keys up to its own place only
  int layers = 1;
  std::span<const int> digits{};  // the tokens that are digits of numbers; none named: all of them
  int capacity =
      std::numeric_limits<int>::max();  // positions that the other parts of the spec can tell apart
  int d_head() const { return d_model / heads; }
};

// Where each token stands: one row of T positions shared by all examples, or B rows of them. Usually 0, 1, 2
// ..., but any reals will do: a test may shift them, a scheme may draw them at random.
struct Positions {
  int rows, length;
  const double* data;
  Shape shape() const { return rows == 1 ? Shape{length} : Shape{rows, length}; }
  double operator()(int row, int t) const { return data[std::ptrdiff_t{row} * length + t]; }
  std::span<const double> all() const {
    return {data, static_cast<std::size_t>(rows) * static_cast<std::size_t>(length)};
  }
};

// What a model is given: token ids of one length, example after example, and where they stand.
struct Inputs {
  std::span<const int> tokens;  // B * T of them
  int length;                   // T
  Positions positions;
  Random random{0, Purpose::positions};  // for schemes that draw positions; a new stream each training step
  std::vector<Tensor>* attention = nullptr;  // if given, every layer leaves its weights there, (B,H,T,T)
};

// What the hooks inside attention can look at.
struct AttentionInputs {
  Tensor x;     // (B,T,D), what the attention layer read
  Tensor q, k;  // (B,H,T,d), from before the query and key hook: a query turned by its position would read
                // something else from a table of distances wherever it stands
  const Positions& positions;
  int layer;
};

// What a scheme promises about every model built with it. tests/positional/claims_test.cpp tries to refute
// each promise.
struct Claims {
  bool order_blind = false;  // an encoder is permutation-equivariant: moving tokens moves outputs, no more
  bool direction_aware = false;  // mirroring the positions changes what an encoder computes
  bool shift_invariant = false;  // adding one number to all positions changes nothing
  bool bounded = false;          // codes or biases stay within a fixed range at any position
  bool unique = false;           // no two positions in range share a code (embedding stage)
  bool extrapolates = false;     // defined at any position, trained or not
  bool norm_preserving = false;  // queries and keys keep their lengths (query and key stage)
  bool linear_shift = false;     // for each k one matrix maps the code of p to that of p + k, for all p
  bool deterministic = true;     // draws nothing at random
  std::size_t parameters = 0;    // it adds exactly so many
};

// The claims that hold or do not, for whatever goes through all of them.
struct ClaimName {
  const char* name;
  bool Claims::*holds;
  bool by_any_part;  // of a composed scheme: one part is enough; else all must
};
inline constexpr ClaimName claim_names[] = {{"order-blind", &Claims::order_blind, false},
                                            {"direction-aware", &Claims::direction_aware, true},
                                            {"shift-invariant", &Claims::shift_invariant, false},
                                            {"bounded", &Claims::bounded, false},
                                            {"unique", &Claims::unique, true},
                                            {"extrapolates", &Claims::extrapolates, false},
                                            {"norm-preserving", &Claims::norm_preserving, true},
                                            {"linear shift", &Claims::linear_shift, true},
                                            {"deterministic", &Claims::deterministic, false}};

// Angular speed of each pair of channels of a rotary scheme; `scale` multiplies all cosines and sines.
struct Frequencies {
  std::vector<double> inverse_frequency;
  double scale = 1;
};

class Scheme {
 public:
  virtual ~Scheme() = default;

  // --- the four hooks ---
  // Where the tokens are to stand. A tape that records belongs to training.
  virtual Positions positions(Tape&, const Inputs& inputs) const { return inputs.positions; }
  virtual Tensor embedding(Tensor x, const Inputs&) const { return x; }                  // x (B,T,D) -> same
  virtual void query_and_key(Tensor& /*q*/, Tensor& /*k*/, const Positions&) const {}    // (B,H,T,d) -> same
  virtual Tensor scores(Tensor scores, const AttentionInputs&) const { return scores; }  // (B,H,T,T) -> same
  // Instead of the softmax: scores (B,H,T,T) -> weights of the same shape.
  virtual std::optional<Tensor> weights(Tensor /*scores*/, Mask) const { return {}; }
  // After weights times values: mixed (B,H,T,d) -> same.
  virtual Tensor mixed(Tensor mixed, Tensor /*weights*/, const AttentionInputs&) const { return mixed; }

  virtual Claims claims() const = 0;
  virtual int capacity() const {
    return std::numeric_limits<int>::max();
  }  // positions must lie in 0 .. capacity-1

  // --- what it does, as plain numbers in double: for `locus inspect`, figures and tests ---
  virtual std::vector<double> code(double /*position*/, int /*length*/, const Real* /*parameters*/) const {
    return {};
  }
  virtual Frequencies frequencies(int /*length*/) const { return {}; }
  virtual std::optional<double> bias(int /*head*/, double /*query*/, double /*key*/) const { return {}; }
  virtual std::optional<int> bucket(int /*relative: key - query*/) const { return {}; }
};

}  // namespace locus
