// The position written in binary, one channel per bit, least significant first: 6 is (0, 1, 1, 0 ...); then a
// linear layer back to the width of x. Bit 0 changes at every position, bit 1 at every second one, bit 2 at every
// fourth. The sinusoids of sinusoidal.cpp have fast and slow channels, too, and change smoothly.
#include <bit>

#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"
#include "positional/support/table_rows.h"

namespace locus::schemes::binary {

// How many numbers a code has.
int bits(int capacity) {
  // exercise 5.4: how many bits can write every position, 0 to capacity - 1; capacity is 2 or more
  return static_cast<int>(std::bit_width(static_cast<unsigned>(capacity - 1)));
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
    // exercise 5.5: row -> bits(capacity_) numbers, 0 or 1: its bits, least significant first
    std::vector<double> code;
    for (int bit = 0; bit < bits(capacity_); ++bit) code.push_back(row >> bit & 1);
    return code;
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
    .formula = "x_p, (p mod 2, p/2 mod 2, p/4 mod 2, ...) -> back to the width of x by a linear layer",
    .traps = {"a bit that is 0 at all trained positions is untrained, and longer inputs set it",
              "neighbours can be far apart: 7 and 8 differ in four bits"},
    .lesson = 5,
    .make = make<Binary>,
}};

}  // namespace locus::schemes::binary
