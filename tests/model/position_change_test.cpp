#include "model/position_change.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "../support/errors.h"
#include "../support/random_values.h"
#include "../support/specs.h"
#include "model/transformer.h"
#include "positional/support/spec.h"

namespace position_change_test {

using namespace locus;

namespace {

constexpr int vocabulary = 5;
const TaskShape five_tokens{.vocabulary = vocabulary};

ModelSettings tiny(const std::string& scheme, ModelKind kind = ModelKind::encoder) {
  return {.kind = kind, .scheme = scheme, .layers = 2, .heads = 2, .d_model = 16, .d_ff = 6};
}

PositionChange change_of(const std::string& typed, std::vector<int> layers = {}) {
  PositionChange change = parse_position_change(typed);
  change.layers = std::move(layers);
  return change;
}

std::vector<double> told(const std::string& typed, std::vector<double> positions, std::uint64_t draw = 1) {
  Tape tape(nullptr);
  const Positions given{1, static_cast<int>(positions.size()), positions.data()};
  const Positions out =
      changed(tape, parse_position_change(typed), given, Random(draw, Purpose::test_positions));
  return {out.all().begin(), out.all().end()};
}

Reals random_parameters(const Transformer& model) {
  Reals values = model.parameters().sample(1);
  const Reals moves = random_values(values.size(), 1, 0.3);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] += moves[i];
  return values;
}

const std::vector<int> tokens = {3, 1, 4, 1, 0, 2, 2};

Reals logits_of(const Transformer& model, const std::vector<int>& read = tokens) {
  const Reals parameters = random_parameters(model);
  Tape tape(parameters.data());
  const int length = static_cast<int>(read.size());
  const Tensor logits = model.logits(tape, {read, length, count_up(tape, length)});
  return {logits.value(), logits.value() + logits.count()};
}

Reals logits_told(const std::string& scheme, const PositionChange& change,
                  ModelKind kind = ModelKind::encoder) {
  Transformer model(tiny(scheme, kind), five_tokens);
  model.tell(change);
  return logits_of(model);
}

bool are_equal(const Reals& a, const Reals& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(a[i] - b[i])));
  return largest < tolerance(2e-5, 1e-12);
}

std::string refusal(const std::string& typed) {
  return error_of([&] { parse_position_change(typed); });
}

}  // namespace

TEST_CASE("position change: what each token is told") {
  using Places = std::vector<double>;
  CHECK(told("swap:0,3", {0, 1, 2, 3}) == Places{3, 1, 2, 0});
  CHECK(told("swap:3,0", {10, 12, 14, 16}) == Places{16, 12, 14, 10});
  CHECK(told("shift:100", {0, 1, 2}) == Places{100, 101, 102});
  CHECK(told("shift:-0.5", {0, 1, 2}) == Places{-0.5, 0.5, 1.5});
  CHECK(told("scale:2", {0, 1, 2}) == Places{0, 2, 4});
  CHECK(told("reversed", {0, 1, 2}) == Places{2, 1, 0});
  CHECK(told("constant", {5, 6, 7}) == Places{5, 5, 5});
  Places many(50);
  for (std::size_t i = 0; i < many.size(); ++i) many[i] = static_cast<double>(i);
  Places shuffled = told("shuffled", many);
  CHECK(shuffled == told("shuffled", many));
  CHECK(shuffled != told("shuffled", many, 2));
  CHECK(shuffled != many);
  std::ranges::sort(shuffled);
  CHECK(shuffled == many);
}

