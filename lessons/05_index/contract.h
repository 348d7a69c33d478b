// What chapter 5 asks for that src/ does not have: a prediction, one function written from blank, and one test.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace locus {

// Step 5.6, lacks.cpp: your prediction for "index", "fraction", "one-hot" and "binary": which properties the code
// lacks, as words with spaces between. An input of 24 tokens has
//   small:    if no number of a code is above 1;
//   apart:    if any two codes differ by at least 0.5 (the length of the difference, as a vector);
//   lasting:  if a position has the same code in an input of 48 tokens;
//   ordered:  if, whenever position b is nearer to a than c is, the code of b is closer to that of a (a tie is not);
//   known:    if no number of a code is larger than training on inputs of 12 tokens had at its place in the list.
std::string lacks(const std::string& code);

// Step 5.8, gray_code.cpp: a Gray code. `bits` numbers, each 0 or 1, for a position from 0 to 2^bits - 1:
// position 0 has zeros only, no two positions share a code, and the codes of two neighbours differ in exactly
// one number.
std::vector<double> gray_code(int position, int bits);

// Step 5.9, tells_apart.cpp: a test. True if in inputs of every length from 1 to 40 no two positions share a
// code. Numbers that differ by less than 1e-9 count as equal. All codes of one input have equally many numbers.
using PositionCode = std::function<std::vector<double>(int position, int length)>;
bool tells_apart(const PositionCode& code);

}  // namespace locus
