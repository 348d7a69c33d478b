// The influence of each token on the last state of a network whose tokens and states are single numbers.
#include <cmath>

#include "lessons/04_recurrent/contract.h"

namespace locus {

// exercise 4.4: influence(), from blank: contract.h says what it must do
std::vector<double> influence(const std::vector<double>& x, double w, double u) {
  std::vector<double> h = {0};  // before the first token, then after each
  for (const double token : x) h.push_back(std::tanh(w * token + u * h.back()));
  std::vector<double> of_token(x.size());
  double of_state = 1;  // the derivative of the last state with respect to the state after token t
  for (std::size_t t = x.size(); t-- > 0;) {
    const double slope = 1 - h[t + 1] * h[t + 1];  // of tanh
    of_token[t] = of_state * slope * w;
    of_state *= slope * u;
  }
  return of_token;
}
// end

}  // namespace locus
