// A toy task as plain data: how an input is drawn, and the function that solves it. Each file of src/tasks
// registers one; splits, test sets, ceilings and the command line follow from it.
#pragma once

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "base/random.h"
#include "tasks/task.h"

namespace locus {

inline constexpr int most_tokens = std::numeric_limits<int>::max();

// "0", "1", ... up to count - 1, then others.
std::vector<std::string> numbers(int count, const std::vector<std::string>& others = {});

// Tokens below `count`, each equally likely, independently.
Tokens sample_below(int count, Random&, int length);
template <int count>
Tokens sample_below(Random& random, int length) {
  return sample_below(count, random, length);
}
inline Tokens sample_digits(Random& random, int length) { return sample_below(10, random, length); }

inline bool accept_all(const Tokens&) { return true; }
template <int count>
bool accept_below(const Tokens& input) {
  return std::ranges::all_of(input, [](int token) { return token < count; });
}

void shuffle_all(Random&, Tokens& input);  // every order is equally likely

// A task file states what differs from these defaults.
struct Toy {
  std::string name{};
  std::string summary{};
  Form form = Form::labelling;
  std::vector<std::string> alphabet = numbers(10);
  Tokens (*sample)(Random&, int length) = sample_digits;  // an input of `length` tokens
  // Whether `sample` can give this input, whose length is right.
  bool (*accepts)(const Tokens& input) = accept_all;
  Tokens (*solve)(const Tokens& input) = nullptr;  // of an input that is accepted
  // Rearranges an input: it becomes each input with the same tokens, with the probability
  // that `sample` gives that one among them. The order-blind ceiling relies on it. (A
  // generation task has no ceiling and needs none.)
  void (*shuffle)(Random&, Tokens& input) = shuffle_all;
  double (*window_ceiling)(int length, int field) = nullptr;  // Task::window_ceiling, if it can be counted
  int shortest = 1, step = 1, longest = most_tokens;  // the lengths that `sample` accepts
  LengthRange usual_lengths{12, 12};                  // Task::usual_lengths
  std::string layout{};                               // Task::layout
  int target_growth = 1;          // generation: the most target tokens for each input token
  std::string example = "3 1 2";  // the input of the worked example in help texts
};

// A static object of this type in a task's file, and in the task's own namespace, adds it to the registry.
// Not a constructor but two braces take the fields, `mirror{{.name = ...}}`: then the compiler names a field
// that Toy does not have.
struct RegisterTask {
  Toy toy;
  bool added = add(toy);

  static bool add(const Toy&);  // true
};

// Throws Error that names the field when one is missing or does not fit the others. Asked of every registered task.
void require_complete(const Toy&);

std::unique_ptr<const Task> make_task(const Toy&);

}  // namespace locus
