// A number that cannot be negative here, such as a token, a position or a number of rows, as the standard library
// counts and indexes: its sizes are unsigned, ours are int, and compilers warn where one becomes the other unsaid.
#pragma once

#include <cstddef>

namespace locus {

constexpr std::size_t as_size(auto number) { return static_cast<std::size_t>(number); }

}  // namespace locus
