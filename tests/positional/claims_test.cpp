// Every claim of every scheme, put to the test: for each there is a function (refute.h) that tries to refute it on a
// random model and returns a counterexample in words. A claim that is made and refuted fails; one that seems to hold but
// is not made gives a warning. The last tests prove that each function can find a counterexample where there is one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../support/specs.h"
#include "base/error.h"
#include "refute.h"

using namespace locus;

namespace {

// Every scheme with every choice, and every pair of schemes that a spec for such a model may combine.
std::vector<std::string> specs_and_pairs(ModelKind kind) {
  const bool causal = kind == ModelKind::decoder;
  std::vector<std::string> specs = every_spec(table_rows, causal);
  for (const SchemeInfo& a : all_schemes())
    for (const SchemeInfo& b : all_schemes()) {
      const bool composes =
          (a.stage != b.stage || a.stage == Stage::scores) && (causal || (!a.causal_only && !b.causal_only));
      if (a.name < b.name && a.stage != Stage::nowhere && b.stage != Stage::nowhere && composes)
        specs.push_back(str(a.name, "+", b.name));
    }
  return specs;
}

Counterexample refute(Counterexample (*claim)(const Subject&), const std::string& spec,
                      ModelKind kind = ModelKind::encoder, std::uint64_t seed = 1) {
  return claim(Subject(spec, kind, seed));
}

}  // namespace

// A claim that was refuted once is not tried again: not on other models, and not on pairs with that scheme.
TEST_CASE("claims: none that a scheme makes can be refuted, and none that holds is left out") {
  std::set<std::pair<std::string, const ClaimInfo*>> false_claims;  // by scheme
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : specs_and_pairs(kind))
      for (const ClaimInfo& claim : all_claims) {
        const Refuter& refuter = refuter_of(claim);
        if (refuter.only && refuter.only != kind) continue;
        const auto is_false = [&](const std::string& part) {
          return false_claims.contains({part.substr(0, part.find(':')), &claim});
        };
        if (std::ranges::any_of(split(spec, '+'), is_false)) continue;
        const bool alone = spec.find('+') == std::string::npos;
        const std::uint64_t models = alone ? 8 : 3;  // pairs are many
        bool made = false, refuted = false;
        for (std::uint64_t seed = 1; seed <= models; ++seed) {
          const Subject subject(spec, kind, seed);
          made = subject.scheme().claims().*claim.holds;
          const Counterexample counterexample = refuter.refute(subject);
          refuted = refuted || counterexample.has_value();
          CHECK_MESSAGE(!(made && counterexample), str(spec, " in the ", to_string(kind), " claims '",
                                                       claim.name, "', but: ", counterexample.value_or("")));
          if (made && counterexample) {
            false_claims.insert({spec.substr(0, spec.find(':')), &claim});
            break;
          }
        }
        // A pair claims what follows from its parts; by luck more may hold.
        if (alone)
          WARN_MESSAGE((made || refuted), str(spec, " in the ", to_string(kind), " seems to have '",
                                              claim.name, "' and does not claim it"));
      }
}

TEST_CASE("claims: a scheme adds exactly the parameters that it says") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : specs_and_pairs(kind))
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Subject subject(spec, kind, seed);
        const Counterexample counterexample =
            refute_parameters(subject, subject.scheme().claims().parameters);
        CHECK_MESSAGE(!counterexample,
                      str(spec, " in the ", to_string(kind), ": ", counterexample.value_or("")));
      }
}

TEST_CASE("claims: what does not claim to extrapolate says so, rather than answer with something") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : specs_and_pairs(kind)) {
      CAPTURE(spec);
      const Subject subject(spec, kind, 1);
      if (subject.scheme().claims().extrapolates) continue;
      CHECK_THROWS_AS(subject.logits(subject.tokens(), count_from(10000, subject.length())), Error);
    }
}

TEST_CASE("claims: each has a refuter, and each refuter a claim") {
  std::set<std::string> made, refuted;
  for (const ClaimInfo& claim : all_claims) made.insert(claim.name);
  for (const Refuter& refuter : refuters) refuted.insert(refuter.claim);
  CHECK(made == refuted);
  CHECK(std::size(all_claims) == refuters.size());
}

