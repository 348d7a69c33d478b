#include "cli/answer_text.h"

#include <doctest/doctest.h>

#include <algorithm>

#include "../support/made_up_answer.h"
#include "../support/tiny_run.h"
#include "base/text.h"

using namespace locus;

namespace {

std::size_t longest_line(const std::string& lines) {
  std::size_t longest = 0;
  for (const std::string& line : split(lines, '\n')) longest = std::max(longest, line.size());
  return longest;
}

}  // namespace

TEST_CASE("answer text: of a table, that no row has this input, and lengths that were not trained") {
  Training training(tiny_table_settings("datasets/who_chased_whom.tsv"));
  const Answer unknown =
      ask(training.run, training.trainer.parameters().data(), read_tokens(training.run.task(), "dog"));
  const std::string said = answer_text(unknown, training.run, 80, false);
  CHECK(said.ends_with("\nthe right answer is not known: no row of 'who_chased_whom' has this input\n"));
  CHECK(said.starts_with("warning: length 1 was never trained (trained at 5 to 8)\ninput "));
}

TEST_CASE("answer text: wrong tokens are marked below, and lines fit the width") {
  const Run run(tiny_settings("sort", "none"));
  CHECK(answer_text(made_up_answer({1, 3, 3}, Tokens{1, 2, 3}), run, 80, false) ==
        "warning: length 3 was never trained (trained at 6)\n"
        "input        1 2 3\n"
        "answer       1    3    3\n"
        "probability  0.50 0.50 0.50\n"
        "target       1    2    3\n"
        "wrong             ^\n"
        "wrong: 1 of 3 tokens\n");
  const Answer good = made_up_answer({1}, Tokens{1});
  const std::string coloured = answer_text(good, run, 80, true), plain = answer_text(good, run, 80, false);
  CHECK(coloured.find("\x1b[32mright\x1b[0m") != std::string::npos);
  CHECK(plain.find("\nright\n") != std::string::npos);
  Answer long_one = made_up_answer(Tokens(100, 3), Tokens(100, 4));
  long_one.input = Tokens(100, 1);
  for (const std::size_t width : {20u, 40u, 80u, 200u}) {
    const std::string lines = answer_text(long_one, run, width, false);
    CHECK(longest_line(lines) <= width);
    CHECK(std::ranges::count(lines, '^') == 100);
    CHECK(std::ranges::count(lines, '4') == 100);
  }
}
