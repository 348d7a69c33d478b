// A 64-bit hash that is the same on every machine: FNV-1a over the bytes, then the finaliser of splitmix64,
// which spreads every input bit over all output bits.
#pragma once

#include <cstdint>
#include <string_view>

namespace locus {

constexpr std::uint64_t hash(std::string_view bytes) {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char byte : bytes) h = (h ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
  h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
  return h ^ (h >> 31);
}

}  // namespace locus
