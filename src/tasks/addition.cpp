// Addition: two numbers of n digits, least significant first, so that carries go in the order in which a
// decoder writes. Digits of equal weight are n + 1 positions apart: the distance grows with the length.
//
// After Lee et al. 2023, "Teaching Arithmetic to Small Transformers" (reversed digits).
#include "tasks/support/toy.h"

namespace locus::tasks::addition {

constexpr int plus = 10, equals = 11;  // tokens below 10 are the digits they name

Tokens sample(Random& random, int length) {
  Tokens input = sample_digits(random, length);
  input[input.size() / 2 - 1] = plus;
  input.back() = equals;
  return input;
}

bool accepts(const Tokens& input) {
  Tokens digits = input;
  if (input[input.size() / 2 - 1] != plus || input.back() != equals) return false;
  digits[input.size() / 2 - 1] = digits.back() = 0;
  return accept_below<10>(digits);
}

Tokens solve(const Tokens& input) {
  const std::size_t digits = input.size() / 2 - 1;
  Tokens sum;
  int carry = 0;
  for (std::size_t i = 0; i < digits; ++i) {
    const int value = input[i] + input[digits + 1 + i] + carry;
    sum.push_back(value % 10);
    carry = value / 10;
  }
  sum.push_back(carry);
  return sum;
}

const RegisterTask addition{{.name = "addition",
                             .summary = "the sum of two numbers; all begin with the least significant digit",
                             .form = Form::generation,
                             .alphabet = numbers(10, {"+", "="}),
                             .sample = sample,
                             .accepts = accepts,
                             .solve = solve,
                             .shortest = 4,
                             .step = 2,
                             .layout = "n digits, +, n digits, =: 2n + 2 tokens; the sum has n + 1",
                             .example = "3 8 + 9 4 ="}};

}  // namespace locus::tasks::addition
