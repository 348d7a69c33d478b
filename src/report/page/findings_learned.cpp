// What schemes learned: at the length trained on, and on longer inputs.
#include <algorithm>
#include <set>

#include "base/text.h"
#include "positional/support/spec.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"

namespace locus {

namespace {

// The schemes on a task at its longest inputs, the best first.
std::vector<Judged> at_longest(const std::vector<Judged>& all, const std::string& task) {
  std::vector<Judged> here = all;
  std::erase_if(here, [&](const Judged& one) { return one.row->task != task; });
  if (here.empty()) return here;
  const int longest = std::ranges::max(here, {}, [](const Judged& one) { return one.at.length; }).at.length;
  std::erase_if(here, [&](const Judged& one) { return one.at.length != longest; });
  std::ranges::stable_sort(here, std::ranges::greater(), measure_of);
  return here;
}

// All tasks corrected together.
std::vector<Lead> leads(const ModelRows& view) {
  const std::vector<Judged> all = judged_at(out_of_distribution, view);
  std::vector<Lead> candidates, real_ones;
  std::vector<Tested> differences;
  std::vector<std::ptrdiff_t> ends;  // of the differences of each candidate
  for (const std::string& task : view.tasks) {
    const std::vector<Judged> here = at_longest(all, task);
    if (here.size() < 2 || !is_above(here.front())) continue;
    for (auto other = here.begin() + 1; other != here.end(); ++other)
      differences.push_back(
          tested(*here.front().row, here.front().at, *other->row, other->at).value_or(Tested{{}, 1, 1}));
    ends.push_back(std::ssize(differences));
    candidates.push_back({here[0], here[1], view.at_edge.contains(task)});
  }
  const std::vector<bool> real = told_apart(differences);
  auto first = real.begin();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto end = real.begin() + ends[i];
    if (std::find(first, end, false) == end) real_ones.push_back(candidates[i]);
    first = end;
  }
  return real_ones;
}

// Whether inputs longer than any trained on meet parameters that no step has trained.
bool lacks_parameters(const Judged& one) {
  const auto parts = one.row->settings.model.scheme.known_parts();
  return std::ranges::any_of(parts, [](const Spec::Part& part) { return part.info->trains_each_position; }) &&
         std::ranges::none_of(parts,
                              [](const Spec::Part& part) { return part.info->stage == Stage::positions; });
}

// Schemes that solve the length trained on, and are worse on longer inputs than a model that sees no order.
std::vector<Judged> fallen(const ModelRows& view, bool without_parameters) {
  if (view.generates) return {};
  std::vector<Judged> found = judged_at(out_of_distribution, view);
  std::erase_if(found, [&](const Judged& one) {
    return one.standing != Standing::below || !solves(*one.row) ||
           lacks_parameters(one) != without_parameters;
  });
  return found;
}

// Where the fall is deepest, which is where a finding tells of it.
const Judged& deepest_of(const std::vector<Judged>& all) {
  return *std::ranges::max_element(
      all, {}, [](const Judged& one) { return blind_level(*one.row, one.at) - measure_of(one); });
}

// "`rope` solves sort at 12 tokens, and at 24 tokens gets 0.17, less than the 0.48 that one fixed answer gets. So does
// `shaw` on sort. Less than is possible without order: `rope` on reverse."
std::string fall_of(std::vector<Judged> all, const ModelRows& view) {
  const Judged deepest = deepest_of(all);
  const auto& [row, at, standing] = deepest;
  std::erase_if(all, [&](const Judged& one) { return one.row == deepest.row; });
  const double blind = blind_level(*row, at);
  const auto is_by_order = [](const Judged& one) {
    return blind_level(*one.row, one.at) == one.at.order_blind_ceiling;
  };
  const bool by_order = is_by_order(deepest);
  const auto rest =
      std::ranges::stable_partition(all, [&](const Judged& one) { return is_by_order(one) == by_order; });
  const std::vector<Judged> others(rest.begin(), rest.end());  // that fell below the other level
  all.erase(rest.begin(), rest.end());
  return str(
      code(row->name()), " solves ", row->task, " at ", tokens(*in_distribution(*row)), ", and at ",
      tokens(at), " gets ", score(mean(row->accuracy(at))), ", less than the ", score(blind),
      by_order ? " that is possible without order." : " that one fixed answer gets.",
      all.empty() ? "" : str(all.size() == 1 ? " So does " : " So do ", some_of(by_scheme(all, view)), '.'),
      others.empty()
          ? ""
          : str(by_order ? " Less than one fixed answer: " : " Less than is possible without order: ",
                some_of(by_scheme(others, view)), '.'));
}

}  // namespace

