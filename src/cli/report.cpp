// locus report: the table of one or more ablations or runs, and their curves.
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "cli/command.h"
#include "report/accuracy_figure.h"
#include "report/page/page.h"
#include "report/summary_table.h"
#include "report/terminal.h"

namespace locus {

namespace {

int run(const Arguments& arguments) {
  const Study study = read_study(arguments.positional(), arguments.text("--control"));
  print(to_text(table_of(study), terminal_width(STDOUT_FILENO), is_lively_terminal(STDOUT_FILENO)));
  const std::string page = arguments.positional()[0] + "/report.html";
  write_file_atomically(page, report_page(study));
  print(text("page in ", page, "\n"));
  const std::string figure = arguments.text("--svg");
  if (!figure.empty()) {
    write_file_atomically(figure, svg_document(accuracy_figure(study.rows)));
    print(text("figure in ", figure, "\n"));
  }
  return 0;
}

const RegisterCommand registered{{
    .name = "report",
    .summary = "Show the results of one or more ablations or runs, on the terminal and as a page",
    .usage = "DIR [DIR ...] [--svg FILE]",
    .details =
        "DIR is the folder of a `locus ablate` or `locus train` run. Several are merged, so parts of a grid "
        "that ran apart can\n"
        "be read together. The page is one file, DIR/report.html, in the first of them; any browser opens "
        "it.\n",
    .options = {{"--control", "SPEC", "the scheme to compare the others with (none, or the first)"},
                {"--svg", "FILE", "also draw accuracy against length, a panel per task"}},
    .least_positional = 1,
    .most_positional = 1000,
    .run = run,
}};

}  // namespace

}  // namespace locus
