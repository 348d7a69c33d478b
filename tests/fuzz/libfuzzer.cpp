// The entry of clang's libFuzzer: `make build/fuzzer CXX=clang++`, then
// READER=results build/fuzzer -max_total_time=60 FOLDER, where FOLDER keeps the inputs that reached new code. It
// begins with the seeds of the reader.
#ifdef LOCUS_FUZZER
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "io/file.h"
#include "readers.h"

namespace {

const locus::fuzz::Reader& reader() {
  static const locus::fuzz::Reader& chosen = [&]() -> const locus::fuzz::Reader& {
    const char* name = std::getenv("READER");
    for (const locus::fuzz::Reader& one : locus::fuzz::all_readers())
      if (name && one.name == name) return one;
    std::fprintf(stderr, "READER is the name of none. These are there:");
    for (const locus::fuzz::Reader& one : locus::fuzz::all_readers())
      std::fprintf(stderr, " %s", one.name.c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }();
  return chosen;
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const std::string last = (*words)[*count - 1];
  if (*count < 2 || last.starts_with('-')) return 0;
  locus::create_folders(last);
  for (std::size_t i = 0; i < reader().seeds.size(); ++i)
    locus::write_file_atomically(last + "/seed-" + std::to_string(i), reader().seeds[i]);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const std::string failure = locus::fuzz::read(reader(), bytes).failure;
  if (failure.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", reader().name.c_str(), failure.c_str());
  std::abort();
}
#endif
