// What chapter 6 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <functional>
#include <vector>

namespace locus {

// Step 6.5, product_at.cpp: the dot product of the codes PE[p] and PE[p + k], without making either code: it is the
// same for every p. k may be negative or 0, and need not be whole. D = `width` is even.
double product_at(double k, int width, double base);

// Step 6.6, shifts_all.cpp: a test. `code` gives PE[p] for any p, `multiply` the product of some matrix M and a code.
// True if M shifts the code of every position by k, that is M PE[p] = PE[p + k] for all p from 0 to 1000. Differences
// below 1e-9 are rounding. A product that is no number (NaN) is not right.
using Codes = std::function<std::vector<double>(double position)>;
using Multiply = std::function<std::vector<double>(const std::vector<double>& code)>;
bool shifts_all(const Codes& code, const Multiply& multiply, double k);

}  // namespace locus
