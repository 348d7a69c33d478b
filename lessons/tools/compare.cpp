#include "lessons/tools/compare.h"

#include <cmath>

#include "base/error.h"
#include "report/format.h"

namespace locus {

namespace {

constexpr std::size_t most_shown = 4;

bool agree(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance * (1 + std::abs(b)); }

bool agree(const std::vector<double>& a, const std::vector<double>& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!agree(a[i], b[i], tolerance)) return false;
  return a.size() == b.size();
}

// "head 0, query 1, key 2"
std::string place(std::size_t index, const Shape& shape, const std::vector<std::string>& axes) {
  std::string out;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    if (size > 1)
      out = text(axes.at(static_cast<std::size_t>(axis)), ' ', index % size, out.empty() ? "" : ", ", out);
    index /= size;
  }
  return out;
}

}  // namespace

Array copy(Tensor x) { return {x.shape(), {x.value(), x.value() + x.count()}}; }

void compare(const std::string& what, const std::vector<std::string>& axes, const Array& yours,
             const Array& right, const std::vector<Mistake>& mistakes, double tolerance) {
  if (!(yours.shape == right.shape))
    throw Error(text(what, ": wrong shape. Yours is ", yours.shape, ", right is ", right.shape, ": ",
                     join(axes, ", "), "."));
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < right.values.size(); ++i) {
    if (!std::isfinite(yours.values[i]) && std::isfinite(right.values[i]))
      throw Error(text(what, ": ", std::isnan(yours.values[i]) ? "not a number (NaN)" : "infinite", " at ",
                       place(i, right.shape, axes), ", where ", significant(right.values[i], 4),
                       " is right. Is there a division by 0, a root of something negative, or a variable "
                       "that was never given a value?"));
    if (!agree(yours.values[i], right.values[i], tolerance)) wrong.push_back(i);
  }
  if (wrong.empty()) return;

  std::string message = text(what, ": the shape is right, ", wrong.size(), " of ", right.values.size(),
                             " values are not. The first of them:\n");
  for (std::size_t n = 0; n < wrong.size() && n < most_shown; ++n)
    message +=
        text("  at ", place(wrong[n], right.shape, axes), ": yours ", significant(yours.values[wrong[n]], 4),
             ", right ", significant(right.values[wrong[n]], 4), '\n');
  for (const Mistake& mistake : mistakes)
    if (agree(yours.values, mistake.values, tolerance))
      throw Error(message + "This is what you get when " + mistake.says + ".");
  throw Error(message);
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = std::abs(a[i] - b[i]);
    if (!(difference <= largest)) largest = difference;
  }
  return largest;
}

}  // namespace locus
