#include "lessons/tools/claims.h"

#include <algorithm>

#include "base/error.h"
#include "base/machine.h"
#include "base/pool.h"
#include "io/format.h"
#include "report/attention/attention.h"

namespace locus {

namespace {

constexpr int length = 12, examples = 256, steps = 300;  // with positions, all six are solved before

struct Offsets {
  double before = 0, after = 0;  // training
};

// The largest share of all attention that one offset gets, over all heads.
double largest_share(const std::vector<AttentionMap>& maps) {
  double largest = 0;
  for (const AttentionMap& map : maps) largest = std::max(largest, std::ranges::max(map.share_by_offset()));
  return largest;
}

// The same of a trained model and of its initial parameters.
Offsets offsets_of(const std::string& scheme, int width, int heads, std::uint64_t seed) {
  RunSettings settings;
  settings.task = "previous";
  settings.model.scheme = scheme;
  settings.model.d_model = width;
  settings.model.heads = heads;
  settings.train.seed = seed;
  settings.train.steps = steps;
  settings.test_lengths = {length};
  const Run run(complete(settings));
  Pool pool(hardware_threads());
  Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
  const auto share = [&] {
    return largest_share(mean_attention_maps(transformer_of(run), trainer.parameters().data(), run.batcher(),
                                             run.task().test_set(length, examples)));
  };
  Offsets offsets;
  offsets.before = share();
  while (trainer.train_step() == TrainStatus::running) continue;
  offsets.after = share();
  return offsets;
}

const Settles row_19(19, "holds", [] {
  double before = 0, after = 1, without = 0;
  for (const std::uint64_t seed : {1u, 2u, 3u})
    for (const auto& [width, heads] : {std::pair{32, 2}, {64, 4}}) {
      const Offsets with = offsets_of("sinusoidal", width, heads, seed);
      before = std::max(before, with.before);
      after = std::min(after, with.after);
      without = std::max(without, offsets_of("none", width, heads, seed).after);
    }
  return Evidence{
      after > 0.6 && before < 0.3 && without < 0.3,
      str("previous, sinusoidal, two widths, three seeds: the offset that gets most of a head's attention gets ",
          fixed(before, 2), " of it at most before training and ", fixed(after, 2),
          " at least after; in an encoder without positions ", fixed(without, 2),
          " at most, trained as well")};
});

}  // namespace

}  // namespace locus
