// The ops: functions from tensors to tensors. The .cpp files of this folder hold each op's forward and
// backward side by side. All operands must be on one tape. Wrong shapes throw Error, which names the rule and
// the shapes. Letters: B batch, T length (tokens, the time axis), D width, H heads, d head width,
// V classes, N entries or rows of a table; M, K, I, O are any sizes.
//
// Gradients are summed in the order in which ops were recorded, and C++ leaves open which operand of + (or which
// argument) is computed first. Where two operands record ops of the same tensor, give one of them a name on a line of
// its own: then every compiler trains to the same bits.
//
// To add an op: declare it here, and write it into a .cpp file of this folder as in this example, the sine.
//
//   const Op op_sine{"sine"};
//
//   Tensor sine(Tensor x) {
//     Tensor y = x.tape().result(x.shape(), {x});
//     for (std::size_t i = 0; i < x.count(); ++i) y.value()[i] = std::sin(x.value()[i]);
//     x.tape().record(op_sine, y, [=] {
//       const Real *a = x.value(), *dy = y.gradient();
//       for (std::size_t i = 0; i < x.count(); ++i) x.gradient()[i] += std::cos(a[i]) * dy[i];
//     });
//     return y;
//   }
//
// tests/autograd/gradient_test.cpp then fails until it has a row that calls the op.
#pragma once

#include <span>

#include "autograd/tape.h"

