#include "train/attention_maps.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "train/evaluate.h"

namespace locus {

namespace {

double entropy_in_bits(std::span<const double> weights) {
  double entropy = 0;
  for (const double weight : weights)
    if (weight > 0) entropy -= weight * std::log2(weight);
  return entropy;
}

// Sums over inputs, which may differ in length, of the rows of one head.
struct Sums {
  int length;
  std::vector<double> weights = std::vector<double>(static_cast<std::size_t>(length * length));
  std::vector<int> inputs_with = std::vector<int>(static_cast<std::size_t>(length));  // each query
  double entropy = 0;

  void add(const Real* map, int T) {
    for (int query = 0; query < T; ++query, map += T) {
      const std::vector<double> row(map, map + T);
      for (int key = 0; key < T; ++key)
        weights[static_cast<std::size_t>(query * length + key)] += row[static_cast<std::size_t>(key)];
      ++inputs_with[static_cast<std::size_t>(query)];
      entropy += entropy_in_bits(row);
    }
  }

  AttentionMap mean(Head head, bool causal) const {
    AttentionMap map{head, length, causal, weights, 0};
    int rows = 0;
    for (int query = 0; query < length; ++query) {
      const int inputs = inputs_with[static_cast<std::size_t>(query)];
      rows += inputs;
      for (int key = 0; key < length; ++key)
        map.weights[static_cast<std::size_t>(query * length + key)] /= inputs;
    }
    map.entropy = entropy / rows;
    return map;
  }
};

// The maps of all heads, as means over inputs.
std::vector<AttentionMap> means(const Transformer& model, const Real* parameters,
                                const std::vector<Tokens>& inputs) {
  const int heads = model.settings().heads;
  const auto longest = static_cast<int>(std::ranges::max(inputs, {}, &Tokens::size).size());
  std::vector<Sums> sums(static_cast<std::size_t>(model.settings().layers * heads), Sums{longest});
  Tape tape(parameters);
  for (const Tokens& tokens : inputs) {
    tape.reset();
    const auto T = static_cast<int>(tokens.size());
    std::vector<Tensor> seen;  // (1,H,T,T) of each layer
    Inputs watched = inputs_at_test(tape, tokens, T);
    watched.attention = &seen;
    model.logits(tape, watched);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const auto layer = i / static_cast<std::size_t>(heads), head = i % static_cast<std::size_t>(heads);
      sums[i].add(seen[layer].value() + head * static_cast<std::size_t>(T * T), T);
    }
  }
  std::vector<AttentionMap> maps;
  for (const Head head : all_heads(model.settings()))
    maps.push_back(sums[maps.size()].mean(head, model.settings().kind == ModelKind::decoder));
  return maps;
}

}  // namespace

std::string to_string(Head head) { return text(head.layer, ".", head.head); }

Head parse_head(std::string_view name, const ModelSettings& settings) {
  for (const Head head : all_heads(settings))
    if (to_string(head) == name) return head;
  fail_usage("head", text("there is no head '", name, "'"),
             text("LAYER.HEAD, from 0.0 to ", settings.layers - 1, ".", settings.heads - 1));
}

std::vector<Head> all_heads(const ModelSettings& settings) {
  std::vector<Head> heads;
  for (int layer = 0; layer < settings.layers; ++layer)
    for (int head = 0; head < settings.heads; ++head) heads.push_back({layer, head});
  return heads;
}

double AttentionMap::highest_entropy() const {
  double sum = 0;
  for (int query = 0; query < length; ++query) sum += std::log2(causal ? query + 1 : length);
  return sum / length;
}

std::vector<double> AttentionMap::share_by_offset() const {
  std::vector<double> fractions(static_cast<std::size_t>(2 * length - 1));
  for (int query = 0; query < length; ++query)
    for (int key = 0; key < length; ++key)
      fractions[static_cast<std::size_t>(key - query + length - 1)] +=
          weights[static_cast<std::size_t>(query * length + key)] / length;
  return fractions;
}

std::vector<AttentionMap> attention_maps(const Transformer& model, const Real* parameters,
                                         std::span<const int> tokens) {
  return means(model, parameters, {Tokens(tokens.begin(), tokens.end())});
}

std::vector<AttentionMap> mean_attention_maps(const Transformer& model, const Real* parameters,
                                              const Batcher& batcher, std::span<const Example> examples) {
  std::vector<Tokens> inputs;
  for (const Example& example : examples) inputs.push_back(batcher.batch({&example, 1}).tokens);
  return means(model, parameters, inputs);
}

}  // namespace locus
