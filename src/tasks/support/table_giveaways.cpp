#include "tasks/support/table_giveaways.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/size.h"
#include "base/text.h"
#include "tasks/support/examples.h"

namespace locus {

namespace {

using Words = std::vector<std::string>;
using Counts = std::map<std::string, int>;

Words bag_of(const TableRow& row) {
  Words bag = row.input;
  std::ranges::sort(bag);
  return bag;
}

std::string percent(double part, double whole) { return str(std::lround(100 * part / whole), " %"); }

std::pair<std::string, int> largest(const Counts& counts) {
  return *std::ranges::max_element(counts, {}, &Counts::value_type::second);
}

Counts answers_of(const TableRows& table) {
  Counts counts;
  for (const TableRow& row : table.rows)
    for (const std::string& answer : row.target) ++counts[answer];
  return counts;
}

int total(const Counts& counts) {
  int sum = 0;
  for (const auto& [word, count] : counts) sum += count;
  return sum;
}

std::string one_order_only(const Table& task, const TableRows& table) {
  const std::string warning = ceiling_warning(task);
  if (warning.empty()) return "";
  std::map<Words, std::vector<const TableRow*>> bags;
  for (const TableRow& row : table.rows)
    if (split_of_bag(row.input) == Split::test) bags[bag_of(row)].push_back(&row);
  for (const auto& [bag, rows] : bags)
    if (rows.size() == 1) return str(warning, ": ", shown(*rows[0]));
  return warning;
}

// Bags in several orders whose answers a model knows that sees no order. In labelling each word has an answer.
std::string order_not_needed(const TableRows& table) {
  struct Bag {
    int rows = 0, answers = 0;
    const TableRow* row = nullptr;
    std::map<std::string, std::set<std::string>> seen{};  // by word; in classification by ""
  };
  std::map<Words, Bag> bags;
  for (const TableRow& row : table.rows) {
    Bag& bag = bags[bag_of(row)];
    ++bag.rows;
    bag.row = &row;
    for (std::size_t i = 0; i < row.target.size(); ++i)
      bag.seen[table.form == Form::labelling ? row.input[i] : ""].insert(row.target[i]);
  }
  int several = 0, known = 0;
  const TableRow* example = nullptr;
  for (const auto& [words, bag] : bags) {
    if (bag.rows == 1) continue;
    ++several;
    if (std::ranges::any_of(bag.seen, [](const auto& word) { return word.second.size() > 1; })) continue;
    ++known;
    if (!example) example = bag.row;
  }
  if (known <= a_few * several) return "";
  return str("the words alone give the answer away in ", known, " of the ", several,
             " bags of words that occur in several orders: all orders have the same answer (",
             shown(*example), "). Write the words of each row in another order with another answer");
}

std::string one_answer_for_nearly_all(const TableRows& table) {
  const Counts counts = answers_of(table);
  const auto [answer, count] = largest(counts);
  const int all = total(counts);
  if (count < 0.8 * all) return "";
  const auto other = std::ranges::find_if(table.rows, [&, common = answer](const TableRow& row) {
    return std::ranges::count(row.target, common) == 0;
  });
  return str("'", shortened(answer), "' is ", count, " of the ", all, " answers (", percent(count, all),
             "), which a model gets that reads nothing. Write more rows with other answers",
             other == table.rows.end() ? "" : str(", as ", shown(*other)));
}

std::string length_tells(const TableRows& table) {
  if (table.form != Form::classification) return "";
  std::map<std::size_t, Counts> by_length;
  for (const TableRow& row : table.rows) ++by_length[row.input.size()][row.target[0]];
  int right = 0;
  for (const auto& [length, counts] : by_length) right += largest(counts).second;
  const double rows = static_cast<double>(table.rows.size()),
               unread = largest(answers_of(table)).second / rows;
  // What the most frequent answers of as many groups gain by chance is well below this.
  const double chance = 2 * std::sqrt(static_cast<double>(by_length.size()) * unread * (1 - unread) / rows);
  if (right / rows < unread + std::max(0.1, chance)) return "";
  const auto clearest = std::ranges::max_element(by_length, {}, [](const auto& length) {
    return std::pair(static_cast<double>(largest(length.second).second) / total(length.second),
                     total(length.second));
  });
  const auto [answer, count] = largest(clearest->second);
  const auto row = std::ranges::find_if(table.rows, [&, wanted = answer](const TableRow& one) {
    return one.input.size() == clearest->first && one.target[0] == wanted;
  });
  return str("the number of words alone gives ", percent(right, rows),
             " of the answers, and the most frequent answer ", percent(unread, 1), ": of ",
             total(clearest->second), " rows of ", clearest->first, " words ", count, " have '",
             shortened(answer), "' (", shown(*row), "). Write rows of each length with each answer");
}

// Words that have one answer wherever they occur, more often than chance would give to one of so many words.
std::string word_tells(const TableRows& table) {
  std::map<std::string, std::pair<Counts, const TableRow*>> seen;  // by word
  const bool labels = table.form == Form::labelling;
  for (const TableRow& row : table.rows) {
    const std::set<std::string> once(row.input.begin(), row.input.end());
    if (labels)
      for (std::size_t i = 0; i < row.input.size(); ++i) {
        auto& [counts, example] = seen[row.input[i]];
        ++counts[row.target[i]];
        example = &row;
      }
    else
      for (const std::string& word : once) {
        auto& [counts, example] = seen[word];
        ++counts[row.target[0]];
        example = &row;
      }
  }
  const Counts answers = answers_of(table);
  if (answers.size() == 1) return "";
  int words = 0, tokens = 0, most = 0;
  std::string clearest;
  for (const auto& [word, where] : seen) {
    const auto [answer, count] = largest(where.first);
    const double by_chance = std::pow(static_cast<double>(answers.at(answer)) / total(answers), count);
    if (where.first.size() > 1 || by_chance * static_cast<double>(seen.size()) > 0.001) continue;
    ++words;
    tokens += count;
    if (count > most) {
      most = count;
      clearest = word;
    }
  }
  // In labelling a word such as "but" may well have one label, if most have not.
  if (words == 0 || (labels && tokens < 0.5 * total(answers))) return "";
  const auto& [counts, row] = seen.at(clearest);
  return str(words, words == 1 ? " word has" : " words have", " the same ", labels ? "label" : "answer",
             " wherever ", words == 1 ? "it occurs" : "they occur", ", so nothing else need be read: '",
             shortened(clearest), "' has '", shortened(counts.begin()->first), "' ", most, " times (",
             shown(*row), "). Write rows in which ", words == 1 ? "it has" : "they have", " other ",
             labels ? "labels" : "answers");
}

// The answer is always the word at one place, counted from the beginning or from the end.
std::string place_tells(const TableRows& table) {
  if (table.form != Form::classification) return "";
  std::vector<std::size_t> lengths;
  for (const TableRow& row : table.rows) lengths.push_back(row.input.size());
  std::ranges::sort(lengths);
  const std::size_t places =
      lengths[as_size(a_few * static_cast<double>(lengths.size()))];  // all but a few have them
  for (std::size_t place = 0; place < places; ++place)
    for (const bool from_end : {false, true}) {
      const auto here = [&](const TableRow& row) {
        return place < row.input.size() &&
               row.input[from_end ? row.input.size() - 1 - place : place] == row.target[0];
      };
      const auto count = std::ranges::count_if(table.rows, here);
      if (static_cast<double>(count) < (1 - a_few) * static_cast<double>(table.rows.size())) continue;
      return str("the answer of ", count, " of the ", table.rows.size(), " rows is word ", place + 1,
                 from_end ? " from the end" : " of the input", " (",
                 shown(*std::ranges::find_if(table.rows, here)),
                 "), so its place is enough. Write sentences in which the answer stands elsewhere, too");
    }
  return "";
}

}  // namespace

std::string shortened(std::string words) {
  std::size_t most = 60;  // bytes
  if (words.size() <= most) return words;
  if (const std::size_t space = words.rfind(' ', most); space != words.npos) most = space;
  while ((static_cast<unsigned char>(words[most]) & 0xC0) == 0x80) --most;  // not within a character
  return words.substr(0, most) + " ...";
}

std::string shown(const TableRow& row) {
  return str("line ", row.line, ": ", shortened(join(row.input, " ")), " -> ",
             shortened(join(row.target, " ")));
}

std::vector<std::string> table_giveaways(const Table& table, const TableRows& rows) {
  if (rows.form == Form::generation) return {};
  return {one_order_only(table, rows), order_not_needed(rows), one_answer_for_nearly_all(rows),
          length_tells(rows),          word_tells(rows),       place_tells(rows)};
}

}  // namespace locus
