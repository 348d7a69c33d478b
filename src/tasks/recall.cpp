// Recall: keys, each followed by its value; then one key is asked again. Which value belongs to a key is a
// matter of standing next to it. As in the associative recall of Ba et al. 2016, "Using Fast Weights to
// Attend to the Recent Past".
#include "tasks/support/toy.h"

namespace locus::tasks::recall {

constexpr int keys = 12, first_key = 10, question = first_key + keys;  // tokens below 10 are values

std::vector<std::string> alphabet() {
  std::vector<std::string> names = numbers(10);
  for (char key = 'a'; key <= 'l'; ++key) names.push_back({key});
  names.push_back("?");
  return names;
}

Tokens ask(const Tokens& keys_given, const Tokens& values, int key) {
  Tokens input;
  for (std::size_t i = 0; i < values.size(); ++i) input.insert(input.end(), {keys_given[i], values[i]});
  input.insert(input.end(), {question, key});
  return input;
}

Tokens draw(Random& random, int length) {
  Tokens all_keys(keys);
  for (int key = 0; key < keys; ++key) all_keys[static_cast<std::size_t>(key)] = first_key + key;
  shuffle_all(random, all_keys);
  const Tokens values = draw_digits(random, length / 2 - 1);
  return ask(all_keys, values, all_keys[static_cast<std::size_t>(random.below(length / 2 - 1))]);
}

// Keys change places among themselves, values among themselves, and the question stays.
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
  std::size_t place = 0;
  while (input[place] != input.back()) ++place;
  return {input[place + 1]};
}

const RegisterTask recall({.name = "recall",
                           .summary = "the value that stood after the key that is asked",
                           .form = Form::classification,
                           .alphabet = alphabet(),
                           .draw = draw,
                           .solve = solve,
                           .shuffle = shuffle,
                           .shortest = 4,
                           .step = 2,
                           .longest = 2 * keys + 2,
                           .usual_lengths = {6, 6},
                           .layout = "n keys, each with its value, then ? and a key: 2n + 2 tokens",
                           .sample = "b 3 e 1 a 7 ? e"});

}  // namespace locus::tasks::recall
