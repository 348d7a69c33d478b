// Which lengths a test can go through.
#pragma once

#include <vector>

#include "../support/errors.h"
#include "base/random.h"
#include "tasks/task.h"

namespace locus {

// The lengths up to `longest` at which the task has inputs for training and for testing.
inline std::vector<int> lengths_with_both_splits(const Task& task, int longest) {
  std::vector<int> lengths;
  Random random(1, Purpose::testing);
  for (auto length = task.length_from(1); length && *length <= longest;
       length = task.length_from(*length + 1))
    if (error_of([&] {
          for (const Split split : {Split::train, Split::test}) task.sample(random, *length, split);
        }) == "no error")
      lengths.push_back(*length);
  return lengths;
}

}  // namespace locus
