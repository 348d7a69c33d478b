// locus train: one model, from the first step to the last, saved on the way.
#include <algorithm>
#include <cmath>

#include "ablation/results.h"
#include "base/error.h"
#include "base/size.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "draw/charts.h"
#include "io/file.h"
#include "io/format.h"
#include "report/summary_table.h"
#include "report/text_study.h"
#include "tasks/support/table.h"

namespace locus::commands::train {

constexpr int save_every = 250;  // steps

// Checks and completes the settings of a run that goes on from `other`. Another task has lengths of its own.
RunSettings going_on_from(const Checkpoint& from, RunSettings settings, const Arguments& arguments) {
  const RunSettings& other = from.settings;
  if (!arguments.given("--out"))
    fail_usage("train", "--out DIR is missing", "a run that goes on from another has its own folder");
  if (const auto found = difference(settings, other, Compared::fixed_by_training))
    fail_usage("train",
               str(found->first, " is asked for, but the run in ", settings.from, " has ", found->second),
               "leave it out: the model that goes on is the one that was trained");
  if (arguments.given("--task")) settings.dataset.clear();
  require_table(settings.from, settings);
  const Task& task = task_of(settings);
  if (task.alphabet != from.alphabet)
    fail_usage("train",
               str("the tokens of '", task.name, "' are not those of '", other.task,
                   "', on which the run in ", settings.from, " was trained"),
               "go on with a task of the same alphabet");
  const bool same_task = task.fingerprint.empty()
                             ? task.name == other.task
                             : settings.dataset == other.dataset || task.fingerprint == from.table;
  if (!same_task && !arguments.given("--train-lengths")) settings.train.lengths = {};
  if (!same_task && !arguments.given("--test-lengths")) settings.test_lengths.clear();
  return settings;
}

RunSettings asked_for(const Arguments& arguments) {
  const bool goes_on = arguments.given("--from"), task = arguments.given("--task"),
             dataset = arguments.given("--dataset");
  if ((task && dataset) || !(task || dataset || goes_on))
    fail_usage("train", "give either --task NAME or --dataset FILE", "`locus tasks` lists the tasks");
  if (!goes_on) return complete(read_settings(arguments));
  const Checkpoint from = read_checkpoint(arguments.text("--from"));
  RunSettings like = from.settings;
  for (const Setting& setting : all_settings())  // of a model that an ablation kept
    if (setting.role.command == Role::Command::ablate) setting.copy(RunSettings(), like);
  return complete(going_on_from(from, read_settings(arguments, like), arguments));
}

// Starts with the parameters of another run, a new optimizer and the whole schedule.
void start_from(const std::string& folder, const Run& run, Trainer& trainer) {
  Trainer::State state = trainer.state();
  state.parameters = checkpoint_parameters(read_checkpoint(folder), run.model());
  trainer.restore(std::move(state));
}

// Continues the run in `folder` where it stopped, if it is the same run. It may be tested otherwise than before.
void restore(const std::string& folder, const Run& run, Trainer& trainer) {
  const Checkpoint checkpoint = read_checkpoint(folder);
  const std::string& table = run.task().fingerprint;
  RunSettings settings = checkpoint.settings;
  if (!table.empty() && table == checkpoint.table) {  // wherever its file is now
    settings.dataset = run.settings().dataset;
    settings.task = run.settings().task;
  }
  for (const char* option : {"--test-lengths", "--test-examples"})
    find_setting(option).copy(run.settings(), settings);
  if (const auto found = difference(settings, run.settings()))
    fail(folder, str("it holds a run with ", found->first, ", but ", found->second, " is asked for"),
         choose_another_folder);
  if (const std::string change = task_change(checkpoint, run.task()); !change.empty())
    fail(folder, change, choose_another_folder);
  trainer.restore(checkpoint_state(checkpoint, run));
}

void train_to_the_end(const std::string& folder, const Run& run, Trainer& trainer) {
  const int steps = run.settings().train.steps;
  Progress progress("steps", as_size(steps), steps - trainer.step());
  for (int done = 0; done < trainer.step(); ++done) progress.finish();
  const Curve& curve = trainer.state().curve;
  while (trainer.status() == TrainStatus::running) {
    if (interrupted()) {
      save_checkpoint(folder, run, trainer.state());
      fail("train", str("interrupted after step ", trainer.step(), "; saved in ", folder),
           "the same command goes on from there");
    }
    trainer.train_step();
    progress.start();
    progress.advance(1);
    progress.note(str("loss ", fixed(trainer.loss(), 4),
                      curve.step.empty() ? "" : "  " + sparkline({curve}, trainer.step())));
    progress.finish();
    if (trainer.step() % save_every == 0) save_checkpoint(folder, run, trainer.state());
  }
  save_checkpoint(folder, run, trainer.state());
  if (!curve.step.empty())
    progress.print(str("accuracy ", sparkline({curve}, trainer.step()), " up to step ", trainer.step()));
}

// Kept weights that score otherwise than when they were trained: the code they run in is another by now. Throws Error,
// so that their record does not become a mixture.
void require_same_scores(const std::string& folder, const Result& result) {
  if (!file_exists(folder + "/results.jsonl")) return;
  const Result before = read_records({folder}).results.front(), now = read_result(to_json(result), folder);
  for (const LengthScore& was : before.outcome.by_length)
    for (const LengthScore& is : now.outcome.by_length)
      if (was.length == is.length && was.score.examples == is.score.examples)
        if (const double a = was.score.accuracy(before.outcome.generates),
            b = is.score.accuracy(now.outcome.generates);
            a != b)
          fail(folder,
               str("the kept model has an accuracy of ", fixed(b, 3), " at length ", is.length, ", and had ",
                   fixed(a, 3), " when it was trained: the code has changed since"),
               "--fresh trains it again, and keeps this run beside the new one");
}

// The loss beside that of a uniform guess, and the accuracy.
void draw_training(const std::string& path, const Run& run, const Trainer& trainer) {
  const Curve& curve = trainer.state().curve;
  if (curve.step.empty())
    fail("train",
         str("there is no curve to draw: the run diverged before step ", validate_every,
             ", or an older version trained it"),
         "--fresh trains it again");
  const double guess = std::log(run.model().task_shape().vocabulary);
  Series loss, accuracy;
  for (std::size_t i = 0; i < curve.step.size(); ++i) {
    const double step = curve.step[i];
    loss.samples.push_back({step, curve.loss[i]});
    accuracy.samples.push_back({step, curve.accuracy[i]});
  }
  const Series uniform{
      "uniform guess", {{loss.samples.front().x, guess}, {loss.samples.back().x, guess}}, baseline_style()};
  LineChart losses{.title = "loss (running mean)",
                   .x_label = "step",
                   .y_label = "",
                   .series = {uniform, loss},
                   .width = 440,
                   .height = 300},
      accuracies{.title = "accuracy",
                 .x_label = "step",
                 .y_label = "",
                 .series = {accuracy},
                 .y_range = Range{0, 1},
                 .width = 440,
                 .height = 300};
  losses.y_range = Range{0, 1.05 * std::max(guess, std::ranges::max(curve.loss))};
  if (trainer.steps_to_solve() > 0)
    accuracies.vertical_line =
        VerticalLine{static_cast<double>(trainer.steps_to_solve()), in_percent(solved_accuracy) + " % right"};
  const std::string title =
      str(run.settings().model.scheme, " on ", run.task().name, ": ",
          trainer.steps_to_solve() > 0
              ? str(in_percent(solved_accuracy), " % right from step ", trainer.steps_to_solve())
              : str(in_percent(curve.accuracy.back()), " % right after ", with_separators(curve.step.back()),
                    " steps"));
  save(path, svg_document(panels(title, {line_chart(losses), line_chart(accuracies)}, 2)));
}

// Advice after a training, on standard error: what went wrong, and what to try next.
void advise(const std::string& folder, const Run& run, double loss) {
  const RunSettings& settings = run.settings();
  const double guess = std::log(run.model().task_shape().vocabulary);
  if (!(loss < 0.99 * guess))
    complain(str("the model is no better than a uniform guess (", fixed(guess, 3),
                 "): try a smaller --lr, or more --steps"));
  const Task& task = run.task();
  const auto tests = task.test_set(settings.train.lengths.high, 1);
  const bool has_test = task.form != Form::text && !tests.empty(),
             blind = run.model().blindness() == Blindness::order;
  const Setting& source = find_setting(settings.dataset.empty() ? "--task" : "--dataset");
  complain(str("next: `locus ",
               blind ? str("train ", typed(source, settings), " --scheme sinusoidal")
                     : str("ask ", folder.starts_with(runs_folder() + "/") ? "last" : shell_word(folder), ' ',
                           shell_word(spell(task, has_test ? tests[0].input : task.example.input))),
               '`'));
}

int run(const Arguments& arguments) {
  const std::string figure = svg_path(arguments);
  const Run run(asked_for(arguments));
  const RunSettings& settings = run.settings();
  if (!figure.empty() && run.task().form != Form::text && settings.train.steps < validate_every)
    fail_usage("train",
               str("--svg draws the loss every ", validate_every, " steps, and there are ",
                   settings.train.steps, " steps"),
               str("give --steps ", validate_every, " or more"));
  const int threads = read_threads(arguments, "--threads");
  run.require_test_memory(threads);
  Pool pool(threads);
  Trainer trainer(run.model(), run.batcher(), settings.train, pool);
  if (!settings.from.empty()) start_from(settings.from, run, trainer);
  const std::string folder = arguments.text("--out", str(runs_folder(), "/", run_name(settings)));
  set_aside_if_fresh(arguments, folder);
  create_folders(folder);
  const FolderLock lock(folder);
  refuse_foreign_results(folder);
  if (has_checkpoint(folder)) restore(folder, run, trainer);
  const bool kept = trainer.status() != TrainStatus::running;
  if (kept)
    complain(str("already trained",
                 older_than_program(folder + "/model.safetensors") ? ", before this program was built" : "",
                 ", read from ", folder, ": --fresh trains again"));
  watch_for_interrupt();
  train_to_the_end(folder, run, trainer);

  end_when_interrupted("train", str("interrupted while testing; the trained model is saved in ", folder),
                       "the same command tests it");
  const Result result = result_of(run, trainer, test_with_progress(run, trainer.parameters().data(), pool));
  if (kept) require_same_scores(folder, result);
  const Outcome& outcome = result.outcome;
  const std::string warning = outcome.generates ? "" : ceiling_warning(run.task());
  save_results(folder, {result});
  const bool reads_text = run.task().form == Form::text;
  if (!figure.empty() && reads_text)
    save(figure, svg_document(text_figure(str(settings.model.scheme, " on ", settings.task),
                                          outcome.by_length, settings.train.lengths)));
  else if (!figure.empty())
    draw_training(figure, run, trainer);
  print_fitted(str(
      settings.model.scheme, " on ", settings.task, ": ", settings.model.kind, ", ",
      settings.from.empty() ? "" : str("from ", settings.from, ", "), outcome.parameters, " parameters, ",
      outcome.status, " after ", outcome.steps, " steps",
      outcome.steps_to_solve
          ? str(" (", in_percent(solved_accuracy), " % right from step ", *outcome.steps_to_solve, ")")
          : "",
      ", loss ", fixed(outcome.loss, 4), outcome.rows ? str("; at the end ", to_string(*outcome.rows)) : "",
      "\n\n", score_table(outcome.by_length, run), warning.empty() ? "" : str("\n", warning, "\n"),
      "\nsaved in ", folder,
      figure.empty() ? "" : str("; the loss by ", reads_text ? "position" : "step", " is drawn in ", figure),
      "\n"));
  advise(folder, run, outcome.loss);
  return outcome.status == TrainStatus::diverged ? 1 : 0;
}

const RegisterCommand registered{{
    .name = "train",
    .summary = "Train one model and test it at several lengths",
    .usage = "(--task NAME | --dataset FILE | --from DIR) --scheme SPEC [options]",
    .details =
        "The run is saved while it trains; the same command continues it after an interruption.\n"
        "Its loss and accuracy every 50 steps are in results.jsonl, as of an ablation's cell.\n\n"
        "A run ends as one of these:\n"
        "  solved     a validation, every 50 steps on 128 fresh examples, had " +
        in_percent(solved_accuracy) +
        " % of them right; the run goes\n"
        "            on for 150 steps, with --full to its end. A table is solved on rows that are kept from\n"
        "            training and test\n"
        "  memorised  a table: at least " +
        in_percent(memorised_accuracy) +
        " % of the training rows are right, of the rows kept for validation " + in_percent(memorised_gap) +
        "\n"
        "            points fewer\n"
        "  finished   all steps are done, and the task is neither solved nor memorised\n"
        "  diverged   the loss or the gradient was not a finite number, or the loss ended above twice that of a\n"
        "            uniform guess, ln(number of tokens); exit status 1\n"
        "  locus train --task reverse --scheme sinusoidal\n"
        "  locus train --task sort --model decoder --scheme none --test-lengths 12,16,24\n"
        "  locus train --dataset datasets/who_chased_whom.tsv --scheme rope:base=100\n"
        "A text (.txt) is read in windows, by character or word; a decoder predicts the next token, and an\n"
        "encoder those that are hidden from it:\n"
        "  locus train --dataset notes.txt --model decoder --scheme alibi --svg loss.svg\n"
        "  locus train --dataset notes.txt --tokens word --min-count 3 --scheme rope\n"
        "Schemes that act inside attention can differ by layer:\n"
        "  locus train --task sort --layers 4 --scheme-by-layer \"rope none\"\n"
        "An rnn (Elman's) or gru needs no positions: without --scheme it has none. It reads in both "
        "directions, with half\n"
        "of its width each; in generation tasks it reads from left to right and predicts the next "
        "token, like a decoder:\n"
        "  locus train --task previous --model gru\n"
        "--from starts with the parameters of another run, whose scheme must have the same parameters. "
        "All settings that are\n"
        "not given are as in that run; the optimizer and its schedule start again:\n"
        "  locus train --from runs/sort/rope-decoder-seed1 "
        "--scheme rope:base=500 --steps 200 --out runs/longer\n",
    .options = with_settings(
        Role::Command::train, {},
        {{"--scheme-by-layer", "SPECS", "instead of --scheme: \"rope none\", for the layers in turn"},
         {"--out", "DIR",
          "where the run is kept (runs/TASK/SCHEME-MODEL-seedN, and what differs from the defaults)"},
         fresh,
         {"--svg", "FILE", "draw loss and accuracy by step; of a text, the loss by position"},
         {"--threads", "N", "threads (all); the result is the same for any number"}}),
    .run = run,
}};

}  // namespace locus::commands::train
