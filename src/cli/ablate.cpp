// locus ablate: every task with every scheme and seed, and the table that compares them.
#include <unistd.h>

#include <algorithm>

#include "ablation/ablation.h"
#include "ablation/tuning.h"
#include "base/error.h"
#include "base/machine.h"
#include "base/named.h"
#include "base/numbers.h"
#include "base/size.h"
#include "cli/command.h"
#include "cli/interrupt.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/runs.h"
#include "io/file.h"
#include "io/format.h"
#include "io/terminal.h"
#include "report/page/page.h"
#include "report/summary_table.h"

namespace locus::commands::ablate {

// Ablations that are worth running as they are: what `--preset NAME` stands for.
struct Preset {
  const char *name, *summary, *words;  // words with a space in them stand in quotes
};
constexpr Preset presets[] = {
    {"quick", "a first look: 4 schemes, 3 tasks, 3 seeds; less than a minute on two cores",
     "--tasks before,reverse,majority --schemes none,sinusoidal,rope,alibi"},
    {"classic", "none, sinusoidal, learned, shaw and rope, 6 tasks, 5 seeds",
     "--tasks before,reverse,sort,previous,majority --datasets datasets/who_chased_whom.tsv "
     "--schemes none,sinusoidal,learned,shaw,rope --seeds 5"},
    {"diet", "rope trained at 16 tokens, at 4 to 16, or at 4, 8 and 16; read as it is, with PI and NTK",
     "--tasks previous,sort,before --train-lengths 16;4-16;4,8,16 --test-lengths 16,24,32,48,64 "
     "--trained-as rope:base=100 --control rope:base=100 --no-aa --seeds 5 --schemes rope:base=100 "
     "rope:base=100,extend=pi,factor=4 rope:base=100,extend=ntk,factor=4"},
    // Large models mix layers so: three with RoPE, then one without positions (Yang et al. 2025, arXiv 2501.18795).
    {"mixtures", "4 layers: one without positions to each or to three with rope, in both orders",
     "--tasks previous,reverse,sort --layers 4 --schemes rope,none --control rope --no-aa "
     "--scheme-by-layer 'rope none' 'none rope' 'rope rope rope none' 'none rope rope rope'"},
    // And so: three layers of the delta rule to one of attention, a quarter of whose channels are turned (Qwen3-Next).
    {"today",
     "decoders of 4 layers: attention, or the delta rule in three; with RoPE, a quarter of it, and without",
     "--tasks needle --model decoder --layers 4 --heads 2 --d-model 32 --steps 1000 --train-lengths 4-12 "
     "--test-lengths 12,24,48,96 --test-examples 1000 --schemes rope rope:fraction=0.25 none --control rope --no-aa "
     "--mixer-by-layer 'attention,delta delta delta attention'"}};

std::vector<std::string> preset_words(const std::string& name) {
  const std::vector<std::string> parts =
      split(get_named("ablate", "preset", presets, name, &Preset::name).words, '\'');
  std::vector<std::string> words;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i % 2 == 1) words.push_back(parts[i]);
    if (i % 2 == 0) std::ranges::remove_copy(split(parts[i], ' '), std::back_inserter(words), "");
  }
  return words;
}

std::string preset_list() {
  std::string list =
      "Presets of `locus ablate --preset NAME`; options that are given replace parts of a preset:\n\n";
  for (const Preset& one : presets)
    list += str("  ", one.name, std::string(11 - std::string_view(one.name).size(), ' '), one.summary, "\n");
  return list;
}

constexpr std::string_view left_out_of_folder_names[] = {"--seeds", "--no-aa", "--jobs", "--out",
                                                         "--keep",  "--fresh", "--plan", "--shard"};

