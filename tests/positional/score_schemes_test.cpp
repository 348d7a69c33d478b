// Schemes of the score stage against numbers worked out elsewhere (tests/golden/score_schemes.json, from the
// code of the papers' authors and of widely used libraries), against their formulas written out as plain
// loops, and against each other where one is a special case of another.
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "../support/errors.h"
#include "layer.h"
#include "positional/support/contextual.h"

namespace score_schemes_test {

using namespace locus;
using namespace locus::one_layer;
using locus::one_layer::Subject;

namespace {

Json golden_of(const std::string& scheme) {
  return read_golden("score_schemes.json").member(scheme, "golden");
}

std::vector<int> buckets(const std::string& spec, const std::vector<int>& relatives) {
  const Subject subject(spec, {4, 1, false});
  std::vector<int> result;
  for (const int places : relatives) result.push_back(subject.scheme().bucket(places).value());
  return result;
}

}  // namespace

// --- Shaw ---

TEST_CASE("t5, shaw, deberta: a distance beyond the range of an int is far, on its own side") {
  for (const std::string spec : {"t5", "shaw", "deberta"}) {
    CAPTURE(spec);
    Layer layer(2, 2, 4);
    const Subject subject(spec, context_of(layer, false));
    layer.places = {0, 1e6};
    const Numbers far = subject.scores(layer);
    for (const double farther : {3e9, 1e12, 1e300}) {
      layer.places[1] = farther;
      CHECK(subject.scores(layer) == far);
    }
  }
}

TEST_CASE("rotary schemes: scores stay the same when all positions are shifted by a billion") {
  for (const std::string spec : {"rope", "pope", "xpos"}) {
    CAPTURE(spec);
    Layer layer(2, 12, 8);
    const Subject subject(spec, context_of(layer));
    const Numbers near = lower(layer, subject.scores(layer));
    for (double& place : layer.places) place += 1e9;
    const Numbers far = lower(layer, subject.scores(layer));
    for (std::size_t i = 0; i < near.size(); ++i) CHECK(std::abs(far[i] - near[i]) < 1e-4);
  }
}

TEST_CASE("shaw: the index of every pair, and the number of parameters, are tensor2tensor's") {
  const Json golden = golden_of("shaw");
  const auto indices = [](const std::string& spec, int length) {
    const Subject subject(spec, {8, 1, false});
    std::vector<int> result;
    for (int i = 0; i < length; ++i)
      for (int j = 0; j < length; ++j) result.push_back(*subject.scheme().bucket(j - i));
    return result;
  };
  CHECK(indices("shaw:clip=2", 5) == integers(golden, "L5_k2_index"));
  CHECK(indices("shaw:clip=1", 4) == integers(golden, "L4_k1_index"));
  CHECK(Subject("shaw:clip=2", {8, 1, false}).scheme().claims().parameters ==
        static_cast<std::size_t>(golden.integer("params_k2_dhead8_keys_and_values", "golden")));
}

TEST_CASE("shaw: scores and mixed values are those of its formula") {
  const Layer layer(2, 6, 3);
  Subject subject("shaw:clip=2", context_of(layer, false));
  const auto index = [&](int i, int j) { return std::clamp(j - i, -2, 2) + 2; };
  const auto vector_at = [&](const char* which, int i, int j, int c) {
    return subject.parameter(str("position.layer0.shaw.", which), index(i, j) * layer.d + c);
  };
  const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
    double sum = 0;
    for (int c = 0; c < layer.d; ++c)
      sum += layer.q_at(h, i, c) * (layer.k_at(h, j, c) + vector_at("keys", i, j, c));
    return sum / std::sqrt(layer.d);
  });
  CHECK(difference(subject.scores(layer), expected, exact) == "");

  Tape tape(subject.parameters().data());
  const Tensor weights = softmax(subject.run(tape, layer));
  const Tensor q = tape.constant({1, layer.H, layer.T, layer.d}, layer.q.data());
  const Positions positions{1, layer.T, layer.places.data()};
  const Tensor zero = 0 * q;
  const Tensor mixed = subject.scheme().mixed(zero, weights, {q, q, q, positions, 0});
  Numbers expected_mix;
  for (int h = 0; h < layer.H; ++h)
    for (int i = 0; i < layer.T; ++i)
      for (int c = 0; c < layer.d; ++c) {
        double sum = 0;
        for (int j = 0; j < layer.T; ++j)
          sum += static_cast<double>(weights.value()[(h * layer.T + i) * layer.T + j]) *
                 vector_at("values", i, j, c);
        expected_mix.push_back(sum);
      }
  CHECK(difference(Subject::numbers_of(mixed), expected_mix, exact) == "");
}

