#include "base/text.h"

#include <doctest/doctest.h>

#include "tensor/shape.h"

using namespace locus;

TEST_CASE("text: parts of any kind are joined, numbers in the shortest form that reads back") {
  CHECK(str("a is ", 3, ", b is ", 0.1, ' ', std::string("end")) == "a is 3, b is 0.1 end");
  CHECK(str(1e100) == "1e+100");
  CHECK(str(0.1f) == "0.1");
  CHECK(str(std::size_t{18446744073709551615u}) == "18446744073709551615");
  CHECK(str(Shape{8, 16}) == "(8,16)");
}

TEST_CASE("text: join and split undo each other") {
  const std::vector<std::string> parts{"a", "", "b c"};
  CHECK(join(parts, ",") == "a,,b c");
  CHECK(split("a,,b c", ',') == parts);
  CHECK(split("", ',') == std::vector<std::string>{""});
  CHECK(join({}, ",").empty());
}

TEST_CASE("text: a number is parsed only when it is the whole text, and finite") {
  CHECK(parse_double("-1.5e3") == -1500);
  CHECK(parse_double("7") == 7);
  for (const char* wrong : {"", " 1", "1 ", "1x", "0x10", "inf", "nan", "1e999", "--1", ".", "e5"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_double(wrong).has_value());
  }
  CHECK(parse_int("-12") == -12);
  for (const char* wrong : {"", " 1", "1.0", "1x", "2147483648", "+1"}) {
    CAPTURE(wrong);
    CHECK_FALSE(parse_int(wrong).has_value());
  }
}

TEST_CASE("text: a word is quoted when a shell would read anything into it") {
  CHECK(shell_word("rope:base=100,layout=half") == "rope:base=100,layout=half");
  CHECK(shell_word("rope none") == "'rope none'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$(rm -r x)") == "'$(rm -r x)'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("a;b") == "'a;b'");
}
