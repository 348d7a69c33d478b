#include "tasks/support/toy.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/random.h"
#include "base/size.h"
#include "tasks/support/ceiling.h"
#include "tasks/support/examples.h"

namespace locus {

namespace {

// After so many draws in vain (a few milliseconds) no further input is assumed to exist.
constexpr int most_attempts = 20'000;
// A length with fewer test inputs has an exact baseline. Elsewhere so many inputs are drawn, all different as in a
// test: the best answer to these is right more often than the best answer to all, but by less than 0.005. One token for
// each input needs more of them.
constexpr int baseline_inputs = 20'000, baseline_classified = 100'000;

bool draw_in(const Toy& toy, Random& random, int length, Split split, Tokens& input) {
  for (int attempt = 0; attempt < most_attempts; ++attempt) {
    input = toy.sample(random, length);
    if (split_of(input) == split) return true;
  }
  return false;
}

// A hint for the error that a split has no input of some length.
std::string lengths_that_work(const Toy& toy) {
  Random random(0, Purpose::test_data);
  Tokens input;
  for (int length = toy.shortest; length <= std::min(toy.longest, toy.shortest + 32); length += toy.step)
    if (draw_in(toy, random, length, Split::test, input) && draw_in(toy, random, length, Split::train, input))
      return str("use lengths of ", length, " or more");
  return "let the task draw more different inputs";
}

class ToyTask final : public Task {
 public:
  explicit ToyTask(const Toy& toy) : toy_(toy) {
    name = toy.name;
    summary = toy.summary;
    form = toy.form;
    alphabet = toy.alphabet;
    usual_lengths = toy.usual_lengths;
    layout = toy.layout;
    example.input = read_tokens(*this, toy.example);
    example.target = toy.solve(example.input);
  }

  int sample_length(Random& random, const LengthRange& range) const override {
    if (const int count = static_cast<int>(range.only.size()); count > 0)
      return range.only[as_size(random.below(count))];
    if (range.low > range.high)
      fail_usage(name, str("the lengths ", range.low, " to ", range.high, " hold no length"),
                 "write the lower one first");
    const int first = length_from(range.low).value_or(most_tokens);
    if (first > range.high)
      fail_usage(name, str("no input has ", range.low, " to ", range.high, " tokens"), lengths());
    return first + toy_.step * random.below((range.high - first) / toy_.step + 1);
  }

  std::optional<int> length_from(int least) const override {
    const int steps = std::max(0, least - toy_.shortest + toy_.step - 1) / toy_.step;
    const int length = toy_.shortest + toy_.step * steps;
    return length <= toy_.longest ? std::optional(length) : std::nullopt;
  }

  std::string lengths() const override {
    return str("the shortest has ", toy_.shortest,
               toy_.step > 1 ? str(", the next ", toy_.shortest + toy_.step) : "",
               toy_.longest < most_tokens ? str(", the longest ", toy_.longest) : "");
  }

  std::optional<Tokens> target_of(const Tokens& input) const override {
    const int length = static_cast<int>(input.size());
    if (length_from(length) != length || !toy_.accepts(input)) return std::nullopt;
    return toy_.solve(input);
  }

  int longest_target(int length) const override { return toy_.target_growth * Task::longest_target(length); }

  Example sample(Random& random, int length, Split split) const override {
    check(length);
    Tokens input;
    if (!draw_in(toy_, random, length, split, input)) fail_too_few(length, split);
    return {input, toy_.solve(input)};
  }

  std::span<const Example> test_set(int length, int count) const override {
    check(length);
    if (count < 1) fail(name, str("a test set of ", count, " examples"), "ask for 1 or more");
    return test_sets_.once(std::pair(length, count), [&] { return draw_test_set(length, count); });
  }

  std::optional<Estimate> order_blind_ceiling(int length) const override {
    if (form == Form::generation) return std::nullopt;
    check(length);
    return ceilings_.once(length, [&] { return locus::order_blind_ceiling(toy_, length); });
  }

  std::optional<Estimate> mirror_blind_ceiling(int length) const override {
    if (form == Form::generation) return std::nullopt;
    check(length);
    return mirror_ceilings_.once(length, [&] { return locus::mirror_blind_ceiling(toy_, length); });
  }

