// Random streams by purpose.
//
// Every number is a pure function of (seed, purpose, index, count of earlier draws): Philox4x32-10, the
// counter-based generator of Salmon et al. 2011 ("Parallel random numbers: as easy as 1, 2, 3"). Streams are
// independent, so another positional scheme gets the same data, and step 500 of a run can be drawn without
// drawing steps 0 to 499. The standard library's distributions differ between implementations; these do not.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include "base/size.h"

namespace locus {

// One block of four random numbers: ten rounds of Philox4x32. tests/base/random_test.cpp compares it with the
// vectors that its authors published.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key);

enum class Purpose : std::uint32_t {
  initialisation = 1,
  training_data,
  test_data,
  validation_data,       // the examples that decide whether a run has solved its task
  ceiling,               // permutations for the order-blind ceiling
  positions,             // schemes that draw positions at random, in training
  statistics,            // experiments with statistics, in tests and lessons
  testing,               // tests and benchmarks
  test_positions,        // as `positions`, in tests of a trained model
  validation_positions,  // as `positions`, in validations
  position_changes,      // permutations of what a trained model is told
  permuted_weights,      // the control of a probe: each tensor's elements, shuffled
  hidden_tokens,         // of a text, those that an encoder is asked for
  shuffled_context,      // of a text, the order of the tokens before the one asked for
};

class Random {
 public:
  Random(std::uint64_t seed, Purpose purpose, std::uint64_t index = 0);

  std::uint32_t bits();  // 32 random bits
  double uniform();      // in [0, 1), 53 bits
  int below(int count);  // in {0 .. count-1}, each equally likely; count >= 1
  double normal();       // mean 0, variance 1 (Box and Muller)

  template <class T>
  void shuffle(std::span<T> values) {  // Fisher and Yates
    for (std::size_t left = values.size(); left > 1; --left)
      std::swap(values[left - 1], values[as_size(below(static_cast<int>(left)))]);
  }

 private:
  void refill();

  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  int used_ = 4;  // how many numbers of block_ are used
};

// A 64-bit hash that is the same on every machine: FNV-1a over the bytes, then the finaliser of splitmix64,
// after which every input bit affects all output bits.
constexpr std::uint64_t hash(std::string_view bytes) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char byte : bytes) h = (h ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
  h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
  return h ^ (h >> 31);
}

}  // namespace locus
