// locus eval: a trained model, tested again, at other lengths or with another scheme.
#include <algorithm>
#include <map>

#include "base/error.h"
#include "base/size.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/position_options.h"
#include "cli/runs.h"
#include "examine/minimal_pairs.h"
#include "examine/shuffled_context.h"
#include "io/format.h"
#include "report/text_study.h"

namespace locus::commands::eval {

// How often the right one of two orders is preferred, by phenomenon and distance.
std::string pairs_table(const TrainedRun& model, const std::string& path, Pool& pool) {
  std::vector<MinimalPair> pairs = read_minimal_pairs(path, model.run.task());
  const std::size_t all_pairs = pairs.size();
  if (const auto omitted_at_default =
          std::erase_if(pairs, [](const MinimalPair& pair) { return pair.unknown; })) {
    const std::string why =
        str(omitted_at_default, " of the ", all_pairs, " pairs have tokens that the model does not know");
    if (pairs.empty())
      fail(path, why, "write pairs of tokens that the trained text has, or train with a smaller --min-count");
    complain(str("warning: ", why, ": they are left out"));
  }
  std::vector<double> preferred(pairs.size());
  pool.run(static_cast<int>(pairs.size()), [&](int i) {
    const auto at = as_size(i);
    preferred[at] = preference(model.run, model.state.parameters.data(), pairs[at]);
  });
  struct Sum {
    double preferred = 0;
    int pairs = 0;
  };
  std::map<std::pair<std::string, int>, Sum> sums;
  Sum all;
  for (std::size_t i = 0; i < pairs.size(); ++i)
    for (Sum* sum : {&sums[{pairs[i].phenomenon, pairs[i].distance}], &all}) {
      sum->preferred += preferred[i];
      ++sum->pairs;
    }
  TextTable table(columns({"phenomenon"}, {"distance", "right one preferred", "pairs"}));
  const auto row = [&](const std::string& name, const std::string& distance, const Sum& sum) {
    table.add_row({name, distance, fixed(sum.preferred / sum.pairs, 3), str(sum.pairs)});
  };
  for (const auto& [key, sum] : sums) row(key.first, str(key.second), sum);
  row("all", "", all);
  return shown(table);
}

std::string shuffle_table(const TrainedRun& model, Pool& pool) {
  std::vector<std::string> titles = {"tokens in order"};
  std::vector<std::vector<ShuffledContext>> all;
  for (const int length : model.run.settings().test_lengths) {
    titles.push_back(str("windows of ", length));
    all.push_back(shuffled_contexts(model.run, model.state.parameters.data(), length, pool));
  }
  TextTable table(columns({}, titles));
  const auto longest = std::ranges::max_element(all, {}, [](const auto& one) { return one.size(); });
  for (std::size_t row = 0; row < longest->size(); ++row) {
    const bool last = row + 1 == longest->size();
    std::vector<TableCell> cells{last ? "all" : str((*longest)[row].in_order)};
    for (const auto& one : all)
      cells.push_back(last                   ? fixed(one.back().loss, 4)
                      : row + 1 < one.size() ? fixed(one[row].loss, 4)
                                             : "-");
    table.add_row(cells);
  }
  return shown(table) +
         "\nloss on the token after each window, in nats, when all tokens of the window but the "
         "last few\nstand in a random order\n";
}

int run(const Arguments& arguments) {
  const std::string figure = svg_path(arguments);
  Checkpoint saved = read_checkpoint(run_folder_of(arguments.positional()[0]));
  const auto change = read_position_change(arguments);
  const RunSettings settings = read_settings(arguments, saved.settings);  // those asked for here
  const TrainedRun model = read_trained(std::move(saved), settings);
  const auto told = change ? std::optional(with_positions(model, *change)) : std::nullopt;
  const std::string &scheme = model.run.settings().model.scheme,
                    &trained = model.checkpoint.settings.model.scheme;
  const int threads = read_threads(arguments, "--threads");
  model.run.require_test_memory(threads);
  Pool pool(threads);
  if (!figure.empty() && model.run.task().form != Form::text)
    fail_usage("eval", "--svg draws the loss on a text by position", "leave it out");
  if (arguments.given("--pairs") || arguments.given("--shuffle-context")) {
    arguments.refuse({"--positions", "--only-layers", "--svg"}, "with --pairs or --shuffle-context");
    if (model.run.task().form != Form::text)
      fail_usage("eval", str("the run was trained on '", model.run.task().name, "', which is not a text"),
                 "--pairs and --shuffle-context are for runs on a .txt");
    if (arguments.given("--pairs")) print_fitted(pairs_table(model, arguments.text("--pairs"), pool));
    if (arguments.given("--shuffle-context")) print_fitted(shuffle_table(model, pool));
    return 0;
  }
  const auto test = [&](const TrainedRun& one) {
    return test_with_progress(one.run, one.state.parameters.data(), pool);
  };
  const auto changed = told ? std::optional(test(*told)) : std::nullopt;
  const std::vector<LengthScore> scores = test(model);
  print_fitted(str(scheme, " on ", model.run.task().name, ", after ", model.state.step, " steps",
                   scheme != trained ? str(" with ", trained) : "",
                   change ? str("; told: with positions ", to_string(*change)) : "", "\n\n",
                   score_table(scores, model.run, changed)));
  if (!figure.empty()) {
    save(figure, svg_document(text_figure(str(scheme, " on ", model.run.task().name), scores,
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
both, as they are and as told. --only-layers tells only some layers, where schemes act inside attention.
  locus eval runs/first/rope-encoder-seed1 --positions constant --only-layers 0
)" + std::string(position_changes),
    .options = {{"--test-lengths", "A,B,C", "lengths to test at (as in the run)"},
                {"--test-examples", "N", "test inputs per length (as in the run)"},
                moved_table,
                {"--scheme", "SPEC", "a scheme instead of the trained one"},
                {"--scheme-by-layer", "SPECS", "instead of --scheme: \"rope none\", for the layers in turn"},
                {"--pairs", "FILE.tsv", "of a text: minimal pairs, and how often the right one is preferred"},
                {"--shuffle-context", "", "of a text: the loss when the words before are shuffled"},
                {"--svg", "FILE", "of a text: draw the loss by position"},
                positions_option,
                only_layers_option,
                {"--threads", "N", "threads (all)"}},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::eval
