// An intervention on positions: the tokens stay where they are, and what the scheme of a trained model is told
// about their positions changes. What the model loses shows what it used.
//
//   swap:2,7    the tokens at 2 and 7 (from 0) are told each other's position
//   shift:100   100 is added to every position
//   scale:2     every position is multiplied by 2
//   reversed    the first token is told the last position, and so on
//   constant    every token is told the position of the first
//   shuffled    a random permutation of the positions, another one for every 16 test inputs
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "positional/scheme.h"

namespace locus {

struct PositionChange {
  enum class Kind { swap, shift, scale, reversed, constant, shuffled };

  Kind kind;
  int first = 0, second = 0;  // swap
  double by = 0;              // shift, scale
  std::string typed{};        // "swap:2,7"
  std::vector<int> layers{};  // whose attention is told; empty: all of them, and the embeddings

  // What a token is told depends on the length of the whole input.
  bool depends_on_length() const { return kind == Kind::reversed || kind == Kind::shuffled; }
};

// Throws UsageError unless it is one of the six. The layers are set apart.
PositionChange parse_position_change(std::string_view typed);

std::string to_string(const PositionChange&);  // "swap:2,7 in layer 0"

// Throws UsageError when an input of `length` tokens has no such positions.
void check_length(const PositionChange&, int length);

// The same rows and length, changed; `random` draws the permutation. Valid until the tape is reset. Throws UsageError
// when a shift or scale moves a position too far to compute with, or makes two positions one (scale:0 may).
Positions changed(Tape& tape, const PositionChange&, const Positions& positions, const Random& random);

}  // namespace locus
