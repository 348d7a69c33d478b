// What the words of the page mean.
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

Section terms_section() {
  struct Term {
    const char *name, *meaning;
  };
  constexpr Term terms[] = {
      {"token accuracy", "the share of answer tokens that are right; encoders are measured by it"},
      {"exact match",
       "the share of examples whose whole answer is right; where answers are generated, the measure"},
      {"order-blind ceiling",
       "the best token accuracy of any encoder that sees the tokens but not their order: found by counting, "
       "not by "
       "training. A decoder's causal mask shows order, so it has none"},
      {"no-input baseline",
       "the token accuracy of always giving the most frequent answer at each place, unread"},
      {"oracle", "every task has a rule, so the best there is gets 1"},
      {"length trained on",
       "the longest input the model saw in training; what is longer is out of distribution"},
      {"solved", "99\u00a0% of fresh examples answered without a mistake"},
  };
  std::vector<Html> list;
  for (const auto& [name, meaning] : terms)
    list.push_back(element("div", {}, {element("dt", {}, {name}), element("dd", {}, {meaning})}));
  return {"terms", "Terms", {element("dl", {{"class", "terms"}}, list)}};
}

}  // namespace locus
