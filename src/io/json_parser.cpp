// Parses JSON by recursive descent: one function for each rule of the grammar of RFC 8259, without those that only
// refuse what would be understood (a key twice, 01, a line break in a string).
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
      if (!accept(":")) expected(str("':' after the key '", printable(key), "'"));
      Json value = parse_value(depth + 1);
      members.emplace_back(std::move(key), std::move(value));
      skip_space();
    } while (accept(","));
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
    if (letter == std::string_view::npos) expected("an escape such as \\n");
    out += meanings[letter];
    ++at_;
  }

  // \uXXXX. Characters past U+FFFF, which take two of them, are written as they are.
  void parse_unicode_escape(std::string& out) {
    unsigned code = 0;
    const std::string_view digits = input_.substr(at_, 4);
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), code, 16).ptr;
    if (digits.size() < 4 || end != digits.data() + 4 || (code >= 0xD800 && code <= 0xDFFF))
      expected("the four hexadecimal digits of a character after '\\u'");
    append_utf8(out, code);
    at_ += 4;
  }

  Json parse_number() {
    const std::size_t end = std::min(input_.find_first_not_of("+-.0123456789eE", at_), input_.size());
    const auto number = parse_double(input_.substr(at_, end - at_));
    if (!number) expected("a number that a double can hold");
    at_ = end;
    return *number;
  }

  void skip_space() {
    while (at_ < input_.size() && std::string_view(" \t\r\n").find(next()) != std::string_view::npos) ++at_;
  }

  void enter(int depth) {
    if (depth >= deepest_nesting) fail_here(str("nested deeper than ", deepest_nesting));
    ++at_;
  }

  char next() const { return at_ < input_.size() ? input_[at_] : '\0'; }
  bool is_digit() const { return next() >= '0' && next() <= '9'; }
  bool accept(std::string_view word) {
    if (!input_.substr(at_).starts_with(word)) return false;
    at_ += word.size();
    return true;
  }

  [[noreturn]] void expected(std::string_view what) { fail_here(str("expected ", what)); }
  [[noreturn]] void fail_here(std::string_view what) { fail(where_, str("byte ", at_ + 1, ": ", what)); }

  std::string_view input_;
  std::string_view where_;
  std::size_t at_ = 0;
};

}  // namespace

Json parse_json(std::string_view text, std::string_view where) { return Parser(text, where).parse_all(); }

}  // namespace locus
