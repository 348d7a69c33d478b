#include "tasks/support/table.h"

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/machine.h"
#include "base/random.h"
#include "base/size.h"
#include "io/file.h"
#include "tasks/support/examples.h"

namespace locus {

namespace {

constexpr std::size_t fewest_rows = 10;

std::vector<std::string> find_alphabet(const std::vector<TableRow>& rows) {
  std::set<std::string> tokens;
  for (const TableRow& row : rows) {
    tokens.insert(row.input.begin(), row.input.end());
    tokens.insert(row.target.begin(), row.target.end());
  }
  return {tokens.begin(), tokens.end()};
}

Tokens ids(const std::vector<std::string>& words, const std::map<std::string, int>& id_of) {
  Tokens tokens;
  for (const std::string& word : words) tokens.push_back(id_of.at(word));
  return tokens;
}

// Comments do not count, and neither does a row that repeats an earlier one.
std::string fingerprint_of(const TableRows& table) {
  std::string rows = to_string(table.form) + "\n";
  for (const TableRow& row : table.rows) rows += str(join(row.input, " "), "\t", join(row.target, " "), "\n");
  std::string digits;
  for (std::uint64_t left = hash(rows); digits.size() < 16; left >>= 4)
    digits += "0123456789abcdef"[left & 15];
  return str(table.rows.size(), " rows, hash ", digits);
}

// A number for the bag of these words, in an order that has nothing to do with the split into train and test.
std::uint64_t bag_number(std::vector<std::string> words) {
  std::ranges::sort(words);
  return hash(str("probe ", join(words, " ")));
}

// Those of the bags that are not tested (table.h).
std::set<std::uint64_t> bags_for_validation(const std::vector<TableRow>& rows) {
  struct Bag {
    std::size_t length, rows = 0;
  };
  std::map<std::uint64_t, Bag> bags;
  std::map<std::size_t, std::size_t> left;  // rows to train on, by length
  std::size_t all = 0;
  for (const TableRow& row : rows) {
    if (split_of_bag(row.input) == Split::test) continue;
    ++bags.try_emplace(bag_number(row.input), Bag{row.input.size()}).first->second.rows;
    ++left[row.input.size()];
    ++all;
  }
  const std::size_t wanted = std::clamp(all / 8, std::min<std::size_t>(all / 4, 8), std::size_t{128});
  std::set<std::uint64_t> chosen;
  std::size_t count = 0;
  for (const auto& [number, bag] : bags) {
    if (count >= wanted) break;
    if (left[bag.length] == bag.rows) continue;
    left[bag.length] -= bag.rows;
    count += bag.rows;
    chosen.insert(number);
  }
  return chosen;
}

std::vector<std::string> not_among(const std::vector<std::string>& known,
                                   const std::vector<std::string>& words) {
  std::vector<std::string> others;
  for (const std::string& word : words)
    if (std::ranges::find(known, word) == known.end()) others.push_back(str("'", word, "'"));
  return others;
}

// "'cat', 'dog', 'hen' and 9 more"
std::string some_of(const std::vector<std::string>& words) {
  constexpr std::size_t shown = 5;
  if (words.size() <= shown) return join(words, ", ");
  return str(join(std::span(words).first(shown), ", "), " and ", words.size() - shown, " more");
}

void check_known(const std::string& path, const std::vector<std::string>& words,
                 const std::vector<std::string>& known) {
  const auto unknown = not_among(known, words), gone = not_among(words, known);
  if (!unknown.empty())
    fail(path,
         str("the model was trained without the word", unknown.size() > 1 ? "s " : " ", some_of(unknown)),
         gone.empty() ? "take out the rows that have it, or train a new model"
                      : str("it knows ", some_of(gone), ", which the table lacks: was a word renamed?"));
}

// What a blind model sees of a row and a position, and how often the answer there was which.
using Sight = std::pair<Tokens, int>;
class AnswersBySight {
 public:
  void add(const Sight& sight, int answer) {
    ++counts_[sight][answer];
    ++total_;
  }