// --- Transformer-XL ---

namespace {

// The signed distance that the score of each pair saw. With one pair of channels the sinusoid of distance n
// is (sin n, cos n); with W the identity and u = v = 0 a query (1,0) reads its sine and (0,1) its cosine.
Numbers distances_seen(int length) {
  Layer layer(1, length, 2);
  Subject subject("transformer-xl", context_of(layer, false));
  subject.set_all(0);
  subject.set("position.layer0.transformer-xl.projection", {1, 0, 0, 1});
  const auto read = [&](Real first, Real second) {
    for (int t = 0; t < length; ++t) {
      layer.q[static_cast<std::size_t>(2 * t)] = first;
      layer.q[static_cast<std::size_t>(2 * t + 1)] = second;
    }
    return subject.bias(layer);
  };
  const Numbers sine = read(1, 0), cosine = read(0, 1);
  Numbers result;
  for (std::size_t n = 0; n < sine.size(); ++n) result.push_back(std::atan2(sine[n], cosine[n]));
  return result;
}

}  // namespace

TEST_CASE("transformer-xl: distances are i - j, below the diagonal as after the authors' shift") {
  const Numbers shifted = numbers(golden_of("transformer_xl"), "distance_after_shift");
  const Layer layer(1, 3, 2);
  CHECK(difference(lower(layer, distances_seen(3)), lower(layer, shifted), 1e-5) == "");
}

TEST_CASE("transformer-xl: keys after the query are at negative distances, in both directions right") {
  Numbers relative = numbers(golden_of("rel_shift_noncausal"), "out");  // j - i
  for (double& places : relative) places = -places;
  CHECK(difference(distances_seen(3), relative, 1e-5) == "");
}

TEST_CASE("transformer-xl: scores are those of its formula") {
  const Layer layer(2, 5, 4);
  Subject subject("transformer-xl", context_of(layer, false));
  const int D = layer.H * layer.d;
  const auto sinusoid = [&](double distance, int c) {
    const double angle = distance / std::pow(10000, (c - c % 2) / static_cast<double>(D));
    return c % 2 == 0 ? std::sin(angle) : std::cos(angle);
  };
  const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
    double sum = 0;
    for (int c = 0; c < layer.d; ++c) {
      double projected = 0;
      for (int e = 0; e < D; ++e)
        projected +=
            subject.parameter("position.layer0.transformer-xl.projection", (h * layer.d + c) * D + e) *
            sinusoid(i - j, e);
      const double u = subject.parameter("position.transformer-xl.u", h * layer.d + c);
      const double v = subject.parameter("position.transformer-xl.v", h * layer.d + c);
      sum += (layer.q_at(h, i, c) + u) * layer.k_at(h, j, c) + (layer.q_at(h, i, c) + v) * projected;
    }
    return sum / std::sqrt(layer.d);
  });
  CHECK(difference(subject.scores(layer), expected, exact) == "");
}

// --- DeBERTa ---

TEST_CASE("deberta: the bucket of every listed distance, query minus key") {
  const Json golden = golden_of("deberta");
  std::vector<int> key_minus_query = integers(golden, "rel");
  for (int& places : key_minus_query) places = -places;
  CHECK(buckets("deberta", key_minus_query) == integers(golden, "bucket256_max512_f64"));
  std::vector<int> near;
  for (int places = 15; places >= -15; --places) near.push_back(places);
  CHECK(buckets("deberta:buckets=8,max_distance=16", near) ==
        integers(golden, "tiny_bucket8_max16_rel_-15..15"));
}

