#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/size.h"
#include "base/text.h"
#include "io/format.h"
#include "report/summary_table.h"
#include "tasks/support/table.h"
#include "train/trainer.h"

namespace locus {

namespace {

// When only some seeds solved the task, the rate of success says more than the mean.
std::string disagreement(const ResultRow& row) {
  const std::size_t solved = row.steps_to_solve.size();
  const auto [low, high] = success_interval(solved, as_size(row.seeds()));
  return str(row.task, " with ", row.name(), ": ", solved, " of ", row.seeds(),
             " seeds solved it, a rate from ", fixed(low, 2), " to ", fixed(high, 2));
}

// "cannot tell (?): sort with t5 at 12 (about 14 seeds would), ...": those that few seeds would settle first, and how
// many only a larger test set would.
std::string undecided(const std::vector<ResultRow>& rows, const std::vector<Comparison>& comparisons) {
  constexpr std::size_t most = 6;
  std::multimap<int, std::string> by_seeds;
  std::size_t never = 0;
  std::vector<std::string> at_rates;
  for (const Comparison& one : comparisons) {
    if (one.verdict != Verdict::cannot_tell || one.is_aa) continue;
    const ResultRow& row = rows[one.row];
    if (!one.other_rates.empty())
      at_rates.push_back(str(row.task, " with ", row.name(), " at ", one.length,
                             " (other learning rates disagree: ", one.other_rates, ')'));
    else if (one.seeds_needed)
      by_seeds.emplace(*one.seeds_needed,
                       str(row.task, " with ", row.name(), one.length == 0 ? "" : str(" at ", one.length),
                           " (about ", *one.seeds_needed, " seeds would)"));
    else
      ++never;
  }
  if (by_seeds.empty() && never == 0 && at_rates.empty()) return "";
  std::vector<std::string> parts;
  for (const auto& [seeds, name] : by_seeds)
    if (parts.size() < most) parts.push_back(name);
  if (by_seeds.size() > most) parts.push_back(str(by_seeds.size() - most, " more with more seeds"));
  const std::size_t named = std::min(at_rates.size(), most);
  parts.insert(parts.end(), at_rates.begin(), at_rates.begin() + static_cast<std::ptrdiff_t>(named));
  if (at_rates.size() > named) parts.push_back(str(at_rates.size() - named, " more at other learning rates"));
  if (never > 0) parts.push_back(str(never, " that no number of seeds would settle, a larger test set may"));
  return str("cannot tell (?), if mean and spread stay as they are: ", join(parts, ", "));
}

std::string legend(const Study& study, const std::vector<Comparison>& comparisons, bool has_below,
                   std::size_t width, bool colour) {
  const std::vector<ResultRow>& rows = study.rows;
  const std::string& control = study.control;
  const auto is_shown = [&](std::optional<double> RowAtLength::*baseline) {
    return std::ranges::any_of(rows, [&](const ResultRow& row) {
      return is_of_measure(baseline, row) && std::ranges::any_of(row.by_length, [&](const RowAtLength& at) {
               return (at.*baseline).has_value();
             });
    });
  };
  std::string words;
  if (is_shown(&RowAtLength::order_blind_ceiling))
    words +=
        "order-blind: the best accuracy of an encoder that sees the tokens but not their order, found by "
        "counting; ";
  if (is_shown(&RowAtLength::window_ceiling))
    words +=
        "windows: the best accuracy of a model that sees no farther than its windows, found by counting; ";
  if (is_shown(&RowAtLength::no_input_baseline))
    words += "no input: always the most frequent answer; a model that sees order can reach 1.000. ";
  const bool only_texts = std::ranges::all_of(rows, &ResultRow::is_text);
  if (!only_texts)
    words += str("solved: seeds that answered ", in_percent(solved_accuracy),
                 " % of fresh examples without a mistake, @ the mean number of steps until then",
                 study.have_times() ? "; ms: per step of training, on one thread." : ".");
  if (colour && !only_texts)
    words += " Green: solved in every seed; pale: shown to be no better than order-blind, after these steps.";
  if (std::ranges::any_of(rows, is_mirror_blind))
    words += " mirror-blind: of an encoder that cannot tell an input from its mirror image.";
  if (std::ranges::any_of(rows, [](const ResultRow& row) {
        return std::ranges::any_of(
            row.by_length, [&](const RowAtLength& at) { return is_on_mirror_blind_ceiling(row, at); });
      }))
    words += str(" ⊤ within ", significant(equivalence_margin, 2),
                 " of it: with such a scheme no training makes it better.");
  if (std::ranges::any_of(rows, &ResultRow::is_text))
    words +=
        " perplexity: e to the mean loss of a token; unigram, bigram: of models made by counting; floor: of the "
        "grammar that wrote a generated text. A text is judged by its loss in windows.";
  if (has_below && !only_texts) words += " ⊥ less than no input gets: below reading nothing.";
  if (has_below && std::ranges::any_of(rows, &ResultRow::is_text))
    words += " ⊥ of a text: a higher perplexity than unigram.";
  if (std::ranges::any_of(rows, [](const ResultRow& row) { return row.seeds() > 1 && !row.is_text; }))
    words += " (.26 to 1): the interval allows for the spread over seeds and for the size of the test set.";
  std::vector<std::string> signs;
  for (const auto& [verdict, meaning] : {std::pair{Verdict::better, "↑ better than " + control},
                                         {Verdict::worse, "↓ worse than " + control},
                                         {Verdict::equal, str("≈ ", to_string(Verdict::equal))},
                                         {Verdict::cannot_tell, "? cannot tell"}})
    if (std::ranges::count(comparisons, verdict, &Comparison::verdict) > 0) signs.push_back(meaning);
  if (!signs.empty())
    words +=
        str(" ", join(signs, ", "),
            ": paired differences over seeds, the schemes of one task at one length at 5 % together (Holm).");
  const auto untested = std::ranges::count(comparisons, Verdict::none_with_one_seed, &Comparison::verdict);
  if (untested > 0)
    words +=
        str(" No sign where there is one seed to compare: ", to_string(Verdict::none_with_one_seed), ".");
  if (const auto again = std::ranges::find(rows, true, &ResultRow::again); again != rows.end())
    words += str(" ", again->scheme, " (again): ", again->scheme == control ? "the control" : again->scheme,
                 " on other seeds; what differs is chance.");
  if (std::ranges::any_of(rows, [](const ResultRow& row) { return !row.settings.trained_as.empty(); }))
    words += " All were trained as one scheme (trained_as in the results), and tested as named here.";
  if (std::ranges::any_of(rows, [](const ResultRow& row) { return row.settings.recalibrate > 0; }))
    words += " recalibrate: the steps that the trained model then went on with the scheme named.";
  return wrapped(words.substr(words.find_first_not_of(' ')), width);
}

}  // namespace

std::string unlike_control(const Study& study, const std::vector<Comparison>& comparisons) {
  constexpr std::size_t most_named = 6;
  std::map<std::string, std::set<std::string>> schemes;  // by the setting that differs
  for (const Comparison& one : comparisons) {
    const ResultRow& row = study.rows[one.row];
    for (const Setting* setting : settings_apart(row, study.rows[one.control]))
      if (study.chosen.empty() || !setting->role.is_rate) schemes[setting->name].insert(row.scheme);
  }
  std::vector<std::string> parts;
  for (const auto& [setting, those] : schemes) {
    std::vector<std::string> names(those.begin(), those.end());
    if (names.size() > most_named) names = {str(names.size(), " schemes")};
    parts.push_back(str(setting, " (", join(names, ", "), ")"));
  }
  if (parts.empty()) return "";
  return "compared with a control that differs in more than the scheme: " + join(parts, ", ");
}

std::string unequal_note(const Study& study, const std::string& words) {
  std::map<std::string, std::string> clauses;  // by the setting
  bool have_own_rates = false;
  for (const Comparison& one : compare(study.rows, study.control)) {
    const ResultRow &row = study.rows[one.row], &control = study.rows[one.control];
    if (words.find(str('`', row.name(), '`')) == words.npos) continue;
    for (const Setting* setting : settings_apart(row, control)) {
      if (row.variant.find(str(setting->name, '=')) != row.variant.npos) continue;
      have_own_rates |= setting->role.is_rate;
      if (!setting->role.is_rate)
        clauses[setting->name] =
            str('`', row.scheme, "` has ", setting->name, ' ', value_text(*setting, row.settings), ", `",
                control.scheme, "` ", value_text(*setting, control.settings));
    }
  }
  std::vector<std::string> parts;
  for (const auto& entry : clauses) parts.push_back(entry.second);
  if (have_own_rates) parts.push_back("each scheme is at its own learning rate");
  return parts.empty() ? "" : str("Not alike: ", join(parts, "; "), '.');
}

std::string summary_notes(const Study& study, const std::vector<Comparison>& comparisons, bool has_below,
                          std::size_t width, bool colour) {
  std::string out;
  for (const ResultRow& row : study.rows)
    if (only_some_seeds_solve(row)) out += wrapped(disagreement(row), width);
  if (const std::string words = undecided(study.rows, comparisons); !words.empty())
    out += wrapped(words, width);
  if (const std::string words = unlike_control(study, comparisons); !words.empty())
    out += wrapped(words, width);
  return out + legend(study, comparisons, has_below, width, colour);
}

}  // namespace locus
