// A scheme that changes nothing, and keeps what attention shows its hooks: a window into the middle of
// attention. It can stop attention at a hook, so that lines after it do not run.
#pragma once

#include <optional>

#include "lessons/tools/compare.h"
#include "positional/scheme.h"

namespace locus {

class Probe : public Scheme {
 public:
  enum class Hook { query_and_key, scores, mixed };
  struct Stop {};  // thrown
  explicit Probe(Hook last) : last_(last) {}

  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs&) const override {
    queries = copy(q);
    keys = copy(k);
    stop_after(Hook::query_and_key);
  }
  Tensor scores(Tensor x, const AttentionInputs&) const override {
    score = copy(x);
    stop_after(Hook::scores);
    return x;
  }
  Tensor mixed(Tensor x, Tensor, const AttentionInputs&) const override {
    mix = copy(x);
    stop_after(Hook::mixed);
    return x;
  }
  Claims claims() const override { return {}; }

  mutable std::optional<Array> queries, keys, score, mix;  // empty until attention came by

 private:
  void stop_after(Hook hook) const {
    if (hook == last_) throw Stop();
  }
  Hook last_;
};

}  // namespace locus
