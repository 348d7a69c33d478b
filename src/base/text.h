// Putting text together and taking it apart.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

// text("a is ", 3, ", b is ", 0.5) -> "a is 3, b is 0.5". Numbers print in the shortest form that reads back
// exactly; any type with a to_string of its own (a Shape, say) can be a part.
void append_text(std::string& out, std::string_view part);
void append_text(std::string& out, char part);
void append_text(std::string& out, double part);
void append_text(std::string& out, float part);
void append_text(std::string& out, long long part);
void append_text(std::string& out, unsigned long long part);

template <class T>
void append_part(std::string& out, const T& part) {
  if constexpr (std::convertible_to<T, std::string_view>)
    append_text(out, std::string_view(part));
  else if constexpr (std::same_as<T, char> || std::floating_point<T>)
    append_text(out, part);
  else if constexpr (std::signed_integral<T>)
    append_text(out, static_cast<long long>(part));
  else if constexpr (std::unsigned_integral<T>)
    append_text(out, static_cast<unsigned long long>(part));
  else
    append_text(out, std::string_view(to_string(part)));
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (append_part(out, parts), ...);
  return out;
}

// join({"a", "b"}, ", ") -> "a, b"
std::string join(const std::vector<std::string>& parts, std::string_view separator);

// split("a,b", ',') -> {"a", "b"}; split("", ',') -> {""}
std::vector<std::string> split(std::string_view text, char separator);

// The number that is the whole text: finite, or a whole number that fits. Nothing otherwise.
std::optional<double> parse_double(std::string_view text);
std::optional<int> parse_int(std::string_view text);

}  // namespace locus
