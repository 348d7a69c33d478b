// Mirror-blind ceilings, counted by hand.
#include "base/error.h"
#include "lessons/09_alibi/contract.h"

namespace locus {

std::vector<double> mirror_blind_by_hand() {
  // exercise 9.4: four mirror-blind ceilings, counted by hand: fractions, such as 3.0 / 7
  // of `previous` for the input 1 1 2 3; of `previous` for inputs of 12 random digits; of `needle`; of `reverse` for
  // inputs of 12 random digits (the text of the chapter says what each task asks)
  double previous_of_one_input{};
  double previous{};
  double needle{};
  double reverse{};
  fail("exercise 9.4", "still to be written");
  // end
  return {previous_of_one_input, previous, needle, reverse};
}

}  // namespace locus
