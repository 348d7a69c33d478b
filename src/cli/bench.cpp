// locus bench: the time of a training step, compared with the peak of this processor.
//
// A step is one of training: draw a batch, forward, backward, clip, AdamW. tests/peers/pytorch_step.py times
// the same step in PyTorch and counts operations in the same way.
#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/machine.h"
#include "base/named.h"
#include "base/pool.h"
#include "base/random.h"
#include "base/size.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/format.h"
#include "model/transformer.h"
#include "tensor/peak.h"
#include "train/trainer.h"

namespace locus::commands::bench {

struct Size {
  std::string name;
  int T, vocabulary, d_model, heads, layers, d_ff, steps;
};

const std::vector<Size> sizes{
    {"S", 16, 16, 32, 2, 2, 128, 400}, {"M", 32, 32, 64, 4, 2, 256, 100}, {"L", 64, 64, 128, 4, 4, 512, 15}};
constexpr int batch = 64;

// A task of any alphabet size: reverse random tokens.
class ReverseAnything : public Task {
 public:
  explicit ReverseAnything(int symbols) {
    name = "bench";
    form = Form::labelling;
    for (int i = 0; i < symbols; ++i) alphabet.push_back(str(i));
  }
  int sample_length(Random&, const LengthRange& range) const override { return range.high; }
  Example sample(Random& random, int length, Split) const override {
    Example reversed;
    reversed.input.reserve(as_size(length));
    for (int i = 0; i < length; ++i)
      reversed.input.push_back(random.below(static_cast<int>(alphabet.size())));
    reversed.target.assign(reversed.input.rbegin(), reversed.input.rend());
    return reversed;
  }
  std::span<const Example> test_set(int, int) const override { return {}; }
  std::optional<Estimate> order_blind_ceiling(int) const override { return {}; }
  std::optional<Estimate> mirror_blind_ceiling(int) const override { return {}; }
  double no_input_baseline(int) const override { return 0; }
};

ModelSettings model_settings(const Size& s) {
  return {.scheme = "sinusoidal", .layers = s.layers, .heads = s.heads, .d_model = s.d_model, .d_ff = s.d_ff};
}

// Floating-point operations of the encoder's matrix products; backward counts as two forwards.
double operations_per_step(const Size& s) {
  return 3 * batch * forward_operations(model_settings(s), {.vocabulary = s.vocabulary}, s.T);
}

// A training run of one size, after five steps to warm up.
class Bench {
 public:
  Bench(const Size& s, Pool& pool)
      : task_(s.vocabulary),
        batcher_(task_, ModelKind::encoder),
        model_(model_settings(s), batcher_.task_shape()),
        trainer_(model_, batcher_, settings(s), pool) {
    for (int step = 0; step < 5; ++step) trainer_.train_step();
  }

  std::vector<double> seconds_of(int steps) {
    std::vector<double> seconds;
    for (int step = 0; step < steps; ++step) {
      const double start = clock_seconds();
      trainer_.train_step();
      seconds.push_back(clock_seconds() - start);
    }
    return seconds;
  }

  Trainer& trainer() { return trainer_; }

 private:
  static TrainSettings settings(const Size& s) {
    TrainSettings settings{
        .steps = 1 << 30, .batch = batch, .lengths = {s.T, s.T}, .stop_when_solved = false};
    settings.optimizer.learning_rate = 1e-3;
    return settings;
  }

