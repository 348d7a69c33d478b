// Several schemes as one: each hook passes through all of them, in the order of the spec.
#pragma once

#include <memory>
#include <vector>

#include "positional/scheme.h"

namespace locus {

// `placing`: the part that decides where the tokens stand, if there is one.
std::unique_ptr<Scheme> composite(std::vector<std::unique_ptr<Scheme>> parts, const Scheme* placing);

}  // namespace locus
