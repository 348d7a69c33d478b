// What chapter 6 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 6.5, product_at.cpp: the dot product of the codes PE[p] and PE[p + k], without making either code: it is the
// same for every p. D = `width` is even.
double product_at(double k, int width, double base);

// Step 6.6, leads_on.cpp: a test. `code` gives PE[p] for any p, `move` multiplies a code by some matrix M. True if M
// leads the code of every position to that of the position k further on: M PE[p] = PE[p + k], for positions from 0 to
// 1000, whole or not. Differences below 1e-9 are rounding.
using Codes = std::function<std::vector<double>(double position)>;
using Move = std::function<std::vector<double>(const std::vector<double>& code)>;
bool leads_on(const Codes& code, const Move& move, double k);

}  // namespace locus
