// The sentences of the generated corpus.
//
// A paragraph is made of sentences of these kinds, each known by its first word; the order of words decides how all but
// the brackets and blocks go on:
//
//   the    agreement across clauses      the dogs near the cat that the boy sees sleep.
//   a      who did what to whom          a dog bit a boy, so the boy was bitten by the dog.
//   only   what "only" belongs to        only Ann gave Ben tea: nobody else did.
//   before, after                        after the lunch came the walk: first the lunch, then the walk.
//   my     adjectives in their order     my big old red hat.
//   code   brackets that close           code ([]{()}).
//   begin  blocks by indentation         begin, step or begin inside it, end
//   on     a date in three orders        on 3 May 2021, that is 2021-05-03 or May 3, 2021.
//   of     numbers compared              of 17 and 42 the larger is 42.
//   key    a pair far apart              key of Ann is blue.  ...  ask Ann: blue.
#pragma once

#include <algorithm>

#include "grammar.h"

namespace corpus {

inline std::string two_digits(int number) { return (number < 10 ? "0" : "") + std::to_string(number); }

// A noun, then perhaps a phrase or clause between it and its verb. The verb agrees with the noun; `end` follows it.
inline void noun_and_verb(Writer& w, const std::vector<Verb>& verbs, int depth, const std::string& end) {
  std::vector<Alternative> nouns_here;
  for (const Noun& noun : nouns) {
    nouns_here.push_back({noun.one + " "});
    nouns_here.push_back({noun.many + " "});
  }
  const bool many = w.choose(nouns_here) % 2 == 1;
  std::vector<Alternative> next;
  for (const Verb& verb : verbs) next.push_back({(many ? verb.many : verb.one) + end});
  const std::size_t verb_count = next.size();
  if (depth < 3) {
    next.push_back({"that the ", 2});
    next.push_back({"near the ", 2});
  }
  const std::size_t chosen = w.choose(next);
  if (chosen < verb_count) return;
  if (chosen == verb_count) {
    noun_and_verb(w, seeing, depth + 1, " ");
  } else {
    w.choose(nouns_here);  // an attractor: the verb does not agree with it
  }
  next.resize(verb_count);
  w.choose(next);
}

inline void who_did_what(Writer& w) {
  Words ones;
  for (const Noun& noun : nouns) ones.push_back(noun.one);
  const Noun& first = nouns[w.choose(ones, " ")];
  Words verbs;
  for (const Deed& deed : deeds) verbs.push_back(deed.did);
  const Deed& deed = deeds[w.choose(verbs, " a ")];
  const Noun& second = nouns[w.choose(ones, ", so ")];
  w.put("the " + second.one + " was " + deed.done + " by the " + first.one + ".\n");
}

inline void before_after(Writer& w, bool after) {
  const std::string &one = events[w.choose(events, " came the ")], &two = events[w.choose(events, ": ")];
  w.put("first the " + (after ? one : two) + ", then the " + (after ? two : one) + ".\n");
}

// Size, age, colour: each may be left out, none may come after a later one.
inline void adjectives(Writer& w) {
  const std::vector<const Words*> kinds = {&sizes, &ages, &colours, &goods};
  for (std::size_t kind = 0; kind < kinds.size();) {
    std::vector<Alternative> next;
    std::vector<std::size_t> kind_of;
    for (std::size_t later = kind; later < kinds.size(); ++later)
      for (const std::string& word : *kinds[later]) {
        next.push_back({word + (later == 3 ? ".\n" : " ")});
        kind_of.push_back(later);
      }
    kind = kind_of[w.choose(next)] + 1;
  }
}

inline void brackets(Writer& w) {
  const std::string opening = "([{", closing = ")]}";
  std::string stack;  // what must close, the last first
  for (int left = 12; left > 0; --left) {
    std::vector<Alternative> next;
    if (stack.size() < 4)
      for (const char bracket : opening) next.push_back({std::string(1, bracket)});
    next.push_back({stack.empty() ? ".\n" : std::string(1, stack.back()), 2});
    const std::size_t chosen = w.choose(next);
    if (chosen + 1 < next.size()) {
      stack += closing[chosen];
    } else if (stack.empty()) {
      return;
    } else {
      stack.pop_back();
    }
  }
  std::reverse(stack.begin(), stack.end());
  w.put(stack + ".\n");
}

inline void block(Writer& w) {
  for (std::size_t depth = 1; depth > 0;) {
    const std::string indent(2 * depth, ' '), outer(2 * depth - 2, ' ');
    std::vector<Alternative> next = {{outer + "end\n", 2}};
    for (const char* step : {"walk", "wait", "turn", "jump"}) next.push_back({indent + step + "\n"});
    if (depth < 3) next.push_back({indent + "begin\n", 1.5});
    const std::size_t chosen = w.choose(next);
    if (chosen == 0) --depth;
    if (chosen == 5) ++depth;
  }
}

inline void date(Writer& w) {
  Words days, years;
  for (int day = 1; day <= 28; ++day) days.push_back(std::to_string(day));
  for (int year = 2000; year < 2030; ++year) years.push_back(std::to_string(year));
  const int day = static_cast<int>(w.choose(days, " ")) + 1,
            month = static_cast<int>(w.choose(months, " ")) + 1;
  const std::string year = years[w.choose(years, ", ")], &name = months[static_cast<std::size_t>(month) - 1];
  w.put("that is " + year + "-" + two_digits(month) + "-" + two_digits(day) + " or " + name + " " +
        std::to_string(day) + ", " + year + ".\n");
}

inline void compare(Writer& w) {
  Words numbers;
  for (int number = 10; number < 100; ++number) numbers.push_back(std::to_string(number));
  const std::string &one = numbers[w.choose(numbers, " and ")], &two = numbers[w.choose(numbers, " the ")];
  const bool larger = w.choose({{"larger is "}, {"smaller is "}}) == 0;
  w.put((larger == (one > two) ? one : two) + ".\n");
}

// Who has which key, in this paragraph.
using Keys = std::map<std::string, std::string>;

inline void key(Writer& w, Keys& keys) {
  const std::string& name = names[w.choose(names, " is ")];
  keys[name] = colours[w.choose(colours, ".\n")];
}

inline void ask(Writer& w, const Keys& keys) {
  Words known;
  for (const auto& [name, colour] : keys) known.push_back(name);
  w.put(keys.at(known[w.choose(known, ": ")]) + ".\n");
}

// "only Ann gave Ben tea", "Ann only" is not written: the word stands before what it belongs to.
inline void only_first(Writer& w) {
  w.choose(names, " gave ");
  w.choose(names, " ");
  w.choose(things, ": ");
  w.put("nobody else did.\n");
}

inline void name_gave(Writer& w) {  // after "then "
  w.choose(names, " gave ");
  std::vector<Alternative> next = {{"only ", 3}};
  for (const std::string& name : names) next.push_back({name + " only "});
  if (w.choose(next) == 0) {
    w.choose(names, " ");
    w.choose(things, ": ");
    w.put("to nobody else.\n");
  } else {
    w.choose(things, ": ");
    w.put("nothing else.\n");
  }
}

inline void paragraph(Writer& w) {
  Keys keys;
  for (bool first = true;; first = false) {
    std::vector<Alternative> next = {{"the ", 3},        {"a ", 1.5},       {"only ", 1}, {"then ", 1},
                                     {"before the ", 1}, {"after the ", 1}, {"my ", 1},   {"code ", 1},
                                     {"begin\n", 1},     {"on ", 1},        {"of ", 1},   {"key of ", 2}};
    const std::size_t asking = next.size(), ending = asking + 1;
    next.push_back({"ask ", keys.empty() ? 0.0 : 3.0});
    next.push_back({"\n", first ? 0.0 : 2.5});
    const std::size_t chosen = w.choose(next);
    if (chosen == ending) return;
    if (chosen == asking) ask(w, keys);
    switch (chosen) {
      case 0:
        noun_and_verb(w, being, 0, ".\n");
        break;
      case 1:
        who_did_what(w);
        break;
      case 2:
        only_first(w);
        break;
      case 3:
        name_gave(w);
        break;
      case 4:
        before_after(w, false);
        break;
      case 5:
        before_after(w, true);
        break;
      case 6:
        adjectives(w);
        break;
      case 7:
        brackets(w);
        break;
      case 8:
        block(w);
        break;
      case 9:
        date(w);
        break;
      case 10:
        compare(w);
        break;
      case 11:
        key(w, keys);
        break;
      default:
        break;
    }
  }
}

}  // namespace corpus