TEST_CASE("deberta: scores are those of its formula, by the golden rows of its table") {
  const Json golden = golden_of("deberta");
  const std::vector<int> rows = integers(golden, "tiny_table_index_span8");  // of i - j from -15 on
  for (const bool causal : {false, true}) {
    const Layer layer(1, 16, 8);
    Subject subject("deberta:buckets=8,max_distance=16", context_of(layer, causal));
    const auto position = [&](const char* which, int i, int j, int c) {
      double sum = 0;
      const int row = rows[static_cast<std::size_t>(i - j + 15)];
      for (int e = 0; e < 8; ++e)
        sum += subject.parameter(str("position.layer0.deberta.", which), c * 8 + e) *
               subject.parameter("position.deberta.table", row * 8 + e);
      return sum;
    };
    const double scale = golden.number("scale_d8", "golden");
    const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
      double sum = layer.q_dot_k(h, i, j);
      for (int c = 0; c < layer.d; ++c)
        sum += layer.q_at(h, i, c) * position("keys", i, j, c) +
               layer.k_at(h, j, c) * position("queries", i, j, c);
      return sum * scale;
    });
    CHECK(difference(subject.scores(layer), expected, exact) == "");
  }
}

TEST_CASE("deberta: far beyond the last bucket the ends of the table serve") {
  Layer layer(1, 2, 4);
  const Subject subject("deberta:buckets=8,max_distance=16", context_of(layer));
  const auto at = [&](double distance) {
    layer.places = {0, distance};
    return subject.scores(layer);
  };
  CHECK(at(17) == at(1e6));
  CHECK(at(17) != at(7));
  CHECK(at(-18) == at(-1e6));
}

TEST_CASE("deberta: the sign of its buckets is opposite to that of T5") {
  const std::vector<int> deberta = buckets("deberta", {-3, 3});
  CHECK(deberta == std::vector<int>{3, -3});  // a key on the left has a positive bucket
  const std::vector<int> t5 = buckets("t5:direction=bidirectional", {-3, 3});
  CHECK(t5 == std::vector<int>{3, 16 + 3});  // the upper half is for keys on the right
}

TEST_CASE("score schemes in buckets: positions between two places are rounded, all in the same way") {
  for (const char* spec : {"t5", "shaw", "deberta"}) {
    CAPTURE(spec);
    Layer layer(1, 3, 4);
    const Subject subject(spec, context_of(layer, false));
    const Numbers whole = subject.scores(layer);
    layer.places = {0, 1.4, 2.6};
    const Numbers between = subject.scores(layer);
    CHECK(between[1] == whole[1]);  // 1.4 is about 1
    CHECK(between[2] != whole[2]);  // 2.6 is about 3
    CHECK(between[5] == whole[5]);  // 2.6 - 1.4 is about 1: the distance is rounded, not the positions
  }
}

// --- ALiBi, KERPLE, FIRE, Sandwich ---

TEST_CASE("kerple: the bias by distance, as a logarithm and as a power") {
  const Json golden = golden_of("kerple");
  const auto first_column = [](const std::string& spec, double a, double p, int length) {
    const Layer layer(1, length, 2);
    Subject subject(spec, context_of(layer));
    subject.set("position.kerple.a", {softplus_inverse(a)});
    subject.set("position.kerple.p", {p});
    const Numbers bias = subject.bias(layer);
    Numbers column;
    for (int i = 0; i < length; ++i) column.push_back(bias[static_cast<std::size_t>(i * length)]);
    return column;
  };
  const double power_half = std::log(0.25 / 0.75);  // 2 sigmoid(this) is 0.5
  CHECK(difference(first_column("kerple:form=log", 0.5, softplus_inverse(1.5), 6),
                   numbers(golden, "log_p1.5_a0.5_d0..5"), exact) == "");
  CHECK(difference(first_column("kerple:form=power", 0.3, power_half, 6),
                   numbers(golden, "power_a0.3_p0.5_d0..5"), exact) == "");
  CHECK(difference(first_column("kerple:form=power", 0.25, 0, 4),
                   numbers(golden, "power_p1_equals_alibi_a0.25_d0..3"), exact) == "");
}

