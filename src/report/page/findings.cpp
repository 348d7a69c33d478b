#include "report/page/findings.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/text.h"
#include "io/format.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"

namespace locus {

std::string score(double accuracy) { return fixed(accuracy, 2); }

std::vector<Judged> judged_at(std::optional<RowAtLength> (*length_of)(const ResultRow&),
                              const ModelRows& view) {
  std::vector<Judged> together;
  for (const ResultRow* row : view.rows)
    if (const auto at = length_of(*row); at && is_measured(*row, *at)) together.push_back({row, *at});
  return judged(together);
}

std::string budget_of(const std::vector<const ResultRow*>& rows) {
  std::set<int> steps;
  for (const ResultRow* row : rows) steps.insert(row->steps.begin(), row->steps.end());
  return str("after ", from_to(with_separators(*steps.begin()), with_separators(*steps.rbegin())), " steps");
}

double measure_of(const Judged& one) { return mean(one.row->measure(one.at)); }

bool has_seeds(const ModelRows& view) {
  return std::ranges::all_of(view.rows, [](const ResultRow* row) { return row->seeds() > 1; });
}

std::vector<std::string> on_all_tasks(const ModelRows& view) {
  std::vector<std::string> names = view.schemes;
  std::erase_if(
      names, [&](const std::string& scheme) { return view.of_scheme(scheme).size() != view.tasks.size(); });
  return names;
}

std::string all_of_tasks(const std::vector<std::string>& tasks) {
  if (tasks.size() == 1) return tasks.front();
  return tasks.size() == 2 ? "both tasks" : str("all ", tasks.size(), " tasks");
}

bool needs_order_on(const Judged& one) { return blind_level(*one.row, one.at) < needs_order; }

bool is_above(const Judged& one) { return one.standing == Standing::above; }

std::vector<Finding> findings(const Study& study) {
  std::vector<Finding> found;
  for (const auto rule : {order_leaks, diverged, memorised, ceiling_too_high, taken_away, best_beyond,
                          learned_by_heart, left_or_right, who_learns, null_control, noise_floor})
    for (const ModelRows& view : study.views)
      if (auto finding = rule(view)) {
        if (study.views.size() > 1)
          finding->lead += str(" (", view.model, view.is_text ? ", texts" : "", ')');
        found.push_back(std::move(*finding));
      }
  return found;
}

namespace {

// The scheme, and what sets its models apart but for size, rate and the like, as the name of the row has it:
// "rope (window_by_layer=4 4 4 none)", "none (trained_as=rope)".
std::string kind_of(const ResultRow& row) {
  const ModelSettings& model = row.settings.model;
  std::vector<std::string> apart;
  const auto tell = [&](const std::string& setting, const std::string& value, const std::string& usual) {
    if (!value.empty() && value != usual && row.variant.find(setting + "=") != row.variant.npos)
      apart.push_back(str(setting, '=', value));
  };
  tell("window_by_layer", model.window_by_layer, ModelSettings().window_by_layer);
  tell("mixer_by_layer", model.mixer_by_layer, ModelSettings().mixer_by_layer);
  return apart.empty() ? row.shown_scheme() : str(row.shown_scheme(), " (", join(apart, " "), ')');
}

// "24 tokens, twice the length trained on"
std::string beyond_text(const Judged& one) {
  const auto trained = in_distribution(*one.row);
  if (!trained || trained->length == 0 || one.at.length <= trained->length) return tokens(one.at);
  const int times = one.at.length / trained->length;
  return str(tokens(one.at), ", ",
             one.at.length % trained->length > 0 ? str("trained up to ", trained->length)
             : times == 2                        ? "twice the length trained on"
                                                 : str(times, " times the length trained on"));
}

// "Without positions, the decoder gets 92 % of sort right at 24 tokens, twice ...; the best with positions, `t5`, ..."
std::string lead_headline(const Lead& lead) {
  const auto& [best, second] = lead;
  const bool bare = kind_of(*best.row) == "none";
  return str(bare ? str("Without positions, the ", best.row->model) : code(best.row->name()), " gets ",
             percent(measure_of(best)), " of ", best.row->task, " right at ", beyond_text(best), "; the ",
             bare ? "best with positions" : "next best", ", ", code(second.row->name()), ", ",
             percent(measure_of(second)), '.');
}

// What a kind of model has of the way from what is free to 1, as the mean over tasks: of its sizes the least and the
// most.
struct Kept {
  std::string name;  // kind_of
  double least, most;
  bool is_shown = false;  // above what is free, on some task
  std::vector<Judged> all = {};

