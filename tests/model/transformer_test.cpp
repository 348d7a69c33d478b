#include "model/transformer.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "../support/specs.h"
#include "autograd/gradient_check.h"
#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"

namespace transformer_test {

using namespace locus;

namespace {

using Values = Reals;
using TokenIds = std::vector<int>;

constexpr int vocabulary = 5;
const TaskShape five_tokens{.vocabulary = vocabulary};

ModelSettings tiny(ModelKind kind, const std::string& scheme) {
  return {.kind = kind, .scheme = scheme, .layers = 2, .heads = 2, .d_model = 8, .d_ff = 6};
}

// The initial values, moved a little: norms, too, get gains and biases of their own.
Values random_parameters(const Transformer& model, std::uint64_t seed) {
  Values values = model.parameters().sample(seed);
  const Values moves = random_values(values.size(), seed, 0.3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += moves[i];
  return values;
}

TokenIds random_tokens(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing, 1);
  TokenIds tokens(count);
  for (int& token : tokens) token = random.below(vocabulary);
  return tokens;
}

// The logits at positions 0, 1, 2 ..., row after row.
Values logits_of(const Transformer& model, const Values& parameters, const TokenIds& tokens, int length) {
  Tape tape(parameters.data());
  const Tensor logits = model.logits(tape, {tokens, length, count_up(tape, length)});
  return {logits.value(), logits.value() + logits.count()};
}

Real largest_difference(const Values& a, const Values& b) {
  REQUIRE(a.size() == b.size());
  Real largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!(std::abs(a[i] - b[i]) <= largest)) largest = std::abs(a[i] - b[i]);
  return largest;
}

// Largest change when the tokens are permuted and the answers permuted back.
Real change_under_permutation(const Transformer& model, std::uint64_t seed) {
  constexpr int T = 7;
  const Values parameters = random_parameters(model, seed);
  const TokenIds tokens = random_tokens(T, seed);
  std::vector<int> order(T);
  for (int t = 0; t < T; ++t) order[static_cast<std::size_t>(t)] = t;
  Random(seed, Purpose::testing, 2).shuffle(std::span<int>(order));

  TokenIds permuted;
  for (const int from : order) permuted.push_back(tokens[static_cast<std::size_t>(from)]);
  const Values straight = logits_of(model, parameters, tokens, T);
  const Values moved = logits_of(model, parameters, permuted, T);
  Values expected;
  for (const int from : order)
    for (int v = 0; v < vocabulary; ++v)
      expected.push_back(straight[static_cast<std::size_t>(from * vocabulary + v)]);
  return largest_difference(moved, expected);
}

}  // namespace

TEST_CASE("transformer: (B,T,V) logits, or (B,V) when one answer is asked for") {
  const TokenIds tokens = random_tokens(12, 1);
  for (const bool pooled : {false, true}) {
    const Transformer model(tiny(ModelKind::encoder, "none"), {.vocabulary = vocabulary, .pooled = pooled});
    const Values parameters = model.parameters().sample(1);
    Tape tape(parameters.data());
    const Tensor logits = model.logits(tape, {tokens, 4, count_up(tape, 4)});
    CHECK(logits.shape() == (pooled ? Shape{3, vocabulary} : Shape{3, 4, vocabulary}));
  }
}

TEST_CASE("transformer: a batch gives what its examples give one by one") {
  constexpr int B = 5, T = 6;
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : every_spec(T, kind == ModelKind::decoder)) {
      CAPTURE(to_string(kind));
      CAPTURE(spec);
      const Transformer model(tiny(kind, spec), five_tokens);
      const Values parameters = random_parameters(model, 1);
      const TokenIds tokens = random_tokens(B * T, 2);
      Values one_by_one;
      for (int b = 0; b < B; ++b)
        for (const Real logit :
             logits_of(model, parameters, {tokens.begin() + b * T, tokens.begin() + (b + 1) * T}, T))
          one_by_one.push_back(logit);
      CHECK(largest_difference(logits_of(model, parameters, tokens, T), one_by_one) <=
            tolerance(1e-6, 1e-14));
    }
}

TEST_CASE("transformer: positions may be given for each example by itself") {
  constexpr int T = 6;
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : every_spec(T, kind == ModelKind::decoder)) {
      CAPTURE(to_string(kind));
      CAPTURE(spec);
      const Transformer model(tiny(kind, spec), five_tokens);
      const Values parameters = random_parameters(model, 1);
      const TokenIds tokens = random_tokens(2 * T, 2);
      const std::vector<double> places = {0, 1, 2, 3, 4, 5, 5, 3, 1, 0, 2, 4};
      const auto run = [&](std::span<const int> ids, Positions positions) {
        Tape tape(parameters.data());
        const Tensor logits = model.logits(tape, {ids, T, positions});
        return Values(logits.value(), logits.value() + logits.count());
      };
      Values expected = run({tokens.data(), T}, {1, T, places.data()});
      const Values second = run({tokens.data() + T, T}, {1, T, places.data() + T});
      expected.insert(expected.end(), second.begin(), second.end());
      CHECK(largest_difference(run(tokens, {2, T, places.data()}), expected) <= tolerance(1e-6, 1e-14));
    }
}

