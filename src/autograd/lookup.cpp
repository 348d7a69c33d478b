// Ops that look up, y[i] = table[id[i]], and one that sums by id, which is the reverse. Chapter 7 of the lessons
// takes out the lines between `exercise` and `end`.
#include <algorithm>

#include "autograd/ops.h"
#include "base/error.h"

namespace locus {

namespace {

const Op op_gather_rows{"gather_rows"}, op_gather_columns{"gather_columns"}, op_gather_pairs{"gather_pairs"},
    op_sum_pairs{"sum_pairs"};

// A copy of the ids that lives until the tape is reset. Throws Error unless each is in 0 .. size-1.
int* checked_ids(const Op& op, Tape& tape, std::span<const int> ids, const Shape& shape, int size) {
  if (ids.size() != shape.count()) fail(op.name, str(ids.size(), " ids do not fill the shape ", shape));
  for (const int id : ids)
    if (id < 0 || id >= size)
      fail(op.name, str("id ", id, " is outside the table, which has ", size, " entries"));
  int* copy = tape.arena().allocate<int>(ids.size());
  std::copy(ids.begin(), ids.end(), copy);
  return copy;
}

}  // namespace

Tensor gather_rows(Tensor table, std::span<const int> ids, Shape shape) {
  if (table.shape().rank() != 2)
    fail("gather_rows", str("the table is ", table.shape(), ", but must be (V,D)"));
  const int V = table.shape()[0], D = table.shape().last();
  Tape& tape = table.tape();
  const int* id = checked_ids(op_gather_rows, tape, ids, shape, V);
  Tensor y = tape.result(shape.with_axis(D), {table});
  const int rows = y.shape().rows();
  // exercise 7.1: each row of y (D elements): a copy of row id[row] of the table
  for (int row = 0; row < rows; ++row)
    std::copy_n(table.value() + std::ptrdiff_t{id[row]} * D, D, y.value() + std::ptrdiff_t{row} * D);
  // end
  tape.record(op_gather_rows, y, [=] {
    // exercise 7.2: what table.gradient(), of shape (V,D), gets from y.gradient(), of shape (rows,D)
    // (id[row] may occur twice, or never; the text says what is in table.gradient() already)

    // Each entry of the table adds up the gradients of all elements that were read from it; entries that were
    // not read keep gradient zero.
    for (int row = 0; row < rows; ++row) {
      Real* __restrict to = table.gradient() + std::ptrdiff_t{id[row]} * D;
      const Real* __restrict from = y.gradient() + std::ptrdiff_t{row} * D;
      for (int c = 0; c < D; ++c) to[c] += from[c];
    }
    // end
  });
  return y;
}

Tensor gather_columns(Tensor table, std::span<const int> ids, Shape shape) {
  const bool square = (shape.rank() == 2 || shape.rank() == 3) && shape.from_last(0) == shape.from_last(1);
  if (table.shape().rank() < 2 || !square)
    fail("gather_columns", str("the table is ", table.shape(), " and the ids ", shape,
                               ", but they must be (H,N) and (T,T) or (B,T,T)"));
  const int H = table.shape().rows(), N = table.shape().last();
  Tape& tape = table.tape();
  const int* id = checked_ids(op_gather_columns, tape, ids, shape, N);
  const int T = shape.last(), size = T * T, B = shape.from_last(2);
  Tensor y = tape.result(shape.rank() == 2 ? Shape{H, T, T} : Shape{B, H, T, T}, {table});
  // Calls f(entry of the table, element of the result) for every element of the result.
  auto for_elements = [=](Real* entries, Real* elements, auto f) {
    for (int b = 0; b < B; ++b)
      for (int h = 0; h < H; ++h)
        for (int i = 0; i < size; ++i)
          f(entries[std::ptrdiff_t{h} * N + id[std::ptrdiff_t{b} * size + i]],
            elements[(std::ptrdiff_t{b} * H + h) * size + i]);
  };
  for_elements(table.value(), y.value(), [](Real& entry, Real& element) { element = entry; });
  tape.record(op_gather_columns, y, [=] {
    for_elements(table.gradient(), y.gradient(), [](Real& entry, Real& element) { entry += element; });
  });
  return y;
}

namespace {

// Which entry belongs to each pair of a query i and a key j: entry id[i,j] of the query's row of N entries,
// or of the key's row. The ids are (T,T), or (B,T,T) when the examples have positions of their own, and serve
// all heads.
class PairEntries {
 public:
  PairEntries(const Op& op, Tensor x, std::span<const int> ids, const Shape& shape, int N, RowOf row)
      : B_(x.shape()[0]), H_(x.shape()[1]), T_(x.shape()[2]), N_(N), shared_(shape.rank() == 2) {
    if (shape != Shape{T_, T_} && shape != Shape{B_, T_, T_})
      fail(op.name, str("x is ", x.shape(), " and the ids ", shape, ", but they must be (", T_, ",", T_,
                        ") or (", B_, ",", T_, ",", T_, ")"));
    int* entry = checked_ids(op, x.tape(), ids, shape, N);
    entries_ = entry;
    for (int example = 0; example < (shared_ ? 1 : B_); ++example)
      for (int i = 0; i < T_; ++i)
        for (int j = 0; j < T_; ++j) *entry++ += (row == RowOf::query ? i : j) * N;  // where that row begins
  }

