// Views of the scores: the bias that a scheme adds to them, the distances that share a learned number, and
// the scores of a head in the first layer.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "ablation/statistics.h"
#include "base/error.h"
#include "base/random.h"
#include "base/size.h"
#include "cli/inspect/view.h"
#include "cli/output.h"
#include "io/format.h"
#include "model/attention.h"
#include "model/model.h"
#include "positional/support/added_scores.h"
#include "positional/support/spec.h"

namespace locus {

namespace {

// --- bias: what is added to the scores, head by head; numbers that were learned only of a trained model ---

// What is subtracted for each position that a key lies before the query, where that is one number.
std::optional<double> slope_of(const Inspected& s, int head) {
  const auto bias = [&](int back) { return s.scheme->bias(head, back, 0).value_or(NAN); };
  const double slope = s.length > 1 ? -bias(1) : NAN;
  for (int back = 0; back < s.length; ++back)
    if (!(std::abs(bias(back) + slope * back) <= 1e-6 * (1 + std::abs(slope) * back))) return {};
  return slope;
}

// key - query where the bias of every head and every query is largest; none where heads differ, or two keys are equal.
std::optional<int> largest_at(const Rows& rows) {
  std::map<double, std::map<double, double>> heads;  // of each head the bias by key - query
  for (const auto& row : rows) heads[row[0]][row[2] - row[1]] = row[3];
  std::set<int> places;
  for (const auto& [head, biases] : heads) {
    const auto largest = std::ranges::max_element(biases, {}, [](const auto& one) { return one.second; });
    if (std::ranges::count_if(biases, [&](const auto& one) {
          return one.second > largest->second - 1e-6 * (1 + std::abs(largest->second));
        }) > 1)
      return {};
    places.insert(static_cast<int>(largest->first));
  }
  return places.size() == 1 ? std::optional(*places.begin()) : std::nullopt;
}

std::string bias_title(const Inspected& s, const Rows& rows) {
  if (!depends_on_distance(rows, 1)) return str("What ", s.spec, " adds to the scores");
  const auto at = largest_at(rows);
  if (!at) return str("What ", s.spec, " adds to the scores depends on the distance alone");
  const int far = std::abs(*at);
  return str("The bias of ", s.spec, " is largest ",
             far == 0 ? std::string("at the query")
                      : str(far, far == 1 ? " position" : " positions", *at < 0 ? " before" : " after",
                            " the query"),
             ", wherever the query is");
}

HeatMaps bias_maps(const Inspected& s, const Rows& rows) {
  std::vector<HeatMap> maps =
      head_maps(s, rows, "bias", HeatMap::Scale::sequential, s.trained ? s.positions() : s.length);
  for (int head = 0; head < s.shape.heads; ++head)
    if (const auto slope = slope_of(s, head); slope && *slope != 0) {
      HeatMap& map = maps[as_size(head)];
      map.title += str(": less ", short_number(*slope), " per position back");
      map.range = with_some_width(
          range_of(map.values));  // on the scale of the steepest a flat head would be one colour
    }
  return {bias_title(s, rows), maps};
}

// --- buckets: which distances share a learned number ---

Rows buckets_rows(const Inspected& s) {
  Rows rows;
  for (int relative = 1 - s.length; relative < s.length; ++relative)
    if (const auto bucket = s.scheme->bucket(relative)) rows.push_back(row_of(relative, *bucket));
  return rows;
}

// A staircase: each distance is a step one position wide, and jumps are vertical.
Figure buckets_chart(const Inspected& s, const Rows& rows) {
  Series stairs{.name = "", .samples = {}, .marked = false};
  std::set<double> buckets;
  for (const auto& row : rows) {
    buckets.insert(row[1]);
    for (const double edge : {-0.5, 0.5}) stairs.samples.push_back({row[0] + edge, row[1]});
  }
  return line_chart({.title = str(rows.size(), " distances share ", buckets.size(), " numbers of ", s.spec),
                     .x_label = "distance: key - query (positions)",
                     .y_label = "bucket",
                     .series = {stairs}});
}

// --- scores: what the scheme alone makes of the scores of a head. Random tokens go through the
// first layer of a model, with the parameters of the subject. In the mean over many inputs the effect of the tokens
// cancels, and that of the positions remains. Where a scheme replaces the softmax (stick-breaking), the
// logarithm of its weights takes the place of the score: under a softmax it would be the score plus a
// constant per query. Keys that are never seen have no row. ---

// Calls the scheme for every hook of attention, and keeps the scores that it returns.
class Watched : public Scheme {
 public:
  explicit Watched(const Scheme& scheme) : scheme_(scheme) {}

