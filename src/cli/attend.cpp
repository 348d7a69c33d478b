// locus attend: what the heads of a trained transformer attend to, and what the model loses without them.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/file.h"
#include "cli/command.h"
#include "report/answer_text.h"
#include "report/charts.h"
#include "report/figures.h"
#include "report/format.h"
#include "train/attention_maps.h"

namespace locus::commands::attend {

const Transformer& transformer_of(const Run& run) {
  const auto* transformer = dynamic_cast<const Transformer*>(&run.model());
  if (!transformer)
    fail_usage("attend", text("the model is a ", run.model().settings().kind, ", which has no attention"),
               "train one with --model encoder or decoder");
  return *transformer;
}

// The maps of one input, or their means over many.
struct Scene {
  std::vector<AttentionMap> maps;
  std::vector<std::string> tokens;  // that the model reads; of a single input only
  std::string heading;              // lines for the terminal
};

std::vector<std::string> names_of(const Batcher& batcher, const Tokens& tokens) {
  std::vector<std::string> names;
  for (const int token : tokens) names.push_back(batcher.names()[static_cast<std::size_t>(token)]);
  return names;
}

// Throws UsageError when the model has no position for so many tokens, or a map would be too large to be
// seen.
void check_length(const Run& run, int tokens) {
  const int most = std::min(run.model().capacity(), 512);
  if (tokens > most)
    fail_usage("attend", text("the model would read ", tokens, " tokens; the most is ", most),
               "give a shorter input");
}

Scene scene_of_input(const Run& run, const Reals& parameters, const std::string& words) {
  const Tokens input = read_tokens(run.task(), words);
  check_length(run, run.batcher().model_length(static_cast<int>(input.size())));
  const Answer answer = ask(run, parameters.data(), input);
  return {attention_maps(transformer_of(run), parameters.data(), answer.read),
          names_of(run.batcher(), answer.read),
          answer_text(answer, run, terminal_width(STDOUT_FILENO), is_lively_terminal(STDOUT_FILENO))};
}

Scene scene_of_examples(const Run& run, const Reals& parameters, int length, int count) {
  check_length(run, run.batcher().model_length(length));
  const std::span<const Example> examples = run.task().test_set(length, count);
  return {mean_attention_maps(transformer_of(run), parameters.data(), run.batcher(), examples),
          {},
          text("mean over ", examples.size(), " test inputs of ", length, " tokens\n")};
}

// The offset that gets most of a head's attention.
std::string favourite_offset(const AttentionMap& map) {
  const std::vector<double> shares = map.share_by_offset();
  const auto best = static_cast<int>(std::ranges::max_element(shares) - shares.begin());
  const int offset = best - map.length + 1;
  return text(offset == 0  ? "itself"
              : offset < 0 ? text(-offset, " before")
                           : text(offset, " after"),
              " ", fixed(100 * shares[static_cast<std::size_t>(best)], 0), " %");
}

std::string summary_of(const std::vector<AttentionMap>& maps) {
  TextTable table(
      {{"head"}, {"entropy, bits", Align::right}, {"of at most", Align::right}, {"looks most at"}});
  for (const AttentionMap& map : maps)
    table.add_row(
        {to_string(map.head), fixed(map.entropy, 2), fixed(map.highest_entropy(), 2), favourite_offset(map)});
  return shown(table);
}

std::string csv(const std::vector<AttentionMap>& maps) {
  std::string out = "layer,head,query,key,weight\n";
  for (const AttentionMap& map : maps)
    for (std::size_t i = 0; i < map.weights.size(); ++i) {
      const auto T = static_cast<std::size_t>(map.length);
      out += text(map.head.layer, ",", map.head.head, ",", i / T, ",", i % T, ",",
                  significant(map.weights[i], 9), "\n");
    }
  return out;
}

std::vector<Head> read_heads(const Arguments& arguments, std::string_view option,
                             const ModelSettings& settings) {
  std::vector<Head> heads;
  for (const std::string& name : arguments.names(option)) {
    heads.push_back(parse_head(name, settings));
    if (std::ranges::count(heads, heads.back()) > 1)
      fail_usage("attend", text("head ", name, " is named twice in ", option), "name each once");
  }
  return heads;
}

// The sets of heads to silence, one per row of the table: none, for comparison; then each head alone, or the
// heads that are named.
std::vector<std::vector<Head>> silences(const Arguments& arguments, const ModelSettings& settings) {
  std::vector<std::vector<Head>> sets{{}};
  if (arguments.names("--silence") == std::vector<std::string>{"all"})
    for (const Head head : all_heads(settings)) sets.push_back({head});
  else
    sets.push_back(read_heads(arguments, "--silence", settings));
  return sets;
}

std::string worth_of_heads(const Run& run, const Reals& parameters,
                           const std::vector<std::vector<Head>>& sets, Pool& pool) {
  const Transformer& transformer = transformer_of(run);
  const bool exact = run.batcher().generates();
  std::vector<TableColumn> columns{{"without head"}};
  for (const int length : run.settings().test_lengths)
    columns.push_back({text(length, run.settings().trains_at(length) ? "*" : ""), Align::right});
  TextTable table(columns);
  for (const std::vector<Head>& silent : sets) {
    Reals altered = parameters;
    std::vector<std::string> names;
    for (const Head head : silent) {
      transformer.silence(altered, head.layer, head.head);
      names.push_back(to_string(head));
    }
    std::vector<TableCell> cells{silent.empty() ? "none silenced" : join(names, ", ")};
    for (const LengthScore& at : run.test(altered.data(), pool))
      cells.push_back(fixed(at.score.accuracy(exact), 3));
    table.add_row(cells);
  }
  return text("what a head is worth: ", exact ? "exact match" : "token accuracy",
              " when its output is multiplied by 0, by length; * = trained\n\n", shown(table));
}

int run(const Arguments& arguments) {
  const auto [checkpoint, run, state] = read_trained(arguments);
  const ModelSettings& model = transformer_of(run).settings();
  const Reals& parameters = state.parameters;

  if (arguments.given("--silence"))
    arguments.refuse({"--input", "--length", "--examples", "--heads", "--csv", "--svg"}, "with --silence");
  else
    arguments.refuse({"--threads"}, "without --silence");
  if (arguments.given("--input")) arguments.refuse({"--length", "--examples"}, "with --input");

  if (arguments.given("--silence")) {
    Pool pool(read_threads(arguments, "--threads"));
    print(worth_of_heads(run, parameters, silences(arguments, model), pool));
    return 0;
  }
  const std::vector<Head> wanted = read_heads(arguments, "--heads", model);
  Scene scene = arguments.given("--input")
                    ? scene_of_input(run, parameters, arguments.text("--input"))
                    : scene_of_examples(
                          run, parameters,
                          arguments.integer("--length", run.settings().train.lengths.high, 1, most::length),
                          arguments.integer("--examples", 256, 1, most::test_examples));
  if (!wanted.empty())
    std::erase_if(scene.maps, [&](const AttentionMap& map) { return !std::ranges::count(wanted, map.head); });

  const std::string title = text("Attention of ", model.scheme, " on ", run.task().name);
  const std::string figure = arguments.text("--svg");
  if (!figure.empty())
    write_file_atomically(figure, svg_document(attention_figure(title, scene.maps, scene.tokens)));
  if (arguments.given("--csv")) {
    print(csv(scene.maps));
    return 0;
  }
  std::string sketches;
  for (const HeatMap& map : attention_heat_maps(scene.maps, scene.tokens)) sketches += "\n" + shade_map(map);
  print(text(title, "\n", scene.heading, "\n", summary_of(scene.maps), sketches,
             figure.empty() ? "" : text("\nfigure in ", figure, "\n")));
  return 0;
}

const RegisterCommand registered{{
    .name = "attend",
    .summary = "Show what the heads of a trained transformer attend to, and what each is worth",
    .usage = "DIR [--input \"...\"] [--svg FILE] [options]",
    .details =
        R"(DIR is the folder of a `locus train` run. With --input, the maps of that input; without it, their
mean over test inputs. A map shows what a head reads, not what the model needs: --silence measures that.
  locus attend runs/sort/none-decoder-seed1 --input "3 1 4 1 5" --svg runs/attention.svg
  locus attend runs/sort/none-decoder-seed1 --silence all
)",
    .options = {{"--input", "TOKENS", "an input, in quotes"},
                {"--length", "T", "of the test inputs, without --input (the longest trained)"},
                {"--examples", "N", "number of test inputs, without --input (256)"},
                {"--heads", "HEADS", "only these, as LAYER.HEAD from 0: 0.0,1.1", true},
                {"--silence", "HEADS", "test without these heads; all: without each in turn", true},
                {"--csv", "", "all weights as CSV: layer,head,query,key,weight"},
                {"--svg", "FILE", "draw the maps, and the offsets of each head"},
                moved_table,
                {"--threads", "N", "threads for --silence (all)"}},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::attend
