#include "examine/minimal_pairs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "autograd/ops.h"
#include "base/error.h"
#include "io/file.h"
#include "io/utf8.h"
#include "tasks/support/table.h"

namespace locus {

namespace {

constexpr std::size_t largest_file = 64'000'000;
constexpr double equal_nats = 1e-4;  // per token: sums in another order round otherwise

std::string with_line_ends(std::string words) {
  std::ranges::replace(words, '|', '\n');
  return words;
}

Tokens sorted(Tokens tokens) {
  std::ranges::sort(tokens);
  return tokens;
}

}  // namespace

std::vector<MinimalPair> read_minimal_pairs(const std::string& path, const Task& text_task) {
  const std::string bytes = read_file(find_table(path), largest_file);
  const int unknown = static_cast<int>(text_task.alphabet.size()) - 2;  // <unk>, before <mask>
  std::vector<MinimalPair> pairs;
  int number = 0;
  for (const std::string_view line : lines_in(bytes)) {
    const std::string where = str(path, ":", ++number);
    check_line(where, line);
    const std::vector<std::string> parts = split(line, '\t');
    if (line.empty()) continue;
    if (is_comment(line, pairs.empty())) {
      if (parts.size() == 4 && parse_int(parts[3]))
        fail(where, "a comment, or a pair that begins with '#'? It has three tabs and a distance",
             "if it is a pair, move it below one that does not begin with '#'; if not, take the tabs out");
      continue;
    }
    if (parts.size() != 4)
      fail(where, str(parts.size() - 1, " tabs; there should be 3"),
           "write right<TAB>wrong<TAB>phenomenon<TAB>distance");
    const auto distance = parse_int(parts[3]);
    if (!distance || *distance < 0)
      fail(where, str("the distance '", parts[3], "' should be a whole number"),
           "count the words between what decides and what differs");
    MinimalPair pair{with_line_ends(parts[0]), with_line_ends(parts[1]), parts[2], *distance};
    const Tokens right = text_task.tokens_of(pair.right), wrong = text_task.tokens_of(pair.wrong);
    if (sorted(right) != sorted(wrong))
      fail(where, "the two texts differ in more than the order of their tokens",
           "a minimal pair has the same tokens in two orders");
    pair.unknown = std::ranges::count(right, unknown) > 0;
    if (pair.right == pair.wrong || (right == wrong && !pair.unknown))
      fail(where, "both texts are the same", "write one right and one wrong text");
    pairs.push_back(std::move(pair));
  }
  if (pairs.empty())
    fail(path, "no pairs, only comments", "write right<TAB>wrong<TAB>phenomenon<TAB>distance");
  return pairs;
}

double nats_of(const Run& run, const Real* parameters, const Tokens& given) {
  const Batcher& batcher = run.batcher();
  Tokens read = given;
  std::vector<int> targets = given;
  std::vector<std::size_t> asked = {
      0};  // a pass for each: a decoder needs one, an encoder one for every token
  if (batcher.continues()) {
    const Tokens line_end = run.task().tokens_of("\n");
    read.insert(read.begin(), line_end.begin(), line_end.end());
    read.pop_back();
  } else {
    asked.resize(given.size());
    std::iota(asked.begin(), asked.end(), std::size_t{0});
  }
  const int T = static_cast<int>(read.size());
  if (T > run.model().capacity())
    fail_usage(
        "eval",
        str("a text of the pairs has ", T, " tokens; the model has ", run.model().capacity(), " positions"),
        "leave it out, or train with a larger capacity");
  Tape tape(parameters);
  double nats = 0;
  for (const std::size_t at : asked) {
    Tokens tokens = read;
    if (batcher.hides()) {
      std::ranges::fill(targets, not_scored);
      targets[at] = given[at];
      tokens[at] = batcher.vocabulary() - 1;
    }
    tape.reset();
    const Tensor logits = run.model().logits(tape, inputs_at_test(tape, tokens, T));
    for (const double one : surprisals(logits.value(), logits.shape().last(), targets)) nats += one;
  }
  return nats;
}

double preference(const Run& run, const Real* parameters, const MinimalPair& pair) {
  const Tokens right = run.task().tokens_of(pair.right), wrong = run.task().tokens_of(pair.wrong);
  const double ahead = nats_of(run, parameters, wrong) - nats_of(run, parameters, right);
  if (!std::isfinite(ahead))
    fail("eval", str(computes_no_number, " for the pair '", pair.right, "' and '", pair.wrong, "'"),
         "train again with a smaller --lr");
  if (!(std::abs(ahead) > equal_nats * static_cast<double>(right.size()))) return 0.5;
  return ahead > 0 ? 1 : 0;
}

}  // namespace locus
