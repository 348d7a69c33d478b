#include "tasks/task.h"

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/size.h"

namespace locus {

std::string to_string(Form form) {
  constexpr std::array names = {"classification", "labelling", "generation", "text"};
  return names[as_size(form)];
}

std::string to_string(const LengthRange& range) {
  if (!range.only.empty()) return join(range.only, ",");
  return range.low == range.high ? str(range.low) : str(range.low, "-", range.high);
}

namespace {

// The word cut into tokens, as "31415" into "3 1 4 1 5", commas left out; "" when it cannot be.
std::string cut_into_tokens(std::string_view word, const std::vector<std::string>& alphabet) {
  std::vector<std::string> tokens;
  while (!word.empty()) {
    std::string_view longest = word.substr(0, word[0] == ',' ? 1 : 0);
    for (const std::string& token : alphabet)
      if (word.starts_with(token) && token.size() > longest.size()) longest = token;
    if (longest.empty()) return "";
    if (longest != ",") tokens.emplace_back(longest);
    word.remove_prefix(longest.size());
  }
  return join(tokens, " ");
}

}  // namespace

Tokens Task::tokens_of(std::string_view text_given) const {
  const Task& task = *this;
  Tokens tokens;
  for (const std::string& word : split(text_given, ' ')) {
    if (word.empty()) continue;  // a space at an end, or two between tokens
    const auto found = std::ranges::find(task.alphabet, word);
    if (found == task.alphabet.end()) {
      const std::string cut = cut_into_tokens(word, task.alphabet);
      fail_usage(
          task.name, str("no token is called '", word, "'"),
          cut.empty() ? nearest_names(word, task.alphabet) : str("separate tokens by spaces: '", cut, "'"));
    }
    tokens.push_back(static_cast<int>(found - task.alphabet.begin()));
  }
  return tokens;
}

Tokens read_tokens(const Task& task, std::string_view text_given) {
  Tokens tokens = task.tokens_of(text_given);
  if (tokens.empty())
    fail_usage(task.name, "the input is empty", str("for example \"", spell(task, task.example.input), "\""));
  return tokens;
}

std::string spell(const Task& task, const Tokens& tokens) {
  std::vector<std::string> words;
  for (const int token : tokens) words.push_back(task.alphabet.at(as_size(token)));
  return join(words, task.between);
}

}  // namespace locus
