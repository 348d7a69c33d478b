#include "cli/arguments.h"

#include <doctest/doctest.h>

#include "../support/errors.h"

using namespace locus;

namespace {

const std::vector<OptionSpec> options = {{"--steps", "N", "steps"},
                                         {"--lr", "X", "rate"},
                                         {"--out", "DIR", "folder"},
                                         {"--lengths", "A,B", "lengths"},
                                         {"--schemes", "S1,S2", "schemes", true},
                                         {"--datasets", "F,G", "tables", true},
                                         {"--full", "", "a switch"}};

Arguments parse(std::vector<std::string> words, std::size_t most_positional = 0) {
  return {"do", options, words, 0, most_positional};
}

// Every refusal must be one of usage, so that the program exits with 2.
template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const UsageError& error) {
    return error.what();
  }
  return "no usage error";
}
std::string refusal_of(std::vector<std::string> words) {
  return refusal([&] { parse(words); });
}

const std::string see_help = ". Hint: `locus help do` shows how it is used";

}  // namespace

TEST_CASE("arguments: a value stands after its option or behind '='") {
  for (const Arguments& a : {parse({"--steps", "5", "--full"}), parse({"--full", "--steps=5"})}) {
    CHECK(a.given("--steps"));
    CHECK(a.given("--full"));
    CHECK_FALSE(a.given("--lr"));
    CHECK(a.integer("--steps", 7, 1, 10) == 5);
    CHECK(a.number("--lr", 0.5, 0, 1) == 0.5);
    CHECK(a.text("--out", "here") == "here");
  }
  CHECK(parse({"--out=a=b"}).text("--out") == "a=b");
  CHECK(parse({"--lr", "-2.5e-1"}).number("--lr", 0, -1, 1) == -0.25);
}

TEST_CASE("arguments: words that belong to no option are positional, in order") {
  CHECK(parse({"a", "--steps", "5", "b", "-c"}, 3).positional() == std::vector<std::string>{"a", "b", "-c"});
  CHECK(refusal_of({"--full", "yes"}) == "[do] 'yes' is one word too many" + see_help);
  CHECK(refusal([] { Arguments("do", options, {"a"}, 2, 2); }) == "[do] a word is missing" + see_help);
  CHECK(refusal([] { Arguments("do", options, {"a"}, 2, 2, "THIS THAT"); }) ==
        "[do] a word is missing: `locus do THIS THAT`" + see_help);
  CHECK(refusal_of({"--full", "18"}) ==
        "[do] '18' is one word too many. Hint: separate several numbers by commas: 12,18");
}

TEST_CASE(
    "arguments: a list takes words up to the next option, and again; commas separate names, but not inside a "
    "spec") {
  using Names = std::vector<std::string>;
  CHECK(parse({"--schemes", "a,b", "c", "--full"}).names("--schemes") == Names{"a", "b", "c"});
  CHECK(parse({"--schemes", "a", "--schemes", "b"}).names("--schemes") == Names{"a", "b"});
  CHECK(parse({"--schemes=a b,c"}).names("--schemes") == Names{"a", "b", "c"});
  CHECK(parse({"--schemes", "none,learned", "rope:base=100,layout=half"}).names("--schemes") ==
        Names{"none", "learned", "rope:base=100,layout=half"});
  CHECK(parse({"--schemes", "x:k=1,j=2 y"}).names("--schemes") == Names{"x:k=1,j=2", "y"});
  CHECK(parse({}).names("--schemes").empty());
}

TEST_CASE("arguments: a list that names nothing is refused, never taken for the default") {
  CHECK(refusal([] {
          parse({"--schemes", ","}).names("--schemes");
        }) == "[do] --schemes ',' names nothing. Hint: leave it out for the default");
  CHECK(refusal([] {
          parse({"--schemes", " ", ", ,"}).names("--schemes");
        }).starts_with("[do] --schemes '  , ,' names nothing"));
}

TEST_CASE("arguments: unknown options are answered with the nearest, and with no list of all") {
  CHECK(refusal_of({"--step", "5"}) == "[do] there is no option --step. Hint: did you mean '--steps'?");
  CHECK(refusal_of({"--"}) == "[do] there is no option --" + see_help);
  CHECK(refusal_of({"--=5"}) == "[do] there is no option --" + see_help);
  CHECK(refusal([] { Arguments("do", {}, {"--x"}, 0, 0); }) == "[do] there is no option --x" + see_help);
}

TEST_CASE("arguments: values that are missing, empty, too many or there twice are refused") {
  CHECK(refusal_of({"--steps"}) == "[do] --steps needs a value: --steps N" + see_help);
  CHECK(refusal_of({"--steps", "--full"}) == "[do] --steps needs a value: --steps N" + see_help);
  CHECK(refusal_of({"--steps="}) == "[do] --steps needs a value: --steps N" + see_help);
  CHECK(refusal_of({"--steps", ""}) == "[do] --steps needs a value: --steps N" + see_help);
  CHECK(refusal_of({"--schemes", "a", ""}) == "[do] --schemes needs a value: --schemes S1,S2" + see_help);
  CHECK(refusal_of({""}) == "[do] an argument is empty" + see_help);
  CHECK(refusal_of({"--full=yes"}) == "[do] --full takes no value" + see_help);
  CHECK(refusal_of({"--full="}) == "[do] --full takes no value" + see_help);
  CHECK(refusal_of({"--steps", "1", "--steps", "2"}) == "[do] --steps is given twice. Hint: give it once");
  CHECK(refusal_of({"--full", "--full"}) == "[do] --full is given twice. Hint: give it once");
}

