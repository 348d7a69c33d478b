// For each claim a scheme can make, a function that tries to refute it on a random model, and returns a
// counterexample in words, or nothing. claims_test.cpp tries all claims of all schemes; `make try-scheme` those of one
// (lessons/tools/scheme/).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "base/random.h"
#include "model/transformer.h"

namespace locus {

using Counterexample = std::optional<std::string>;
using Values = Reals;
using Places = std::vector<double>;

// Tables of 64 rows: more than any code here has channels, and few enough to try all of them.
inline constexpr int vocabulary = 5, table_rows = 64;

Places count_from(double first, int length);  // first, first + 1, ...

// A model of random shape with random parameters, and tokens for it to read.
class Subject {
 public:
  Subject(const std::string& spec, ModelKind kind, std::uint64_t seed)
      : random_(seed, Purpose::testing),
        model_(random_settings(spec, kind), {.vocabulary = vocabulary}),
        parameters_(model_.parameters().sample(seed)) {
    const Values moves = random_values(parameters_.size(), seed, 0.3);
    for (std::size_t i = 0; i < moves.size(); ++i) parameters_[i] += moves[i];
    const int length = 4 + random_.below(6);
    for (int t = 0; t < length; ++t) tokens_.push_back(random_.below(vocabulary));
  }

  const Transformer& model() const { return model_; }
  const Scheme& scheme() const { return model_.scheme(); }
  const std::vector<int>& tokens() const { return tokens_; }
  int length() const { return static_cast<int>(tokens_.size()); }
  Values& parameters() { return parameters_; }
  const Values& parameters() const { return parameters_; }

  // One row of logits per token.
  Values logits(const std::vector<int>& tokens, const Places& places) const {
    Tape tape(parameters_.data());
    const Tensor logits = model_.logits(tape, {tokens, length(), {1, length(), places.data()}});
    return {logits.value(), logits.value() + logits.count()};
  }

  // What becomes of tokens at 0, 1, 2 ... with a stream of random numbers: where they are put, and the logits.
  Values with_stream(const std::vector<int>& tokens, std::uint64_t stream, bool training) const {
    Values gradients(parameters_.size());
    Tape recording(parameters_.data(), gradients.data()), evaluating(parameters_.data());
    Tape& tape = training ? recording : evaluating;
    const Random random(1, Purpose::positions, stream);
    const int T = static_cast<int>(tokens.size());
    const Inputs inputs{tokens, T, count_up(tape, T), random};
    const Positions chosen = scheme().positions(tape, inputs);
    const Tensor logits = model_.logits(tape, inputs);
    Values all(chosen.all().begin(), chosen.all().end());
    all.insert(all.end(), logits.value(), logits.value() + logits.count());
    return all;
  }

 private:
  ModelSettings random_settings(const std::string& spec, ModelKind kind) {
    const int heads = 1 + random_.below(4), head_width = 4 + 2 * random_.below(2);
    return {.kind = kind,
            .scheme = spec,
            .layers = 1 + random_.below(2),
            .heads = heads,
            .d_model = heads * head_width,
            .d_ff = 8};
  }

  Random random_;
  Transformer model_;
  Values parameters_;
  std::vector<int> tokens_;
};

Counterexample refute_order_blind(const Subject& subject);
Counterexample refute_mirror_blind(const Subject& subject);
Counterexample refute_direction_aware(const Subject& subject);
Counterexample refute_shift_invariant(const Subject& subject);
Counterexample refute_bounded(const Subject& subject);
Counterexample refute_unique(const Subject& subject);
Counterexample refute_unique(const Scheme& scheme, const Real* parameters);
Counterexample refute_extrapolates(const Subject& subject);
Counterexample refute_norm_preserving(const Subject& subject);
Counterexample refute_linear_shift(const Subject& subject);
Counterexample refute_linear_shift(const Scheme& scheme, const Real* parameters);
Counterexample refute_deterministic(const Subject& subject);
Counterexample refute_causal_prefix(const Subject& subject);
Counterexample refute_parameters(const Subject& subject, std::size_t claimed);  // "it adds exactly so many"

struct Refuter {
  std::string claim;
  Counterexample (*refute)(const Subject&);
  std::optional<ModelKind> only = {};  // of such models
};

extern const std::vector<Refuter> refuters;
const Refuter& refuter_of(const ClaimInfo& claim);  // throws Error when there is none

}  // namespace locus
