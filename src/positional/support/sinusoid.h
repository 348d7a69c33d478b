// The sinusoid (Vaswani et al. 2017, section 3.5), as plain numbers: a position p told by D/2 clocks, from
// fast to slow. The hand of clock i turns by w_i radians from one position to the next; a clock takes two
// channels, its sine and cosine:
//   PE[p, 2i] = sin(p w_i),  PE[p, 2i+1] = cos(p w_i),  w_i = base^(-2i / D)
// From p to p + k every hand turns by k w_i, wherever it stands: PE[p + k] = M_k PE[p], with one matrix M_k
// for all p. Lesson 6 tells the story.
#pragma once

#include <vector>

namespace locus {

// w_i of each clock, in radians per position. An odd width has a clock more, of which the code takes the sine
// only.
std::vector<double> inverse_frequencies(int width, double base);

// PE[position], `width` numbers; the position may be any real.
std::vector<double> sinusoid(double position, int width, double base = 10000);

// M_k, (width,width), row by row: 2x2 turns on the diagonal, one for each clock. Throws Error when the width
// is odd.
std::vector<double> shift_matrix(double k, int width, double base = 10000);

}  // namespace locus
