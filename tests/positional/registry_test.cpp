// The list of schemes, and how the parts of a spec act together.
#include "positional/support/registry.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "../support/errors.h"
#include "../support/random_values.h"
#include "../support/specs.h"
#include "base/error.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

constexpr SchemeContext encoder{.d_model = 8, .heads = 2, .causal = false};
constexpr SchemeContext decoder{.d_model = 8, .heads = 2, .causal = true};

struct Made {
  ParameterTable table;
  std::unique_ptr<Scheme> scheme;
  explicit Made(const std::string& spec, const SchemeContext& context = encoder)
      : scheme(make_scheme(spec, context, table)) {}
};

bool is_one_line(const std::string& text) {
  return !text.empty() && text.find('\n') == std::string::npos && text.size() <= 110;
}

}  // namespace

TEST_CASE("registry: schemes are listed by name, each once, with a line about it and its source") {
  const auto& all = all_schemes();
  CHECK(all.size() >= 7);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(all[i].name);
    if (i > 0) CHECK(all[i - 1].name < all[i].name);
    CHECK(is_one_line(all[i].summary));
    CHECK(is_one_line(all[i].source));
    if (!all[i].formula.empty())
      for (const std::string& line : split(all[i].formula, '\n')) CHECK(is_one_line(line));
    for (const std::string& trap : all[i].traps) CHECK(is_one_line(trap));
    CHECK(&find_scheme(all[i].name) == &all[i]);
  }
}

TEST_CASE("registry: names and keys are words that a spec can hold") {
  const auto is_word = [](const std::string& name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
    });
  };
  for (const SchemeInfo& info : all_schemes()) {
    CAPTURE(info.name);
    CHECK(is_word(info.name));
    for (const SchemeOption& key : info.options) {
      CAPTURE(key.name);
      CHECK(is_word(key.name));
      CHECK(is_one_line(key.help));
      CHECK(std::ranges::count(info.options, key.name, &SchemeOption::name) == 1);
      for (const std::string& choice : key.choices) CHECK(is_word(choice));
    }
  }
}

TEST_CASE("registry: every default is a valid value, or left to the model") {
  for (const SchemeInfo& info : all_schemes())
    for (const SchemeOption& key : info.options) {
      CAPTURE(info.name);
      CAPTURE(key.name);
      if (key.fallback.empty()) continue;
      CHECK_NOTHROW(Options(info.name, info.options, {{key.name, key.fallback}}));
    }
}

TEST_CASE("registry: a scheme enters where its stage says, and nowhere else") {
  for (const std::string& spec : every_spec(16, true)) {
    CAPTURE(spec);
    const Made made(spec, decoder);
    const Stage stage = find_scheme(spec.substr(0, spec.find(':'))).stage;
    const auto parameters = random_values(made.table.count(), 1);
    Tape tape(parameters.data());
    const double places[] = {0, 1, 2};
    const Positions positions{1, 3, places};
    const std::vector<int> tokens{0, 1, 2};
    const Inputs inputs{tokens, 3, positions};
    const Tensor x = tape.constant({1, 3, 8}, random_values(24, 2).data());
    Tensor q = tape.constant({1, 2, 3, 4}, random_values(24, 3).data());
    Tensor k = tape.constant({1, 2, 3, 4}, random_values(24, 4).data());
    const Tensor scores = tape.constant({1, 2, 3, 3}, random_values(18, 5).data());
    const auto same = [](Tensor a, Tensor b) {
      return std::equal(a.value(), a.value() + a.count(), b.value());
    };

    const Tensor q_before = q, k_before = k;
    made.scheme->query_and_key(q, k, {x, q, k, positions, 0});
    const Positions chosen = made.scheme->positions(tape, inputs);
    CHECK(std::equal(places, places + 3, chosen.data) == (stage != Stage::positions));
    CHECK(same(made.scheme->embedding(x, inputs), x) == (stage != Stage::embedding));
    CHECK((same(q, q_before) && same(k, k_before)) == (stage != Stage::query_and_key));
    const bool weighs = made.scheme->weights(scores, Mask::causal).has_value() ||
                        !same(made.scheme->scores(scores, {x, q, k, positions, 0}), scores);
    CHECK(weighs == (stage == Stage::scores));
    CHECK(made.scheme->embedding(x, inputs).shape() == x.shape());
    CHECK(q.shape().with_last(4) == q_before.shape());  // pope doubles the width
    CHECK(q.shape() == k.shape());
    CHECK(made.scheme->scores(scores, {x, q, k, positions, 0}).shape() == scores.shape());
  }
}