TEST_CASE("decoder: a later token changes no earlier logit, not by a bit") {
  constexpr int T = 7;
  for (const std::string& spec : every_spec(T, true)) {
    CAPTURE(spec);
    const Transformer model(tiny(ModelKind::decoder, spec), five_tokens);
    const Values parameters = random_parameters(model, 1);
    TokenIds tokens = random_tokens(T, 2);
    const Values before = logits_of(model, parameters, tokens, T);
    for (int changed = 0; changed < T; ++changed) {
      CAPTURE(changed);
      tokens[static_cast<std::size_t>(changed)] =
          (tokens[static_cast<std::size_t>(changed)] + 1) % vocabulary;
      const Values after = logits_of(model, parameters, tokens, T);
      const auto same = std::ranges::mismatch(before, after).in1 - before.begin();
      CHECK(same >= changed * vocabulary);
      CHECK(same < (changed + 1) * vocabulary);  // and it does change its own
      tokens[static_cast<std::size_t>(changed)] =
          (tokens[static_cast<std::size_t>(changed)] + vocabulary - 1) % vocabulary;
    }
  }
}

// A token's logits depend on how many follow it where a position is a share of the length, and where the base
// of RoPE grows with it. Such a decoder sees what it has not read yet.
bool depends_on_length(const std::string& spec) {
  return spec == "fraction" || spec.starts_with("rope:extend=dynamic");
}

TEST_CASE("decoder: one pass over all tokens gives what decoding step by step gives, for every scheme") {
  constexpr int T = 7;
  for (const std::string& spec : every_spec(T, true)) {
    CAPTURE(spec);
    const Transformer model(tiny(ModelKind::decoder, spec), five_tokens);
    const Values parameters = random_parameters(model, 1);
    const TokenIds tokens = random_tokens(T, 2);
    Values step_by_step;
    for (int read = 1; read <= T; ++read) {
      const Values logits = logits_of(model, parameters, {tokens.begin(), tokens.begin() + read}, read);
      step_by_step.insert(step_by_step.end(), logits.end() - vocabulary, logits.end());
    }
    const Real difference = largest_difference(logits_of(model, parameters, tokens, T), step_by_step);
    if (depends_on_length(spec))
      CHECK(difference > tolerance(1e-3, 1e-3));
    else
      CHECK(difference <= tolerance(1e-5, 1e-14));
  }
}

TEST_CASE("decoder: examples of mixed lengths, padded on the right to a batch, give what each gives alone") {
  constexpr int B = 4, T = 9, lengths[B] = {5, 9, 1, 6}, padding = 3;
  for (const std::string& spec : every_spec(T, true)) {
    if (depends_on_length(spec)) continue;
    CAPTURE(spec);
    const Transformer model(tiny(ModelKind::decoder, spec), five_tokens);
    const Values parameters = random_parameters(model, 1);
    TokenIds batch;
    Values alone, beside;
    for (int b = 0; b < B; ++b) {
      TokenIds tokens = random_tokens(static_cast<std::size_t>(lengths[b]), 2 + static_cast<unsigned>(b));
      const Values logits = logits_of(model, parameters, tokens, lengths[b]);
      alone.insert(alone.end(), logits.begin(), logits.end());
      tokens.resize(T, padding);
      batch.insert(batch.end(), tokens.begin(), tokens.end());
    }
    const Values logits = logits_of(model, parameters, batch, T);
    for (int b = 0; b < B; ++b) {
      const auto start = logits.begin() + b * T * vocabulary;
      beside.insert(beside.end(), start, start + lengths[b] * vocabulary);
    }
    CHECK(largest_difference(alone, beside) <= tolerance(1e-5, 1e-14));
  }
}

TEST_CASE("encoder: without positions, moving the tokens moves the answers and changes nothing else") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    CHECK(change_under_permutation(Transformer(tiny(ModelKind::encoder, "none"), five_tokens), seed) <=
          tolerance(1e-5, 1e-13));
}

TEST_CASE("decoder: without positions, the causal mask still shows order") {
  for (std::uint64_t seed = 1; seed <= 5; ++seed)
    CHECK(change_under_permutation(Transformer(tiny(ModelKind::decoder, "none"), five_tokens), seed) >
          Real(0.01));
}