std::vector<OptionSpec> options() {
  return with_settings(
      Role::Command::ablate,
      {{"--preset", "NAME", "quick, classic, diet, mixtures or today"},
       {"--tasks", "A,B", "toy tasks: `locus tasks`", true},
       {"--datasets", "F,G", "tables of examples (.tsv)", true},
       {"--schemes", "S1,S2", "positional schemes: `locus schemes`", true},
       {"--scheme-by-layer", "SPECS", "also schemes for the layers in turn: \"rope none\"", true},
       {"--seeds", "N", "seeds 1 to N (3), or a range, to repeat a study on fresh ones: 11-20"}},
      {{"--control", "SPEC", "the scheme to compare the others with (none, or the first)"},
       {"--no-aa", "", "do not run the control a second time"},
       {"--jobs", "N", "cells trained at once, a thread each (all of the machine's)"},
       {"--out", "DIR", "where results are kept (runs/ablation, and the options that are given)"},
       {"--keep", "", "keep the model of each cell in DIR/models, for ask, attend and eval"},
       fresh,
       {"--plan", "", "print a command for each cell, and run none"},
       {"--shard", "I/N", "run part I of N, into DIR/parts"}});
}

// The given arguments, and those of the preset for all other options. Tasks and datasets are given or preset
// together, and so are both ways to name schemes.
Arguments with_preset(const Arguments& given) {
  if (!given.given("--preset")) return given;
  Arguments preset("ablate", options(), preset_words(given.text("--preset")), 0, 0);
  for (const auto& [one, other] : {std::pair{"--tasks", "--datasets"}, {"--schemes", "--scheme-by-layer"}})
    if (given.given(one) || given.given(other)) preset = preset.without(one).without(other);
  return given.with_defaults(preset);
}

// Every combination of the settings that are given as lists.
std::vector<RunSettings> read_combinations(const Arguments& arguments) {
  for (const Setting& setting : all_settings()) {
    if (!setting.role.axis) continue;
    const std::vector<std::string> values = split(arguments.text(setting.option), separator_of(setting));
    if (values.size() == 1) continue;
    std::vector<RunSettings> all;
    for (const std::string& value : values)
      for (RunSettings& settings : read_combinations(arguments.with(setting.option, value)))
        all.push_back(settings);
    return all;
  }
  return {read_settings(arguments)};
}

// The first and the last: "5" is 1 to 5, "11-20" a range.
std::pair<int, int> read_seeds(const Arguments& arguments) {
  constexpr int most = 10000;
  const std::string value = arguments.text("--seeds", "3");
  if (value.find('-', 1) != value.npos) return read_range("ablate", "--seeds", value, most, "seeds");
  return {1, read_integer("ablate", "--seeds", value, 1, most)};
}

Grid read_grid(const Arguments& arguments) {
  const auto [first_seed, last_seed] = read_seeds(arguments);
  Grid grid{.tasks = arguments.names("--tasks"),
            .datasets = arguments.paths("--datasets"),
            .schemes = arguments.names("--schemes"),
            .first_seed = first_seed,
            .seeds = last_seed - first_seed + 1,
            .settings = read_combinations(arguments),
            .control = arguments.text("--control"),
            .aa = !arguments.given("--no-aa")};
  if (grid.tasks.empty() && grid.datasets.empty()) {
    grid.tasks = {"before", "reverse", "sort", "previous", "majority"};
    grid.datasets = {"datasets/who_chased_whom.tsv"};
  }
  for (const std::string& specs : read_schemes_by_layer(arguments)) grid.schemes.push_back(specs);
  return grid;
}

std::vector<RunSettings> asked_for(const Arguments& arguments) {
  return cells(read_grid(with_preset(arguments)));
}

// "runs/ablation_preset=quick_lr=0.01": all options that decide what the cells are. More seeds go to the same folder.
std::string default_folder(const Arguments& given) {
  std::string name = "ablation";
  for (const OptionSpec& option : options())
    if (given.given(option.name) && !std::ranges::count(left_out_of_folder_names, option.name))
      name += str("_", option.name.substr(2), option.value.empty() ? "" : "=",
                  join(given.texts(option.name), " "));
  return str(runs_folder(), "/", folder_name(name));
}

// A part of a plan: "2/8".
struct Shard {
  std::size_t number, of;
};

std::optional<Shard> read_shard(const Arguments& arguments) {
  if (!arguments.given("--shard")) return std::nullopt;
  const std::string value = arguments.text("--shard");
  const std::vector<std::string> numbers = split(value, '/');
  const auto number = parse_int(numbers.front()), of = parse_int(numbers.back());
  if (numbers.size() != 2 || !number || !of || *number < 1 || *of < *number)
    fail_usage("ablate", str("--shard '", value, "' should be a part and a whole"),
               "for example 1/2 and 2/2");
  return Shard{as_size(*number), as_size(*of)};
}

