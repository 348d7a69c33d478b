#include "tasks/task.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "../support/errors.h"
#include "../support/lengths.h"
#include "base/random.h"
#include "tasks/support/examples.h"
#include "tasks/support/registry.h"
#include "tasks/support/toy.h"

using namespace locus;

namespace {

std::size_t target_size(const Task& task, const Example& example) {
  switch (task.form) {
    case Form::classification:
      return 1;
    case Form::labelling:
    case Form::text:
      return example.input.size();
    case Form::generation:
      return example.target.size();
  }
  return 0;
}

}  // namespace

TEST_CASE("tasks: all are registered, sorted by name, each with a summary") {
  std::vector<std::string> names;
  for (const Task* task : all_tasks()) {
    names.push_back(task->name);
    CHECK_FALSE(task->summary.empty());
  }
  CHECK(std::is_sorted(names.begin(), names.end()));
}

TEST_CASE("tasks: a name is found; a misspelt one gets its neighbour") {
  CHECK(find_task("reverse").name == "reverse");
  CHECK_THROWS_AS(find_task("revrse"), UsageError);
  CHECK(error_of([] { find_task("revrse"); }) ==
        "[task] there is no task 'revrse'. Hint: did you mean 'reverse'?");
}

TEST_CASE("tasks: the right answer is known for every input that can be drawn, and for no other") {
  Random random(3, Purpose::testing);
  for (const Task* task : all_tasks()) {
    CAPTURE(task->name);
    for (const int length : lengths_with_both_splits(*task, 24))
      for (const Split split : {Split::train, Split::test})
        for (int i = 0; i < 20; ++i) {
          const Example example = task->sample(random, length, split);
          CAPTURE(spell(*task, example.input));
          CHECK(task->target_of(example.input) == example.target);
        }

    // All inputs of a length, and those that are drawn.
    const auto V = static_cast<int>(task->alphabet.size());
    const int shortest = task->length_from(1).value();
    CHECK_FALSE(task->target_of({}).has_value());
    for (int length = 1; std::pow(V, length) <= (length > shortest ? 3000 : 300'000); ++length) {
      CAPTURE(length);
      std::set<Tokens> accepted, drawn;
      for (Tokens input(static_cast<std::size_t>(length)); !input.empty();) {
        if (task->target_of(input)) accepted.insert(input);
        while (!input.empty() && ++input.back() == V) input.pop_back();
        if (!input.empty()) input.resize(static_cast<std::size_t>(length));
      }
      for (const Split split : {Split::train, Split::test})
        if (task->length_from(length) == length)
          error_of([&] {  // a split may be empty
            for (std::size_t i = 0; i < 15 * accepted.size() + 100; ++i)
              drawn.insert(task->sample(random, length, split).input);
          });
      std::vector<Tokens> other;  // of one of the two alone
      std::ranges::set_symmetric_difference(accepted, drawn, std::back_inserter(other));
      CAPTURE(other.empty() ? "" : spell(*task, other.front()));
      CHECK(other.empty());
    }
  }
}

TEST_CASE("tasks: a word that several tokens were written into is cut into them in the hint") {
  const auto hint = [](const char* task, const char* input) {
    const std::string error = error_of([&] { read_tokens(find_task(task), input); });
    return error.substr(std::min(error.size(), error.find("Hint: ")));
  };
  CHECK(hint("reverse", "31415") == "Hint: separate tokens by spaces: '3 1 4 1 5'");
  CHECK(hint("reverse", "3,1,4") == "Hint: separate tokens by spaces: '3 1 4'");
  CHECK(hint("brackets", "(00)") == "Hint: separate tokens by spaces: '(0 0)'");
  CHECK(hint("argsort", "631") == "Hint: separate tokens by spaces: '63 1'");
  CHECK(hint("reverse", "3 1x").starts_with("Hint: did you mean"));
}

TEST_CASE("tasks: draws have the length and the split asked for, the form's target and valid tokens") {
  Random random(2, Purpose::testing);
  for (const Task* task : all_tasks())
    for (const int length : lengths_with_both_splits(*task, 24))
      for (const Split split : {Split::train, Split::test})
        for (int i = 0; i < 20; ++i) {
          CAPTURE(task->name);
          const Example example = task->sample(random, length, split);
          REQUIRE(std::ssize(example.input) == length);
          REQUIRE(split_of(example.input) == split);
          REQUIRE(example.target.size() == target_size(*task, example));
          REQUIRE(std::ssize(example.target) <= task->longest_target(length));
          for (const Tokens& tokens : {example.input, example.target})
            for (const int token : tokens) REQUIRE((token >= 0 && token < std::ssize(task->alphabet)));
        }
}

TEST_CASE("tasks: the same random numbers give the same examples") {
  for (const Task* task : all_tasks()) {
    Random one(11, Purpose::testing), same(11, Purpose::testing);
    const int length = task->usual_lengths.high;
    for (int i = 0; i < 20; ++i) {
      const Example example = task->sample(one, length, Split::train);
      const Example again = task->sample(same, length, Split::train);
      CAPTURE(task->name);
      CAPTURE(spell(*task, example.input));
      CHECK(example.input == again.input);
      CHECK(example.target == again.target);
    }
  }
}

TEST_CASE("tasks: no test input is ever drawn for training") {
  Random random(12, Purpose::testing);
  for (const Task* task : all_tasks())
    for (const int length : lengths_with_both_splits(*task, 12)) {
      std::set<Tokens> tests;
      for (const Example& example : task->test_set(length, 500)) tests.insert(example.input);
      CAPTURE(task->name);
      for (int i = 0; i < 500; ++i)
        CHECK_FALSE(tests.contains(task->sample(random, length, Split::train).input));
    }
}

// (Of few different test inputs one answer may be right a little more often: 0.568 of those of parity.)
TEST_CASE("tasks: no constant answer wins a classification") {
  for (const Task* task : all_tasks()) {
    if (task->form != Form::classification) continue;
    CAPTURE(task->name);
    CHECK(task->no_input_baseline(task->usual_lengths.high) < 0.6);
  }
}

TEST_CASE("tasks: before has one A and one B, majority one winner, ascending no labels in its inputs") {
  Random random(3, Purpose::testing);
  for (int i = 0; i < 300; ++i) {
    const int length = 3 + i % 22;
    const Tokens ab = find_task("before").sample(random, length, Split::train).input;
    CHECK(std::count(ab.begin(), ab.end(), 8) == 1);
    CHECK(std::count(ab.begin(), ab.end(), 9) == 1);

    const Example most = find_task("majority").sample(random, length, Split::train);
    const auto copies = [&](int token) { return std::count(most.input.begin(), most.input.end(), token); };
    for (int token = 0; token < 10; ++token)
      CHECK((token == most.target[0] || copies(token) < copies(most.target[0])));

    const Tokens digits_only = find_task("ascending").sample(random, length, Split::train).input;
    CHECK(*std::max_element(digits_only.begin(), digits_only.end()) < 10);
  }
}

TEST_CASE("tasks: before and the digits are drawn evenly over positions and tokens") {
  Random random(4, Purpose::testing);
  const int draws = 6000, length = 5;
  std::map<int, int> position_of_a, first_digit;
  int a_first = 0;
  for (int i = 0; i < draws; ++i) {
    const Example example = find_task("before").sample(random, length, Split::train);
    ++position_of_a[static_cast<int>(std::find(example.input.begin(), example.input.end(), 8) -
                                     example.input.begin())];
    a_first += example.target[0] == 8 ? 1 : 0;
    ++first_digit[sample_digits(random, length)[0]];
  }
  // Five standard deviations of a binomial count.
  for (int position = 0; position < length; ++position)
    CHECK(std::abs(position_of_a[position] - draws / 5) < 155);
  for (int digit = 0; digit < 10; ++digit) CHECK(std::abs(first_digit[digit] - draws / 10) < 117);
  CHECK(std::abs(a_first - draws / 2) < 194);
}

// The order-blind ceiling relies on it.
TEST_CASE("tasks: every position of an input without a layout holds each token equally often") {
  // So long that the split, which takes whole inputs, leaves no position with more of one token.
  const int draws = 4000, length = 12;
  for (const Task* task : all_tasks()) {
    if (!task->layout.empty()) continue;  // such inputs have an order
    Random random(9, Purpose::testing,
                  hash(task->name));                // so that one more task changes nothing for the others
    std::map<int, std::array<int, length>> counts;  // token -> position -> how often
    for (int i = 0; i < draws; ++i) {
      const Tokens input = task->sample(random, length, Split::train).input;
      for (std::size_t position = 0; position < length; ++position) ++counts[input[position]][position];
    }
    for (const auto& entry : counts) {
      const auto& positions = entry.second;
      const double mean = std::accumulate(positions.begin(), positions.end(), 0.0) / length;
      for (const int times : positions) {
        CAPTURE(task->name);
        CAPTURE(entry.first);
        CHECK(std::abs(times - mean) < 5 * std::sqrt(mean));
      }
    }
  }
}

TEST_CASE("tasks: a fifth of the inputs are for testing, and both splits exist at every length from 1") {
  int test = 0;
  Random random(5, Purpose::testing);
  for (int i = 0; i < 20000; ++i) test += split_of(sample_digits(random, 12)) == Split::test ? 1 : 0;
  CHECK(std::abs(test - 4000) < 283);
  for (const Split split : {Split::train, Split::test})
    CHECK(find_task("reverse").sample(random, 1, split).input.size() == 1);
}

TEST_CASE("tasks: one changed token or two swapped ones can move an input to the other split") {
  Random random(6, Purpose::testing);
  int by_change = 0, by_swap = 0;
  for (int i = 0; i < 5000; ++i) {
    Tokens input = sample_digits(random, 8);
    const Split before = split_of(input);
    Tokens changed = input, swapped = input;
    changed[0] = (changed[0] + 1) % 10;
    if (swapped[0] == swapped[7]) swapped[0] = (swapped[0] + 1) % 10;
    const Split before_swap = split_of(swapped);
    std::swap(swapped[0], swapped[7]);
    by_change += split_of(changed) != before ? 1 : 0;
    by_swap += split_of(swapped) != before_swap ? 1 : 0;
  }
  // Independent splits differ with probability 2 * 0.2 * 0.8 = 0.32; five standard deviations are 165.
  CHECK(std::abs(by_change - 1600) < 165);
  CHECK(std::abs(by_swap - 1600) < 165);
}

// Else a saved model would be tested on its training data.
TEST_CASE("tasks: the split of an input never changes") {
  Tokens test;
  for (int pair = 0; pair < 100; ++pair)
    if (split_of({pair / 10, pair % 10}) == Split::test) test.push_back(pair);
  CHECK(test ==
        Tokens{4, 14, 18, 20, 23, 28, 29, 30, 38, 46, 50, 54, 57, 59, 64, 66, 77, 82, 83, 86, 93, 95});
}

TEST_CASE("tasks: a test set is the same each time, distinct, and a longer one begins with a shorter one") {
  for (const Task* task : all_tasks()) {
    CAPTURE(task->name);
    const int length = *task->length_from(6);
    const auto test = task->test_set(length, 300);
    CHECK((test.size() >= 1 && test.size() <= 300));
    std::set<Tokens> inputs;
    for (const Example& example : test) {
      CHECK(split_of(example.input) == Split::test);
      inputs.insert(example.input);
    }
    CHECK(inputs.size() == test.size());
    const auto again = task->test_set(length, 100);
    for (std::size_t i = 0; i < again.size(); ++i) {
      CHECK(again[i].input == test[i].input);
      CHECK(again[i].target == test[i].target);
    }
  }
}

// Compilers differ in the order in which they evaluate the arguments of a call, so no call may have two draws
// among its arguments. This is what g++ and clang++ draw for a task with two draws for each token.
TEST_CASE("tasks: what is drawn does not depend on the compiler") {
  const Task& counting = find_task("counting");
  CHECK(spell(counting, counting.test_set(8, 1).front().input) == "b++ b++ b++ a=0 b++ a++ b=0 a?");
}

TEST_CASE("tasks: a test set of a short length holds all inputs there are") {
  int expected = 0;
  for (int i = 0; i < 100; ++i) expected += split_of({i / 10, i % 10}) == Split::test ? 1 : 0;
  CHECK(find_task("reverse").test_set(2, 1000).size() == static_cast<std::size_t>(expected));
}

TEST_CASE("tasks: impossible requests say what would be possible") {
  Random random(7, Purpose::testing);
  const Task& before = find_task("before");
  CHECK(error_of([&] { before.sample(random, 1, Split::train); }) ==
        "[before] an input of 1 tokens. Hint: the shortest has 2 (one A, one B, and digits)");
  CHECK(error_of([&] { before.test_set(2, 10); }) ==
        "[before] no input of 2 tokens falls in the test split: there are too few different ones. "
        "Hint: use lengths of 3 or more");
  CHECK(error_of([&] { before.sample(random, 2, Split::test); }) ==
        error_of([&] { before.test_set(2, 10); }));
  CHECK(error_of([&] { before.test_set(5, 0); }) ==
        "[before] a test set of 0 examples. Hint: ask for 1 or more");
  CHECK(error_of([&] {
          before.sample_length(random, {9, 5});
        }) == "[before] the lengths 9 to 5 hold no length. Hint: write the lower one first");
}

TEST_CASE("tasks: where lengths have gaps or an end, those that exist are found and others refused") {
  Random random(13, Purpose::testing);
  const Task &addition = find_task("addition"), &argsort = find_task("argsort"), &sort = find_task("sort");
  CHECK(addition.length_from(1) == 4);
  CHECK(addition.length_from(4) == 4);
  CHECK(addition.length_from(5) == 6);
  CHECK(argsort.length_from(64) == 64);
  CHECK(argsort.length_from(65) == std::nullopt);
  CHECK(sort.length_from(-3) == 1);
  CHECK(sort.length_from(1'000'000) == 1'000'000);
  CHECK(error_of([&] { addition.sample(random, 5, Split::train); }) ==
        "[addition] an input of 5 tokens. Hint: the shortest has 4, the next 6 (n digits, +, n digits, =: "
        "2n + 2 tokens; the sum has n + 1)");
  CHECK(error_of([&] { addition.test_set(2, 10); }).starts_with("[addition] an input of 2 tokens. Hint: "));
  CHECK(error_of([&] { argsort.order_blind_ceiling(65); }) ==
        "[argsort] an input of 65 tokens. Hint: the shortest has 1, the longest 64");
  CHECK(error_of([&] { find_task("recall").test_set(28, 10); })
            .starts_with("[recall] an input of 28 tokens. Hint: the shortest has 4, the next 6, the longest "
                         "26 (n keys"));
  CHECK(error_of([&] {
          addition.sample_length(random, {5, 5});
        }) == "[addition] no input has 5 to 5 tokens. Hint: the shortest has 4, the next 6");
  std::map<int, int> drawn;
  for (int i = 0; i < 4000; ++i) ++drawn[addition.sample_length(random, {3, 11})];
  CHECK(drawn.size() == 4);
  for (const int length : {4, 6, 8, 10}) CHECK(std::abs(drawn[length] - 1000) < 137);  // five deviations
}

// Schemes that find numbers in the input rely on it.
TEST_CASE("tasks: the name of each digit is that digit") {
  const Task& addition = find_task("addition");
  for (int digit = 0; digit < 10; ++digit)
    CHECK(addition.alphabet[static_cast<std::size_t>(digit)] == str(digit));
}

TEST_CASE("tasks: a toy with a single input per length says so") {
  const auto constant = make_task({.name = "constant",
                                   .alphabet = numbers(1),
                                   .sample = [](Random&, int) { return Tokens{0}; },
                                   .solve = [](const Tokens& input) { return input; },
                                   .example = "0"});
  const Split side = split_of({0});
  Random random(10, Purpose::testing);
  CHECK(constant->sample(random, 1, side).target == Tokens{0});
  CHECK(error_of([&] {
          constant->sample(random, 1, side == Split::test ? Split::train : Split::test);
        }).ends_with("there are too few different ones. Hint: let the task draw more different inputs"));
}

TEST_CASE("tasks: a field of a registration that is missing or does not fit is named") {
  const Toy right{.name = "twice",
                  .summary = "each token again",
                  .alphabet = {"a", "b", "yes", "no"},
                  .sample = sample_below<2>,
                  .accepts = accept_below<2>,
                  .solve = [](const Tokens& input) { return input; },
                  .example = "a b a"};
  require_complete(right);
  const auto said = [&](const auto& change) {
    Toy toy = right;
    change(toy);
    const std::string words = error_of([&] { require_complete(toy); });
    CAPTURE(words);
    CHECK(words.starts_with("[tasks] the task '" + toy.name + "' "));
    CHECK(words.find(". Hint: ") != words.npos);
    return words;
  };
  const auto says = [&](const std::string& words, const auto& change) {
    CAPTURE(words);
    CHECK(said(change).find(words) != std::string::npos);
  };
  says("no name that the command line can hold", [](Toy& toy) { toy.name = "My task"; });
  says("no summary", [](Toy& toy) { toy.summary = ""; });
  says(".solve = ", [](Toy& toy) { toy.solve = nullptr; });
  says(".sample = ", [](Toy& toy) { toy.sample = nullptr; });
  says(".step = 0", [](Toy& toy) { toy.step = 0; });
  says("the token 'a' in .alphabet", [](Toy& toy) { toy.alphabet = {"a", "b", "a"}; });
  says("'c' in .example", [](Toy& toy) { toy.example = "a c"; });
  says("does not accept its example", [](Toy& toy) { toy.example = "a yes"; });
  says("draws 1 tokens where 12 were asked for",
       [](Toy& toy) { toy.sample = [](Random&, int) { return Tokens{0}; }; });
  says("answers 3 tokens to its example, and its form is classification",
       [](Toy& toy) { toy.form = Form::classification; });
  const auto label = [](Toy& toy) {
    toy.solve = [](const Tokens& input) { return Tokens(input.size(), 4); };
  };
  says("the token 4 in the answer of .solve to its example, and .alphabet has the tokens 0 to 3", label);
  says("labels of answers, such as yes, belong to .alphabet, too", label);
}

TEST_CASE("tasks: lengths are drawn evenly, both ends included") {
  Random random(8, Purpose::testing);
  std::map<int, int> drawn;
  for (int i = 0; i < 5000; ++i) ++drawn[find_task("sort").sample_length(random, {3, 7})];
  CHECK(drawn.size() == 5);
  for (int length = 3; length <= 7; ++length) CHECK(std::abs(drawn[length] - 1000) < 142);
}

TEST_CASE("tasks: of a list of lengths each is drawn as often as the others, and no other") {
  Random random(8, Purpose::testing);
  std::map<int, int> drawn;
  for (int i = 0; i < 3000; ++i) ++drawn[find_task("sort").sample_length(random, {3, 16, {3, 8, 16}})];
  CHECK(drawn.size() == 3);
  for (const int length : {3, 8, 16}) CHECK(std::abs(drawn[length] - 1000) < 130);
}

TEST_CASE("tasks: tokens are read and spelt") {
  const Task& before = find_task("before");
  CHECK(read_tokens(before, "3 A 0 B") == Tokens{3, 8, 0, 9});
  CHECK(spell(before, {3, 8, 0, 9}) == "3 A 0 B");
  CHECK_THROWS_AS(read_tokens(before, "3 9"), UsageError);
  CHECK_THROWS_AS(read_tokens(before, std::string(1'000'000, '3')),
                  UsageError);  // cut up in a loop: no stack is used up
  CHECK(error_of([&] { read_tokens(before, "3 9"); }).starts_with("[before] no token is called '9'. Hint: "));
  for (const char* spaced : {" 3 1", "3 1 ", "3  1"}) CHECK(read_tokens(before, spaced) == Tokens{3, 1});
  for (const char* empty : {"", "  "})
    CHECK(error_of([&] {
            read_tokens(before, empty);
          }).starts_with("[before] the input is empty. Hint: for example \""));
}
