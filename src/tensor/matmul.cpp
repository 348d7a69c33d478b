// How it works. A small tile of c, `rows` by `packs` vector registers, stays in registers while k runs over
// the inner dimension: each step loads `packs` vectors of b, broadcasts one number of a per row, and does
// rows * packs fused multiply-adds. The more of those per load, the closer to the processor's peak; the
// register file sets the limit.
//
//              packs * lanes columns
//             +---------------------+ b, row k
//    a, col k |  .  .  .  .  .  .   |
//       +--+  +---------------------+
//  rows |  |  |    tile of c        |
//       +--+  +---------------------+
//
// c is cut into panels of columns, widest tiles first. A panel of b is used where it lies, unless it has to
// be transposed or is narrower than its tile: then it is first copied ("packed") to rows of the tile's width.
// At the sizes of tiny transformers packing for its own sake, as large products need it, does not pay. Rows
// are dealt out evenly: 20 rows are 7 + 7 + 6, not 8 + 8 + 4.
#include "tensor/matmul.h"

#include <algorithm>
#include <vector>

#include "base/pack.h"

namespace locus {

namespace {

// The tallest tile of each width: rows * packs accumulators, `packs` vectors of b and one of a must fit the
// registers, and at least 8 accumulators are needed to keep two multiply-add pipes of latency 4 busy.
constexpr int widest = vector_registers == 32 ? 4 : 2;
template <int packs>
constexpr int tallest = vector_registers == 32 && packs < 4 ? 8 : 6;

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

// a_transposed: a(i,k) at a[k * stride + i], else at a[i * stride + k].
template <int rows, int packs, bool a_transposed>
void multiply_tile(const Tile& t) {
  Pack sums[rows][packs] = {};
  const Real* __restrict b = t.b;
  const Real* __restrict a = t.a;
  for (int k = 0; k < t.K; ++k, b += t.b_stride) {
    Pack b_row[packs];
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) b_row[p] = load(b + p * lanes);
#pragma GCC unroll 8
    for (int i = 0; i < rows; ++i) {
      const Real a_ik = a_transposed ? a[k * t.a_stride + i] : a[i * t.a_stride + k];
#pragma GCC unroll 8
      for (int p = 0; p < packs; ++p) sums[i][p] += a_ik * b_row[p];
    }
  }
  const MatmulOptions& options = t.options;
#pragma GCC unroll 8
  for (int i = 0; i < rows; ++i) {
    Real* c = t.c + i * t.c_stride;
#pragma GCC unroll 8
    for (int p = 0; p < packs; ++p) {
      const int left = t.columns - p * lanes;
      Pack sum = sums[i][p] * options.scale;
      if (left >= lanes) {
        if (options.bias) sum += load(options.bias + p * lanes);
        if (options.accumulate) sum += load(c + p * lanes);
        store(c + p * lanes, sum);
      } else if (left > 0) {
        if (options.bias) sum += load_part(options.bias + p * lanes, left);
        if (options.accumulate) sum += load_part(c + p * lanes, left);
        store_part(c + p * lanes, sum, left);
      }
    }
  }
}

using TileFunction = void (*)(const Tile&);

// The compiled tile for a number of rows known only at run time.
template <int packs, bool a_transposed>
TileFunction tile_of(int rows) {
  static constexpr TileFunction functions[] = {
      multiply_tile<1, packs, a_transposed>,
      multiply_tile<2, packs, a_transposed>,
      multiply_tile<3, packs, a_transposed>,
      multiply_tile<4, packs, a_transposed>,
      multiply_tile<5, packs, a_transposed>,
      multiply_tile<6, packs, a_transposed>,
      multiply_tile<std::min(7, tallest<packs>), packs, a_transposed>,
      multiply_tile<std::min(8, tallest<packs>), packs, a_transposed>};
  return functions[rows - 1];
}

// All rows of one panel, `packs` vectors wide.
template <int packs>
void multiply_panel(int M, Tile tile, bool a_transposed) {
  const int tiles = (M + tallest<packs> - 1) / tallest<packs>;
  const int rows = M / tiles, taller = M % tiles;  // the first `taller` tiles have one row more
  const std::ptrdiff_t a_step = a_transposed ? 1 : tile.a_stride;
  for (int i = 0; i < tiles; ++i) {
    const int height = rows + (i < taller ? 1 : 0);
    (a_transposed ? tile_of<packs, true>(height) : tile_of<packs, false>(height))(tile);
    tile.a += height * a_step;
    tile.c += height * tile.c_stride;
  }
}

// A square of lanes x lanes numbers, rows `stride` apart, transposed to rows `to_stride` apart. Only the
// first `rows` rows exist; the last of them stands in for the others. Zipping the rows of the upper half with
// those of the lower, log2(lanes) times over, is a transposition.
void transpose_square(const Real* from, std::ptrdiff_t stride, int rows, Real* to, std::ptrdiff_t to_stride) {
  Pack x[lanes], zipped[lanes];
  for (int i = 0; i < lanes; ++i) x[i] = load(from + std::min(i, rows - 1) * stride);
  for (int round = 1; round < lanes; round *= 2) {
    for (int i = 0; i < lanes / 2; ++i) {
      zipped[2 * i] = shuffle<ZipLow>(x[i], x[i + lanes / 2]);
      zipped[2 * i + 1] = shuffle<ZipHigh>(x[i], x[i + lanes / 2]);
    }
    for (int i = 0; i < lanes; ++i) x[i] = zipped[i];
  }
  for (int i = 0; i < lanes; ++i) store(to + i * to_stride, x[i]);
}

// Copies columns [first, first + columns) of b to rows of `width` numbers. What is in the rest of a row does
// not matter: it takes part in sums that are never stored.
void pack_panel(int K, Matrix b, int first, int columns, int width, Real* to) {
  if (!b.transposed) {
    const Real* row = b.data + first;
    for (int k = 0; k < K; ++k, row += b.stride)
      for (int j = 0; j < columns; ++j) to[k * width + j] = row[j];
    return;
  }
  for (int j = 0; j < columns; j += lanes) {
    const Real* from = b.data + static_cast<std::ptrdiff_t>(first + j) * b.stride;
    const int rows = std::min(columns - j, lanes);
    if (K < lanes) {
      for (int row = 0; row < rows; ++row)
        for (int k = 0; k < K; ++k) to[k * width + j + row] = from[row * b.stride + k];
      continue;
    }
    for (int k = 0; k < K; k += lanes) {
      const int start = std::min(k, K - lanes);  // the last square overlaps the one before
      transpose_square(from + start, b.stride, rows, to + start * width + j, width);
    }
  }
}

}  // namespace

