#include "lessons/tools/array.h"

#include <cmath>

#include "base/random.h"

namespace locus {

Array copy(Tensor x) {
  x.tape();  // throws when x was never given a value
  return {x.shape(), {x.value(), x.value() + x.count()}};
}

std::vector<double> random_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  std::vector<double> numbers(count);
  for (double& number : numbers) number = random.normal();
  return numbers;
}

std::vector<std::vector<double>> random_rows(std::size_t count, std::size_t width, std::uint64_t seed) {
  return rows_of(random_numbers(count * width, seed), width);
}

std::vector<std::vector<double>> rows_of(const std::vector<double>& values, std::size_t width) {
  std::vector<std::vector<double>> rows;
  for (std::size_t start = 0; start < values.size(); start += width)
    rows.emplace_back(&values[start], &values[start] + width);
  return rows;
}

Reals reals(const std::vector<double>& values) { return {values.begin(), values.end()}; }

Array list(std::vector<double> values) { return {{static_cast<int>(values.size())}, std::move(values)}; }

Array array_of(const std::vector<std::vector<double>>& rows) {
  const std::size_t width = rows.empty() ? 0 : rows.back().size();
  Array out{{static_cast<int>(rows.size()), static_cast<int>(width)}, {}};
  for (const auto& row : rows) out.values.insert(out.values.end(), row.begin(), row.end());
  return out;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return sum_of(a.size(), [&](std::size_t i) { return a[i] * b[i]; });
}

std::vector<double> times(const std::vector<double>& row, const std::vector<std::vector<double>>& matrix) {
  std::vector<double> product(matrix.at(0).size());
  for (std::size_t in = 0; in < row.size(); ++in)
    for (std::size_t c = 0; c < product.size(); ++c) product[c] += row[in] * matrix[in][c];
  return product;
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