TEST_CASE("kerple: the power 1 is ALiBi with its slopes") {
  const Layer layer(4, 7, 2);
  const Subject alibi("alibi", context_of(layer, false));
  Subject kerple("kerple:form=power", context_of(layer, false));
  Numbers slopes;
  for (int h = 0; h < 4; ++h) slopes.push_back(softplus_inverse(-alibi.scheme().bias(h, 1, 0).value()));
  kerple.set("position.kerple.a", slopes);
  kerple.set("position.kerple.p", {0, 0, 0, 0});
  CHECK(difference(kerple.scores(layer), alibi.scores(layer), exact) == "");
}

TEST_CASE("alibi: behind a causal softmax -m (i - j) is m j") {
  const Layer layer(4, 7, 2);
  const Subject alibi("alibi", context_of(layer)), none("none", context_of(layer));
  Tape tape;
  const Numbers m_j = by_loops(layer, false, [&](int h, int i, int j) {
    return layer.q_dot_k(h, i, j) / std::sqrt(layer.d) - *alibi.scheme().bias(h, 1, 0) * j;
  });
  const Tensor weights = softmax(tape.constant({4, 7, 7}, reals(m_j).data()), Mask::causal);
  CHECK(difference(alibi.weights(layer, Mask::causal), Subject::numbers_of(weights), exact) == "");
  CHECK(difference(none.weights(layer, Mask::causal), Subject::numbers_of(weights), 0.01) != "");
}

TEST_CASE("fire: what its network reads of every pair, and the number of parameters") {
  const Json golden = golden_of("fire");
  const Layer layer(1, 6, 2);
  Subject subject("fire:threshold=4", context_of(layer, false));
  subject.set_all(0);  // one hidden unit that passes on what it reads
  subject.set("position.layer0.fire.up", {1});
  subject.set("position.layer0.fire.down", {1});
  subject.set("position.layer0.fire.c", {softplus_inverse(0.1)});
  subject.set("position.layer0.fire.stretch", {softplus_inverse(1)});
  CHECK(difference(subject.bias(layer), numbers(golden, "mlp_input_L6_c0.1_threshold4_lower_rows"), exact) ==
        "");
  CHECK(Subject("fire", {8, 4, true}).scheme().claims().parameters ==
        static_cast<std::size_t>(golden.integer("params_H4_w32", "golden")));
}

TEST_CASE("fire: scores are those of its formula") {
  const Layer layer(3, 9, 2);
  Subject subject("fire:threshold=4", context_of(layer));
  const auto p = [&](const char* name, int index = 0) {
    return subject.parameter(str("position.layer0.fire.", name), index);
  };
  const auto positive = [&](const char* name) { return std::log1p(std::exp(p(name))); };
  const auto psi = [&](double x) { return std::log(1 + positive("c") * x); };
  const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
    const double read = psi(std::abs(i - j)) / (psi(std::max<double>(i, 4 * positive("stretch"))) + 1e-6);
    double sum = p("down_bias", h);
    for (int unit = 0; unit < 32; ++unit)
      sum += p("down", h * 32 + unit) * std::max(0.0, p("up", unit) * read + p("up_bias", unit));
    return sum;
  });
  CHECK(difference(subject.bias(layer), expected, 4 * exact) == "");
}

TEST_CASE("sandwich: the bias by distance and head") {
  const Json golden = golden_of("sandwich");
  const auto bias = [](int width, int heads, int head, double distance) {
    const Subject subject("sandwich", {width, heads, false});
    return subject.scheme().bias(head, distance, 0).value();
  };
  Numbers first_head, all_heads;
  for (const double distance : {0, 1, 2, 10, 100}) first_head.push_back(bias(128, 8, 0, distance));
  for (const double distance : {0, 1, 2, 3, 4})
    for (const int head : {0, 1}) all_heads.push_back(bias(8, 2, head, distance));
  CHECK(difference(first_head, numbers(golden, "D128_H8_d0,1,2,10,100_head1"), digits12) == "");
  CHECK(difference(all_heads, numbers(golden, "D8_H2_d0..4_heads"), digits12) == "");
}

TEST_CASE("alibi, sandwich: what they add to the scores is what they show") {
  for (const char* spec : {"alibi", "alibi:direction=asymmetric", "sandwich"}) {
    CAPTURE(spec);
    Layer layer(2, 5, 4);
    layer.places = {3, 4, 7.5, 20, 21};
    const Subject subject(spec, context_of(layer, false));
    const Numbers shown = by_loops(layer, false, [&](int h, int i, int j) {
      return *subject.scheme().bias(h, layer.places[Layer::count(i)], layer.places[Layer::count(j)]);
    });
    CHECK(difference(subject.bias(layer), shown, exact) == "");
  }
}

