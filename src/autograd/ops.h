// The ops: functions from tensors to tensors, each with its way back beside it in the .cpp files of this
// folder. All operands must be on one tape. Wrong shapes throw Error and name the rule and both shapes.
// Letters: B batch, T length, D width, H heads, d head width.
#pragma once

#include <span>

#include "autograd/tape.h"

namespace locus {

// --- elementwise.cpp ---

// x + y. The shape of y must end the shape of x: (B,T,D) + (T,D) adds one table to every example, + (D) a
// bias.
Tensor add(Tensor x, Tensor y);
Tensor multiply(Tensor x, Tensor y);  // same shapes, element by element
Tensor scale(Tensor x, Real factor);
Tensor gelu(Tensor x);  // x Phi(x)
Tensor tanh(Tensor x);
Tensor sigmoid(Tensor x);           // 1 / (1 + exp(-x))
Tensor divide(Tensor x, Tensor y);  // same shapes, element by element
Tensor relu(Tensor x);              // max(x, 0)
Tensor exp(Tensor x);
Tensor log1p(Tensor x);     // log(1 + x), for x > -1
Tensor softplus(Tensor x);  // log(1 + exp(x)): positive, and never without a slope

// --- products.cpp ---

// A matrix to be read with its last two axes swapped; nothing is copied.
struct Transposed {
  Tensor of;
};
inline Transposed transpose(Tensor x) { return {x}; }

// (M,K) (K,N) -> (M,N), matrix by matrix over the leading axes: (B,H,T,d) (B,H,d,T) -> (B,H,T,T). Those of b
// need only end those of a: (B,H,T,d) (H,d,N) -> (B,H,T,N), and b of rank 2 multiplies every row of a. The
// product is multiplied by `factor`.
Tensor matmul(Tensor a, Tensor b, Real factor = 1);
Tensor matmul(Tensor a, Transposed b, Real factor = 1);

// x (...,I) weight (I,O) + bias (O) -> (...,O)
Tensor linear(Tensor x, Tensor weight, Tensor bias);

// The same as linear(gelu(linear(x, up, up_bias)), down, down_bias), with less memory: x (...,I), up (I,F),
// up_bias (F), down (F,O), down_bias (O) -> (...,O)
Tensor feed_forward(Tensor x, Tensor up, Tensor up_bias, Tensor down, Tensor down_bias);

// --- normalisation.cpp ---

enum class Mask { none, causal };  // causal: the query in row i sees the keys 0 .. i only

// Rows of the last axis become probabilities. With a causal mask the last two axes are (queries, keys), and
// weights of keys after the query are exactly 0.
Tensor softmax(Tensor x, Mask mask = Mask::none);

// Each row to mean 0 and variance 1, then gain (D) times it plus bias (D).
Tensor layer_norm(Tensor x, Tensor gain, Tensor bias);

// --- indexing.cpp ---

// Rows of a table: table (V,D), ids of shape (B,T) or (T) -> (B,T,D) or (T,D). Every id must be in 0 .. V-1.
Tensor gather_rows(Tensor table, std::span<const int> ids, Shape shape);

// Entries of every row of a table: table (H,N) or (H,1,N), ids of shape (T,T) or (B,T,T) -> (H,T,T) or
// (B,H,T,T).
Tensor gather_columns(Tensor table, std::span<const int> ids, Shape shape);

Tensor time_slice(Tensor x, int t);  // (B,T,D) -> (B,D), every example at one time

// --- relative.cpp ---

enum class RowOf { query, key };

// To x_ij, for each pair of query i and key j, adds entry id[i,j] of the numbers of the query, or of the key:
// x (B,H,T,T), numbers (B,H,T,N), ids of shape (T,T) or (B,T,T) -> (B,H,T,T). Every id must be in 0 .. N-1.
Tensor add_pairs(Tensor x, Tensor numbers, std::span<const int> ids, Shape shape, RowOf row);

// The other way round: what each query gives to all keys of one id. x (B,H,T,T) -> (B,H,T,N).
Tensor sum_pairs(Tensor x, std::span<const int> ids, Shape shape, int N);

// --- contextual.cpp ---

// y_ij = x_ij + ... + x_ii: from key j to the query, both included; 0 for keys after it. x (...,T,T)
Tensor reverse_cumsum(Tensor x);

// Between two entries of the row of a table (...,N): at place 1.25 three quarters of entry 1 and a quarter of
// entry 2; outside 0 .. N-1 the nearest end. place (...,M) -> (...,M).
Tensor interpolate(Tensor table, Tensor place);

// Weights instead of a softmax: each key breaks off a share sigmoid(x_ij) of what the keys between it and the
// query left over; 0 for keys after the query, and for its own unless `current`. x (...,T,T)
Tensor stick_breaking(Tensor x, bool current);

// --- householder.cpp ---

Tensor unit_length(Tensor x);  // each row divided by its length

// What transforms H_s = I - beta_s w_s w_s^T on the way from key j to query i change of their score:
// factor (k_j . H_{j+1} ... H_i q_i - k_j . q_i), 0 for keys after the query. q, k, w (B,H,T,d), beta
// (B,H,T,1)
// -> (B,H,T,T).
Tensor path_scores(Tensor q, Tensor k, Tensor w, Tensor beta, Real factor);

// --- layout.cpp ---

// (B,T,D) -> (B,H,T,d), D = H d, and back. Nothing is copied as long as nobody but matmul reads the heads.
Tensor split_heads(Tensor x, int heads);
Tensor merge_heads(Tensor x);
Tensor concat(Tensor x, Tensor y);  // (B,T,D) and (T,E) or (B,T,E) -> (B,T,D+E)
Tensor mean_over_time(Tensor x);    // (B,T,D) -> (B,D)

Tensor stack_over_time(std::span<const Tensor> slices);  // T times (B,D) -> (B,T,D): time slices put together

// --- rotation.cpp ---

// Turns pairs of channels by angles given as cos and sin: x (B,H,T,d); cos and sin hold rows of `pairs`
// numbers, T rows shared by all examples or B*T rows. The first 2 * pairs channels are turned, the rest pass.
// A pair is channels (2k, 2k+1) when interleaved (Su et al. 2021), else (k, k + pairs) (GPT-NeoX, Llama).
struct Rotation {
  int pairs;
  int rows;  // of cos and sin: T, or B * T
  const Real* cos;
  const Real* sin;
  bool interleaved;
};
Tensor rotate(Tensor x,
              const Rotation& rotation);  // the table is read again on the way back: it must outlive it

// --- loss.cpp ---

inline constexpr int not_scored = -1;  // a target that counts for nothing

// logits (...,V), one target in 0 .. V-1 or not_scored per row -> sum over scored rows of -log
// softmax(logits)[target], divided by `divisor` (a batch cut in shards divides each by the scored rows of the
// whole batch).
Tensor cross_entropy(Tensor logits, std::span<const int> targets, Real divisor);

}  // namespace locus
