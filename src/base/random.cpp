#include "base/random.h"

#include <cmath>
#include <numbers>

#include "base/size.h"

namespace locus {

// Constants from the paper.
std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> x, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xD2511F53} * x[0];
    const std::uint64_t p1 = std::uint64_t{0xCD9E8D57} * x[2];
    x = {static_cast<std::uint32_t>(p1 >> 32) ^ x[1] ^ key[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ x[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return x;
}

Random::Random(std::uint64_t seed, Purpose purpose, std::uint64_t index)
    : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32)},
      counter_{0, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(index),
               static_cast<std::uint32_t>(index >> 32)} {}

void Random::refill() {
  block_ = philox(counter_, key_);
  ++counter_[0];
  used_ = 0;
}

std::uint32_t Random::bits() {
  if (used_ == 4) refill();
  return block_[as_size(used_++)];
}

double Random::uniform() {
  const std::uint64_t high = bits() >> 5, low = bits() >> 6;
  return static_cast<double>((high << 26) | low) * 0x1p-53;
}

// Lemire's multiplication, with the rejection that makes it exact.
int Random::below(int count) {
  const auto n = static_cast<std::uint32_t>(count);
  const std::uint32_t reject_below = (0u - n) % n;
  std::uint64_t product;
  do product = std::uint64_t{bits()} * n;
  while (static_cast<std::uint32_t>(product) < reject_below);
  return static_cast<int>(product >> 32);
}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

}  // namespace locus
