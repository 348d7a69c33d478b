// The whole model against PyTorch: same parameters and tokens, then equal logits, loss and gradients for
// every case in tests/golden/pytorch_*.json. The numbers there are float64, so the float build is held to
// 1e-5 and the double to 1e-9.
#include <doctest/doctest.h>

#include <algorithm>

#include "../golden/golden.h"
#include "autograd/ops.h"
#include "model/model.h"

namespace pytorch_golden_test {

using namespace locus;

namespace {

constexpr double tolerance = sizeof(Real) == 8 ? 1e-9 : 1e-5;

std::string compare(const Real* ours, std::size_t count, const Json& theirs) {
  return difference({ours, ours + count}, numbers(theirs), tolerance);
}

// A transformer's file is of one kind and one set of tokens; a recurrent case has its own.
const Json& member(const Json& file, const Json& one_case, const char* key) {
  return one_case.find(key) ? *one_case.find(key) : file.member(key, "golden");
}

std::unique_ptr<Model> model_of(const Json& file, const Json& one_case) {
  const std::string where = "golden";
  auto size = [&](const char* key) { return static_cast<int>(file.integer(key, where)); };
  ModelSettings settings{.kind = parse_model_kind(member(file, one_case, "model").as_string(where, "model")),
                         .scheme = one_case.string("scheme", where),
                         .layers = size("layers"),
                         .d_model = size("d_model")};
  TaskShape task{.vocabulary = size("vocabulary"), .pooled = one_case.boolean("pooled", where)};
  if (is_recurrent(settings.kind)) {
    task.generates = one_case.boolean("generates", where);
  } else {
    settings.heads = size("heads");
    settings.d_ff = size("d_ff");
  }
  return make_model(settings, task);
}

// The model's flat vector, each parameter from the file by its name; the file may hold none that the model
// lacks.
Reals fill_parameters(const ParameterTable& table, const Json& file, const Json& one_case) {
  const Json &shared = file.member("parameters", "golden"), &own = one_case.member("parameters", "golden");
  Reals values(table.count());
  for (const ParameterTable::Entry& entry : table.entries()) {
    CAPTURE(entry.name);
    const Json* stored = own.find(entry.name) ? own.find(entry.name) : shared.find(entry.name);
    REQUIRE(stored != nullptr);
    Shape shape;
    for (const int size : integers(stored->member("shape", entry.name))) shape = shape.with_axis(size);
    REQUIRE(to_string(shape) == to_string(entry.where.shape));
    const std::vector<double> theirs = numbers(stored->member("values", entry.name));
    REQUIRE(theirs.size() == shape.count());
    std::ranges::transform(theirs, values.begin() + static_cast<std::ptrdiff_t>(entry.where.offset),
                           [](double value) { return static_cast<Real>(value); });
  }
  auto count = [](const Json& parameters) { return parameters.as_object("golden", "parameters").size(); };
  CHECK(count(shared) + count(own) == table.entries().size());
  return values;
}

void check_case(const Json& file, const Json& one_case) {
  const std::unique_ptr<Model> model = model_of(file, one_case);
  CAPTURE(to_string(model->settings().kind));
  CAPTURE(to_string(model->settings().scheme));
  const Reals parameters = fill_parameters(model->parameters(), file, one_case);
  Reals gradients(parameters.size());

  const int length = static_cast<int>(file.integer("length", "golden"));
  const std::vector<int> tokens = integers(member(file, one_case, "tokens"));
  const std::vector<int> targets = integers(one_case, "targets");
  const std::vector<double> places = numbers(one_case, "positions");
  const auto scored =
      static_cast<Real>(std::ranges::count_if(targets, [](int target) { return target != not_scored; }));

  Tape tape(parameters.data(), gradients.data());
  const Positions positions{static_cast<int>(places.size()) / length, length, places.data()};
  const Tensor logits = model->logits(tape, {tokens, length, positions});
  const Tensor loss = cross_entropy(logits, targets, scored);
  tape.backward(loss);

  CHECK(compare(logits.value(), logits.count(), one_case.member("logits", "golden")) == "");
  CHECK(compare(loss.value(), 1, one_case.member("loss", "golden")) == "");
  for (const auto& entry : model->parameters().entries()) {
    CAPTURE(entry.name);
    const Json& theirs = one_case.member("gradients", "golden").member(entry.name, "golden");
    const auto& [shape, offset] = entry.where;
    CHECK(compare(gradients.data() + offset, shape.count(), theirs) == "");
  }
}

void check_file(const std::string& name) {
  const Json file = read_golden(name);
  const Json::Array& cases = file.array("cases", name);
  REQUIRE(!cases.empty());
  for (const Json& one_case : cases) check_case(file, one_case);
}

}  // namespace

TEST_CASE("encoder: logits, loss and every gradient are PyTorch's, scheme by scheme") {
  check_file("pytorch_encoder.json");
}

TEST_CASE("decoder: logits, loss and every gradient are PyTorch's, scheme by scheme") {
  check_file("pytorch_decoder.json");
}

TEST_CASE("recurrent: logits, loss and every gradient are those of PyTorch's RNN and GRU") {
  check_file("pytorch_recurrent.json");
}

}  // namespace pytorch_golden_test
