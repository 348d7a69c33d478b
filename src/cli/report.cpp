// locus report: the table of one or more ablations or runs, and their curves.
#include <unistd.h>

#include <iterator>

#include "ablation/results.h"
#include "ablation/summary.h"
#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "report/accuracy_figure.h"
#include "report/summary_table.h"
#include "report/terminal.h"

namespace locus {

namespace {

int run(const Arguments& arguments) {
  SummaryTable table{.results = {}, .control = arguments.text("--control")};
  const auto append = [](auto& all, auto more) {
    all.insert(all.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
  };
  for (const std::string& folder : arguments.positional()) {
    append(table.results, read_results(folder));
    append(table.curves, read_curves(folder));
    append(table.durations, read_durations(folder));
  }
  if (table.results.empty())
    fail(arguments.positional()[0], "there are no results yet", "wait until the first cell is done");
  print(to_text(table, terminal_width(STDOUT_FILENO), is_lively_terminal(STDOUT_FILENO)));
  const std::string figure = arguments.text("--svg");
  if (!figure.empty()) {
    write_file_atomically(figure, svg_document(accuracy_figure(summarise(table.results))));
    print(text("figure in ", figure, "\n"));
  }
  return 0;
}

const RegisterCommand registered{{
    .name = "report",
    .summary = "Show the results of one or more ablations or runs",
    .usage = "DIR [DIR ...] [--svg FILE]",
    .details =
        "DIR is the folder of a `locus ablate` or `locus train` run. Several are merged, so parts of a grid "
        "that ran apart can\n"
        "be read together.\n",
    .options = {{"--control", "SPEC", "the scheme to compare the others with (none, or the first)"},
                {"--svg", "FILE", "also draw accuracy against length, a panel per task"}},
    .least_positional = 1,
    .most_positional = 1000,
    .run = run,
}};

}  // namespace

}  // namespace locus
