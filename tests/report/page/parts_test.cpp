#include "report/page/parts.h"

#include <doctest/doctest.h>

using namespace locus;

TEST_CASE("words: lists and counts as one would say them") {
  CHECK(list_of({}) == "");
  CHECK(list_of({"a"}) == "a");
  CHECK(list_of({"a", "b"}) == "a and b");
  CHECK(list_of({"a", "b", "c"}) == "a, b and c");
  CHECK(some_of({"a", "b", "c", "d", "e"}) == "a, b, c, d and e");
  CHECK(some_of({"a", "b", "c", "d", "e", "f"}) == "a, b, c, d and 2 more");
  CHECK(some_clauses({"a", "b", "c", "d"}) == "a; b; c; d");
  CHECK(some_clauses({"a", "b", "c", "d", "e"}) == "a; b; c; 2 more");
  CHECK(counted(1, "task") == "1 task");
  CHECK(counted(0, "task") == "0 tasks");
  CHECK(code("a`b") == "`a'b`");
}
