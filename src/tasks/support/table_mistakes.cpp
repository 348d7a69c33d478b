#include "tasks/support/table_mistakes.h"

#include <algorithm>
#include <set>

#include "base/text.h"
#include "tasks/support/examples.h"
#include "tasks/support/table_giveaways.h"

namespace locus {

namespace {

using Words = std::vector<std::string>;

constexpr int enough_tests = 40;

std::string repeated(const TableRows& table) {
  if (table.repeated == 0) return "";
  const bool one = table.repeated == 1;
  return text(table.repeated,
              one ? " row repeats an earlier one and counts" : " rows repeat an earlier one and count",
              " for nothing (line ", table.first_repeated,
              one ? "). Take it out" : " is the first). Take them out");
}

std::string too_few_tests(const TableRows& table) {
  struct Length {
    int test = 0, others = 0;
    const TableRow* row = nullptr;
  };
  std::map<std::size_t, Length> lengths;
  for (const TableRow& row : table.rows) {
    Length& length = lengths[row.input.size()];
    ++(split_of_bag(row.input) == Split::test ? length.test : length.others);
    length.row = &row;
  }
  const auto few = [](const auto& length) { return length.second.test < enough_tests; };
  const auto count = std::ranges::count_if(lengths, few);
  if (count == 0) return "";
  const auto& [words, fewest] =
      *std::ranges::min_element(lengths, {}, [](const auto& length) { return length.second.test; });
  return text(count, count == 1 ? " length has" : " lengths have", " fewer than ", enough_tests,
              " rows to test, too few to tell models apart: ", words, " words, ", fewest.test, " of ",
              fewest.test + fewest.others, " rows (", shown(*fewest.row),
              "). One bag of words in five is for the test: write about ", 5 * enough_tests,
              " rows of each length");
}

std::string never_trained(const TableRows& table) {
  std::set<std::string> known;
  for (const TableRow& row : table.rows)
    if (split_of_bag(row.input) == Split::train) {
      known.insert(row.input.begin(), row.input.end());
      known.insert(row.target.begin(), row.target.end());
    }
  int tests = 0, unknown = 0;
  std::string word;
  const TableRow* example = nullptr;
  for (const TableRow& row : table.rows) {
    if (split_of_bag(row.input) == Split::train) continue;
    ++tests;
    Words all = row.input;
    all.insert(all.end(), row.target.begin(), row.target.end());
    const auto first =
        std::ranges::find_if(all, [&](const std::string& one) { return !known.contains(one); });
    if (first == all.end()) continue;
    ++unknown;
    if (example) continue;
    word = *first;
    example = &row;
  }
  if (unknown <= a_few * tests) return "";
  return text(unknown, " of the ", tests, " test rows have a word that no row to train on has, such as '",
              shortened(word), "' (", shown(*example),
              "). Use each word in ten rows or more, with different other words");
}

// Lower-case, without the signs around it.
std::string plain(const std::string& word) {
  const std::string signs = ".,;:!?\"'";
  const std::size_t from = word.find_first_not_of(signs);
  if (from == word.npos) return word;
  std::string inner = word.substr(from, word.find_last_not_of(signs) + 1 - from);
  for (char& c : inner)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return inner;
}

std::string spelled_twice(const TableRows& table) {
  std::map<std::string, std::map<std::string, const TableRow*>> spellings;
  for (const TableRow& row : table.rows)
    for (const Words* words : {&row.input, &row.target})
      for (const std::string& word : *words) spellings[plain(word)].try_emplace(word, &row);
  int count = 0;
  const std::map<std::string, const TableRow*>* first = nullptr;
  for (const auto& [word, forms] : spellings)
    if (forms.size() > 1 && ++count == 1) first = &forms;
  if (!first) return "";
  const auto &one = *first->begin(), &two = *std::next(first->begin());
  return text("'", shortened(one.first), "' (line ", one.second->line, ") and '", shortened(two.first),
              "' (line ", two.second->line,
              ") are two words to a model, though they differ in capitals or signs alone",
              count == 1 ? "" : text(", and so are ", count - 1, " more"),
              ". Write words in lower case, and signs as words of their own");
}

}  // namespace

std::vector<std::string> table_mistakes(const Table& table, const TableRows& rows) {
  std::vector<std::string> found = table_giveaways(table, rows);
  for (std::string words : {repeated(rows), too_few_tests(rows), never_trained(rows), spelled_twice(rows)})
    found.push_back(std::move(words));
  std::erase(found, "");
  return found;
}

}  // namespace locus