std::string parts_folder(const std::string& folder) { return folder + "/parts"; }

// The number has as many digits as the count, so that the names sort like the numbers.
std::string part_folder(const std::string& folder, Shard part) {
  const std::string of = str(part.of);
  std::string number = str(part.number);
  number.insert(0, of.size() - number.size(), '0');
  return str(parts_folder(folder), "/", number, "-of-", of);
}

std::string name_of(const RunSettings& cell) {
  return str(cell.task, " with ", cell.model.scheme, ", seed ", cell.train.seed);
}

// The same command once for each cell.
void print_plan(const Arguments& arguments, const std::vector<RunSettings>& plan) {
  std::string command = shell_word(program_name) + " ablate";
  for (const std::string& word : arguments.words())
    if (word != "--plan") command += " " + shell_word(word);
  std::string lines;
  for (std::size_t cell = 0; cell < plan.size(); ++cell)
    lines += str(command, " --shard ", cell + 1, "/", plan.size(), "  # ", name_of(plan[cell]), "\n");
  print(lines);
}

// The name last: where the line is too short, its end is cut off.
std::string latest(const RunSettings& cell, const Curve& curve) {
  return str(fixed(curve.accuracy.back(), 3), " at step ", curve.step.back(), ": ", name_of(cell));
}

// Trains the cells that have no result, or no model in `keep_in`, if that names a folder.
void train(const std::vector<RunSettings>& plan, Results& results, const std::string& folder, int jobs,
           const std::string& keep_in, const std::string& unit = "cells") {
  std::vector<RunSettings> left;
  for (std::size_t cell = 0; cell < plan.size(); ++cell)
    if (!cell_done(plan[cell], results.done(cell), keep_in)) left.push_back(plan[cell]);
  const std::size_t finished_before = plan.size() - left.size();
  end_when_interrupted("ablate", str("interrupted; the cells that are done are kept in ", folder),
                       "the same command goes on from there");
  Progress progress(unit, left.size(), work_of(left));
  if (finished_before > 0)
    progress.print(
        str(finished_before, " of ", plan.size(), " cells were done before",
            older_than_program(folder + "/results.jsonl")
                ? " this program was built: if a scheme or task has changed, --fresh trains them again"
                : ""));
  run_cells(
      plan, results, jobs,
      {.preparing = [&](const std::string& task,
                        int length) { progress.note(str("tests of ", task, " at length ", length)); },
       .started = [&](const RunSettings&) { progress.start(); },
       .worked = [&](double one) { progress.advance(one); },
       .validated = [&](const RunSettings& cell, const Curve& curve) { progress.note(latest(cell, curve)); },
       .finished = [&](const Result&) { progress.finish(); }},
      keep_in);
}

int run_shard(const std::vector<RunSettings>& plan, Shard part, const std::string& folder, int jobs,
              const std::string& keep_in) {
  if (part.of > plan.size())
    fail_usage("ablate", str("there are ", plan.size(), " cells, too few for ", part.of, " parts"),
               str("--shard I/N with N up to ", plan.size()));
  const auto [first, end] = cells_of_part(plan.size(), part.number, part.of);
  const std::vector<RunSettings> mine(plan.begin() + static_cast<std::ptrdiff_t>(first),
                                      plan.begin() + static_cast<std::ptrdiff_t>(end));
  const std::string own_folder = part_folder(folder, part);
  Results results(own_folder, mine);
  const std::string which = str("part ", part.number, " of ", part.of);
  train(mine, results, own_folder, jobs, keep_in, "cells of " + which);
  print(str(which, " is done: ", mine.size() == 1 ? name_of(mine.front()) : str(mine.size(), " cells"),
            "; the same command without --shard puts the parts together\n"));
  return 0;
}

