#include "tasks/task.h"

#include <algorithm>

#include "base/error.h"

namespace locus {

std::string to_string(Form form) {
  switch (form) {
    case Form::classification:
      return "classification";
    case Form::labelling:
      return "labelling";
    case Form::generation:
      return "generation";
  }
  return "";
}

Tokens read_tokens(const Task& task, std::string_view text_given) {
  Tokens tokens;
  std::string_view rest = text_given;
  while (true) {
    const std::size_t space = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, space);
    if (word.empty())
      fail_usage(task.name, text("the input '", text_given, "' has an empty token"),
                 "separate tokens by single spaces");
    const auto found = std::find(task.alphabet.begin(), task.alphabet.end(), word);
    if (found == task.alphabet.end())
      fail_usage(task.name, text("no token is called '", word, "'"), nearest_names(word, task.alphabet));
    tokens.push_back(static_cast<int>(found - task.alphabet.begin()));
    if (space == rest.size()) return tokens;
    rest.remove_prefix(space + 1);
  }
}

std::string spell(const Task& task, const Tokens& tokens) {
  std::vector<std::string> words;
  for (const int token : tokens) words.push_back(task.alphabet.at(static_cast<std::size_t>(token)));
  return join(words, " ");
}

}  // namespace locus
