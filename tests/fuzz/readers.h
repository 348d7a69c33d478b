// Everything in Locus that reads what others wrote. A reader must take any bytes: it ends well or throws Error;
// anything else is a bug. One list serves the tests and `make fuzz` (fuzz_test.cpp).
#pragma once

#include <string>
#include <vector>

namespace locus::fuzz {

struct Reader {
  std::string name;
  std::vector<std::string> seeds;  // inputs that it accepts, beside those in corpus/NAME-*
  // Throws std::logic_error when what was read breaks a promise.
  void (*read)(const std::string& bytes);
};
const std::vector<Reader>& all_readers();

// How the reading of some bytes ended. `failure`: "" when the reader accepted them, or refused them with an Error of
// one line; else what went wrong.
struct Ending {
  bool accepted;
  std::string failure;
};
Ending read(const Reader& reader, const std::string& bytes);

}  // namespace locus::fuzz
