// A positional scheme, and the six hooks by which it can enter a transformer:
//
//   positions -> [positions] -> to the hooks below
//
//   tokens -> x -> [embedding] -> x -> q, k -> [query_and_key] -> scores -> [scores] -> softmax or [weights]
//                                 |                                                          |
//                                 '--> v ----------------------------------------> weights v -> [mixed] -> output
//
//   positions       where the tokens are: drawn at random (randomized), or changed
//   embedding       the token embeddings x: codes added or appended (sinusoidal, learned, index ...)
//   query_and_key   queries and keys: turned (rope, xpos, pope, grape-m)
//   scores          q . k / sqrt(d): a bias added (alibi, t5, shaw ...)
//   weights         what takes the place of the softmax (stick-breaking)
//   mixed           the weighted sum of the values: vectors added (shaw)
//
// A scheme overrides the hooks that it needs; a hook that it leaves alone changes nothing. One scheme is one
// file in this folder, in a namespace of its own, with a static RegisterScheme at its end
// (support/registry.h); to add a scheme, nothing else has to be edited. Letters: B batch, T length, D width,
// H heads, d head width.
#pragma once

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "autograd/tape.h"
#include "base/random.h"
#include "base/size.h"

namespace locus {

inline constexpr int no_limit = std::numeric_limits<int>::max();

// What a scheme is told about the model that it serves.
struct SchemeContext {
  int d_model, heads;
  bool causal;  // a decoder: the query in row i sees the keys in rows 0 .. i only
  int layers = 1;
  std::span<const int> digits{};  // the tokens that are digits of numbers; empty: every token is one
  int capacity = no_limit;  // of the other parts of the spec; only a part that chooses positions is told
  int d_head() const { return d_model / heads; }
};

// The position of each token: one row of T positions shared by all examples, or B rows of them. Usually 0, 1,
// 2 ...; a test may shift them, a scheme may draw them at random or make fractions of them. Schemes that look
// rows up in a table refuse what is not a whole number within their capacity.
struct Positions {
  int rows, length;
  const double* data;
  Shape shape() const { return rows == 1 ? Shape{length} : Shape{rows, length}; }
  double operator()(int row, int t) const { return data[std::ptrdiff_t{row} * length + t]; }
  std::span<const double> all() const { return {data, as_size(rows) * as_size(length)}; }
};

// What a model is given: token ids of one length, example after example, and their positions.
struct Inputs {
  std::span<const int> tokens;  // B * T of them
  int length;                   // T
  Positions positions;
  Random random{0, Purpose::positions};  // for schemes that draw positions; a new stream each training step
  std::vector<Tensor>* attention = nullptr;  // if given, every layer appends its weights (B,H,T,T)
  // If given, a transformer appends x (B,T,D): of the embedding, then of each layer after attention and after
  // feed-forward.
  std::vector<Tensor>* hidden = nullptr;
};

// What the hooks inside attention can look at.
struct AttentionInputs {
  Tensor x;     // (B,T,D), the input of the attention layer
  Tensor q, k;  // (B,H,T,d), before the query_and_key hook: a term that depends on the distance alone, as in
                // shaw, must not be computed from queries that rope has turned by their absolute position
  const Positions& positions;
  int layer;
  int d_head() const { return q.shape().last(); }
};

// What a scheme can promise about every model that is built with it. This is the only list of the claims:
// member, name, whether it holds when nothing is said, whether ALL parts of a composed scheme must keep it or
// ANY one is enough, and the promise. tests/positional/claims_test.cpp tries to refute each.
#define LOCUS_CLAIMS(CLAIM)                                                                    \
  CLAIM(order_blind, "order-blind", false, ALL,                                                \
        "an encoder is permutation-equivariant: moving tokens moves outputs, no more")         \
  CLAIM(mirror_blind, "mirror-blind", false, ALL,                                              \
        "reversing an input reverses what an encoder computes, no more")                       \
  CLAIM(direction_aware, "direction-aware", false, ANY,                                        \
        "mirroring the positions changes what a model computes")                               \
  CLAIM(shift_invariant, "shift-invariant", false, ALL,                                        \
        "adding one number to all positions changes nothing")                                  \
  CLAIM(bounded, "bounded", false, ALL,                                                        \
        "numbers made from positions alone stay within a fixed range at any position")         \
  CLAIM(unique, "unique", false, ANY, "no two positions in range share a code")                \
  CLAIM(extrapolates, "extrapolates", false, ALL, "defined at any position, trained or not")   \
  CLAIM(norm_preserving, "norm-preserving", false, ANY, "queries and keys keep their lengths") \
  CLAIM(linear_shift, "linear shift", false, ANY,                                              \
        "for each k one matrix maps the code of p to that of p + k, for all p")                \
  CLAIM(deterministic, "deterministic", true, ALL, "nothing is drawn at random")               \
  CLAIM(causal_prefix, "causal prefix", true, ALL,                                             \
        "in a decoder, the numbers at a token depend on it and those before, not on the length")

struct Claims {
#define LOCUS_MEMBER(member, name, unsaid, parts, promise) bool member = unsaid;
  LOCUS_CLAIMS(LOCUS_MEMBER)
#undef LOCUS_MEMBER
  std::size_t parameters = 0;  // the scheme adds exactly so many
};

struct ClaimInfo {
  const char* name;
  const char* promise;
  bool Claims::*holds;
  enum Parts { ALL, ANY } parts;
};
#define LOCUS_INFO(member, name, unsaid, parts, promise) {name, promise, &Claims::member, ClaimInfo::parts},
inline constexpr ClaimInfo all_claims[] = {LOCUS_CLAIMS(LOCUS_INFO)};
#undef LOCUS_INFO

// For a rotary scheme: for each pair of channels theta, the angle in radians from one position to the next;
// papers and libraries call it the inverse frequency. `scale` multiplies all cosines and sines.
struct Frequencies {
  std::vector<double> inverse_frequency;
  double scale = 1;
};

class Scheme {
 public:
  virtual ~Scheme() = default;