// --- schemes that look at tokens, not at positions ---

namespace {

// A layer of one head of width 2 with these queries and keys.
Layer small_layer(const Numbers& q, const Numbers& k) {
  Layer layer(1, static_cast<int>(k.size()) / 2, 2);
  layer.q = reals(q);
  layer.k = reals(k);
  return layer;
}

}  // namespace

TEST_CASE("cope: the last query's scores, gates and counts are those of its authors' code") {
  const Json golden = golden_of("cope");
  Numbers queries(4, 0.3);  // of the first two tokens, which no query asks for
  for (const double number : numbers(golden, "q")) queries.push_back(number);
  const Layer layer = small_layer(queries, numbers(golden, "K_0..2(last=query token)"));
  Subject subject("cope:capacity=4", context_of(layer));
  const Numbers rows = numbers(golden, "E_pos_0..3");  // (capacity, d); the table is (d, capacity)
  subject.set("position.layer0.cope.table",
              {rows[0], rows[2], rows[4], rows[6], rows[1], rows[3], rows[5], rows[7]});
  const Numbers scores = subject.scores(layer), bias = subject.bias(layer);
  const auto last_row = [](const Numbers& all, double factor) {
    return Numbers{factor * all[6], factor * all[7], factor * all[8]};
  };
  CHECK(difference(last_row(scores, 1), numbers(golden, "final_logits_default"), exact) == "");
  CHECK(difference(last_row(bias, std::sqrt(2)), numbers(golden, "pos_logits_unscaled"), exact) == "");
}

TEST_CASE("cope: a direct loop gives the same scores, with counts up to the end of the table") {
  const Layer layer(2, 9, 3);
  for (const int capacity : {1, 2, 4, 64}) {
    Subject subject(str("cope:capacity=", capacity), context_of(layer));
    const auto e = [&](int entry, int c) {
      return subject.parameter("position.layer0.cope.table", c * capacity + entry);
    };
    const Numbers expected = by_loops(layer, true, [&](int h, int i, int j) {
      double count = 0;
      for (int t = j; t <= i; ++t) count += sigmoid_of(layer.q_dot_k(h, i, t) / std::sqrt(layer.d));
      count = std::min(count, capacity - 1.0);
      const int below = static_cast<int>(std::floor(count)), above = static_cast<int>(std::ceil(count));
      double sum = 0;
      for (int c = 0; c < layer.d; ++c)
        sum += layer.q_at(h, i, c) *
               (e(below, c) * (1 - (count - below)) + (above == below ? 0 : e(above, c) * (count - below)));
      return (layer.q_dot_k(h, i, j) + sum) / std::sqrt(layer.d);
    });
    CHECK(difference(lower(layer, subject.scores(layer)), expected, exact) == "");
  }
}

TEST_CASE("fox: the decay between all pairs of tokens, from their forget gates") {
  const Json golden = golden_of("forgetting_transformer");
  Layer layer(1, 4, 1);
  layer.x = reals(numbers(golden, "f_logits"));
  Subject subject("fox", context_of(layer));
  subject.set("position.layer0.fox.forget.weight", {1});
  subject.set("position.layer0.fox.forget.bias", {0});
  CHECK(difference(lower(layer, subject.bias(layer)), triangle(golden, "bias_lower"), exact) == "");
}

TEST_CASE("fox: with gates that are always f it is ALiBi of slope -ln f") {
  const Layer layer(4, 8, 2);
  const Subject alibi("alibi", context_of(layer));
  Subject fox("fox", context_of(layer));
  fox.set_all(0);
  Numbers biases;
  for (int h = 0; h < 4; ++h) {
    const double f = std::exp(*alibi.scheme().bias(h, 1, 0));
    biases.push_back(std::log(f / (1 - f)));
  }
  fox.set("position.layer0.fox.forget.bias", biases);
  CHECK(difference(lower(layer, fox.scores(layer)), lower(layer, alibi.scores(layer)), 4 * exact) == "");
}

