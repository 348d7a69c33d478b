#include "tasks/support/ceiling.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <thread>

#include "../support/lengths.h"
#include "base/random.h"
#include "base/size.h"
#include "tasks/support/examples.h"
#include "tasks/support/registry.h"
#include "tasks/support/toy.h"

using namespace locus;

namespace {

double ceiling(const char* task, int length) { return find_task(task).order_blind_ceiling(length)->value; }

std::array<int, 10> count(const Tokens& input) {
  std::array<int, 10> counts{};
  for (const int token : input) ++counts[static_cast<std::size_t>(token)];
  return counts;
}

// The mean over drawn bags of a ceiling known in closed form from the counts n of its tokens.
template <class Ceiling>
double mean_over_bags(int length, Ceiling of_bag) {
  Random random(1, Purpose::testing);
  double sum = 0;
  for (int bag = 0; bag < 20000; ++bag) sum += of_bag(count(sample_digits(random, length)));
  return sum / 20000;
}

// Every input of a length with its answer; empty when there are too many. Examples are
// drawn until many draws in a row have given no new input.
std::map<Tokens, Tokens> all_inputs(const Task& task, int length) {
  constexpr std::size_t most = 30'000;
  std::map<Tokens, Tokens> solved;
  Random random(2, Purpose::testing);
  for (const Split split : {Split::train, Split::test})
    for (std::size_t since_new = 0; since_new < 1000 + 3 * solved.size(); ++since_new) {
      Example example = task.sample(random, length, split);
      if (solved.emplace(std::move(example.input), std::move(example.target)).second) since_new = 0;
      if (solved.size() > most) return {};
    }
  return solved;
}

Tokens bag_of(Tokens input) {
  std::sort(input.begin(), input.end());
  return input;
}

// What a blind model sees of token i of an input: equal sights get equal answers.
using Sight = std::pair<Tokens, int>;
using SightOf = Sight (*)(const Task&, const Tokens& input, int i);

Sight order_blind_sight(const Task& task, const Tokens& input, int i) {  // beside the bag
  return {{}, task.form == Form::labelling ? input[static_cast<std::size_t>(i)] : -1};
}

Sight mirror_blind_sight(const Task& task, const Tokens& input, int i) {
  const Tokens mirrored(input.rbegin(), input.rend());
  if (task.form != Form::labelling) return {std::min(input, mirrored), -1};
  return std::min(Sight{input, i}, Sight{mirrored, static_cast<int>(input.size()) - 1 - i});
}

// Inputs with the same tokens. They are equally likely.
struct Bag {
  double inputs = 0, for_training = 0;
  std::array<double, 2> drawn{};                // by split, as a fraction of its draws
  std::map<Sight, std::map<int, int>> answers;  // answer -> how often
  double best() const {
    double right = 0;
    for (const auto& [sight, times] : answers)
      right += std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) {
                 return a.second < b.second;
               })->second;
    return right;
  }
};

// The probability that the draw gives this bag, if it gives a training input with probability `training`.
double chance(const Bag& bag, double training) {
  return bag.for_training > 0 ? training * bag.drawn[0] * bag.inputs / bag.for_training
                              : (1 - training) * bag.drawn[1];
}

double ceiling_by_grouping(const Task& task, const std::map<Tokens, Tokens>& solved, SightOf sight_of) {
  const std::size_t length = solved.begin()->first.size();
  std::map<Tokens, Bag> bags;
  for (const auto& [input, target] : solved) {
    Bag& bag = bags[bag_of(input)];
    ++bag.inputs;
    bag.for_training += split_of(input) == Split::train ? 1 : 0;
    for (int i = 0; i < std::ssize(target); ++i)
      ++bag.answers[sight_of(task, input, i)][target[static_cast<std::size_t>(i)]];
  }
  constexpr int draws = 40'000;
  Random random(3, Purpose::testing);
  for (const Split split : {Split::train, Split::test})
    for (int i = 0; i < draws; ++i)
      bags[bag_of(task.sample(random, static_cast<int>(length), split).input)].drawn[split == Split::test] +=
          1.0 / draws;
  double sum_0 = 0, sum_1 = 0, right = 0;  // the probabilities sum to 1, which determines `training`
  for (const auto& [tokens, bag] : bags) sum_0 += chance(bag, 0), sum_1 += chance(bag, 1);
  const double training = (1 - sum_0) / (sum_1 - sum_0);
  for (const auto& [tokens, bag] : bags)
    right += chance(bag, training) * bag.best() / bag.inputs /
             (task.form == Form::labelling ? static_cast<double>(length) : 1);
  return right;
}

