// How it works. A small tile of c, `rows` by `wide` vector registers, stays in registers while k runs over
// the inner dimension: each step loads `wide` vectors of b, broadcasts one number of a per row, and does
// rows * wide fused multiply-adds. The more of those per load, the closer to the processor's peak; the
// register file sets the limit.
//
//              wide * register_lanes columns
//             +---------------------+ b, row k
//    a, col k |  .  .  .  .  .  .   |
//       +--+  +---------------------+
//  rows |  |  |    tile of c        |
//       +--+  +---------------------+
//
// c is cut into panels of columns, widest tiles first. A panel of b is used where it lies, unless it has to be
// transposed, is narrower than its tile, or is used by many tiles and no wider than a cache line: then it is first
// copied ("packed") to rows of the tile's width. With tiles of up to 8 rows, 20 rows make tiles of 7, 7 and 6, not 8,
// 8 and 4.
#include "tensor/matmul.h"

#include <algorithm>
#include <utility>

#include "base/size.h"
#include "tensor/register.h"

namespace locus {

namespace {

// The tallest tile of each width: rows * wide accumulators, `wide` vectors of b and one of a must fit the
// registers, and 8 accumulators or more keep two multiply-add pipes of latency 4 busy (the narrowest tile has
// 6 with 16 registers).
constexpr int widest = registers == 32 ? 4 : 2;
template <int wide>
constexpr int tallest = registers == 32 && wide < 4 ? 8 : 6;

struct Tile {
  int K;
  const Real* a;  // first row, first k
  std::ptrdiff_t a_stride;
  const Real* b;  // first k, first column of the panel
  std::ptrdiff_t b_stride;
  Real* c;
  std::ptrdiff_t c_stride;
  int columns;  // how many of the panel's columns c really has
  MatmulOptions options;
};

// The ends of a tile's rows, `count` elements, less than a register each: not in line, where they would be most of the
// program.
[[gnu::noinline]] void store_ragged(const Register* sums, int rows, Real* c, std::ptrdiff_t stride, int count,
                                    const Real* bias, const MatmulOptions& options) {
  for (int i = 0; i < rows; ++i, c += stride)
    for (int j = 0; j < count; ++j) {
      const Real sum = sums[i][j] + (bias ? bias[j] : 0);
      c[j] = options.accumulate ? sum + c[j] : sum;
    }
}

// a_transposed: a(i,k) at a[k * stride + i], else at a[i * stride + k].
template <int rows, int wide, bool a_transposed>
void multiply_tile(const Tile& t) {
  Register sums[rows][wide] = {};
  const Real* __restrict b = t.b;
  const Real* __restrict a = t.a;
  const MatmulOptions& options = t.options;
  if (options.accumulate && t.K >= 64) {  // time enough to fetch what c holds
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i)
#pragma GCC unroll 8
      for (int p = 0; p < wide; ++p) __builtin_prefetch(t.c + i * t.c_stride + p * register_lanes, 1);
  }
  for (int k = 0; k < t.K; ++k, b += t.b_stride) {
    Register b_row[wide];
#pragma GCC unroll 8
    for (int p = 0; p < wide; ++p) b_row[p] = load_register(b + p * register_lanes);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      const Register a_ik = splat(a_transposed ? a[k * t.a_stride + i] : a[i * t.a_stride + k]);
#pragma GCC unroll 8
      for (int p = 0; p < wide; ++p) sums[i][p] = fma(a_ik, b_row[p], sums[i][p]);
    }
  }
#pragma GCC unroll 8
  for (int p = 0; p < wide; ++p) {
    const int left = t.columns - p * register_lanes;
    const Real* bias = options.bias ? options.bias + p * register_lanes : nullptr;
    if (left >= register_lanes) {
      const Register added = bias ? load_register(bias) : Register{};
      Real* c = t.c + p * register_lanes;
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) sums[i][p] = sums[i][p] * options.scale + added;
      if (options.accumulate)
#pragma GCC unroll 8
        for (int i = 0; i < rows; ++i) sums[i][p] += load_register(c + i * t.c_stride);
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) store(c + i * t.c_stride, sums[i][p]);
    } else if (left > 0) {
      Register last[rows];
#pragma GCC unroll 8
      for (int i = 0; i < rows; ++i) last[i] = sums[i][p] * options.scale;
      store_ragged(last, rows, t.c + p * register_lanes, t.c_stride, left, bias, options);
    }
  }
}

using TileFunction = void (*)(const Tile&);

// The compiled tile for a number of rows known only at run time.
template <int wide, bool a_transposed, int... i>
TileFunction tile_of(int rows, std::integer_sequence<int, i...>) {
  static constexpr TileFunction functions[] = {multiply_tile<i + 1, wide, a_transposed>...};
  return functions[rows - 1];
}