TEST_CASE("registry: the parts of a spec each do their work, biases of the scores add up") {
  const Made alibi("alibi"), t5("t5"), both("alibi+t5");
  CHECK(both.scheme->bias(1, 5, 2) == alibi.scheme->bias(1, 5, 2));
  CHECK(both.scheme->bucket(-3) == t5.scheme->bucket(-3));

  const auto parameters = random_values(t5.table.count(), 1);
  Tape tape(parameters.data());
  const double places[] = {0, 1, 2};
  const Positions positions{1, 3, places};
  const Tensor zero = tape.constant({1, 2, 3, 3}, Reals(18).data());
  const auto scores = [&](const Made& made) {
    return made.scheme->scores(zero, {zero, zero, zero, positions, 0});
  };
  const Tensor sum = scores(both), first = scores(alibi), second = scores(t5);
  for (std::size_t i = 0; i < 18; ++i)
    CHECK(sum.value()[i] == doctest::Approx(first.value()[i] + second.value()[i]).epsilon(1e-6));
}

TEST_CASE("registry: a spec of several parts shows what each of them can show") {
  const Made made("learned:capacity=9+rope:base=50+alibi");
  const auto parameters = random_values(made.table.count(), 1);
  CHECK(made.scheme->code(2, 5, parameters.data()).size() == 8);
  CHECK(made.scheme->frequencies(32).inverse_frequency ==
        Made("rope:base=50").scheme->frequencies(32).inverse_frequency);
  CHECK(made.scheme->bias(0, 3, 1).has_value());
  CHECK_FALSE(made.scheme->bucket(1).has_value());
  CHECK(made.scheme->capacity() == 9);
  CHECK(made.table.entries().size() == 1);
  CHECK(Made("rope+alibi").scheme->capacity() == std::numeric_limits<int>::max());
}

TEST_CASE("registry: claims of a spec of several parts") {
  const auto claims = [](const char* spec) { return Made(spec).scheme->claims(); };
  CHECK(claims("rope+alibi").shift_invariant);
  CHECK_FALSE(claims("sinusoidal+alibi").shift_invariant);  // all parts must leave things unchanged ...
  CHECK_FALSE(claims("rope+alibi").bounded);
  CHECK_FALSE(claims("learned+rope").extrapolates);
  CHECK(claims("sinusoidal+alibi").direction_aware);  // ... but one that can tell is enough
  CHECK_FALSE(claims("index:join=fill+alibi").direction_aware);
  CHECK(claims("sinusoidal+alibi").unique);
  CHECK(claims("learned:capacity=9+t5:buckets=6").parameters == 9 * 8 + 2 * 6);
  CHECK(claims("rope+alibi").norm_preserving);
  CHECK(claims("rope+alibi").deterministic);
  CHECK(claims("sinusoidal+alibi").linear_shift);
}

TEST_CASE("registry: where one part chooses the positions, the others never see any else") {
  const auto claims = [](const char* spec) { return Made(spec).scheme->claims(); };
  for (const char* spec : {"randomized+learned", "learned+randomized", "randomized+index+alibi"}) {
    CAPTURE(spec);
    CHECK(claims(spec).shift_invariant);
    CHECK(claims(spec).bounded);
    CHECK(claims(spec).extrapolates);
    CHECK(claims(spec).direction_aware);
    CHECK_FALSE(claims(spec).order_blind);
    CHECK_FALSE(claims(spec).deterministic);
  }
  CHECK(claims("randomized+index:join=fill").order_blind);
}

