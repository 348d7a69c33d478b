#include "tensor/arena.h"

#include <algorithm>
#include <new>

namespace locus {

void Arena::Free::operator()(void* chunk) const { ::operator delete (chunk, std::align_val_t{alignment}); }

void* Arena::bytes(std::size_t size) {
  size = (size + alignment - 1) / alignment * alignment;
  if (chunks_.empty() || used_ + size > chunks_.back().size) grow(size);
  void* start = static_cast<char*>(chunks_.back().memory.get()) + used_;
  used_ += size;
  return start;
}

void Arena::grow(std::size_t at_least) {
  const std::size_t size = std::max({first_chunk, at_least, 2 * capacity()});
  chunks_.push_back({std::unique_ptr<void, Free>(::operator new (size, std::align_val_t{alignment})), size});
  used_ = 0;
}

// Several chunks become one that holds them all, so that the next round fits without growing.
void Arena::reset() {
  if (chunks_.size() > 1) {
    const std::size_t total = capacity();
    chunks_.clear();
    grow(total);
  }
  used_ = 0;
}

std::size_t Arena::capacity() const {
  std::size_t total = 0;
  for (const auto& chunk : chunks_) total += chunk.size;
  return total;
}

}  // namespace locus