TEST_CASE("position change: positions too far to compute with, or that become one, are refused") {
  const auto refused = [](const char* typed) { return error_of([&] { told(typed, {0, 1, 2}); }); };
  CHECK(
      refused("shift:1e16") ==
      "[positions] 'shift:1e16' tells the position 1e+16; the farthest that schemes compute with is 1099511627776. "
      "Hint: give a smaller number");
  CHECK(refused("scale:-1e16").find("tells the position -1e+16; the farthest") != std::string::npos);
  CHECK(refused("scale:1e308").find("tells the position 1e+308; the farthest") != std::string::npos);
  CHECK(error_of([] {
          told("scale:1e-320", {0.25, 0.2500001});
        }).find("tells neighbours one position") != std::string::npos);
  CHECK(told("shift:1e12", {0, 1}) == std::vector<double>{1e12, 1e12 + 1});
  CHECK(told("scale:0", {3, 4}) == std::vector<double>{0, 0});
}

TEST_CASE("position change: every row of a batch that has positions of its own is changed") {
  const std::vector<double> two_rows = {0, 1, 2, 10, 11, 12};
  Tape tape(nullptr);
  const Positions out =
      changed(tape, parse_position_change("swap:0,2"), {2, 3, two_rows.data()}, Random(1, Purpose::testing));
  CHECK(std::vector<double>(out.all().begin(), out.all().end()) == std::vector<double>{2, 1, 0, 12, 11, 10});
}

TEST_CASE("position change: to tell an encoder swapped positions is to swap the tokens and their answers") {
  std::vector<int> swapped = tokens;
  std::swap(swapped[2], swapped[5]);
  for (const char* scheme : {"sinusoidal", "learned:capacity=9", "rope", "t5", "alibi"}) {
    CAPTURE(scheme);
    Reals expected = logits_of(Transformer(tiny(scheme), five_tokens), swapped);
    std::swap_ranges(expected.begin() + 2 * vocabulary, expected.begin() + 3 * vocabulary,
                     expected.begin() + 5 * vocabulary);
    CHECK(are_equal(logits_told(scheme, change_of("swap:2,5")), expected));
    CHECK_FALSE(are_equal(logits_of(Transformer(tiny(scheme), five_tokens)), expected));
  }
}

TEST_CASE("position change: constant takes the positions from rope, in one layer or in both") {
  const auto as = [](const char* schemes) { return logits_of(Transformer(tiny(schemes), five_tokens)); };
  CHECK(are_equal(logits_told("rope", change_of("constant")), as("none")));
  CHECK(are_equal(logits_told("rope", change_of("constant", {0})), as("none rope")));
  CHECK(are_equal(logits_told("rope", change_of("constant", {1})), as("rope none")));
  CHECK(are_equal(logits_told("rope", change_of("constant", {0, 1})), as("none")));
  CHECK_FALSE(are_equal(as("none rope"), as("rope none")));
}

TEST_CASE(
    "position change: positions times a half are positional interpolation by 2, and a shift is nothing to "
    "rope") {
  const Reals plain = logits_of(Transformer(tiny("rope"), five_tokens));
  CHECK(are_equal(logits_told("rope", change_of("scale:0.5")),
                  logits_of(Transformer(tiny("rope:extend=pi,factor=2,original=8"), five_tokens))));
  CHECK_FALSE(are_equal(logits_told("rope", change_of("scale:0.5")), plain));
  CHECK(are_equal(logits_told("rope", change_of("shift:100")), plain));
  CHECK_FALSE(are_equal(logits_told("sinusoidal", change_of("shift:100")),
                        logits_of(Transformer(tiny("sinusoidal"), five_tokens))));
  CHECK(are_equal(logits_told("alibi", change_of("reversed")),
                  logits_of(Transformer(tiny("alibi"), five_tokens))));
}

TEST_CASE("position change: layers are of attention only; codes of the embedding stay") {
  const Reals all = logits_told("sinusoidal+rope", change_of("constant")),
              attention = logits_told("sinusoidal+rope", change_of("constant", {0, 1}));
  CHECK(are_equal(attention, logits_of(Transformer(tiny("sinusoidal"), five_tokens))));
  CHECK_FALSE(are_equal(all, attention));
}