  // --- the six hooks ---
  // The positions that the other hooks see. A scheme that draws them differently in training and in tests asks
  // tape.is_recording(): a model is trained on a tape that records, and tested on one that does not.
  virtual Positions positions(Tape&, const Inputs& inputs) const { return inputs.positions; }
  // Whether a place depends on which tokens of the whole input are digits (support/digit_places.h).
  virtual bool counts_digits() const { return false; }
  // x (B,T,D) -> same
  virtual Tensor embedding(Tensor x, const Inputs&) const { return x; }
  // Replaces q and k (B,H,T,d) by other tensors; the tensors themselves are not changed. Both may get another width
  // than d; their product is divided by sqrt(d) all the same.
  virtual void query_and_key(Tensor& /*q*/, Tensor& /*k*/, const AttentionInputs&) const {}
  // (B,H,T,T) -> same
  virtual Tensor scores(Tensor scores, const AttentionInputs&) const { return scores; }
  // Instead of the softmax: scores (B,H,T,T) -> weights of the same shape.
  virtual std::optional<Tensor> weights(Tensor /*scores*/, Mask) const { return {}; }
  virtual bool replaces_softmax() const { return false; }  // whether the hook above gives weights
  // mixed (B,H,T,d), the weights (B,H,T,T) times the values -> same
  virtual Tensor mixed(Tensor mixed, Tensor /*weights*/, const AttentionInputs&) const { return mixed; }

  virtual Claims claims() const = 0;
  virtual int capacity() const { return no_limit; }  // positions must be in 0 .. capacity-1

  // --- what it computes from positions alone, in double: read by the hooks above, `locus inspect` and tests ---
  // `parameters` is the whole parameter vector of the model; schemes whose codes are not learned ignore it.
  virtual std::vector<double> code(double /*position*/, int /*length*/, const Real* /*parameters*/) const {
    return {};
  }
  virtual Frequencies frequencies(int /*length*/) const { return {}; }
  virtual std::optional<double> bias(int /*head*/, double /*query*/, double /*key*/) const { return {}; }
  virtual std::optional<int> bucket(int /*relative: key - query*/) const { return {}; }
};

}  // namespace locus