std::optional<Finding> who_learns(const ModelRows& view) {
  std::vector<std::string> names;
  const std::vector<std::string> complete = on_all_tasks(view);
  for (const std::string& scheme : complete)
    if (std::ranges::all_of(view.of_scheme(scheme), [](const ResultRow* row) { return solves(*row); }))
      names.push_back(code(scheme));
  if (names.empty()) return {};
  const bool all = names.size() == complete.size() && names.size() > 1;
  std::set<std::string> schemes;  // of rows that differ in other settings, too, there are fewer
  for (const ResultRow* row : view.rows) schemes.insert(row->scheme);
  const char* rows = schemes.size() == view.schemes.size() ? " schemes" : " models";
  return Finding{"In training",
                 str(all ? str(names.size() == 2 ? "Both" : str("All ", names.size()), rows, " get")
                     : names.size() > 1    ? str(some_of(names, 8), " get")
                     : complete.size() > 1 ? str("Only ", names.front(), " gets")
                                           : str(names.front(), " gets"),
                     " at least 99\u00a0% right on ", all_of_tasks(view.tasks), " at the length trained on",
                     has_seeds(view) ? ", in every seed." : ".")};
}

std::optional<Lead> lone_lead(const ModelRows& view) {
  constexpr double most_right = 0.5, far_behind = 0.25;
  std::optional<Lead> widest;
  if (view.is_text || view.schemes.size() < 3) return {};
  const auto ahead_by = [](const Lead& lead) { return measure_of(lead.best) - measure_of(lead.second); };
  for (const Lead& lead : leads(view))
    if (!lead.at_edge && lead.best.row->scheme != lead.second.row->scheme &&
        measure_of(lead.best) >= most_right && ahead_by(lead) >= far_behind &&
        (!widest || ahead_by(lead) > ahead_by(*widest)))
      widest = lead;
  return widest;
}

// On the longest inputs: the schemes that are ahead of all others (but for the headline's), and the tasks on which no
// scheme is better than a model without order or without its input.
std::optional<Finding> best_beyond(const ModelRows& view) {
  if (!has_seeds(view) || view.is_text) return {};
  const std::vector<Judged> all = judged_at(out_of_distribution, view);
  std::vector<std::string> unbeaten, proven, at_edge;
  std::vector<const ResultRow*> tried;
  for (const std::string& task : view.tasks) {
    const std::vector<Judged> here = at_longest(all, task);
    if (here.empty() || !needs_order_on(here.front()) || std::ranges::any_of(here, is_above)) continue;
    unbeaten.push_back(task);
    for (const Judged& one : here) tried.push_back(one.row);
  }
  const auto told = lone_lead(view);
  for (const auto& [best, second, is_at_edge] : leads(view))
    if (!told || best.row != told->best.row)
      (is_at_edge ? at_edge : proven)
          .push_back(str(code(best.row->name()), " on ", best.row->task, " (", score(measure_of(best)), "; ",
                         score(measure_of(second)) == "0.00" ? "every other"
                                                             : str("next ", code(second.row->name()), ','),
                         ' ', score(measure_of(second)), ')'));
  std::vector<std::string> sentences;
  if (!proven.empty()) sentences.push_back(str("Ahead of all others: ", some_clauses(proven), '.'));
  if (!at_edge.empty())
    sentences.push_back(
        str("Ahead at the learning rates tried, though the best of some scheme is at their edge: ",
            some_clauses(at_edge), '.'));
  if (!unbeaten.empty() && (told || !split_of(view)))  // the headline says it
    sentences.push_back(
        str("On ", some_tasks(unbeaten, view), " no scheme clearly gets ",
            view.generates ? "anything right" : "more than is possible without order or reading", ", ",
            budget_of(tried), '.'));
  if (sentences.empty()) return {};
  return Finding{"On the longest inputs", join(sentences, " ")};
}

std::optional<Finding> learned_by_heart(const ModelRows& view) {
  const std::vector<Judged> found = fallen(view, false);
  if (found.empty()) return {};
  return Finding{"Right is not the same as understood", fall_of(found, view)};
}

// What a scheme with parameters for each position does past the last that was trained shows nothing of the model. Where
// learned_by_heart() tells of a fall, this tells of the reason only.
std::optional<Finding> never_trained(const ModelRows& view) {
  const std::vector<Judged> found = fallen(view, true);
  if (found.empty()) return {};
  const std::vector<std::string> names = by_scheme(found, view);
  return Finding{
      "Positions that were never trained",
      str(fallen(view, false).empty() ? fall_of(found, view)
                                      : str(some_of(names), names.size() == 1 ? " gets" : " get",
                                            " less than is possible without order or reading, too."),
          names.size() == 1 ? " It has" : " They have",
          " parameters for each position, and no training input was long enough to train those of the last ones: they "
          "are as random as at the start.")};
}

}  // namespace locus