  void query_and_key(Tensor& q, Tensor& k, const AttentionInputs& inputs) const override {
    scheme_.query_and_key(q, k, inputs);
  }
  Tensor scores(Tensor scores, const AttentionInputs& inputs) const override {
    return seen_ = scheme_.scores(scores, inputs);
  }
  std::optional<Tensor> weights(Tensor scores, Mask mask) const override {
    const auto weights = scheme_.weights(scores, mask);
    if (weights) seen_ = *weights;
    own_weights_ = weights.has_value();
    return weights;
  }
  Tensor mixed(Tensor mixed, Tensor weights, const AttentionInputs& inputs) const override {
    return scheme_.mixed(mixed, weights, inputs);
  }
  Claims claims() const override { return scheme_.claims(); }

  double score(std::size_t i) const {
    const double seen = seen_.value()[i];
    return own_weights_ ? std::log(seen) : seen;
  }

 private:
  const Scheme& scheme_;
  mutable Tensor seen_;  // (B,H,T,T)
  mutable bool own_weights_ = false;
};

// How many inputs to average over; fewer when an input takes more work.
int draws(const Inspected& s) { return static_cast<int>(std::clamp(2e6 / squares(s), 8.0, 512.0)); }

// Calls `see` after each of so many random inputs of T tokens has gone through the first layer.
template <class See>
void watch(const Inspected& s, int T, int draws, See see) {
  const int D = s.shape.d_model;
  std::vector<int> digit_tokens(as_size(std::min(10, s.vocabulary))), tokens(as_size(T));
  std::iota(digit_tokens.begin(), digit_tokens.end(), 0);
  SchemeContext shape = s.shape;
  if (!s.trained) shape.digits = digit_tokens;
  ParameterTable table;
  const Embedding embedding(table, "embedding", s.vocabulary, D);
  const LayerNorm norm(table, "layer0.attention_norm", D);
  const Attention attention(table, "layer0.attention", shape, 0);
  const auto scheme = make_scheme(s.spec, shape, table);
  const Watched watched(*scheme);
  const Reals parameters = s.values(table);
  Tape tape(parameters.data());
  Random random(1, Purpose::test_data);
  for (int draw = 0; draw < draws; ++draw) {
    tape.reset();
    for (int& token : tokens) token = random.below(s.vocabulary);
    Inputs inputs{tokens, T, count_up(tape, T),
                  Random(1, Purpose::positions, static_cast<std::uint64_t>(draw))};
    inputs.positions = scheme->positions(tape, inputs);
    const Tensor x = scheme->embedding(embedding(tape, tokens, T), inputs);
    attention(norm(x), watched, inputs);
    see(watched);
  }
}

std::vector<double> zeros_for_pairs(const Inspected& s, int T) {  // (H,T,T)
  const auto positions = as_size(T);
  return std::vector<double>(as_size(s.shape.heads) * positions * positions);
}

// The mean score of each head, query and key.
std::vector<double> mean_scores(const Inspected& s) {
  std::vector<double> sum = zeros_for_pairs(s, s.positions());
  watch(s, s.positions(), draws(s), [&](const Watched& watched) {
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += watched.score(i);
  });
  for (double& value : sum) value /= draws(s);
  return sum;
}

// What a trained scheme adds to each score of T tokens, whatever the tokens; empty when that depends on them, or is
// nothing.
std::vector<double> learned_bias(const Inspected& s, int T) {
  if (!s.trained) return {};
  ParameterTable table;
  const auto scheme = make_scheme(s.spec, s.shape, table);
  return added_scores(*scheme, s.shape, s.values(table).data(), T);
}

// Over all pairs that a head can see.
Rows rows_of_pairs(const Inspected& s, const std::vector<double>& scores) {
  Rows rows;
  int weightless = 0;  // beside a query's own key, which stick-breaking leaves out
  const double* score = scores.data();
  for (int h = 0; h < s.shape.heads; ++h)
    for (int i = 0; i < s.positions(); ++i)
      for (int j = 0; j < s.positions(); ++j, ++score)
        if (!s.shape.causal || j <= i) {
          if (*score != -INFINITY)
            rows.push_back(row_of(h, i, j, *score));
          else if (i != j)
            ++weightless;
        }
  if (weightless > 0)
    complain(str("warning: ", weightless,
                 " pairs have no row: the weight of the key was 0, as it fell below the range of a float"));
  return rows;
}

Rows scores_rows(const Inspected& s) { return rows_of_pairs(s, mean_scores(s)); }

Rows bias_rows(const Inspected& s) {
  if (const std::vector<double> learned = learned_bias(s, s.positions()); !learned.empty())
    return rows_of_pairs(s, learned);
  Rows rows;
  for (int h = 0; h < s.shape.heads; ++h)
    for (int i = 0; i < s.length; ++i)
      for (int j = 0; j < s.length; ++j)
        if (const auto bias = s.scheme->bias(h, i, j)) rows.push_back(row_of(h, i, j, *bias));
  return rows;
}

// The share of the variance of the scores within a head that the distance from query to key explains: 1 when
// all scores of a distance are equal, 0 when the mean scores of all distances are.
double explained_by_distance(const Rows& rows) {
  std::map<std::vector<double>, std::vector<double>> heads, distances;
  for (const auto& row : rows) {
    heads[{row[0]}].push_back(row[3]);
    distances[{row[0], row[2] - row[1]}].push_back(row[3]);
  }
  const auto spread = [](const auto& groups) {  // sum of the squared differences from the mean of the group
    double sum = 0;
    for (const auto& [key, scores] : groups) {
      const double middle = mean(scores);
      for (const double score : scores) sum += (score - middle) * (score - middle);
    }
    return sum;
  };
  const double all = spread(heads);
  return all > 0 ? 1 - spread(distances) / all : 1;
}

HeatMaps scores_maps(const Inspected& s, const Rows& rows) {
  return {str("With ", s.spec, ", ", s.trained ? "" : "un", "trained, the distance explains ",
              fixed(100 * explained_by_distance(rows), 0), " % of the scores' variance over random tokens"),
          head_maps(s, rows, "mean score", HeatMap::Scale::diverging, s.positions())};
}

}  // namespace

View bias_view() {
  return {.name = "bias",
          .summary = "what is added to the scores",
          .header = "head,query,key,value",
          .shows =
              [](const Inspected& s) {  // a few tokens tell, and cost little
                return s.scheme->bias(0, 0, 0).has_value() ||
                       !learned_bias(s, std::min(4, s.positions())).empty();
              },
          .size = squares,
          .rows = bias_rows,
          .maps = bias_maps};
}

View buckets_view() {
  return {.name = "buckets",
          .summary = "which distances share a learned number",
          .header = "relative,bucket",
          .shows = [](const Inspected& s) { return s.scheme->bucket(0).has_value(); },
          .size = [](const Inspected& s) { return 2.0 * s.length - 1; },
          .rows = buckets_rows,
          .chart = buckets_chart};
}

View scores_view() {
  return {
      .name = "scores",
      .summary = "what any scheme makes of the scores of a head in the first layer",
      .header = "head,query,key,score",
      .shows = [](const Inspected&) { return true; },
      // At least the parameters of the attention layer.
      .size =
          [](const Inspected& s) { return std::max(squares(s), 4.0 * s.shape.d_model * s.shape.d_model); },
      .rows = scores_rows,
      .maps = scores_maps};
}

}  // namespace locus