TEST_CASE("arguments: numbers are read whole, and only within their range") {
  const auto whole = [](const std::string& value) {
    return refusal([&] { parse({"--steps", value}).integer("--steps", 1, 1, 100); });
  };
  for (const char* good : {"1", "100", "007"}) CHECK(whole(good) == "no usage error");
  for (const char* bad : {"five", "5x", "5.0", "1e2", "+5", " 5", "0x5", "1.5"})
    CHECK(whole(bad) ==
          str("[do] --steps '", bad, "' is not a whole number. Hint: give a whole number from 1 to 100"));
  for (const char* bad : {"0", "-1", "101", "99999999999999999999"})
    CHECK(whole(bad) ==
          str("[do] --steps ", bad, " is out of range. Hint: give a whole number from 1 to 100"));

  const auto number = [](const std::string& value) {
    return refusal([&] { parse({"--lr", value}).number("--lr", 0.1, 0.001, 10); });
  };
  for (const char* good : {"0.001", "10", "1e-2", ".5"}) CHECK(number(good) == "no usage error");
  for (const char* bad : {"fast", "0.1x", "1,5", "1e999", "nan", "inf", "-inf"})
    CHECK(number(bad) == str("[do] --lr '", bad, "' is not a number. Hint: give a number from 0.001 to 10"));
  for (const char* bad : {"0", "-0.5", "10.5"})
    CHECK(number(bad) == str("[do] --lr ", bad, " is out of range. Hint: give a number from 0.001 to 10"));
}

TEST_CASE("arguments: a list of numbers is checked number by number") {
  CHECK(parse({"--lengths", "12,18,24"}).integers("--lengths", 1, 100) == std::vector{12, 18, 24});
  CHECK(parse({"--lengths=7"}).integers("--lengths", 1, 100) == std::vector{7});
  CHECK(parse({}).integers("--lengths", 1, 100).empty());
  for (const char* bad : {"12,", ",12", "12,,18", "12;18", "1-3"})
    CHECK(refusal([&] {
            parse({"--lengths", bad}).integers("--lengths", 1, 100);
          }).find("is not a whole number. Hint: give a whole number from 1 to 100") != std::string::npos);
  CHECK(refusal([] {
          parse({"--lengths", "12,101"}).integers("--lengths", 1, 100);
        }) == "[do] --lengths 101 is out of range. Hint: give a whole number from 1 to 100");
}

TEST_CASE("arguments: lengths are a list of numbers and ranges, each once") {
  const auto lengths = [](const std::string& value) {
    return parse({"--lengths=" + value}).lengths("--lengths", 5000);
  };
  CHECK(lengths("2-5") == std::vector{2, 3, 4, 5});
  CHECK(lengths("24,2-4,3,12") == std::vector{24, 2, 3, 4, 12});
  CHECK(lengths("7") == std::vector{7});
  CHECK(lengths("1-1000").size() == 1000);
  CHECK(parse({}).lengths("--lengths", 5000).empty());
  CHECK(refusal([&] { lengths("12-2"); }) ==
        "[do] --lengths '12-2': 12 is larger than 2. Hint: the smaller one first: 2-12");
  for (const char* huge : {"1-1001", "1-1000,1001", "7,1000-2999"})
    CHECK(refusal([&] { lengths(huge); }) ==
          str("[do] --lengths '", huge, "' holds more than 1000 lengths. Hint: name fewer"));
  CHECK(refusal([&] { lengths("2-5001"); }) ==
        "[do] --lengths '2-5001' is not a range of lengths from 1 to 5000. Hint: for example 12 or 2-12");
  CHECK(
      refusal([&] { lengths("4,x"); }) ==
      "[do] --lengths 'x' is not a whole number. Hint: lengths are whole numbers or ranges of them: 12,18,24 or "
      "2-12");
  for (const char* bad : {"0", "-2", "5001", "0-5", "2-", "2-3-4", "1-1000000000000"})
    CHECK(refusal([&] { lengths(bad); }) != "no usage error");
}

TEST_CASE("arguments: a path may hold spaces and commas") {
  const auto paths = [](std::vector<std::string> words) {
    words.insert(words.begin(), "--datasets");
    return parse(words).paths("--datasets");
  };
  CHECK(paths({"my tables/a, b.tsv"}) == std::vector<std::string>{"my tables/a, b.tsv"});
  CHECK(paths({"a.tsv,b c.txt d.tsv", "e f"}) ==
        std::vector<std::string>{"a.tsv", "b c.txt", "d.tsv", "e f"});
  CHECK(paths({"a.tsv, b.tsv,"}) == std::vector<std::string>{"a.tsv", "b.tsv"});
  CHECK(parse({}).paths("--datasets").empty());
  CHECK(refusal([&] { paths({" ", ","}); }).starts_with("[do] --datasets '  ,' names nothing"));
}
