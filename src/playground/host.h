// What the page gives to the program in WebAssembly.
#pragma once

#include <cstddef>

namespace locus {

// Takes the text of an error, in UTF-8, before the program ends.
extern "C" [[clang::import_module("page"), clang::import_name("error")]] void tell_error(const char* words,
                                                                                         std::size_t bytes);

}  // namespace locus
