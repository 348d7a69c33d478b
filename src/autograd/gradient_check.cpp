#include "autograd/gradient_check.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"

namespace locus {

std::string check_gradients(const TensorFunction& f, const std::vector<CheckedInput>& inputs, Reals values,
                            std::uint64_t seed, double tolerance) {
  Reals gradients(values.size()), cotangent;
  Tape tape(values.data(), gradients.data());
  const Tensor result = f(tape);
  Random random(seed, Purpose::testing);
  for (std::size_t i = 0; i < result.count(); ++i) cotangent.push_back(static_cast<Real>(random.normal()));
  tape.backward(result, cotangent.data());

  Tape evaluation(values.data());
  auto objective = [&] {  // <cotangent, f(values)>
    evaluation.reset();
    const Tensor y = f(evaluation);
    double total = 0;
    for (std::size_t i = 0; i < y.count(); ++i) total += static_cast<double>(y.value()[i] * cotangent[i]);
    return total;
  };
  auto difference = [&](Real& x) {  // (f(x-2h) - 8 f(x-h) + 8 f(x+h) - f(x+2h)) / 12h, error of order h^4
    const Real x0 = x, h = static_cast<Real>(1e-3);
    auto at = [&](int steps) {
      x = x0 + static_cast<Real>(steps) * h;
      return objective();
    };
    const double slope = (at(-2) - 8 * at(-1) + 8 * at(1) - at(2)) / (12 * static_cast<double>(h));
    x = x0;
    return slope;
  };

  for (const auto& [name, where] : inputs) {
    std::vector<double> reference;
    for (std::size_t i = 0; i < where.shape.count(); ++i)
      reference.push_back(difference(values[where.offset + i]));
    double largest = 0;
    for (const double slope : reference) {
      if (!std::isfinite(slope))
        return str(name, ": a reference gradient is ", slope, ": the op is not defined at these inputs");
      largest = std::max(largest, std::abs(slope));
    }
    if (!(largest >= 1e-3))
      return str(name, ": the largest reference gradient is ", largest,
                 ", too near zero for a check to prove anything");
    for (std::size_t i = 0; i < reference.size(); ++i) {
      const double taped = static_cast<double>(gradients[where.offset + i]);
      const double error = std::abs(taped - reference[i]) / std::max(std::abs(reference[i]), largest / 1000);
      if (!(error <= tolerance))
        return str(name, " ", where.shape, ", entry ", i, ": the tape says ", taped, ", differences say ",
                   reference[i], " (relative error ", error, ")");
    }
  }
  return "";
}

}  // namespace locus
