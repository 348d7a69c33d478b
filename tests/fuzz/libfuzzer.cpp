// The entry of clang's libFuzzer: `make build/fuzzer CXX=clang++`, then READER=results build/fuzzer [CORPUS].
#ifdef LOCUS_FUZZER
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace locus::fuzz;
  static const char* const name = std::getenv("READER");
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const Reader& reader : all_readers())
    if (!name || reader.name == name)
      if (const std::string what = read(reader, bytes).failure; !what.empty()) {
        std::fprintf(stderr, "%s: %s\n", reader.name.c_str(), what.c_str());
        std::abort();
      }
  return 0;
}
#endif
