// Sizes that cannot fit are refused before any memory is taken: afterwards it is too late, since a system
// that has run out ends programs without a word.
#pragma once

#include <string_view>

namespace locus {

// Bytes of memory this machine has.
double machine_memory();

// Throws Error when `what` needs more than this machine can well give: most of its memory, as it holds other
// things too.
void require_memory(std::string_view where, std::string_view what, double bytes, std::string_view hint);

}  // namespace locus
