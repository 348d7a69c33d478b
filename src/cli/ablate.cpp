// locus ablate: every task with every scheme and seed, and the table that compares them.
#include <unistd.h>

#include <atomic>

#include "ablation/ablation.h"
#include "ablation/plan.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "report/format.h"
#include "report/page/page.h"
#include "report/progress.h"
#include "report/summary_table.h"
#include "report/terminal.h"

namespace locus {

namespace {

Grid read_grid(const Arguments& arguments) {
  Grid grid;
  grid.tasks = arguments.names("--tasks");
  for (const std::string& path : arguments.names("--datasets")) {
    if (!path.ends_with(".tsv"))
      fail_usage("ablate", text("dataset '", path, "' does not end in .tsv"),
                 "toy tasks are chosen with --tasks");
    grid.tasks.push_back(path);
  }
  if (grid.tasks.empty())
    grid.tasks = {"before", "reverse", "sort", "previous", "majority", "datasets/who_chased_whom.tsv"};
  grid.schemes = arguments.names("--schemes");
  for (const std::string& specs : read_schemes_by_layer(arguments)) grid.schemes.push_back(specs);
  if (grid.schemes.empty()) grid.schemes = {"none", "index", "sinusoidal", "learned", "rope", "alibi", "t5"};
  grid.seeds = arguments.integer("--seeds", 3, 1, 10000);
  grid.common = read_run_options(arguments);
  return grid;
}

std::string name_of(const RunSettings& cell) {
  return text(open_task(cell.task).name, " with ", cell.model.scheme, ", seed ", cell.train.seed);
}

int run(const Arguments& arguments) {
  const std::vector<RunSettings> plan = cells(read_grid(arguments));
  const std::string folder = arguments.text("--out", "runs/ablation");
  const int jobs = read_threads(arguments, "--jobs");
  Results results(folder, plan);
  watch_for_interrupt();

  double work = 0;
  std::size_t finished_before = 0;
  for (std::size_t cell = 0; cell < plan.size(); ++cell) {
    if (results.done(cell))
      ++finished_before;
    else
      work += cell_work(plan[cell]);
  }
  bool complete = false;
  std::atomic<std::size_t> finished = finished_before;
  {
    Progress progress("cells", plan.size() - finished_before, work);
    if (finished_before > 0)
      progress.print(text(finished_before, " of ", plan.size(), " cells were done before"));
    complete = run_cells(
        plan, results, jobs,
        {.started = [&](const RunSettings&) { progress.start(); },
         .worked = [&](double one) { progress.advance(one); },
         .finished =
             [&](const RunSettings& cell, const Json& result) {
               ++finished;
               const Json& first = result.array("by_length", "result").front();
               progress.note(text(name_of(cell), ": ", fixed(first.number("token_accuracy", "result"), 3)));
               progress.finish();
             },
         .stop = interrupted});
  }
  if (!complete)
    fail("ablate",
         text("interrupted with ", finished.load(), " of ", plan.size(), " cells done; they are kept in ",
              folder),
         "the same command goes on from there");
  const Study study = read_study({folder}, "");
  const std::string page = folder + "/report.html";
  write_file_atomically(page, report_page(study));
  print(text(summary_table(study.rows, is_lively_terminal(STDOUT_FILENO)), "results in ", folder,
             "/results.jsonl, drawn and explained in ", page, "\n"));
  return 0;
}

const RegisterCommand registered{{
    .name = "ablate",
    .summary = "Train every task with every scheme and several seeds, and compare",
    .usage = "[--tasks A,B] [--datasets F,G] [--schemes S1,S2] [--seeds N] [options]",
    .details =
        "Every scheme sees the same data and the same initial parameters. Interrupted, the same command goes "
        "on where it\n"
        "stopped. Schemes are separated by commas or spaces; one with settings stands alone:\n"
        "  locus ablate --tasks reverse,sort --schemes none,learned rope:base=100,layout=half --seeds 5\n"
        "Without --tasks and --datasets: before, reverse, sort, previous, majority and "
        "datasets/who_chased_whom.tsv;\n"
        "without --schemes and --scheme-by-layer: none, index, sinusoidal, learned, rope, alibi, t5.\n",
    .options = with_run_options(
        {{"--tasks", "A,B", "toy tasks: `locus tasks`", true},
         {"--datasets", "F,G", "tables of examples (.tsv)", true},
         {"--schemes", "S1,S2", "positional schemes: `locus schemes`", true},
         {"--scheme-by-layer", "SPECS", "\"rope none\": also these in turn, layer by layer", true},
         {"--seeds", "N", "seeds 1 to N (3)"},
         {"--jobs", "N", "cells trained at once, a thread each (all of the machine's)"},
         {"--out", "DIR", "where results are kept (runs/ablation)"}}),
    .run = run,
}};

}  // namespace

}  // namespace locus
