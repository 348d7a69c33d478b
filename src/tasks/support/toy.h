// A toy task as plain data: how an input is drawn and the function that solves it. One file in src/tasks
// holds one Toy and registers it; everything else (splits, test sets, ceilings, the command line) follows.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tasks/task.h"

namespace locus {

struct Toy {
  std::string name{};
  std::string summary{};
  Form form = Form::labelling;
  std::vector<std::string> alphabet{};
  // An input of `length` tokens. Every reordering of an input must be as likely as the input itself: the
  // order-blind ceiling relies on it.
  Tokens (*draw)(Random&, int length) = nullptr;
  Tokens (*solve)(const Tokens& input) = nullptr;
  int shortest = 1;      // the least length that `draw` accepts
  std::string sample{};  // an input for the worked example in help texts: "3 1 2"
};

// A static object of this type in a task's file adds the task to the registry.
class RegisterTask {
 public:
  explicit RegisterTask(Toy);
};

std::unique_ptr<const Task> make_task(const Toy&);

std::vector<std::string> digits(int count);  // "0", "1", ...
Tokens draw_digits(Random&, int length);     // each of 0..9 equally likely, independently

}  // namespace locus
