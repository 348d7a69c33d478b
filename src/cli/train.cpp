// locus train: one model, from the first step to the last, saved on the way.
#include <filesystem>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/run_report.h"
#include "report/format.h"
#include "report/progress.h"
#include "train/checkpoint.h"

namespace locus {

namespace {

constexpr int save_every = 250;  // steps

std::string default_folder(const RunSettings& s) {
  return text("runs/", open_task(s.task).name, "/", s.model.scheme, "-", to_string(s.model.kind), "-seed",
              s.train.seed);
}

// Takes up the run in `folder` where it stopped, if there is one and it is the same run.
void restore(const std::string& folder, const Run& run, Trainer& trainer) {
  const Checkpoint checkpoint = read_checkpoint(folder);
  const Json::Object saved = to_json(checkpoint.settings).as_object(folder, "settings");
  const Json wanted = to_json(run.settings());
  for (const auto& [key, value] : saved)
    if (const Json* now = wanted.find(key); !now || *now != value)
      fail(folder,
           text("it holds a run with ", key, " ", to_string(value), ", but ", now ? to_string(*now) : "none",
                " is asked for"),
           "choose another --out, or remove the folder");
  trainer.restore(checkpoint_state(checkpoint, run));
}

// Results without a model are not of such a run, and would be lost.
void refuse_foreign_results(const std::string& folder) {
  std::error_code ignored;
  if (!has_checkpoint(folder) && std::filesystem::exists(folder + "/results.jsonl", ignored))
    fail(folder, "it holds results of something else, and this run would replace them",
         "choose another --out");
}

void train_to_the_end(const std::string& folder, const Run& run, Trainer& trainer) {
  Progress progress("steps", static_cast<std::size_t>(run.settings().train.steps),
                    run.settings().train.steps);
  for (int done = 0; done < trainer.step(); ++done) progress.finish();
  while (trainer.status() == TrainStatus::running) {
    if (interrupted()) {
      save_checkpoint(folder, run, trainer.state());
      fail("train", text("interrupted after step ", trainer.step(), "; saved in ", folder),
           "the same command goes on from there");
    }
    trainer.train_step();
    progress.start();
    progress.advance(1);
    progress.note(text("loss ", fixed(trainer.loss(), 4)));
    progress.finish();
    if (trainer.step() % save_every == 0) save_checkpoint(folder, run, trainer.state());
  }
  save_checkpoint(folder, run, trainer.state());
}

int run(const Arguments& arguments) {
  RunSettings settings = read_run_options(arguments);
  if (arguments.given("--task") == arguments.given("--dataset"))
    fail_usage("train", "give either --task NAME or --dataset FILE.tsv", "`locus tasks` lists the tasks");
  settings.task = arguments.text("--task", arguments.text("--dataset"));
  if (arguments.given("--dataset") && !settings.task.ends_with(".tsv"))
    fail_usage("train", text("--dataset '", settings.task, "' does not end in .tsv"),
               "a toy task is chosen with --task");
  if (!arguments.given("--scheme"))
    fail_usage("train", "--scheme SPEC is missing", "`locus schemes` lists the schemes; none is one of them");
  settings.model.scheme = arguments.text("--scheme");
  settings.train.seed = static_cast<std::uint64_t>(arguments.integer("--seed", 1, 0, 1 << 30));
  settings = complete(settings);

  const Run run(settings);
  Pool pool(read_threads(arguments, "--threads"));
  Trainer trainer(run.model(), run.task(), settings.train, pool);
  const std::string folder = arguments.text("--out", default_folder(settings));
  create_folders(folder);
  const FolderLock lock(folder);
  refuse_foreign_results(folder);
  if (has_checkpoint(folder)) restore(folder, run, trainer);
  watch_for_interrupt();
  train_to_the_end(folder, run, trainer);

  const std::vector<LengthScore> scores = run.test(trainer.parameters().data(), pool);
  write_file_atomically(folder + "/results.jsonl", to_string(result_json(run, trainer, scores)) + "\n");
  print(text(
      settings.model.scheme, " on ", run.task().name, ": ", to_string(settings.model.kind), ", ",
      run.model().parameters().count(), " parameters, ", to_string(trainer.status()), " after ",
      trainer.step(), " steps",
      trainer.steps_to_solve() > 0 ? text(" (99 % right from step ", trainer.steps_to_solve(), ")") : "",
      ", loss ", fixed(trainer.loss(), 4), "\n\n", score_table(run, scores), "\nsaved in ", folder, "\n"));
  return trainer.status() == TrainStatus::diverged ? 1 : 0;
}

const RegisterCommand registered{{
    .name = "train",
    .summary = "Train one model and test it at several lengths",
    .usage = "(--task NAME | --dataset FILE.tsv) --scheme SPEC [options]",
    .details = "The run is saved while it trains; the same command takes it up again after an interruption.\n"
               "  locus train --task reverse --scheme sinusoidal\n"
               "  locus train --task sort --model decoder --scheme none --test-lengths 12,16,24\n"
               "  locus train --dataset datasets/who_chased_whom.tsv --scheme rope:base=100\n",
    .options = with_run_options({{"--task", "NAME", "a toy task: `locus tasks`"},
                                 {"--dataset", "FILE.tsv", "a table of examples: datasets/README.md"},
                                 {"--scheme", "SPEC", "a positional scheme: `locus schemes`"},
                                 {"--seed", "N", "of the initial parameters and the training data (1)"},
                                 {"--out", "DIR", "where the run is kept (runs/TASK/SCHEME-MODEL-seedN)"},
                                 {"--threads", "N", "threads (all); the result is the same for any number"}}),
    .run = run,
}};

}  // namespace

}  // namespace locus
