// GRAPE against numbers computed elsewhere (tests/golden/pope_grape.json), against its formulas with plain matrices,
// and against RoPE and ALiBi, which it contains.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "../support/errors.h"
#include "layer.h"
#include "positional/support/registry.h"

namespace grape_test {

using namespace locus;
using namespace locus::one_layer;
using locus::one_layer::Subject;

namespace {

Json golden_of(const char* key) { return read_golden("pope_grape.json").member(key, "golden"); }

// The golden query in row 0 and the golden key in row 1, in every head.
Layer golden_layer(int heads, double query_at, double key_at) {
  const Numbers q = numbers(golden_of("pope"), "q"), k = numbers(golden_of("pope"), "k");
  Layer layer(heads, 2, 4);
  layer.places = {query_at, key_at};
  for (int h = 0; h < heads; ++h)
    for (int c = 0; c < 4; ++c) {
      layer.q[Layer::count((h * 2 + 0) * 4 + c)] = static_cast<Real>(q[Layer::count(c)]);
      layer.k[Layer::count((h * 2 + 1) * 4 + c)] = static_cast<Real>(k[Layer::count(c)]);
    }
  return layer;
}

const std::string a_name = "position.layer0.grape-m.a", b_name = "position.layer0.grape-m.b";

using Matrix = std::vector<Numbers>;

Matrix product(const Matrix& x, const Matrix& y) {
  Matrix z(x.size(), Numbers(y[0].size(), 0));
  for (std::size_t i = 0; i < x.size(); ++i)
    for (std::size_t k = 0; k < y.size(); ++k)
      for (std::size_t j = 0; j < y[0].size(); ++j) z[i][j] += x[i][k] * y[k][j];
  return z;
}

// exp(t L) by its series, halved until it converges fast and squared again: no sine in it.
Matrix exponential(Matrix L, double t) {
  const std::size_t n = L.size();
  for (Numbers& row : L)
    for (double& x : row) x *= t / 256;
  Matrix term(n, Numbers(n, 0)), sum = term;
  for (std::size_t i = 0; i < n; ++i) term[i][i] = sum[i][i] = 1;
  for (int power = 1; power <= 14; ++power) {
    term = product(term, L);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) sum[i][j] += (term[i][j] /= power);
  }
  for (int doubling = 0; doubling < 8; ++doubling) sum = product(sum, sum);
  return sum;
}

}  // namespace

TEST_CASE("grape-m: the golden turn of one plane, and the golden score") {
  const Json golden = golden_of("grape_m");
  // The file's speed is 0.3 where ours is 1: positions are multiplied by it.
  const double omega = golden.number("omega", "golden");
  Subject subject("grape-m:planes=1", {4, 1, false});
  Numbers a = numbers(golden, "a"), b = numbers(golden, "b");
  a[1] -= 1;  // ours are counted from the first two channels
  b[0] -= 1;
  subject.set(a_name, a);
  subject.set(b_name, b);
  const Layer layer = golden_layer(1, 3 * omega, 1 * omega);
  const Numbers score = {2 * subject.scores(layer)[1]};
  CHECK(difference(score, numbers(golden, "score_3_1"), 4 * exact) == "");

  Tape tape(subject.parameters().data());
  Tensor q = tape.constant({1, 1, 2, 4}, layer.q.data()), k = q;
  subject.scheme().query_and_key(q, k, {q, q, k, {1, 2, layer.places.data()}, 0});
  CHECK(difference({q.value(), q.value() + 4}, numbers(golden, "Gq"), 4 * exact) == "");
}

TEST_CASE("grape-m: at its start it is rope, score by score") {
  for (const Layer& layer : {Layer(2, 9, 8), Layer(3, 13, 6)}) {
    Subject grape("grape-m:base=100", context_of(layer, false));
    grape.set_all(0);
    const Subject rope("rope:base=100", context_of(layer, false));
    CHECK(difference(grape.scores(layer), rope.scores(layer), exact) == "");
    CHECK(difference(Subject("grape-m:base=100", context_of(layer, false)).scores(layer), rope.scores(layer),
                     0.01) != "");
  }
}

TEST_CASE("grape-m: at its start the scores have slope 0 in half of its numbers, as its card says") {
  const Layer layer(2, 5, 8);
  Subject grape("grape-m:base=10", context_of(layer, false));
  grape.set_all(0);
  std::size_t flat = 0;
  for (Real& number : grape.parameters()) {
    number = Real(0.05);
    const Numbers above = grape.scores(layer);
    number = Real(-0.05);
    flat += difference(above, grape.scores(layer), 1e-5) == "";
    number = 0;
  }
  CHECK(2 * flat == grape.parameters().size());
  CHECK(std::ranges::any_of(find_scheme("grape-m").traps, [](const std::string& trap) {
    return trap.starts_with("half of the numbers start at gradient 0");
  }));
}

