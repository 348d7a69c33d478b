// The tables under datasets/ are made here, from small grammars, and must equal what is on disk byte for
// byte. Each grammar says every sentence with both orders of its two nouns, so a bag of words never gives the
// answer away.
#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "base/random.h"
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

struct Made {
  std::string name, text;
};
const std::vector<Made>& tables() {
  static const std::vector<Made> made = {{"who_chased_whom", who_chased_whom()},
                                         {"before_after", before_after()}};
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

TEST_CASE("datasets: the words without their order leave two answers, equally likely") {
  for (const Made& made : tables()) {
    CAPTURE(made.name);
    const std::string path = "datasets/" + made.name + ".tsv";
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

TEST_CASE("datasets: every length is tested on enough rows, and every word of them is in the train rows") {
  for (const auto& [name, text] : tables()) {
    const Table table("datasets/" + name + ".tsv");
    Random random(0, Purpose::testing);
    std::set<int> trained;
    for (int i = 0; i < 5000; ++i)
      for (const int token : table.draw(random, table.draw_length(random, {1, 100}), Split::train).input)
        trained.insert(token);
    for (const int length : table.fixed_lengths()) {
      const auto test = table.test_set(length, 1'000'000);
      CHECK(test.size() >= 40);
      for (const Example& example : test)
        for (const int token : example.input) CHECK(trained.count(token) == 1);
    }
  }
}
