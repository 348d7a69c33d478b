#include "base/text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace locus {

namespace {

template <class Number>
std::string shortest_form(Number number) {
  char buffer[64];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr};
}

}  // namespace

std::string shortest(double number) { return shortest_form(number); }
std::string shortest(float number) { return shortest_form(number); }

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// By strtod, because libc++ has from_chars for doubles only since version 20.
std::optional<double> parse_double(std::string_view text) {
  constexpr std::string_view allowed = "+-.0123456789eE";  // strtod also accepts "0x1", "inf" and " 1"
  const std::string number(text);
  if (number.empty() || number.find_first_not_of(allowed) != std::string::npos) return {};
  char* end = nullptr;
  const double value = std::strtod(number.c_str(), &end);
  if (end != number.c_str() + number.size() || !std::isfinite(value)) return {};
  return value;
}

std::optional<int> parse_int(std::string_view text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return {};
  return value;
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_") == name.npos;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=+:,./%@";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
  std::string out = "'";
  for (const char c : word) out += c == '\'' ? "'\\''" : std::string(1, c);
  return out + "'";
}

}  // namespace locus
