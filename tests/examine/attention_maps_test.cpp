#include "examine/attention_maps.h"

#include <doctest/doctest.h>

#include <cmath>
#include <numeric>

#include "../support/errors.h"
#include "../support/tiny_run.h"
#include "tasks/support/registry.h"
#include "train/evaluate.h"

using namespace locus;

namespace {

// An encoder of two heads whose every parameter is set by hand. A position's code is a channel of its own,
// and no token is told from another.
struct HandBuilt {
  static constexpr int T = 8, D = 16;
  Transformer model{{.scheme = "onehot:capacity=8", .layers = 1, .heads = 2, .d_model = D, .d_ff = 4},
                    {.vocabulary = 3}};
  Reals parameters = Reals(model.parameters().count());

  Real& at(std::string_view name, int row, int column) {
    for (const auto& entry : model.parameters().entries())
      if (entry.name == name)
        return parameters[entry.where.offset +
                          static_cast<std::size_t>(row * entry.where.shape.last() + column)];
    throw std::logic_error("no parameter of this name");
  }

  HandBuilt() {
    for (int channel = 0; channel < D; ++channel) at("layer0.attention_norm.gain", 0, channel) = 1;
    for (int p = 0; p < T; ++p) {
      at("position.rows", p, p) = 1;
      // Head 0, channels 0 to 7: a key says where it stands, a query asks for the place before its own.
      at("layer0.attention.key.weight", p, p) = 1;
      if (p > 0) at("layer0.attention.query.weight", p, p - 1) = 1e4f;
      // Head 1, channels 8 to 15, asks for nothing: all its scores are 0.
      at("layer0.attention.key.weight", p, 8 + p) = 1;
    }
  }

  std::vector<AttentionMap> maps() const {
    const std::vector<int> tokens{2, 0, 1, 1, 0, 2, 2, 1};
    return attention_maps(model, parameters.data(), tokens);
  }
};

}  // namespace

TEST_CASE("attention: a layer of the delta rule has no heads to show") {
  ModelSettings settings{
      .kind = ModelKind::decoder, .scheme = "none", .layers = 4, .heads = 2, .d_model = 8, .d_ff = 6};
  settings.mixer_by_layer = "delta attention";
  CHECK(all_heads(settings).size() == 4);  // of layers 1 and 3
  CHECK(all_heads(settings).front().layer == 1);
  settings.mixer_by_layer = "delta";
  CHECK(error_of([&] { all_heads(settings); }).starts_with("[attend] no layer of this model has attention"));
}

TEST_CASE("attention maps: a hand-built head that looks at the token before is recovered exactly") {
  const AttentionMap map = HandBuilt().maps()[0];
  REQUIRE(map.head == Head{0, 0});
  for (int query = 1; query < HandBuilt::T; ++query)
    for (int key = 0; key < HandBuilt::T; ++key)
      CHECK(map.weights[static_cast<std::size_t>(query * HandBuilt::T + key)] == (key == query - 1 ? 1 : 0));
  CHECK(map.entropy == 0);
  const std::vector<double> shares = map.share_by_offset();
  CHECK(shares[HandBuilt::T - 1 - 1] == 7.0 / 8);  // the first token has none before it
  CHECK(std::accumulate(shares.begin(), shares.end(), 0.0) == 1);
}

TEST_CASE("attention maps: a hand-built uniform head is recovered exactly") {
  const AttentionMap map = HandBuilt().maps()[1];
  REQUIRE(map.head == Head{0, 1});
  for (const double weight : map.weights) CHECK(weight == 1.0 / 8);
  CHECK(map.entropy == 3);
  CHECK(map.highest_entropy() == 3);
  const std::vector<double> shares = map.share_by_offset();
  for (int offset = -7; offset <= 7; ++offset)
    CHECK(shares[static_cast<std::size_t>(offset + 7)] == (8 - std::abs(offset)) / 64.0);
}

TEST_CASE(
    "attention maps: the mean over examples is that of their maps, and rows add up to 1, in all tasks that "
    "generate") {
  for (const Task* task : all_tasks()) {
    if (task->form != Form::generation) continue;
    CAPTURE(task->name);
    RunSettings settings;
    settings.task = task->name;
    settings.model.kind = ModelKind::decoder;
    settings.model.scheme = "learned";
    settings = complete(settings);
    const Run run(settings);
    const auto& model = dynamic_cast<const Transformer&>(run.model());
    const Reals parameters = model.parameters().sample(1);
    const auto examples = run.task().test_set(settings.test_lengths[0], 5);
    const auto maps = mean_attention_maps(model, parameters.data(), run.batcher(), examples);
    REQUIRE(maps.size() == all_heads(model.settings()).size());
    for (const AttentionMap& map : maps) {
      CHECK(map.entropy > 0);
      CHECK(map.entropy <= map.highest_entropy() + 1e-6);
      for (int query = 0; query < map.length; ++query) {
        const auto row = map.weights.begin() + query * map.length;
        CHECK(std::accumulate(row, row + map.length, 0.0) == doctest::Approx(1).epsilon(1e-5));
        CHECK(std::accumulate(row + query + 1, row + map.length, 0.0) == 0);  // no key after the query
      }
    }
    double sum = 0;  // of the first query, which all examples have
    for (const Example& example : examples)
      sum += attention_maps(model, parameters.data(), run.batcher().batch({&example, 1}).tokens,
                            run.batcher().first_answer(static_cast<int>(example.input.size())))[0]
                 .weights[0];
    CHECK(maps[0].weights[0] == doctest::Approx(sum / static_cast<double>(examples.size())));
  }
}

TEST_CASE("silenced: a model whose heads are all silent answers as one that values nothing") {
  const Run run(tiny_settings("before", "rope"));
  const auto& model = dynamic_cast<const Transformer&>(run.model());
  const Tokens input = run.task().test_set(6, 1)[0].input;
  auto logits = [&](const Reals& parameters) {
    Tape tape(parameters.data());
    const Tensor out = model.logits(tape, inputs_at_test(tape, input, 6));
    return Reals(out.value(), out.value() + out.count());
  };
  const Reals whole = model.parameters().sample(1);
  Reals silent = whole, valueless = whole;
  for (const Head head : all_heads(model.settings())) {
    model.silence(silent, head.layer, head.head);
    CHECK(logits(silent) != logits(whole));
  }
  for (const auto& entry : model.parameters().entries())
    if (entry.name.find("attention.value") != std::string::npos)
      std::fill_n(valueless.begin() + static_cast<std::ptrdiff_t>(entry.where.offset),
                  entry.where.shape.count(), Real{0});
  CHECK(logits(silent) == logits(valueless));
}

TEST_CASE("heads are named by layer and head") {
  const ModelSettings settings{.layers = 2, .heads = 3};
  CHECK(parse_head("1.2", settings) == Head{1, 2});
  CHECK(error_of([&] { parse_head("2.0", settings); }) ==
        "[head] there is no head '2.0'. Hint: LAYER.HEAD, from 0.0 to 1.2");
  CHECK(to_string(Head{1, 2}) == "1.2");
}
