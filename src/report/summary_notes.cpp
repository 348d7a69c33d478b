#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/size.h"
#include "base/text.h"
#include "io/format.h"
#include "io/utf8.h"
#include "report/page/parts.h"
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

// Of a row at the length of a comparison: see above_a_split.
bool is_split(const ResultRow& row, const Comparison& one) {
  const auto at = std::ranges::find(row.by_length, one.length, &RowAtLength::length);
  return at != row.by_length.end() && !row.is_text && above_a_split(row.accuracy(*at));
}

// "undecided (?): sort with t5 at 12 (about 14 seeds would tell), ...": those that few seeds would settle first, if
// mean and spread stayed, and how many only a larger test set would.
std::string undecided(const std::vector<ResultRow>& rows, const std::vector<Comparison>& comparisons) {
  constexpr std::size_t most = 6;
  std::multimap<int, std::string> by_seeds;
  std::size_t never = 0;
  std::vector<std::string> at_rates, split;
  for (const Comparison& one : comparisons) {
    if (one.verdict != Verdict::cannot_tell || one.is_aa) continue;
    const ResultRow& row = rows[one.row];
    if (!one.other_rates.empty())
      at_rates.push_back(str(row.task, " with ", row.name(), " at ", one.length,
                             " (other learning rates disagree: ", one.other_rates, ')'));
    else if (const ResultRow& control = rows[one.control]; is_split(row, one) || is_split(control, one))
      split.push_back(str(row.task, " with ", row.name(), " at ", one.length));
    else if (one.seeds_needed)
      by_seeds.emplace(*one.seeds_needed,
                       str(row.task, " with ", row.name(), one.length == 0 ? "" : str(" at ", one.length),
                           " (about ", *one.seeds_needed, " seeds would tell)"));
    else
      ++never;
  }
  if (by_seeds.empty() && never == 0 && at_rates.empty() && split.empty()) return "";
  std::vector<std::string> parts;
  for (const auto& [seeds, name] : by_seeds)
    if (parts.size() < most) parts.push_back(name);
  if (by_seeds.size() > most) parts.push_back(str(by_seeds.size() - most, " more with more seeds"));
  const std::size_t named = std::min(at_rates.size(), most);
  parts.insert(parts.end(), at_rates.begin(), at_rates.begin() + static_cast<std::ptrdiff_t>(named));
  if (at_rates.size() > named) parts.push_back(str(at_rates.size() - named, " more at other learning rates"));
  if (split.size() > most) split = {str(split.size(), " rows")};
  if (!split.empty()) parts.push_back(str("where seeds are split: ", join(split, ", ")));
  if (never > 0) parts.push_back(str(never, " that no number of seeds would settle, a larger test set may"));
  return str("undecided (?): ", join(parts, ", "));
}

// A line for each word and sign that stands in these tables: what it means.
std::string legend(const std::string& tables, const Study& study, const std::vector<Comparison>& comparisons,
                   std::size_t width, bool colour) {
  std::vector<std::string> signs, verdicts;
  for (const auto& [verdict, sign, meaning] :
       {std::tuple{Verdict::better, "↑", "better than " + study.control},
        {Verdict::worse, "↓", "worse than " + study.control},
        {Verdict::equal, "≈", to_string(Verdict::equal)},
        {Verdict::cannot_tell, "?", "cannot tell"}})
    if (std::ranges::count(comparisons, verdict, &Comparison::verdict) > 0) {
      signs.push_back(sign);
      verdicts.push_back(meaning);
    }
  struct Entry {
    std::string found;  // in the tables
    std::string sign, meaning;
  };
  const std::vector<Entry> entries = {
      {"order-blind", "order-blind", "the most that an encoder gets which does not see order; counted"},
      {"mirror-blind", "mirror-blind", "the same, if it cannot tell an input from its mirror image"},
      {"windows ", "windows", "the most that can be had from what windows reach; counted"},
      {"no input", "no input", "always the most frequent answer"},
      {"  solved", "solved",
       str("seeds that get ", in_percent(solved_accuracy),
           " % of fresh inputs right, @ after how many steps")},
      {"  ms", "ms", "for a step of training, on one thread"},
      {"perplexity", "perplexity", "e to the mean loss of a token; a text is judged by that loss"},
      {"\nunigram", "unigram", "a model that counts tokens; bigram: pairs of tokens"},
      {"\nfloor", "floor", "the grammar that wrote the text: nothing can do better"},
      {" to ", "(.26 to 1)", "95 % interval: seeds differ, and the test set is finite"},
      {"¦", "2/3¦", "split: no seed is near the mean; how many are above it, and that rate's interval"},
      {signs.empty() ? "" : signs[0], join(signs, " "),
       join(verdicts, ", ") + "; paired by seeds, 5 % for all schemes of a task and length (Holm)"},
      {"⊤", "⊤",
       str("within ", significant(equivalence_margin, 2), " of mirror-blind: no training makes it better")},
      {"⊥", "⊥", "below reading nothing; of a text: below unigram"},
      {"(again)", "(again)", "the same on other seeds: what differs is chance"},
      {", taken away", "taken away", "trained with positions, tested without them"},
      {"trained_as", "trained_as", "trained as this scheme, tested as the one that is named"},
      {"recalibrate", "recalibrate", "steps that the trained model went on with the scheme named"},
      {colour ? "  solved" : "", "green", "solved in every seed; pale: no better than order-blind"}};
  std::string out;
  for (const auto& [found, sign, meaning] : entries)
    if (!found.empty() && tables.find(found) != tables.npos)
      out += str(sign, std::string(14 - std::min<std::size_t>(display_width(sign), 12), ' '), meaning, '\n');
  if (std::ranges::count(comparisons, Verdict::none_with_one_seed, &Comparison::verdict) > 0)
    out += "no sign       one seed to compare: no verdict\n";
  return fitted(out, width);
}

}  // namespace

std::string unlike_control(const Study& study, const std::vector<Comparison>& comparisons) {
  std::map<std::string, std::set<std::string>> schemes;  // by the setting that differs
  bool has_rates = false;
  for (const Comparison& one : comparisons)
    for (const Setting* setting : settings_apart(study.rows[one.row], study.rows[one.control]))
      if (setting->role.is_rate)
        has_rates = study.chosen.empty();
      else
        schemes[setting->name].insert(study.rows[one.row].scheme);
  std::vector<std::string> parts;
  for (const auto& [setting, those] : schemes)
    parts.push_back(str(setting, " (", some_of({those.begin(), those.end()}), ')'));
  const std::string rates = has_rates ? "Each scheme has a learning rate of its own." : "";
  if (parts.empty()) return rates;
  return str("More than the scheme differs from the control: ", join(parts, ", "), has_rates ? ". " : ".",
             rates);
}

std::string summary_notes(const std::string& tables, const Study& study,
                          const std::vector<Comparison>& comparisons, std::size_t width, bool colour) {
  std::string out;
  for (const ResultRow& row : study.rows)
    if (only_some_seeds_solve(row)) out += wrapped(disagreement(row), width);
  if (const std::string words = undecided(study.rows, comparisons); !words.empty())
    out += wrapped(words, width);
  if (const std::string words = unlike_control(study, comparisons); !words.empty())
    out += wrapped(words, width);
  return out + legend(tables, study, comparisons, width, colour);
}

}  // namespace locus
