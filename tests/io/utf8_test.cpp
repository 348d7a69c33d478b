#include "io/utf8.h"

#include <doctest/doctest.h>

using namespace locus;

TEST_CASE("utf8: characters of one to four bytes decode and encode") {
  const struct {
    std::string bytes;
    char32_t code;
  } cases[] = {{"A", 0x41},    {"\xC2\x80", 0x80},
               {"é", 0xE9},    {"\xE0\xA0\x80", 0x800},
               {"…", 0x2026},  {"\xF0\x90\x80\x80", 0x10000},
               {"😀", 0x1F600}, {"\xF4\x8F\xBF\xBF", 0x10FFFF}};
  for (const auto& [bytes, code] : cases) {
    CHECK(utf8_character(bytes, 0).code == code);
    CHECK(utf8_character(bytes, 0).bytes == bytes.size());
    std::string out;
    append_utf8(out, code);
    CHECK(out == bytes);
  }
}

TEST_CASE("utf8: overlong forms, surrogates, codes past the end and cut characters are invalid") {
  for (const char* bytes :
       {"\x80", "\xC0\x80", "\xC1\xBF", "\xE0\x80\x80", "\xED\xA0\x80", "\xF0\x80\x80\x80",
        "\xF4\x90\x80\x80", "\xF5\x80\x80\x80", "\xFF", "\xC3", "\xE2\x80", "\xC3(", "\xF0\x9F\x98"}) {
    CAPTURE(bytes);
    CHECK(utf8_character(bytes, 0).bytes == 0);
    CHECK(find_invalid_utf8(std::string("ok é ") + bytes) == 6);
  }
  CHECK(find_invalid_utf8("a é … 😀") == std::string_view::npos);
  CHECK(find_invalid_utf8("") == std::string_view::npos);
}

TEST_CASE("utf8: printable text has no line breaks, escapes or invalid bytes") {
  CHECK(printable("é … 😀~") == "é … 😀~");
  CHECK(printable("a\nb\x1B[31m\x7F\xC2\x9B\xFF\xC3") == "a?b?[31m????");
  CHECK(printable(std::string_view("\0", 1)) == "?");
  CHECK(printable("a\u202Eb\u2066c\u2028d\u0085e") == "a?b?c?d?e");
  CHECK(printable("\u05D0\u200F \u2014 \u2067") == "\u05D0\u200F \u2014 ?");  // Hebrew, and its marks
}

TEST_CASE("utf8: of several lines the line breaks stay, and of inked ones the colours") {
  const std::string given = "a\nb\r\x1B[31mc\x1B[0m\x1B[8md\x1B]0;title\x07\x1B[31";
  CHECK(printable(given, Lines::several) == "a\nb??[31mc?[0m?[8md?]0;title??[31");
  CHECK(printable(given, Lines::inked) == "a\nb?\x1B[31mc\x1B[0m?[8md?]0;title??[31");
}

TEST_CASE("utf8: display width counts columns, not bytes") {
  CHECK(display_width("") == 0);
  CHECK(display_width("rope") == 4);
  CHECK(display_width("naïve") == 5);
  CHECK(display_width("e\xCC\x81") == 1);  // e and a combining accent
  CHECK(display_width("位置") == 4);
  CHECK(display_width("😀") == 2);
  CHECK(display_width("a\xFF") == 2);
}

TEST_CASE("utf8: text is cut to a width between characters, and the cut is visible") {
  CHECK(fit_to_width("rope", 4) == "rope");
  CHECK(fit_to_width("sinusoidal", 4) == "sin…");
  CHECK(fit_to_width("位置編碼", 5) == "位置…");
  CHECK(fit_to_width("位置編碼", 4) == "位…");
  CHECK(fit_to_width("位置", 4) == "位置");
  CHECK(fit_to_width("rope", 0).empty());
  CHECK(fit_to_width("", 0).empty());
}

TEST_CASE("utf8: a user's lines come without their ends and without a byte order mark") {
  using Lines = std::vector<std::string_view>;
  CHECK(lines_in("").empty());
  CHECK(lines_in("\xEF\xBB\xBF").empty());
  CHECK(lines_in("\xEF\xBB\xBF"
                 "a\r\n\nb") == Lines{"a", "", "b"});
  CHECK(lines_in("a\n\n") == Lines{"a", ""});
  CHECK(without_byte_order_mark("a\xEF\xBB\xBF") == "a\xEF\xBB\xBF");
}

TEST_CASE("utf8: below the first row, a line that begins with # is a comment when it has no tab") {
  for (const bool above : {true, false}) {
    CHECK(is_comment("# words", above));
    CHECK_FALSE(is_comment("a # b", above));
    CHECK_FALSE(is_comment("", above));
  }
  CHECK(is_comment("# input\ttarget", true));
  CHECK_FALSE(is_comment("# a\tb", false));
}
