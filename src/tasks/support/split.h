// Which inputs are kept for testing: one in five, decided by a hash of the input, so a run cannot train on
// what it is tested on, whatever its seed.
#pragma once

#include "tasks/task.h"

namespace locus {

Split split_of(const Tokens& input);

// The same side for every order of the words. By their text and not their ids, so that an input stays on its
// side when a table grows.
Split split_of_bag(std::vector<std::string> words);

}  // namespace locus
