#include "tasks/task.h"

#include <algorithm>
#include <array>

#include "base/error.h"

namespace locus {

std::string to_string(Form form) {
  constexpr std::array names = {"classification", "labelling", "generation"};
  return names[static_cast<std::size_t>(form)];
}

Tokens read_tokens(const Task& task, std::string_view text_given) {
  Tokens tokens;
  for (const std::string& word : split(text_given, ' ')) {
    if (word.empty())
      fail_usage(task.name, text("the input '", text_given, "' has an empty token"),
                 "separate tokens by single spaces");
    const auto found = std::ranges::find(task.alphabet, word);
    if (found == task.alphabet.end())
      fail_usage(task.name, text("no token is called '", word, "'"), nearest_names(word, task.alphabet));
    tokens.push_back(static_cast<int>(found - task.alphabet.begin()));
  }
  return tokens;
}

std::string spell(const Task& task, const Tokens& tokens) {
  std::vector<std::string> words;
  for (const int token : tokens) words.push_back(task.alphabet.at(static_cast<std::size_t>(token)));
  return join(words, " ");
}

}  // namespace locus
