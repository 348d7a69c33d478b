// Errors that teach: what went wrong, where, and what would be right, in one line.
//
//   fail("rope", str("the head width is ", d, ", but rope turns pairs"), "use an even d-model / heads");
//   -> [rope] the head width is 7, but rope turns pairs. Hint: use an even d-model / heads
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace locus {

// A failure at run time: the program exits with status 1.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A request that is wrong as written (arguments, specs): the program exits with status 2.
class UsageError : public Error {
 public:
  using Error::Error;
};

// One line: "[where] what. Hint: hint". The hint may be empty. In a line that is longer than this many bytes, the
// middle is left out.
inline constexpr std::size_t longest_error = 2000;
std::string error_line(std::string_view where, std::string_view what, std::string_view hint);

[[noreturn]] void fail(std::string_view where, std::string_view what, std::string_view hint = "");
[[noreturn]] void fail_usage(std::string_view where, std::string_view what, std::string_view hint = "");

// The valid name that a misspelt one is likely to mean; "" when none is near.
std::string nearest_name(std::string_view given, const std::vector<std::string>& valid);

// A hint for a misspelt name: "did you mean 'rope'?", or when none is near "valid: alibi, rope, t5".
std::string nearest_names(std::string_view given, const std::vector<std::string>& valid);

}  // namespace locus
