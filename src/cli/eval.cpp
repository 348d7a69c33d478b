// locus eval: a trained model, tested again, at other lengths or with another scheme.
#include "base/error.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "cli/told.h"
#include "report/text_figure.h"

namespace locus::commands::eval {

int run(const Arguments& arguments) {
  Checkpoint saved = read_checkpoint(run_folder_of(arguments));
  const auto change = read_position_change(arguments);
  const RunSettings settings = read_settings(arguments.without("--layers"), saved.settings);  // told ones
  const Trained model = read_trained(std::move(saved), settings);
  const auto told = change ? std::optional(with_positions(model, *change)) : std::nullopt;
  const std::string &scheme = model.run.settings().model.scheme,
                    &trained = model.checkpoint.settings.model.scheme;
  const int threads = read_threads(arguments, "--threads");
  model.run.require_test_memory(threads);
  Pool pool(threads);
  const auto test = [&](const Trained& one) {
    return test_with_progress(one.run, one.state.parameters.data(), pool);
  };
  const auto changed = told ? std::optional(test(*told)) : std::nullopt;
  const std::vector<LengthScore> scores = test(model);
  print(text(scheme, " on ", model.run.task().name, ", after ", model.state.step, " steps",
             scheme != trained ? text(" with ", trained) : "",
             change ? text("; told: with positions ", to_string(*change)) : "", "\n\n",
             score_table(scores, model.run, changed)));
  if (const std::string figure = svg_path(arguments); !figure.empty()) {
    if (model.run.task().form != Form::text)
      fail_usage("eval", "--svg draws the loss on a text by position", "leave it out");
    save(figure, svg_document(text_figure(text(scheme, " on ", model.run.task().name), scores,
                                          model.run.settings().train.lengths)));
  }
  return 0;
}

const RegisterCommand registered{{
    .name = "eval",
    .summary = "Test a trained model again",
    .usage = "DIR [--test-lengths A,B,C] [--scheme SPEC] [options]",
    .details =
        R"(DIR is the folder of a `locus train` run, or last: the newest run in runs/.
Another scheme can replace the trained one if it has the same parameters: for example rope with another
base, or alibi in a model that was trained without positions.
  locus eval runs/reverse/rope-encoder-seed1 --test-lengths 12,16,20,24
--positions shows what the model uses: the tokens stay, and the scheme is told other positions. The table has
both, as they are and as told. --layers tells only some layers, where schemes act inside attention.
  locus eval runs/first/rope-encoder-seed1 --positions constant --layers 0
)" + std::string(position_changes),
    .options = {{"--test-lengths", "A,B,C", "lengths to test at (as in the run)"},
                {"--test-examples", "N", "test inputs per length (as in the run)"},
                moved_table,
                {"--scheme", "SPEC", "a scheme instead of the trained one"},
                {"--scheme-by-layer", "SPECS", "instead of --scheme: \"rope none\", for the layers in turn"},
                {"--score-scale", "NAME", "none or log, instead of the trained one: `locus help train`"},
                {"--svg", "FILE", "of a text: draw the loss by position"},
                positions_option,
                told_layers_option,
                {"--threads", "N", "threads (all)"}},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::eval
