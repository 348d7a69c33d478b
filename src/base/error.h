// Errors that teach: what went wrong, where, and what would be right, in one line.
//
//   fail("rope", text("the head width is ", d, ", but rope turns pairs of channels"), "use an even d-model / heads");
//   -> [rope] the head width is 7, but rope turns pairs of channels. Hint: use an even d-model / heads
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

// A failure at run time: the program exits with status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A request that makes no sense as written (arguments, specs): the program exits with status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// One line: "[where] what. Hint: hint". The hint may be empty.
std::string error_line(std::string_view where, std::string_view what, std::string_view hint);

[[noreturn]] void fail(std::string_view where, std::string_view what, std::string_view hint = "");
[[noreturn]] void fail_usage(std::string_view where, std::string_view what, std::string_view hint = "");

// The valid names nearest to a misspelt one, as a hint: "did you mean 'rope'? Valid: alibi, rope, t5".
std::string nearest_names(std::string_view given, const std::vector<std::string>& valid);

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
  if constexpr (std::convertible_to<T, std::string_view>) append_text(out, std::string_view(part));
  else if constexpr (std::same_as<T, char> || std::floating_point<T>) append_text(out, part);
  else if constexpr (std::signed_integral<T>) append_text(out, static_cast<long long>(part));
  else if constexpr (std::unsigned_integral<T>) append_text(out, static_cast<unsigned long long>(part));
  else append_text(out, std::string_view(to_string(part)));
}

template <class... Parts>
std::string text(const Parts&... parts) {
  std::string out;
  (append_part(out, parts), ...);
  return out;
}

// join({"a", "b"}, ", ") -> "a, b"
std::string join(const std::vector<std::string>& parts, std::string_view separator);

}  // namespace locus
