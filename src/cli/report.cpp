// locus report: the results of one or more ablations or runs, as a table and as a page.
#include <unistd.h>

#include <algorithm>

#include "ablation/tuning.h"
#include "base/error.h"
#include "base/text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "io/file.h"
#include "io/format.h"
#include "io/terminal.h"
#include "report/page/findings.h"
#include "report/page/page.h"
#include "report/summary_table.h"
#include "report/text_study.h"
#include "train/checkpoint.h"

namespace locus::commands::report {

// ", --d-model 64": the settings of a chosen rate, besides task, scheme and model, that others do not share.
std::string sizes_of(const RunSettings& settings, const std::vector<ChosenRate>& chosen) {
  std::string sizes;
  for (const Setting& setting : all_settings()) {
    const std::string option = setting.option;
    const bool follows = option == "--d-ff" && settings.model.d_ff == 4 * settings.model.d_model;
    if (!setting.role.axis || option == "--lr" || option == "--recalibrate-lr" || option == "--model" ||
        follows)
      continue;
    const std::string value = value_text(setting, settings);
    if (std::ranges::any_of(
            chosen, [&](const ChosenRate& other) { return value_text(setting, other.settings) != value; }))
      sizes += ", " + typed(setting, settings);
  }
  return sizes;
}

// The learning rate that was chosen for each scheme.
std::string rates_text(const Tuned& tuned) {
  const auto at = [](double rate, const std::string& edge) {
    return str(rate, edge.empty() ? "" : str(" (the ", edge, " tried)"));
  };
  std::string out = str("\nlearning rate chosen for each scheme and task among ", tried_text(tuned.chosen),
                        ", of equal steps and seeds, by validations of training:\n");
  for (const ChosenRate& one : tuned.chosen)
    out += str("  ", one.settings.task, " with ", one.settings.model.scheme, ", ", one.settings.model.kind,
               sizes_of(one.settings, tuned.chosen), ": ",
               at(one.settings.train.optimizer.learning_rate, one.edge()),
               one.settings.recalibrate > 0
                   ? str(", recalibrated at ", at(one.settings.recalibrate_rate, one.edge_again()))
                   : "",
               "\n");
  return out;
}

// Says when the model of a run that is shown holds numbers that are not finite.
void check_models(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders)
    if (has_checkpoint(folder))
      if (const std::string damage = not_finite(read_checkpoint(folder)); !damage.empty())
        complain(str("warning: ", damage));
}

int run(const Arguments& arguments) {
  if (arguments.given("--out") && arguments.text("--out") == arguments.text("--svg"))
    fail_usage("report", str("--out and --svg both name '", arguments.text("--svg"), "'"),
               "give each a file of its own");
  std::vector<std::string> folders;
  for (const std::string& named : arguments.positional()) folders.push_back(run_folder_of(named));
  const std::string figure = svg_path(arguments),
                    page = page_path(arguments, "--out", folders[0] + "/report.html");
  check_models(folders);
  Records records = read_records(folders);
  std::string more;
  std::vector<ChosenRate> chosen;
  if (arguments.given("--best-lr")) {
    Tuned tuned = at_best_rates(records);
    more = rates_text(tuned);
    if (const std::string warning = edge_warning(tuned.chosen); !warning.empty()) complain(warning);
    records.results = std::move(tuned.results);
    chosen = std::move(tuned.chosen);
  }
  if (arguments.given("--csv")) {
    arguments.refuse({"--svg", "--out", "--control"}, "with --csv");
    print(results_csv(records.results));
    return 0;
  }
  const Study study(std::move(records), arguments.text("--control"), std::move(chosen));
  print(findings_text(study, terminal_width(STDOUT_FILENO)) +
        summary_table(study, terminal_width(STDOUT_FILENO), is_lively_terminal(STDOUT_FILENO)));
  save(page, report_page(study));
  more += str("page in ", page, "\n");
  if (!figure.empty()) {
    save(figure, svg_document(study_figure(plain_headline(study), study)));
    more += str("figure in ", figure, "\n");
  }
  print_fitted(more);
  return 0;
}

const RegisterCommand registered{{
    .name = "report",
    .summary = "Show the results of ablations or runs, in the terminal and as a page",
    .usage = "DIR [DIR ...] [--out FILE] [--svg FILE]",
    .details =
        R"(DIR is the folder of an ablation or a run, or last: the newest run in runs/. Several are shown together.
The page is one file, report.html in the first folder or --out; any browser opens it.
)",
    .options =
        {{"--control", "SPEC", "the scheme to compare the others with (none, or the first)"},
         {"--best-lr", "", "only the learning rate that suits each scheme best"},
         {"--out", "FILE", "where the page goes (report.html in the first folder)"},
         {"--csv", "", "print a row for each model and length, and make no page"},
         {"--svg", "FILE",
          "also draw the grid of the page: accuracy by length, scheme by task; of texts the loss by position"}},
    .least_positional = 1,
    .most_positional = 1000,
    .run = run,
}};

}  // namespace locus::commands::report
