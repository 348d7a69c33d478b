#include "tasks/support/spelling.h"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace locus;

TEST_CASE("spelling: words that differ in capitals and signs alone are equal, and no others") {
  const std::vector<std::pair<std::string, std::string>> equal = {
      {"The", "the"},   {"Äpfel", "äpfel"}, {"ŽLUŤ", "žluť"},     {"Ÿ", "ÿ"},
      {"ŁÓDŹ", "łódź"}, {"ΆΣ", "άς"},       {"ΏΡΑ", "ώρα"},       {"МОЛОКО", "молоко"},
      {"ЁЖ", "ёж"},     {"(cat)", "cat"},   {"“yes”", "\"yes\""}, {"don’t", "don't"},
      {"«oui»", "oui"}, {"end…", "end"},    {"Ҳ", "ҳ"},           {"A\u0308pfel", "äpfel"}};
  for (const auto& [one, other] : equal) {
    CAPTURE(one);
    CHECK(spelling_of(one) == spelling_of(other));
    CHECK(look_of(one) != look_of(spelling_of(other)));
  }
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{{"a", "ä"},
                                                                                   {"×", "÷"},
                                                                                   {"ß", "ss"},
                                                                                   {"(", ")"},
                                                                                   {"ı", "i"},
                                                                                   {"cat", "dog"},
                                                                                   {"a-b", "ab"},
                                                                                   {"В", "B"}}) {
    CAPTURE(one);
    CHECK(spelling_of(one) != spelling_of(other));
  }
}

TEST_CASE("spelling: words that look the same are equal, and their code points are named") {
  struct Twin {
    std::string one, other, differ;
  };
  for (const auto& [one, other, differ] :
       std::vector<Twin>{{"caf\u00E9", "cafe\u0301", "U+00E9 and U+0065 U+0301"},
                         {"\u0439", "\u0438\u0306", "U+0439 and U+0438 U+0306"},
                         {"cat", "cat\u00A0", "nothing and U+00A0"},
                         {"cat", "c\u200Bat", "nothing and U+200B"},
                         {"\uFEFFcat", "cat", "U+FEFF and nothing"},
                         {"co\u00ADop", "coop", "U+00AD and nothing"},
                         {"c\u0430t", "cat", "U+0430 and U+0061"},
                         {"\u0412", "B", "U+0412 and U+0042"},
                         {"\u03BF", "o", "U+03BF and U+006F"},
                         {"a\u2010b", "a-b", "U+2010 and U+002D"}}) {
    CAPTURE(differ);
    CHECK(look_of(one) == look_of(other));
    CHECK(differing_code_points(one, other) == differ);
  }
  CHECK(look_of("a\u00A0b") != look_of("ab"));
  CHECK(look_of("\u0431") != look_of("b"));
  CHECK(look_of("Cat") != look_of("cat"));
  CHECK(differing_code_points("\U0001F34E", "a") == "U+1F34E and U+0061");
}
