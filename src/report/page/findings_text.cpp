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
  if (all.empty()) all = judged_at(in_distribution, view);
  std::vector<std::string> sentences;
  for (const std::string& task : view.tasks) {
    std::vector<std::string> kept, better, alike, worse;  // the first: as good as in the windows trained on
    const Judged* any = nullptr;
    // Past the trained length the second half of each window is read: the first tokens, which are read as in training,
    // would hide what becomes of the others.
    bool is_past = false;
    for (const Judged& one : all) {
      const auto trained = in_distribution(*one.row);
      if (one.row->task != task || !trained || !trained->text) continue;
      any = &one;
      const bool is_as_good =
          measure_of(one) >= measure_of({one.row, *trained}) - equivalence_margin && is_above(one);
      const std::vector<double>& second_half = one.at.text->sliding;
      is_past = one.at.length > trained->length && !second_half.empty();
      const double counting = -blind_level(*one.row, one.at);
      const bool is_better = is_past ? std::ranges::max(second_half) < counting : is_above(one),
                 is_worse =
                     is_past ? std::ranges::min(second_half) > counting : one.standing == Standing::below;
      const double here = is_past && !is_as_good ? mean_perplexity(second_half) : std::exp(-measure_of(one));
      (is_as_good  ? kept
       : is_better ? better
       : is_worse  ? worse
                   : alike)
          .push_back(str(code(one.row->name()), " (", perplexity_text(here), ')'));
    }
    if (!any) continue;
    const int trained = in_distribution(*any->row)->length, length = any->at.length;
    if (length > trained)
      sentences.push_back(
          str("Trained on ", trained, " tokens of ", task, ", ",
              kept.empty() ? "no scheme predicts"
              : better.empty() && alike.empty() && worse.empty()
                  ? str("all schemes still predict")
                  : str("only ", some_of(kept), " still predict", kept.size() == 1 ? "s" : ""),
              " as well at ", length, ", ", budget_of(view.of_task(task)), '.'));
    else
      better.insert(better.begin(), kept.begin(), kept.end());
    std::vector<std::string> clauses;
    for (const auto& [names, how] : {std::pair{better, "better"}, {alike, "about as well"}, {worse, "worse"}})
      if (!names.empty()) clauses.push_back(str(some_of(names), names.size() == 1 ? " does " : " do ", how));
    if (!clauses.empty())
      sentences.push_back(str(is_past ? "In the second half of these windows counting" : "Counting",
                              " the tokens of ", task, ", without reading them, has perplexity ",
                              perplexity_text(std::exp(-blind_level(*any->row, any->at))), ": ",
                              join(clauses, ", "), '.'));
  }
  return join(sentences, " ");
}

}  // namespace locus
