#include "cli/runs.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <numeric>

#include "base/error.h"
#include "base/machine.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/format.h"

namespace locus {

namespace {

const std::string lesson_runs = "runs/lessons";

std::string name_of_program() { return program_name.substr(program_name.rfind('/') + 1); }

// "10" of build/locus-10, else "": locus-thread belongs to no chapter.
std::string chapter_of_program() {
  const std::string name = name_of_program(), of_chapter = "locus-";
  const std::string chapter = name.starts_with(of_chapter) ? name.substr(of_chapter.size()) : "";
  return parse_int(chapter) ? chapter : "";
}

// When it was written last; nothing, which is before every time, when that is not known.
std::optional<std::filesystem::file_time_type> written(const std::string& path) {
  std::error_code unknown;
  const auto time = std::filesystem::last_write_time(path, unknown);
  return unknown ? std::nullopt : std::optional(time);
}

}  // namespace

std::string runs_folder() {
  const std::string chapter = chapter_of_program();
  return chapter.empty() ? "runs" : str(lesson_runs, '/', chapter, "/trained");
}

namespace {

// The program whose runs stand there: "build/locus-10" of runs/lessons/10/trained/sort/rope-encoder-seed1.
std::string program_of(const std::string& run) {
  const std::string lessons = str(lesson_runs, '/');
  if (!run.starts_with(lessons)) return "build/locus";
  return "build/locus-" + run.substr(lessons.size(), run.find('/', lessons.size()) - lessons.size());
}

// --fresh renames a folder of runs, and no other: not the one that the program is called in, not that of a project.
void refuse_to_rename(const std::string& folder) {
  namespace fs = std::filesystem;
  const char* hint = "--fresh keeps a run or an ablation beside the new one: give --out a folder of its own";
  std::error_code error;
  const fs::path canonical = fs::canonical(folder, error), here = fs::current_path(error);
  if (std::ranges::mismatch(canonical, here).in1 == canonical.end())
    fail(folder, "this is the folder in which you are, or one above it, and is not renamed", hint);
  const std::vector<std::string> holds = paths_in(folder);
  const auto of_locus = [](const std::string& path) {
    const std::string name = path.substr(path.rfind('/') + 1);
    for (const char* known : {".lock", "results.jsonl", "model.safetensors", "parts", "models"})
      if (name == known || name == str(known, ".tmp")) return true;
    return false;
  };
  if (!holds.empty() && std::ranges::none_of(holds, of_locus))
    fail(folder, "it holds no run and no ablation, and is not renamed", hint);
}

}  // namespace

void set_aside_if_fresh(const Arguments& arguments, const std::string& folder) {
  if (!arguments.given(fresh.name) || !file_exists(folder)) return;
  refuse_to_rename(folder);
  const FolderLock lock(folder);
  int number = 1;
  while (file_exists(str(folder, '.', number))) ++number;
  const std::string aside = str(folder, '.', number);
  if (std::rename(folder.c_str(), aside.c_str()) != 0)
    fail(folder, str("could not be renamed to ", aside, ": ", std::strerror(errno)));
}

void refuse_foreign_results(const std::string& folder) {
  if (!has_checkpoint(folder) && file_exists(folder + "/results.jsonl"))
    fail(folder, "it holds results of something else, and this run would replace them",
         "choose another --out");
}

bool older_than_program(const std::string& path) {
  return file_exists(path) && written(path) < written(str(program_folder(), '/', name_of_program()));
}

void warn_of_newer_lines() {
  const std::string chapter = chapter_of_program(), program = str(program_folder(), '/', name_of_program());
  for (const std::string& folder : chapter.empty() ? std::vector<std::string>{} : paths_in("lessons"))
    if (folder.starts_with(str("lessons/", chapter, '_')))
      for (const std::string& path : paths_in(folder))
        if (path.ends_with(".cpp") && file_exists(program) && written(program) < written(path))
          return complain(str("warning: ", path, " is newer than this program: `make lesson-", chapter,
                              "` takes its lines in"));
}

std::string run_folder_of(const std::string& named) {
  if (!file_exists(named) && !nearest_name(named, {"last"}).empty() && named != "last")
    fail(named, "there is no such folder", "did you mean 'last', the newest run?");
  if (named != "last" || has_checkpoint(named) || file_exists(named + "/results.jsonl")) return named;
  const std::string own = runs_folder(), newest = newest_run(own, own == "runs" ? lesson_runs : ""),
                    newest_of_all = newest_run("runs");
  // A lesson's program has the learner's lines in it: a model that it trained may be read otherwise by this one.
  const std::string other = newest_of_all == newest || newest_of_all.empty()
                                ? ""
                                : str(newest_of_all, " is newer; ", program_of(newest_of_all),
                                      " trained it, and takes it as its last");
  if (newest.empty())
    fail(named, str("there is no run in ", own, " yet", other.empty() ? "" : str(" (", other, ')')),
         "`locus train --task reverse --scheme sinusoidal` makes one, in the folder where it is called");
  complain(str("last: ", newest, other.empty() ? "" : str(". Hint: ", other)));
  return newest;
}

TrainedRun read_trained(const Arguments& arguments) {
  Checkpoint checkpoint = read_checkpoint(run_folder_of(arguments.positional()[0]));
  RunSettings settings = checkpoint.settings;
  settings.dataset = arguments.text("--dataset", settings.dataset);
  return read_trained(std::move(checkpoint), settings);
}

TrainedRun read_trained(Checkpoint checkpoint, const RunSettings& settings) {
  Run run = run_of(checkpoint, settings);
  Trainer::State state = checkpoint_state(checkpoint, run);
  if (const std::string change = task_change(checkpoint, run.task()); !change.empty()) {
    if (run.task().form == Form::text)  // a part of it that was trained on may now be in the test
      fail(checkpoint.file.where, change, "bring the old text back, or train a new model");
    complain(str("warning: ", change));
  }
  if (const std::string damage = not_finite(checkpoint); !damage.empty()) complain(str("warning: ", damage));
  return {std::move(checkpoint), std::move(run), std::move(state)};
}

TrainedRun with_scheme(const TrainedRun& trained, const std::string& scheme) {
  RunSettings settings = trained.run.settings();
  settings.model.scheme = scheme;
  Checkpoint checkpoint = trained.checkpoint;  // what there is to warn of has been said
  Run run = run_of(checkpoint, settings);
  Trainer::State state = checkpoint_state(checkpoint, run);
  return {std::move(checkpoint), std::move(run), std::move(state)};
}

std::vector<LengthScore> test_with_progress(const Run& run, const Real* parameters, Pool& pool) {
  const std::vector<int>& lengths = run.settings().test_lengths;
  Progress progress("lengths tested", lengths.size(), std::accumulate(lengths.begin(), lengths.end(), 0.0));
  std::vector<LengthScore> scores;
  for (const int length : lengths) {
    scores.push_back(run.test(length, parameters, pool));
    progress.advance(length);
    progress.finish();
  }
  warn_of_no_numbers(scores, run);
  return scores;
}

void warn_of_no_numbers(const std::vector<LengthScore>& scores, const Run& run) {
  const auto without = [](const LengthScore& one) { return one.score.unanswered > 0; };
  const auto first = std::ranges::find_if(scores, without);
  if (first == scores.end()) return;
  const int trained = run.settings().train.lengths.high;
  const bool told = run.change().has_value(), too_long = first->length > trained &&
                                                         scores.front().length <= trained &&
                                                         !without(scores.front());
  complain(str("warning: ", computes_no_number, " for test inputs of ",
               std::ranges::count_if(scores, without), " of ", scores.size(), " lengths (",
               first->score.unanswered, " answers at length ", first->length,
               "): they count as wrong. Hint: ",
               told       ? "give --positions a smaller number, if all is well without it"
               : too_long ? "it computes numbers at the trained lengths: choose shorter --test-lengths"
                          : "train again with a smaller --lr"));
}

namespace {

// For a text: loss in nats and perplexities, which are e to the loss.
std::string text_table(const std::vector<LengthScore>& scores, const Run& run,
                       const std::optional<std::vector<LengthScore>>& told) {
  const bool hides = run.batcher().hides();
  const bool has_floor = std::ranges::any_of(scores, [](auto& s) { return s.text && s.text->floor; });
  std::vector<std::string> titles = {"length", "loss", "perplexity"};
  if (told) titles.push_back("told");
  if (!hides) titles.push_back("sliding");
  titles.insert(titles.end(), {"token accuracy", "unigram"});
  if (!hides) titles.push_back("bigram");
  if (has_floor) titles.push_back("floor");
  titles.push_back("windows");
  TextTable table(columns({}, titles));
  const auto perplexity = [](const std::optional<double>& nats) {
    return nats ? fixed(std::exp(*nats), 3) : "-";
  };
  const auto loss_of = [](const LengthScore& s) {
    return s.score.text ? std::optional(s.score.text->loss) : std::nullopt;
  };
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const LengthScore& at = scores[i];
    const std::optional<double> loss = loss_of(at);
    std::vector<TableCell> row{str(at.length), loss ? fixed(*loss, 4) : "-", perplexity(loss)};
    if (told) row.push_back(perplexity(loss_of((*told)[i])));
    if (!hides) row.push_back(perplexity(loss ? std::optional(at.score.text->sliding) : std::nullopt));
    row.push_back(fixed(at.score.token_accuracy, 3));
    row.push_back(perplexity(at.text->unigram));
    if (!hides) row.push_back(perplexity(at.text->bigram));
    if (has_floor) row.push_back(perplexity(at.text->floor));
    row.push_back(str(at.score.examples));
    table.add_row(row);
  }
  return shown(table) +
         (hides
              ? "\nthe loss on hidden tokens, in nats; unigram: perplexity of each token alone, by counting\n"
              : "\nloss in nats per token, perplexity e^loss: in windows, whose first tokens have little "
                "context; sliding: by half\na window each time, only its second half scored. unigram, "
                "bigram: perplexities by counting\n");
}

}  // namespace

