#include "base/text.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

namespace locus {

namespace {

template <class Number>
void append_number(std::string& out, Number number) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  out.append(buffer, end);
}

}  // namespace

void append_text(std::string& out, std::string_view part) { out += part; }
void append_text(std::string& out, char part) { out += part; }
void append_text(std::string& out, double part) { append_number(out, part); }
void append_text(std::string& out, float part) { append_number(out, part); }
void append_text(std::string& out, long long part) { append_number(out, part); }
void append_text(std::string& out, unsigned long long part) { append_number(out, part); }

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string out;
  for (const auto& part : parts) {
    if (&part != &parts.front()) out += separator;
    out += part;
  }
  return out;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  for (const char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

// strtod, because libc++ has from_chars for doubles only since version 20.
std::optional<double> parse_double(std::string_view text) {
  constexpr std::string_view allowed =
      "+-.0123456789eE";  // strtod also knows hexadecimal, "inf" and leading spaces
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

}  // namespace locus
