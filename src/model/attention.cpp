// Lines between `exercise` and `end` are those that chapter 1 of the lessons takes out (lessons/README.md).
#include "model/attention.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "autograd/ops.h"
#include "base/size.h"

namespace locus {

Attention::Attention(ParameterTable& table, const std::string& name, const SchemeContext& context, int layer,
                     const AttentionOptions& options)
    : query_(table, name + ".query", context.d_model, context.d_model),
      key_(table, name + ".key", context.d_model, context.d_model),
      value_(table, name + ".value", context.d_model, context.d_model),
      output_(table, name + ".output", context.d_model, context.d_model),
      context_(context),
      options_(options),
      layer_(layer) {
  if (!options.qk_norm) return;
  query_norm_.emplace(table, name + ".query_norm", context.d_head());
  key_norm_.emplace(table, name + ".key_norm", context.d_head());
}

namespace {

// The keys that a query sees, of T: from the first to before the last.
struct Seen {
  int first, last;
};
Seen seen_by(int query, int T, bool causal, int window) {
  const int before = std::min(window, query), after = causal ? 0 : std::min(window, T - 1 - query);
  return {query - before, query + after + 1};
}

// Every row of scores (B,H,T,T) times ln n, n being the number of keys that its query sees.
Tensor times_log_of_keys(Tensor scores, bool causal, int window) {
  const int T = scores.shape().last();
  Real* log_n = scores.tape().arena().allocate<Real>(as_size(T));
  for (int query = 0; query < T; ++query) {
    const Seen seen = seen_by(query, T, causal, window);
    log_n[query] = in_double(std::log, static_cast<Real>(seen.last - seen.first));
  }
  return scores * scores.tape().constant({T, 1}, log_n);
}

// Scores (B,H,T,T), minus infinity outside of the window: there the softmax gives weight 0. (A causal mask may follow.)
Tensor in_window(Tensor scores, int window) {
  const int T = scores.shape().last();
  const std::size_t pairs = as_size(T) * as_size(T);
  Real* added = scores.tape().arena().allocate<Real>(pairs);
  std::fill_n(added, pairs, -std::numeric_limits<Real>::infinity());
  for (int query = 0; query < T; ++query) {
    const Seen seen = seen_by(query, T, false, window);
    Real* row = added + std::ptrdiff_t{query} * T;
    std::fill(row + seen.first, row + seen.last, Real{0});
  }
  return scores + scores.tape().constant({T, T}, added);
}

}  // namespace

Tensor Attention::operator()(Tensor x, const Scheme& scheme, const Inputs& inputs) const {
  // exercise 1.2: queries and keys of x (B,T,D), both cut into heads (B,H,T,d)
  Tensor q = split_heads(query_(x), context_.heads);
  Tensor k = split_heads(key_(x), context_.heads);
  // end
  if (options_.qk_norm) q = (*query_norm_)(q), k = (*key_norm_)(k);
  const AttentionInputs seen{x, q, k, inputs.positions, layer_};
  scheme.query_and_key(q, k, seen);  // rotary schemes turn q and k

  // exercise 1.3: the scores (B,H,T,T), one for each query and key
  Tensor scores = matmul(q, transpose(k), 1 / std::sqrt(context_.d_head()));
  // end
  scores = scheme.scores(scores, seen);  // ALiBi, T5 add a bias
  if (options_.log_scale) scores = times_log_of_keys(scores, context_.causal, options_.window);
  if (options_.window < scores.shape().last()) scores = in_window(scores, options_.window);

  const Mask mask = context_.causal ? Mask::causal : Mask::none;
  Tensor weights;
  if (const std::optional<Tensor> own = scheme.weights(scores, mask)) {
    weights = *own;  // stick-breaking
  } else {
    // exercise 1.4: scores to weights (B,H,T,T): for each query, weights that sum to 1 over the keys it may see
    weights = softmax(scores, mask);
    // end
  }
  if (inputs.attention) inputs.attention->push_back(weights);

  // exercise 1.5: the values of x, cut into heads like q and k, and each query's mix of them (B,H,T,d)
  Tensor v = split_heads(value_(x), context_.heads);
  Tensor mixed = matmul(weights, v);
  // end
  mixed = scheme.mixed(mixed, weights, seen);  // Shaw adds a vector per distance
  return output_(merge_heads(mixed));
}

void Attention::silence(std::span<Real> parameters, int head) const {
  output_.ignore_inputs(parameters, head * context_.d_head(), context_.d_head());
}

}  // namespace locus
