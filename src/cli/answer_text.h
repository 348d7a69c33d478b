// The answer of a model, for the terminal.
#pragma once

#include <cstddef>
#include <string>

#include "examine/answer.h"

namespace locus {

//   warning: length 5 was never trained (trained at 12)
//   input        3 1 4 1 5
//   answer       5 1 4 4 3
//   probability  0.98 1.00 ...
//   target       5 1 4 1 3
//   wrong              ^
//   wrong: 1 of 5 tokens
//
// in as many blocks as the width asks for. Colour only repeats what the words say.
std::string answer_text(const Answer& answer, const Run& run, std::size_t width, bool colour,
                        bool warns = true);

}  // namespace locus
