// A toy task as plain data: how an input is drawn and the function that solves it. One file in src/tasks
// holds one Toy and registers it; everything else (splits, test sets, ceilings, the command line) follows.
#pragma once

#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace locus {

inline constexpr int most_tokens = std::numeric_limits<int>::max();
void shuffle_all(Random&, Tokens& input);  // every order is equally likely

struct Toy {
  std::string name{};
  std::string summary{};
  Form form = Form::labelling;
  std::vector<std::string> alphabet{};
  Tokens (*draw)(Random&, int length) = nullptr;  // an input of `length` tokens
  Tokens (*solve)(const Tokens& input) = nullptr;
  // Rearranges an input: gives each input with the same tokens the chance that `draw` gives it among these.
  // The order-blind ceiling relies on it; a generation task, which has no ceiling, needs none of its own.
  void (*shuffle)(Random&, Tokens& input) = shuffle_all;
  int shortest = 1, step = 1, longest = most_tokens;  // the lengths that `draw` accepts
  LengthRange usual_lengths{12, 12};                  // Task::usual_lengths
  std::string layout{};                               // Task::layout
  int target_growth = 1;  // generation: a target has at most so many tokens for each of the input
  std::string sample{};   // an input for the worked example in help texts: "3 1 2"
};

// A static object of this type in a task's file, and in the task's own namespace, adds it to the registry.
class RegisterTask {
 public:
  explicit RegisterTask(Toy);
};

std::unique_ptr<const Task> make_task(const Toy&);

// "0", "1", ... up to count - 1, then others.
std::vector<std::string> numbers(int count, const std::vector<std::string>& others = {});
// Tokens below `count`, each equally likely, independently.
Tokens draw_below(int count, Random&, int length);
Tokens draw_digits(Random&, int length);  // below 10

}  // namespace locus