std::string score_table(const std::vector<LengthScore>& scores, const Run& run,
                        const std::optional<std::vector<LengthScore>>& told) {
  if (run.task().form == Form::text) return text_table(scores, run, told);
  const bool one = run.task().form == Form::classification && !run.batcher().generates();
  const auto have = [&](std::optional<double> LengthScore::*level) {
    return std::ranges::any_of(scores, [&](const LengthScore& s) { return (s.*level).has_value(); });
  };
  const bool ceilings = have(&LengthScore::order_blind_ceiling),
             mirror_blind = have(&LengthScore::mirror_blind_ceiling),
             windows = have(&LengthScore::window_ceiling);
  std::vector<std::string> titles = {"length", one ? "accuracy" : "token accuracy"};
  if (told) titles.push_back("told");
  if (!one) titles.push_back("exact match");
  if (!one && told) titles.push_back("told");
  if (ceilings) titles.push_back("order-blind ceiling");
  if (mirror_blind) titles.push_back("mirror-blind ceiling");
  if (windows) titles.push_back("ceiling of its windows");
  titles.insert(titles.end(), {"no-input baseline", "examples"});
  TextTable table(columns({}, titles));
  const auto level = [](const std::optional<double>& value) { return value ? fixed(*value, 3) : "-"; };
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const LengthScore& at = scores[i];
    std::vector<TableCell> row{str(at.length), fixed(at.score.token_accuracy, 3)};
    if (told) row.push_back(fixed((*told)[i].score.token_accuracy, 3));
    if (!one) row.push_back(fixed(at.score.exact_match, 3));
    if (!one && told) row.push_back(fixed((*told)[i].score.exact_match, 3));
    if (ceilings) row.push_back(level(at.order_blind_ceiling));
    if (mirror_blind) row.push_back(level(at.mirror_blind_ceiling));
    if (windows) row.push_back(level(at.window_ceiling));
    row.push_back(fixed(at.no_input_baseline, 3));
    row.push_back(str(at.score.examples));
    table.add_row(row);
  }
  return shown(table);
}

}  // namespace locus
