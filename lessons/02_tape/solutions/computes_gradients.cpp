// A test of engines that compute gradients. The check of chapter 2 judges it: it must pass engines that are right, and
// fail each broken one.
#include <cmath>

#include "lessons/02_tape/contract.h"

namespace locus {

bool computes_gradients(const Engine& engine) {
  // exercise 2.7: true if the engine's gradient is right for each expression that you try.
  // contract.h says what an engine takes.
  using Numbers = std::vector<Number>;
  for (const Expression& expression : std::initializer_list<Expression>{
           [](const Numbers& x) { return x[0] + x[0]; }, [](const Numbers& x) { return x[0] * x[0] - x[1]; },
           [](const Numbers& x) { return exp(x[0]) / x[1]; },
           [](const Numbers& x) {
             const Number a = x[0] * x[1], b = a + a;
             return b * exp(b) - a;
           },
           [](const Numbers& x) {  // 150 ops
             Number y = x[0];
             for (int i = 0; i < 30; ++i) y = y + y * x[1] / (x[0] * x[0] + exp(x[1]));
             return y;
           }})
    for (const Vector& x : {Vector{1.5, -0.7}, Vector{-0.8, 0.6}}) {
      const Vector got = engine(expression, x);
      const Vector right = differences([&](const Vector& at) { return value(expression, at); }, x);
      for (std::size_t i = 0; i < x.size(); ++i)
        if (!(std::abs(got[i] - right[i]) <= 1e-3 * std::abs(right[i]) + 1e-5)) return false;
    }
  return true;
  // end
}

}  // namespace locus
