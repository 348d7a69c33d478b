#include "base/shell.h"

#include <doctest/doctest.h>

using namespace locus;

TEST_CASE("shell: a word is quoted when a shell would read anything into it") {
  CHECK(shell_word("rope:base=100,layout=half") == "rope:base=100,layout=half");
  CHECK(shell_word("rope none") == "'rope none'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$(rm -r x)") == "'$(rm -r x)'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("a;b") == "'a;b'");
}
