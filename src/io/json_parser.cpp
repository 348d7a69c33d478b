// Parses JSON by recursive descent: one function for each rule of the grammar of RFC 8259.
#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "io/json.h"
#include "io/utf8.h"

namespace locus {

namespace {

constexpr int deepest_nesting = 100;

class Parser {
 public:
  Parser(std::string_view input, std::string_view where) : input_(input), where_(where) {}

  Json parse_all() {
    if (const auto at = find_invalid_utf8(input_); at != std::string_view::npos) {
      at_ = at;
      fail_here("these bytes are not valid UTF-8");
    }
    Json value = parse_value(0);
    skip_space();
    if (at_ < input_.size()) expected("the end of the text");
    return value;
  }

 private:
  Json parse_value(int depth) {
    skip_space();
    if (next() == '{') return parse_object(depth);
    if (next() == '[') return parse_array(depth);
    if (next() == '"') return parse_string();
    if (next() == '-' || is_digit()) return parse_number();
    if (accept("true")) return true;
    if (accept("false")) return false;
    if (accept("null")) return nullptr;
    expected("a value");
  }

  Json parse_object(int depth) {
    enter(depth);
    Json::Object members;
    skip_space();
    if (accept("}")) return members;
    do {
      skip_space();
      if (next() != '"') expected("a key in double quotes");
      std::string key = parse_string();
      skip_space();
      if (!accept(":")) expected(text("':' after the key '", printable(key), "'"));
      Json value = parse_value(depth + 1);
      members.emplace_back(std::move(key), std::move(value));
      skip_space();
    } while (accept(","));
    refuse_duplicate_keys(members);
    if (!accept("}")) expected("',' or '}'");
    return members;
  }

  Json parse_array(int depth) {
    enter(depth);
    Json::Array elements;
    skip_space();
    if (accept("]")) return elements;
    do {
      elements.push_back(parse_value(depth + 1));
      skip_space();
    } while (accept(","));
    if (!accept("]")) expected("',' or ']'");
    return elements;
  }

  std::string parse_string() {
    ++at_;
    std::string out;
    while (!accept("\"")) {
      if (at_ == input_.size()) expected("'\"' to end the string");
      if (static_cast<unsigned char>(next()) < 0x20)
        fail_here("control characters must be escaped, as in \\n");
      if (accept("\\"))
        parse_escape(out);
      else
        out += input_[at_++];
    }
    return out;
  }

  void parse_escape(std::string& out) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (accept("u")) return parse_unicode_escape(out);
    const auto letter = next() == '\0' ? std::string_view::npos : letters.find(next());
    if (letter == std::string_view::npos) expected("one of \" \\ / b f n r t u after '\\'");
    out += meanings[letter];
    ++at_;
  }

  // \uXXXX, or a surrogate pair \uD800-DBFF \uDC00-DFFF for a code past U+FFFF.
  void parse_unicode_escape(std::string& out) {
    char32_t code = parse_four_hex_digits();
    if (code >= 0xDC00 && code <= 0xDFFF) fail_here("a low surrogate without a high one before it");
    if (code >= 0xD800 && code <= 0xDBFF) {
      const char32_t low = accept("\\") && accept("u") ? parse_four_hex_digits() : 0;
      if (low < 0xDC00 || low > 0xDFFF) fail_here("a high surrogate without a low one after it");
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
    }
    append_utf8(out, code);
  }

  char32_t parse_four_hex_digits() {
    unsigned code = 0;
    const std::string_view digits = input_.substr(at_, 4);
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
    if (digits.size() < 4 || end != digits.data() + 4) expected("four hexadecimal digits after '\\u'");
    at_ += 4;
    return code;
  }

  Json parse_number() {
    const std::size_t start = at_;
    accept("-");
    if (!accept("0"))
      skip_digits("a digit");
    else if (is_digit())
      fail_here("a number may not start with 0");
    if (accept(".")) skip_digits("a digit after '.'");
    if (accept("e") || accept("E")) {
      if (!accept("+")) accept("-");
      skip_digits("a digit in the exponent");
    }
    if (const auto number = parse_double(input_.substr(start, at_ - start))) return *number;
    at_ = start;
    fail_here("this number is too large for a double");
  }

  void skip_digits(std::string_view what) {
    if (!is_digit()) expected(what);
    while (is_digit()) ++at_;
  }

  void skip_space() {
    while (at_ < input_.size() && std::string_view(" \t\r\n").find(next()) != std::string_view::npos) ++at_;
  }

  void enter(int depth) {
    if (depth >= deepest_nesting) fail_here(text("nested deeper than ", deepest_nesting));
    ++at_;
  }

  void refuse_duplicate_keys(const Json::Object& members) {
    std::vector<std::string_view> keys;
    for (const auto& member : members) keys.push_back(member.first);
    std::sort(keys.begin(), keys.end());
    const auto twice = std::adjacent_find(keys.begin(), keys.end());
    if (twice != keys.end())
      fail_here(text("the object that ends here has the key '", printable(*twice), "' twice"));
  }

  char next() const { return at_ < input_.size() ? input_[at_] : '\0'; }
  bool is_digit() const { return next() >= '0' && next() <= '9'; }
  bool accept(std::string_view word) {
    if (!input_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  [[noreturn]] void expected(std::string_view what) {
    std::string found = "the end of the text";
    if (at_ < input_.size()) found = text("'", input_.substr(at_, utf8_character(input_, at_).bytes), "'");
    if (static_cast<unsigned char>(next()) < 0x20 && at_ < input_.size()) found = "a control character";
    fail_here(text("expected ", what, ", found ", found));
  }

  [[noreturn]] void fail_here(std::string_view what) {
    const std::string_view before = input_.substr(0, at_);
    const auto line = 1 + std::count(before.begin(), before.end(), '\n');
    const std::size_t byte = at_ - (before.rfind('\n') + 1) + 1;  // npos + 1 is 0: the first line
    const bool lines = input_.find('\n') != std::string_view::npos;
    fail(where_, text(lines ? text("line ", line, ", ") : "", "byte ", byte, ": ", what));
  }

  std::string_view input_;
  std::string_view where_;
  std::size_t at_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, std::string_view where) { return Parser(text, where).parse_all(); }

}  // namespace locus