TEST_CASE("stick-breaking: weights are those of the authors' code, with the current token and without") {
  const Json golden = golden_of("stick_breaking");
  Tape tape;
  const Tensor logits = tape.constant({1, 1, 4, 4}, reals(numbers(golden, "logits_already_scaled")).data());
  const auto weights = [&](const char* spec) {
    const Subject subject(spec, {2, 1, true});
    return Subject::numbers_of(subject.scheme().weights(logits, Mask::causal).value());
  };
  const Numbers strict = weights("stick-breaking");
  CHECK(difference(strict, numbers(golden, "A_strict"), exact) == "");
  CHECK(difference(weights("stick-breaking:current=on"), numbers(golden, "A_attend_current"), exact) == "");
  Numbers rest;
  for (std::size_t i = 0; i < 4; ++i)
    rest.push_back(1 - strict[4 * i] - strict[4 * i + 1] - strict[4 * i + 2] - strict[4 * i + 3]);
  CHECK(difference(rest, numbers(golden, "remainder_strict"), exact) == "");

  // remainder=value: the query's own token gets what is left of the stick, nothing else changes
  for (const bool current : {false, true}) {
    const std::string spec = str("stick-breaking:current=", current ? "on" : "off");
    Numbers expected = weights(spec.c_str());
    for (std::size_t i = 0; i < 4; ++i) {
      const double kept = expected[4 * i] + expected[4 * i + 1] + expected[4 * i + 2] + expected[4 * i + 3];
      expected[5 * i] += 1 - kept;
    }
    CHECK(difference(weights((spec + ",remainder=value").c_str()), expected, exact) == "");
  }
}

TEST_CASE("stick-breaking: a loop over queries, keys and the keys between gives the same weights") {
  const Layer layer(2, 8, 4);
  for (const bool current : {false, true}) {
    const Subject subject(str("stick-breaking:current=", current ? "on" : "off"), context_of(layer));
    const Numbers expected = by_loops(layer, true, [&](int h, int i, int j) {
      const auto beta = [&](int t) { return sigmoid_of(layer.q_dot_k(h, i, t) / std::sqrt(layer.d)); };
      if (j == i && !current) return 0.0;
      double part = beta(j);
      for (int t = j + 1; t < (current ? i + 1 : i); ++t) part *= 1 - beta(t);
      return part;
    });
    CHECK(difference(subject.weights(layer, Mask::causal), expected, exact) == "");
  }
}

TEST_CASE("stick-breaking: scores far from zero give weights, not NaN") {
  const Subject subject("stick-breaking", {2, 1, true});
  const Reals logits = {0, 0, 0, 900, 0, 0, -900, 900, 0};
  Tape tape;
  const Tensor scores = tape.constant({1, 1, 3, 3}, logits.data());
  const Numbers weights = Subject::numbers_of(subject.scheme().weights(scores, Mask::causal).value());
  CHECK(weights == Numbers{0, 0, 0, 1, 0, 0, 0, 1, 0});
}

namespace {

// H_t u for H_t = I - beta w w^T.
Numbers transformed(const Numbers& w, double beta, Numbers u) {
  double along = 0;
  for (std::size_t c = 0; c < u.size(); ++c) along += w[c] * u[c];
  for (std::size_t c = 0; c < u.size(); ++c) u[c] -= beta * along * w[c];
  return u;
}

}  // namespace

TEST_CASE("path: scores from the golden queries, keys, directions and strengths") {
  const Json golden = golden_of("path");
  Tape tape;
  const auto constant = [&](const char* key, int width) {
    return tape.constant({1, 1, 3, width}, reals(numbers(golden, key)).data());
  };
  const Tensor q = constant("q", 2), k = constant("k", 2);
  const Tensor scores =
      (matmul(q, transpose(k)) + path_scores(q, k, constant("w", 2), constant("beta", 1))) / std::sqrt(2);
  CHECK(difference(lower(Layer(1, 3, 2), Subject::numbers_of(scores)),
                   triangle(golden, "logits_lower_scale1/sqrt2"), exact) == "");
}

