// Memory that is handed out in order and taken back all at once. reset() keeps it, merged into one chunk: the
// next pass of the same size asks the system for nothing and walks over the same, warm addresses again.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace locus {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  // Uninitialised memory for `count` values, aligned to a cache line, valid until reset().
  template <class T>
  T* allocate(std::size_t count) {
    static_assert(alignof(T) <= alignment);
    return static_cast<T*>(bytes(count * sizeof(T)));
  }

  void reset();                  // everything handed out becomes invalid; the memory is kept
  std::size_t capacity() const;  // bytes held from the system

 private:
  static constexpr std::size_t alignment = 64, first_chunk = std::size_t{1} << 18;

  struct Free {
    void operator()(void* chunk) const;
  };
  struct Chunk {
    std::unique_ptr<void, Free> memory;
    std::size_t size;
  };

  void* bytes(std::size_t size);
  void grow(std::size_t at_least);

  std::vector<Chunk> chunks_;  // the last one is being filled
  std::size_t used_ = 0;       // bytes of it handed out
};

}  // namespace locus
