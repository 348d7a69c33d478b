#include "tasks/support/table_mistakes.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "base/text.h"
#include "tasks/support/examples.h"
#include "tasks/support/spelling.h"
#include "tasks/support/table_giveaways.h"

namespace locus {

namespace {

using Words = std::vector<std::string>;

constexpr int enough_tests = 40;

std::string repeated(const TableRows& table) {
  if (table.repeated == 0) return "";
  const bool one = table.repeated == 1;
  return str(table.repeated,
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
  return str(count, count == 1 ? " length has" : " lengths have", " fewer than ", enough_tests,
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
  return str(unknown, " of the ", tests, " test rows have a word that no row to train on has, such as '",
             shortened(word), "' (", shown(*example),
             "). Use each word in ten rows or more, with different other words");
}

// Two words of a table that are one to a reader.
struct Twins {
  std::string one, other;
  int line_of_one, line_of_other;
  int more;  // words, or looks, that likewise have several forms
};

// Of words with equal group_of, those that differ in form_of.
std::optional<Twins> find_twins(const TableRows& table, const auto& group_of, const auto& form_of) {
  struct Seen {
    std::string word;
    int line;
  };
  std::map<std::string, std::map<std::string, Seen>> groups;
  std::set<std::string> known;
  for (const TableRow& row : table.rows)
    for (const Words* words : {&row.input, &row.target})
      for (const std::string& word : *words)
        if (known.insert(word).second)
          groups[group_of(word)].try_emplace(form_of(word), Seen{word, row.line});
  std::optional<Twins> twins;
  for (const auto& [group, forms] : groups) {
    if (forms.size() < 2) continue;
    const Seen &one = forms.begin()->second, &other = std::next(forms.begin())->second;
    if (twins)
      ++twins->more;
    else
      twins = Twins{one.word, other.word, one.line, other.line, 0};
  }
  return twins;
}

std::string both(const Twins& twins) {
  return str("'", shortened(twins.one), "' (line ", twins.line_of_one, ") and '", shortened(twins.other),
             "' (line ", twins.line_of_other, ")");
}

std::string and_more(const Twins& twins) {
  return twins.more == 0 ? "" : str(", and so are ", twins.more, " more");
}

std::string spelled_twice(const TableRows& table) {
  const auto twins = find_twins(table, spelling_of, look_of);
  if (!twins) return "";
  return str(both(*twins), " are two words to a model, though they differ in capitals or signs alone",
             and_more(*twins), ". Write words in lower case, and signs as words of their own");
}

std::string look_the_same(const TableRows& table) {
  const auto twins = find_twins(table, look_of, [](const std::string& word) { return word; });
  if (!twins) return "";
  return str(both(*twins), " are two words to a model, though they look the same (they differ in ",
             differing_code_points(twins->one, twins->other), ")", and_more(*twins),
             ". Write both with the same characters");
}

}  // namespace

std::vector<std::string> table_mistakes(const Table& table, const TableRows& rows) {
  std::vector<std::string> found = table_giveaways(table, rows);
  for (std::string words :
       {repeated(rows), too_few_tests(rows), never_trained(rows), spelled_twice(rows), look_the_same(rows)})
    found.push_back(std::move(words));
  std::erase(found, "");
  return found;
}

}  // namespace locus
