// A small text for tests: paragraphs of a few words.
#pragma once

#include <string>

#include "base/random.h"
#include "base/text.h"

namespace locus {

inline std::string sample_text(int paragraphs = 60) {
  Random random(7, Purpose::testing);
  std::string all;
  for (int i = 0; i < paragraphs; ++i) {
    for (int line = 0; line < 2; ++line) {
      for (int word = 0; word < 5; ++word)
        all += str(word > 0 ? " " : "", std::string(1, "abcdefgh"[random.below(8)]), random.below(4));
      all += ".\n";
    }
    all += "\n";
  }
  return all;
}

}  // namespace locus
