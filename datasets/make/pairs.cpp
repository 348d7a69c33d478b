// Writes minimal pairs by the grammar of the corpus: two pieces of text of the same characters in two orders, of which
// the first follows the grammar and the second does not. (datasets/README.md has the format.)
//
//   pairs FILE.tsv EACH SEED        EACH pairs of every phenomenon and distance
//
// The distance counts the words from the one that decides to the first that differs.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iostream>
#include <set>

#include "grammar.h"

namespace corpus {

struct Pair {
  std::string right, wrong;
};

const auto& any(Random& random, const auto& list) {
  return list[static_cast<std::size_t>(random.below(static_cast<int>(list.size())))];
}

// Two different ones of a list.
template <class T>
std::pair<T, T> two_of(Random& random, const std::vector<T>& list) {
  const int count = static_cast<int>(list.size()), one = random.below(count);
  const int two = (one + 1 + random.below(count - 1)) % count;
  return {list[static_cast<std::size_t>(one)], list[static_cast<std::size_t>(two)]};
}

// The verb of the main clause agrees with the first noun; `clauses` nested clauses stand between, and their nouns have
// the other number. The wrong one has the numbers of the first two nouns exchanged, and so two wrong verbs.
Pair agreement(Random& random, int clauses) {
  const auto [first, second] = two_of(random, nouns);
  const bool many = random.below(2) == 1;
  std::string inner, verbs;
  for (int clause = 1; clause < clauses; ++clause) {
    const Noun& noun = any(random, nouns);
    const Verb& verb = any(random, seeing);
    inner += "that the " + (many ? noun.one : noun.many) + " ";
    verbs = (many ? verb.one : verb.many) + " " + verbs;
  }
  const Verb &outer = any(random, seeing), &last = any(random, being);
  const std::string end =
      inner + verbs + (many ? outer.one : outer.many) + " " + (many ? last.many : last.one) + ".";
  const auto sentence = [&](const std::string& one, const std::string& two) {
    return "the " + one + " that the " + two + " " + end;
  };
  return many ? Pair{sentence(first.many, second.one), sentence(first.one, second.many)}
              : Pair{sentence(first.one, second.many), sentence(first.many, second.one)};
}

Pair roles(Random& random) {
  const auto [first, second] = two_of(random, nouns);
  const Deed& deed = any(random, deeds);
  const std::string start = "a " + first.one + " " + deed.did + " a " + second.one + ", so the ",
                    middle = " was " + deed.done + " by the ";
  return {start + second.one + middle + first.one + ".", start + first.one + middle + second.one + "."};
}

Pair only(Random& random) {
  const auto [giver, taker] = two_of(random, names);
  const std::string &thing = any(random, things), start = "then " + giver + " gave ";
  if (random.below(2) == 0)
    return {start + "only " + taker + " " + thing + ": to nobody else.",
            start + taker + " only " + thing + ": to nobody else."};
  return {start + taker + " only " + thing + ": nothing else.",
          start + "only " + taker + " " + thing + ": nothing else."};
}

Pair before_after(Random& random) {
  const auto [one, two] = two_of(random, events);
  const bool after = random.below(2) == 1;
  const auto sentence = [&, one = one, two = two](const std::string& first, const std::string& then) {
    return std::string(after ? "after" : "before") + " the " + one + " came the " + two + ": first the " +
           first + ", then the " + then + ".";
  };
  return after ? Pair{sentence(one, two), sentence(two, one)} : Pair{sentence(two, one), sentence(one, two)};
}

Pair adjectives(Random& random) {
  const std::string &size = any(random, sizes), &age = any(random, ages), &colour = any(random, colours),
                    &thing = any(random, goods);
  switch (random.below(3)) {
    case 0:
      return {"my " + size + " " + colour + " " + thing + ".",
              "my " + colour + " " + size + " " + thing + "."};
    case 1:
      return {"my " + age + " " + colour + " " + thing + ".", "my " + colour + " " + age + " " + thing + "."};
    default:
      return {"my " + size + " " + age + " " + thing + ".", "my " + age + " " + size + " " + thing + "."};
  }
}

// Two open brackets of different kinds, `inside` pairs within them, then both close.
Pair brackets(Random& random, int inside) {
  const std::string opening = "([{", closing = ")]}";
  const auto one = static_cast<std::size_t>(random.below(3)),
             two = (one + 1 + static_cast<std::size_t>(random.below(2))) % 3;
  std::string start = std::string("code ") + opening[one] + opening[two];
  for (int i = 0; i < inside; ++i) {
    const auto kind = static_cast<std::size_t>(random.below(3));
    start += {opening[kind], closing[kind]};
  }
  return {start + closing[two] + closing[one] + ".", start + closing[one] + closing[two] + "."};
}

Pair date(Random& random) {
  const auto [day, month] = two_of(random, std::vector<int>{1, 2, 3, 4, 5, 6, 7, 8, 9});
  const std::string year = std::to_string(2000 + random.below(30)),
                    &name = months[static_cast<std::size_t>(month) - 1],
                    start =
                        "on " + std::to_string(day) + " " + name + " " + year + ", that is " + year + "-0",
                    end = " or " + name + " " + std::to_string(day) + ", " + year + ".";
  return {start + std::to_string(month) + "-0" + std::to_string(day) + end,
          start + std::to_string(day) + "-0" + std::to_string(month) + end};
}

// The larger and the smaller: the same question with the two words exchanged is another one, so the numbers are.
Pair numbers(Random& random) {
  int one = 10 + random.below(90), two = 10 + random.below(90);
  while (one == two) two = 10 + random.below(90);
  const auto sentence = [&](int larger, int smaller) {
    return "of " + std::to_string(one) + " and " + std::to_string(two) + " the larger is " +
           std::to_string(larger) + ".\nof " + std::to_string(one) + " and " + std::to_string(two) +
           " the smaller is " + std::to_string(smaller) + ".";
  };
  return {sentence(std::max(one, two), std::min(one, two)), sentence(std::min(one, two), std::max(one, two))};
}

// Two keys, `between` lines of something else, then both are asked for.
Pair far(Random& random, int between) {
  const auto [one, two] = two_of(random, names);
  const auto [red, blue] = two_of(random, colours);
  std::string start = "key of " + one + " is " + red + ".\nkey of " + two + " is " + blue + ".\n";
  for (int i = 0; i < between; ++i) {
    const Verb& verb = any(random, being);  // first: compilers differ in the order within one expression
    start += "the " + any(random, nouns).many + " " + verb.many + ".\n";
  }
  const auto asked = [&, one = one, two = two](const std::string& first, const std::string& second) {
    return start + "ask " + one + ": " + first + ".\nask " + two + ": " + second + ".";
  };
  return {asked(red, blue), asked(blue, red)};
}

struct Phenomenon {
  std::string name;
  int distance;  // in words
  std::function<Pair(Random&)> make;
};

int run(const std::string& path, int each, std::uint64_t seed) {
  std::vector<Phenomenon> all;
  for (const int clauses : {1, 2, 3})
    all.push_back({"agreement", 4 * clauses, [=](Random& r) { return agreement(r, clauses); }});
  all.push_back({"roles", 6, roles});
  all.push_back({"only", 3, only});
  all.push_back({"before_after", 6, before_after});
  all.push_back({"adjectives", 1, adjectives});
  for (const int inside : {0, 2, 4})
    all.push_back({"brackets", 1 + 2 * inside, [=](Random& r) { return brackets(r, inside); }});
  all.push_back({"date", 5, date});
  all.push_back({"numbers", 4, numbers});
  for (const int between : {0, 3, 6})
    all.push_back({"far_pairs", 7 + 3 * between, [=](Random& r) { return far(r, between); }});

  std::ofstream file(path, std::ios::binary);
  file
      << "# Pairs of the same characters in two orders; the first of each follows the grammar of datasets/make.\n"
         "# right<TAB>wrong<TAB>phenomenon<TAB>distance in words (in brackets: in brackets). | is a line end.\n";
  for (const auto& [name, distance, make] : all) {
    Random random(seed * 1000 + static_cast<std::uint64_t>(all.size()) +
                  static_cast<std::uint64_t>(distance));
    std::set<std::string> seen;
    for (int tries = 0; static_cast<int>(seen.size()) < each && tries < 100 * each; ++tries) {
      Pair pair = make(random);
      std::string one = pair.right, two = pair.wrong;
      std::ranges::sort(one);
      std::ranges::sort(two);
      if (one != two || pair.right == pair.wrong) {
        std::cerr << "pairs: not the same characters: " << pair.right << " / " << pair.wrong << "\n";
        return 1;
      }
      if (!seen.insert(pair.right).second) continue;
      std::ranges::replace(pair.right, '\n', '|');
      std::ranges::replace(pair.wrong, '\n', '|');
      file << pair.right << '\t' << pair.wrong << '\t' << name << '\t' << distance << '\n';
    }
  }
  file.close();
  return file ? 0 : 1;
}

}  // namespace corpus

int main(int count, char** words) {
  if (count != 4) {
    std::cerr << "usage: pairs FILE.tsv EACH SEED\n";
    return 2;
  }
  return corpus::run(words[1], std::atoi(words[2]), static_cast<std::uint64_t>(std::atoll(words[3])));
}
