// Numbers as a reader wants them.
#pragma once

#include <string>

namespace locus {

std::string fixed(double value, int decimals);       // 0.3333 -> "0.333"; the same on every machine
std::string significant(double value, int digits);   // 9 digits or more read back as the same float

}  // namespace locus