TEST_CASE("grape-m: the paper's order of a and b turns the other way") {
  const Json golden = golden_of("grape_rope");
  const Layer layer = golden_layer(1, 3, 1);
  Subject subject("grape-m", {4, 1, false});
  subject.set_all(0);
  CHECK(difference({2 * subject.scores(layer)[1]}, numbers(golden, "rope_3_1"), exact) == "");
  CHECK(difference({2 * subject.scores(layer)[1]}, numbers(golden, "L_e2_e1"), exact) == "");
  subject.set(a_name, {1, -1, 1, -1});  // a = e_0, b = e_1 of each pair
  subject.set(b_name, {-1, 1, -1, 1});
  CHECK(difference({2 * subject.scores(layer)[1]}, numbers(golden, "L_e1_e2"), exact) == "");
}

TEST_CASE("grape-m: the exponential of the whole generator as a series of matrices gives the same scores") {
  struct Case {
    Layer layer;
    int planes;
  };
  for (const Case& one : {Case{Layer(2, 6, 6), 1}, Case{Layer(3, 9, 8), 2}, Case{Layer(1, 8, 6), 3}}) {
    const Layer& layer = one.layer;
    const int planes = one.planes;
    CAPTURE(planes);
    Subject subject(str("grape-m:base=30,planes=", planes), context_of(layer, false));
    const int d = layer.d, block = d / planes;
    const Numbers expected =
        by_loops(layer, false, [&, &layer = layer, &planes = planes](int h, int i, int j) {
          Matrix L(Layer::count(d),
                   Numbers(Layer::count(d), 0));  // the sum over the blocks, with their speeds
          for (int row = 0; row < d; ++row)
            for (int column = 0; column < d; ++column) {
              if (row / block != column / block) continue;
              const auto a = [&](int c) {
                return subject.parameter(a_name, h * d + c) + (c % block == 1 ? 1 : 0);
              };
              const auto b = [&](int c) {
                return subject.parameter(b_name, h * d + c) + (c % block == 0 ? 1 : 0);
              };
              const double speed = std::pow(30, -1.0 * (row / block) / planes);
              L[Layer::count(row)][Layer::count(column)] = speed * (a(row) * b(column) - b(row) * a(column));
            }
          const Matrix turn = exponential(L, j - i);  // q^T exp((j - i) L) k
          double sum = 0;
          for (int r = 0; r < d; ++r)
            for (int c = 0; c < d; ++c)
              sum += layer.q_at(h, i, r) * turn[Layer::count(r)][Layer::count(c)] * layer.k_at(h, j, c);
          return sum / std::sqrt(d);
        });
    CHECK(difference(subject.scores(layer), expected, sizeof(Real) == 8 ? 1e-10 : 1e-5) == "");
  }
}

TEST_CASE("grape-m: parallel a and b turn nothing, and give finite scores and gradients") {
  const Layer layer(1, 5, 4);
  Subject subject("grape-m:planes=1", context_of(layer, false));
  subject.set(a_name, {1, 1, 3, -1});  // a = b = (1, 2, 3, -1)
  subject.set(b_name, {0, 2, 3, -1});
  const Subject none("none", context_of(layer, false));
  CHECK(difference(subject.scores(layer), none.scores(layer), 10 * exact) == "");
  Reals gradients(8, 0);
  Tape tape(subject.parameters().data(), gradients.data());
  const Tensor scores = subject.run(tape, layer);
  const Reals ones(25, 1);
  tape.backward(scores, ones.data());
  double largest = 0;
  for (const Real g : gradients) {
    CHECK(std::isfinite(g));
    largest = std::max(largest, std::abs(static_cast<double>(g)));
  }
  CHECK(largest > 0.01);
}

TEST_CASE("grape-m: planes that do not fit the channels are refused") {
  CHECK(error_of([] {
          Subject("grape-m:planes=3", {8, 1, false});
        }) ==
        "[grape-m] a head's 8 channels cannot be cut into 'planes=3' blocks. Hint: every block has the same "
        "number of "
        "channels, 2 or more");
  CHECK(error_of([] { Subject("grape-m:planes=8", {8, 1, false}); }) != "");
  CHECK(error_of([] { Subject("grape-m", {5, 1, false}); }) != "");
}