TEST_CASE("claims: order_blind is refuted for schemes that show order, and for the causal mask alone") {
  for (const char* spec : {"index", "sinusoidal", "learned", "rope", "alibi", "t5"}) {
    CAPTURE(spec);
    CHECK(refute(refute_order_blind, spec));
  }
  CHECK(refute(refute_order_blind, "none", ModelKind::decoder));
  CHECK_FALSE(refute(refute_order_blind, "none"));
}

TEST_CASE("claims: mirror_blind is refuted where left and right differ, or the place in the whole") {
  for (const char* spec :
       {"rope", "sinusoidal", "t5", "alibi:direction=asymmetric", "fire", "abacus", "alibi+fire"}) {
    CAPTURE(spec);
    CHECK(refute(refute_mirror_blind, spec));
  }
  for (const char* spec : {"none", "alibi", "kerple", "sandwich", "alibi+kerple"}) {
    CAPTURE(spec);
    CHECK_FALSE(refute(refute_mirror_blind, spec));
  }
}

TEST_CASE("claims: direction_aware is refuted for schemes that treat left and right alike") {
  for (const char* spec : {"none", "index:join=fill", "alibi:direction=symmetric"}) {
    CAPTURE(spec);
    CHECK(refute(refute_direction_aware, spec));
  }
  CHECK_FALSE(refute(refute_direction_aware, "alibi:direction=asymmetric"));
}

TEST_CASE("claims: shift_invariant is refuted for schemes of absolute positions") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const char* spec : {"index", "sinusoidal", "learned", "rope+index"}) {
      CAPTURE(spec);
      CHECK(refute(refute_shift_invariant, spec, kind));
    }
  CHECK_FALSE(refute(refute_shift_invariant, "rope"));
}

TEST_CASE("claims: bounded is refuted where numbers grow with the position, or end") {
  for (const char* spec : {"index", "index:join=fill", "alibi", "sinusoidal+alibi", "learned"}) {
    CAPTURE(spec);
    CHECK(refute(refute_bounded, spec));
  }
  CHECK_FALSE(refute(refute_bounded, "t5"));
}

TEST_CASE("claims: unique is refuted where there is no code, and where just two positions share one") {
  for (const char* spec : {"none", "rope", "alibi"}) {
    CAPTURE(spec);
    CHECK(refute(refute_unique, spec));
  }
  // The position itself as code, but 400 looks like 17.
  class OneCollision : public Scheme {
   public:
    Claims claims() const override { return {.unique = true}; }
    std::vector<double> code(double position, int, const Real*) const override {
      return {1, position == 400 ? 17 : position};
    }
  };
  CHECK(refute_unique(OneCollision(), nullptr) == "positions 17 and 400 share the code (1 17)");
}

TEST_CASE("claims: norm_preserving is refuted where lengths change, and where nothing turns") {
  for (const char* spec : {"rope:temperature=on,factor=4", "rope:extend=yarn,factor=4,original=16"}) {
    CAPTURE(spec);
    const Counterexample longer = refute(refute_norm_preserving, spec);
    REQUIRE(longer);
    CHECK(longer->starts_with("at position 0 a query of length "));
  }
  CHECK(refute(refute_norm_preserving, "xpos", ModelKind::decoder));
  for (const char* spec : {"none", "sinusoidal", "alibi"})
    CHECK(refute(refute_norm_preserving, spec) == "queries and keys are left as they were");
  CHECK_FALSE(refute(refute_norm_preserving, "rope"));
}

TEST_CASE("claims: linear_shift is refuted for all but pairs of sine and cosine, and what is independent") {
  for (const char* spec : {"index", "index:join=fill", "fraction", "binary", "learned",
                           "sinusoidal:waves=sin", "sinusoidal:waves=cos"}) {
    CAPTURE(spec);
    const Counterexample missed = refute(refute_linear_shift, spec);
    REQUIRE(missed);
    CHECK(missed->starts_with("the best matrix "));
  }
  CHECK(refute(refute_linear_shift, "rope") == "it has no codes");
  CHECK_FALSE(refute(refute_linear_shift, "sinusoidal"));
  CHECK_FALSE(refute(refute_linear_shift, "onehot:capacity=64"));
}