TEST_CASE("registry: the stages of a spec are those of its parts") {
  using enum Stage;
  const auto stages_of = [](const Spec& spec) {
    std::vector<Stage> stages;
    for (const Spec::Part& part : spec.only().parts) stages.push_back(part.info->stage);
    return stages;
  };
  CHECK(stages_of("none") == std::vector{nowhere});
  CHECK(stages_of("sinusoidal:base=100+alibi+rope") == std::vector{embedding, scores, query_and_key});
  for (const char* bad : {"", "nope", "rope:base=x", "rope+"}) CHECK_THROWS_AS(stages_of(bad), UsageError);
}

TEST_CASE(
    "spec: one of a scheme that this build lacks keeps its text, and says what is wrong when it is used") {
  const Spec unknown = "rope:base=9+nope", copy = unknown;
  CHECK(to_string(copy) == "rope:base=9+nope");
  CHECK(copy == "rope:base=9+nope");
  CHECK(copy.known_parts().empty());
  CHECK_FALSE(copy.is_by_layer());
  for (int i = 0; i < 2; ++i)
    CHECK(error_of([&] { copy.only(); }).starts_with("[scheme] there is no scheme 'nope'. Hint: "));
  CHECK_THROWS_AS(copy.by_layer(), UsageError);
  CHECK(Spec().empty());
  CHECK_FALSE(unknown.empty());
}

TEST_CASE("spec: the layers take several in turn, each with its parts and options") {
  const Spec spec = "rope:base=9+alibi none";
  CHECK(spec.is_by_layer());
  REQUIRE(spec.by_layer().size() == 2);
  CHECK(spec.by_layer()[0].spec == "rope:base=9+alibi");
  REQUIRE(spec.by_layer()[0].parts.size() == 2);
  CHECK(spec.by_layer()[0].parts[0].options.number("base") == 9);
  CHECK(spec.by_layer()[0].parts[1].info->name == "alibi");
  CHECK(spec.by_layer()[1].parts[0].info == &find_scheme("none"));
  CHECK(spec.known_parts().empty());  // which is of all layers
  CHECK(
      error_of([&] { spec.only(); }) ==
      "[scheme] 'rope:base=9+alibi none' names several schemes, for the layers in turn. Hint: give one SPEC; '+' "
      "combines schemes: sinusoidal+alibi");
}

TEST_CASE("spec: a part that its options make a variant has the variant's summary") {
  const auto part = [](const Spec& spec) { return spec.only().parts.front(); };
  CHECK(part("index").variant() == nullptr);
  CHECK(part("index").summary() == find_scheme("index").summary);
  const SchemeInfo::Variant& fill = find_scheme("index").variants.front();
  const auto chosen = part(str("index:", fill.option, "=", fill.value));
  REQUIRE(chosen.variant() != nullptr);
  CHECK(chosen.summary() == fill.summary);
  CHECK(chosen.summary() != find_scheme("index").summary);
}

TEST_CASE("registry: a field of a registration that is missing or does not fit is named") {
  const SchemeInfo right = find_scheme("rope");
  const auto says = [&](const std::string& words, const auto& change) {
    SchemeInfo info = right;
    change(info);
    const std::string said = error_of([&] { require_complete(info); });
    CAPTURE(said);
    CHECK(said.find(words) != std::string::npos);
    CHECK(said.starts_with("[schemes] the scheme '" + info.name + "' "));
  };
  says("in .name: ", [](SchemeInfo& info) { info.name = ""; });
  says("in .name: ", [](SchemeInfo& info) { info.name = "a+b"; });
  says("in .summary: ", [](SchemeInfo& info) { info.summary = ""; });
  says("in .source: ", [](SchemeInfo& info) { info.source = ""; });
  says(".make = ", [](SchemeInfo& info) { info.make = nullptr; });
  says("the option 'nope', which is not in .options", [](SchemeInfo& info) {
    info.variants = {{"nope", "1", "x"}};
  });
}

TEST_CASE("registry: stages by name") {
  CHECK(to_string(Stage::nowhere) == "nowhere");
  CHECK(to_string(Stage::positions) == "positions");
  CHECK(to_string(Stage::embedding) == "embedding");
  CHECK(to_string(Stage::query_and_key) == "query and key");
  CHECK(to_string(Stage::scores) == "scores");
}