namespace locus {

// --- elementwise.cpp ---

// Arithmetic element by element, with numpy's broadcasting: shapes are aligned at their last axes, and an
// axis of size 1 (or none) is repeated. (B,T,D) + (D) adds a bias to every row, (H,1) * (N) gives (H,N).
Tensor operator+(Tensor x, Tensor y);
Tensor operator-(Tensor x, Tensor y);
Tensor operator*(Tensor x, Tensor y);
Tensor operator/(Tensor x, Tensor y);

// The same with a number; only a number divided by a tensor is left out.
Tensor operator+(Tensor x, double number);
Tensor operator*(Tensor x, double number);
inline Tensor operator+(double number, Tensor x) { return x + number; }
inline Tensor operator*(double number, Tensor x) { return x * number; }
inline Tensor operator-(Tensor x) { return x * -1; }
inline Tensor operator-(Tensor x, double number) { return x + -number; }
inline Tensor operator-(double number, Tensor x) { return -x + number; }
inline Tensor operator/(Tensor x, double number) { return x * (1 / number); }

Tensor relu(Tensor x);  // max(x, 0)
Tensor clamp(Tensor x, double low,
             double high);  // x between them, else the nearer one; slope 1 on the edges, 0 outside
Tensor exp(Tensor x);
Tensor log1p(Tensor x);     // log(1 + x), for x > -1
Tensor softplus(Tensor x);  // log(1 + exp(x)): positive, with a slope everywhere
Tensor tanh(Tensor x);
Tensor sigmoid(Tensor x);  // 1 / (1 + exp(-x))
Tensor cosine(Tensor x);
Tensor gelu(Tensor x);  // x Phi(x), Phi the distribution function of the normal (Hendrycks and Gimpel 2016)

// sin(t s) / s with s = sqrt(z), for z >= 0, broadcast as above: what multiplies the generator of a turn by t s
// (Rodrigues). It is t where z = 0, and has a slope there.
Tensor sine_over_root(Tensor z, Tensor t);

// --- products.cpp ---

// A tensor to be read with its last two axes swapped; nothing is copied.
struct Transposed {
  Tensor of;
};
inline Transposed transpose(Tensor x) { return {x}; }

// (M,K) (K,N) -> (M,N), matrix by matrix over the leading axes: (B,H,T,d) (B,H,d,T) -> (B,H,T,T). b may have
// fewer leading axes than a, if they equal the last leading axes of a: (B,H,T,d) (H,d,N) -> (B,H,T,N). A b of
// rank 2 multiplies every row of a. The product is multiplied by `factor`.
Tensor matmul(Tensor a, Tensor b, double factor = 1);
Tensor matmul(Tensor a, Transposed b, double factor = 1);

// x (...,I) weight (I,O) + bias (O) -> (...,O)
Tensor linear(Tensor x, Tensor weight, Tensor bias);

// --- normalisation.cpp ---

// Each row of the last axis becomes probabilities. With a causal mask the last two axes are (queries, keys),
// and the weights of keys after the query are exactly 0.
Tensor softmax(Tensor x, Mask mask = Mask::none);

// Each row to mean 0 and variance 1, then times gain (D) plus bias (D) (Ba, Kiros and Hinton 2016).
Tensor layer_norm(Tensor x, Tensor gain, Tensor bias);

// Each row divided by its norm, sqrt(|x|^2 + 1e-12).
Tensor unit_length(Tensor x);

// --- layout.cpp ---

// (B,T,D) -> (B,H,T,d), D = H d, and back: head h of a token is its channels h d to (h + 1) d - 1.
Tensor split_heads(Tensor x, int heads);
Tensor merge_heads(Tensor x);

Tensor as_row(Tensor x);                                 // a column as a row: (B,H,T,1) -> (B,H,1,T)
Tensor concat(Tensor x, Tensor y);                       // (...,T,D) and (T,E) or (...,T,E) -> (...,T,D+E)
Tensor mean_over_time(Tensor x);                         // (B,T,D) -> (B,D)
Tensor cumsum_over_time(Tensor x);                       // y_t = x_0 + ... + x_t, (B,T,D) -> (B,T,D)
Tensor time_slice(Tensor x, int t);                      // (B,T,D) -> (B,D), every example at one time
Tensor stack_over_time(std::span<const Tensor> slices);  // T times (B,D) -> (B,T,D)

// --- lookup.cpp ---

// Rows of a table: table (V,D), ids of shape (B,T) or (T) -> (B,T,D) or (T,D). Every id must be in 0 .. V-1.
Tensor gather_rows(Tensor table, std::span<const int> ids, Shape shape);

// For each query i and key j a column of a table: y[h,i,j] = table[h,id[i,j]]. table (H,N), or (H,1,N) as a
// product of matrices gives it; ids of shape (T,T) or (B,T,T) -> (H,T,T) or (B,H,T,T).
Tensor gather_columns(Tensor table, std::span<const int> ids, Shape shape);

// For each pair of query i and key j, entry id[i,j] of the row of the query, or of the key: rows (B,H,T,N),
// ids of shape (T,T) or (B,T,T) -> (B,H,T,T). Every id must be in 0 .. N-1.
enum class RowOf { query, key };
Tensor gather_pairs(Tensor rows, std::span<const int> ids, Shape shape, RowOf row);

// For each query and each id, the sum of x over the keys that have this id: x (B,H,T,T) -> (B,H,T,N).
Tensor sum_pairs(Tensor x, std::span<const int> ids, Shape shape, int N);

// --- rotation.cpp ---

// Turns pairs of channels by angles given as cos and sin: x (B,H,T,d), cos and sin constants of shape (T,n),
// or (B,T,n) when examples have positions of their own. The first 2n channels are n pairs, the others stay as
// they are. Pair k is channels (2k, 2k+1) when interleaved (Su et al. 2021), channels (k, k + n) in the
// layout half (GPT-NeoX, Llama).
enum class PairLayout { interleaved, half };
Tensor rotate(Tensor x, Tensor cos, Tensor sin, PairLayout layout);

// --- recurrence.cpp ---

// For each head a matrix S (d,d), 0 at first, and token after token: S <- decay S, then S <- S + beta (v - S k) k^T,
// then y = S q. q, k, v (B,H,T,d), decay and beta (B,T,H) -> y (B,H,T,d) (Yang, Kautz and Hatamizadeh 2024).
Tensor gated_delta_rule(Tensor q, Tensor k, Tensor v, Tensor decay, Tensor beta);

// --- loss.cpp ---

inline constexpr int not_scored = -1;  // a target that is left out of the loss

// logits (...,V), for each row one target in 0 .. V-1 or not_scored -> the sum over scored rows of -log
// softmax(logits)[target], divided by `divisor`. (A batch that is cut into shards divides each shard by the
// scored rows of the whole batch.)
Tensor cross_entropy(Tensor logits, std::span<const int> targets, Real divisor);

}  // namespace locus
