#include "lessons/tools/claims.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/random.h"
#include "io/format.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

// What a scheme adds to the score q . k / sqrt(d) of a query at position 0 and a key at position 1 or 3: the difference
// of the two, for one query and key.
double step_of(const std::string& spec, int d, std::uint64_t content) {
  ParameterTable table;
  const auto scheme = make_scheme(spec, {.d_model = d, .heads = 1, .causal = false}, table);
  const auto random_numbers = [](std::size_t count, std::uint64_t seed) {
    Random random(seed, Purpose::testing);
    Reals numbers(count);
    for (Real& number : numbers) number = static_cast<Real>(random.normal());
    return numbers;
  };
  const Reals parameters = random_numbers(table.count(), 1), zeros(9);
  Reals rows = random_numbers(static_cast<std::size_t>(2 * d), content);
  rows.insert(rows.end(), rows.end() - d, rows.end());  // the two keys are alike
  const double places[] = {0, 1, 3};
  const Positions positions{1, 3, places};
  Tape tape(parameters.data());
  const Tensor x = tape.constant({1, 3, d}, rows.data()), q = tape.constant({1, 1, 3, d}, rows.data());
  const Tensor scores = scheme->scores(tape.constant({1, 1, 3, 3}, zeros.data()), {x, q, q, positions, 0});
  return scores.value()[2] - scores.value()[1];
}

const Settles row_41(
    41, "fails: it adds products of content with vectors of i - j; T5 adds a number, whatever the content",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const char* spec : {"t5", "deberta"})
        for (const int d : {8, 32}) {
          double low = 1e9, high = -1e9;
          for (std::uint64_t content = 10; content < 30; ++content) {
            const double step = step_of(spec, d, content);
            low = std::min(low, step);
            high = std::max(high, step);
          }
          supports &= std::string(spec) == "t5" ? high - low < 1e-5 : low < 0 && high > 0;
          words.push_back(str(
              spec, " at head width ", d, ' ',
              high - low < 1e-5 ? "always " + fixed(low, 2) : str(fixed(low, 2), " to ", fixed(high, 2))));
        }
      return Evidence{
          supports,
          str("what a key gains at 3 positions against 1, over 20 queries and keys: ", join(words, ", "),
              "; microsoft/DeBERTa, DeBERTa/deberta/disentangled_attention.py: c2p and p2c are products of "
              "queries and keys with projected vectors of distances")};
    });

}  // namespace

}  // namespace locus