int run(const Arguments& given) {
  const Arguments arguments = with_preset(given);
  const std::vector<RunSettings> plan = asked_for(given);
  const std::string folder = arguments.text("--out", default_folder(given));
  const std::string keep_in = arguments.given("--keep") ? folder : "";
  const int jobs = read_threads(arguments, "--jobs");
  const std::optional<Shard> part = read_shard(arguments);
  if (arguments.given("--plan")) {
    arguments.refuse({"--fresh"}, "with --plan");
    if (part) fail_usage("ablate", "both --plan and --shard are given", "give one of them");
    print_plan(given, plan);
    return 0;
  }
  if (part) arguments.refuse({"--fresh"}, "with --shard");
  if (part) return run_shard(plan, *part, folder, jobs, keep_in);

  set_aside_if_fresh(arguments, folder);
  const std::string page = folder + "/report.html";
  require_savable(page);
  Results results(folder, plan);
  const bool some = results.holds_more();
  for (const RunSettings& cell : plan)
    if (some && !cell_done(cell, true, keep_in))
      fail_usage("ablate",
                 str(folder, " has the results of these cells among others, and not all their models"),
                 "give --keep with all that was trained there, or another --out");
  if (!some) {
    for (const std::string& ran_apart : paths_in(parts_folder(folder))) results.add_from(ran_apart);
    train(plan, results, folder, jobs, keep_in);
  }
  Records recorded = results.records();
  if (const auto chosen = chosen_rates(recorded); !chosen.empty())
    if (const std::string warning = edge_warning(chosen); !warning.empty()) complain(warning);
  const Study study(std::move(recorded), arguments.text("--control"));
  if (!some) save(page, report_page(study));
  print_fitted(
      str(findings_text(study, terminal_width(STDOUT_FILENO)),
          summary_table(study, terminal_width(STDOUT_FILENO), is_lively_terminal(STDOUT_FILENO)), "\n",
          some ? str("read from ", folder, "/results.jsonl, which holds more; nothing was trained\n")
               : str("results in ", folder, "/results.jsonl, drawn and explained in ", page, "\n"),
          study.models.empty() ? ""
                               : as_called(str("models in ", folder, "/models, such as: `locus attend ",
                                               shell_word(study.models.front()), "`\n"))));
  return std::ranges::all_of(study.results,
                             [](const Result& r) { return r.outcome.status == TrainStatus::diverged; });
}

const RegisterCommand registered{{
    .name = "ablate",
    .summary = "Train every task with every scheme and several seeds, and compare",
    .usage = "[--preset NAME] [--tasks A,B] [--datasets F,G] [--schemes S1,S2] [--seeds N] [options]",
    .details =
        R"(Each task with a scheme, a seed and one choice of all settings is a cell: one training and its tests.
Every scheme sees the same data and the same initial parameters. After an interruption, the same command
continues where it stopped; a command that asks for fewer cells than are there shows these. Commas or
spaces separate schemes; a spec with keys stands alone:
  locus ablate --tasks reverse,sort --schemes none,learned rope:base=100,layout=half --seeds 5
Without --tasks and --datasets: before, reverse, sort, previous, majority and datasets/who_chased_whom.tsv.
Without --schemes and --scheme-by-layer: none, index, sinusoidal, learned, rope, alibi and t5; for an rnn or
gru only the first four. Options with [,...] can be lists, whose combinations are all trained, and so can
training lengths, with semicolons: --train-lengths "16;4-16;4,8,16". With several learning rates,
`locus report DIR --best-lr` keeps the learning rate that suits each scheme best.
`locus help presets` lists the presets; options that are given replace parts of one.

--trained-as trains each seed once and reads that model with each of --schemes, which must have the same
parameters: no more, no less. With --recalibrate N it first goes on with the scheme for N steps, all of them,
at the lengths trained at: with a new optimizer, new batches, and a learning rate that rises in at most a tenth
of N and falls along a cosine; 0 tests it as it is. DroPE (Gelberg et al. 2025) is rope that goes on as none:
  locus ablate --model decoder --tasks copy --trained-as rope --schemes rope,none --recalibrate 0,20,100
The exit status is 1 when every run diverged (`locus help train`).

With --keep, DIR/models has the model of each cell, as `locus train` would leave it in a folder of its own:
  locus ask DIR/models/reverse/rope-encoder-seed1 "3 1 4 1 5"
Cells that were trained without it are trained again; their results stay as they are.

The control also runs on N further seeds, to show what differs by chance (A/A).

To use several machines, or a queue:
  locus ablate --preset classic --plan | xargs -P 2 -I{} sh -c '{}'
This trains each cell in its own process (also what cells share is then trained for each);
`locus ablate --preset classic` then joins the results.
)",
    .options = options(),
    .run = run,
}};

}  // namespace locus::commands::ablate
