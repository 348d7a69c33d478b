// Every reader gets inputs that were changed at random: a fixed number in the tests, and in `make fuzz` FUZZ_INPUTS
// each, or as many as fit into FUZZ_SECONDS for all together. The same numbers are drawn each time; FUZZ_SEED draws
// others.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iostream>

#include "../support/temporary_folder.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/text.h"
#include "io/file.h"
#include "readers.h"

using namespace locus;

namespace {

constexpr int inputs_in_tests = 300;  // of each reader

double from_environment(const char* name, double otherwise) {
  const char* value = std::getenv(name);
  return value ? parse_double(value).value_or(otherwise) : otherwise;
}

std::vector<std::string> seeds_of(const fuzz::Reader& reader) {
  std::vector<std::string> seeds = reader.seeds;
  for (const std::string& path : paths_in("tests/fuzz/corpus"))
    if (file_stem(path).starts_with(reader.name + "-")) seeds.push_back(read_file(path));
  return seeds;
}

// What is typed wrong, and what is written to do harm.
const std::vector<std::string> numbers = split(
    "0|-1|1e308|1e999|-0|0.5|2147483648|9223372036854775808|18446744073709551615|nan|null|true|{}|[]|\"\"",
    '|');
std::vector<std::string> pieces() {
  std::vector<std::string> all = split(
      "\x1b]0;x\x07|\\u001b|\xC2\x85|\xE2\x80\xAE|\xFF|\n|\n\n|\r|\t| |\"|\\|{|}|[|]|:|,|+|=|-|../x|<b>bold|&lt;|`|"
      "</main></style></script>|<script>alert(1)</script>|\"><img src=x onerror=alert(1)>|rope|none|learned|alibi|"
      "fire|cope|sandwich|capacity=|base=|extend=pi,factor=",
      '|');
  all.emplace_back(1, '\0');
  all.insert(all.end(), numbers.begin(), numbers.end());
  return all;
}

// One small change: a piece put in, cut off or repeated, another number, a bit.
void change(Random& random, const std::vector<std::string>& seeds, std::string& bytes) {
  static const std::vector<std::string> all_pieces = pieces();
  const auto below = [&](std::size_t count) {
    return static_cast<std::size_t>(random.below(static_cast<int>(std::max<std::size_t>(count, 1))));
  };
  const std::size_t at = below(bytes.size() + 1), length = below(below(bytes.size() - at + 1) + 1);
  switch (random.below(8)) {
    case 0:
      if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
      break;
    case 1:
      bytes.erase(at, length);
      break;
    case 2:
      bytes.insert(at, bytes.substr(at, length));
      break;
    case 3:
      bytes.resize(at);
      break;
    case 4: {  // the end of another input
      const std::string& other = seeds[below(seeds.size())];
      bytes = bytes.substr(0, at) + other.substr(below(other.size() + 1));
      break;
    }
    case 5: {  // another number
      const std::size_t first = bytes.find_first_of("0123456789", at);
      if (first == bytes.npos) break;
      bytes.replace(first, bytes.find_first_not_of("0123456789.e", first) - first,
                    numbers[below(numbers.size())]);
      break;
    }
    default:
      bytes.insert(at, all_pieces[below(all_pieces.size())]);
  }
}

// The input that is being read, in a file, so that a crash does not take it along. The file stays open and is written
// over: to open and empty it anew for each input would take longer than most readers take.
class KeptInput {
 public:
  explicit KeptInput(const std::string& in)
      : path(in), file_(::open(in.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}
  ~KeptInput() { ::close(file_); }
  KeptInput(const KeptInput&) = delete;

  void set(const std::string& bytes) const {
    const auto size = static_cast<off_t>(bytes.size());
    REQUIRE(::pwrite(file_, bytes.data(), bytes.size(), 0) == size);
    REQUIRE(::ftruncate(file_, size) == 0);
  }

  const std::string path;

 private:
  int file_;
};

}  // namespace

TEST_CASE("fuzz: what a reader accepts it accepts, and what was found before does no harm") {
  for (const fuzz::Reader& reader : fuzz::all_readers()) {
    CAPTURE(reader.name);
    for (const std::string& seed : reader.seeds) CHECK_NOTHROW(reader.read(seed));
    for (const std::string& bytes : seeds_of(reader)) CHECK(fuzz::read(reader, bytes).failure == "");
  }
}

TEST_CASE("fuzz: any bytes end well or in an error") {
  const double seconds = from_environment("FUZZ_SECONDS", INFINITY);
  const double inputs = from_environment("FUZZ_INPUTS", seconds < INFINITY ? INFINITY : inputs_in_tests);
  const bool asked = std::getenv("FUZZ_SECONDS") || std::getenv("FUZZ_INPUTS");  // by `make fuzz`
  const auto seed = static_cast<std::uint64_t>(from_environment("FUZZ_SEED", 1));
  const char* only = asked ? std::getenv("ONLY") : nullptr;
  std::vector<fuzz::Reader> readers = fuzz::all_readers();
  std::erase_if(readers, [&](const fuzz::Reader& reader) { return only && reader.name != only; });
  if (readers.empty())
    FAIL("ONLY=" << std::string(only) << ": no reader of this name (tests/fuzz/readers.cpp has them)");
  for (const fuzz::Reader& reader : readers) {
    const std::vector<std::string> seeds = seeds_of(reader);
    const TemporaryFolder folder;
    const KeptInput kept(asked ? str("build/fuzz-", reader.name) : folder / reader.name);
    Random random(seed, Purpose::testing);
    const double end = clock_seconds() + seconds / static_cast<double>(readers.size());
    long long count = 0, accepted = 0;
    for (; static_cast<double>(count) < inputs && clock_seconds() < end; ++count) {
      std::string bytes = seeds[static_cast<std::size_t>(random.below(static_cast<int>(seeds.size())))];
      for (int changes = 1 + random.below(6); changes > 0; --changes) change(random, seeds, bytes);
      kept.set(bytes);
      const fuzz::Ending ending = fuzz::read(reader, bytes);
      if (!ending.failure.empty())
        FAIL(reader.name << ": " << ending.failure << "; input " << count << " of FUZZ_SEED=" << seed
                         << (asked ? ", kept in " + kept.path : ""));
      accepted += ending.accepted;
    }
    if (asked)
      std::cout << "[fuzz] " << reader.name << ": " << count << " inputs, " << accepted << " accepted"
                << std::endl;
  }
}