  ReverseAnything task_;
  Batcher batcher_;
  Transformer model_;
  Trainer trainer_;
};

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

double peak_of(Pool& pool) {
  std::vector<double> peaks(as_size(pool.threads()));
  pool.run(pool.threads(), [&](int i) { peaks[as_size(i)] = measure_peak_gflops(); });
  return std::reduce(peaks.begin(), peaks.end());
}

std::string percent(double fraction) { return fixed(100 * fraction, 1) + " %"; }

// The time of a step, op by op, on one thread.
void print_profile(const Size& size) {
  Pool pool(1);
  const double before = peak_of(pool);
  Bench bench(size, pool);
  Profile profile;
  bench.trainer().profile(&profile);
  const std::vector<double> seconds = bench.seconds_of(size.steps);
  const double total = std::reduce(seconds.begin(), seconds.end());
  // A processor changes its clock: the peak is the highest speed that was seen.
  double peak = std::max(before, peak_of(pool));
  for (const auto& [op, line] : profile.lines())
    peak = std::max(peak, line.operations / (line.forward + line.backward) / 1e9);
  const double per_step_ms = 1e3 / static_cast<double>(seconds.size());

  using Line = std::pair<const Op*, Profile::Line>;
  std::vector<Line> lines(profile.lines().begin(), profile.lines().end());
  std::ranges::sort(lines, std::greater(),
                    [](const Line& line) { return line.second.forward + line.second.backward; });
  TextTable table(columns({"op"}, {"calls", "forward ms", "backward ms", "share", "MB read, written",
                                   "GFLOP/s", "share of peak"}));
  double rest = total;
  for (const auto& [op, line] : lines) {
    const double time = line.forward + line.backward, gflops = line.operations / time / 1e9;
    rest -= time;
    table.add_row({op->name, fixed(static_cast<double>(line.calls) / static_cast<double>(seconds.size()), 0),
                   fixed(line.forward * per_step_ms, 3), fixed(line.backward * per_step_ms, 3),
                   percent(time / total), fixed(line.bytes * per_step_ms / 1e9, 2),
                   gflops > 0 ? fixed(gflops, 1) : "", gflops > 0 ? percent(gflops / peak) : ""});
  }
  table.add_row({"batch, gradient sum, AdamW", "", "", fixed(rest * per_step_ms, 3), percent(rest / total)});
  const double gflops = operations_per_step(size) * static_cast<double>(seconds.size()) / total / 1e9;
  table.add_rule();
  table.add_row(
      {"step", "", "", fixed(total * per_step_ms, 3), "100 %", "", fixed(gflops, 1), percent(gflops / peak)});
  print(str("size ", size.name, ", one thread; bytes are those of inputs and results in the forward pass\n\n",
            shown(table), "\n"));
}

int run(const Arguments& arguments) {
  const bool json = arguments.given("--json"), profile = arguments.given("--profile");
  if (json && profile) fail_usage("bench", "both --json and --profile are given", "give one of them");
  if (profile) arguments.refuse({"--threads"}, "with --profile");
  std::vector<int> threads = arguments.integers("--threads", 1, most_threads);
  if (threads.empty()) threads = hardware_threads() > 1 ? std::vector{1, hardware_threads()} : std::vector{1};
  const std::vector<std::string> names = arguments.names("--sizes");
  for (const std::string& name : names) get_named("bench", "size", sizes, name, &Size::name);

  TextTable table(columns({"size"}, {"threads", "ms per step", "GFLOP/s", "peak", "share of peak"}));
  for (const Size& size : sizes) {
    if (!names.empty() && !std::ranges::count(names, size.name)) continue;
    if (profile) {
      print_profile(size);
      continue;
    }
    for (const int count : threads) {
      Pool pool(count);
      const double before = peak_of(pool), seconds = median(Bench(size, pool).seconds_of(size.steps));
      const double gflops = operations_per_step(size) / seconds / 1e9,
                   peak = std::max({before, peak_of(pool), gflops});
      if (json) {
        print(to_string(Json(Json::Object{{"size", size.name},
                                          {"threads", count},
                                          {"ms_per_step", seconds * 1e3},
                                          {"gflops", gflops},
                                          {"peak_gflops", peak}})) +
              "\n");
      } else {
        table.add_row({size.name, str(count), fixed(seconds * 1e3, 3), fixed(gflops, 1), fixed(peak, 1),
                       percent(gflops / peak)});
      }
    }
  }
  if (!json && !profile) print(shown(table));
  return 0;
}

const RegisterCommand registered{{
    .name = "bench",
    .summary = "Time a training step, compared with the peak of this machine",
    .usage = "[--json | --profile] [--sizes S,M,L] [--threads A,B]",
    .details =
        R"(Encoders with sinusoidal positions, batch 64. The peak is the speed of as many threads that only
multiply and add, before and after the steps; or of an op, if that was faster still.
  S  T 16, width 32, 2 heads, 2 layers      M  T 32, width 64, 4 heads, 2 layers
  L  T 64, width 128, 4 heads, 4 layers
tests/peers/ times the same step in PyTorch.
)",
    .options = {{"--json", "", "a JSON object per line: size, threads, ms_per_step, gflops, peak_gflops"},
                {"--profile", "", "the time of each op, on one thread"},
                {"--sizes", "S,M,L", "which sizes (all)", true},
                {"--threads", "A,B", "numbers of threads (1 and all)"}},
    .run = run,
}};

}  // namespace locus::commands::bench
