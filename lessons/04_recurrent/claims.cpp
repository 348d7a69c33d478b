#include "lessons/tools/claims.h"

#include <algorithm>

#include "base/error.h"
#include "io/format.h"
#include "train/run.h"

namespace locus {

namespace {

constexpr int trained_at = 12;

// Of three seeds at two widths: the lowest accuracy at the trained length and at twice that, and the order-blind
// ceiling at the trained length.
struct Lowest {
  double trained = 1, longer = 1, ceiling = 0;
};
Lowest lowest(const char* task, ModelKind kind) {
  Lowest out;
  Pool pool(hardware_threads());
  for (const int width : {16, 32})
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
      RunSettings settings;
      settings.task = task;
      settings.model.kind = kind;
      settings.model.scheme = "none";
      settings.model.d_model = width;
      settings.train.seed = seed;
      settings.train.lengths = {trained_at, trained_at};
      settings.test_lengths = {trained_at, 2 * trained_at};
      settings.test_examples = 500;
      const Run run(complete(settings));
      Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
      while (trainer.train_step() == TrainStatus::running) continue;
      const auto scores = run.test(trainer.parameters().data(), pool);
      out.trained = std::min(out.trained, scores[0].score.token_accuracy);
      out.longer = std::min(out.longer, scores[1].score.token_accuracy);
      out.ceiling = *scores[0].order_blind_ceiling;
    }
  return out;
}

const Settles row_8(8, "holds: their states depend on the order", [] {
  bool supports = true;
  std::string words =
      "without positions, the lowest of three seeds at widths 16 and 32, at 12 and at 24 tokens: ";
  for (const char* task : {"before", "previous"})
    for (const ModelKind kind : {ModelKind::rnn, ModelKind::gru}) {
      const Lowest found = lowest(task, kind);
      supports &= found.trained > 0.95 && found.trained > found.ceiling + 0.2;
      words += str(task, " with ", kind, ' ', fixed(found.trained, 2), " and ", fixed(found.longer, 2),
                   " (blind ", fixed(found.ceiling, 2), "); ");
    }
  words += "the costs are in chapter 4";
  return Evidence{supports, words};
});

}  // namespace

}  // namespace locus
