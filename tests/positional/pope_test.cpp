// PoPE against numbers computed elsewhere (tests/golden/pope_grape.json), its formula as plain loops,
// and what its clamp keeps it from learning.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "../support/errors.h"
#include "autograd/gradient_check.h"
#include "layer.h"

namespace pope_test {

using namespace locus;
using namespace locus::one_layer;
using locus::one_layer::Subject;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;
const char* const delta = "position.layer0.pope.delta";

Json golden_of(const char* key) { return read_golden("pope_grape.json").member(key, "golden"); }

// One query and one key, those of the golden file, at two positions; one head.
Layer golden_layer(double query_at, double key_at) {
  const Json golden = golden_of("pope");
  Layer layer(1, 2, static_cast<int>(golden.integer("d", "golden")));
  layer.places = {query_at, key_at};
  const Numbers q = numbers(golden, "q"), k = numbers(golden, "k");
  for (std::size_t c = 0; c < q.size(); ++c) {
    layer.q[c] = static_cast<Real>(q[c]);
    layer.k[q.size() + c] = static_cast<Real>(k[c]);
  }
  return layer;
}

double score(const Subject& subject, const Layer& layer) {
  return subject.scores(layer)[1];
}  // query 0, key 1

}  // namespace

TEST_CASE("pope: scores at the golden positions, with delta and without") {
  const Json golden = golden_of("pope");
  Subject subject("pope", {4, 1, false}), even("pope:delta=none", {4, 1, false});
  subject.set(delta, numbers(golden, "delta"));
  for (const Json& row : golden.array("rows", "golden")) {
    const Layer layer = golden_layer(row.number("t", "golden"), row.number("s", "golden"));
    CHECK(difference({score(subject, layer)}, numbers(row, "scaled"), exact) == "");
    CHECK(difference({2 * score(even, layer)}, numbers(row, "score_delta0"), exact) == "");
  }
  const Layer layer = golden_layer(3, 1);
  for (const char* wrong : {"wrong_w_rope_spacing", "wrong_delta_on_query", "wrong_sign_exponent"})
    CHECK(difference({2 * score(subject, layer)}, numbers(golden, wrong), 0.01) != "");
}

TEST_CASE("pope: the speeds are base^(-c/d), one for each channel") {
  CHECK(difference(Subject("pope", {4, 1, false}).scheme().frequencies(9).inverse_frequency,
                   numbers(golden_of("pope"), "w"), digits12) == "");
}

TEST_CASE("pope: a loop over heads, queries, keys and channels gives the same scores") {
  for (const Layer& layer : {Layer(2, 7, 5), Layer(3, 12, 8)})
    for (const char* spec : {"pope:delta=uniform", "pope:clamp=off,base=50"}) {
      CAPTURE(spec);
      Subject subject(spec, context_of(layer, false));
      const bool clamped = std::string(spec).find("off") == std::string::npos;
      const Numbers expected = by_loops(layer, false, [&](int h, int i, int j) {
        double sum = 0;
        for (int c = 0; c < layer.d; ++c) {
          const double w = std::pow(clamped ? 10000 : 50, -1.0 * c / layer.d);
          double angle = subject.parameter(delta, h * layer.d + c);
          if (clamped) angle = std::min(std::max(angle, -two_pi), 0.0);
          sum += std::log1p(std::exp(layer.q_at(h, i, c))) * std::log1p(std::exp(layer.k_at(h, j, c))) *
                 std::cos((j - i) * w + angle);
        }
        return sum / std::sqrt(layer.d);
      });
      CHECK(difference(subject.scores(layer), expected, exact) == "");
    }
}

TEST_CASE("pope: delta starts at 0, or anywhere between -2 pi and 0, for each layer, head and channel") {
  const auto starts = [](const char* spec) {
    ParameterTable table;
    const auto scheme = make_scheme(spec, {.d_model = 64, .heads = 4, .causal = false, .layers = 3}, table);
    CHECK(scheme->claims().parameters == table.count());
    return table.sample(1);
  };
  CHECK(starts("pope") == Reals(3 * 4 * 16, 0));
  CHECK(starts("pope:delta=none").empty());
  const Reals uniform = starts("pope:delta=uniform");
  REQUIRE(uniform.size() == 3 * 4 * 16);
  const Real low = *std::min_element(uniform.begin(), uniform.end()),
             high = *std::max_element(uniform.begin(), uniform.end());
  CHECK((low >= -two_pi && low < -6 && high <= 0 && high > -0.3));
}

