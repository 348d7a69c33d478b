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

std::vector<const ResultRow*> without_positions(const ModelRows& view) {
  std::vector<const ResultRow*> rows = view.rows;
  std::erase_if(rows, [](const ResultRow* row) { return row->scheme != "none"; });
  return rows;
}

std::string kind_of(const ResultRow& row) {
  const ModelSettings& model = row.settings.model;
  std::vector<std::string> apart;
  const auto tell = [&](const std::string& setting, const std::string& value, const std::string& usual) {
    if (!value.empty() && value != usual && row.variant.find(setting + "=") != row.variant.npos)
      apart.push_back(str(setting, '=', value));
  };
  tell("window_by_layer", model.window_by_layer, ModelSettings().window_by_layer);
  tell("mixer_by_layer", model.mixer_by_layer, ModelSettings().mixer_by_layer);
  tell("trained_as", to_string(row.settings.trained_as), row.scheme);
  return apart.empty() ? row.scheme : str(row.scheme, " (", join(apart, " "), ')');
}

std::string some_tasks(const std::vector<std::string>& tasks, const ModelRows& view) {
  return tasks.size() > 5 ? str(tasks.size(), " of ", view.tasks.size(), " tasks") : list_of(tasks);
}

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
  return str("after ", steps.size() == 1 ? "" : with_separators(*steps.begin()) + " to ",
             with_separators(*steps.rbegin()), " steps");
}

