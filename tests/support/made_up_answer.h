#pragma once

#include "examine/answer.h"

// An answer of the given tokens to the input 1 2 3, each with probability 1/2.
inline locus::Answer made_up_answer(const locus::Tokens& tokens, std::optional<locus::Tokens> target) {
  locus::Answer answer{
      .input = {1, 2, 3}, .read = {1, 2, 3}, .tokens = {}, .target = std::move(target), .logits = {}};
  for (const int token : tokens) answer.tokens.push_back({token, 0.5});
  return answer;
}
