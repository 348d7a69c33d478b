// The position written in binary, one channel per bit, least significant first: 6 is (0, 1, 1, 0 ...); then a
// linear layer back to the width of x. Bit 0 changes at every position, bit 1 at every second one, bit 2 at every
// fourth. The sinusoids of sinusoidal.cpp have fast and slow channels, too, and change smoothly.
#include <bit>

#include "base/error.h"
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"
#include "positional/support/table_rows.h"

namespace locus::schemes::binary {

// How many numbers a code has.
int bits(int capacity) {
  // exercise 5.5: how many bits can write every position, 0 to capacity - 1; capacity is 2 or more
  fail("exercise 5.5", "still to be written");
  // end
}

class Binary : public CodeScheme {
 public:
  Binary(const Options& options, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::concat, bits(options.integer("capacity")), context, table),
        capacity_(options.integer("capacity")) {}

  int capacity() const override { return capacity_; }

  std::vector<double> code(double position, int, const Real*) const override {
    const int row = table_row("binary", position, capacity_);
    // exercise 5.6: row -> bits(capacity_) numbers, 0 or 1: its bits, least significant first
    fail("exercise 5.6", "still to be written");
    // end
  }

  Claims claims() const override {
    return {.direction_aware = true, .unique = true, .parameters = join_parameters()};
  }

 private:
  int capacity_;
};

const RegisterScheme registered{{
    .name = "binary",
    .summary = "the position in binary, a channel per bit, then a linear layer back",
    .source = "how computers count",
    .stage = Stage::embedding,
    .options = {integer_option("capacity", "512", 2, 1e9, "positions that the bits must be able to write")},
    .lesson = 5,
    .make = make<Binary>,
}};

}  // namespace locus::schemes::binary