std::string beyond_text(const Judged& one) {
  const auto trained = in_distribution(*one.row);
  if (!trained || trained->length == 0 || one.at.length <= trained->length) return tokens(one.at);
  const int times = one.at.length / trained->length;
  return str(tokens(one.at), ", ",
             one.at.length % trained->length > 0 ? str("trained up to ", trained->length)
             : times == 2                        ? "twice the length trained on"
                                                 : str(times, " times the length trained on"));
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

bool needs_order_on(const Judged& one) { return blind_level(*one.row, one.at) < needs_order; }

bool is_above(const Judged& one) { return one.standing == Standing::above; }

std::vector<Finding> findings(const Study& study) {
  std::vector<std::pair<std::size_t, Finding>> ranked;  // by the rank within a kind of model
  for (const ModelRows& view : study.views) {
    std::size_t rank = 0;
    for (const auto rule : {order_leaks, diverged, memorised, ceiling_too_high, taken_away, mask_shows_order,
                            best_beyond, learned_by_heart, never_trained, left_or_right, says_nothing,
                            who_learns, less_than_nothing, null_control, noise_floor})
      if (auto finding = rule(view)) {
        if (study.views.size() > 1)
          finding->lead += str(" (", view.model, view.is_text ? ", texts" : "", ')');
        ranked.emplace_back(rank++, std::move(*finding));
      }
  }
  std::ranges::stable_sort(ranked, {}, &std::pair<std::size_t, Finding>::first);
  std::vector<Finding> found;
  for (auto& [rank, finding] : ranked) found.push_back(std::move(finding));
  return found;
}

namespace {

// "Without positions, the decoder gets 92 % of sort right at 24 tokens, twice ...; the best scheme, `t5`, 29 %."
std::string lead_headline(const Lead& lead) {
  const auto& [best, second, at_edge] = lead;
  const bool bare = kind_of(*best.row) == "none";
  return str(bare ? str("Without positions, the ", best.row->model) : code(best.row->name()), " gets ",
             percent(measure_of(best)), " of ", best.row->task, " right at ", beyond_text(best), "; the ",
             bare ? "best scheme" : "next best", ", ", code(second.row->name()), ", ",
             percent(measure_of(second)), '.');
}

// What a kind of model has of the way from what is free to 1, as the mean over tasks: of its sizes the least and the
// most.
struct Kept {
  std::string name;  // kind_of
  double least, most;
  bool is_shown = false;  // above what is free, on some task
  std::vector<const ResultRow*> rows = {};
};

std::vector<Kept> kept(const std::vector<Judged>& all) {
  std::map<std::pair<std::string, std::string>, std::vector<const Judged*>> models;  // by kind and name
  for (const Judged& one : all) models[{kind_of(*one.row), one.row->name()}].push_back(&one);
  std::map<std::string, Kept> kinds;
  for (const auto& [names, judgements] : models) {
    std::vector<double> gains;
    for (const Judged* one : judgements) gains.push_back(gain(*one->row, one->at).value_or(0));
    const double here = mean(gains);
    Kept& kind = kinds.try_emplace(names.first, Kept{names.first, here, here}).first->second;
    kind.least = std::min(kind.least, here);
    kind.most = std::max(kind.most, here);
    for (const Judged* one : judgements) {
      kind.is_shown |= is_above(*one);
      kind.rows.push_back(one->row);
    }
  }
  std::vector<Kept> sorted;
  for (const auto& entry : kinds) sorted.push_back(entry.second);
  std::ranges::stable_sort(sorted, std::ranges::greater(), &Kept::most);
  return sorted;
}

// The task that most models were trained on, where some were not trained on all; else "".
std::string common_task(const ModelRows& view) {
  if (view.tasks.size() > 1 && on_all_tasks(view).size() == view.schemes.size()) return "";
  return std::ranges::max(view.tasks, {}, [&](const std::string& task) { return view.of_task(task).size(); });
}

// "At 24 tokens, twice the length trained on, `t5` keeps 55 % of what order is worth, `rope` 52 %; `index` less;
// `alibi` nothing, after 1,000 steps."
std::string kept_headline(const ModelRows& view) {
  std::vector<Judged> all = judged_at(out_of_distribution, view);
  const char* verb = view.generates ? " gets " : all.empty() ? " has " : " keeps ";
  const char* what = view.generates ? " of all answers right" : " of what order is worth";
  if (all.empty()) all = judged_at(in_distribution, view);
  const std::string only = common_task(view);
  std::erase_if(all, [&](const Judged& one) {
    return !needs_order_on(one) || (!only.empty() && one.row->task != only);
  });
  if (all.empty()) return "";
  // Only what was trained and tested alike: at the lengths that most rows have.
  std::map<std::string, std::size_t> rows_with;
  for (const Judged& one : all) ++rows_with[beyond_text(one)];
  const auto usual = std::ranges::max_element(rows_with, {}, [](const auto& entry) { return entry.second; });
  std::erase_if(all, [&](const Judged& one) { return beyond_text(one) != usual->first; });
  const std::string where =
      str(only.empty() ? "At " : str("On ", only, " at "), beyond_text(all.front()), ", ");
  std::vector<Kept> kinds = kept(all);
  std::vector<std::string> less, nothing;  // the control is none of these: it is what is free
  std::vector<const ResultRow*> tried;     // of the latter
  for (const Kept& kind : kinds) {
    if (kind.is_shown || kind.rows.front()->scheme == "none") continue;
    nothing.push_back(code(kind.name));
    tried.insert(tried.end(), kind.rows.begin(), kind.rows.end());
  }
  std::erase_if(kinds, [](const Kept& one) { return !one.is_shown; });
  if (kinds.empty()) return "";  // best_beyond() says it
  constexpr std::size_t named = 4;
  std::vector<std::string> parts;
  for (const auto& [name, least, most, is_shown, rows] : kinds)
    if (parts.size() == named)
      less.push_back(code(name));
    else
      parts.push_back(str(code(name), parts.empty() ? verb : " ",
                          percent(least) == percent(most) ? "" : percent(least) + " to ", percent(most),
                          parts.empty() ? what : ""));
  return str(where, list_of(parts), less.empty() ? "" : str("; ", some_of(less, 2), " less"),
             nothing.empty() ? "" : str("; ", some_of(nothing, 2), " nothing, ", budget_of(tried)), '.');
}

}  // namespace

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
