#include "tasks/support/table_mistakes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <functional>

#include "../support/temporary_folder.h"
#include "base/text.h"
#include "io/file.h"
#include "tasks/support/table_giveaways.h"

using namespace locus;

namespace {

std::vector<std::string> mistakes_in(const std::string& rows) {
  const TemporaryFolder folder;
  const std::string path = folder / "table.tsv";
  write_file_atomically(path, rows);
  return table_mistakes(Table(path), read_table_rows(path));
}

// Whether one of the mistakes begins so.
bool finds(const std::string& rows, const std::string& beginning) {
  const std::vector<std::string> mistakes = mistakes_in(rows);
  CAPTURE(join(mistakes, "\n"));
  const bool found =
      std::ranges::any_of(mistakes, [&](const std::string& words) { return words.starts_with(beginning); });
  CHECK(found);
  return found;
}

// The rows of 225 bags of two nouns and a verb: those that `write` makes of each, of which the first noun is the
// smaller one.
using Write = std::function<std::string(const std::string& x, const std::string& y, const std::string& verb)>;
std::string rows_of(const Write& write) {
  std::string rows;
  for (const char* verb : {"saw", "met", "bit", "led", "hit"})
    for (char x = 'a'; x <= 'j'; ++x)
      for (char y = static_cast<char>(x + 1); y <= 'j'; ++y)
        rows += write(std::string(1, x), std::string(1, y), verb);
  return rows;
}

// Who was seen, with the verb in the middle or first. 900 rows.
std::string good(const std::string& x, const std::string& y, const std::string& verb) {
  return str(x, " ", verb, " ", y, "\t", y, "\n", y, " ", verb, " ", x, "\t", x, "\n", verb, " ", y, " ", x,
             "\t", y, "\n", verb, " ", x, " ", y, "\t", x, "\n");
}

}  // namespace

TEST_CASE("table mistakes: a good table has none, and neither has any that comes with Locus") {
  CHECK(join(mistakes_in(rows_of(good)), "\n") == "");
  for (const char* name : {"who_chased_whom", "before_after", "far_pairs", "dates", "cadences", "recipes",
                           "open_files", "genes", "negation"}) {
    CAPTURE(name);
    const std::string path = str("datasets/", name, ".tsv");
    CHECK(join(table_mistakes(Table(path), read_table_rows(path)), "\n") == "");
  }
}

TEST_CASE("table mistakes: bags of words in one order only") {
  const std::string rows = rows_of([](auto& x, auto& y, auto& verb) {
    return (x[0] + y[0]) % 2 == 0 ? str(x, " ", verb, " ", y, "\t", y, "\n")
                                  : str(verb, " ", x, " ", y, "\t", x, "\n");
  });
  const std::vector<std::string> mistakes = mistakes_in(rows);
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].find(" occur in one order only") != std::string::npos);
  CHECK(mistakes[0].find(": line ") != std::string::npos);
}

TEST_CASE("table mistakes: the words alone give the answer away") {
  CHECK(finds(
      rows_of([](auto& x, auto& y, auto& verb) {
        return str(x, " ", verb, " ", y, "\t", x, "\n", y, " ", verb, " ", x, "\t", x, "\n");
      }),
      "the words alone give the answer away in 225 of the 225 bags of words that occur in several orders: all "
      "orders have the same answer (line "));
  // In labelling: each word of a bag has one label.
  CHECK(finds(rows_of([](auto& x, auto& y, auto& verb) {
                return str(x, " ", verb, " ", y, "\tlow verb high\n", y, " ", verb, " ", x,
                           "\thigh verb low\n");
              }),
              "the words alone give the answer away in 225 of the 225"));
  // One bag in fifty may.
  const std::string few =
      "a saw c too\tc\nc saw a too\tc\n" + rows_of([](auto& x, auto& y, auto& verb) {
        return str(x, " ", verb, " ", y, " now\t", x, "\n", y, " ", verb, " ", x, " now\t", y, "\n");
      });
  for (const std::string& mistake : mistakes_in(few)) CHECK(!mistake.starts_with("the words alone"));
}

TEST_CASE("table mistakes: one answer for nearly everything") {
  const auto rows = [](int of_ten) {
    return rows_of([=](auto& x, auto& y, auto& verb) {
      const bool rare = (x[0] + 3 * y[0] + verb[0]) % 10 < of_ten;
      return str(x, " ", verb, " ", y, "\tyes\n", y, " ", verb, " ", x, rare ? "\tno\n" : "\tyes\n");
    });
  };
  CHECK(finds(rows(2),
              "'yes' is 405 of the 450 answers (90 %), which a model gets that reads nothing. "
              "Write more rows with other answers, as line "));
  CHECK(finds(rows(0), "'yes' is 450 of the 450 answers (100 %)"));
  for (const std::string& mistake : mistakes_in(rows(10))) CHECK(!mistake.starts_with("'yes' is"));
}

