// locus train: one model, from the first step to the last, saved on the way.
#include <algorithm>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "cli/run_report.h"
#include "report/format.h"
#include "report/progress.h"
#include "train/checkpoint.h"

namespace locus::commands::train {

constexpr int save_every = 250;  // steps

std::string default_folder(const RunSettings& s) {
  std::string scheme = s.model.scheme;
  std::ranges::replace(scheme, ' ', '_');  // schemes by layer
  std::ranges::replace(scheme, '/', '_');  // numbers of a list: one folder, not one in another
  return text(runs_folder(), "/", open_task(s.task).name, "/", scheme, "-", s.model.kind, "-seed",
              s.train.seed);
}

// The settings of the run in `from`, and what is given besides. Another task brings lengths of its own.
RunSettings settings_like(const std::string& from, const std::string& task, const Arguments& arguments) {
  RunSettings like = read_checkpoint(from).settings;
  const Json trained = to_json(like);
  if (!task.empty() && task != like.task) {
    const Task &was = open_task(like.task), &now = open_task(task);
    if (now.alphabet != was.alphabet)
      fail_usage("train",
                 text("the tokens of '", now.name, "' are not those of '", was.name,
                      "', on which the run in ", from, " was trained"),
                 "go on with a task of the same alphabet");
    like.train.lengths = {};
    like.test_lengths.clear();
  }
  const RunSettings settings = read_run_options(arguments, like);
  const Json asked = to_json(settings);
  for (const char* size : {"model", "layers", "heads", "d_model", "d_ff"})
    if (const Json& was = *trained.find(size), &now = *asked.find(size); now != was)
      fail_usage(
          "train",
          text(size, " ", to_string(now), " is asked for, but the run in ", from, " has ", to_string(was)),
          "leave it out: the model that goes on is the one that was trained");
  return settings;
}

// What is asked for: a new run, or one that goes on from another.
RunSettings read_settings(const Arguments& arguments) {
  const std::string from = arguments.text("--from"),
                    task = arguments.text("--task", arguments.text("--dataset")),
                    scheme = read_scheme(arguments);
  const bool both = arguments.given("--task") && arguments.given("--dataset");
  if (both || (task.empty() && from.empty()))
    fail_usage("train", "give either --task NAME or --dataset FILE.tsv", "`locus tasks` lists the tasks");
  if (arguments.given("--dataset") && !task.ends_with(".tsv"))
    fail_usage("train", text("--dataset '", task, "' does not end in .tsv"),
               "a toy task is chosen with --task");
  if (scheme.empty() && from.empty())
    fail_usage("train", "--scheme SPEC is missing", "`locus schemes` lists the schemes; none is one of them");
  if (!from.empty() && !arguments.given("--out"))
    fail_usage("train", "--out DIR is missing", "a run that goes on from another has a folder of its own");

  RunSettings settings = from.empty() ? read_run_options(arguments) : settings_like(from, task, arguments);
  settings.from = from;
  if (!task.empty()) settings.task = task;
  if (!scheme.empty()) settings.model.scheme = scheme;
  if (arguments.given("--seed"))
    settings.train.seed = static_cast<std::uint64_t>(arguments.integer("--seed", 1, 0, 1 << 30));
  return complete(settings);
}

// The parameters of another run, with a fresh optimizer and the whole schedule to come.
void go_on_from(const std::string& from, const Run& run, Trainer& trainer) {
  Trainer::State state = trainer.state();
  state.parameters = checkpoint_parameters(read_checkpoint(from), run.model());
  trainer.restore(std::move(state));
}

// Takes up the run in `folder` where it stopped, if it is the same run.
void restore(const std::string& folder, const Run& run, Trainer& trainer) {
  const Checkpoint checkpoint = read_checkpoint(folder);
  const Json saved = to_json(checkpoint.settings), wanted = to_json(run.settings());
  const auto value = [](const Json& settings, std::string_view key) {
    const Json* found = settings.find(key);
    return found ? to_string(*found) : "none";
  };
  for (const Json& settings : {saved, wanted})
    for (const auto& [key, _] : settings.as_object(folder, "settings"))
      if (const std::string was = value(saved, key), now = value(wanted, key); was != now)
        fail(folder, text("it holds a run with ", key, " ", was, ", but ", now, " is asked for"),
             "choose another --out, or remove the folder");
  trainer.restore(checkpoint_state(checkpoint, run));
}

// Results without a model are not of such a run, and would be lost.
void refuse_foreign_results(const std::string& folder) {
  if (!has_checkpoint(folder) && file_exists(folder + "/results.jsonl"))
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
  const RunSettings settings = read_settings(arguments);
  const Run run(settings);
  Pool pool(read_threads(arguments, "--threads"));
  Trainer trainer(run.model(), run.task(), settings.train, pool);
  if (!settings.from.empty()) go_on_from(settings.from, run, trainer);
  const std::string folder = arguments.text("--out", default_folder(settings));
  create_folders(folder);
  const FolderLock lock(folder);
  refuse_foreign_results(folder);
  if (has_checkpoint(folder)) restore(folder, run, trainer);
  watch_for_interrupt();
  train_to_the_end(folder, run, trainer);

  const std::vector<LengthScore> scores = run.test(trainer.parameters().data(), pool);
  write_file_atomically(folder + "/results.jsonl", to_string(result_json(run, trainer, scores)) + "\n");
  print(
      text(settings.model.scheme, " on ", run.task().name, ": ", settings.model.kind, ", ",
           settings.from.empty() ? "" : text("from ", settings.from, ", "), run.model().parameters().count(),
           " parameters, ", to_string(trainer.status()), " after ", trainer.step(), " steps",
           trainer.steps_to_solve() > 0 ? text(" (99 % right from step ", trainer.steps_to_solve(), ")") : "",
           ", loss ", fixed(trainer.loss(), 4), "\n\n", score_table(scores), "\nsaved in ", folder, "\n"));
  return trainer.status() == TrainStatus::diverged ? 1 : 0;
}

const RegisterCommand registered{{
    .name = "train",
    .summary = "Train one model and test it at several lengths",
    .usage = "(--task NAME | --dataset FILE.tsv | --from DIR) --scheme SPEC [options]",
    .details = "The run is saved while it trains; the same command takes it up again after an interruption.\n"
               "  locus train --task reverse --scheme sinusoidal\n"
               "  locus train --task sort --model decoder --scheme none --test-lengths 12,16,24\n"
               "  locus train --dataset datasets/who_chased_whom.tsv --scheme rope:base=100\n"
               "Schemes that enter inside attention can take the layers in turn:\n"
               "  locus train --task sort --layers 4 --scheme-by-layer \"rope none\"\n"
               "An rnn (Elman's) or gru needs no positions. It reads both ways, half of its width each; in "
               "tasks of the form\n"
               "generation from left to right, predicting the next token as a decoder does:\n"
               "  locus train --task previous --model gru --scheme none\n"
               "--from goes on with the parameters of another run, under a scheme that has the same ones; "
               "all that is not given\n"
               "is as in that run, and the optimizer and its schedule begin anew:\n"
               "  locus train --from runs/sort/rope-decoder-seed1 --scheme rope:base=500 --steps 200 --out "
               "runs/longer\n",
    .options = with_run_options(
        {{"--task", "NAME", "a toy task: `locus tasks`"},
         {"--dataset", "FILE.tsv", "a table of examples: datasets/README.md"},
         {"--from", "DIR", "a trained run to go on from"},
         {"--scheme", "SPEC", "a positional scheme: `locus schemes`"},
         {"--scheme-by-layer", "SPECS", "\"rope none\": one after the other, layer by layer"},
         {"--seed", "N", "of the initial parameters and the training data (1)"},
         {"--out", "DIR", "where the run is kept (runs/TASK/SCHEME-MODEL-seedN)"},
         {"--threads", "N", "threads (all); the result is the same for any number"}}),
    .run = run,
}};

}  // namespace locus::commands::train
