// The attention weights of a trained transformer, head by head.
//
// A map shows what a head reads, not what the model does with it: the model may not need the head with the
// clearest map. Silencing the head measures that (Transformer::silence). Chapter 12 of the lessons is about this.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/transformer.h"
#include "train/batch.h"

namespace locus {

// A head of a layer, both counted from 0; "1.0" is head 0 of layer 1.
struct Head {
  int layer, head;
  bool operator==(const Head&) const = default;
};
std::string to_string(Head);
Head parse_head(std::string_view text, const ModelSettings&);  // throws UsageError when there is none
std::vector<Head> all_heads(const ModelSettings&);

// The attention weights of one head: each row is a query, its columns are the keys, and it adds up to 1.
struct AttentionMap {
  Head head;
  int length;                   // T
  bool causal;                  // the head of a decoder: no query sees a later key
  std::vector<double> weights;  // (T,T), query by key
  double entropy;               // in bits, mean over queries: 0 when all weight is on one key
  int first_answer = 0;         // the first query that gives a token of the answer: in a decoder, SEP

  // The highest possible one: of uniform weights over the keys that a query sees.
  double highest_entropy() const;

  // The share by offset: how much of all attention goes to keys at each offset key - query: -(T-1), ..., T-1. The
  // shares sum to 1. Few pairs are far apart, so the shares of a uniform head are highest at offset 0, too.
  std::vector<double> share_by_offset() const;
};

// The map of every head for one input; `tokens` are all that the model reads, and the queries from `first_answer` on
// give the tokens of the answer (Batcher::first_answer). In a model that generates, each of these is read in a pass
// of its own, as when it answers: a later pass may attend otherwise (where the scheme is given the length, say).
std::vector<AttentionMap> attention_maps(const Transformer&, const Real* parameters,
                                         std::span<const int> tokens, int first_answer = 0);

// Whether all weights are numbers. A model with huge weights computes NaN.
bool all_finite(const std::vector<AttentionMap>&);

// The mean over examples of equal input length. Where a decoder's answers differ in length, the row of a
// query is the mean over the examples that are long enough.
std::vector<AttentionMap> mean_attention_maps(const Transformer&, const Real* parameters, const Batcher&,
                                              std::span<const Example> examples);

}  // namespace locus