  // Calls f(element of the pair, its entry) for all pairs of all heads; `pairs` is (B,H,T,T), `rows`
  // (B,H,T,N).
  template <class F>
  void for_all(Real* pairs, Real* rows, F f) const {
    const int size = T_ * T_;
    for (int head = 0; head < B_ * H_; ++head) {
      const int* __restrict entry = entries_ + (shared_ ? 0 : std::ptrdiff_t{head / H_} * size);
      Real* __restrict pair = pairs + std::ptrdiff_t{head} * size;
      Real* __restrict row = rows + std::ptrdiff_t{head} * T_ * N_;
      for (int p = 0; p < size; ++p) f(pair[p], row[entry[p]]);
    }
  }

 private:
  int B_, H_, T_, N_;
  bool shared_;
  const int* entries_;  // for each pair, its entry among all T N of a head
};

}  // namespace

Tensor gather_pairs(Tensor rows, std::span<const int> ids, Shape shape, RowOf row) {
  if (rows.shape().rank() != 4)
    fail("gather_pairs", str("the rows are ", rows.shape(), ", but must be (B,H,T,N)"));
  const PairEntries entries(op_gather_pairs, rows, ids, shape, rows.shape().last(), row);
  Tensor y = rows.tape().result(rows.shape().with_last(rows.shape()[2]), {rows});
  entries.for_all(y.value(), rows.value(), [](Real& pair, Real& entry) { pair = entry; });
  rows.tape().record(op_gather_pairs, y, [=] {
    entries.for_all(y.gradient(), rows.gradient(), [](Real& pair, Real& entry) { entry += pair; });
  });
  return y;
}

Tensor sum_pairs(Tensor x, std::span<const int> ids, Shape shape, int N) {
  if (x.shape().rank() != 4 || x.shape()[2] != x.shape()[3])
    fail("sum_pairs", str("x is ", x.shape(), ", but must be (B,H,T,T)"));
  const PairEntries entries(op_sum_pairs, x, ids, shape, N, RowOf::query);
  Tensor y = x.tape().result(x.shape().with_last(N), {x});
  std::fill_n(y.value(), y.count(), Real{0});
  entries.for_all(x.value(), y.value(), [](Real& pair, Real& entry) { entry += pair; });
  x.tape().record(op_sum_pairs, y, [=] {
    entries.for_all(x.gradient(), y.gradient(), [](Real& pair, Real& entry) { pair += entry; });
  });
  return y;
}

}  // namespace locus
