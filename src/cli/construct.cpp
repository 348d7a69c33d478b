// locus construct: a model whose weights are set by hand, saved as a run.
#include "examine/construct.h"

#include <algorithm>

#include "ablation/results.h"
#include "base/error.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "io/file.h"
#include "io/format.h"

namespace locus::commands::construct {

Construction read_construction(const Arguments& arguments) {
  Construction c{.name = arguments.positional()[0]};
  c.codes = arguments.text("--codes");
  if (c.name == "count" || c.name == "sort")
    arguments.refuse({"--codes", "--sharpness"}, str("on ", c.name, ", whose weights are all 1/T"));
  c.sharpness = arguments.number("--sharpness", c.sharpness, 1e-3, 1e4);
  const RunSettings read = read_settings(arguments);  // of the options that are settings
  c.score_scale = read.model.score_scale;
  if (!read.test_lengths.empty()) c.test_lengths = read.test_lengths;
  if (arguments.given("--test-examples")) c.test_examples = read.test_examples;
  return c;
}

// The loss on the test inputs of the first length, as many at once as Run::require_test_memory counts.
double loss_of(const Run& run, const Reals& parameters) {
  const std::span<const Example> examples = run.task().test_set(run.settings().test_lengths.front(), 64);
  Tape tape(parameters.data());
  double nats = 0, answers = 0;
  for (std::size_t first = 0; first < examples.size(); first += examples_per_draw) {
    const Batch batch =
        run.batcher().batch(examples.subspan(first, std::min(examples_per_draw, examples.size() - first)));
    tape.reset();
    const Tensor logits = run.model().logits(tape, inputs_at_test(tape, batch.tokens, batch.length));
    for (const double one : surprisals(logits.value(), logits.shape().last(), batch.targets)) nats += one;
    answers += static_cast<double>(batch.targets.size());
  }
  return nats / answers;
}

// Throws Error when the folder holds another run.
void require_own_folder(const std::string& folder, const Run& run, const Reals& parameters) {
  refuse_foreign_results(folder);
  if (!has_checkpoint(folder)) return;
  const Checkpoint there = read_checkpoint(folder);
  if (difference(there.settings, run.settings()) || checkpoint_parameters(there, run.model()) != parameters)
    fail(folder, "it holds another run", choose_another_folder);
}

int run(const Arguments& arguments) {
  const Construction construction = read_construction(arguments);
  const Run run(settings_of(construction));
  const Reals parameters = locus::construct(construction, run.model());
  const int threads = hardware_threads();
  run.require_test_memory(threads);
  Pool pool(threads);
  Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
  Trainer::State state = trainer.state();
  state.parameters = parameters;

  const std::string folder = arguments.text("--out", str(runs_folder(), "/constructed/", construction.name));
  set_aside_if_fresh(arguments, folder);
  create_folders(folder);
  const FolderLock lock(folder);
  require_own_folder(folder, run, parameters);
  {
    Progress progress("losses measured", 1, 1);
    state.loss = loss_of(run, parameters);
    progress.finish();
  }
  state.status = TrainStatus::finished;
  trainer.restore(std::move(state));
  save_checkpoint(folder, run, trainer.state());
  const Result result = result_of(run, trainer, test_with_progress(run, parameters.data(), pool));
  save_results(folder, {result});
  const ModelSettings& model = run.settings().model;
  print_fitted(str(construction.name, ", constructed: ", model.scheme, " on ", run.settings().task,
                   ", an encoder of one layer and one head, width ", model.d_model, ", ", parameters.size(),
                   " parameters\n\n", explanation_of(construction), "\n",
                   score_table(result.outcome.by_length, run), "\nsaved in ", folder, "\n"));
  return 0;
}

const RegisterCommand registered{{
    .name = "construct",
    .summary = "Make a model whose weights are set by hand, not trained",
    .usage = "previous|count|sort [--out DIR] [options]",
    .details =
        R"(What each head of such a model does is known exactly, and is said in words. So it shows what a map, a
silenced head, changed positions or a probe look like when one knows the answer. It is saved as a run:
  locus construct previous --out runs/by-hand
  locus attend runs/by-hand --input "3 1 4 1 5"
  locus eval runs/by-hand --positions swap:2,7
  previous  the token before: the query of each position is the code of the one before it
  count     majority: one head averages all tokens, which counts them
  sort      counts how many tokens are not larger than 0, 1, ..., and compares that with the position
How sharp must the softmax be as inputs grow? Where all other keys fit equally badly (--codes onehot), each
of them takes a part of the weight, and there are more of them in longer inputs. --score-scale log multiplies
the scores by ln T; it is as sharp as without at 12 tokens.
  locus construct previous --codes onehot --sharpness 2 --out runs/blunt
  locus construct previous --codes onehot --sharpness 2 --score-scale log --out runs/scaled
)",
    .options = {{"--codes", "NAME", "of positions, for previous: sinusoidal or onehot (sinusoidal)"},
                {"--sharpness", "X", "of previous: the product of query and key is multiplied by X (10)"},
                {"--score-scale", "NAME", "none or log: `locus help train` (none)"},
                {"--test-lengths", "A,B,C", "lengths to test at (12,24,48,96)"},
                {"--test-examples", "N", "test inputs per length (1000)"},
                {"--out", "DIR", "where the run is kept (runs/constructed/NAME)"},
                fresh},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::construct