// The relative frequency of the answer that is most frequent over all positions.
double best_constant(std::span<const Example> examples) {
  std::map<int, double> counts;
  double total = 0, best = 0;
  for (const Example& example : examples)
    for (const int token : example.target) {
      best = std::max(best, ++counts[token]);
      ++total;
    }
  return best / total;
}

}  // namespace

TEST_CASE("ceiling: the values of an independent count") {
  const std::map<std::string, std::array<double, 3>> counted = {{"reverse", {.267, .232, .212}},
                                                                {"sort", {.260, .228, .209}},
                                                                {"previous", {.259, .228, .209}},
                                                                {"first", {.259, .227, .209}},
                                                                {"before", {.5, .5, .5}},
                                                                {"majority", {1, 1, 1}},
                                                                {"copy", {1, 1, 1}}};
  for (const auto& entry : counted)
    for (std::size_t i = 0; i < 3; ++i) {
      const int length = std::array{12, 18, 24}[i];
      CAPTURE(entry.first);
      CAPTURE(length);
      const Estimate estimate = *find_task(entry.first).order_blind_ceiling(length);
      CHECK(std::abs(estimate.value - entry.second[i]) < 0.005);
      CHECK(estimate.error <= 0.003);
    }
}

TEST_CASE("ceiling: reverse in closed form (even lengths)") {
  // A position that holds v is labelled by one of the length - 1 other tokens, each equally likely.
  for (const int length : {2, 6, 10, 12, 20}) {
    const double expected = mean_over_bags(length, [length](const std::array<int, 10>& n) {
      double right = 0;
      for (std::size_t v = 0; v < 10; ++v) {
        int best = 0;
        for (std::size_t y = 0; y < 10; ++y) best = std::max(best, n[y] - (y == v ? 1 : 0));
        right += n[v] * static_cast<double>(best) / (length - 1);
      }
      return right / length;
    });
    CAPTURE(length);
    CHECK(std::abs(ceiling("reverse", length) - expected) < 0.005);
  }
}

TEST_CASE("ceiling: first and sort in closed form") {
  // The label of any token is a token drawn from the bag: the most frequent one is the best guess.
  for (const int length : {1, 2, 5, 8, 12, 24}) {
    const double expected = mean_over_bags(length, [length](const std::array<int, 10>& n) {
      return *std::max_element(n.begin(), n.end()) / static_cast<double>(length);
    });
    CAPTURE(length);
    CHECK(std::abs(ceiling("first", length) - expected) < 0.005);
    CHECK(std::abs(ceiling("sort", length) - expected) < 0.005);
  }
}

TEST_CASE("ceiling: all inputs of a short length, grouped by what a blind model sees") {
  int compared = 0;
  for (const Task* task : all_tasks()) {
    if (task->form == Form::generation) continue;
    for (const int length : lengths_with_both_splits(*task, 6)) {
      if (length == 1) continue;  // a single token has no order
      const std::map<Tokens, Tokens> solved = all_inputs(*task, length);
      if (solved.empty()) break;
      CAPTURE(task->name);
      CAPTURE(length);
      const Estimate order = *task->order_blind_ceiling(length), mirror = *task->mirror_blind_ceiling(length);
      CHECK(std::abs(order.value - ceiling_by_grouping(*task, solved, order_blind_sight)) <
            4 * order.error + 0.004);
      CHECK(std::abs(mirror.value - ceiling_by_grouping(*task, solved, mirror_blind_sight)) <
            4 * mirror.error + 0.004);
      ++compared;
    }
  }
  CHECK(compared > 60);
}

TEST_CASE("ceiling: between the best constant answer and 1") {
  for (const Task* task : all_tasks()) {
    if (task->form == Form::generation) continue;
    const int length = task->usual_lengths.high;
    const Estimate estimate = *task->order_blind_ceiling(length);
    CAPTURE(task->name);
    CHECK(estimate.value <= 1);
    CHECK(estimate.error <= 0.006);
    CHECK(estimate.value + 3 * estimate.error > best_constant(task->test_set(length, 4000)) - 0.03);
  }
}

