// locus probe: how well positions can be read from the hidden states of a trained transformer, beside two controls.
#include "examine/probe.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/size.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/runs.h"
#include "draw/charts.h"
#include "io/format.h"

namespace locus::commands::probe {

// A model to probe: the trained one, or a control.
struct Probed {
  std::string name;
  std::vector<ProbeScores> scores;
};

double score_of(const ProbeScores& scores, ProbeTarget target) { return scores[as_size(target)]; }

// NaN where the target is constant: inputs of one token.
std::string shown_score(double score) { return std::isfinite(score) ? fixed(score, 2) : "-"; }

ProbeInputs read_inputs(const Arguments& arguments, const Run& run) {
  ProbeInputs inputs{arguments.lengths("--lengths", limits::length), 256};
  if (inputs.lengths.empty()) inputs.lengths = usual_probe_lengths(run);
  std::ranges::sort(inputs.lengths);
  inputs.lengths.erase(std::unique(inputs.lengths.begin(), inputs.lengths.end()), inputs.lengths.end());
  return inputs;
}

std::vector<Probed> probe_all(const TrainedRun& trained, const ProbeInputs& inputs) {
  const Model& model = trained.run.model();
  const std::uint64_t seed = trained.run.settings().train.seed;
  const Reals& parameters = trained.state.parameters;
  const auto scores = [&](const Reals& of) { return locus::probe(trained.run, of.data(), inputs); };
  return {{"trained", scores(parameters)},
          {"before training", scores(model.parameters().sample(seed))},
          {"weights permuted", scores(permuted_weights(model, parameters, seed))}};
}

// One table for each target, so that the trained model stands beside its controls.
std::string tables(const Run& run, const std::vector<Probed>& models, const ProbeScores& by_length) {
  const std::vector<std::string> places = probe_places(run);
  std::string out;
  for (const ProbeTarget target : all_probe_targets) {
    std::vector<TableColumn> columns{{to_string(target)}};
    for (const Probed& model : models) columns.push_back({model.name, Align::right});
    TextTable table(columns);
    for (std::size_t place = 0; place < places.size(); ++place) {
      std::vector<TableCell> row{places[place]};
      for (const Probed& model : models) row.push_back(shown_score(score_of(model.scores[place], target)));
      table.add_row(row);
    }
    out += shown(table) + str("the length alone: ", shown_score(score_of(by_length, target)), "\n\n");
  }
  return out;
}

std::string title_of(const Run& run) {
  return str("Positions in ", run.settings().model.scheme, " on ", run.task().name);
}

std::string words_of(const ProbeInputs& inputs) {
  return str("inputs of ", join(inputs.lengths, ", "), " tokens");
}

// What surprises most: that an untrained model holds the positions, too. Told for the last place with scores.
std::string finding_of(const Run& run, const std::vector<Probed>& models) {
  const double trained = score_of(models[0].scores.back(), ProbeTarget::position),
               before = score_of(models[1].scores.back(), ProbeTarget::position);
  if (!std::isfinite(trained) || !std::isfinite(before)) return title_of(run);
  const char* compared = before > trained + 0.02   ? "can be read better before training than after"
                         : before > trained - 0.02 ? "can be read as well before training as after"
                                                   : "can be read better after training than before";
  return str(title_of(run), ' ', compared, ": R² ", fixed(before, 2), " and ", fixed(trained, 2),
             " in the last layer");
}

Figure figure(const Run& run, const std::vector<Probed>& models, const ProbeInputs& inputs) {
  const std::vector<std::string> places = probe_places(run),
                                 unnamed(places.size(), " ");  // beside the first map
  std::vector<HeatMap> maps;
  for (const Probed& model : models) {
    HeatMap& map = maps.emplace_back(HeatMap{.title = model.name,
                                             .rows = model.scores.size(),
                                             .columns = probe_targets,
                                             .values = {},
                                             .row_axis = {"", maps.empty() ? places : unnamed},
                                             .column_axis = {"", {"position", "from end", "from centre"}},
                                             .value_label = "",
                                             .range = Range{0, 1},
                                             .width = maps.empty() ? 390.0 : 250.0});
    for (const ProbeScores& scores : model.scores)
      map.values.insert(map.values.end(), scores.begin(), scores.end());
  }
  return heat_maps(str(finding_of(run, models), " (a linear map, ", words_of(inputs), ")"), maps,
                   maps.size());
}

int run(const Arguments& arguments) {
  const std::string path = svg_path(arguments);
  const TrainedRun trained = read_trained(arguments);
  const Run& run = trained.run;
  if (const std::string damage = not_finite(trained.checkpoint); !damage.empty())
    fail("probe", "the weights hold NaN or infinity, so there is nothing to read from them",
         "train again with a smaller --lr");
  const ProbeInputs inputs = read_inputs(arguments, run);
  const std::vector<Probed> models = probe_all(trained, inputs);
  const ProbeScores by_length = told_by_length(run, inputs);
  if (inputs.lengths.size() == 1)
    complain(
        "inputs of one length: the distance from the end is that length minus the position, so both are recovered "
        "alike. Hint: --lengths A,B,C");
  if (!path.empty()) save(path, svg_document(figure(run, models, inputs)));
  print_fitted(str(
      title_of(run), ": how well a linear map recovers them, by R² on ", words_of(inputs),
      " that it was not fitted on (1: exactly; 0: no better than their mean)\n\n",
      tables(run, models, by_length),
      "If a control scores as high, training did not put it there. Before training: the model as seed ",
      run.settings().train.seed, " begins. Weights permuted: the numbers of each tensor, in random order.\n",
      path.empty() ? "" : str("figure in ", path, "\n")));
  return 0;
}

const RegisterCommand registered{{
    .name = "probe",
    .summary = "Show how well positions can be read from a transformer, layer by layer",
    .usage = "DIR [--lengths A,B,C] [--svg FILE] [options]",
    .details =
        R"(DIR is the folder of a `locus train` run, or last: the newest run in runs/.
A linear map (ridge regression) is fitted from what the model holds of each token (the embedding; each layer
after attention and after feed-forward) to the position of the token, its distance from the end and its
distance from the centre: on every second test input, and measured on the others. A decoder reads BOS, the
input, SEP and the right answer, and positions count over all of these.
Two controls stand beside it, since much can be read from untrained weights: the same model before
training, and the trained one with the numbers of each tensor in random order. "The length alone" is what the
length of the input says: the mean position is higher in longer inputs.
  locus probe runs/sort/rope-encoder-seed1 --svg runs/probe.svg
)",
    .options = {{"--lengths", "A,B,C",
                 "of the inputs (1/2, 2/3, 5/6 and 1 times the longest trained; a dataset's own)"},
                {"--svg", "FILE", "draw a heat map by layer, of the model and both controls"},
                moved_table},
    .least_positional = 1,
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::probe
