#include "report/page/findings.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ablation/judgement.h"
#include "base/error.h"
#include "base/text.h"
#include "io/format.h"
#include "positional/support/spec.h"
#include "report/page/parts.h"
#include "tasks/support/table.h"
#include "train/trainer.h"

namespace locus {

namespace {

std::string score(double accuracy) { return fixed(accuracy, 2); }

std::vector<const Summary*> without_positions(const ModelRows& view) {
  std::vector<const Summary*> rows = view.rows;
  std::erase_if(rows, [](const Summary* row) { return row->scheme != "none"; });
  return rows;
}

// "sort and before", or "16 of 23 tasks" when they are too many to name.
std::string some_tasks(const std::vector<std::string>& tasks, const ModelRows& view) {
  return tasks.size() > 5 ? text(tasks.size(), " of ", view.tasks.size(), " tasks") : list_of(tasks);
}

// The rows of the view that have such a length.
std::vector<Judged> judged_at(std::optional<LengthSummary> (*length_of)(const Summary&),
                              const ModelRows& view) {
  std::vector<Judged> together;
  for (const Summary* row : view.rows)
    if (const auto at = length_of(*row)) together.push_back({row, *at});
  return judged(together);
}

// "1,000 steps", "250 to 1,000 steps": the budget of sentences on what was not learned. A run that is solved ends
// early, so its steps differ.
std::string steps_of(const std::vector<const Summary*>& rows) {
  std::set<int> steps;
  for (const Summary* row : rows) steps.insert(row->steps.begin(), row->steps.end());
  return text(steps.size() == 1 ? "" : with_separators(*steps.begin()) + " to ",
              with_separators(*steps.rbegin()), " steps");
}
std::string budget_of(const std::vector<const Summary*>& rows) { return "After " + steps_of(rows); }

double accuracy_of(const Judged& one) { return mean(one.row->accuracy(one.at)); }

// An encoder without positions cannot exceed the order-blind ceiling, and one whose scheme cannot tell left from
// right not the mirror-blind one. If it does, it sees order in some other way, and no comparison on the page can be
// trusted.
std::optional<Finding> order_leaks(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::vector<Judged> tested;
  std::vector<Difference> above;
  for (const Summary* row : view.rows)
    for (const LengthSummary& at : row->by_length)
      if (const auto ceiling = own_ceiling(*row, at)) {
        tested.push_back({row, at});
        above.push_back(difference(*row, at, *ceiling + accuracy_tolerance));
      }
  const std::vector<bool> real = told_apart(above);
  for (std::size_t i = 0; i < tested.size(); ++i)
    if (real[i] && above[i].mean > 0) {
      const auto& [row, at, standing] = tested[i];
      return Finding{"Order leaks in",
                     text("On ", row->task, " at ", tokens(at), " the encoder ",
                          at.mirror_blind_ceiling
                              ? text("with ", code(row->name()), ", which cannot tell left from right,")
                              : "without positions",
                          " reaches ", score(mean(row->accuracy(at))), ", above the ceiling of ",
                          score(*own_ceiling(*row, at)), ": it must see ",
                          at.mirror_blind_ceiling ? "direction" : "order",
                          " some other way. Find out how before trusting the rest.")};
    }
  return {};
}

// The encoder without positions must reach the ceiling and no more: that confirms the ceiling, the model and
// the test.
std::optional<Finding> null_control(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::vector<std::string> landed, missed;
  double widest = 0.001;
  for (const Summary* row : without_positions(view)) {
    double gap = 0;
    bool is_shown = true;
    for (const LengthSummary& at : row->by_length)
      if (at.order_blind_ceiling) {
        gap = std::max(gap, std::abs(mean(row->accuracy(at)) - *at.order_blind_ceiling));
        is_shown &= is_shown_at(*at.order_blind_ceiling, *row, at);
      }
    (is_shown ? landed : missed).push_back(row->task);
    if (is_shown) widest = std::max(widest, gap);
  }
  if (landed.empty()) return {};
  const std::string where = !missed.empty()
                                ? text(landed.size(), " of ", landed.size() + missed.size(), " tasks")
                            : landed.size() == 1 ? landed.front()
                                                 : text("all ", landed.size(), " tasks");
  return Finding{"Without order, the ceiling holds",
                 text("Without positions (`none`) the encoder lands on the order-blind ceiling of ", where,
                      ", at every length tested: it differs by at most ", fixed(widest, 3),
                      ", and by less than ", significant(accuracy_tolerance, 2), " in an equivalence test.",
                      missed.empty() ? "" : text(" That is not shown on ", some_of(missed), '.'))};
}

// Encoders that were trained with positions and are read without them: at once they may get less than models that never
// had any, whose ceiling is the order-blind one; and after more training without positions, reach it.
std::optional<Finding> taken_away(const ModelRows& view) {
  if (view.model != "encoder") return {};
  std::vector<Judged> bare;
  std::vector<Difference> below;
  for (const Summary* row : without_positions(view))
    if (const auto at = in_distribution(*row); at && at->order_blind_ceiling &&
                                               !row->settings.trained_as.empty() &&
                                               row->settings.trained_as != "none") {
      bare.push_back({row, *at});
      below.push_back(difference(*row, *at, *at->order_blind_ceiling - accuracy_tolerance));
    }
  const std::vector<bool> real = told_apart(below);
  std::vector<std::string> lost, back;
  for (std::size_t i = 0; i < bare.size(); ++i) {
    const auto& [row, at, standing] = bare[i];
    const double ceiling = *at.order_blind_ceiling;
    const std::string which =
        text(code(row->settings.trained_as), " on ", row->task, " (", score(accuracy_of(bare[i])));
    if (row->settings.recalibrate == 0 && real[i] && below[i].mean < 0)
      lost.push_back(text(which, " of ", score(ceiling), ')'));
    if (row->settings.recalibrate > 0 && is_shown_at(ceiling, *row, at))
      back.push_back(
          text(which, ", after ", counted(static_cast<std::size_t>(row->settings.recalibrate), "step"), ')'));
  }
  if (lost.empty() && back.empty()) return {};
  return Finding{
      "Positions taken away",
      text(lost.empty() ? ""
                        : text("Read without positions, what was trained with them gets less than the "
                               "order-blind ceiling, which a model can reach that never had any: ",
                               some_of(lost), '.'),
           lost.empty() || back.empty() ? "" : " ",
           back.empty() ? ""
                        : text("Trained on without positions, it reaches the order-blind ceiling: ",
                               some_of(back), '.'))};
}

// Schemes that cannot tell left from right, at the length trained on: which of them can become no better.
std::optional<Finding> left_or_right(const ModelRows& view) {
  std::vector<std::string> schemes, landed, below, longer;
  std::vector<const Summary*> rows_below;
  for (const Summary* row : view.rows) {
    const auto at = in_distribution(*row);
    if (!at || !at->mirror_blind_ceiling || *at->mirror_blind_ceiling >= needs_order) continue;
    if (std::ranges::count(schemes, code(row->name())) == 0) schemes.push_back(code(row->name()));
    const bool is_landed = is_on_mirror_blind_ceiling(*row, *at);
    (is_landed ? landed : below)
        .push_back(text(code(row->name()), " on ", row->task, " (", score(mean(row->accuracy(*at))),
                        is_landed ? "" : text(" of ", score(*at->mirror_blind_ceiling)), ')'));
    if (!is_landed) rows_below.push_back(row);
    if (const auto beyond = out_of_distribution(*row); is_landed && beyond && beyond->mirror_blind_ceiling)
      longer.push_back(text(code(row->name()), " on ", row->task, " (", score(mean(row->accuracy(*beyond))),
                            " of ", score(*beyond->mirror_blind_ceiling), " at ", tokens(*beyond), ')'));
  }
  if (landed.empty()) return {};
  return Finding{
      "Left and right look alike",
      text(some_of(schemes), schemes.size() == 1 ? " gives" : " give",
           " an input and its mirror image mirrored answers. At the length trained on, the most that any "
           "such model can reach is reached by ",
           some_of(landed), '.',
           below.empty() ? "" : text(' ', budget_of(rows_below), " not there: ", some_of(below), '.'),
           longer.empty() ? "" : text(" On the longest inputs: ", some_of(longer), '.'))};
}

bool has_seeds(const ModelRows& view) {  // several, of every row
  return std::ranges::all_of(view.rows, [](const Summary* row) { return row->seeds() > 1; });
}

// Whether the same tokens in another order can have another answer, as far as short test examples show it.
bool depends_on_order(const Summary& row) {
  const Task* task = task_if_there(row.settings);
  if (!task) return false;
  for (auto length = task->length_from(2); length && *length <= 8; length = task->length_from(*length + 1)) {
    std::map<Tokens, Tokens> answer;  // by the sorted input
    for (const Example& example : task->test_set(*length, 1000)) {
      Tokens bag = example.input;
      std::ranges::sort(bag);
      if (answer.try_emplace(bag, example.target).first->second != example.target) return true;
    }
  }
  return false;
}

// The causal mask is a position signal (Haviv et al. 2022, "Transformer Language Models without Positional
// Encodings Still Learn Positional Information").
std::optional<Finding> mask_shows_order(const ModelRows& view) {
  if (view.model != "decoder") return {};
  std::vector<std::string> tasks;
  for (const Summary* row : without_positions(view))
    if (solves(*row) && depends_on_order(*row)) tasks.push_back(row->task);
  if (tasks.empty()) return {};
  return Finding{"A decoder sees order without being told",
                 text("Without positions (`none`) the decoder solves ", some_of(tasks),
                      has_seeds(view) ? " in every seed" : "",
                      ", which needs the order: its causal mask shows where tokens stand.")};
}

// The control against itself, trained on other seeds.
std::optional<Finding> noise_floor(const ModelRows& view) {
  std::vector<Summary> rows;
  for (const auto& part : {view.rows, view.again})
    for (const Summary* row : part) rows.push_back(*row);
  const std::string control = usual_control(rows);
  double widest = 0;
  for (const Comparison& one : compare(rows, control)) {
    if (!one.is_aa || one.verdict == Verdict::none_with_one_seed) continue;
    widest = std::max({widest, std::abs(one.difference.mean), 0.001});
    if (one.verdict == Verdict::better || one.verdict == Verdict::worse)
      return Finding{
          "The control differs from itself",
          text(code(control), " on ", rows[one.row].task, ", trained twice on different seeds, differs by ",
               fixed(std::abs(one.difference.mean), 3),
               ", more than chance allows: be wary of differences of that size.")};
  }
  if (widest == 0) return {};
  return Finding{"How much is noise",
                 text(code(control), " against itself, on other seeds, differs by up to ", fixed(widest, 3),
                      ", which cannot be told from 0.")};
}

// The schemes that were run on every task: only they can be compared over all tasks.
std::vector<std::string> on_all_tasks(const ModelRows& view) {
  std::vector<std::string> names = view.schemes;
  std::erase_if(
      names, [&](const std::string& scheme) { return view.of_scheme(scheme).size() != view.tasks.size(); });
  return names;
}

std::optional<Finding> who_learns(const ModelRows& view) {
  std::vector<std::string> names;
  const std::vector<std::string> complete = on_all_tasks(view);
  for (const std::string& scheme : complete)
    if (std::ranges::all_of(view.of_scheme(scheme), [](const Summary* row) { return solves(*row); }))
      names.push_back(code(scheme));
  if (names.empty()) return {};
  const bool all = names.size() == complete.size() && names.size() > 1;
  return Finding{"At the length trained on",
                 text(all                   ? text("All ", names.size(), " schemes solve ")
                      : names.size() > 1    ? text(some_of(names, 8), " solve ")
                      : complete.size() > 1 ? text("Only ", names.front(), " solves ")
                                            : text(names.front(), " solves "),
                      view.tasks.size() == 1 ? view.tasks.front() : text("all ", view.tasks.size(), " tasks"),
                      " there", has_seeds(view) ? ", in every seed." : ".")};
}

// " `index:join=fill`: the position itself in all channels ...": of the schemes among these that are variants.
std::string why_of(const ModelRows& view, const std::map<std::string, std::vector<std::string>>& named) {
  std::string words;
  for (const Summary* row : view.rows) {
    const auto found = named.find(row->name());
    if (found == named.end() || found->second.front() != row->task) continue;  // once for each scheme
    if (!is_known(row->scheme)) continue;
    for (const std::string& what : variants_of(row->scheme))
      words += text(' ', code(row->name()), ": ", what, '.');
  }
  return words;
}

std::optional<Finding> says_nothing(const ModelRows& view) {
  std::map<std::string, std::vector<std::string>> tasks;
  std::vector<const Summary*> rows;
  for (const auto& [row, at, standing] : judged_at(in_distribution, view))
    if (row->scheme != "none" && standing != Standing::above && no_better_than_order_blind(*row, at)) {
      tasks[row->name()].push_back(row->task);
      rows.push_back(row);
    }
  if (tasks.empty()) return {};
  std::vector<std::string> clauses;
  for (const std::string& scheme : view.schemes)
    if (tasks.contains(scheme))
      clauses.push_back(text(code(scheme), " on ", some_tasks(tasks[scheme], view)));
  return Finding{"Positions that do not help",
                 text(budget_of(rows), " still no better than order-blind, at the length trained on: ",
                      some_clauses(clauses), '.', why_of(view, tasks))};
}

// The schemes on a task at its longest inputs, the best first.
std::vector<Judged> at_longest(const std::vector<Judged>& all, const std::string& task) {
  std::vector<Judged> here = all;
  std::erase_if(here, [&](const Judged& one) { return one.row->task != task; });
  if (here.empty()) return here;
  const int longest = std::ranges::max(here, {}, [](const Judged& one) { return one.at.length; }).at.length;
  std::erase_if(here, [&](const Judged& one) { return one.at.length != longest; });
  std::ranges::stable_sort(here, std::ranges::greater(), accuracy_of);
  return here;
}

bool is_above(const Judged& one) { return one.standing == Standing::above; }
bool needs_order_on(const Judged& one) { return blind_level(*one.row, one.at) < needs_order; }

// "`rope` on sort (0.53)": on each task the scheme that is above the blind level and ahead of every other
// scheme, all tasks corrected together.
std::vector<std::string> leaders(const ModelRows& view, const std::vector<Judged>& all) {
  struct Lead {
    Judged best;
    std::ptrdiff_t first, end;  // of its differences
  };
  std::vector<Lead> leads;
  std::vector<Difference> differences;
  for (const std::string& task : view.tasks) {
    const std::vector<Judged> here = at_longest(all, task);
    if (here.size() < 2 || !is_above(here.front())) continue;
    const auto first = std::ssize(differences);
    for (auto other = here.begin() + 1; other != here.end(); ++other)
      differences.push_back(
          difference(*here.front().row, here.front().at, *other->row, other->at).value_or(Difference{}));
    leads.push_back({here.front(), first, std::ssize(differences)});
  }
  const std::vector<bool> real = told_apart(differences);
  std::vector<std::string> names;
  for (const auto& [best, first, end] : leads)
    if (std::all_of(real.begin() + first, real.begin() + end, [](bool one) { return one; }))
      names.push_back(
          text(code(best.row->name()), " on ", best.row->task, " (", score(accuracy_of(best)), ')'));
  return names;
}

// "`rope` still sees order on 4 of 5 tasks, no other scheme on more. "
std::string most_tasks(const ModelRows& view, const std::vector<Judged>& all) {
  const auto tasks = std::ranges::count_if(view.tasks, [&](const std::string& task) {
    return std::ranges::any_of(
        all, [&](const Judged& one) { return one.row->task == task && needs_order_on(one); });
  });
  std::map<std::string, std::size_t> above;
  std::size_t most = 0;
  for (const Judged& one : all)
    if (is_above(one)) most = std::max(most, ++above[one.row->name()]);
  if (most == 0 || tasks < 2) return "";
  std::vector<std::string> schemes;
  for (const std::string& scheme : on_all_tasks(view))
    if (above[scheme] == most) schemes.push_back(code(scheme));
  if (schemes.empty()) return "";
  return text(some_of(schemes), schemes.size() == 1 ? " still sees order on " : " still see order on ", most,
              " of ", tasks, " tasks, no other scheme on more. ");
}

// On the longest inputs: the schemes that are ahead of all others, and the tasks on which no scheme is better
// than a model without order or without its input.
std::optional<Finding> best_beyond(const ModelRows& view) {
  if (!has_seeds(view)) return {};
  const std::vector<Judged> all = judged_at(out_of_distribution, view);
  std::vector<std::string> unbeaten;  // tasks
  std::vector<const Summary*> tried;
  for (const std::string& task : view.tasks) {
    const std::vector<Judged> here = at_longest(all, task);
    if (here.empty() || !needs_order_on(here.front()) || std::ranges::any_of(here, is_above)) continue;
    unbeaten.push_back(task);
    for (const Judged& one : here) tried.push_back(one.row);
  }
  const std::vector<std::string> ahead = leaders(view, all);
  std::string sentences =
      ahead.empty() ? most_tasks(view, all) : text("Ahead of every other scheme: ", some_of(ahead), ". ");
  if (!unbeaten.empty())
    sentences +=
        text(budget_of(tried), ", on ", some_tasks(unbeaten, view),
             view.generates ? " no scheme is told apart from getting nothing right."
                            : " no scheme beats both the order-blind ceiling and the no-input baseline.");
  if (sentences.empty()) return {};
  return Finding{"On the longest inputs", sentences};
}

// "On sort at 64 tokens always giving the most frequent answer, without reading, is right in 0.64. Less than that get
// `rope` (0.27) and ...": the deepest fall in full, then the other tasks.
std::optional<Finding> less_than_nothing(const ModelRows& view) {
  std::vector<Judged> tested = judged_at(in_distribution, view);
  for (const Judged& one : judged_at(out_of_distribution, view)) tested.push_back(one);
  const std::vector<Judged> below = below_reading_nothing(tested);
  if (below.empty()) return {};
  const auto lacks = [](const Judged& one) { return *one.at.no_input_baseline - accuracy_of(one); };
  const Judged deepest = std::ranges::max(below, {}, lacks);
  std::vector<std::string> here;
  std::set<std::string> elsewhere;
  std::vector<const Summary*> rows;
  for (const Judged& one : below) {
    rows.push_back(one.row);
    if (one.row->task == deepest.row->task && one.at.length == deepest.at.length)
      here.push_back(text(code(one.row->name()), " (", score(accuracy_of(one)), ')'));
    else
      elsewhere.insert(one.row->task);
  }
  return Finding{
      "Below reading nothing",
      text("On ", deepest.row->task, " at ", tokens(deepest.at),
           ", the most frequent answer, given without reading, is right in ",
           score(*deepest.at.no_input_baseline), ". ", budget_of(rows), " less than that: ", some_of(here),
           '.',
           below.size() == here.size() ? ""
                                       : text(" So do ", counted(below.size() - here.size(), "other result"),
                                              ", on ", list_of({elsewhere.begin(), elsewhere.end()}), '.'))};
}

bool lacks_parameters(const Judged& one) {
  return is_known(one.row->scheme) && has_untrained_positions(one.row->scheme);
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
      all, {}, [](const Judged& one) { return blind_level(*one.row, one.at) - accuracy_of(one); });
  const double blind = blind_level(*row, at);
  return text(code(row->name()), " solves ", row->task, " at ", tokens(*in_distribution(*row)), ", and at ",
              tokens(at), " gets ", score(mean(row->accuracy(at))), ", less than the ", score(blind),
              " that can be had without ", blind == at.order_blind_ceiling ? "order." : "reading.",
              all.size() == 1 ? ""
                              : text(" The same holds for ", counted(all.size() - 1, "other pair"),
                                     " of scheme and task."));
}

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

// What a run on a table can have learned without understanding it.
std::optional<Finding> memorised(const ModelRows& view) {
  std::vector<std::string> names;
  for (const Summary* row : view.rows)
    if (row->memorised > 0)
      names.push_back(text(code(row->name()), " on ", row->task, " (", rows_text(*row), ')'));
  if (names.empty()) return {};
  return Finding{
      "Learned by heart",
      text("Most rows trained on are answered, and far fewer of the others: ", some_of(names), '.')};
}

// Tables whose ceiling is no bound worth comparing with.
std::optional<Finding> ceiling_too_high(const ModelRows& view) {
  std::vector<std::string> warnings;
  for (const std::string& name : view.tasks)
    if (const Task* task = task_if_there(view.of_task(name).front()->settings))
      if (std::string words = ceiling_warning(*task); !words.empty()) warnings.push_back(std::move(words));
  if (warnings.empty() || view.generates) return {};
  return Finding{"The ceiling is too high to tell", join(warnings, " ") + "."};
}

std::optional<Finding> diverged(const ModelRows& view) {
  std::size_t count = 0;
  std::vector<std::string> names;
  for (const Summary* row : view.rows)
    if (row->diverged > 0) {
      count += static_cast<std::size_t>(row->diverged);
      names.push_back(text(code(row->name()), " on ", row->task));
    }
  if (count == 0) return {};
  return Finding{"Diverged", text("Training diverged in ", counted(count, "model"), ": ", some_of(names),
                                  ". (The loss was not a finite number, or at the end above ", diverged_above,
                                  " times that of a uniform guess.)")};
}

std::optional<Finding> few_seeds(const ModelRows& view) {
  const int seeds = std::ranges::min(view.rows, {}, &Summary::seeds)->seeds();
  if (seeds >= enough_seeds) return {};
  return Finding{"Few seeds",
                 text("With ", counted(static_cast<std::size_t>(seeds), "seed"),
                      ", a small difference may be luck: take five or more before claiming one.")};
}

}  // namespace

