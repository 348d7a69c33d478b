#include "tensor/heads.h"

#include <cstddef>

namespace locus {

namespace {

// Calls f(where it starts by head, where it starts by token) for each row of d numbers.
template <class F>
void for_rows(const Shape& heads, F f) {
  const int B = heads[0], H = heads[1], T = heads[2], d = heads[3];
  for (int b = 0; b < B; ++b)
    for (int h = 0; h < H; ++h)
      for (int t = 0; t < T; ++t)
        f(((std::ptrdiff_t{b} * H + h) * T + t) * d, ((std::ptrdiff_t{b} * T + t) * H + h) * d);
}

void copy_row(const Real* __restrict from, Real* __restrict to, int d, bool accumulate) {
  for (int c = 0; c < d; ++c) to[c] = from[c] + (accumulate ? to[c] : 0);
}

}  // namespace

void order_by_head(const Shape& heads, const Real* by_token, Real* by_head, bool accumulate) {
  for_rows(heads, [&](std::ptrdiff_t head, std::ptrdiff_t token) {
    copy_row(by_token + token, by_head + head, heads.last(), accumulate);
  });
}

void order_by_token(const Shape& heads, const Real* by_head, Real* by_token, bool accumulate) {
  for_rows(heads, [&](std::ptrdiff_t head, std::ptrdiff_t token) {
    copy_row(by_head + head, by_token + token, heads.last(), accumulate);
  });
}

}  // namespace locus
