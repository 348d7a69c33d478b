// The score of a trained model in four parts: content and position of the query, times content and position of the key.
//
// At position t, head h has a query q_t. Its position part is the mean of q_t over many inputs: what is there whatever
// the tokens are. Its content part is the rest. Likewise of a key. The score q · k / sqrt(d) is then the sum of four
// products, with no remainder, in any layer. They have the names and the order of chapter 8 (Terms); there content was
// taken away by a zero, which a trained model with a layer norm does not allow.
//
// Letters: T length, H heads, d head width.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "autograd/ops.h"
#include "base/size.h"
#include "positional/support/registry.h"
#include "report/attention/attention.h"
#include "train/evaluate.h"
#include "train/run.h"

namespace locus {

// content-content, content-position, position-content, position-position: the query's part first.
using Parts = std::array<double, 4>;
inline const std::array<const char*, 4> names_of_parts = {"content-content", "content-position",
                                                          "position-content", "position-position"};

// The queries and keys of one layer: of B inputs (B,H,T,d), and their means over the inputs (H,T,d).
struct QueriesAndKeys {
  int B = 0, H = 0, T = 0, d = 0;
  Reals q = {}, k = {}, mean_q = {}, mean_k = {};

  // The four parts of the score of a query and a key of one head in one input.
  Parts parts(int input, int head, int query, int key) const {
    const auto row = [&](int position) { return as_size((head * T + position) * d); };
    const std::size_t of_input = as_size(input * H * T * d);
    Parts sums{};
    for (std::size_t c = 0; c < as_size(d); ++c) {
      const double query_position = mean_q[row(query) + c], key_position = mean_k[row(key) + c],
                   query_content = q[of_input + row(query) + c] - query_position,
                   key_content = k[of_input + row(key) + c] - key_position;
      sums[0] += query_content * key_content;
      sums[1] += query_content * key_position;
      sums[2] += query_position * key_content;
      sums[3] += query_position * key_position;
    }
    for (double& sum : sums) sum /= std::sqrt(d);
    return sums;
  }
};

// A part of a spec ("sinusoidal+score-parts") that either keeps the queries and keys it sees, or lets only some parts
// of the scores of one layer through. The experiment says which, by `window`.
struct Window {
  std::vector<QueriesAndKeys>* seen = nullptr;         // filled, an entry for each layer
  const std::vector<QueriesAndKeys>* known = nullptr;  // whose means are the position parts
  int layer = 0;
  bool position_only = false;  // of that layer: position-position alone, or all but position-position
};
inline Window window;

class ScoreParts : public Scheme {
 public:
  ScoreParts(const Options&, const SchemeContext&, ParameterTable&) {}

  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    if (!window.seen) return;
    QueriesAndKeys layer{.B = q.shape()[0], .H = q.shape()[1], .T = q.shape()[2], .d = q.shape()[3]};
    layer.q.assign(q.value(), q.value() + q.count());
    layer.k.assign(k.value(), k.value() + k.count());
    layer.mean_q = mean(layer.q, layer.B);
    layer.mean_k = mean(layer.k, layer.B);
    window.seen->resize(as_size(inputs.layer) + 1);
    window.seen->back() = layer;
  }

  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    if (!window.known || inputs.layer != window.layer) return scores;
    const QueriesAndKeys& of = (*window.known)[as_size(inputs.layer)];
    Tape& tape = scores.tape();
    const Shape shape{1, of.H, of.T, of.d};
    const Tensor by_position = matmul(tape.constant(shape, of.mean_q.data()),
                                      transpose(tape.constant(shape, of.mean_k.data())), 1 / std::sqrt(of.d));
    return window.position_only ? scores * 0 + by_position : scores - by_position;
  }

  Claims claims() const override { return {}; }

 private:
  static Reals mean(const Reals& all, int inputs) {
    const std::size_t size = all.size() / as_size(inputs);
    std::vector<double> sums(size);
    for (std::size_t i = 0; i < all.size(); ++i) sums[i % size] += static_cast<double>(all[i]);
    Reals means;
    for (const double sum : sums) means.push_back(static_cast<Real>(sum / inputs));
    return means;
  }
};

inline const RegisterScheme score_parts{{.name = "score-parts",
                                         .summary = "shows queries and keys, or keeps parts of the scores",
                                         .source = "chapter 12",
                                         .stage = Stage::query_and_key,
                                         .options = {},
                                         .make = make<ScoreParts>}};

// The same model with the window in it. `run` has no part that turns queries and keys.
inline Run with_window(const Run& run) {
  RunSettings settings = run.settings();
  Spec& scheme = settings.model.scheme;
  scheme = scheme == "none" ? "score-parts" : to_string(scheme) + "+score-parts";
  return Run(settings);
}

// The queries and keys of each layer, for so many test inputs of this length.
inline std::vector<QueriesAndKeys> queries_and_keys(const Run& run, const Reals& parameters, int length,
                                                    int inputs) {
  const Run watched = with_window(run);
  const Batch batch = run.batcher().batch(run.task().test_set(length, inputs));
  std::vector<QueriesAndKeys> seen;
  Tape tape(parameters.data());
  window = {.seen = &seen};
  watched.model().logits(tape, inputs_at_test(tape, batch.tokens, batch.length));
  window = {};
  return seen;
}

// How much each part contributes to the differences between the scores of a query's keys: its covariance with the
// score, over the variance of the score, within each row. The four shares sum to 1, and one can be negative. What is the
// same for all keys of a query counts for nothing, as the softmax does not see it.
inline Parts shares(const QueriesAndKeys& of) {
  Parts with_score{};
  double of_score = 0;
  for (int input = 0; input < of.B; ++input)
    for (int head = 0; head < of.H; ++head)
      for (int query = 0; query < of.T; ++query) {
        std::vector<Parts> row;
        Parts mean{};
        for (int key = 0; key < of.T; ++key) {
          row.push_back(of.parts(input, head, query, key));
          for (std::size_t i = 0; i < 4; ++i) mean[i] += row.back()[i] / of.T;
        }
        for (Parts& parts : row) {
          double score = 0;
          for (std::size_t i = 0; i < 4; ++i) score += parts[i] -= mean[i];
          for (std::size_t i = 0; i < 4; ++i) with_score[i] += parts[i] * score;
          of_score += score * score;
        }
      }
  for (double& share : with_score) share /= of_score;
  return with_score;
}

// The share of right answers when the scores of one layer are position-position alone, or all but that.
inline double right_with(const Run& run, const Reals& parameters, const std::vector<QueriesAndKeys>& known,
                         int layer, bool position_only, Pool& pool) {
  const Run changed = with_window(run);
  window = {.known = &known, .layer = layer, .position_only = position_only};
  const double right = changed.test(known.front().T, parameters.data(), pool).score.token_accuracy;
  window = {};
  return right;
}

}  // namespace locus
