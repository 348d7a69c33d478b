// What perplexities of a text show: beside counting its tokens, and beyond the length trained on.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"
#include "report/text_study.h"

namespace locus {

std::string text_headline(const ModelRows& view) {
  std::vector<Judged> all = judged_at(out_of_distribution, view);
  const bool is_past = !all.empty();
  if (!is_past) all = judged_at(in_distribution, view);
  // Past the trained length the second half of each window is read: the first tokens, which are read as in training,
  // would hide what becomes of the others.
  const auto losses_of = [&](const RowAtLength& at) { return is_past ? at.text->sliding : at.text->loss; };
  std::vector<std::string> sentences;
  for (const std::string& task : view.tasks) {
    std::vector<std::string> kept, better, alike, worse;  // the first: as good as in the windows trained on
    const Judged* any = nullptr;
    for (const Judged& one : all) {
      const auto trained = in_distribution(*one.row);
      if (one.row->task != task || !trained || !trained->text) continue;
      any = &one;
      const std::vector<double> losses = losses_of(one.at);
      const double counting = -blind_level(*one.row, one.at);
      const bool is_better = is_past ? std::ranges::max(losses) < counting : is_above(one),
                 is_worse = is_past ? std::ranges::min(losses) > counting : one.standing == Standing::below,
                 is_as_good =
                     is_past && is_better && mean(losses) <= mean(losses_of(*trained)) + equivalence_margin;
      (is_as_good  ? kept
       : is_better ? better
       : is_worse  ? worse
                   : alike)
          .push_back(str(code(one.row->name()), " (", perplexity_text(mean_perplexity(losses)), ')'));
    }
    if (!any) continue;
    const int trained = in_distribution(*any->row)->length, length = any->at.length;
    const std::string units = token_name(any->row->settings) + "s", budget = budget_of(view.of_task(task)),
                      unread = perplexity_text(std::exp(-blind_level(*any->row, any->at)));
    if (is_past)
      sentences.push_back(
          str("Trained on ", task, " in windows of ", trained, ' ', units, ", ",
              kept.empty() ? "no scheme predicts"
              : better.empty() && alike.empty() && worse.empty()
                  ? str("all schemes still predict")
                  : str("only ", some_of(kept), " still predict", kept.size() == 1 ? "s" : ""),
              " windows of ", length, " as well as those of ", trained, ", ", budget, '.'));
    std::vector<std::string> clauses;
    for (const auto& [names, how] :
         {std::pair{better, "better"}, {alike, "about the same"}, {worse, "worse"}})
      if (!names.empty()) clauses.push_back(str(some_of(names), names.size() == 1 ? " does " : " do ", how));
    sentences.push_back(str(
        is_past
            ? str("The numbers are perplexities, the lower the better: a model is as unsure as if it chose "
                  "between so many ",
                  units, ", in the ", last_half(length, units), ". ")
            : "",
        "A guess from the frequencies of the ", units, " has ", is_past ? "" : "perplexity ", unread,
        clauses.empty() ? "" : ": ", join(clauses, ", "), '.'));
  }
  return join(sentences, " ");
}

}  // namespace locus