// The trap of the card: at 0 the gradient may still point to positive delta, which is looking back; above 0 it is lost.
TEST_CASE("pope: above 0 a clamped delta has the score of 0 and no gradient, a free one has both") {
  const Layer layer = golden_layer(3, 1);
  const auto gradient_at = [&](const char* spec, double at) {
    Subject subject(spec, {4, 1, false});
    subject.set(delta, Numbers(4, at));
    Reals gradients(4, 0);
    Tape tape(subject.parameters().data(), gradients.data());
    const Tensor scores = subject.run(tape, layer);
    const Reals one = {0, 1, 0, 0};
    tape.backward(scores, one.data());
    return std::pair{score(subject, layer), gradients};
  };
  const auto [clamped, lost] = gradient_at("pope", 0.5);
  CHECK(lost == Reals(4, 0));
  CHECK(clamped == gradient_at("pope", 0).first);
  CHECK(gradient_at("pope", 0).second[0] != 0);
  const auto [free, kept] = gradient_at("pope:clamp=off", 0.5);
  CHECK(free != clamped);
  CHECK(kept[0] != 0);
}

TEST_CASE("pope: gradients are the golden ones") {
  const Json golden = golden_of("pope").member("grad_at_3_1", "golden");
  Subject subject("pope", {4, 1, false});
  subject.set(delta, numbers(golden_of("pope"), "delta"));
  const Layer layer = golden_layer(3, 1);
  // q and k as parameters, too: behind those of the scheme.
  Reals all = subject.parameters(), gradients(4 + 8 + 8, 0);
  all.insert(all.end(), layer.q.begin(), layer.q.end());
  all.insert(all.end(), layer.k.begin(), layer.k.end());
  Tape tape(all.data(), gradients.data());
  Tensor q = tape.parameter({{1, 1, 2, 4}, 4}), k = tape.parameter({{1, 1, 2, 4}, 12});
  const Positions positions{1, 2, layer.places.data()};
  subject.scheme().query_and_key(q, k, {q, q, k, positions, 0});
  const Reals one = {0, 1, 0, 0};
  tape.backward(matmul(q, transpose(k)), one.data());
  const auto part = [&](int first) {
    return Numbers{gradients.begin() + first, gradients.begin() + first + 4};
  };
  const double near = sizeof(Real) == 8 ? 1e-9 : 2e-6;
  CHECK(difference(part(4), numbers(golden, "q"), near) == "");
  CHECK(difference(part(16), numbers(golden, "k"), near) == "");
  Numbers of_delta = part(0), expected = numbers(golden, "delta");
  CHECK(difference(of_delta, expected, near) == "");
}

TEST_CASE("clamp: inside and on the edges the slope is 1, outside it is 0") {
  const Json golden = golden_of("clamp_grad");
  const Numbers at = numbers(golden, "at");
  if (sizeof(Real) == 8) {  // in float 1e-9 beyond an edge is the edge
    const Reals x(at.begin(), at.end()), ones(at.size(), 1);
    Reals gradients(at.size(), 0);
    Tape tape(x.data(), gradients.data());
    tape.backward(clamp(tape.parameter({{static_cast<int>(at.size())}, 0}), -two_pi, 0), ones.data());
    CHECK(Numbers(gradients.begin(), gradients.end()) == numbers(golden, "grad"));
  }
}

TEST_CASE("pope: a clamp of nothing is refused") {
  CHECK(error_of([] {
          Subject("pope:delta=none,clamp=off", {4, 1, false});
        }) == "[pope] 'clamp' does nothing without delta. Hint: leave it out, or give delta=zero or uniform");
}

}  // namespace pope_test