void matmul(int M, int N, int K, Matrix a, Matrix b, Real* c, const MatmulOptions& options) {
  if (M == 0 || N == 0) return;
  thread_local Reals packed;
  for (int first = 0; first < N;) {
    const int left = N - first;
    int packs = widest;  // the widest tile that is filled, or the narrowest that holds what is left
    while (packs > 1 && packs / 2 * lanes >= left) packs /= 2;
    if (packs > 1 && packs * lanes > left && left % lanes == 0) packs /= 2;
    const int width = packs * lanes, columns = std::min(left, width);

    Tile tile{K, a.data, a.stride, b.data + first, b.stride, c + first, N, columns, options};
    if (options.bias) tile.options.bias = options.bias + first;
    if (b.transposed || columns < width) {
      packed.resize(std::max(packed.size(), static_cast<std::size_t>(K) * static_cast<std::size_t>(width)));
      pack_panel(K, b, first, columns, width, packed.data());
      tile.b = packed.data();
      tile.b_stride = width;
    }
    if (packs == 4)
      multiply_panel<4>(M, tile, a.transposed);
    else if (packs == 2)
      multiply_panel<2>(M, tile, a.transposed);
    else
      multiply_panel<1>(M, tile, a.transposed);
    first += columns;
  }
}

}  // namespace locus
