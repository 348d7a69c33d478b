// Builds and parses short texts: messages, lists, numbers, words of a shell command.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace locus {

// The shortest decimal form that reads back exactly: "0.1", "1e+100".
std::string shortest(double number);
std::string shortest(float number);

// Appends text, a character, a number, or anything with a to_string of its own (a Shape, say).
template <class T>
void append_text(std::string& out, const T& part) {
  using std::to_string;
  if constexpr (std::convertible_to<T, std::string_view>)
    out += std::string_view(part);
  else if constexpr (std::same_as<T, char>)
    out += part;
  else if constexpr (std::floating_point<T>)
    out += shortest(part);
  else
    out += to_string(part);
}

// str("a is ", 3, ", b is ", 0.5) -> "a is 3, b is 0.5"
template <class... Parts>
std::string str(const Parts&... parts) {
  std::string out;
  (append_text(out, parts), ...);
  return out;
}

// join({"a", "b"}, ", ") -> "a, b"; likewise for a range of numbers or of anything else that str() takes.
template <class Range = std::vector<std::string>>
std::string join(const Range& parts, std::string_view separator) {
  std::string out;
  for (bool first = true; const auto& part : parts) {
    if (!std::exchange(first, false)) out += separator;
    append_text(out, part);
  }
  return out;
}

// split("a,b", ',') -> {"a", "b"}; split("", ',') -> {""}
std::vector<std::string> split(std::string_view text, char separator);

// The whole text as a finite number, or as an integer that fits; empty if it is none.
std::optional<double> parse_double(std::string_view text);
std::optional<int> parse_int(std::string_view text);

// Whether a command line and a file name can hold it without quotes: a to z, 0 to 9, - and _, one or more.
bool is_plain_name(std::string_view name);

// A word as a shell reads it back: two words -> 'two words'.
std::string shell_word(const std::string& word);

}  // namespace locus
