// Models of a text made by counting the tokens that are trained on: what a model of the language must beat to
// have used more than the frequency of tokens (unigram), or more than the token before (bigram).
//
//   unigram  p(v)     = (n(v) + 1) / (N + V)
//   bigram   p(v | u) = (n(u v) + k p(v)) / (n(u) + k)
//
// n counts occurrences, N all tokens, V the vocabulary. k is the power of ten, from 1/100 to 100, with the least
// loss on the tokens of the validations. (Smoothed so, every token has a probability.)
#pragma once

#include <span>
#include <unordered_map>
#include <vector>

namespace locus {

class CountingModels {
 public:
  // Tokens from 0 to vocabulary-1.
  CountingModels(int vocabulary, std::span<const int> train, std::span<const int> validation);

  double unigram(int token) const;               // -ln p(token)
  double bigram(int before, int token) const;    // -ln p(token | before)
  double strength() const { return strength_; }  // k

 private:
  double bigram_at(double strength, int before, int token) const;

  int vocabulary_;
  double total_ = 0, strength_ = 1;
  std::vector<double> count_, followed_;  // n(v); n(u), not counting the last token
  std::unordered_map<long long, double> pairs_;
};

}  // namespace locus
