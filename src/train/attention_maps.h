// Looking inside a trained transformer: where its heads look, and what each of them is worth.
//
// A map shows what a head reads, not what the model does with it: the head with the clearest picture may be
// one the model can do without. Silencing it tells. Lesson 12 tells the story.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "model/transformer.h"
#include "train/batch.h"

namespace locus {

// One head of one layer, both counted from 0; "1.0" is head 0 of layer 1.
struct Head {
  int layer, head;
  bool operator==(const Head&) const = default;
};
std::string to_string(Head);
Head parse_head(std::string_view text, const ModelSettings&);  // no such head: UsageError
std::vector<Head> all_heads(const ModelSettings&);

// The attention weights of one head: of each query, how much it takes from each key. Each row adds up to 1.
struct AttentionMap {
  Head head;
  int length;                   // T
  bool causal;                  // in a decoder: no query sees a later key
  std::vector<double> weights;  // (T,T), query by key
  double entropy;               // in bits, mean over queries: 0 looks at one key only

  double highest_entropy() const;  // of a head that looks at all it sees alike

  // What share of the attention goes to keys at each distance key - query: -(T-1), ..., T-1. Adds up to 1.
  // Few pairs are far apart, so even a head that looks everywhere alike peaks at 0.
  std::vector<double> share_by_offset() const;
};

// Every head's map for one input: the tokens that the model reads.
std::vector<AttentionMap> attention_maps(const Transformer&, const Real* parameters,
                                         std::span<const int> tokens);

// The same, as a mean over examples of equal input length. Where a decoder's answers differ in length, a
// query's row is the mean over the examples that have it.
std::vector<AttentionMap> mean_attention_maps(const Transformer&, const Real* parameters, const Encoding&,
                                              std::span<const Example> examples);

}  // namespace locus
