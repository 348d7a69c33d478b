#include "positional/support/composite.h"

#include <algorithm>

namespace locus {

namespace {

class Composite : public Scheme {
 public:
  Composite(std::vector<std::unique_ptr<Scheme>> parts, const Scheme* placing)
      : parts_(std::move(parts)), placing_(placing) {}

  Positions positions(Tape& tape, const Inputs& inputs) const override {
    Inputs moved = inputs;
    for (const auto& part : parts_) moved.positions = part->positions(tape, moved);
    return moved.positions;
  }
  Tensor embedding(Tensor x, const Inputs& inputs) const override {
    for (const auto& part : parts_) x = part->embedding(x, inputs);
    return x;
  }
  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    for (const auto& part : parts_) part->query_and_key(q, k, inputs);
  }
  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    for (const auto& part : parts_) scores = part->scores(scores, inputs);
    return scores;
  }
  std::optional<Tensor> weights(Tensor scores, Mask mask) const override {
    for (const auto& part : parts_)
      if (const auto weights = part->weights(scores, mask)) return weights;
    return {};
  }
  bool replaces_softmax() const override {
    return std::ranges::any_of(parts_, [](const auto& part) { return part->replaces_softmax(); });
  }
  Tensor mixed(Tensor mixed, Tensor weights, const AttentionInputs& inputs) const override {
    for (const auto& part : parts_) mixed = part->mixed(mixed, weights, inputs);
    return mixed;
  }
  bool counts_digits() const override {
    return std::ranges::any_of(parts_, [](const auto& part) { return part->counts_digits(); });
  }
  Claims claims() const override {
    Claims all;
    for (const ClaimInfo& claim : all_claims) {
      const auto made = [&](const auto& part) { return part->claims().*claim.holds; };
      all.*claim.holds = claim.parts == ClaimInfo::ANY ? std::ranges::any_of(parts_, made)
                                                       : std::ranges::all_of(parts_, made);
    }
    for (const auto& part : parts_) all.parameters += part->claims().parameters;
    if (placing_) {                        // whatever positions come in, the other parts see those it chooses
      all.mirror_blind = all.order_blind;  // the gaps between those differ to the left and to the right
      const Claims chosen = placing_->claims();
      all.shift_invariant = chosen.shift_invariant;
      all.bounded = chosen.bounded;
      all.extrapolates = chosen.extrapolates;
      all.direction_aware &= !placing_->counts_digits();
    }
    return all;
  }
  int capacity() const override {
    int least = Scheme::capacity();
    for (const auto& part : parts_) least = std::min(least, part->capacity());
    return least;
  }
  std::vector<double> code(double position, int length, const Real* parameters) const override {
    for (const auto& part : parts_)
      if (auto code = part->code(position, length, parameters); !code.empty()) return code;
    return {};
  }
  Frequencies frequencies(int length) const override {
    for (const auto& part : parts_)
      if (auto frequencies = part->frequencies(length); !frequencies.inverse_frequency.empty())
        return frequencies;
    return {};
  }
  std::optional<double> bias(int head, double query, double key) const override {
    std::optional<double> total;
    for (const auto& part : parts_)
      if (const auto one = part->bias(head, query, key)) total = total.value_or(0) + *one;
    return total;
  }
  std::optional<int> bucket(int relative) const override {
    for (const auto& part : parts_)
      if (const auto bucket = part->bucket(relative)) return bucket;
    return {};
  }

 private:
  std::vector<std::unique_ptr<Scheme>> parts_;
  const Scheme* placing_;
};

}  // namespace

std::unique_ptr<Scheme> composite(std::vector<std::unique_ptr<Scheme>> parts, const Scheme* placing) {
  return std::make_unique<Composite>(std::move(parts), placing);
}

}  // namespace locus
