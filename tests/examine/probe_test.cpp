#include "examine/probe.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "../support/errors.h"
#include "../support/tiny_run.h"
#include "examine/construct.h"

using namespace locus;

namespace {

const ProbeInputs several{{6, 8, 10, 12}, 128};

double at(const std::vector<ProbeScores>& scores, std::size_t place, ProbeTarget target) {
  return scores[place][static_cast<std::size_t>(target)];
}

Run run_of(const std::string& scheme, ModelKind kind = ModelKind::encoder) {
  RunSettings settings = tiny_settings("sort", scheme, kind);
  settings.model.d_model = 16;
  settings.test_lengths = {12};
  return Run(complete(settings));
}

std::vector<ProbeScores> probe_initial(const Run& run, const ProbeInputs& inputs = several) {
  return probe(run, run.model().parameters().sample(1).data(), inputs);
}

}  // namespace

TEST_CASE("probe: targets of a token") {
  CHECK(targets_of(0, 4) == std::array{0.0, 3.0, 1.5});
  CHECK(targets_of(2, 5) == std::array{2.0, 2.0, 0.0});
}

TEST_CASE("probe: an encoder without positions shows none, anywhere") {
  const Run run = run_of("none");
  const auto scores = probe_initial(run);
  REQUIRE(scores.size() == probe_places(run).size());
  for (const ProbeScores& place : scores)
    for (const double score : place) CHECK(std::abs(score) < 0.1);
}

TEST_CASE("probe: the plain index is recovered exactly, and the distance from the end is another thing") {
  const auto scores = probe_initial(run_of("index"));
  CHECK(at(scores, 0, ProbeTarget::position) > 0.999);
  CHECK(at(scores, 0, ProbeTarget::from_end) < 0.7);
  const auto one_length = probe_initial(run_of("index"), {{12}, 128});
  CHECK(at(one_length, 0, ProbeTarget::from_end) > 0.999);
}

TEST_CASE(
    "probe: symmetric ALiBi shows the distance from the centre, and nothing of the position but the length") {
  RunSettings settings = tiny_settings("sort", "alibi", ModelKind::encoder, 1000);
  settings.model.layers = 2;
  settings.model.heads = 8;
  settings.model.d_model = 32;
  settings.model.d_ff = 128;
  settings.train.batch = 32;
  settings.train.lengths = {12, 12};
  settings.test_lengths = {12};
  settings.train.optimizer.learning_rate = 0.01;
  Training training(complete(settings));
  training.to_the_end();  // initial weights hardly show it
  const auto scores = probe(training.run, training.trainer.parameters().data(), several);
  const ProbeScores by_length = told_by_length(training.run, several);
  double centre = 0;
  for (const ProbeScores& place : scores) {
    CHECK(place[0] < by_length[0]);
    CHECK(place[1] < by_length[1]);
    centre = std::max(centre, place[2]);
  }
  CHECK(centre > 0.3);
}

TEST_CASE("probe: of the length alone, R^2 is the share of the variance between lengths") {
  // Positions 0 to 2 and 0 to 4: their means are 1 and 2, of all 13/8. Between the lengths there is a variance of
  // (3 (5/8)^2 + 5 (3/8)^2) / 8 = 15/64, in all 35/8 - (13/8)^2 = 111/64.
  const ProbeScores told = told_by_length(run_of("none"), {{3, 5}, 64});
  CHECK(told[0] == doctest::Approx(15.0 / 111).epsilon(1e-3));
  CHECK(told[0] == doctest::Approx(told[1]));
}

TEST_CASE("probe: of constructed models it finds what was put there") {
  Construction c{.name = "previous", .test_lengths = {12}, .test_examples = 64};
  const Run previous(settings_of(c));
  const auto scores = probe(previous, construct(c, previous.model()).data(), several);
  CHECK(at(scores, 0, ProbeTarget::position) > 0.999);  // the slower clocks are nearly straight lines
  CHECK(at(scores, 2, ProbeTarget::position) > 0.999);
  c.name = "count";
  const Run count(settings_of(c));
  for (const ProbeScores& place : probe(count, construct(c, count.model()).data(), several))
    for (const double score : place) CHECK(std::abs(score) < 0.1);
}

TEST_CASE("probe: permuted weights are the same numbers, tensor by tensor, in another order") {
  const Run run = run_of("learned");
  const Reals parameters = run.model().parameters().sample(1),
              permuted = permuted_weights(run.model(), parameters, 1);
  CHECK(permuted == permuted_weights(run.model(), parameters, 1));
  CHECK(permuted != permuted_weights(run.model(), parameters, 2));
  for (const ParameterTable::Entry& entry : run.model().parameters().entries()) {
    const Parameter& where = entry.where;
    CAPTURE(entry.name);
    const auto sorted = [&, begin = static_cast<std::ptrdiff_t>(where.offset),
                         size = static_cast<std::ptrdiff_t>(where.shape.count())](const Reals& of) {
      Reals tensor(of.begin() + begin, of.begin() + begin + size);
      std::ranges::sort(tensor);
      return tensor;
    };
    CHECK(sorted(parameters) == sorted(permuted));
  }
}

TEST_CASE("probe: decoders are probed over all that they read") {
  const Run run = run_of("none", ModelKind::decoder);
  const auto scores = probe_initial(run);
  CHECK(scores.size() == 3);
  CHECK(at(scores, 0, ProbeTarget::position) > 0.1);  // BOS is first, SEP and the answer come last
}

TEST_CASE("probe: what cannot be probed is refused") {
  const Run rnn = run_of("none", ModelKind::rnn);
  CHECK(
      error_of([&] { probe_initial(rnn); }) ==
      "[probe] the model is a rnn, which reads in order and is told no positions. Hint: probe an encoder or a "
      "decoder");
  const Run few = run_of("learned:capacity=12");
  CHECK(error_of([&] {
          probe_initial(few, {{13}, 8});
        }) == "[probe] the model would read 13 tokens; the most is 12. Hint: choose shorter --lengths");
  Reals broken = few.model().parameters().sample(1);
  broken.back() = std::numeric_limits<Real>::infinity();  // of the last table of positions
  CHECK(error_of([&] {
          probe(few, broken.data(), several);
        }).starts_with("[probe] the model computes NaN or infinity"));
}

TEST_CASE("probe: the usual lengths are several, and exist") {
  CHECK(usual_probe_lengths(Run(complete([] {
          RunSettings settings;
          settings.task = "reverse";
          settings.model.scheme = "none";
          return settings;
        }()))) == std::vector{6, 8, 10, 12});
}
