// What schemes learned: at the length trained on, and on longer inputs.
#include <algorithm>
#include <functional>

#include "base/text.h"
#include "positional/support/spec.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"

namespace locus {

namespace {

// "sort and before", or "16 of 23 tasks" when they are too many to name.
std::string some_tasks(const std::vector<std::string>& tasks, const ModelRows& view) {
  return tasks.size() > 5 ? str(tasks.size(), " of ", view.tasks.size(), " tasks") : list_of(tasks);
}

// "`rope` on sort and before" for each scheme of these.
std::vector<std::string> by_scheme(const std::vector<Judged>& all, const ModelRows& view) {
  std::vector<std::string> clauses;
  for (const std::string& scheme : view.schemes) {
    std::vector<std::string> tasks;
    for (const Judged& one : all)
      if (one.row->name() == scheme) tasks.push_back(one.row->task);
    if (!tasks.empty()) clauses.push_back(str(code(scheme), " on ", some_tasks(tasks, view)));
  }
  return clauses;
}

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

// All tasks corrected together. None where a better learning rate of some scheme may lie beyond those tried.
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
    candidates.push_back({here[0], here[1]});
  }
  const std::vector<bool> real = told_apart(differences);
  auto first = real.begin();
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const auto end = real.begin() + ends[i];
    if (std::find(first, end, false) == end && !view.at_edge.contains(candidates[i].best.row->task))
      real_ones.push_back(candidates[i]);
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

}  // namespace

std::optional<Finding> who_learns(const ModelRows& view) {
  std::vector<std::string> names;
  const std::vector<std::string> complete = on_all_tasks(view);
  for (const std::string& scheme : complete)
    if (std::ranges::all_of(view.of_scheme(scheme), [](const ResultRow* row) { return solves(*row); }))
      names.push_back(code(scheme));
  if (names.empty()) return {};
  return Finding{"In training",
                 str(names.size() == 1 ? str(complete.size() > 1 ? "Only " : "", names.front(), " gets")
                     : names.size() == view.schemes.size() ? "All schemes get"
                                                           : str(some_of(names, 8), " get"),
                     " at least 99\u00a0% right on ", all_of_tasks(view.tasks), " at the length trained on",
                     has_seeds(view) ? ", in every seed." : ".")};
}

std::optional<Lead> lone_lead(const ModelRows& view) {
  constexpr double most_right = 0.5, far_behind = 0.25;
  std::optional<Lead> widest;
  if (view.is_text || view.schemes.size() < 3) return {};
  const auto ahead_by = [](const Lead& lead) { return measure_of(lead.best) - measure_of(lead.second); };
  for (const Lead& lead : leads(view))
    if (lead.best.row->scheme != lead.second.row->scheme && measure_of(lead.best) >= most_right &&
        ahead_by(lead) >= far_behind && (!widest || ahead_by(lead) > ahead_by(*widest)))
      widest = lead;
  return widest;
}

// On the longest inputs: the schemes that are ahead of all others (but for the headline's), and the tasks on which no
// scheme is better than a model without order or without its input.
std::optional<Finding> best_beyond(const ModelRows& view) {
  if (!has_seeds(view) || view.is_text) return {};
  const std::vector<Judged> all = judged_at(out_of_distribution, view);
  std::vector<std::string> unbeaten, ahead;
  std::vector<const ResultRow*> tried;
  for (const std::string& task : view.tasks) {
    const std::vector<Judged> here = at_longest(all, task);
    if (here.empty() || !needs_order_on(here.front()) || std::ranges::any_of(here, is_above)) continue;
    unbeaten.push_back(task);
    for (const Judged& one : here) tried.push_back(one.row);
  }
  const auto told = lone_lead(view);
  for (const auto& [best, second] : leads(view))
    if (!told || best.row != told->best.row)
      ahead.push_back(str(code(best.row->name()), " on ", best.row->task, " (", score(measure_of(best)),
                          "; next ", code(second.row->name()), ", ", score(measure_of(second)), ')'));
  std::vector<std::string> sentences;
  if (!ahead.empty()) sentences.push_back(str("Ahead of all others: ", some_clauses(ahead), '.'));
  if (!unbeaten.empty() && (told || !split_of(view)))  // the headline says it
    sentences.push_back(
        str("On ", some_tasks(unbeaten, view), " no scheme clearly gets ",
            view.generates ? "anything right" : "more than is possible without order or reading", ", ",
            budget_of(tried), '.'));
  if (sentences.empty()) return {};
  return Finding{"On the longest inputs", join(sentences, " ")};
}

// Schemes that solve the length trained on, and are worse on longer inputs than a model that sees no order. What those
// do whose parameters were not trained there shows nothing of the model: they are told apart.
std::optional<Finding> learned_by_heart(const ModelRows& view) {
  if (view.generates) return {};
  std::vector<Judged> fallen = judged_at(out_of_distribution, view);
  std::erase_if(fallen,
                [](const Judged& one) { return one.standing != Standing::below || !solves(*one.row); });
  const auto rest = std::ranges::stable_partition(fallen, std::not_fn(lacks_parameters));
  const std::vector<std::string> untrained = by_scheme({rest.begin(), rest.end()}, view);
  fallen.erase(rest.begin(), rest.end());
  std::vector<std::string> sentences;
  if (!fallen.empty()) {
    const auto deepest = std::ranges::max_element(
        fallen, {}, [](const Judged& one) { return blind_level(*one.row, one.at) - measure_of(one); });
    const auto [row, at, standing] = *deepest;
    fallen.erase(deepest);
    const double blind = blind_level(*row, at);
    sentences.push_back(str(code(row->name()), " solves ", row->task, " at ", tokens(*in_distribution(*row)),
                            ", and at ", tokens(at), " gets ", score(mean(row->accuracy(at))),
                            ", less than the ", score(blind),
                            blind == at.order_blind_ceiling ? " that is possible without order."
                                                            : " that one fixed answer gets."));
  }
  if (!fallen.empty())
    sentences.push_back(
        str("Also less than is possible without order or reading: ", some_of(by_scheme(fallen, view)), '.'));
  if (!untrained.empty())
    sentences.push_back(
        str(some_of(untrained), untrained.size() == 1 ? " gets" : " get",
            " less than is possible without order or reading, since no training input was long "
            "enough to train the parameters of the last positions."));
  if (sentences.empty()) return {};
  return Finding{"Right is not the same as understood", join(sentences, " ")};
}

// Schemes that cannot tell left from right, at the length trained on: which of them can become no better.
std::optional<Finding> left_or_right(const ModelRows& view) {
  std::vector<std::string> schemes, landed;
  for (const ResultRow* row : view.rows) {
    const auto at = in_distribution(*row);
    if (!at || !at->mirror_blind_ceiling || *at->mirror_blind_ceiling >= needs_order) continue;
    if (std::ranges::count(schemes, code(row->name())) == 0) schemes.push_back(code(row->name()));
    if (is_on_mirror_blind_ceiling(*row, *at))
      landed.push_back(str(code(row->name()), " on ", row->task, " (", score(mean(row->accuracy(*at))), ')'));
  }
  if (landed.empty()) return {};
  return Finding{
      "Left and right look alike",
      str(some_of(schemes), schemes.size() == 1 ? " gives" : " give",
          " an input and its mirror image mirrored answers. At the length trained on, the most that "
          "any such model can reach is reached by ",
          some_of(landed), '.')};
}

}  // namespace locus