TEST_CASE("transformer: another scheme leaves all other parameters as they begin") {
  const Transformer plain(tiny(ModelKind::decoder, "none"), five_tokens);
  const Values expected = plain.parameters().sample(1);
  for (const std::string& spec : every_spec(16, true)) {
    CAPTURE(spec);
    const Transformer model(tiny(ModelKind::decoder, spec), five_tokens);
    const Values values = model.parameters().sample(1);
    REQUIRE(values.size() >= expected.size());
    CHECK(std::equal(expected.begin(), expected.end(), values.begin()));
  }
}

TEST_CASE("transformer: schemes in turn serve one layer each, in their order") {
  constexpr int T = 7;
  const TokenIds tokens = random_tokens(T, 1);
  const auto logits_without = [&](const std::string& scheme, const std::string& silent_layer) {
    const Transformer model(tiny(ModelKind::encoder, scheme), five_tokens);
    Values parameters = random_parameters(model, 1);
    for (const auto& [name, where, initial] : model.parameters().entries())
      if (name.starts_with(silent_layer + ".attention.output"))
        std::fill_n(parameters.begin() + static_cast<std::ptrdiff_t>(where.offset), where.shape.count(), 0);
    return logits_of(model, parameters, tokens, T);
  };
  for (const auto& [first, second] : {std::pair{"rope", "none"}, {"none", "alibi"}, {"alibi", "rope"}}) {
    const std::string turns = str(first, " ", second);
    CAPTURE(turns);
    CHECK(logits_without(turns, "layer1") == logits_without(first, "layer1"));
    CHECK(logits_without(turns, "layer0") == logits_without(second, "layer0"));
    CHECK(logits_without(turns, "layer1") != logits_without(second, "layer1"));
    CHECK(logits_without(turns, "layer0") != logits_without(first, "layer0"));
  }
  CHECK(logits_without("rope rope", "") == logits_without("rope", ""));
}

TEST_CASE("transformer: of schemes in turn, each has parameters of its own") {
  ModelSettings settings = tiny(ModelKind::encoder, "t5 none t5:buckets=8");
  settings.layers = 3;
  const Transformer model(settings, five_tokens);
  std::vector<std::string> names;
  for (const auto& entry : model.parameters().entries())
    if (entry.name.find("position.") != entry.name.npos)
      names.push_back(str(entry.name, " ", entry.where.shape));
  CHECK(names == std::vector<std::string>{"turn0.position.bias (2,32)", "turn2.position.bias (2,8)"});
}

TEST_CASE("transformer: schemes that cannot take turns are refused") {
  CHECK_THROWS_WITH_AS(
      Transformer(tiny(ModelKind::encoder, "rope alibi t5"), five_tokens),
      "[scheme] 3 schemes are to take turns in 2 layers. Hint: name no more schemes than there are layers",
      UsageError);
  for (const char* spec : {"sinusoidal", "alibi+learned"})
    CHECK_THROWS_WITH_AS(
        Transformer(tiny(ModelKind::encoder, str("none ", spec)), five_tokens),
        str("[scheme] '", spec,
            "' enters at the embedding stage, before the first layer, and cannot be chosen layer by layer. "
            "Hint: schemes of the query and key or the scores stage can, and none; `locus schemes` shows "
            "them")
            .c_str(),
        UsageError);
  for (const char* specs : {"rope ", " rope", "rope nope", "rope:base rope"})
    CHECK_THROWS_AS(Transformer(tiny(ModelKind::encoder, specs), five_tokens), UsageError);
}

