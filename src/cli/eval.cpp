// locus eval: a trained model, tested again, at other lengths or with another scheme.
#include "base/error.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/runs.h"

namespace locus::commands::eval {

int run(const Arguments& arguments) {
  Checkpoint saved = read_checkpoint(run_folder_of(arguments));
  const RunSettings settings = read_settings(arguments, saved.settings);
  const auto [checkpoint, run, state] = read_trained(std::move(saved), settings);
  const std::string &scheme = run.settings().model.scheme, &trained = checkpoint.settings.model.scheme;
  const int threads = read_threads(arguments, "--threads");
  run.require_test_memory(threads);
  Pool pool(threads);
  const std::vector<LengthScore> scores = test_with_progress(run, state.parameters.data(), pool);
  print(text(scheme, " on ", run.task().name, ", after ", state.step, " steps",
             scheme != trained ? text(" with ", trained) : "", "\n\n", score_table(scores, run)));
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
)",
    .options = {{"--test-lengths", "A,B,C", "lengths to test at (as in the run)"},
                {"--test-examples", "N", "test inputs per length (as in the run)"},
                moved_table,
                {"--scheme", "SPEC", "a scheme instead of the trained one"},
                {"--scheme-by-layer", "SPECS", "instead of --scheme: \"rope none\", for the layers in turn"},
                {"--threads", "N", "threads (all)"}},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::eval
