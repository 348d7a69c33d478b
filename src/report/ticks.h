// Numbers for axes: round ones, printed short.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace locus {

struct Range {
  double low = 0, high = 1;
};

// The numbers span this range; {0, 1} when there are none. Those past 1e300 count as infinite, and are left
// out.
Range range_of(const std::vector<double>& values);

// The range, widened around its middle when it is too narrow to tell numbers in it apart.
Range with_some_width(Range range);

// The largest of ... 0.1 0.2 0.5 1 2 5 10 ... that puts no more than `most` steps into the range; its width
// must be > 0.
double nice_step(Range range, std::size_t most);

// The multiples of a nice step within the range, `most` + 1 of them at the most; both ends when the range is
// too narrow for doubles. `smallest_step` = 1 keeps to whole numbers.
std::vector<double> nice_ticks(Range range, std::size_t most, double smallest_step = 0);

// The same for a logarithmic axis: powers of two, or nice_ticks when fewer than two of them lie in the range.
std::vector<double> power_of_two_ticks(Range range, std::size_t most);

// All ticks with the same number of decimals: {0, 0.25} -> "0.00", "0.25".
std::vector<std::string> tick_labels(const std::vector<double>& ticks);

}  // namespace locus
