// Lines between `exercise` and `end` are those that chapter 12 of the lessons takes out (lessons/README.md).
#include "examine/attention_maps.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/size.h"
#include "train/evaluate.h"

namespace locus {

namespace {

double entropy_in_bits(std::span<const double> weights) {
  // exercise 12.1: the entropy of one row of weights, in bits. Weights can be 0, as those of later keys in a decoder
  double entropy = 0;
  for (const double weight : weights)
    if (weight > 0) entropy -= weight * std::log2(weight);
  // end
  return entropy;
}

// The maps of all heads, as means over inputs.
std::vector<AttentionMap> means(const Transformer& model, const Real* parameters,
                                const std::vector<Tokens>& inputs, int first_answer) {
  const std::size_t longest = std::ranges::max(inputs, {}, &Tokens::size).size();
  std::vector<AttentionMap> maps;
  for (const Head head : all_heads(model.settings()))
    maps.push_back({head, static_cast<int>(longest), model.settings().kind == ModelKind::decoder,
                    std::vector<double>(longest * longest), 0, first_answer});
  std::vector<int> inputs_with(longest);  // each query
  Tape tape(parameters);
  for (const Tokens& tokens : inputs) {
    const bool one_pass = model.causal_prefix() || first_answer == 0;
    std::size_t next = 0;  // the first query that is still to come
    for (std::size_t T = one_pass ? tokens.size() : as_size(first_answer) + 1; T <= tokens.size();
         next = T++) {
      tape.reset();
      std::vector<Tensor> seen;  // (1,H,T,T) of each layer
      Inputs watched = inputs_at_test(tape, std::span(tokens).first(T), static_cast<int>(T));
      watched.attention = &seen;
      model.logits(tape, watched);
      for (AttentionMap& map : maps)
        for (std::size_t query = next; query < T; ++query) {
          const Real* weights =
              seen[as_size(map.head.layer)].value() + (as_size(map.head.head) * T + query) * T;
          const std::vector<double> row(weights, weights + T);
          for (std::size_t key = 0; key < T; ++key) map.weights[query * longest + key] += row[key];
          map.entropy += entropy_in_bits(row);
        }
    }
    for (std::size_t query = 0; query < tokens.size(); ++query) ++inputs_with[query];
  }
  const int rows = std::accumulate(inputs_with.begin(), inputs_with.end(), 0);
  for (AttentionMap& map : maps) {
    for (std::size_t i = 0; i < map.weights.size(); ++i) map.weights[i] /= inputs_with[i / longest];
    map.entropy /= rows;
  }
  return maps;
}

}  // namespace

std::string to_string(Head head) { return str(head.layer, ".", head.head); }

Head parse_head(std::string_view name, const ModelSettings& settings) {
  for (const Head head : all_heads(settings))
    if (to_string(head) == name) return head;
  fail_usage("head", str("there is no head '", name, "'"),
             str("LAYER.HEAD, from 0.0 to ", settings.layers - 1, ".", settings.heads - 1));
}

std::vector<Head> all_heads(const ModelSettings& settings) {
  std::vector<Head> heads;
  for (int layer = 0; layer < settings.layers; ++layer)
    for (int head = 0; head < settings.heads && has_attention(settings, layer); ++head)
      heads.push_back({layer, head});
  if (heads.empty())
    fail_usage("attend", "no layer of this model has attention, so there are no weights to show",
               "give a layer attention: --mixer-by-layer \"delta attention\"");
  return heads;
}

double AttentionMap::highest_entropy() const {
  // exercise 12.2: the highest possible entropy, in bits: the largest value of `entropy`, which is a mean over queries
  double sum = 0;
  for (int query = 0; query < length; ++query) sum += std::log2(causal ? query + 1 : length);
  return sum / length;
  // end
}

std::vector<double> AttentionMap::share_by_offset() const {
  std::vector<double> shares(as_size(2 * length - 1));
  // exercise 12.3: the share by offset, for each offset key - query from -(length - 1) to length - 1
  for (int query = 0; query < length; ++query)
    for (int key = 0; key < length; ++key)
      shares[as_size(key - query + length - 1)] += weights[as_size(query * length + key)] / length;
  // end
  return shares;
}

std::vector<AttentionMap> attention_maps(const Transformer& model, const Real* parameters,
                                         std::span<const int> tokens, int first_answer) {
  return means(model, parameters, {Tokens(tokens.begin(), tokens.end())}, first_answer);
}

bool all_finite(const std::vector<AttentionMap>& maps) {
  return std::ranges::all_of(maps, [](const AttentionMap& map) {
    return std::ranges::all_of(map.weights, [](double weight) { return std::isfinite(weight); });
  });
}

std::vector<AttentionMap> mean_attention_maps(const Transformer& model, const Real* parameters,
                                              const Batcher& batcher, std::span<const Example> examples) {
  std::vector<Tokens> inputs;
  for (const Example& example : examples) inputs.push_back(batcher.batch({&example, 1}).tokens);
  return means(model, parameters, inputs,
               batcher.first_answer(static_cast<int>(examples.front().input.size())));
}

}  // namespace locus
