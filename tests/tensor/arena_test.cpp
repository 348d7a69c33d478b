#include "tensor/arena.h"

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <vector>

using namespace locus;

namespace {

struct Piece {
  std::uint64_t* start;
  std::size_t count;
};

std::vector<Piece> take(Arena& arena, const std::vector<std::size_t>& counts) {
  std::vector<Piece> pieces;
  for (const std::size_t count : counts) {
    pieces.push_back({arena.allocate<std::uint64_t>(count), count});
    std::iota(pieces.back().start, pieces.back().start + count, pieces.size() << 32);
  }
  return pieces;
}

const std::vector<std::size_t> ragged = {1, 7, 8, 9, 1000, 3, 40000, 1, 100000, 5};

}  // namespace

TEST_CASE("arena: everything starts on a cache line") {
  Arena arena;
  for (const std::size_t count : {1u, 3u, 63u, 64u, 65u, 1000000u, 1u})
    CHECK(reinterpret_cast<std::uintptr_t>(arena.allocate<char>(count)) % 64 == 0);
}

TEST_CASE("arena: pieces do not overlap and stay where they are while it grows") {
  Arena arena;
  const auto pieces = take(arena, ragged);
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    std::size_t wrong = 0;
    for (std::size_t j = 0; j < pieces[i].count; ++j) wrong += pieces[i].start[j] != ((i + 1) << 32) + j;
    CHECK(wrong == 0);
  }
}

TEST_CASE("arena: after the first round nothing is taken from the system, and addresses repeat") {
  const std::vector<std::size_t> many_equal(90, 1024);  // more than half of the last chunk
  for (const auto& counts : {ragged, many_equal}) {
    Arena arena;
    CHECK(arena.capacity() == 0);
    take(arena, counts);
    arena.reset();
    const std::size_t capacity = arena.capacity();
    const auto first = take(arena, counts);
    for (int round = 0; round < 5; ++round) {
      arena.reset();
      const auto again = take(arena, counts);
      CHECK(arena.capacity() == capacity);
      for (std::size_t i = 0; i < counts.size(); ++i) CHECK(again[i].start == first[i].start);
    }
  }
}

TEST_CASE("arena: a round that needs more grows it once") {
  Arena arena;
  take(arena, {10});
  const std::size_t small = arena.capacity();
  arena.reset();
  take(arena, ragged);
  arena.reset();
  const std::size_t large = arena.capacity();
  CHECK(large > small);
  take(arena, {10});
  arena.reset();
  take(arena, ragged);
  CHECK(arena.capacity() == large);
}
