// What schemes learned: at the length trained on, and on longer inputs.
#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/text.h"
#include "io/format.h"
#include "positional/support/spec.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"

namespace locus {

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
  return Finding{"Learned",
                 str(all                   ? str("All ", names.size(), rows, " solve ")
                     : names.size() > 1    ? str(some_of(names, 8), " solve ")
                     : complete.size() > 1 ? str("Only ", names.front(), " solves ")
                                           : str(names.front(), " solves "),
                     view.tasks.size() == 1 ? view.tasks.front() : str("all ", view.tasks.size(), " tasks"),
                     " at the length trained on", has_seeds(view) ? ", in every seed." : ".")};
}

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

// "`rope` on sort (0.53)": on each task the scheme that is above the blind level and ahead of every other scheme, all
// tasks corrected together. Those of tasks on which a better learning rate may lie beyond those tried stand apart.
struct Leaders {
  std::vector<std::string> proven, at_edge;
};
Leaders leaders(const ModelRows& view, const std::vector<Judged>& all) {
  struct Lead {
    Judged best;
    std::ptrdiff_t first, end;  // of its differences
  };
  std::vector<Lead> leads;
  std::vector<Tested> differences;
  for (const std::string& task : view.tasks) {
    const std::vector<Judged> here = at_longest(all, task);
    if (here.size() < 2 || !is_above(here.front())) continue;
    const auto first = std::ssize(differences);
    for (auto other = here.begin() + 1; other != here.end(); ++other)
      differences.push_back(
          tested(*here.front().row, here.front().at, *other->row, other->at).value_or(Tested{{}, 1, 1}));
    leads.push_back({here.front(), first, std::ssize(differences)});
  }
  const std::vector<bool> real = told_apart(differences);
  Leaders names;
  for (const auto& [best, first, end] : leads)
    if (std::all_of(real.begin() + first, real.begin() + end, [](bool one) { return one; }))
      (view.at_edge.contains(best.row->task) ? names.at_edge : names.proven)
          .push_back(str(code(best.row->name()), " on ", best.row->task, " (", measure_text(best), ')'));
  return names;
}

}  // namespace

// On the longest inputs: the schemes that are ahead of all others, and the tasks on which no scheme is better
// than a model without order or without its input.
std::optional<Finding> best_beyond(const ModelRows& view) {
  if (!has_seeds(view)) return {};
  const std::vector<Judged> all = judged_at(out_of_distribution, view);
  std::vector<std::string> unbeaten;  // tasks
  std::vector<const ResultRow*> tried;
  for (const std::string& task : view.tasks) {
    const std::vector<Judged> here = at_longest(all, task);
    if (here.empty() || !needs_order_on(here.front()) || std::ranges::any_of(here, is_above)) continue;
    unbeaten.push_back(task);
    for (const Judged& one : here) tried.push_back(one.row);
  }
  const Leaders ahead = leaders(view, all);
  std::string sentences;
  if (!ahead.proven.empty()) sentences = str("Ahead of every other scheme: ", some_of(ahead.proven), ". ");
  if (!ahead.at_edge.empty())
    sentences += str("Ahead at the learning rates tried, though the best of some scheme is at their edge: ",
                     some_of(ahead.at_edge), ". ");
  if (!unbeaten.empty())
    sentences +=
        str(budget_of(tried), ", on ", some_tasks(unbeaten, view),
            view.is_text
                ? " no scheme is shown to have a lower perplexity than counting tokens without reading them."
            : view.generates
                ? " no scheme is told apart from getting nothing right."
                : " no scheme is shown to beat both the order-blind ceiling and the no-input baseline.");
  if (sentences.empty()) return {};
  return Finding{"On the longest inputs", sentences};
}

// "On sort at 64 tokens always giving the most frequent answer, without reading, is right in 0.64. Less than that get
// `rope` (0.27) and ...": the deepest fall in full, then the other tasks.
std::optional<Finding> less_than_nothing(const ModelRows& view) {
  if (view.is_text) return {};  // text_answer() says it
  std::vector<Judged> below = below_reading_nothing(view);
  std::erase_if(below, [](const Judged& one) { return one.row->again; });
  if (below.empty()) return {};
  const auto lacks = [](const Judged& one) { return *one.at.no_input_baseline - measure_of(one); };
  const Judged deepest = std::ranges::max(below, {}, lacks);
  std::vector<std::string> here;
  std::set<std::string> elsewhere;
  std::vector<const ResultRow*> rows;
  for (const Judged& one : below) {
    rows.push_back(one.row);
    if (one.row->task == deepest.row->task && one.at.length == deepest.at.length)
      here.push_back(str(code(one.row->name()), " (", score(measure_of(one)), ')'));
    else
      elsewhere.insert(one.row->task);
  }
  return Finding{
      "Below reading nothing",
      str("On ", deepest.row->task, " at ", tokens(deepest.at),
          ", the most frequent answer, given without reading, is right in ",
          score(*deepest.at.no_input_baseline), ". ", budget_of(rows), " less than that: ", some_of(here),
          '.',
          below.size() == here.size() ? ""
                                      : str(" So do ", counted(below.size() - here.size(), "other result"),
                                            ", on ", list_of({elsewhere.begin(), elsewhere.end()}), '.'))};
}

namespace {

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

// "`rope` solves sort at 12 tokens, and at 24 tokens gets 0.17, less than the 0.48 that can be had without reading.
// The same holds for 6 other pairs ...": of the deepest fall.
std::string fall_of(const std::vector<Judged>& all) {
  const auto& [row, at, standing] = std::ranges::max(
      all, {}, [](const Judged& one) { return blind_level(*one.row, one.at) - measure_of(one); });
  const double blind = blind_level(*row, at);
  return str(code(row->name()), " solves ", row->task, " at ", tokens(*in_distribution(*row)), ", and at ",
             tokens(at), " gets ", score(mean(row->accuracy(at))), ", less than the ", score(blind),
             " that can be had without ", blind == at.order_blind_ceiling ? "order." : "reading.",
             all.size() == 1 ? ""
                             : str(" The same holds for ", counted(all.size() - 1, "other pair"),
                                   " of scheme and task."));
}

}  // namespace

std::optional<Finding> learned_by_heart(const ModelRows& view) {
  const std::vector<Judged> found = fallen(view, false);
  if (found.empty()) return {};
  return Finding{"Right is not the same as understood", fall_of(found)};
}

// What a scheme with parameters for each position does past the last that was trained shows nothing of the model.
std::optional<Finding> never_trained(const ModelRows& view) {
  const std::vector<Judged> found = fallen(view, true);
  if (found.empty()) return {};
  return Finding{"Positions that were never trained",
                 fall_of(found) +
                     " It has parameters for each position, and no training input was long enough to "
                     "train those of the last ones: they are as random as at the start."};
}

}  // namespace locus
