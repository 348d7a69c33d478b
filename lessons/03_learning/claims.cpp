#include "lessons/tools/claims.h"

#include <algorithm>
#include <map>

#include "base/error.h"
#include "io/file.h"
#include "io/format.h"
#include "io/json.h"
#include "train/run.h"

namespace locus {

namespace {

constexpr int lengths[] = {12, 24};

// The accuracies of three seeds at the length that was trained, and the ceiling there. Each is trained once.
struct Seeds {
  double least = 1, most = 0, ceiling = 0;
};
const Seeds& trained(const std::string& task, const std::string& scheme, int length) {
  static std::map<std::string, Seeds> all;
  const auto [entry, is_new] = all.try_emplace(text(task, ' ', scheme, ' ', length));
  Seeds& seeds = entry->second;
  for (std::uint64_t seed = 1; seed <= 3 && is_new; ++seed) {
    RunSettings settings;
    settings.task = task;
    settings.model.scheme = scheme;
    settings.train.seed = seed;
    settings.train.lengths = {length, length};
    settings.test_lengths = {length};
    settings.test_examples = 2000;
    const Run run(complete(settings));
    Pool pool(hardware_threads());
    Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
    while (trainer.train_step() == TrainStatus::running) continue;
    const LengthScore score = run.test(trainer.parameters().data(), pool).front();
    seeds.least = std::min(seeds.least, score.score.token_accuracy);
    seeds.most = std::max(seeds.most, score.score.token_accuracy);
    seeds.ceiling = score.order_blind_ceiling.value();
  }
  return seeds;
}

std::string range(const Seeds& seeds) { return text(fixed(seeds.least, 2), " to ", fixed(seeds.most, 2)); }

const Settles row_17(17, "holds", [] {
  bool supports = true;
  std::vector<std::string> words;
  for (const int length : lengths) {
    for (const char* task : {"before", "previous"}) {
      const Seeds& seeds = trained(task, "none", length);
      supports &= seeds.ceiling < 0.9 && seeds.most < seeds.ceiling + 0.03;
      words.push_back(
          text(task, " at ", length, ' ', range(seeds), " (ceiling ", fixed(seeds.ceiling, 2), ')'));
    }
    const Seeds& bag = trained("majority", "none", length);
    supports &= bag.least > 0.97;
    words.push_back(text("majority at ", length, ' ', range(bag)));
  }
  return Evidence{supports, text("right without positions, three seeds: ", join(words, ", "),
                                 "; lessons/results has five seeds of six tasks")};
});

// Of the recorded decoders: exact match on `sort`, the mean over seeds and lengths from `low` to `high`.
double sorted_by_decoder(const std::string& scheme, int low, int high) {
  const std::string path = "lessons/results/decoder/results.jsonl";
  double sum = 0, count = 0;
  for (const std::string& line : split(read_file(path), '\n')) {
    if (line.empty()) continue;
    const Json cell = parse_json(line, path);
    if (cell.string("task", path) != "sort" || cell.string("scheme", path) != scheme) continue;
    for (const Json& entry : cell.array("by_length", path)) {
      const double length = entry.number("length", path);
      if (length < low || length > high) continue;
      sum += entry.number("exact_match", path);
      ++count;
    }
  }
  return sum / count;
}

const Settles row_18(
    18, "holds for encoders; a decoder sorts without positions, and longer inputs better so than with them",
    [] {
      bool supports = true;
      std::vector<std::string> words;
      for (const int length : lengths)
        for (const char* task : {"before", "previous"}) {
          const double lost = trained(task, "sinusoidal", length).least - trained(task, "none", length).most;
          supports &= lost > 0.3;
          words.push_back(text(fixed(lost, 2), " on ", task, " at ", length));
        }
      const double none = sorted_by_decoder("none", 12, 12), none_longer = sorted_by_decoder("none", 13, 24),
                   longer = sorted_by_decoder("sinusoidal", 13, 24);
      supports &= none > 0.99 && none_longer > longer + 0.5;
      return Evidence{supports,
                      text("an encoder without positions loses against sinusoids, worst seed against best "
                           "of three, ",
                           join(words, ", "), "; a decoder without them, five seeds, sorts ", fixed(none, 2),
                           " of inputs of 12 and ", fixed(none_longer, 2), " of 13 to 24 tokens (sinusoidal ",
                           fixed(longer, 2), " there)")};
    });

}  // namespace

}  // namespace locus