TEST_CASE("ceiling: where the bag alone decides, exactly 1") {
  for (const std::string name : {"copy", "cycle", "majority", "missing-duplicate", "parity", "repeat-copy"}) {
    CAPTURE(name);
    const Estimate estimate = *find_task(name).order_blind_ceiling(12);
    CHECK(estimate.value == 1);
    CHECK(estimate.error == 0);
  }
}

TEST_CASE("ceiling: pairs and needle are one in three") {
  for (const std::string name : {"pairs", "needle"})
    for (const int length : {5, 12, 24}) {
      const Estimate estimate = *find_task(name).order_blind_ceiling(length);
      CAPTURE(name);
      CHECK(std::abs(estimate.value - 1.0 / 3) < 0.004);
      CHECK(estimate.error < 0.004);
    }
}

TEST_CASE("ceiling: even-pairs and mirror in closed form") {
  // Of n letters, k are b. Two positions hold the same letter with probability (k(k-1) +
  // (n-k)(n-k-1)) / n(n-1).
  for (const int n : {6, 12, 24}) {
    double even_pairs = 0, mirror = 0, weight = std::pow(0.5, n);  // weight: of this k
    for (int k = 0; k <= n; weight *= static_cast<double>(n - k) / (k + 1), ++k) {
      const double b_like_b = (k - 1.0) / (n - 1), a_like_a = (n - k - 1.0) / (n - 1);
      const double same = (k * b_like_b + (n - k) * a_like_a) / n;
      even_pairs += weight * std::max(same, 1 - same);
      mirror +=
          weight * (k * std::max(b_like_b, 1 - b_like_b) + (n - k) * std::max(a_like_a, 1 - a_like_a)) / n;
    }
    CAPTURE(n);
    CHECK(std::abs(ceiling("even-pairs", n) - even_pairs) < 0.005);
    CHECK(std::abs(ceiling("mirror", n) - mirror) < 0.005);
  }
}

TEST_CASE(
    "ceiling: argsort loses all but one of equal tokens, recall knows the values and brackets the kinds") {
  CHECK(std::abs(ceiling("argsort", 12) - 10 * (1 - std::pow(0.9, 12)) / 12) < 0.008);
  const auto commonest = [](int count, int kinds) {  // the mean relative frequency of the most frequent kind
    Random random(5, Purpose::testing);
    double sum = 0;
    for (int bag = 0; bag < 20000; ++bag) {
      std::array<int, 10> counts{};
      for (int i = 0; i < count; ++i) ++counts[static_cast<std::size_t>(random.below(kinds))];
      sum += *std::max_element(counts.begin(), counts.end()) / static_cast<double>(count);
    }
    return sum / 20000;
  };
  CHECK(std::abs(ceiling("recall", 12) - commonest(5, 10)) < 0.015);
  CHECK(std::abs(ceiling("brackets", 12) - commonest(6, 4)) < 0.01);
}

TEST_CASE("ceiling: an order-blind oracle reaches it") {
  // The oracle knows the bag and answers reverse by the best label of the closed form.
  const Task& task = find_task("reverse");
  Random random(3, Purpose::testing);
  int right = 0, total = 0;
  for (int i = 0; i < 20000; ++i) {
    const Example example = task.sample(random, 12, Split::test);
    auto counts = count(example.input);
    for (std::size_t position = 0; position < 12; ++position, ++total) {
      const auto own = static_cast<std::size_t>(example.input[position]);
      --counts[own];
      right +=
          std::max_element(counts.begin(), counts.end()) - counts.begin() == example.target[position] ? 1 : 0;
      ++counts[own];
    }
  }
  const Estimate estimate = *task.order_blind_ceiling(12);
  CHECK(std::abs(static_cast<double>(right) / total - estimate.value) < 0.005);
}