TEST_CASE("grape-a: at its start it is alibi, score by score") {
  for (const Layer& layer : {Layer(4, 7, 3), Layer(6, 10, 2)}) {
    Subject grape("grape-a", context_of(layer));
    grape.set("position.layer0.grape-a.factor", Numbers(Layer::count(layer.H), 1));
    const Subject alibi("alibi", context_of(layer));
    CHECK(difference(lower(layer, grape.scores(layer)), lower(layer, alibi.scores(layer)), exact) == "");
  }
}

// Four heads: the slope of the first is 1/4, which is the file's.
TEST_CASE("grape-a: the golden products of the lifted vectors, where beta > 0 rewards the far past") {
  const Json golden = golden_of("grape_a_alibi");
  const double qk = golden.number("qk", "golden");
  Subject subject("grape-a", {16, 4, true});
  subject.set("position.layer0.grape-a.factor", {-1, -1, -1, -1});  // beta = -m f
  CHECK(difference({qk + subject.bias(golden_layer(4, 3, 1))[1]}, numbers(golden, "lift_3_1"), exact) == "");
  CHECK(difference({qk + subject.bias(golden_layer(4, 1, 3))[1]}, numbers(golden, "lift_1_3"), exact) == "");
}

TEST_CASE("grape-a: gated by the key, and by both, as in the golden numbers") {
  const Json key = golden_of("grape_a_keygated"), both = golden_of("grape_a_code_querykey");
  const double qk = golden_of("grape_a_alibi").number("qk", "golden");
  const auto for_all_heads = [](Numbers one, double factor) {
    Numbers all;
    for (int h = 0; h < 4; ++h)
      for (const double x : one) all.push_back(factor * x);
    return all;
  };
  Subject by_key("grape-a:gate=key", {16, 4, true});
  by_key.set("position.layer0.grape-a.u",
             for_all_heads(numbers(key, "u"), key.number("omega", "golden") / 0.25));
  // The lifted product has a 1 more, from the channel that is added.
  CHECK(difference({1 + qk + by_key.bias(golden_layer(4, 3, 1))[1]}, numbers(key, "lift_3_1"), exact) == "");

  Subject by_both("grape-a:gate=both", {16, 4, true});
  by_both.set("position.layer0.grape-a.u", for_all_heads(numbers(both, "u"), 3));  // made a unit vector
  by_both.set("position.layer0.grape-a.v", for_all_heads(numbers(both, "v"), 2));
  CHECK(difference({by_both.bias(golden_layer(4, 3, 1))[1]}, numbers(both, "bias"), exact) == "");
}

TEST_CASE("grape-a: plain loops give the same scores") {
  for (const Layer& layer : {Layer(4, 7, 3), Layer(3, 11, 5)})
    for (const std::string gate : {"none", "key", "both"}) {
      CAPTURE(gate);
      Subject subject("grape-a:gate=" + gate, context_of(layer));
      const Subject alibi("alibi", context_of(layer));
      const auto dot = [&](const std::string& name, int h, bool unit, const auto& at) {
        double sum = 0, length = 0;
        for (int c = 0; c < layer.d; ++c) {
          const double u = subject.parameter("position.layer0.grape-a." + name, h * layer.d + c);
          sum += u * at(c);
          length += u * u;
        }
        return unit ? sum / std::sqrt(length) : sum;
      };
      const Numbers expected = by_loops(layer, true, [&](int h, int i, int j) {
        const double fall = -*alibi.scheme().bias(h, 1, 0) * (i - j);
        const auto q = [&](int c) { return layer.q_at(h, i, c); };
        const auto k = [&](int c) { return layer.k_at(h, j, c); };
        const auto softplus_of = [](double x) { return std::log1p(std::exp(x)); };
        const double content = layer.q_dot_k(h, i, j) / std::sqrt(layer.d);
        if (gate == "none") return content - fall * subject.parameter("position.layer0.grape-a.factor", h);
        if (gate == "key") return content + fall * dot("u", h, false, k);
        return content - fall * (softplus_of(dot("u", h, true, k) / std::sqrt(layer.d)) +
                                 softplus_of(dot("v", h, true, q) / std::sqrt(layer.d)));
      });
      CHECK(difference(lower(layer, subject.scores(layer)), expected, sizeof(Real) == 8 ? 1e-10 : 1e-5) ==
            "");
    }
}

}  // namespace grape_test
