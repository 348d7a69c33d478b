// The codes of a scheme, and their properties, found by looking at the numbers.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "positional/support/spec.h"

namespace locus {
// The ledger links all chapters together; functions of one name, of two chapters, must stay two.
inline namespace chapter_05 {

using Code = std::vector<double>;

// Those of positions 0 .. count-1 in an input of `length` tokens. Throws Error unless they are equally wide.
inline std::vector<Code> codes_of(const std::string& spec, int count, int length) {
  ParameterTable table;
  const auto scheme = make_scheme(spec, {.d_model = 8, .heads = 1, .causal = false}, table);
  std::vector<Code> codes;
  for (int position = 0; position < count; ++position) {
    codes.push_back(scheme->code(position, length, nullptr));
    if (codes.back().size() != codes[0].size())
      throw Error(str(spec, ": the code of position ", position, " has ", codes.back().size(),
                      " numbers, that of position 0 has ", codes[0].size(), "."));
  }
  return codes;
}

inline double dot(const Code& a, const Code& b) {
  double sum = 0;
  for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];
  return sum;
}
inline double distance(const Code& a, const Code& b) {
  return std::sqrt(std::max(0.0, dot(a, a) + dot(b, b) - 2 * dot(a, b)));
}

struct Properties {
  double numbers = 0;            // in each code
  double largest = 0;            // number of any code
  double closest = INFINITY;     // distance between the two closest codes; 0: two positions share a code
  bool same_when_longer = true;  // a position keeps its code in an input twice as long
  bool nearer_is_closer = true;  // of two others the nearer one always has the closer code
  bool known = true;             // no number is larger than those at its place in an input half as long
};

inline Properties properties_of(const std::string& spec, int length) {
  const std::vector<Code> codes = codes_of(spec, length, length);
  Properties found;
  found.numbers = static_cast<double>(codes[0].size());
  found.same_when_longer = codes == codes_of(spec, length, 2 * length);
  const auto apart = [&](int a, int b) {
    return distance(codes[static_cast<std::size_t>(a)], codes[static_cast<std::size_t>(b)]);
  };
  for (int a = 0; a < length; ++a) {
    for (const double number : codes[static_cast<std::size_t>(a)])
      found.largest = std::max(found.largest, std::abs(number));
    for (int b = 0; b < length; ++b) {
      if (a != b) found.closest = std::min(found.closest, apart(a, b));
      for (int c = 0; c < length; ++c)
        if (std::abs(a - b) < std::abs(a - c) && !(apart(a, b) < apart(a, c) - 1e-9))
          found.nearer_is_closer = false;
    }
  }
  const std::vector<Code> shorter = codes_of(spec, length / 2, length / 2);
  for (std::size_t n = 0; n < codes[0].size(); ++n) {
    const auto by_number = [n](const Code& a, const Code& b) { return a[n] < b[n]; };
    found.known &= std::ranges::max(codes, by_number)[n] <= std::ranges::max(shorter, by_number)[n] + 1e-9;
  }
  return found;
}

}  // namespace chapter_05
}  // namespace locus