  // The relative frequency of right answers, when each sight gets the answer that is most frequent there.
  Estimate best() const {
    int right = 0;
    for (const auto& [sight, answers] : counts_) right += most_frequent(answers).second;
    return {static_cast<double>(right) / total_, 0};
  }

 private:
  std::map<Sight, std::map<int, int>> counts_;
  int total_ = 0;
};

}  // namespace

std::string find_table(const std::string& path) {
  if (!file_exists(path) && !path.starts_with("/"))
    for (const char* folder : {"/../", "/../share/locus/"})
      if (const std::string shipped = program_folder() + folder + path; file_exists(shipped)) return shipped;
  return path;
}

Table::Table(const std::string& path, const std::vector<std::string>& known) {
  const TableRows table = read_table_rows(find_table(path));
  if (table.rows.size() < fewest_rows)
    fail(path, str("only ", table.rows.size(), " different rows"), str("write ", fewest_rows, " or more"));

  name = file_stem(path);
  if (name == "." || name == "..")
    fail(path, str("'", name, "' would be the table's name, and is that of a folder"), "rename the file");
  summary = table.header_value("task");
  if (summary.empty()) summary = str("the rows of ", path);
  form = table.form;
  fingerprint = fingerprint_of(table);
  alphabet = find_alphabet(table.rows);
  if (!known.empty()) {
    check_known(path, alphabet, known);
    alphabet = known;
  }
  std::map<std::string, int> id_of;
  for (std::size_t id = 0; id < alphabet.size(); ++id) id_of[alphabet[id]] = static_cast<int>(id);

  bool has_train = false, has_test = false;
  const std::set<std::uint64_t> kept_for_validation = bags_for_validation(table.rows);
  for (const TableRow& row : table.rows) {
    Rows& group = by_length_[static_cast<int>(row.input.size())];
    const bool is_test = split_of_bag(row.input) == Split::test;
    (is_test ? has_test : has_train) = true;
    longest_target_ = std::max(longest_target_, static_cast<int>(row.target.size()));
    (is_test                                               ? group.test
     : kept_for_validation.contains(bag_number(row.input)) ? group.validation
                                                           : group.train)
        .push_back({ids(row.input, id_of), ids(row.target, id_of)});
  }
  if (!has_train || !has_test)
    fail(path, str("all ", table.rows.size(), " rows fall in the ", has_train ? "train" : "test", " split"),
         "the split is by bag of words: write rows with more different words");
  if (fixed_lengths().empty())
    fail(path, "no input length has both train and test rows", "write more rows of each length");
  example = {ids(table.rows[0].input, id_of), ids(table.rows[0].target, id_of)};

  // Files are often in a systematic order; the first rows of a test set should be typical of all.
  for (auto& [length, group] : by_length_)
    Random(0, Purpose::test_data, static_cast<std::uint64_t>(length)).shuffle(std::span(group.test));
}

std::string Table::lengths_of(Split split) const {
  std::vector<int> lengths;
  for (const auto& [length, group] : by_length_)
    if (!group.rows(split).empty()) lengths.push_back(length);
  return str("the lengths are ", join(lengths, ", "));
}

const std::vector<Example>& Table::rows(int length, Split split) const {
  const auto found = by_length_.find(length);
  if (found != by_length_.end() && !found->second.rows(split).empty()) return found->second.rows(split);
  fail_usage(name,
             str("no ", split == Split::train ? "train" : "test", " row has an input of ", length, " tokens"),
             lengths_of(split));
}

int Table::sample_length(Random& random, const LengthRange& range) const {
  std::size_t total = 0;
  for (const auto& [length, group] : by_length_)
    if (range.contains(length)) total += group.train.size();
  if (total == 0)
    fail_usage(name, str("no train row has an input of ", range.low, " to ", range.high, " tokens"),
               lengths_of(Split::train));
  auto left = as_size(random.below(static_cast<int>(total)));
  for (const auto& [length, group] : by_length_) {
    if (!range.contains(length)) continue;
    if (left < group.train.size()) return length;
    left -= group.train.size();
  }
  return range.high;  // not reached
}

Example Table::sample(Random& random, int length, Split split) const {
  const auto& group = rows(length, split);
  return group[as_size(random.below(static_cast<int>(group.size())))];
}

std::span<const Example> Table::test_set(int length, int count) const {
  if (count < 1) fail(name, str("a test set of ", count, " examples"), "ask for 1 or more");
  const std::span all = rows(length, Split::test);
  return all.first(std::min(all.size(), as_size(count)));
}

std::vector<std::span<const Example>> Table::validation_rows(const LengthRange& range) const {
  std::vector<std::span<const Example>> found;
  for (const auto& [length, group] : by_length_)
    if (range.contains(length) && !group.validation.empty()) found.push_back(group.validation);
  return found;
}

std::optional<Tokens> Table::target_of(const Tokens& input) const {
  if (const auto found = by_length_.find(static_cast<int>(input.size())); found != by_length_.end())
    for (const auto* rows : {&found->second.train, &found->second.validation, &found->second.test})
      for (const Example& row : *rows)
        if (row.input == input) return row.target;
  return std::nullopt;
}

int Table::longest_target(int length) const {
  return form == Form::generation ? longest_target_ : Task::longest_target(length);
}

std::vector<int> Table::fixed_lengths() const {
  std::vector<int> lengths;
  for (const auto& [length, group] : by_length_)
    if (!group.train.empty() && !group.test.empty()) lengths.push_back(length);
  return lengths;
}

std::optional<int> Table::length_from(int least) const {
  for (const int length : fixed_lengths())
    if (length >= least) return length;
  return std::nullopt;
}

std::string Table::lengths() const { return join(fixed_lengths(), ", "); }

std::optional<Estimate> Table::order_blind_ceiling(int length) const {
  if (form == Form::generation) return std::nullopt;
  AnswersBySight answers;
  for (const Example& row : rows(length, Split::test)) {
    Tokens bag = row.input;
    std::ranges::sort(bag);
    for (std::size_t i = 0; i < row.target.size(); ++i)
      answers.add({bag, form == Form::labelling ? row.input[i] : -1}, row.target[i]);
  }
  return answers.best();
}

std::optional<Estimate> Table::mirror_blind_ceiling(int length) const {
  if (form == Form::generation) return std::nullopt;
  AnswersBySight answers;
  for (const Example& row : rows(length, Split::test)) {
    const Tokens mirrored(row.input.rbegin(), row.input.rend());
    for (int i = 0; i < static_cast<int>(row.target.size()); ++i) {
      const int place = form == Form::labelling ? i : -1,
                other = form == Form::labelling ? length - 1 - i : -1;
      // of the two descriptions of the same sight the one that sorts first
      answers.add(std::min(Sight{row.input, place}, Sight{mirrored, other}), row.target[as_size(i)]);
    }
  }
  return answers.best();
}

std::optional<BagCounts> Table::bag_counts(int length) const {
  std::map<Tokens, int> rows_of;
  for (const Example& row : rows(length, Split::test)) {
    Tokens bag = row.input;
    std::ranges::sort(bag);
    ++rows_of[bag];
  }
  BagCounts counts{.bags = static_cast<int>(rows_of.size())};
  for (const auto& [bag, count] : rows_of) {
    counts.rows += count;
    counts.in_one_order += count == 1;
  }
  return counts;
}

std::string ceiling_warning(const Task& task) {
  constexpr double negligible = 0.02;  // of the test rows
  BagCounts all;
  if (task.form == Form::generation) return "";
  for (const int length : task.fixed_lengths())
    if (const auto counts = task.bag_counts(length)) {
      all.rows += counts->rows;
      all.bags += counts->bags;
      all.in_one_order += counts->in_one_order;
    }
  if (all.in_one_order <= negligible * all.rows) return "";
  return str(
      all.in_one_order, " of the ", all.bags, " test bags of words of ", task.name,
      " occur in one order only; the order-blind ceiling counts their ", all.in_one_order, " of ", all.rows,
      " rows as right, so it is too high. Write each bag in two orders or more, with different answers "
      "(datasets/README.md)");
}

double Table::no_input_baseline(int length) const {
  NoInputBaseline baseline;
  for (const Example& row : rows(length, Split::test)) baseline.add(row.target);
  return baseline.accuracy();
}

}  // namespace locus