TEST_CASE("transformer: sizes that make no sense are refused") {
  const auto refusal = [](auto change) {
    ModelSettings settings = tiny(ModelKind::encoder, "none");
    change(settings);
    try {
      check(settings, five_tokens);
    } catch (const UsageError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refusal([](ModelSettings&) {}) == "");
  CHECK(refusal([](ModelSettings& s) { s.d_model = 33, s.heads = 4; }) ==
        "[model] --d-model 33 is not a multiple of --heads 4. Hint: each head takes an equal share of the "
        "width: try "
        "--d-model 36");
  CHECK(refusal([](ModelSettings& s) { s.heads = 0; }) == "[model] --heads is 0. Hint: give 1 or more");
  CHECK(refusal([](ModelSettings& s) { s.heads = -2; }) == "[model] --heads is -2. Hint: give 1 or more");
  CHECK(refusal([](ModelSettings& s) { s.layers = 0; }) == "[model] --layers is 0. Hint: give 1 or more");
  CHECK(refusal([](ModelSettings& s) { s.d_model = 0; }) == "[model] --d-model is 0. Hint: give 1 or more");
  CHECK(refusal([](ModelSettings& s) { s.d_ff = 0; }) == "[model] --d-ff is 0. Hint: give 1 or more");
  CHECK_THROWS_AS(Transformer({.heads = 0}, {.vocabulary = 3}), UsageError);
}

TEST_CASE("transformer: kinds of model by name") {
  for (const ModelKind kind : all_model_kinds) CHECK(parse_model_kind(to_string(kind)) == kind);
  CHECK_THROWS_WITH_AS(parse_model_kind("encodr"),
                       "[model] there is no model 'encodr'. Hint: did you mean 'encoder'?", UsageError);
}

TEST_CASE("transformer: counting up gives 0, 1, 2 ... for all examples") {
  Tape tape;
  const Positions positions = count_up(tape, 4);
  CHECK(positions.rows == 1);
  CHECK(positions.shape() == Shape{4});
  for (int t = 0; t < 4; ++t) CHECK(positions(0, t) == t);
}

#ifdef LOCUS_DOUBLE

namespace {

// Every entry of every parameter against differences; "" when all agree.
//
// Some parameters may have no gradient: a bias of the keys (of tupe's, too) adds q_i . b to all scores of query i,
// the last bias of the networks of fire and dpb adds itself, and a softmax takes no notice of what is the same for all keys.
// (Schemes that turn keys by their positions do make the first count.) Where the tape says zero, differences
// must say so too.
std::string check_model(const ModelSettings& settings, int length, const TaskShape& task = five_tokens) {
  const Transformer model(settings, task);
  const Values parameters = random_parameters(model, 1);
  const TokenIds tokens = random_tokens(static_cast<std::size_t>(2 * length), 2);
  // Some parameters move the logits by so little that the check would call it nothing.
  const auto logits = [&](Tape& tape) {
    return 100 * model.logits(tape, {tokens, length, count_up(tape, length)});
  };

  Values gradients(parameters.size());
  Tape tape(parameters.data(), gradients.data());
  const Tensor result = logits(tape);
  tape.backward(result, random_values(result.count(), 3).data());
  const auto is_zero = [&](const Parameter& where) {
    return std::all_of(gradients.data() + where.offset, gradients.data() + where.offset + where.shape.count(),
                       [](Real g) { return std::abs(g) < 1e-12; });
  };

  std::vector<CheckedInput> inputs;
  for (const auto& [name, where, initial] : model.parameters().entries()) {
    const bool may_be_idle = name.ends_with(".key.bias") || name.ends_with(".down_bias");
    if (!may_be_idle || !is_zero(where)) {
      inputs.push_back({name, where});
      continue;
    }
    const std::string refusal = check_gradients(logits, {{name, where}}, parameters, 3);
    if (!refusal.ends_with("too near zero for a check to prove anything")) return refusal;
  }
  return check_gradients(logits, inputs, parameters, 4);
}

}  // namespace

TEST_CASE("transformer: gradients of whole models agree with differences, for every scheme") {
  constexpr int T = 4;
  // Gates that start at .993 pass so little of a change on that differences drown in rounding.
  const auto open = [](const std::string& spec) { return spec == "data-alibi" ? spec + ":start=0" : spec; };
  for (const std::string& spec : every_spec(T, true)) {
    CAPTURE(spec);
    CHECK(check_model(tiny(ModelKind::decoder, open(spec)), T) == "");
  }
  for (const std::string& spec : every_spec(T)) {
    CAPTURE(spec);
    const ModelSettings encoder = tiny(ModelKind::encoder, open(spec));
    CHECK(check_model(encoder, T) == "");
    CHECK(check_model(encoder, T, {.vocabulary = vocabulary, .pooled = true}) == "");
  }
}

TEST_CASE("transformer: gradients of whole models agree with differences where schemes take turns") {
  ModelSettings settings = tiny(ModelKind::encoder, "t5 rope+alibi");
  settings.layers = 3;
  CHECK(check_model(settings, 4) == "");
}

TEST_CASE("transformer: gradients of whole models agree with differences where schemes combine") {
  for (const char* spec :
       {"sinusoidal+alibi", "rope+t5", "alibi+t5", "learned:capacity=4,join=concat+rope+alibi",
        "randomized:range=6+learned:capacity=6", "rope+shaw+deberta"}) {
    CAPTURE(spec);
    CHECK(check_model(tiny(ModelKind::encoder, spec), 4) == "");
    CHECK(check_model(tiny(ModelKind::decoder, spec), 4) == "");
  }
}
#endif

}  // namespace transformer_test
