// What one layer of attention hands to a scheme, and a scheme with its parameters in the open: for tests that compare
// the scores of a scheme with golden numbers or with plain loops. In a namespace of its own: refute.h has a
// Subject, too.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "../golden/golden.h"
#include "../support/random_values.h"
#include "autograd/ops.h"
#include "positional/support/spec.h"

namespace locus::one_layer {

using Numbers = std::vector<double>;

inline constexpr double digits12 = 1e-11;  // the files hold 12 significant digits
inline constexpr double exact = sizeof(Real) == 8 ? digits12 : 2e-6;

inline double sigmoid_of(double x) { return 1 / (1 + std::exp(-x)); }
inline double softplus_inverse(double y) { return std::log(std::expm1(y)); }

// What one attention layer of random numbers hands to a scheme: one example, q and k (H,T,d), x (T,D).
struct Layer {
  int H, T, d;
  std::vector<double> places;
  Reals q, k, x;

  Layer(int heads, int length, int width, std::uint64_t seed = 1)
      : H(heads),
        T(length),
        d(width),
        q(random_values(count(H * T * d), seed)),
        k(random_values(count(H * T * d), seed + 1)),
        x(random_values(count(H * T * d), seed + 2)) {
    for (int t = 0; t < T; ++t) places.push_back(t);
  }
  static std::size_t count(int numbers) { return static_cast<std::size_t>(numbers); }
  static double at(const Reals& values, int index) { return static_cast<double>(values[count(index)]); }
  double q_at(int h, int i, int c) const { return at(q, (h * T + i) * d + c); }
  double k_at(int h, int j, int c) const { return at(k, (h * T + j) * d + c); }
  double x_at(int t, int c) const { return at(x, t * H * d + c); }
  double q_dot_k(int h, int i, int j) const {
    double sum = 0;
    for (int c = 0; c < d; ++c) sum += q_at(h, i, c) * k_at(h, j, c);
    return sum;
  }
};

// A scheme for a layer like that, with its parameters in the open.
class Subject {
 public:
  Subject(const std::string& spec, SchemeContext context) : scheme_(make_scheme(spec, context, table_)) {
    parameters_ = table_.sample(1);
    const auto moves = random_values(parameters_.size(), 2, 0.3);
    for (std::size_t i = 0; i < moves.size(); ++i) parameters_[i] += moves[i];
  }

  const Scheme& scheme() const { return *scheme_; }
  void set(const std::string& name, const Numbers& values) {
    Real* to = find(name);
    for (const double value : values) *to++ = static_cast<Real>(value);
  }
  void set_all(double value) { std::ranges::fill(parameters_, static_cast<Real>(value)); }
  double parameter(const std::string& name, int index) {
    return static_cast<double>(find(name)[static_cast<std::size_t>(index)]);
  }

  // Scores (H,T,T) after the scheme; without it they are q . k / sqrt(d).
  Numbers scores(const Layer& layer) const {
    Tape tape(parameters_.data());
    return numbers_of(run(tape, layer));
  }
  // What it adds to them.
  Numbers bias(const Layer& layer) const {
    Numbers result = scores(layer);
    for (int h = 0, n = 0; h < layer.H; ++h)
      for (int i = 0; i < layer.T; ++i)
        for (int j = 0; j < layer.T; ++j)
          result[static_cast<std::size_t>(n++)] -= layer.q_dot_k(h, i, j) / std::sqrt(layer.d);
    return result;
  }
  // Weights (H,T,T), by its own rule or by softmax.
  Numbers weights(const Layer& layer, Mask mask) const {
    Tape tape(parameters_.data());
    const Tensor scores = run(tape, layer);
    return numbers_of(scheme_->weights(scores, mask).value_or(softmax(scores, mask)));
  }

  Tensor run(Tape& tape, const Layer& layer) const {
    Tensor q = tape.constant({1, layer.H, layer.T, layer.d}, layer.q.data());
    Tensor k = tape.constant({1, layer.H, layer.T, layer.d}, layer.k.data());
    const Tensor x = tape.constant({1, layer.T, layer.H * layer.d}, layer.x.data());
    const Positions positions{1, layer.T, layer.places.data()};
    const AttentionInputs seen{x, q, k, positions, 0};
    scheme_->query_and_key(q, k, seen);
    const Tensor content = matmul(q, transpose(k), 1 / std::sqrt(static_cast<Real>(layer.d)));
    return scheme_->scores(content, seen);
  }
  static Numbers numbers_of(Tensor x) { return {x.value(), x.value() + x.count()}; }

  Reals& parameters() { return parameters_; }

 private:
  Real* find(const std::string& name) {
    for (const auto& entry : table_.entries())
      if (entry.name == name) return parameters_.data() + entry.where.offset;
    FAIL("no parameter " << name);
    return nullptr;
  }

  ParameterTable table_;
  std::unique_ptr<Scheme> scheme_;
  Reals parameters_;
};

inline SchemeContext context_of(const Layer& layer, bool causal = true) {
  return {.d_model = layer.H * layer.d, .heads = layer.H, .causal = causal};
}

// f(head, query, key) for every entry (H,T,T); below the diagonal and on it only when `causal`, 0 elsewhere.
inline Numbers by_loops(const Layer& layer, bool causal, const std::function<double(int, int, int)>& f) {
  Numbers result;
  for (int h = 0; h < layer.H; ++h)
    for (int i = 0; i < layer.T; ++i)
      for (int j = 0; j < layer.T; ++j) result.push_back(causal && j > i ? 0 : f(h, i, j));
  return result;
}

// Entries above the diagonal as 0, for schemes that leave anything there.
inline Numbers lower(const Layer& layer, const Numbers& scores) {
  std::size_t n = 0;
  return by_loops(layer, true, [&](int h, int i, int j) {
    n = static_cast<std::size_t>((h * layer.T + i) * layer.T + j);
    return scores[n];
  });
}

// The rows of a triangle in a golden file, where nothing stands above the diagonal, as a full matrix.
inline Numbers triangle(const Json& object, const std::string& key) {
  Numbers result;
  for (const Json& row : object.array(key, "golden"))
    for (const Json& entry : row.as_array("golden", key))
      result.push_back(entry.is_null() ? 0 : entry.as_number("golden", key));
  return result;
}

inline Reals reals(const Numbers& values) { return {values.begin(), values.end()}; }

}  // namespace locus::one_layer
