// locus attend: what the heads of a trained transformer attend to, and what the model loses without them.
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/size.h"
#include "cli/answer_text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/position_options.h"
#include "cli/runs.h"
#include "draw/charts.h"
#include "examine/attention_maps.h"
#include "io/format.h"
#include "io/utf8.h"
#include "report/attention/attention.h"

namespace locus::commands::attend {

// The maps of one input, or their means over many.
struct Scene {
  std::vector<AttentionMap> maps;
  std::vector<std::string> tokens;  // that the model reads; of a single input only
  std::string heading;              // lines for the terminal
  std::vector<std::string> notes;   // lines for the figure
};

std::vector<std::string> names_of(const Batcher& batcher, const Tokens& tokens) {
  std::vector<std::string> names;
  for (const int token : tokens) names.push_back(batcher.names()[as_size(token)]);
  return names;
}

// Throws UsageError when the model has no position for so many tokens, or a map would be too large to be
// seen.
void check_length(const Run& run, int tokens) {
  const int most = std::min(run.model().capacity(), 512);
  if (tokens > most)
    fail_usage("attend", str("the model would read ", tokens, " tokens; the most is ", most),
               "give a shorter input");
}

// Throws Error when maps hold no numbers: nothing can be shown of them.
void require_numbers(const std::vector<AttentionMap>& maps) {
  if (!all_finite(maps))
    fail("attend", str(computes_no_number, ", so that there is nothing to show"),
         "train again with a smaller --lr");
}

Scene scene_of_input(const Run& run, const Reals& parameters, const std::string& words, bool warns) {
  const Tokens input = read_tokens(run.task(), words);
  check_length(run, run.batcher().model_length(static_cast<int>(input.size())));
  const Answer answer = locus::ask(run, parameters.data(), input);
  return {maps_of(run, parameters, answer),
          names_of(run.batcher(), answer.read),
          answer_text(answer, run, terminal_width(STDOUT_FILENO), is_lively_terminal(STDOUT_FILENO), warns),
          {"input: " + spell(run.task(), input), "answer: " + spell(answer, run) + ", " + verdict(answer)}};
}

Scene scene_of_examples(const Run& run, const Reals& parameters, int length) {
  check_length(run, run.batcher().model_length(length));
  const std::span<const Example> examples = run.task().test_set(length, 256);
  const std::string what = str("mean over ", examples.size(), " test inputs of ", length, " tokens");
  return {mean_attention_maps(transformer_of(run), parameters.data(), run.batcher(), examples),
          {},
          what + "\n",
          {what}};
}

std::string summary_of(const std::vector<AttentionMap>& maps) {
  TextTable table(
      {{"head"}, {"entropy, bits", Align::right}, {"of at most", Align::right}, {"looks most at"}});
  for (const AttentionMap& map : maps) {
    const auto [words, share] = habit_of(map);
    table.add_row({to_string(map.head), fixed(map.entropy, 2), fixed(map.highest_entropy(), 2),
                   str(words, " ", fixed(100 * share, 0), " %")});
  }
  return shown(table);
}

// Two texts, one at the right of the other.
std::string beside(const std::string& left, const std::string& right) {
  if (left.empty()) return right;
  const std::vector<std::string> a = split(left, '\n'), b = split(right, '\n');
  std::size_t width = 0;
  for (const std::string& line : a) width = std::max(width, display_width(line));
  std::string both;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
    std::string line = i < a.size() ? a[i] : "";
    if (i < b.size() && !b[i].empty()) line += std::string(width + 2 - display_width(line), ' ') + b[i];
    if (!line.empty()) both += line + "\n";
  }
  return both;
}

