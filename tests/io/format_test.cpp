#include "io/format.h"

#include <doctest/doctest.h>

#include "base/text.h"

using namespace locus;

TEST_CASE("format: what fits stays as it is") {
  const std::string prose =
      "This line of prose has the length of a full line, so that the next line would\nbe joined.\n";
  for (const std::string& words : {prose, std::string("a  b\n\n  c d\n"), prose + "  a list\n"})
    for (const std::size_t columns : {std::size_t{77}, std::size_t{80}, std::string::npos})
      CHECK(fitted(words, columns) == words);
}

TEST_CASE("format: a long line goes on below what follows its gap, or where it began") {
  CHECK(fitted("  --steps N  steps at most, and no more\n", 24) ==
        "  --steps N  steps at\n"
        "             most, and\n"
        "             no more\n");
  CHECK(fitted("  a list of words\n", 12) == "  a list of\n  words\n");
  CHECK(fitted("  locus train --task sort\n", 14) == "  locus train --task sort\n");
  CHECK(fitted("  formula   w,   p(2i/d) of i\n", 25) == "  formula   w,\n            p(2i/d) of i\n");
  CHECK(fitted("  train --task before     which came first?\nx", 25) ==
        "  train --task before\n      which came first?\nx");
}

TEST_CASE("format: prose is joined before it is broken, paragraphs and lists are not") {
  const std::string line = "It reads in both directions, with half of its width each, and so on and so on";
  CHECK(fitted(line + "\nuntil the end.\nThe next paragraph\n  a list\n", 60) ==
        "It reads in both directions, with half of its width each,\n"
        "and so on and so on until the end.\nThe next paragraph\n  a list\n");
  for (const char end : {':', '.'})
    CHECK(fitted(line + end + "\nuntil the end.\n", 77).find(text(end, "\nuntil")) != std::string::npos);
}

TEST_CASE("format: a path is never broken, and begins a line of its own if it must") {
  CHECK(fitted("results in runs/a/results.jsonl, drawn in runs/a/report.html\n", 33) ==
        "results in runs/a/results.jsonl,\ndrawn in runs/a/report.html\n");
  CHECK(fitted("saved in runs/previous/sinusoidal\n", 20) == "saved in\nruns/previous/sinusoidal\n");
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
