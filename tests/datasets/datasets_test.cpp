// Three tables under datasets/ are made here, from small grammars, six by datasets/make; all must equal what is
// on disk byte for byte. Each bag of words is there in several orders with different answers, so it never gives the answer away.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
#include "datasets/make/classification.h"
#include "datasets/make/labelling.h"
#include "tasks/support/table.h"

using namespace locus;

namespace {

using Words = std::vector<std::string>;

// {x} and {y} are nouns, {w} is a verb or a conjunction; the answer is the noun called `answer`.
struct Pattern {
  std::string sentence;
  char answer;
};

std::string fill(std::string sentence, const std::string& x, const std::string& y, const std::string& w) {
  const auto put = [&sentence](const std::string& slot, const std::string& word) {
    sentence.replace(sentence.find(slot), slot.size(), word);
  };
  put("{x}", x);
  put("{y}", y);
  put("{w}", w);
  return sentence;
}

std::string rows(const std::vector<Pattern>& patterns, const Words& nouns, const Words& links) {
  std::string text;
  for (const Pattern& pattern : patterns)
    for (const std::string& link : links)
      for (const std::string& x : nouns)
        for (const std::string& y : nouns)
          if (x != y)
            text += fill(pattern.sentence, x, y, link) + '\t' + (pattern.answer == 'x' ? x : y) + '\n';
  return text;
}

std::string who_chased_whom() {
  const Words animals = {"bear", "cat", "cow", "dog", "fox", "goat", "horse", "mouse", "pig", "wolf"};
  const Words verbs = {"chased", "followed", "caught", "found", "heard"};  // past tense = participle
  // x did it to y. Patterns with the same words beside x and y share their bags.
  const std::vector<Pattern> patterns = {
      {"the {x} {w} the {y}", 'y'},
      {"the {y} the {x} {w}", 'y'},
      {"the {y} was {w} by the {x}", 'y'},
      {"by the {x} the {y} was {w}", 'y'},
      {"it was the {x} that {w} the {y}", 'y'},
      {"it was the {y} that the {x} {w}", 'y'},
  };
  return "# title: who chased whom\n"
         "# task: who was chased, followed, caught, found or heard\n"
         "# form: classification\n"
         "# source: made by tests/datasets/datasets_test.cpp\n"
         "# licence: CC0 1.0, written for this project\n" +
         rows(patterns, animals, verbs);
}

std::string before_after() {
  const Words events = {"concert", "film",    "game",  "lecture", "lunch",
                        "match",   "meeting", "party", "race",    "walk"};
  std::string text =
      "# title: before and after\n"
      "# task: which of two events happened first\n"
      "# form: classification\n"
      "# source: made by tests/datasets/datasets_test.cpp\n"
      "# licence: CC0 1.0, written for this project\n";
  // With `before` the event x in "x before y" is first, with `after` it is y.
  for (const auto& [conjunction, first] : {std::pair{"before", 'x'}, {"after", 'y'}}) {
    const std::vector<Pattern> patterns = {
        {"the {x} comes {w} the {y}", first},
        {"{w} the {y} comes the {x}", first},
        {"we have the {x} {w} the {y}", first},
        {"{w} the {y} we have the {x}", first},
        {"it is the {x} that comes {w} the {y}", first},
        {"it is {w} the {y} that the {x} comes", first},
    };
    text += rows(patterns, events, {conjunction});
  }
  return text;
}

// Chains of 13 residues, two strands of six and a turn between them. In a real chain a turn folds the second strand back
// beside the first, or leads round to lay it in the same direction; here the letter of the turn says which. After G the
// strands are antiparallel: residue i pairs with 12 - i, so that the ends of the chain pair with each other. After P they are
// parallel: residue i pairs with i + 7. The target of a residue is its partner's letter, that of the turn the turn.
// Each bag of letters is there in eight orders.
std::string far_pairs() {
  constexpr std::size_t strand = 6, bags = 240, orders = 8;
  std::string text =
      "# title: far pairs\n"
      "# task: for each residue of a folded chain the residue it pairs with\n"
      "# form: labelling\n"
      "# rule: after the turn G residue i pairs with 12 - i, after the turn P with i + 7 or i - 7\n"
      "# source: made by tests/datasets/datasets_test.cpp\n"
      "# licence: CC0 1.0, written for this project\n";
  Random random(1, Purpose::testing);
  std::set<Words> made;
  for (std::size_t bag = 0; bag < bags; ++bag) {
    const std::string turn = bag % 2 == 0 ? "G" : "P";
    Words residues;
    for (std::size_t i = 0; i < 2 * strand; ++i)
      residues.push_back(std::string(1, "ACDE"[static_cast<std::size_t>(random.below(4))]));
    for (std::size_t order = 0; order < orders;) {
      random.shuffle(std::span(residues));
      Words chain = residues;
      chain.insert(chain.begin() + strand, turn);
      if (!made.insert(chain).second) continue;  // drawn before
      ++order;
      std::string input, target;
      for (std::size_t i = 0; i < chain.size(); ++i) {
        std::size_t partner = i;
        if (i < strand) partner = turn == "G" ? 2 * strand - i : i + strand + 1;
        if (i > strand) partner = turn == "G" ? 2 * strand - i : i - strand - 1;
        input += (i > 0 ? " " : "") + chain[i];
        target += (i > 0 ? " " : "") + chain[partner];
      }
      text += input + '\t' + target + '\n';
    }
  }
  return text;
}

struct Made {
  std::string name, text;
};
const std::vector<Made>& tables() {
  static const std::vector<Made> made = [] {
    std::vector<Made> all = {
        {"who_chased_whom", who_chased_whom()}, {"before_after", before_after()}, {"far_pairs", far_pairs()}};
    for (const corpus::Table& table : {corpus::dates(), corpus::cadences(), corpus::recipes(),
                                       corpus::open_files(), corpus::genes(), corpus::negation()})
      all.push_back({table.name, corpus::text_of(table)});
    return all;
  }();
  return made;
}

std::string read(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("datasets: every table is what its grammar makes") {
  for (const auto& [name, text] : tables()) {
    const std::string path = "datasets/" + name + ".tsv";
    if (read(path) == text) continue;
    const auto copy = std::filesystem::temp_directory_path() / (name + ".tsv");
    std::ofstream(copy, std::ios::binary) << text;
    FAIL_CHECK(path << " differs from its grammar; what the grammar makes is in " << copy.string());
  }
}

TEST_CASE("datasets: a row that writing a table anew would lose is found") {
  const std::string fresh = "# title: x\na b\tA\nb a\tB\n";
  CHECK(corpus::first_lost_line("", fresh) == 0);  // no table is there
  CHECK(corpus::first_lost_line(fresh, fresh) == 0);
  CHECK(corpus::first_lost_line("# title: x\nb a\tB\n", fresh) == 0);  // an older one, with fewer rows
  CHECK(corpus::first_lost_line("# title: x\na b\tA\nmine\tA\nb a\tB\n", fresh) == 3);
  CHECK(corpus::first_lost_line(fresh + "mine\tA", fresh) == 4);
  CHECK(corpus::first_lost_line("# title: mine\n", fresh) == 1);
}

TEST_CASE("datasets: the words without their order leave two answers, equally likely") {
  for (const std::string name : {"who_chased_whom", "before_after"}) {
    CAPTURE(name);
    const std::string path = "datasets/" + name + ".tsv";
    const Table table(path);
    CHECK(table.form == Form::classification);
    CHECK(read_table_rows(path).repeated == 0);
    CHECK(table.fixed_lengths().size() == 3);
    for (const int length : table.fixed_lengths()) {
      CAPTURE(length);
      CHECK(table.order_blind_ceiling(length)->value == 0.5);
      CHECK(table.no_input_baseline(length) < 0.25);
    }
  }
}

TEST_CASE("datasets: in far_pairs each residue is the target of its partner, at least two positions away") {
  const Table table("datasets/far_pairs.tsv");
  CHECK(table.form == Form::labelling);
  CHECK(table.fixed_lengths() == std::vector<int>{13});
  CHECK(table.order_blind_ceiling(13)->value < 0.65);
  const int parallel = read_tokens(table, "P").front();
  for (const Example& example : table.test_set(13, 1'000'000)) {
    Tokens partners =
        example.input;  // the second strand laid beside the first, and the first beside the second
    if (example.input[6] == parallel)
      std::rotate(partners.begin(), partners.begin() + 7, partners.end()),
          std::rotate(partners.begin() + 6, partners.end() - 1, partners.end());
    else
      std::reverse(partners.begin(), partners.end());
    CHECK(partners == example.target);
  }
}

TEST_CASE("datasets: every length is tested on enough rows, and every word of them is in the train rows") {
  for (const auto& [name, text] : tables()) {
    const Table table("datasets/" + name + ".tsv");
    Random random(0, Purpose::testing);
    std::set<int> trained;
    for (int i = 0; i < 5000; ++i)
      for (const int token : table.sample(random, table.sample_length(random, {1, 100}), Split::train).input)
        trained.insert(token);
    for (const int length : table.fixed_lengths()) {
      const auto test = table.test_set(length, 1'000'000);
      CHECK(test.size() >= 40);
      for (const Example& example : test)
        for (const int token : example.input) CHECK(trained.count(token) == 1);
    }
  }
}