std::vector<Finding> findings(const Study& study) {
  std::vector<std::pair<std::size_t, Finding>> ranked;  // by the rank within a kind of model
  for (const ModelRows& view : study.views) {
    std::size_t rank = 0;
    for (const auto look : {order_leaks, diverged, memorised, ceiling_too_high, null_control, taken_away,
                            mask_shows_order, best_beyond, learned_by_heart, never_trained, less_than_nothing,
                            left_or_right, says_nothing, who_learns, noise_floor, few_seeds})
      if (auto finding = look(view)) {
        if (study.views.size() > 1) finding->lead += text(" (", view.model, ')');
        ranked.emplace_back(rank++, std::move(*finding));
      }
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Finding>::first);
  std::vector<Finding> found;
  for (auto& [rank, finding] : ranked) found.push_back(std::move(finding));
  return found;
}

std::string headline(const Study& study) {
  const std::vector<Finding> found = findings(study);
  std::string words = found.empty() ? counted(study.schemes.size(), "positional scheme") : found.front().text;
  std::erase(words, '`');
  return words;
}

std::string headline_answer(const Study& study) {
  if (study.views.empty() || study.schemes.size() < 2) return "";
  const ModelRows& view = study.views.front();
  if (!has_seeds(view)) return "";
  std::vector<Judged> all = judged_at(out_of_distribution, view);
  if (all.empty()) all = judged_at(in_distribution, view);
  std::erase_if(all, [](const Judged& one) { return !needs_order_on(one); });
  if (all.empty()) return "";
  std::set<std::string> tasks;
  std::map<std::size_t, std::vector<std::string>, std::greater<>> schemes;  // by the number of tasks
  for (const std::string& scheme : view.schemes) {
    std::size_t above = 0;
    for (const Judged& one : all)
      if (one.row->name() == scheme) {
        tasks.insert(one.row->task);
        above += is_above(one);
      }
    schemes[above].push_back(code(scheme));
  }
  const std::string what =
      view.generates ? " answers inputs rightly on " : " beats what can be had without order or reading on ";
  const std::string budget = text(", after ", steps_of(view.rows), '.');
  if (schemes.begin()->first == 0)
    return text("At ", tokens(all.front().at), " no scheme", what, "any task", budget);
  std::vector<std::string> parts;
  for (const auto& [above, names] : schemes) {
    if (parts.empty())
      parts.push_back(text("At ", tokens(all.front().at), ", ", names.size() > 1 ? "each of " : "",
                           some_of(names), what, above, " of ", counted(tasks.size(), "task")));
    else if (above > 0 && parts.size() < 3)
      parts.push_back(text(some_of(names), " on ", above));
    else {
      parts.push_back(text("no other scheme on ", above > 0 ? text("more than ", above) : "any"));
      break;
    }
  }
  return join(parts, "; ") + budget;
}

}  // namespace locus