// A slip seen in print: sine and cosine of one pair with speeds of their own.
TEST_CASE("claims: linear_shift is refuted for a sinusoid whose sine and cosine differ in speed") {
  class Slip : public Scheme {
   public:
    Claims claims() const override { return {.linear_shift = true}; }
    std::vector<double> code(double position, int, const Real*) const override {
      std::vector<double> code;
      for (int c = 0; c < 8; ++c) {
        const double angle = position * std::pow(10000.0, -c / 8.0);
        code.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
      }
      return code;
    }
  };
  CHECK(refute_linear_shift(Slip(), nullptr));
}

TEST_CASE("claims: deterministic is refuted where training draws, and where only the positions show it") {
  CHECK(refute(refute_deterministic, "randomized") ==
        "another stream of random numbers gives another training step");
  CHECK(refute(refute_deterministic, "randomized:test=sorted"));
  CHECK(refute(refute_deterministic, "abacus:offset=3"));
  CHECK_FALSE(refute(refute_deterministic, "abacus"));
  CHECK_FALSE(refute(refute_deterministic, "learned+rope"));
}

TEST_CASE("claims: causal_prefix is refuted where the length or a later token shows") {
  for (const char* spec : {"fraction", "randomized", "randomized:test=sorted",
                           "rope:extend=dynamic,original=4", "xpos", "randomized+sinusoidal",
                           "randomized+alibi", "alibi+fraction", "rope:extend=dynamic,original=4+alibi"}) {
    CAPTURE(spec);
    CHECK(refute(refute_causal_prefix, spec, ModelKind::decoder));
  }
  const Counterexample later = refute(refute_causal_prefix, "none", ModelKind::encoder);
  REQUIRE(later);
  CHECK(later->find(" alone, not as the first of 24: logit ") != std::string::npos);
  for (const char* spec : {"none", "learned", "rope:extend=yarn,factor=4,original=4", "t5", "path"}) {
    CAPTURE(spec);
    CHECK_FALSE(refute(refute_causal_prefix, spec, ModelKind::decoder));
  }
}

// A decoder is tested with one pass over the whole answer if it makes the claim, with many if it does not: here the
// claim must be neither too wide nor too narrow.
TEST_CASE("claims: what does not claim a causal prefix has none, alone or composed") {
  for (const std::string& spec : specs_and_pairs(ModelKind::decoder)) {
    bool made = false, refuted = false;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Subject subject(spec, ModelKind::decoder, seed);
      made = subject.scheme().claims().causal_prefix;
      refuted = refuted || refute_causal_prefix(subject);
    }
    CHECK_MESSAGE(made != refuted, spec);
  }
}

TEST_CASE("claims: extrapolates is refuted by an error, and by NaN") {
  const Counterexample error = refute(refute_extrapolates, "learned");
  REQUIRE(error);
  CHECK(error->starts_with("[learned] position 10000 is not one of 0 to "));

  Subject subject("sinusoidal", ModelKind::encoder, 1);
  CHECK_FALSE(refute_extrapolates(subject));
  std::ranges::fill(subject.parameters(), std::numeric_limits<Real>::quiet_NaN());
  const Counterexample not_finite = refute_extrapolates(subject);
  REQUIRE(not_finite);
  CHECK(not_finite->starts_with("at positions from 10000 on, a logit is "));
}

TEST_CASE("claims: a count of parameters is refuted when it is one off") {
  for (const char* spec : {"none", "learned", "t5", "sinusoidal:join=concat"}) {
    CAPTURE(spec);
    const Subject subject(spec, ModelKind::encoder, 1);
    const std::size_t right = subject.scheme().claims().parameters;
    CHECK_FALSE(refute_parameters(subject, right));
    CHECK(refute_parameters(subject, right + 1));
    if (right > 0) CHECK(refute_parameters(subject, right - 1));
  }
}
