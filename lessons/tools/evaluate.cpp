#include "lessons/tools/evaluate.h"

#include <algorithm>
#include <limits>

namespace locus {

namespace {

constexpr std::ptrdiff_t around = 256;  // elements before and behind
constexpr Real unwritten = 0;           // no addition, however small, leaves it as it is

Reals guarded(const Reals& values, Real guard) {
  Reals all(values.size() + 2 * around, guard);
  std::ranges::copy(values, all.begin() + around);
  return all;
}
Reals between_nan(const Reals& values) { return guarded(values, std::numeric_limits<Real>::quiet_NaN()); }

// The records of a tape are private. An explicit instantiation may name them all the same: so that a step about one op
// can run its backward without the tape's walk, which learners write as well.
auto& records_of(Tape& tape);
template <auto Records>
struct Open {
  friend auto& records_of(Tape& tape) { return tape.*Records; }
};
template struct Open<&Tape::records_>;

}  // namespace

Array value_of(const Ops& ops, const Reals& parameters) {
  const Reals memory = between_nan(parameters);
  Tape tape(memory.data() + around);
  poison(tape);
  return copy(ops(tape));
}

std::vector<double> gradients_of(const Ops& ops, const Reals& parameters, const std::vector<double>& before,
                                 const std::vector<double>& given) {
  const Reals memory = between_nan(parameters), cotangent = reals(given);
  Reals gradients = guarded(reals(before), unwritten);
  Tape tape(memory.data() + around, gradients.data() + around);
  poison(tape);
  const Tensor result = ops(tape);
  keep_distance(tape);  // of the gradients that backward makes
  if (result.needs_gradient()) tape.backward(result, cotangent.data());
  const auto first = gradients.begin() + around, last = gradients.end() - around;
  const auto written = [](Real value) { return value != unwritten; };
  if (std::any_of(gradients.begin(), first, written) || std::any_of(last, gradients.end(), written))
    note_written_outside();
  return {first, last};
}

void run_last_backward(Tape& tape, const Reals& given) {
  auto& [op, result, call, backward] = records_of(tape).back();
  std::copy_n(given.begin(), result.count(), result.gradient());
  call(backward);
}

Tensor constant(Tape& tape, const Array& x) { return tape.constant(x.shape, reals(x.values).data()); }

}  // namespace locus