  bool is_nothing() const { return !is_shown || most < 0.005; }  // as percent() writes it
};

std::vector<Kept> kept(const std::vector<Judged>& all) {
  std::map<std::string, std::map<std::string, std::vector<Judged>>> kinds;  // by the name of the row
  for (const Judged& one : all) kinds[kind_of(*one.row)][one.row->name()].push_back(one);
  std::vector<Kept> sorted;
  for (const auto& [kind, models] : kinds) {
    Kept here{kind, 1, -1e9};
    for (const auto& [name, judgements] : models) {
      std::vector<double> gains;
      for (const Judged& one : judgements) gains.push_back(gain(*one.row, one.at).value_or(0));
      here.least = std::min(here.least, mean(gains));
      here.most = std::max(here.most, mean(gains));
      here.is_shown |= std::ranges::any_of(judgements, is_above);
      here.all.insert(here.all.end(), judgements.begin(), judgements.end());
    }
    sorted.push_back(std::move(here));
  }
  std::ranges::stable_sort(sorted, std::ranges::greater(), &Kept::most);
  return sorted;
}

// The task that most models were trained on, where some were not trained on all; else "".
std::string common_task(const ModelRows& view) {
  if (view.tasks.size() > 1 && on_all_tasks(view).size() == view.schemes.size()) return "";
  return std::ranges::max(view.tasks, {}, [&](const std::string& task) { return view.of_task(task).size(); });
}

// What a headline compares: one task, or all that need order; of rows that were trained and tested alike, at the
// lengths that most have.
std::vector<Judged> compared(const ModelRows& view) {
  std::vector<Judged> all = judged_at(out_of_distribution, view);
  if (all.empty()) all = judged_at(in_distribution, view);
  const std::string only = common_task(view);
  std::erase_if(all, [&](const Judged& one) {
    return !needs_order_on(one) || (!only.empty() && one.row->task != only);
  });
  std::map<std::string, std::size_t> rows_with;
  for (const Judged& one : all) ++rows_with[beyond_text(one)];
  const auto usual = std::ranges::max_element(rows_with, {}, [](const auto& entry) { return entry.second; });
  std::erase_if(all, [&](const Judged& one) { return beyond_text(one) != usual->first; });
  return all;
}

// "At 24 tokens, twice the length trained on, `t5` keeps 55 % of what order is worth, `rope` 52 %; `index` less;
// `alibi` nothing." Before it, where there is one, the split.
std::string kept_headline(const ModelRows& view) {
  const std::vector<Judged> all = compared(view);
  if (all.empty()) return "";
  const char* verb = view.generates ? " gets " : out_of_distribution(*all[0].row) ? " keeps " : " has ";
  const char* what = view.generates ? " of all answers right" : " of what order is worth";
  const std::string only = common_task(view);
  std::string where = str(only.empty() ? "At " : str("On ", only, " at "), beyond_text(all[0]), ", "),
              unit = what;
  if (const auto split = split_of(view)) {
    unit = view.generates ? " right" : "";
    where +=
        str(code(split->best), verb, from_to(percent(split->least), percent(split->most)),
            view.generates ? " right" : what, " on ", list_of(split->kept), "; no scheme clearly", verb,
            view.generates ? "anything right on " : "anything on ", list_of(split->lost), ". Over all, ");
  }
  std::vector<Kept> kinds = kept(all);
  std::vector<std::string> less, nothing;  // the control is none of these: it is what is free
  std::vector<const ResultRow*> tried;     // of the latter
  for (const Kept& kind : kinds) {
    if (!kind.is_nothing() || kind.all.front().row->scheme == "none") continue;
    nothing.push_back(code(kind.name));
    for (const Judged& one : kind.all) tried.push_back(one.row);
  }
  std::erase_if(kinds, [](const Kept& one) { return one.is_nothing(); });
  if (kinds.empty()) return "";  // best_beyond() says it
  constexpr std::size_t named = 4;
  std::vector<std::string> parts;
  for (const Kept& kind : kinds)
    if (parts.size() == named)
      less.push_back(code(kind.name));
    else
      parts.push_back(str(code(kind.name), parts.empty() ? verb : " ",
                          from_to(percent(kind.least), percent(kind.most)), parts.empty() ? unit : ""));
  // The budget of training says why only where training did not reach its end.
  const bool has_budget = std::ranges::none_of(tried, [](const ResultRow* row) { return solves(*row); });
  return str(where, list_of(parts), less.empty() ? "" : str("; ", some_of(less, 2), " less"),
             nothing.empty() ? "" : str("; ", some_of(nothing, 4), " nothing"),
             !nothing.empty() && has_budget ? str(" (", budget_of(tried), ')') : "", '.');
}

}  // namespace

std::optional<TaskSplit> split_of(const ModelRows& view) {
  const std::vector<Judged> all = compared(view);
  if (all.empty()) return {};
  const Kept best = kept(all).front();
  TaskSplit split{best.name, 1, 0, {}, {}};
  for (const std::string& task : view.tasks) {
    const auto here = [&](const Judged& one) { return one.row->task == task; };
    double least = 1, most = -1;
    for (const Judged& one : best.all)
      if (here(one)) {
        least = is_above(one) ? std::min(least, gain(*one.row, one.at).value_or(0)) : 0;
        most = std::max(most, gain(*one.row, one.at).value_or(0));
      }
    if (most > 0 && least >= 0.5) {
      split.kept.push_back(task);
      split.least = std::min(split.least, least);
      split.most = std::max(split.most, most);
    } else if (std::ranges::any_of(all, here) &&
               std::ranges::none_of(all, [&](const Judged& one) { return here(one) && is_above(one); }))
      split.lost.push_back(task);
  }
  if (split.kept.empty() || split.lost.empty()) return {};
  return split;
}

std::string headline(const Study& study) {
  std::vector<std::string> sentences;
  for (const ModelRows& view : study.views) {  // of each kind of model
    if (study.schemes.size() < 2 || !has_seeds(view)) continue;
    const auto lead = lone_lead(view);
    std::string found = view.is_text ? text_headline(view)
                        : lead       ? lead_headline(*lead)
                                     : kept_headline(view);
    if (found.empty()) continue;
    if (study.views.size() > 1 && !view.is_text) found = str("In ", view.model, "s: ", found);
    sentences.push_back(std::move(found));
  }
  return join(sentences, " ");
}

std::string plain_headline(const Study& study) {
  std::string words = headline(study);
  if (const auto found = findings(study); words.empty() && !found.empty()) words = found.front().text;
  if (words.empty()) words = counted(study.schemes.size(), "positional scheme");
  std::erase(words, '`');
  return words;
}

}  // namespace locus
