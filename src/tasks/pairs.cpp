// Pairs: two bridges in a protein chain, each between two distant cysteines (here A to A and B to B). Are
// they apart (A A B B), is one nested in the other (A B B A), or do they cross (A B A B)? Each is a third of
// all orders, so without order nothing beats one in three.
#include "tasks/support/toy.h"

namespace locus::tasks::pairs {

constexpr int residues = 8, bridge_a = 8, bridge_b = 9, apart = 10, nested = 11, crossed = 12;

Tokens sample(Random& random, int length) {
  Tokens input = sample_below(residues, random, length - 4);
  input.insert(input.end(), {bridge_a, bridge_a, bridge_b, bridge_b});
  shuffle_all(random, input);
  return input;
}

bool accepts(const Tokens& input) {
  return std::ranges::count(input, bridge_a) == 2 && std::ranges::count(input, bridge_b) == 2 &&
         std::ranges::max(input) <= bridge_b;
}

Tokens solve(const Tokens& input) {
  Tokens ends = input;
  std::erase_if(ends, [](int token) { return token < residues; });
  return {ends[0] == ends[1] ? apart : ends[0] == ends[3] ? nested : crossed};
}

const RegisterTask pairs{{.name = "pairs",
                          .summary = "two bridges, A to A and B to B: apart, nested or crossed",
                          .form = Form::classification,
                          .alphabet = numbers(residues, {"A", "B", "apart", "nested", "crossed"}),
                          .sample = sample,
                          .accepts = accepts,
                          .solve = solve,
                          .shortest = 4,
                          .layout = "A twice, B twice, and digits between",
                          .example = "A 3 B 1 B 2 A"}};

}  // namespace locus::tasks::pairs
