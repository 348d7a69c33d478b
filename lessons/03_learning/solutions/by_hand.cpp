// Order-blind ceilings of three tokens, counted by hand.
#include "base/error.h"
#include "lessons/03_learning/contract.h"

namespace locus {

std::vector<double> ceilings_by_hand() {
  // exercise 3.4: four order-blind ceilings, counted by hand: fractions, such as 3.0 / 7
  // of `before` for A, B, 3; of `previous` for 1, 2, 3; of `first` for 1, 1, 2; of `parity` for a, b, b
  // (the text of the chapter says what each task asks)
  double before_a_b_x = 1.0 / 2;
  double previous_all_different = 1.0 / 3;
  double first_two_alike = 2.0 / 3;
  double parity_a_b_b = 1;
  // end
  return {before_a_b_x, previous_all_different, first_two_alike, parity_a_b_b};
}

}  // namespace locus
