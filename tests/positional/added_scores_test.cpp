// What a scheme adds to the scores whatever the tokens, read from the scheme itself.
#include "positional/support/added_scores.h"

#include <doctest/doctest.h>

#include "base/size.h"
#include "nn/parameters.h"
#include "positional/support/spec.h"

namespace added_scores_test {

using namespace locus;

namespace {

constexpr int T = 6;

std::vector<double> added(const std::string& spec, int layer = 0, bool causal = false) {
  const SchemeContext context{8, 2, causal, 2};
  ParameterTable table;
  const auto scheme = make_scheme(spec, context, table);
  return added_scores(*scheme, context, table.sample(1).data(), T, layer);
}
double at(const std::vector<double>& scores, int head, int query, int key) {
  return scores.at(as_size((head * T + query) * T + key));
}

}  // namespace

TEST_CASE("added scores: of alibi, its bias in closed form") {
  const SchemeContext context{8, 2, false, 2};
  ParameterTable table;
  const auto scheme = make_scheme("alibi", context, table);
  const std::vector<double> scores = added("alibi");
  for (int head = 0; head < 2; ++head)
    for (int query = 0; query < T; ++query)
      for (int key = 0; key < T; ++key)
        CHECK(at(scores, head, query, key) == doctest::Approx(*scheme->bias(head, query, key)));
}

TEST_CASE("added scores: of t5, one number for each distance and head") {
  const std::vector<double> scores = added("t5");
  CHECK(at(scores, 1, 0, 2) == at(scores, 1, 3, 5));
  CHECK(at(scores, 1, 0, 2) != at(scores, 1, 2, 0));
  CHECK(at(scores, 0, 0, 2) != at(scores, 1, 0, 2));
}

TEST_CASE("added scores: of fire, each layer its own") { CHECK(added("fire", 0) != added("fire", 1)); }

TEST_CASE("added scores: nothing where nothing is added, or where it depends on the tokens") {
  for (const char* spec : {"none", "rope", "sinusoidal", "shaw"}) {
    CAPTURE(spec);
    CHECK(added(spec).empty());
  }
  CHECK(added("fox", 0, true).empty());
}

}  // namespace added_scores_test
