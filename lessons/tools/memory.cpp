#include "lessons/tools/memory.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <new>
#include <utility>

namespace {
// What fresh memory is filled with during a trial; otherwise it is left as it is.
constexpr int unfilled = -1;
int filling_of_new = unfilled;
}  // namespace

void* operator new(std::size_t size) {
  void* memory = std::malloc(std::max<std::size_t>(size, 1));
  if (!memory) throw std::bad_alloc();
  if (filling_of_new != unfilled) std::memset(memory, filling_of_new, size);
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace locus {

namespace {
bool written_outside = false;
}

bool was_written_outside() { return std::exchange(written_outside, false); }
void note_written_outside() { written_outside = true; }

void try_in_other_memory(const std::function<void()>& trial) {
  for (const int filling : {0x2a, 0xd5}) {
    filling_of_new = filling;
    trial();
  }
  filling_of_new = unfilled;
}

void poison(Tape& tape) {
  constexpr std::size_t count = 1 << 15;
  std::fill_n(tape.arena().allocate<Real>(count), count, std::numeric_limits<Real>::quiet_NaN());
  tape.reset();
  keep_distance(tape);
}

void keep_distance(Tape& tape) {
  tape.arena().allocate<Real>(filling_of_new == unfilled ? 1024
                                                         : 2048);  // in a trial arrays have other addresses
}

}  // namespace locus
