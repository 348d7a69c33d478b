// The results as a table for other programs: a spreadsheet, pandas, awk.
#include <algorithm>
#include <cmath>
#include <optional>

#include "base/text.h"
#include "report/summary_table.h"
#include "train/settings.h"

namespace locus {

namespace {

// A cell holds commas, as in rope:base=100,layout=half, only within quotes.
std::string quoted(const std::string& cell) {
  if (cell.find_first_of(",\"\n") == cell.npos) return cell;
  std::string out = "\"";
  for (const char c : cell) out += c == '"' ? "\"\"" : std::string(1, c);
  return out + '"';
}

std::string number(std::optional<double> value) { return value && !std::isnan(*value) ? str(*value) : ""; }

// Besides those that have columns of their own.
std::vector<const Setting*> settings_that_differ(const std::vector<Result>& results) {
  std::vector<const Setting*> found;
  for (const Setting& setting : all_settings()) {
    const std::string name = setting.name;
    if (name == "task" || name == "scheme" || name == "model" || name == "seed") continue;
    if (std::ranges::any_of(results, [&](const Result& one) {
          return value_text(setting, one.settings) != value_text(setting, results.front().settings);
        }))
      found.push_back(&setting);
  }
  return found;
}

}  // namespace

std::string results_csv(const std::vector<Result>& results) {
  const std::vector<const Setting*> differ = settings_that_differ(results);
  std::vector<std::string> cells = {"task", "scheme", "model", "seed"};
  for (const Setting* setting : differ) cells.push_back(setting->name);
  for (const char* name :
       {"parameters", "steps", "steps_to_solve", "status", "length", "trained", "token_accuracy",
        "exact_match", "loss", "order_blind_ceiling", "mirror_blind_ceiling", "window_ceiling",
        "no_input_baseline", "unigram_loss", "bigram_loss", "examples"})
    cells.push_back(name);
  std::string out = join(cells, ",") + "\n";
  for (const auto& [settings, outcome, where] : results)
    for (const LengthScore& at : outcome.by_length) {
      cells = {settings.task.empty() ? settings.dataset : settings.task, to_string(settings.model.scheme),
               to_string(settings.model.kind), str(settings.train.seed)};
      for (const Setting* setting : differ) cells.push_back(value_text(*setting, settings));
      const Score& score = at.score;
      for (const std::string& cell :
           {str(outcome.parameters), str(outcome.steps),
            outcome.steps_to_solve ? str(*outcome.steps_to_solve) : std::string(), to_string(outcome.status),
            str(at.length), std::string(settings.train.lengths.contains(at.length) ? "yes" : "no"),
            number(score.token_accuracy), number(score.exact_match),
            number(score.text ? std::optional(score.text->loss) : std::nullopt),
            number(at.order_blind_ceiling), number(at.mirror_blind_ceiling), number(at.window_ceiling),
            number(at.no_input_baseline), number(at.text ? std::optional(at.text->unigram) : std::nullopt),
            number(at.text ? at.text->bigram : std::nullopt), str(score.examples)})
        cells.push_back(cell);
      for (std::string& cell : cells) cell = quoted(cell);
      out += join(cells, ",") + "\n";
    }
  return out;
}

}  // namespace locus