std::string csv(const std::vector<AttentionMap>& maps) {
  std::string out = "layer,head,query,key,weight\n";
  for (const AttentionMap& map : maps)
    for (std::size_t i = 0; i < map.weights.size(); ++i) {
      const auto T = as_size(map.length);
      out += str(map.head.layer, ",", map.head.head, ",", i / T, ",", i % T, ",",
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
      fail_usage("attend", str("head ", name, " is named twice in ", option), "name each once");
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
    columns.push_back({str(length, run.settings().trains_at(length) ? "*" : ""), Align::right});
  TextTable table(columns);
  for (const std::vector<Head>& silent : sets) {
    Reals altered = parameters;
    std::vector<std::string> names;
    for (const Head head : silent) {
      transformer.silence(altered, head.layer, head.head);
      names.push_back(to_string(head));
    }
    std::vector<TableCell> cells{silent.empty() ? "none silenced" : join(names, ", ")};
    const std::vector<LengthScore> scores = run.test(altered.data(), pool);
    if (silent.empty()) warn_of_no_numbers(scores, run);
    for (const LengthScore& at : scores) cells.push_back(fixed(at.score.accuracy(exact), 3));
    table.add_row(cells);
  }
  return str("what a head is worth: ", exact ? "exact match" : "token accuracy",
             " when its output is multiplied by 0, by length; * = trained\n\n", shown(table));
}

// The model as it is; then, when asked for, with another scheme in place of the trained one.
std::vector<TrainedRun> models_of(const Arguments& arguments) {
  std::vector<TrainedRun> models;
  models.push_back(read_trained(arguments));
  if (const std::string scheme = read_scheme(arguments); !scheme.empty()) {
    models.push_back(with_scheme(models.front(), scheme));
  } else if (const auto change = read_position_change(arguments)) {
    models.push_back(with_positions(models.front(), *change));
  }
  return models;
}

Scene scene_of(const Arguments& arguments, const TrainedRun& model, const std::vector<Head>& wanted,
               bool warns) {
  const auto& [checkpoint, run, state] = model;
  Scene scene = arguments.given("--input")
                    ? scene_of_input(run, state.parameters, arguments.text("--input"), warns)
                    : scene_of_examples(run, state.parameters, run.settings().train.lengths.high);
  require_numbers(scene.maps);
  if (!wanted.empty())
    std::erase_if(scene.maps, [&](const AttentionMap& map) { return !std::ranges::count(wanted, map.head); });
  return scene;
}

// "rope on reverse"; of a model with another scheme "none, trained with rope, on reverse"; with other positions "rope,
// told reversed, on reverse".
std::string subject_of(const TrainedRun& model) {
  const std::string &scheme = model.run.settings().model.scheme,
                    &trained = model.checkpoint.settings.model.scheme;
  const auto& change = model.run.change();
  return str(scheme, scheme == trained ? "" : str(", trained with ", trained, ","),
             change ? str(", told ", to_string(*change), ",") : "", " on ", model.run.task().name);
}

void refuse_what_does_not_go_together(const Arguments& arguments) {
  if (arguments.given("--silence"))
    arguments.refuse(
        {"--input", "--heads", "--csv", "--svg", "--html", "--scheme", "--positions", "--only-layers"},
        "with --silence");
  if (arguments.given("--scheme"))
    arguments.refuse({"--csv", "--positions", "--only-layers"}, "with another scheme");
  if (arguments.given("--positions")) arguments.refuse({"--csv"}, "with --positions");
  if (arguments.given("--svg") && arguments.text("--svg") == arguments.text("--html"))
    fail_usage("attend", str("--svg and --html both name '", arguments.text("--svg"), "'"),
               "give each a file of its own");
}

// The models' maps side by side; what they show is the title.
Figure figure_of(const std::vector<Scene>& scenes, const std::vector<std::string>& findings, bool titled) {
  std::vector<Figure> figures;
  for (std::size_t i = 0; i < scenes.size(); ++i)
    figures.push_back(
        attention_figure(titled ? findings[i] : "", scenes[i].notes, scenes[i].maps, scenes[i].tokens));
  if (figures.size() == 1) return figures.front();
  Figure all = panels("", figures, figures.size());
  all.title = join(findings, "; ");
  return all;
}

// For the terminal: what each head reads, in numbers, and then each map in shades, the models' side by side.
std::string sketch(const std::vector<TrainedRun>& models, const std::vector<Scene>& scenes) {
  std::string heads;
  std::vector<std::string> sketches(scenes.front().maps.size());
  const std::size_t width = output_width();
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const std::string heading = str("Attention of ", subject_of(models[i]), "\n", scenes[i].heading, "\n");
    heads += (i > 0 ? "\n" : "") + heading + summary_of(scenes[i].maps);
    const std::vector<HeatMap> maps = attention_heat_maps(scenes[i].maps, scenes[i].tokens);
    const std::size_t each = width / scenes.size();  // whole where the output has no width
    for (std::size_t map = 0; map < maps.size(); ++map)
      sketches[map] = beside(
          sketches[map], shade_map(maps[map], scenes.size() > 1 ? each - 2 : width, map + 1 == maps.size()));
  }
  return heads + "\n" + join(sketches, "\n");
}

int run(const Arguments& arguments) {
  refuse_what_does_not_go_together(arguments);
  const std::string svg = svg_path(arguments), html = page_path(arguments, "--html");
  const std::vector<TrainedRun> models = models_of(arguments);
  const auto& [checkpoint, run, state] = models.front();
  if (arguments.given("--html") && !arguments.given("--input")) {
    const std::span<const Example> tests = run.task().test_set(run.settings().train.lengths.high, 1);
    fail_usage("attend", "--html shows the attention to one input",
               str("give it: --input \"", tests.empty() ? "3 1 2" : spell(run.task(), tests[0].input), '"'));
  }
  const ModelSettings& settings = transformer_of(run).settings();
  if (arguments.given("--silence")) {
    Pool pool(hardware_threads());
    print_fitted(worth_of_heads(run, state.parameters, silences(arguments, settings), pool));
    return 0;
  }
  const std::vector<Head> wanted = read_heads(arguments, "--heads", settings);
  std::vector<Scene> scenes;
  std::vector<std::string> findings;
  for (const TrainedRun& model : models) {
    scenes.push_back(scene_of(arguments, model, wanted, scenes.empty()));
    findings.push_back(attention_finding(subject_of(model), scenes.back().maps));
  }
  std::string written;
  if (!svg.empty()) {
    save(svg, svg_document(figure_of(scenes, findings, true)));
    written += str("\nfigure in ", svg, "\n");
  }
  if (!html.empty()) {
    Pool pool(hardware_threads());
    const std::vector<InputReading> readings =
        readings_of(run, state.parameters, read_tokens(run.task(), arguments.text("--input")),
                    wanted.empty() ? all_heads(settings) : wanted, pool);
    const std::string command =
        str("build/locus attend ", shell_word(arguments.positional().front()), " --input ",
            shell_word(arguments.text("--input")), " --html ", shell_word(html));
    save(html, attention_page(findings.front(), readings, run, figure_of(scenes, findings, scenes.size() > 1),
                              command));
    written += str("\npage in ", html, "\n");
  }
  if (arguments.given("--csv"))
    print(csv(scenes.front().maps));
  else
    print_fitted(sketch(models, scenes) + written);
  return 0;
}

const RegisterCommand registered{{
    .name = "attend",
    .summary = "Show where the heads of a trained model look, and what each is worth",
    .usage = "DIR [--input \"...\"] [--svg FILE] [--html FILE] [options]",
    .details =
        R"(DIR is the folder of a `locus train` run, or last: the newest run in runs/.
With --input, the maps of that input; without it, their mean over 256 test inputs. A map shows what a head
reads, not what the model needs: --silence measures that.
  locus attend runs/sort/none-decoder-seed1 --input "3 1 4 1 5" --svg runs/attention.svg
  locus attend runs/sort/none-decoder-seed1 --input "3 1 4 1 5" --html runs/attention.html
  locus attend runs/sort/none-decoder-seed1 --silence all
  locus attend runs/sort/rope-encoder-seed1 --input "3 1 4 1 5" --scheme none
With --html, the page of one input shows where each head looks from the token that you point at, what
becomes of the maps when two tokens are swapped, and what the answer and the tests lose without a head.
--scheme puts a scheme with the same parameters in place of the trained one: the same input with the one and
the other, side by side; none takes the positions from rope or alibi. (The page explores the trained one.)
--positions likewise shows the input as it is, and with the scheme told other positions.
  locus attend runs/sort/rope-encoder-seed1 --input "3 1 4 1 5" --positions reversed --only-layers 1
)" + std::string(position_changes),
    .options = {{"--input", "TOKENS", "an input, in quotes"},
                {"--heads", "HEADS", "only these, as LAYER.HEAD from 0: 0.0,1.1", true},
                {"--silence", "HEADS", "test without these heads; all: without each in turn", true},
                {"--csv", "", "all weights as CSV: layer,head,query,key,weight"},
                {"--svg", "FILE", "draw the maps, and the offsets of each head"},
                {"--html", "FILE", "write a page on which the maps of the input can be explored"},
                {"--scheme", "SPEC", "beside the trained scheme, the same with this one"},
                positions_option,
                only_layers_option,
                moved_table},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::attend