TEST_CASE("path: the product of the matrices on the way gives the same scores, in their order") {
  const Layer layer(2, 7, 3);
  Subject subject("path", context_of(layer));
  const int D = layer.H * layer.d;
  const auto projected = [&](const char* name, int t, int column, int columns) {
    double sum = 0;
    for (int e = 0; e < D; ++e)
      sum += layer.x_at(t, e) * subject.parameter(str("position.layer0.path.", name), e * columns + column);
    return sum;
  };
  const Numbers expected = by_loops(layer, true, [&](int h, int i, int j) {
    Numbers u;
    for (int c = 0; c < layer.d; ++c) u.push_back(layer.q_at(h, i, c));
    for (int t = i; t > j; --t) {  // H_i first, H_{j+1} last
      Numbers w;
      double length = 0;
      for (int c = 0; c < layer.d; ++c) w.push_back(projected("direction", t, h * layer.d + c, D));
      for (const double number : w) length += number * number;
      for (double& number : w) number /= std::sqrt(length);
      const double strength = projected("strength.weight", t, h, layer.H) +
                              subject.parameter("position.layer0.path.strength.bias", h);
      u = transformed(w, 2 * sigmoid_of(strength), u);
    }
    double sum = 0;
    for (int c = 0; c < layer.d; ++c) sum += layer.k_at(h, j, c) * u[static_cast<std::size_t>(c)];
    return sum / std::sqrt(layer.d);
  });
  CHECK(difference(lower(layer, subject.scores(layer)), expected, 4 * exact) == "");
}

// --- TUPE, dynamic position bias, data-dependent ALiBi ---

TEST_CASE("tupe: scores are those of its formula, with one table for all layers") {
  for (const Layer& layer : {Layer(2, 6, 3), Layer(3, 9, 4)}) {
    Subject subject("tupe:capacity=16", context_of(layer, false));
    const int D = layer.H * layer.d;
    const auto p = [&](const char* name, int index) {
      return subject.parameter(str("position.tupe.", name), index);
    };
    const auto projected = [&](const char* name, int t, int column) {
      double mean = 0, variance = 0, sum = p(str(name, ".bias").c_str(), column);
      for (int e = 0; e < D; ++e) mean += p("table", t * D + e) / D;
      for (int e = 0; e < D; ++e) variance += std::pow(p("table", t * D + e) - mean, 2) / D;
      for (int e = 0; e < D; ++e) {
        const double normed = (p("table", t * D + e) - mean) / std::sqrt(variance + 1e-5);
        sum += (normed * p("norm.gain", e) + p("norm.bias", e)) *
               p(str(name, ".weight").c_str(), e * D + column);
      }
      return sum;
    };
    const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
      double sum = layer.q_dot_k(h, i, j);
      for (int c = 0; c < layer.d; ++c)
        sum += projected("query", i, h * layer.d + c) * projected("key", j, h * layer.d + c);
      return sum / std::sqrt(2 * layer.d);
    });
    CHECK(difference(subject.scores(layer), expected, sizeof(Real) == 8 ? 1e-10 : 1e-5) == "");
  }
  ParameterTable table;
  make_scheme("tupe:capacity=16", {.d_model = 8, .heads = 2, .causal = false, .layers = 5}, table);
  CHECK(table.count() == 16 * 8 + 2 * 8 + 2 * (8 * 8 + 8));
}