// Of an input and its mirror image one is right at each position: that where the two labels differ. Two digits are
// equal once in ten. Of the three digits of a needle, one, two or all may stand after the mark; the mirror image of
// the last is no input, as no digit follows the mark.
TEST_CASE("mirror-blind ceiling: the values of closed forms and of an independent count") {
  const std::map<std::string, double> at_any_length = {
      {"previous", 0.55}, {"first", 0.55}, {"last", 0.55}, {"needle", 2.0 / 3}, {"before", 0.5},
      {"reverse", 1},     {"mirror", 1},   {"copy", 1},    {"pairs", 1},        {"majority", 1},
      {"parity", 1},      {"recall", 1},   {"cycle", 1}};
  for (const auto& entry : at_any_length)
    for (const int length : {12, 24}) {
      CAPTURE(entry.first);
      CAPTURE(length);
      const Estimate estimate = *find_task(entry.first).mirror_blind_ceiling(length);
      CHECK(std::abs(estimate.value - entry.second) < 4 * estimate.error + 1e-9);
      CHECK(estimate.error <= 0.0011);
    }
  for (const auto& entry : {std::pair{"sort", 0.538}, {"ascending", 0.824}}) {
    CAPTURE(std::string(entry.first));
    CHECK(std::abs(find_task(entry.first).mirror_blind_ceiling(12)->value - entry.second) < 0.004);
  }
}

TEST_CASE("mirror-blind ceiling: not below the order-blind one, and at most 1") {
  for (const Task* task : all_tasks()) {
    if (task->form == Form::generation) continue;
    CAPTURE(task->name);
    const int length = task->usual_lengths.high;
    const Estimate order = *task->order_blind_ceiling(length), mirror = *task->mirror_blind_ceiling(length);
    CHECK(mirror.value >= order.value - 3 * std::hypot(order.error, mirror.error));
    CHECK(mirror.value <= 1);
  }
}

TEST_CASE("mirror-blind ceiling: an input and its mirror image are equally likely") {
  for (const Task* task : all_tasks()) {
    if (task->form == Form::generation) continue;
    for (const int length : lengths_with_both_splits(*task, 5)) {
      std::map<Tokens, std::array<double, 2>> drawn;  // of the train split: the smaller one of both first
      Random random(6, Purpose::testing);
      for (int i = 0; i < 20'000; ++i) {
        const Tokens input = task->sample(random, length, Split::train).input,
                     mirrored(input.rbegin(), input.rend());
        if (input == mirrored || !task->target_of(mirrored) || split_of(mirrored) != Split::train) continue;
        ++drawn[std::min(input, mirrored)][mirrored < input];
      }
      double chi_squared = 0, pairs = 0;
      for (const auto& [input, times] : drawn) {
        const auto [one, other] = times;
        chi_squared += (one - other) * (one - other) / (one + other);
        ++pairs;
      }
      CAPTURE(task->name);
      CAPTURE(length);
      CHECK(chi_squared < pairs + 5 * std::sqrt(2 * pairs) + 10);
    }
  }
}

namespace {

// All inputs of a length with their answers, one after another as a counter counts.
std::vector<std::pair<Tokens, Tokens>> every_input(const Task& task, int length) {
  std::vector<std::pair<Tokens, Tokens>> all;
  const int last = static_cast<int>(task.alphabet.size()) - 1;
  for (Tokens input(as_size(length), 0);;) {
    if (const auto target = task.target_of(input)) all.push_back({input, *target});
    const auto place = std::ranges::find_if(input, [&](int token) { return token < last; });
    if (place == input.end()) return all;
    ++*place;
    std::fill(input.begin(), place, 0);
  }
}

// The best exact match of answers that are given token by token, each after what is in sight: of the input, SEP and the
// answer so far the last `field` tokens, and the token itself. All inputs are counted; those still right are told apart by
// what is in sight, and the answer that most of them want keeps these.
double best_within(const Task& task, int length, int field) {
  std::vector<std::pair<Tokens, Tokens>> right = every_input(task, length);
  const std::size_t all = right.size(), answers_each = right.front().second.size();
  for (std::size_t step = 0; step < answers_each; ++step) {
    std::map<Tokens, std::map<int, std::vector<std::pair<Tokens, Tokens>>>> sights;
    for (const auto& [input, target] : right) {
      Tokens read = input;
      read.push_back(-1);  // SEP
      read.insert(read.end(), target.begin(), target.begin() + static_cast<std::ptrdiff_t>(step));
      const auto seen = std::min(read.size(), as_size(field) + 1);
      sights[Tokens(read.end() - static_cast<std::ptrdiff_t>(seen), read.end())][target[step]].push_back(
          {input, target});
    }
    right.clear();
    for (auto& [sight, answers] : sights) {
      const auto most =
          std::ranges::max_element(answers, {}, [](const auto& entry) { return entry.second.size(); });
      right.insert(right.end(), most->second.begin(), most->second.end());
    }
  }
  return static_cast<double>(right.size()) / static_cast<double>(all);
}

}  // namespace

