// A scheme that changes nothing, and keeps what attention shows its hooks: a window into the middle of
// attention.
#pragma once

#include <optional>

#include "lessons/tools/compare.h"
#include "positional/scheme.h"

namespace locus {

class Probe : public Scheme {
 public:
  void query_and_key(Tensor& q, Tensor& k, const Positions&) const override {
    queries = copy(q);
    keys = copy(k);
  }
  Tensor scores(Tensor x, const AttentionInputs&) const override {
    score = copy(x);
    return x;
  }
  Tensor mixed(Tensor x, Tensor, const AttentionInputs&) const override {
    mix = copy(x);
    return x;
  }
  Claims claims() const override { return {}; }

  mutable std::optional<Array> queries, keys, score, mix;  // empty until attention came by
};

}  // namespace locus