// All rows of one panel, `wide` registers wide.
template <int wide>
void multiply_panel(int M, Tile tile, bool a_transposed) {
  const int tiles = (M + tallest<wide> - 1) / tallest<wide>;
  const int rows = M / tiles, taller = M % tiles;  // the first `taller` tiles have one row more
  const std::ptrdiff_t a_step = a_transposed ? 1 : tile.a_stride;
  constexpr auto heights = std::make_integer_sequence<int, tallest<wide>>{};
  for (int i = 0; i < tiles; ++i) {
    const int height = rows + (i < taller ? 1 : 0);
    (a_transposed ? tile_of<wide, true>(height, heights) : tile_of<wide, false>(height, heights))(tile);
    tile.a += height * a_step;
    tile.c += height * tile.c_stride;
  }
}

// Copies columns [first, first + columns) of b to rows of `width` numbers. What is in the rest of a row does
// not matter: it takes part in sums that are never stored.
void pack_panel(int K, Matrix b, int first, int columns, int width, Real* to) {
  if (!b.transposed) {
    for (int k = 0; k < K; ++k)
      std::copy_n(b.data + first + std::ptrdiff_t{k} * b.stride, columns, to + k * width);
    return;
  }
  for (int j = 0; j < columns; j += register_lanes) {
    const Real* from = b.data + static_cast<std::ptrdiff_t>(first + j) * b.stride;
    const int rows = std::min(columns - j, register_lanes);
    if (K < register_lanes) {
      for (int row = 0; row < rows; ++row)
        for (int k = 0; k < K; ++k) to[k * width + j + row] = from[row * b.stride + k];
      continue;
    }
    for (int k = 0; k < K; k += register_lanes) {
      const int start = std::min(k, K - register_lanes);  // the last square overlaps the one before
      transpose_square(from + start, b.stride, rows, to + start * width + j, width);
    }
  }
}

// Walking down the columns of a transposed a asks for a new cache line at every step, in an order that the
// processor does not foresee. Where a has left the cache, as activations kept for backward have, reading it
// once from end to end brings it in at full speed. Returns a sum that the caller stores somewhere, so that
// the compiler cannot leave the reading out.
Register read_through(int rows, int columns, Matrix a) {
  Register total = {};
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j + register_lanes <= columns; j += register_lanes)
      total += load_register(a.data + std::ptrdiff_t{i} * a.stride + j);
  return total;
}
constexpr std::ptrdiff_t worth_reading_through = 1 << 14;  // bytes: smaller ones are still in the cache

// Where panels are one cache line wide, a step of k reads a line of b per 12 multiply-adds, and lines a power of two
// apart push each other out of the cache. Products this large are faster with b packed and a transposed a turned.
bool copies_pay(int M, int N) { return widest * register_bytes <= 64 && M >= 128 && N >= 128; }

// The transpose of a (K,M) is written to `to` (M,K).
void turn(int M, int K, Matrix a, Real* to) {
  for (int k = 0; k < K; k += register_lanes)
    for (int i = 0; i < M; i += register_lanes) {
      const int first = std::min(i, M - register_lanes);  // the last square overlaps the one before
      const int rows = std::min(K - k, register_lanes);
      transpose_square(a.data + std::ptrdiff_t{k} * a.stride + first, a.stride, rows,
                       to + std::ptrdiff_t{first} * (K + register_lanes) + k, K + register_lanes);
    }
}

}  // namespace

void matmul(int M, int N, int K, Matrix a, Matrix b, Real* c, const MatmulOptions& options) {
  if (M == 0 || N == 0) return;
  thread_local Reals packed(register_lanes), turned;
  const bool copies = copies_pay(M, N);
  if (a.transposed && copies) {
    const int stride = K + register_lanes;  // rows end with room for the last square
    turned.resize(std::max(turned.size(), as_size(M) * as_size(stride)));
    turn(M, K, a, turned.data());
    a = {turned.data(), stride};
  }
  if (a.transposed && std::ptrdiff_t{K} * M * std::ptrdiff_t{sizeof(Real)} >= worth_reading_through)
    store(packed.data(), read_through(K, M, a));
  for (int first = 0; first < N;) {
    const int left = N - first;
    // The narrowest tile that holds all that is left; but of whole registers, first those that fill a tile: 3
    // registers are a tile of 2 and one of 1.
    int wide = widest;
    while (wide > 1 && wide / 2 * register_lanes >= left) wide /= 2;
    if (wide > 1 && wide * register_lanes > left && left % register_lanes == 0) wide /= 2;
    const int width = wide * register_lanes, columns = std::min(left, width);

    Tile tile{K, a.data, a.stride, b.data + first, b.stride, c + first, N, columns, options};
    if (options.bias) tile.options.bias = options.bias + first;
    if (b.transposed || columns < width || copies) {
      packed.resize(std::max(packed.size(), as_size(K) * as_size(width)));
      pack_panel(K, b, first, columns, width, packed.data());
      tile.b = packed.data();
      tile.b_stride = width;
    }
    if (wide == 4)
      multiply_panel<4>(M, tile, a.transposed);
    else if (wide == 2)
      multiply_panel<2>(M, tile, a.transposed);
    else
      multiply_panel<1>(M, tile, a.transposed);
    first += columns;
  }
}

}  // namespace locus
