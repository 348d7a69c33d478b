// Mirror-blind ceilings, counted by hand.
#include "lessons/09_alibi/contract.h"

namespace locus {

std::vector<double> mirror_blind_by_hand() {
  // exercise 9.4: four mirror-blind ceilings, counted by hand: fractions, such as 3.0 / 7
  // of `previous` for the input 1 1 2 3; of `previous` for inputs of 12 random digits; of `needle`; of `reverse` for
  // inputs of 12 random digits (the text of the chapter says what each task asks)
  double previous_of_one_input = 5.0 / 8;
  double previous = 11.0 / 20;
  double needle = 2.0 / 3;
  double reverse = 1;
  // end
  return {previous_of_one_input, previous, needle, reverse};
}

}  // namespace locus
