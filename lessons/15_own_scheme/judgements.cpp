#include "lessons/15_own_scheme/judgements.h"

#include <algorithm>
#include <map>
#include <set>

#include "ablation/judgement.h"
#include "ablation/result_rows.h"
#include "ablation/tuning.h"
#include "base/error.h"
#include "base/pool.h"
#include "io/format.h"
#include "report/study.h"
#include "report/text_study.h"
#include "train/result.h"

namespace locus {

namespace {

const std::vector<std::string> controls = {"none", "rope"};

// The three schemes that are compared: the learner's, none and rope.
std::vector<std::string> compared(const Evidence& evidence) {
  return {evidence.scheme, controls[0], controls[1]};
}

std::vector<std::string> tasks_of(const Evidence& evidence, const Records& records) {
  std::vector<std::string> tasks;
  for (const Result& result : records.results)
    if (result.settings.model.scheme == evidence.scheme && !std::ranges::count(tasks, result.settings.task))
      tasks.push_back(result.settings.task);
  return tasks;
}

std::vector<const Result*> results_of(const Records& records, const std::string& task,
                                      const std::string& scheme) {
  std::vector<const Result*> found;
  for (const Result& result : records.results)
    if (result.settings.task == task && result.settings.model.scheme == scheme) found.push_back(&result);
  return found;
}

double rate_of(const Result& result) { return result.settings.train.optimizer.learning_rate; }

// What must be equal between schemes: all settings but the scheme, the seed and the learning rate.
RunSettings budget_of(const Result& result) {
  RunSettings settings = result.settings;
  settings.model.scheme = "none";
  settings.train.seed = 1;
  settings.train.optimizer.learning_rate = 0;
  return settings;
}

std::string in_words(const std::set<double>& rates) {
  std::vector<std::string> words;
  for (const double rate : rates) words.push_back(shortest(rate));
  return join(words, ", ");
}

// The rows at the best learning rate of each scheme, of a budget; a row for each size (and other variant) of a task.
std::vector<ResultRow> best_rows(const Records& records) {
  const std::vector<ChosenRate> chosen = chosen_rates(records);
  if (chosen.empty()) return summarise(Records{.results = records.results});
  return summarise(Records{.results = at_best_rates(records).results}, chosen);
}

SettingsKey budget_key(const ResultRow& row) {
  RunSettings settings = row.settings;
  settings.model.scheme = "none";
  settings.train.optimizer.learning_rate = 0;
  return group_key(settings);
}

const ResultRow* partner(const std::vector<ResultRow>& rows, const ResultRow& of,
                         const std::string& control) {
  for (const ResultRow& row : rows)
    if (row.scheme == control && row.task == of.task && row.model == of.model &&
        budget_key(row) == budget_key(of))
      return &row;
  for (const ResultRow& row : rows)  // of another budget, which is judged elsewhere
    if (row.scheme == control && row.task == of.task && row.model == of.model) return &row;
  return nullptr;
}

// One comparison of the scheme with a control at one length, at one size.
struct Pairing {
  const ResultRow *row, *control;
  RowAtLength at, there;
  Tested tested;              // where the length was not trained on, at every rate near the best
  double p = 1, p_equal = 1;  // corrected over all comparisons
  std::size_t family = 1;     // how many comparisons these are

