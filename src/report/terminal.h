// What the other end of a file descriptor can show.
#pragma once

#include <cstddef>

namespace locus {

// Colour and cursor movement are welcome: a terminal, not a dumb one, and NO_COLOR (no-color.org) is not set.
bool is_lively_terminal(int descriptor);

// Columns of the terminal, 80 when it does not say.
std::size_t terminal_width(int descriptor);

}  // namespace locus