TEST_CASE("position change: what a scheme draws at random is changed after it is drawn") {
  const auto logits = [](const char* scheme, const char* change) {
    return logits_told(scheme, change_of(change));
  };
  CHECK(are_equal(logits("randomized+rope", "constant"), logits_of(Transformer(tiny("none"), five_tokens))));
  CHECK(are_equal(logits("randomized+rope", "shift:7"),
                  logits_of(Transformer(tiny("randomized+rope"), five_tokens))));
}

// shuffled, unlike the others, changes whatever there is to read in positions.
TEST_CASE("position change: every scheme that looks at positions is changed, and every other one refused") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : every_spec(16, kind == ModelKind::decoder)) {
      CAPTURE(spec);
      Transformer model(tiny(spec, kind), five_tokens);
      const Reals plain = logits_of(model);
      const std::string error = error_of([&] { model.tell(change_of("shuffled")); });
      if (Spec(spec).only().reads_positions(Spec::Where::anywhere)) {
        CHECK(error == "no error");
        const bool is_erased = spec.find("join=fill") != spec.npos;  // by layer norm (index.cpp)
        CHECK(are_equal(logits_of(model), plain) == is_erased);
      } else {
        CHECK(error ==
              str("[positions] '", spec,
                  "' looks at no positions. Hint: what it shows follows from the tokens and the mask alone"));
      }
    }
}

TEST_CASE("position change: a decoder that is told another order reads its answer token by token") {
  Transformer model(tiny("rope", ModelKind::decoder), five_tokens);
  CHECK(model.causal_prefix());
  model.tell(change_of("swap:0,1"));
  CHECK(model.causal_prefix());
  model.tell(change_of("reversed"));
  CHECK_FALSE(model.causal_prefix());
}

TEST_CASE("position change: what makes no sense is refused") {
  CHECK(refusal("swap") ==
        "[positions] 'swap' is not understood: swap takes two positions, counted from 0. Hint: for example "
        "--positions "
        "swap:2,7");
  for (const char* typed : {"swap:1", "swap:1,2,3", "swap:1,-2", "swap:1,x", "swap:0.5,1", "shift",
                            "shift:", "shift:far", "scale:nan", "reversed:1", "shuffled:", "constant:0"}) {
    CAPTURE(typed);
    CHECK(refusal(typed).find("is not understood: ") != std::string::npos);
  }
  CHECK(refusal("swap:2,2") ==
        "[positions] 'swap:2,2' swaps a position with itself. Hint: name two positions");
  CHECK(refusal("reverse").starts_with(
      "[positions] there is no change 'reverse'. Hint: did you mean 'reversed'?"));

  const auto telling = [](const char* scheme, std::vector<int> layers) {
    return error_of([&] { Transformer(tiny(scheme), five_tokens).tell(change_of("constant", layers)); });
  };
  CHECK(telling("rope", {2}) == "[positions] there is no layer 2. Hint: the layers are 0 to 1");
  CHECK(telling("rope none", {1})
            .starts_with("[positions] 'rope none' looks at no positions in layer 1. Hint: "));
  CHECK(telling("sinusoidal", {0, 1}).ends_with("enter before layer 0: leave --only-layers out"));
  CHECK(telling("sinusoidal+alibi", {0}) == "no error");
  CHECK(
      error_of([] { check_length(parse_position_change("swap:2,7"), 7); }) ==
      "[positions] 'swap:2,7' goes beyond an input that is read as 7 tokens. Hint: its positions are 0 to 6");
  CHECK(error_of([] { check_length(parse_position_change("swap:2,7"), 8); }) == "no error");
  CHECK(error_of([] {
          const ModelSettings gru{.kind = ModelKind::gru, .layers = 1, .d_model = 8};
          make_model(gru, five_tokens)->tell(change_of("constant"));
        }).starts_with("[positions] 'gru' reads one token after another, and is told no positions"));
}

}  // namespace position_change_test
