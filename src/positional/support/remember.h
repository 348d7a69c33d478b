// What a scheme computes from the positions alone, such as a table of biases, kept for the next step:
// positions stay the same from one step to the next, unless a scheme draws them.
#pragma once

#include <algorithm>
#include <memory>
#include <mutex>
#include <vector>

#include "positional/scheme.h"

namespace locus {

// A member of a scheme. It can be used from several threads at once, as the shards of a batch do.
template <class T>
class Remembered {
 public:
  // The value that `make()` computed for these positions; it is computed once, and again if many others were
  // asked for in between.
  template <class Make>
  std::shared_ptr<const T> operator()(const Positions& positions, Make make) const {
    const std::lock_guard lock(mutex_);
    const auto found = std::ranges::find_if(known_, [&](const Entry& entry) {
      return entry.length == positions.length && std::ranges::equal(entry.positions, positions.all());
    });
    if (found != known_.end()) return found->value;
    if (known_.size() == most) known_.erase(known_.begin());
    known_.push_back({positions.length,
                      {positions.all().begin(), positions.all().end()},
                      std::make_shared<const T>(make())});
    return known_.back().value;
  }

 private:
  static constexpr std::size_t most = 64;  // the oldest is forgotten first
  struct Entry {
    int length;
    std::vector<double> positions;
    std::shared_ptr<const T> value;
  };
  mutable std::mutex mutex_;
  mutable std::vector<Entry> known_;
};

}  // namespace locus
