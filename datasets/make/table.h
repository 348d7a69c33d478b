// What the programs of this folder share to write a table: rows, their bags of words, and the text of the file.
#pragma once

#include <algorithm>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "grammar.h"

namespace corpus {

struct Row {
  Words input, target;  // a target of one word, or of a label for each word of the input
};

struct Table {
  std::string name, task, rule;
  bool labelling;  // or classification
  std::vector<Row> rows{};
};

inline std::string joined(const Words& words) {
  std::string line;
  for (const std::string& word : words) line += (line.empty() ? "" : " ") + word;
  return line;
}

inline Words separated(const std::string& line) {
  Words words(1);
  for (const char c : line) {
    if (c == ' ')
      words.emplace_back();
    else
      words.back() += c;
  }
  return words;
}

inline std::string text_of(const Table& table) {
  std::string title = table.name;
  std::replace(title.begin(), title.end(), '_', ' ');
  std::string text = "# title: " + title + "\n# task: " + table.task + "\n# rule: " + table.rule +
                     "\n# form: " + (table.labelling ? "labelling" : "classification") +
                     "\n# source: made by datasets/make/tables.cpp\n"
                     "# licence: CC0 1.0, written for this project\n";
  for (const Row& row : table.rows) text += joined(row.input) + '\t' + joined(row.target) + '\n';
  return text;
}

// The number of the first line of `there` that `fresh` does not have, which writing `fresh` over it would lose; 0: none.
inline int first_lost_line(const std::string& there, const std::string& fresh) {
  std::set<std::string> lines;
  std::istringstream text(fresh);
  for (std::string line; std::getline(text, line);) lines.insert(line);
  text = std::istringstream(there);
  int number = 1;
  for (std::string line; std::getline(text, line); ++number)
    if (!lines.contains(line)) return number;
  return 0;
}

template <class T>
void shuffle(Random& random, std::vector<T>& list) {
  for (std::size_t left = list.size(); left > 1; --left)
    std::swap(list[left - 1], list[static_cast<std::size_t>(random.below(static_cast<int>(left)))]);
}

inline const std::string& any(Random& random, const Words& words) {
  return words[static_cast<std::size_t>(random.below(static_cast<int>(words.size())))];
}

// Adds `count` different rows that `draw` makes of one bag of words. Of each answer (in labelling: each list of labels)
// at most `each` are taken. A bag that does not have so many is left out: then false.
template <class Draw>
bool add_orders(Table& table, int count, int each, Draw draw) {
  std::vector<Row> found;
  std::set<Words> inputs;
  std::map<Words, int> answers;
  for (int tries = 0; static_cast<int>(found.size()) < count; ++tries) {
    if (tries == 1000 * count) return false;
    Row row = draw();
    if (inputs.contains(row.input) || answers[row.target] == each) continue;
    inputs.insert(row.input);
    ++answers[row.target];
    found.push_back(std::move(row));
  }
  table.rows.insert(table.rows.end(), found.begin(), found.end());
  return true;
}

}  // namespace corpus
