// What chapter 5 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 5.9, gray_code.cpp: a Gray code. `bits` numbers, each 0 or 1, for a position from 0 to 2^bits - 1:
// position 0 has zeros only, no two positions share a code, and the codes of two neighbours differ in exactly
// one number.
std::vector<double> gray_code(int position, int bits);

// Step 5.10, tells_apart.cpp: a test. True if in inputs of every length from 1 to 40 no two positions share a
// code. Numbers that differ by less than 1e-9 count as equal. All codes of one input have equally many numbers.
using PositionCode = std::function<std::vector<double>(int position, int length)>;
bool tells_apart(const PositionCode& code);

}  // namespace locus