TEST_CASE("dpb: the bias is that of its network of layer norms, by the signed distance") {
  for (const Layer& layer : {Layer(2, 6, 3), Layer(4, 9, 10)})
    for (const std::string distance : {"plain", "log"}) {
      CAPTURE(distance);
      Subject subject("dpb:distance=" + distance, context_of(layer, false));
      const int width = std::max(layer.H * layer.d / 4, 8);
      const auto p = [&](const std::string& name, int index) {
        return subject.parameter("position.layer0.dpb." + name, index);
      };
      const auto normed = [&](Numbers x, const std::string& name) {  // and what is negative as 0
        double mean = 0, variance = 0;
        for (const double v : x) mean += v / width;
        for (const double v : x) variance += (v - mean) * (v - mean) / width;
        for (int c = 0; c < width; ++c) {
          double& v = x[static_cast<std::size_t>(c)];
          v = (v - mean) / std::sqrt(variance + 1e-5) * p(name + ".gain", c) + p(name + ".bias", c);
          v = std::max(v, 0.0);
        }
        return x;
      };
      const auto layer_of = [&](const Numbers& x, const std::string& name) {
        Numbers y;
        for (int o = 0; o < width; ++o) {
          y.push_back(p(name + ".bias", o));
          for (std::size_t i = 0; i < x.size(); ++i)
            y.back() += x[i] * p(name + ".weight", static_cast<int>(i) * width + o);
        }
        return y;
      };
      const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
        const double r = j - i, sign = r < 0 ? -1 : 1;
        Numbers x = {distance == "log" ? sign * std::log(1 + std::abs(r)) : r};
        x = normed(layer_of(x, "first"), "norm1");
        x = normed(layer_of(x, "second"), "norm2");
        x = normed(layer_of(x, "third"), "norm3");
        double sum = p("down_bias", h);
        for (int c = 0; c < width; ++c) sum += p("down", h * width + c) * x[static_cast<std::size_t>(c)];
        return sum + layer.q_dot_k(h, i, j) / std::sqrt(layer.d);
      });
      CHECK(difference(subject.scores(layer), expected, sizeof(Real) == 8 ? 1e-10 : 1e-5) == "");
    }
}

TEST_CASE("data-alibi: in an encoder a loop over the tokens between gives the same scores, on both sides") {
  for (const Layer& layer : {Layer(2, 7, 3), Layer(4, 10, 2)}) {
    Subject subject("data-alibi", context_of(layer, false));
    const auto logarithm = [&](const std::string& side, int h, int t) {
      double sum = subject.parameter("position.layer0.data-alibi." + side + ".bias", h);
      for (int e = 0; e < layer.H * layer.d; ++e)
        sum += layer.x_at(t, e) *
               subject.parameter("position.layer0.data-alibi." + side + ".weight", e * layer.H + h);
      return -std::log1p(std::exp(-sum));
    };
    const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
      double sum = layer.q_dot_k(h, i, j) / std::sqrt(layer.d);
      for (int t = j + 1; t <= i; ++t) sum += logarithm("left", h, t);
      for (int t = i + 1; t <= j; ++t) sum += logarithm("right", h, t);
      return sum;
    });
    CHECK(difference(subject.scores(layer), expected, sizeof(Real) == 8 ? 1e-10 : 1e-5) == "");
  }
}

TEST_CASE("data-alibi: in a decoder it is fox, gate by gate") {
  const Layer layer(4, 8, 2);
  Subject fox("fox", context_of(layer)), ours("data-alibi", context_of(layer));
  for (const auto& [theirs, name] : {std::pair{"fox.forget.weight", "data-alibi.left.weight"},
                                     {"fox.forget.bias", "data-alibi.left.bias"}}) {
    Numbers values;
    for (int n = 0; n < (std::string(theirs).ends_with("bias") ? layer.H : layer.H * layer.H * layer.d); ++n)
      values.push_back(fox.parameter(str("position.layer0.", theirs), n));
    ours.set(str("position.layer0.", name), values);
  }
  CHECK(ours.scheme().claims().parameters == fox.scheme().claims().parameters);
  CHECK(difference(lower(layer, ours.scores(layer)), lower(layer, fox.scores(layer)), exact) == "");
}

TEST_CASE("score schemes: those that look back only are refused in an encoder") {
  for (const char* spec : {"cope", "fox", "grape-a", "path", "stick-breaking"}) {
    CAPTURE(spec);
    CHECK(
        error_of([&] {
          Subject(spec, {8, 2, false});
        }) ==
        str("[scheme] ", spec,
            " looks back only, but an encoder sees both ways. Hint: give it to a decoder: --model decoder"));
  }
}

TEST_CASE("score schemes: numbers of buckets that cannot be shared out are refused") {
  CHECK(error_of([] {
          Subject("deberta:buckets=64,max_distance=33", {8, 2, false});
        }) == "[deberta] 'max_distance=33' leaves no room for far buckets. Hint: give more than 33");
  CHECK_NOTHROW(Subject("deberta:buckets=64,max_distance=34", {8, 2, false}));
}

}  // namespace score_schemes_test