TEST_CASE("window ceiling: what is counted in closed form is what all inputs give") {
  int counted = 0;
  for (const Task* task : all_tasks())
    for (int length = 1; length <= 5; ++length) {
      if (task->length_from(length) != length || !task->window_ceiling(length, 1)) continue;
      for (int field = 1; field <= length + 2; ++field) {
        CAPTURE(task->name);
        CAPTURE(length);
        CAPTURE(field);
        CHECK(*task->window_ceiling(length, field) == doctest::Approx(best_within(*task, length, field)));
        ++counted;
      }
    }
  CHECK(counted >= 38);
  CHECK(*find_task("needle").window_ceiling(48, 1000) == 1);
}

TEST_CASE("ceiling: none for generation") {
  CHECK_FALSE(find_task("unique").order_blind_ceiling(12).has_value());
  CHECK_FALSE(find_task("unique").mirror_blind_ceiling(12).has_value());
}

TEST_CASE("ceiling: counted once for each length") {
  static int solved;
  const auto task = make_task({.name = "counting",
                               .alphabet = numbers(10),
                               .sample = sample_digits,
                               .solve =
                                   [](const Tokens& input) {
                                     ++solved;
                                     return input;
                                   },
                               .example = "0"});
  CHECK(task->order_blind_ceiling(5)->value == 1);
  const int once = solved;
  CHECK(task->order_blind_ceiling(5)->value == 1);
  CHECK(solved == once);
  CHECK(task->order_blind_ceiling(6)->value == 1);
  CHECK(solved > once);
}

TEST_CASE("ceiling: threads that ask at once get one answer") {
  std::array<double, 4> answers{};
  std::vector<std::thread> threads;
  for (double& answer : answers) threads.emplace_back([&answer] { answer = ceiling("ascending", 9); });
  for (auto& thread : threads) thread.join();
  for (const double answer : answers) CHECK(answer == answers[0]);
}

TEST_CASE("baseline: the most frequent answer at each position") {
  NoInputBaseline baseline;
  CHECK(baseline.accuracy() == 0);
  for (const Tokens& target : {Tokens{1, 2}, {1, 3, 5}, {4, 3}}) baseline.add(target);
  CHECK(baseline.accuracy() == 5.0 / 7);  // by 1 3 5
}

TEST_CASE("baseline: no answer that is given to all test inputs is above it, but by chance") {
  for (const Task* task : all_tasks())
    for (const int least : {3, 12}) {
      const int length = *task->length_from(least);
      CAPTURE(task->name);
      CAPTURE(length);
      const double baseline = task->no_input_baseline(length);
      NoInputBaseline constant;
      const auto inputs = task->test_set(length, 20'000);
      for (const Example& example : inputs) constant.add(example.target);
      if (inputs.size() < 20'000) CHECK(baseline == constant.accuracy());
      CHECK(std::abs(baseline - constant.accuracy()) < 0.012);
    }
  CHECK(find_task("replace-count").no_input_baseline(12) ==
        5.0 / 16);  // of 16 test inputs 5 begin with one digit
  for (const int length : {12, 18, 24})
    for (const auto& [task, chance] : {std::pair{"before", 0.5}, {"needle", 0.1}, {"reverse", 0.1}}) {
      CHECK(find_task(task).no_input_baseline(length) >= chance);
      CHECK(find_task(task).no_input_baseline(length) < chance + 0.005);
    }
}

TEST_CASE("baseline: chance for reverse, better than order-blind for sort") {
  // Sorted digits are near their quantiles: the position alone predicts them better than the bag.
  CHECK(std::abs(find_task("reverse").no_input_baseline(12) - 0.1) < 0.015);
  CHECK(find_task("sort").no_input_baseline(12) > ceiling("sort", 12) + 0.05);
}
