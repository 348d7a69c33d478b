#include "io/format.h"

#include <doctest/doctest.h>

#include "base/text.h"

using namespace locus;

TEST_CASE(
    "format: a line that fits stays; a long one goes on below what follows its gap, or where it began") {
  struct Case {
    std::string line;
    std::size_t columns;
    std::string fitted;
  };
  for (const Case& one :
       {Case{"a  b\n\n  c d\n", 6, "a  b\n\n  c d\n"},
        {"a  b\n\n  c d\n", std::string::npos, "a  b\n\n  c d\n"},
        {"  --steps N  steps at most, and no more\n", 24,
         "  --steps N  steps at\n             most, and\n             no more\n"},
        {"  a list of words\n", 12, "  a list of\n  words\n"},
        {"  locus train --task sort\n", 14, "  locus train --task sort\n"},
        {"  build/locus train --task sort\n", 14, "  build/locus train --task sort\n"},
        {"\x1b[1ma b c\x1b[0m d e", 8, "\x1b[1ma b c\x1b[0m d e"},
        {"  formula   w,   p(2i/d) of i\n", 25, "  formula   w,   p(2i/d)\n            of i\n"},
        {"in runs/a/results.jsonl, drawn in runs/a\n", 26, "in runs/a/results.jsonl,\ndrawn in runs/a\n"},
        {"saved in runs/previous/sinusoidal\n", 20, "saved in\nruns/previous/sinusoidal\n"}}) {
    CAPTURE(one.line);
    CHECK(fitted(one.line, one.columns) == one.fitted);
  }
}

TEST_CASE("format: numbers print short") {
  CHECK(short_number(0) == "0");
  CHECK(short_number(1.0 / 3) == "0.333");
  CHECK(short_number(12800) == "12800");
  CHECK(short_number(1234.5) == "1234");
  CHECK(short_number(1.25e6) == "1.25e+06");
  CHECK(short_number(-0.00012345) == "-0.000123");
  CHECK(short_number(1e-9) == "1e-09");
  CHECK(fixed(-0.001, 2) == "0.00");
  CHECK(fixed(0.125, 1) == "0.1");
}