TEST_CASE("table mistakes: the number of words tells the answer") {
  CHECK(finds(
      rows_of([](auto& x, auto& y, auto& verb) {
        return str(x, " ", verb, " ", y, "\tyes\n", "the ", y, " ", verb, " ", x, "\tno\n");
      }),
      "the number of words alone gives 100 % of the answers, and the most frequent answer 50 %: of 225 rows of "
      "3 words 225 have 'yes' (line 1: a saw b -> yes)"));
}

TEST_CASE("table mistakes: a word tells the answer") {
  CHECK(finds(
      rows_of([](auto& x, auto& y, auto& verb) {
        return str(x, " ", verb, " ", y, " now\tyes\n", y, " ", verb, " ", x, " not\tno\n");
      }),
      "2 words have the same answer wherever they occur, so nothing else need be read: 'not' has 'no' 225 "
      "times"));
  // In labelling, when they are half of the tokens.
  CHECK(finds(
      rows_of([](auto& x, auto& y, auto& verb) {
        return str(x, " and ", verb, " ", y, "\t+ - - -\n", verb, " ", y, " and ", x, "\t- + - -\n");
      }),
      "6 words have the same label wherever they occur, so nothing else need be read: 'and' has '-' 450 times"));
}

TEST_CASE("table mistakes: the place of the answer is always the same") {
  const auto rows = [](const char* before, const char* after) {
    return rows_of([=](auto& x, auto& y, auto& verb) {
      return str(before, x, " ", verb, " ", y, "\t", x, "\n", y, " ", verb, " ", x, after, "\t", y, "\n");
    });
  };
  CHECK(finds(rows("", ""),
              "the answer of 450 of the 450 rows is word 1 of the input (line 1: a saw b -> a), so its "
              "place is enough"));
  for (const std::string& mistake : mistakes_in(rows("the ", " too now")))
    CHECK(!mistake.starts_with("the answer of"));
}

TEST_CASE("table mistakes: rows that are there twice") {
  const std::string rows = rows_of(good);
  CHECK(finds(rows + "a saw b\tb\n",
              "1 row repeats an earlier one and counts for nothing (line 901). Take it out"));
  CHECK(finds(rows + "a saw b\tb\nc saw d\td\n",
              "2 rows repeat an earlier one and count for nothing (line 901 is the first). Take them out"));
}

TEST_CASE("table mistakes: a long row is shown in part, in whole characters") {
  CHECK(shortened("a short one") == "a short one");
  CHECK(shortened(str(std::string(100, 'x'), " y")) == str(std::string(60, 'x'), " ..."));
  CHECK(shortened(str("one ", std::string(100, 'x'))) == "one ...");
  std::string accented = "x";
  for (int i = 0; i < 50; ++i) accented += "é";
  CHECK(shortened(accented) == str(accented.substr(0, 59), " ..."));
}

TEST_CASE("table mistakes: too few rows to test") {
  std::string rows = rows_of(good);
  rows += "now a saw c\tc\nnow c saw a\ta\nnow b saw c\tc\nnow c saw b\tb\n";
  const auto mistakes = mistakes_in(rows);
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].starts_with(
      "1 length has fewer than 40 rows to test, too few to tell models apart: 4 words, "));
  CHECK(mistakes[0].find(" of 4 rows (line 904: now c saw b -> b). One bag") != std::string::npos);
}

TEST_CASE("table mistakes: words that only test rows have") {
  // The verb has a sign: one of two, or one of its own for each two nouns.
  const auto rows = [](bool own) {
    return rows_of([=](auto& x, auto& y, auto& verb) {
      return good(x, y, verb + (own ? x + y : std::to_string(x[0] % 2)));
    });
  };
  CHECK(join(mistakes_in(rows(false)), "\n") == "");
  const auto mistakes = mistakes_in(rows(true));
  REQUIRE(mistakes.size() == 1);
  CHECK(mistakes[0].find(" test rows have a word that no row to train on has, such as '") !=
        std::string::npos);
}

TEST_CASE("table mistakes: one word in two spellings") {
  const std::string rows = rows_of(good) + "The, saw the\tthe\n";
  CHECK(finds(rows,
              "'The,' (line 901) and 'the' (line 901) are two words to a model, though they differ in "
              "capitals or signs alone. Write"));
}

TEST_CASE("table mistakes: where an answer may have any number of words, its rows alone are looked at") {
  const std::string rows = rows_of([](auto& x, auto& y, auto& verb) {
    return str(x, " ", verb, " ", y, "\tyes yes\n", y, " ", verb, " ", x, "\tyes yes\n");
  });
  CHECK(mistakes_in(rows).empty());
  CHECK(finds(rows + "a saw b\tyes yes\n", "1 row repeats"));
}

TEST_CASE("table mistakes: words that look the same are told apart by their code points") {
  CHECK(finds(
      rows_of(good) + "cat saw c\u0430t\tcat\n",  // more: spelling_test.cpp
      "'cat' (line 901) and 'c\u0430t' (line 901) are two words to a model, though they look the same (they "
      "differ in U+0061 and U+0430). Write both"));
  for (const std::string& mistake : mistakes_in(rows_of(good) + "cat saw c\u200Bat\tcat\n"))
    CHECK(mistake.find("capitals or signs") == mistake.npos);
}
