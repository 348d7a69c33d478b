#include "positional/support/table_rows.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace locus {

int table_row(std::string_view scheme, double position, int capacity) {
  if (!(position >= 0 && position < capacity) || position != std::floor(position))
    fail(scheme, str("position ", position, " is not one of 0 to ", capacity - 1),
         str("it knows nothing past its capacity: give ", scheme, ":capacity=N, or whole positions"));
  return static_cast<int>(position);
}

std::span<const int> table_rows(std::string_view scheme, Tape& tape, const Positions& positions,
                                int capacity) {
  const std::span<const double> all = positions.all();
  int* rows = tape.arena().allocate<int>(all.size());
  std::ranges::transform(all, rows, [&](double position) { return table_row(scheme, position, capacity); });
  return {rows, all.size()};
}

}  // namespace locus