  bool is_about(const Statement& said) const {
    return row->task == said.task && control->scheme == said.control && at.length == said.length;
  }
  bool is_apart() const { return p < significance_level; }
  bool supports(Said said) const {
    if (said == Said::equal) return p_equal < significance_level;
    if (said == Said::not_told_apart) return !is_apart() && p_equal >= significance_level;
    return is_apart() && (tested.difference.mean > 0) == (said == Said::better);
  }
};

std::vector<Pairing> all_comparisons(const Evidence& evidence, const std::vector<ResultRow>& rows) {
  std::vector<Pairing> all;
  for (const ResultRow& row : rows)
    if (row.scheme == evidence.scheme)
      for (const std::string& control : controls)
        if (const ResultRow* other = partner(rows, row, control))
          for (const RowAtLength& at : row.by_length)
            for (const RowAtLength& there : other->by_length)
              if (at.length == there.length)
                if (const auto apart = tested(row, at, *other, there))
                  all.push_back({&row, other, at, there, *apart});
  return all;
}

void correct(std::vector<Pairing*> family) {
  std::vector<double> apart, equal;
  for (const Pairing* one : family) {
    apart.push_back(one->row->seeds() > 1 ? one->tested.p : 1);
    equal.push_back(one->tested.p_of_equality);
  }
  apart = holm(apart);
  equal = holm(equal);
  for (std::size_t i = 0; i < family.size(); ++i) {
    family[i]->p = apart[i];
    family[i]->p_equal = equal[i];
    family[i]->family = family.size();
  }
}

// "wheel 0.645, rope 0.786"
std::string means(const Pairing& one) {
  const auto of = [](const ResultRow& row, const RowAtLength& at) {
    return str(row.scheme, ' ', fixed(mean(row.accuracy(at)), 3));
  };
  return str(of(*one.row, one.at), ", ", of(*one.control, one.there));
}

// "wheel 0.645 (seeds from 0.620 to 0.670), rope 0.786 (...); mean difference -0.141, 95 % interval -0.190 to -0.090"
std::string numbers(const Pairing& one) {
  const auto of = [](const ResultRow& row, const RowAtLength& at) {
    const std::vector<double>& seeds = row.accuracy(at);
    return str(row.scheme, ' ', fixed(mean(seeds), 3), " (seeds from ", fixed(smallest(seeds), 3), " to ",
               fixed(largest(seeds), 3), ')');
  };
  const Difference& apart = one.tested.difference;
  const auto& interval = apart.interval;
  return str(of(*one.row, one.at), ", ", of(*one.control, one.there), "; mean difference ",
             fixed(apart.mean, 3),
             interval ? str(", 95 % interval ", fixed(interval->low, 3), " to ", fixed(interval->high, 3))
                      : std::string(", no interval with one seed"));
}

// The rates that keep the sentence from being shown, where it would be at the chosen ones alone; "" else.
std::string other_rates(const Pairing& one, Said said) {
  const auto& [chosen, p, p_of_equality, against, farthest] = one.tested;
  const auto is_reason = [](double alone, double at_all_rates) {
    return alone < significance_level && at_all_rates >= significance_level;
  };
  if (said == Said::equal)
    return is_reason(chosen.p_of_equality(equivalence_margin), p_of_equality) ? farthest : "";
  const bool has_its_sign = said != Said::not_told_apart && (chosen.mean > 0) == (said == Said::better);
  return has_its_sign && is_reason(chosen.p, p) ? against : "";
}

// At which learning rates, too, a sentence about a length that was not trained on must hold, and does not; or "".
std::string unlike_at_other_rates(const Pairing& one, const Statement& said) {
  const std::string others = other_rates(one, said.said);
  if (others.empty()) return "";
  return str(
      said.length,
      " tokens were not trained on, so the sentence must hold at every learning rate that does nearly as well "
      "at the length trained on (within ",
      in_percent(near_best), " % of the best). It does not hold here: ", others);
}

// Why a difference is not told apart, although its interval, as printed, lies on one side of 0; "" where it does not.
std::string although_apart(const Pairing& one) {
  const auto& interval = one.tested.difference.interval;
  if (!interval || one.is_apart() || (interval->low <= 0 && interval->high >= 0)) return "";
  const std::string side = str(". The interval lies ", interval->low > 0 ? "above" : "below", " 0, ");
  if (one.tested.p >= significance_level)
    return str(side, "but only at the best learning rates; others that do nearly as well disagree: ",
               one.tested.against);
  return str(side, "but it is that of one comparison, and ", one.family,
             " were made: corrected for all of them (Holm), p = ", significant(one.p, 2));
}

// The comparisons a statement is about, one for each size, with p values corrected over their family.
std::vector<Pairing> comparisons_for(const Statement& said, std::vector<Pairing>& all,
                                     const std::vector<Statement>& kept) {
  const auto is_kept = [&](const Pairing& one) {
    return std::ranges::any_of(kept, [&](const Statement& before) { return one.is_about(before); });
  };
  const bool predicted =
      std::ranges::any_of(kept, [&](const Statement& before) { return before.is_about_what(said); });
  std::vector<Pairing*> family;
  for (Pairing& one : all)
    if (!predicted || is_kept(one)) family.push_back(&one);
  correct(family);
  std::vector<Pairing> found;
  for (const Pairing* one : family)
    if (one->is_about(said)) found.push_back(*one);
  return found;
}

}  // namespace

Judgement has_controls(const Evidence& evidence, const Records& records) {
  const std::vector<std::string> tasks = tasks_of(evidence, records);
  if (tasks.empty()) {
    std::vector<std::string> there;
    for (const Result& result : records.results)
      if (!std::ranges::count(there, to_string(result.settings.model.scheme)))
        there.push_back(result.settings.model.scheme);
    return {false, "the scheme in the runs",
            str("The runs hold no result of ", evidence.scheme, "; they hold ", join(there, ", "),
                ". Hint: train it together with its controls, --schemes ", evidence.scheme, ",none,rope")};
  }
  for (const std::string& task : tasks)
    for (const std::string& control : controls)
      if (results_of(records, task, control).empty())
        return {false, "none and rope beside it",
                control == "none"
                    ? str("On ", task,
                          " there is no run of none. It shows how many answers are right without positions, ",
                          "so that one can see what ", evidence.scheme, " adds. Hint: --schemes ",
                          evidence.scheme, ",none,rope")
                    : str("On ", task,
                          " there is no run of rope: whoever reads this will ask how it does beside what ",
                          "is used today. Hint: --schemes ", evidence.scheme, ",none,rope")};
  for (const Result& result : records.results)
    if (result.settings.model.kind != ModelKind::encoder && result.settings.model.scheme == "none")
      return {
          false, "none and rope beside it",
          "The model is a decoder, whose causal mask shows order: its none is no control without positions. Hint: "
          "train encoders; or say nothing about what positions add"};
  return {true, str("none and rope beside it, on ", join(tasks, ", "))};
}

Judgement has_enough_seeds(const Evidence& evidence, const Records& records) {
  std::size_t fewest = 0;
  for (const std::string& task : tasks_of(evidence, records)) {
    std::map<std::pair<std::string, double>, std::set<std::uint64_t>> seeds;
    for (const std::string& scheme : compared(evidence))
      for (const Result* result : results_of(records, task, scheme))
        seeds[{scheme, rate_of(*result)}].insert(result->settings.train.seed);
    const auto& own = seeds.begin()->second;
    for (const auto& [of, have] : seeds) {
      const std::string which = str(of.first, " on ", task, " with the learning rate ", of.second);
      if (have.size() < enough_seeds)
        return {
            false, str(enough_seeds, " seeds"),
            str("There ", have.size() == 1 ? "is " : "are ", have.size(),
                have.size() == 1 ? " seed" : " seeds", " of ", which, ". With ", enough_seeds,
                " seeds the 95 % interval of a mean reaches 2.8 standard ",
                "errors to each side; with 3 it reaches 4.3, with 2 it reaches 12.7. Hint: the same command with --seeds ",
                enough_seeds, " trains only what is missing")};
      if (have != own)
        return {
            false, str(enough_seeds, " seeds, the same for all"),
            str("The seeds of ", which, " are not those of ", seeds.begin()->first.first,
                ": differences are taken seed by seed, from the same data. Hint: one command for all three")};
    }
    fewest = fewest == 0 ? own.size() : std::min(fewest, own.size());
  }
  return {true, str(fewest, " seeds, the same for all")};
}

Judgement has_equal_budget(const Evidence& evidence, const Records& records) {
  const std::string what = "an equal budget";
  std::string steps;
  for (const std::string& task : tasks_of(evidence, records)) {
    std::map<SettingsKey, std::set<double>> own;  // by budget: the rates tried
    const auto rates_of = [&](const std::string& scheme) {
      std::map<SettingsKey, std::set<double>> rates;
      for (const Result* result : results_of(records, task, scheme))
        rates[settings_key(budget_of(*result))].insert(rate_of(*result));
      return rates;
    };
    const auto first = results_of(records, task, evidence.scheme).front();
    own = rates_of(evidence.scheme);
    for (const std::string& control : controls) {
      const auto theirs = rates_of(control);
      for (const Result* result : results_of(records, task, control))
        if (!own.contains(settings_key(budget_of(*result)))) {
          const auto differ = difference(budget_of(*first), budget_of(*result));
          return {
              false, what,
              str("On ", task, ", ", evidence.scheme, " was run with ",
                  differ ? differ->first : "other settings", ", and ", control, " with ",
                  differ ? differ->second : "others",
                  ": a difference in accuracy may come from that. Hint: one command for all three gives them the same")};
        }
      for (const auto& [budget, rates] : own) {
        const auto found = theirs.find(budget);
        if (found == theirs.end()) continue;  // has_controls asks for it
        if (found->second != rates)
          return {
              false, what,
              str("On ", task, ", ", rates.size(),
                  rates.size() == 1 ? " learning rate was" : " learning rates were", " tried for ",
                  evidence.scheme, " (", in_words(rates), ") and ", found->second.size(), " for ", control,
                  " (", in_words(found->second),
                  "): the best of more learning rates is better by chance alone. Hint: the same --lr for all three")};
      }
    }
    steps = str(first->settings.train.steps, " steps of ", first->settings.train.batch,
                " examples at most, width ", first->settings.model.d_model, ", ",
                first->settings.model.layers, " layers");
  }
  return {true, str(what, ": ", steps)};
}

Judgement has_rate_inside(const Evidence& evidence, const Records& records) {
  const std::string what = "the best learning rate inside those tried";
  const std::vector<std::string> schemes = compared(evidence);
  std::set<double> tried;
  for (const Result& result : records.results)
    if (std::ranges::count(schemes, to_string(result.settings.model.scheme))) tried.insert(rate_of(result));
  if (tried.size() < 3)
    return {
        false, what,
        str("Only ", in_words(tried), tried.size() == 1 ? " was" : " were",
            " tried: a rate that suits one scheme may not suit another, and with fewer than three none lies between ",
            "two others. Hint: --lr 0.001,0.003,0.01,0.03")};
  const std::vector<ChosenRate> chosen = chosen_rates(records);
  if (chosen.empty())
    return {
        false, what,
        "The learning curves decide which rate is best, and some runs have none. Hint: train each for 50 steps or "
        "more"};
  const std::vector<ResultRow> rows = best_rows(records);
  std::vector<std::string> at_ceiling, at_edge;
  bool control_at_edge = false;
  double smallest = *tried.begin(), largest = *tried.rbegin();  // of a search that goes on
  for (const ChosenRate& one : chosen) {
    const std::string& scheme = one.settings.model.scheme;
    if (!one.is_at_edge() || !std::ranges::count(schemes, scheme)) continue;
    const auto row = std::ranges::find_if(rows, [&](const ResultRow& candidate) {
      return candidate.scheme == scheme && group_key(candidate.settings) == group_key(one.settings);
    });
    const auto at = row == rows.end() ? std::nullopt : in_distribution(*row);
    const auto ceiling = at ? own_ceiling(*row, *at) : std::nullopt;
    // What sees no order may be near its ceiling without that being shown: no rate makes more of it that matters.
    const bool is_near =
        ceiling && scheme == "none" && mean(row->accuracy(*at)) > *ceiling - equivalence_margin;
    if (is_near || (ceiling && is_shown_at(*ceiling, *row, *at))) {
      if (!std::ranges::count(at_ceiling, scheme)) at_ceiling.push_back(scheme);
      continue;
    }
    const double rate = one.settings.train.optimizer.learning_rate;
    (rate == one.smallest ? smallest : largest) = rate == one.smallest ? rate / 3 : rate * 3;
    at_edge.push_back(str(scheme, " on ", one.settings.task, " (", rate, ", the ",
                          rate == one.smallest ? "smallest" : "largest", ")"));
    control_at_edge = control_at_edge || scheme != evidence.scheme;
  }
  if (!at_edge.empty()) {
    tried.insert({smallest, largest});
    std::vector<std::string> longer;
    for (const double rate : tried) longer.push_back(short_number(rate));
    return {false, what,
            str("The best learning rate is at the edge of those tried for ", join(at_edge, ", "),
                ". A rate beyond the edge may be better still, so ",
                control_at_edge ? "a comparison at that rate may come out differently"
                                : str(evidence.scheme, " may be better than these runs show"),
                ". Hint: --lr ", join(longer, ","), ", and further until each best has one on either side")};
  }
  return {true, str(what, " (", in_words(tried), ")",
                    at_ceiling.empty() ? ""
                                       : str("; that of ", join(at_ceiling, ", "),
                                             " is at the edge, but no rate lifts it above its ceiling"))};
}

Judgement repeats(const Evidence& evidence, const Records& records) {
  const std::string what = "one run trained again";
  const Result* last = nullptr;
  for (const Result& result : records.results)
    if (result.settings.model.scheme == evidence.scheme) last = &result;
  if (!last) return {false, what, str("The runs hold no result of ", evidence.scheme)};
  const Run run(complete(last->settings));
  Pool pool(hardware_threads());
  Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
  while (trainer.train_step() == TrainStatus::running) continue;
  const std::vector<LengthScore> now = run.test(trainer.parameters().data(), pool);
  const std::string which = str(evidence.scheme, " on ", last->settings.task, ", seed ",
                                last->settings.train.seed, ", learning rate ", rate_of(*last));
  const auto unlike = [&](double given, const std::string& where, double before) {
    return Judgement{
        false, what,
        str("Trained again, ", which, " has ", significant(given, 5), where, "; the runs say ",
            significant(before, 5),
            ". So they belong to another version of the scheme (or to another machine). Hint: the same command "
            "with --fresh")};
  };
  for (std::size_t i = 0; i < now.size() && i < last->outcome.by_length.size(); ++i) {
    const LengthScore& before = last->outcome.by_length[i];
    if (fixed(now[i].score.token_accuracy, 6) != fixed(before.score.token_accuracy, 6))
      return unlike(now[i].score.token_accuracy, str(" right at ", before.length, " tokens"),
                    before.score.token_accuracy);
  }
  // Many schemes solve a task, but not by the same way: the first loss on record tells them apart, and rounding of
  // another machine has not grown by then.
  const Curve curve = result_of(run, trainer, now).outcome.curve, &before = last->outcome.curve;
  if (!before.loss.empty() && !curve.loss.empty() &&
      std::abs(curve.loss.front() - before.loss.front()) > 0.001 * before.loss.front())
    return unlike(curve.loss.front(), str(" as its loss at step ", before.step.front()), before.loss.front());
  return {true, str(what, " gives the same first loss and accuracies: ", which)};
}

constexpr const char* verdict_hint = ". Hint: read the interval, and choose the verdict that it allows";
constexpr const char* rates_hint = ". Hint: choose the verdict that all of these rates allow";

Judgement is_supported(const Statement& said, const Evidence& evidence, const Records& records,
                       const std::vector<Statement>& kept) {
  const std::vector<ResultRow> rows = best_rows(records);
  std::vector<Pairing> all = all_comparisons(evidence, rows);
  const std::vector<Pairing> found = comparisons_for(said, all, kept);
  const bool predicted =
      std::ranges::any_of(kept, [&](const Statement& before) { return before.is_about_what(said); });
  const std::string quoted = str("\"", said.words, "\"");
  if (found.empty()) {
    std::set<std::string> measured;
    for (const Pairing& one : all)
      if (one.control->scheme == said.control) measured.insert(str(one.row->task, " at ", one.at.length));
    return {false, quoted,
            str("Nothing was measured there: beside ", said.control, " the runs have ",
                measured.empty() ? "nothing" : join(measured, ", "),
                ". Hint: say what was measured, or measure it (--tasks, --test-lengths)")};
  }
  for (const Pairing& one : found) {
    if (one.supports(said.said)) continue;
    std::string why = str("The numbers", one.row->variant.empty() ? "" : str(" of ", one.row->variant),
                          " do not support it. ", numbers(one), ". ");
    if (one.row->seeds() < 2) {
      why += "One seed shows no difference: another seed may turn it round. Hint: --seeds 5";
    } else if (const std::string others = unlike_at_other_rates(one, said); !others.empty()) {
      why += str(others, rates_hint);
    } else if (said.said == Said::equal) {
      why += one.is_apart()
                 ? "They are told apart."
                 : str("No difference is shown, and no equality either: that needs an interval within ",
                       fixed(equivalence_margin, 2), " of 0", verdict_hint);
    } else if (said.said == Said::not_told_apart) {
      why +=
          one.is_apart()
              ? "They are told apart, so the sentence says less than the numbers show. Hint: see on which side of 0 the interval lies"
              : "The sentence says less than the numbers show. Hint: the interval lies within 0.02 of 0";
    } else if (one.is_apart() || (one.tested.difference.p < significance_level && one.tested.p == 1)) {
      why += "The difference has the other sign.";
    } else if (one.p_equal < significance_level) {
      why += str("They are equal within ", fixed(equivalence_margin, 2), ", by an equivalence test.");
    } else if (!predicted && one.tested.difference.p < significance_level) {
      why += str(
          "Tested alone, this difference has p = ", significant(one.tested.difference.p, 2), ". But ",
          all.size(),
          " comparisons were made, and this one was picked from them afterwards; corrected for all (Holm), p = ",
          significant(one.p, 2),
          ". Hint: predict it, and train on other seeds; or choose the verdict that this p allows");
    } else if (one.tested.p > one.tested.difference.p && !one.tested.against.empty()) {
      why += str("At the best learning rates alone it has p = ", significant(one.tested.difference.p, 2),
                 ", and rates that do nearly as well at the length trained on disagree: ", one.tested.against,
                 rates_hint);
    } else {
      const auto seeds = one.tested.difference.seeds_needed(
          equivalence_margin, significance_level / static_cast<double>(predicted ? 1 : all.size()));
      why +=
          str("Chance alone often makes such a difference (p = ", significant(one.p, 2),
              predicted ? "" : str(", corrected for the ", all.size(), " comparisons that were made"), "). ",
              seeds ? str("If the mean and the spread stayed, about ", *seeds,
                          " seeds would tell. Decide on their number before ",
                          "you train them: if you add seeds until a difference shows, chance will show one. ")
                    : std::string(),
              "Hint: choose the verdict that this p allows");
    }
    return {false, quoted, why};
  }
  const Pairing& one = found.front();
  const bool as_said = std::ranges::any_of(kept, [&](const Statement& prediction) {
    return prediction.is_about_what(said) && prediction.said == said.said;
  });
  const char* before = as_said ? " (predicted): " : " (predicted otherwise): ";
  return {true, str(quoted, predicted ? before : ": ", numbers(one),
                    said.said == Said::not_told_apart ? although_apart(one) : "")};
}

std::string outcome(const Statement& prediction, const Evidence& evidence, const Records& records,
                    Detail detail) {
  const std::vector<ResultRow> rows = best_rows(records);
  std::vector<Pairing> all = all_comparisons(evidence, rows);
  const std::vector<Pairing> found = comparisons_for(prediction, all, evidence.predictions);
  if (found.empty())
    return str("was not tested: there is no run of ", prediction.scheme, " and ", prediction.control, " on ",
               prediction.task, " at ", prediction.length);
  const Pairing& one = found.front();
  const std::string measured = detail == Detail::all ? numbers(one) : means(one);
  const std::string although = detail == Detail::all ? although_apart(one) : "";
  if (one.supports(prediction.said))
    return str("came true: ", measured, prediction.said == Said::not_told_apart ? although : "");
  if (one.is_apart() || one.p_equal < significance_level) return "did not come true: " + measured;
  const std::string others = detail == Detail::all ? unlike_at_other_rates(one, prediction) : "";
  if (others.empty()) return str("is open, the numbers cannot tell: ", measured, although);
  return str("is open, the numbers cannot tell: ", measured, ". ", others);
}

Figure figure_of(const std::string& title, const Records& records) {
  Records best = records;
  std::vector<ChosenRate> chosen = chosen_rates(records);
  if (!chosen.empty()) best.results = at_best_rates(records).results;
  return study_figure(title, Study(std::move(best), "", std::move(chosen)));
}

}  // namespace locus
