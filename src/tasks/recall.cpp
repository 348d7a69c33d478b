// Recall: keys, each followed by its value; then one key is asked again. The value of a key is the token next
// to it. After the associative recall of Ba et al. 2016, "Using Fast Weights to Attend to the Recent Past".
#include <numeric>
#include <set>

#include "base/random.h"
#include "base/size.h"
#include "tasks/support/toy.h"

namespace locus::tasks::recall {

constexpr int keys = 12, first_key = 10, question = first_key + keys;  // tokens below 10 are values

Tokens ask(const Tokens& keys_given, const Tokens& values, int key) {
  Tokens input;
  for (std::size_t i = 0; i < values.size(); ++i) input.insert(input.end(), {keys_given[i], values[i]});
  input.insert(input.end(), {question, key});
  return input;
}

Tokens sample(Random& random, int length) {
  Tokens all_keys(keys);
  std::iota(all_keys.begin(), all_keys.end(), first_key);
  shuffle_all(random, all_keys);
  const Tokens values = sample_digits(random, length / 2 - 1);
  return ask(all_keys, values, all_keys[as_size(random.below(length / 2 - 1))]);
}

bool accepts(const Tokens& input) {
  std::set<int> keys_given;
  for (std::size_t i = 0; i + 2 < input.size(); i += 2) {
    const int key = input[i], value = input[i + 1];
    if (key < first_key || key == question || value >= first_key || !keys_given.insert(key).second)
      return false;
  }
  return input[input.size() - 2] == question && keys_given.contains(input.back());
}

// Shuffles the keys among themselves and the values among themselves; the question stays.
void shuffle(Random& random, Tokens& input) {
  Tokens keys_given, values;
  for (std::size_t i = 0; i + 2 < input.size(); i += 2) {
    keys_given.push_back(input[i]);
    values.push_back(input[i + 1]);
  }
  shuffle_all(random, keys_given);
  shuffle_all(random, values);
  input = ask(keys_given, values, input.back());
}

Tokens solve(const Tokens& input) {
  std::size_t position = 0;
  while (input[position] != input.back()) ++position;
  return {input[position + 1]};
}

const RegisterTask recall{
    {.name = "recall",
     .summary = "the value after the key that is asked",
     .form = Form::classification,
     .alphabet = numbers(10, {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "?"}),
     .sample = sample,
     .accepts = accepts,
     .solve = solve,
     .shuffle = shuffle,
     .shortest = 4,
     .step = 2,
     .longest = 2 * keys + 2,
     .usual_lengths = {6, 6},
     .layout = "n keys, each with its value, then ? and a key: 2n + 2 tokens",
     .example = "b 3 e 1 a 7 ? e"}};

}  // namespace locus::tasks::recall