  std::optional<double> window_ceiling(int length, int field) const override {
    check(length);
    return toy_.window_ceiling ? std::optional(toy_.window_ceiling(length, field)) : std::nullopt;
  }

  double no_input_baseline(int length) const override {
    check(length);
    return baselines_.once(length, [&] { return count_baseline(length); });
  }

 private:
  // Values that are made when first asked for. Threads that ask for different keys do not
  // wait for each other.
  template <class Key, class Value>
  class Kept {
   public:
    template <class Make>
    const Value& once(const Key& key, Make make) {
      std::unique_lock lock(mutex_);
      Entry& entry = entries_[key];
      lock.unlock();
      std::call_once(entry.made, [&] { entry.value = make(); });
      return entry.value;
    }

   private:
    struct Entry {
      std::once_flag made;
      Value value;
    };

    std::mutex mutex_;
    std::map<Key, Entry> entries_;
  };

  // Calls `use` with so many different inputs, or with fewer when `draw` finds no more. Inputs are told apart by
  // their hash, which takes less memory.
  static int draw_different(int count, const auto& draw, const auto& use) {
    std::set<std::uint64_t> seen;
    Tokens input;
    for (int repeats = 0; static_cast<int>(seen.size()) < count && repeats < most_attempts;) {
      if (!draw(input)) break;
      const std::string_view bytes(reinterpret_cast<const char*>(input.data()), sizeof(int) * input.size());
      const bool is_new = seen.insert(hash(bytes)).second;
      repeats = is_new ? 0 : repeats + 1;
      if (is_new) use(input);
    }
    return static_cast<int>(seen.size());
  }

  // Calls `use` with each input of a test set, and returns how many there are.
  int draw_tests(int length, int count, const auto& use) const {
    Random random(0, Purpose::test_data, static_cast<std::uint64_t>(length));
    const auto draw = [&](Tokens& input) { return draw_in(toy_, random, length, Split::test, input); };
    const int drawn = draw_different(count, draw, use);
    if (drawn == 0) fail_too_few(length, Split::test);
    return drawn;
  }

  std::vector<Example> draw_test_set(int length, int count) const {
    std::vector<Example> examples;
    draw_tests(length, count, [&](const Tokens& input) { examples.push_back({input, toy_.solve(input)}); });
    return examples;
  }

  double count_baseline(int length) const {
    NoInputBaseline tests, all;
    const auto add_to = [&](NoInputBaseline& baseline) {
      return [&](const Tokens& input) { baseline.add(toy_.solve(input)); };
    };
    if (draw_tests(length, baseline_inputs, add_to(tests)) < baseline_inputs) return tests.accuracy();
    Random random(0, Purpose::ceiling, static_cast<std::uint64_t>(length));
    draw_different(
        form == Form::classification ? baseline_classified : baseline_inputs,
        [&](Tokens& input) {
          input = toy_.sample(random, length);
          return true;
        },
        add_to(all));
    return all.accuracy();
  }

  void check(int length) const {
    if (length_from(length) != length)
      fail_usage(name, str("an input of ", length, " tokens"),
                 str(lengths(), layout.empty() ? "" : str(" (", layout, ")")));
  }

  [[noreturn]] void fail_too_few(int length, Split split) const {
    fail_usage(name,
               str("no input of ", length, " tokens falls in the ", split == Split::test ? "test" : "train",
                   " split: there are too few different ones"),
               lengths_that_work(toy_));
  }

  Toy toy_;
  mutable Kept<std::pair<int, int>, std::vector<Example>> test_sets_;  // of a length and a count
  mutable Kept<int, Estimate> ceilings_, mirror_ceilings_;
  mutable Kept<int, double> baselines_;
};

}  // namespace

std::unique_ptr<const Task> make_task(const Toy& toy) { return std::make_unique<ToyTask>(toy); }

void shuffle_all(Random& random, Tokens& input) { random.shuffle(std::span(input)); }

std::vector<std::string> numbers(int count, const std::vector<std::string>& others) {
  std::vector<std::string> names;
  for (int number = 0; number < count; ++number) names.push_back(str(number));
  names.insert(names.end(), others.begin(), others.end());
  return names;
}

Tokens sample_below(int count, Random& random, int length) {
  Tokens input(as_size(length));
  for (int& token : input) token = random.below(count);
  return input;
}

}  // namespace locus
