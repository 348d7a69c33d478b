#include "base/error.h"

#include <doctest/doctest.h>

#include "io/utf8.h"

using namespace locus;

TEST_CASE("error: one line says where, what and what would be right") {
  CHECK(error_line("rope", "the head width is 7", "use an even one") ==
        "[rope] the head width is 7. Hint: use an even one");
  CHECK(error_line("rope", "the head width is 7", "") == "[rope] the head width is 7");
  CHECK_THROWS_WITH_AS(fail("a", "b", "c"), "[a] b. Hint: c", Error);
  CHECK_THROWS_WITH_AS(fail_usage("a", "b"), "[a] b", UsageError);
}

TEST_CASE("error: of a very long line the middle is left out, between characters") {
  for (const char* character : {"x", "\u00e9", "\u20ac", "\U0001F600"}) {
    std::string name;
    for (int i = 0; i < 3000; ++i) name += character;
    const std::string line = error_line("f", name, "shorten it");
    CHECK(line.size() <= longest_error + 5);
    CHECK(line.size() > longest_error - 10);
    CHECK(find_invalid_utf8(line) == line.npos);
    CHECK(line.starts_with("[f] "));
    CHECK(line.ends_with("Hint: shorten it"));
  }
}

TEST_CASE("error: a misspelt name is answered with the nearest valid one, or else with all of them") {
  const std::vector<std::string> names{"alibi", "rope", "sinusoidal"};
  CHECK(nearest_names("sinusodal", names) == "did you mean 'sinusoidal'?");
  CHECK(nearest_names("rpoe", names) == "did you mean 'rope'?");
  CHECK(nearest_name("rpoe", {"pope", "rope"}) == "rope");  // two neighbours swapped are one mistake
  CHECK(nearest_names("Rope", {"cope", "rope"}) == "did you mean 'rope'?");
  CHECK(nearest_name("nope", {"copy", "none2", "rope2"}).empty());  // two letters of four are wrong
  CHECK(nearest_name("xy", {"xz"}) == "xz");
  CHECK(nearest_name("x", {"y"}).empty());
  CHECK(nearest_name("revrce", {"reverse"}) == "reverse");  // two of six
  CHECK(nearest_names("transformer", names) == "valid: alibi, rope, sinusoidal");
  CHECK(nearest_names("x", {}).empty());
}
