// locus inspect: the numbers of a scheme, untrained or in a trained model, as a table, CSV or figure.
#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/named.h"
#include "cli/command.h"
#include "cli/inspect/view.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "io/format.h"
#include "io/terminal.h"
#include "model/model.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"

namespace locus::commands::inspect {

// Without --what, the first of them that the scheme has is shown.
const std::vector<View> views{embedding_view(),  frequencies_view(), bias_view(),   buckets_view(),
                              similarity_view(), distance_view(),    clocks_view(), scores_view()};

std::vector<std::string> view_names() {
  std::vector<std::string> names;
  for (const View& view : views) names.push_back(view.name);
  return names;
}

std::string view_list() {
  std::string list;
  for (const View& view : views) {
    std::string name = view.name;
    name.resize(13, ' ');
    list += str("  ", name, view.summary, ": ", view.header, "\n");
  }
  return list;
}

const View& choose_view(const Inspected& subject, const std::string& wanted) {
  if (!wanted.empty()) get_named("inspect", "--what", views, wanted, &View::name);
  std::vector<std::string> possible;
  for (const View& view : views)
    if (view.shows(subject)) possible.push_back(view.name);
  const std::string name = wanted.empty() ? possible.front() : wanted;
  if (!std::ranges::count(possible, name))
    fail_usage("inspect", str("'", subject.spec, "' has no ", name), "it has: " + join(possible, ", "));
  return *std::ranges::find(views, name, &View::name);
}

std::string csv(const View& view, const Rows& rows) {
  std::string out = view.header + "\n";
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) out += (i ? "," : "") + significant(row[i], 12);
    out += "\n";
  }
  return out;
}

void refuse_too_many(std::string_view what, double count, std::string_view hint) {
  constexpr int most = 4'000'000;  // a few hundred MB, and far more than a figure can show
  if (count > most)
    fail_usage("inspect", str("there would be ", fixed(count, 0), " ", what, ", more than ", most), hint);
}

// Throws Error for what leaves the range of a float: neither a table nor a figure can show it.
void require_numbers(const Inspected& subject, const View& view, const Rows& rows) {
  const auto wrong = std::ranges::count_if(rows, [](const auto& row) {
    return !std::ranges::all_of(row, [](double x) { return std::isfinite(x); });
  });
  if (wrong == 0) return;
  const std::string damage = subject.trained ? not_finite(*subject.trained) : "";
  fail("inspect",
       str(wrong, " of the ", rows.size(), " rows of ", view.name, " hold no number (NaN or infinity)"),
       !damage.empty() ? str(damage, ": train again with a smaller --lr")
                       : str("the numbers of '", subject.spec,
                             "' leave the range of a float: choose a smaller --length"));
}

bool read_causal(const Arguments& arguments) {
  const ModelKind kind = parse_model_kind(arguments.text("--model", "encoder"));
  if (is_recurrent(kind))
    fail_usage("inspect", str("schemes are shown in transformers, and ", kind, " is none"),
               "give --model encoder or decoder");
  return kind == ModelKind::decoder;
}

// Whether this is the folder of a run, or last, rather than a SPEC. What begins with the name of a scheme is always a
// SPEC, also rope:still=1/2.
bool names_run(const std::string& word) {
  const std::string first = word.substr(0, word.find_first_of(":+"));
  return !std::ranges::count(all_schemes(), first, &SchemeInfo::name) &&
         (word == "last" || word.find('/') != word.npos || has_checkpoint(word));
}

// What the model of a run has learned.
Inspected subject_of_run(const Arguments& arguments, int length) {
  arguments.refuse({"--d-model", "--heads", "--model"}, "with a run");
  TrainedRun trained = read_trained(arguments);
  const ModelSettings& model = trained.run.model().settings();
  if (is_recurrent(model.kind) || model.scheme.is_by_layer())
    fail_usage("inspect",
               is_recurrent(model.kind)
                   ? str("the model is a ", model.kind, ", and schemes are shown in transformers")
                   : str("the layers of the model have schemes of their own: ", model.scheme),
               "inspect a SPEC, or a run with one scheme in a transformer");
  Inspected subject{.spec = model.scheme,
                    .shape = {.d_model = model.d_model,
                              .heads = model.heads,
                              .causal = model.kind == ModelKind::decoder,
                              .layers = model.layers},
                    .length = length,
                    .vocabulary = trained.run.batcher().vocabulary()};
  subject.digits = trained.run.model().task_shape().digits;
  subject.shape.digits = subject.digits;
  subject.trained = std::move(trained.checkpoint);
  return subject;
}

int run(const Arguments& arguments) {
  const std::string figure = svg_path(arguments);
  const int length = arguments.integer("--length", 32, 1, 1 << 16);
  Inspected subject =
      names_run(arguments.positional()[0])
          ? subject_of_run(arguments, length)
          : Inspected{.spec = arguments.positional()[0],
                      .shape = {arguments.integer("--d-model", 32, 1, 1 << 16),
                                arguments.integer("--heads", 2, 1, 1 << 10), read_causal(arguments)},
                      .length = length};
  check({.layers = 1, .heads = subject.shape.heads, .d_model = subject.shape.d_model, .d_ff = 1}, {});
  subject.scheme = make_scheme(subject.spec, subject.shape, subject.table);
  refuse_too_many("parameters", static_cast<double>(subject.table.count()),
                  "give it a smaller capacity or --d-model");
  subject.parameters = subject.values(subject.table);

  const View& view = choose_view(subject, arguments.text("--what"));
  refuse_too_many(str("numbers in ", view.name), view.size(subject),
                  "choose a smaller --length, --d-model or --heads");
  const Rows rows = view.rows(subject);
  require_numbers(subject, view, rows);
  if (!figure.empty()) save(figure, svg_document(figure_of(view, subject, rows)));
  if (arguments.given("--csv"))
    print(csv(view, rows));
  else
    print(str(subject.spec, subject.trained ? ", trained" : "", ", ", view.name, "\n\n",
              sketch_of(view, subject, rows), figure.empty() ? "" : str("figure in ", figure, "\n")));
  return 0;
}

const RegisterCommand registered{{
    .name = "inspect",
    .summary = "Show the numbers of a scheme: codes, frequencies, biases ...",
    .usage = "(SPEC | DIR) [--what W] [options]",
    .details =
        "Nothing is trained: of a SPEC, learned tables show their initial values. Of DIR, the folder of a\n"
        "`locus train` run, or last, the newest run in runs/, they show what was learned; of schemes with\n"
        "numbers of each layer, those of the first.\n"
        "  locus inspect sinusoidal --length 64 --d-model 64 --svg codes.svg\n"
        "  locus inspect alibi --heads 4 --csv\n"
        "  locus inspect runs/sort/t5-encoder-seed1 --what bias --svg learned.svg\n\n"
        "Views, with the columns of their CSV; a scheme has those that apply to it:\n" +
        view_list(),
    .options = {{"--what", "W", "which view (the first that the scheme has)"},
                {"--length", "T", "positions 0 to T-1 (32)"},
                {"--d-model", "D", "width of the model (32)"},
                {"--heads", "H", "attention heads (2)"},
                {"--model", "KIND", "encoder or decoder (encoder)"},
                {"--csv", "", "all numbers as CSV, with a header line"},
                {"--svg", "FILE", "draw them"}},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::inspect
