// What perplexities of a text show: beside counting its tokens, and beyond the length trained on.
#include <algorithm>
#include <cmath>

#include "base/text.h"
#include "io/format.h"
#include "report/page/finding_rules.h"
#include "report/page/parts.h"
#include "report/text_study.h"

namespace locus {

std::string text_answer(const ModelRows& view) {
  std::vector<Judged> all = judged_at(out_of_distribution, view);
  if (all.empty()) all = judged_at(in_distribution, view);
  std::vector<std::string> sentences;
  for (const std::string& task : view.tasks) {
    const auto first = std::ranges::find_if(all, [&](const Judged& one) { return one.row->task == task; });
    if (first == all.end()) continue;
    std::vector<std::string> lower, alike, higher;
    for (const Judged& one : all) {
      if (one.row->task != task) continue;
      const std::string name = code(one.row->name());
      if (one.standing == Standing::above) lower.push_back(name);
      if (one.standing == Standing::at) alike.push_back(name);
      if (one.standing == Standing::below) higher.push_back(str(name, " (", measure_text(one), ')'));
    }
    std::vector<std::string> parts;
    const auto add = [&](const std::vector<std::string>& names, const char* verb_of_one, const char* verb,
                         const char* what) {
      if (!names.empty()) parts.push_back(str(some_of(names), names.size() == 1 ? verb_of_one : verb, what));
    };
    add(lower, " has", " have", " a lower one");
    add(alike, " is", " are", " not told apart from it");
    add(higher, " has", " have", " a higher one");
    sentences.push_back(str("In windows of ", tokens(first->at), " of ", task,
                            ", counting tokens without reading them has perplexity ",
                            perplexity_text(std::exp(-blind_level(*first->row, first->at))), ": ",
                            join(parts, "; "), ", after ", steps_of(view.of_task(task)), '.'));
  }
  return join(sentences, " ");
}

// "In windows of 512 tokens of grammar the lowest perplexity is that of `alibi` 1.40 (1.47 at 64), the highest ..."
std::optional<Finding> perplexity_beyond(const ModelRows& view) {
  std::vector<std::string> sentences;
  for (const std::string& task : view.tasks) {
    struct One {
      double beyond, trained;
      const ResultRow* row;
    };
    std::vector<One> all;
    int longest = 0, trained = 0;
    for (const ResultRow* row : view.of_task(task)) {
      const auto inside = in_distribution(*row), outside = out_of_distribution(*row);
      if (!inside || !outside || !inside->text || !outside->text) continue;
      longest = outside->length;
      trained = inside->length;
      all.push_back({mean_perplexity(outside->text->loss), mean_perplexity(inside->text->loss), row});
    }
    if (all.size() < 2) continue;
    std::ranges::sort(all, {}, &One::beyond);
    const auto said = [&](const One& one) {
      return str(code(one.row->name()), ' ', perplexity_text(one.beyond), " (", perplexity_text(one.trained),
                 " at ", trained, ")");
    };
    sentences.push_back(str("In windows of ", longest, " tokens of ", task,
                            " the lowest perplexity is that of ", said(all.front()), ", the highest that of ",
                            said(all.back())));
    const auto kept = std::ranges::count_if(all, [](const One& one) { return one.beyond <= one.trained; });
    sentences.back() += str(
        "; with ", kept == 0 ? std::string("no scheme") : str(kept, " of ", counted(all.size(), "scheme")),
        " it is not higher than in the windows trained on.");
  }
  if (sentences.empty()) return {};
  return Finding{"Longer windows of text", join(sentences, " ")};
}

}  // namespace locus
