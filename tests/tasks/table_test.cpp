#include "tasks/support/table.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>

#include "base/error.h"
#include "base/random.h"
#include "tasks/support/registry.h"

namespace table_test {

using namespace locus;

namespace {

// A temporary file, removed at the end of the test.
class TableFile {
 public:
  explicit TableFile(const std::string& contents)
      : path(std::filesystem::temp_directory_path() / ("locus_table_" + std::to_string(getpid()) + ".tsv")) {
    std::ofstream(path, std::ios::binary) << contents;
  }
  ~TableFile() { std::filesystem::remove(path); }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;

  const std::filesystem::path path;
};

// `count` rows, lines 1 to count; inputs of two or three tokens, each with a different bag.
std::string good_rows(int count = 40) {
  std::string rows;
  for (int i = 0; i < count; ++i) {
    const std::string n = std::to_string(i);
    rows += "a" + n + (i % 2 == 0 ? " b" : " b c") + "\tyes\n";
  }
  return rows;
}

Table read(const std::string& contents) {
  const TableFile file(contents);
  return Table(file.path.string());
}

// The message about such a file, with the file's name written FILE.
std::string error_of(const std::string& contents) {
  const TableFile file(contents);
  try {
    const Table table(file.path.string());
  } catch (const Error& error) {
    std::string message = error.what();
    const std::string path = file.path.string();
    for (auto at = message.find(path); at != message.npos; at = message.find(path))
      message.replace(at, path.size(), "FILE");
    return message;
  }
  return "no error";
}

template <class Act>
std::string message_of(Act act) {
  try {
    act();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::vector<Example> all_rows(const Table& table, Split split, int length) {
  if (split == Split::test) {
    const auto tests = table.test_set(length, 1'000'000);
    return {tests.begin(), tests.end()};
  }
  Random random(0, Purpose::testing);
  std::map<Tokens, Tokens> seen;
  for (int i = 0; i < 20000; ++i) {
    const Example example = table.sample(random, length, Split::train);
    seen[example.input] = example.target;
  }
  std::vector<Example> rows;
  for (const auto& [input, target] : seen) rows.push_back({input, target});
  return rows;
}

// Those that are not tested.
std::vector<Example> trained_or_validated(const Table& table, int length) {
  std::vector<Example> rows = all_rows(table, Split::train, length);
  for (const auto& part : table.validation_rows({length, length}))
    rows.insert(rows.end(), part.begin(), part.end());
  return rows;
}

}  // namespace

TEST_CASE("table: a file is read with its header, alphabet and form") {
  const TableFile file("# title: small\n# task: what it asks\n# some prose: not a key\n#\n" + good_rows() +
                       "# late: comment\nz z z\tno\n");
  const Table table(file.path.string());
  CHECK(table.name.starts_with("locus_table_"));
  CHECK(table.summary == "what it asks");
  CHECK(read_table_rows(file.path.string()).header ==
        std::vector<std::pair<std::string, std::string>>{{"title", "small"}, {"task", "what it asks"}});
  CHECK(table.form == Form::classification);
  CHECK(std::is_sorted(table.alphabet.begin(), table.alphabet.end()));
  CHECK(table.alphabet.size() == 40 + 2 + 2 + 1);  // a0..a39, b c, yes no, z
  CHECK(spell(table, table.example.input) == "a0 b");
  CHECK(spell(table, table.example.target) == "yes");
  CHECK(table.fixed_lengths() == std::vector<int>{2, 3});
  CHECK(table.length_from(1) == 2);
  CHECK(table.length_from(3) == 3);
  CHECK(table.length_from(4) == std::nullopt);
  CHECK(table.lengths() == "2, 3");
}

TEST_CASE("table: a byte order mark, CRLF, a missing last line end and non-English words are fine") {
  std::string rows = good_rows();
  for (auto at = rows.find('\n'); at != rows.npos; at = rows.find('\n', at + 2)) rows.insert(at, "\r");
  const Table table = read("\xEF\xBB\xBF# task: BOM\r\n" + rows + "el niño comió 苹果 🍎\tsí");
  CHECK(table.summary == "BOM");
  CHECK(table.alphabet.size() == 40 + 2 + 1 + 6);
  CHECK(std::count(table.alphabet.begin(), table.alphabet.end(), "yes") == 1);
  CHECK(std::count(table.alphabet.begin(), table.alphabet.end(), "🍎") == 1);
}

TEST_CASE(
    "table: a row that begins with # is a row; as the first one it could be a comment, and is refused") {
  std::string rows;
  for (int i = 0; i < 40; ++i)
    for (const char* first : {"a", "b", "#"}) rows += str(first, " w", i, " a\t", first, "\n");
  const TableFile file("# input\ttarget\n# plain: comment\n" + rows + "# the end\n");
  const TableRows read = read_table_rows(file.path.string());
  CHECK(read.rows.size() == 120);
  CHECK(std::ranges::count(read.rows, "#", [](const TableRow& row) { return row.input.front(); }) == 40);
  const Table table(file.path.string());
  CHECK(std::ranges::count(table.alphabet, "#") == 1);

  const std::string first = rows.substr(rows.find('#'), rows.find('\n', rows.find('#')) + 1 - rows.find('#'));
  CHECK(error_of("# task: sorted\n" + first + rows)
            .starts_with("[FILE:2] a comment, or a row that begins with '#'?"));
  std::string others;  // no other row has the word
  for (int i = 0; i < 40; ++i) others += str("a w", i, "\tyes\n");
  CHECK(error_of("#\tyes\n" + others).starts_with("[FILE:1] a comment, or a row"));
  CHECK(error_of("# w3\tyes\n" + others).starts_with("[FILE:1] a comment, or a row"));
  CHECK(error_of(others + "#\ttwo\ttabs\n").starts_with("[FILE:41] 2 tabs"));
}

TEST_CASE("table: the form is found from the rows, or checked against the header") {
  std::string same_length, other_length, single;
  for (int i = 0; i < 40; ++i) {
    const std::string n = std::to_string(i);
    same_length += n + " x\tx " + n + "\n";
    other_length += n + " x\tx x " + n + "\n";
    single += n + "\tx\n";
  }
  CHECK(read(good_rows()).form == Form::classification);
  CHECK(read(same_length).form == Form::labelling);
  CHECK(read(other_length).form == Form::generation);
  CHECK(read(same_length + "q r s\tx\n").form == Form::generation);
  CHECK(read(single).form == Form::classification);
  CHECK(read("# form: labelling\n" + single).form == Form::labelling);
  CHECK(read("# form: generation\n" + good_rows()).form == Form::generation);
  CHECK(error_of("# form: labelling\n" + same_length + "q r s\tx\n") ==
        "[FILE:42] the header says form: labelling, but the input has 3 tokens and the target 1. "
        "Hint: a target of labelling is as long as its input");
  CHECK(error_of("# form: classification\n" + same_length) ==
        "[FILE:2] the header says form: classification, but the input has 2 tokens and the target 2. "
        "Hint: a target of classification is one token");
  CHECK(error_of("# form: labeling\n" + same_length) ==
        "[FILE] the header says form: labeling. Hint: did you mean 'labelling'?");
}

TEST_CASE("table: what is malformed is refused with file, line and remedy") {
  const std::string good = good_rows();
  const std::string spaces = ". Hint: separate tokens by single spaces";
  CHECK(error_of(good) == "no error");
  CHECK(error_of("") == "[FILE] the file is empty. Hint: write rows of input<TAB>target");
  CHECK(error_of("# task: x\n#\n") == "[FILE] no rows, only comments. Hint: write rows of input<TAB>target");
  CHECK(error_of(good + "x y z\n") ==
        "[FILE:41] no tab. Hint: write input<TAB>target, with a real tab character");
  CHECK(error_of(good + "x\ty\tz\n") ==
        "[FILE:41] 2 tabs. Hint: write input<TAB>target: one tab, single spaces between tokens");
  CHECK(error_of(good + "\n") == "[FILE:41] an empty line. Hint: delete it, or make it a comment with #");
  CHECK(error_of(good + "\tyes\n") ==
        "[FILE:41] the input is empty. Hint: write at least one token on each side of the tab");
  CHECK(error_of("x\t\n" + good) ==
        "[FILE:1] the target is empty. Hint: write at least one token on each side of the tab");
  CHECK(error_of(good + "x  y\tz\n") == "[FILE:41] two spaces in a row in the input" + spaces);
  CHECK(error_of(good + "x\ty  z\n") == "[FILE:41] two spaces in a row in the target" + spaces);
  CHECK(error_of(good + " x\tz\n") == "[FILE:41] a space before the input" + spaces);
  CHECK(error_of(good + "x \tz\n") == "[FILE:41] a space after the input" + spaces);
  CHECK(error_of(good + "x\t z\n") == "[FILE:41] a space before the target" + spaces);
  CHECK(error_of(good + "x\tz \n") == "[FILE:41] a space after the target" + spaces);
  CHECK(error_of(good + " \tz\n") == "[FILE:41] a space before the input" + spaces);
  CHECK(error_of(good + std::string("x\0y\tz\n", 6)) ==
        "[FILE:41] a NUL byte. Hint: save the file as plain UTF-8 text, not UTF-16 or binary");
  CHECK(error_of(good + "x\x1B[31m\tz\n") ==
        "[FILE:41] a control character (code 27) at byte 2 of the line. Hint: take it out: tabs and line "
        "ends are the only ones that are allowed");
  CHECK(error_of(good + "x\xC2\x9B\tz\n")  // U+009B begins a command of terminals, as ESC [ does
            .starts_with("[FILE:41] a control character (code 155) at byte 2 of the line"));
  CHECK(error_of(good + "x\ry\tz\n")
            .starts_with("[FILE:41] a control character (code 13) at byte 2 of the line"));
}

TEST_CASE("table: bytes that are not UTF-8 are refused, with their position") {  // more: io/utf8_test.cpp
  for (const auto& [bytes, position] : {std::pair{"caf\xE9", 4}, {"x \xC0\xAF", 3}, {"\xFF\xFE", 1}})
    CHECK(error_of(good_rows() + bytes + "\tz\n") ==
          str("[FILE:41] byte ", position, " of the line is not UTF-8. Hint: save the file as UTF-8"));
  CHECK(error_of(good_rows() + "\xC2\xA0 \xF0\x90\x80\x80\tz\n") == "no error");
}

TEST_CASE("table: a line of a megabyte is read, a longer one refused") {
  CHECK(error_of(good_rows() + std::string(999'998, 'x') + "\tz\n") == "no error");
  CHECK(error_of(good_rows() + std::string(999'998, 'x') + "\tz\r\n") == "no error");
  CHECK(error_of(good_rows() + std::string(999'998, 'x') + "\tz") == "no error");
  const std::string refusal = "[FILE:41] a line longer than 1000000 bytes. Hint: write one example a line";
  CHECK(error_of(good_rows() + std::string(999'999, 'x') + "\tz\n") == refusal);
  CHECK(error_of(good_rows() + std::string(3'000'000, 'x') + "\tz\n") == refusal);
}

TEST_CASE("table: an unreadable file is refused") {
  CHECK(message_of([] { Table("/nonexistent/table.tsv"); }) ==
        "[/nonexistent/table.tsv] could not be read: No such file or directory. Hint: check the path");
  const std::string folder = std::filesystem::temp_directory_path().string();
  CHECK(message_of([&] { Table{folder}; }) == "[" + folder + "] is a folder, should be a file");
  CHECK(message_of([] { Table("/dev/zero"); }) == "[/dev/zero] is not a regular file");
}

TEST_CASE("table: a row that is there twice is kept once; an input with two answers is refused") {
  const TableFile file(good_rows() + good_rows(3));
  const Table table(file.path.string());
  CHECK(read_table_rows(file.path.string()).repeated == 3);
  std::size_t kept = 0;
  for (const int length : table.fixed_lengths())
    kept += trained_or_validated(table, length).size() + all_rows(table, Split::test, length).size();
  CHECK(kept == 40);
  CHECK(error_of(good_rows() + "a5 b c\tno\n") ==
        "[FILE:41] the input of line 6 again, with the target 'no' and not 'yes'. "
        "Hint: an input has one answer: keep one of the two lines");
}

TEST_CASE("table: too few rows, or too few different bags, are refused") {
  CHECK(error_of(good_rows(9)) == "[FILE] only 9 different rows. Hint: write 10 or more");
  CHECK(error_of(good_rows(9) + good_rows(9)) == "[FILE] only 9 different rows. Hint: write 10 or more");

  std::string one_bag;  // the permutations of four words: many rows, one bag
  std::vector<std::string> words = {"a", "b", "c", "d"};
  do one_bag += join(words, " ") + "\t" + words[0] + "\n";
  while (std::next_permutation(words.begin(), words.end()));
  CHECK(error_of(one_bag) ==
        "[FILE] all 24 rows fall in the train split. Hint: the split is by bag of words: write rows with "
        "more different "
        "words");

  std::string all_lengths, input;  // every row has a length of its own
  for (int i = 0; i < 40; ++i) {
    input += input.empty() ? "a" : " a";
    all_lengths += input + "\tb\n";
  }
  CHECK(error_of(all_lengths) ==
        "[FILE] no input length has both train and test rows. Hint: write more rows of each length");
}

TEST_CASE("table: all orders of a bag fall on one side, and about a fifth of the bags are for testing") {
  std::string rows;
  for (int i = 0; i < 400; ++i) {
    const std::string n = std::to_string(i);
    rows += n + " x y\tx\n" + "y x " + n + "\ty\n" + "x " + n + " y\tx\n";
  }
  const Table table = read(rows);
  std::map<Tokens, std::set<Split>> sides;
  for (const Split split : {Split::train, Split::test})
    for (Example& row : split == Split::test ? all_rows(table, split, 3) : trained_or_validated(table, 3)) {
      std::sort(row.input.begin(), row.input.end());
      sides[row.input].insert(split);
    }
  CHECK(sides.size() == 400);
  int test = 0;
  for (const auto& [bag, on] : sides) {
    CHECK(on.size() == 1);
    test += on.count(Split::test) == 1 ? 1 : 0;
  }
  CHECK(std::abs(test - 80) < 40);  // five standard deviations
}

TEST_CASE(
    "table: the rows for the validations are an eighth, share no bag with the others, and leave each length "
    "some") {
  const auto bags_of = [](const std::vector<Example>& rows) {
    std::set<Tokens> bags;
    for (Example row : rows) {
      std::ranges::sort(row.input);
      bags.insert(row.input);
    }
    return bags;
  };
  std::string both_orders;  // each bag in two orders, of two lengths
  for (int i = 0; i < 200; ++i) {
    const std::string n = str("a", i), more = i % 2 == 0 ? " c" : "";
    both_orders += n + " b" + more + "\tyes\nb " + n + more + "\tno\n";
  }
  const Table table = read(both_orders);
  std::size_t kept = 0, trained = 0;
  for (const int length : {2, 3}) {
    const auto rows = table.validation_rows({length, length});
    REQUIRE(rows.size() == 1);
    const std::vector<Example> train = all_rows(table, Split::train, length);
    const auto of_validation = bags_of({rows[0].begin(), rows[0].end()}), of_training = bags_of(train),
               of_tests = bags_of(all_rows(table, Split::test, length));
    CHECK(rows[0].size() == 2 * of_validation.size());  // both orders of each bag
    for (const Tokens& bag : of_validation) {
      CHECK_FALSE(of_training.contains(bag));
      CHECK_FALSE(of_tests.contains(bag));
    }
    kept += rows[0].size();
    trained += train.size();
  }
  CHECK(static_cast<double>(kept) / static_cast<double>(kept + trained) ==
        doctest::Approx(0.125).epsilon(0.05));
  CHECK(table.validation_rows({2, 3}).size() == 2);
  CHECK(table.validation_rows({4, 9}).empty());
}

TEST_CASE(
    "table: of a small table at most a fourth of the rows is for the validations, of a large one at most 128") {
  const auto kept_of = [](int rows) {
    std::size_t kept = 0;
    for (const auto& part : read(good_rows(rows)).validation_rows({1, 9})) kept += part.size();
    return kept;
  };
  CHECK(kept_of(20) >= 2);
  CHECK(kept_of(20) <= 5);
  CHECK(kept_of(60) == 8);
  CHECK(kept_of(5000) == 128);
}

TEST_CASE("table: a row stays on its side when the table grows and its words get other ids") {
  const auto test_inputs = [](const Table& table) {
    std::set<std::string> inputs;
    for (const Example& example : table.test_set(2, 1000)) inputs.insert(spell(table, example.input));
    return inputs;
  };
  const auto before = test_inputs(read(good_rows()));
  auto after = test_inputs(read("0 0 0\tno\n" + good_rows() + "zz a0 b\tno\n"));
  CHECK(before == after);
}

TEST_CASE("table: its fingerprint changes with its rows, their order and its form, and with nothing else") {
  const std::string rows = good_rows(), fingerprint = read(rows).fingerprint;
  CHECK(fingerprint.starts_with("40 rows, hash "));
  CHECK(fingerprint.size() == std::string("40 rows, hash ").size() + 16);
  const std::size_t first = rows.find('\n') + 1;
  std::string with_returns;
  for (const char c : rows) with_returns += c == '\n' ? std::string("\r\n") : std::string(1, c);
  for (const std::string& same :
       {rows, "# title: the same\n" + rows, rows + "# an end\n", rows + rows.substr(0, first), with_returns})
    CHECK(read(same).fingerprint == fingerprint);
  std::set<std::string> others{fingerprint};
  for (const std::string& other :
       {rows + "x y\tyes\n", rows.substr(first), rows.substr(first) + rows.substr(0, first),
        "a0 c\tyes\n" + rows.substr(first), "a0 b\tno\n" + rows.substr(first), "# form: generation\n" + rows})
    CHECK(others.insert(read(other).fingerprint).second);
}

TEST_CASE("table: with the alphabet of a model, words have the ids that the model knows") {
  const TableFile file(good_rows());
  const std::string path = file.path.string();
  const Table own(path);
  std::vector<std::string> known = own.alphabet;
  std::ranges::reverse(known);
  known.insert(known.begin() + 3, "more");
  const Table read_anew(path, known);
  CHECK(read_anew.alphabet == known);
  CHECK(read_anew.example.input != own.example.input);
  for (const int length : own.fixed_lengths()) {
    const auto was = own.test_set(length, 100), is = read_anew.test_set(length, 100);
    REQUIRE(was.size() == is.size());
    for (std::size_t i = 0; i < is.size(); ++i) {
      CHECK(spell(own, was[i].input) == spell(read_anew, is[i].input));
      CHECK(spell(own, was[i].target) == spell(read_anew, is[i].target));
    }
  }
  const auto error_with = [&](const std::vector<std::string>& words) {
    const std::string error = message_of([&] { Table(path, words); });
    return error.substr(error.find("] "));
  };
  CHECK(
      error_with({"b", "c", "no", "yes"}) ==
      "] the model was trained without the words 'a0', 'a1', 'a10', 'a11', 'a12' and 35 more. Hint: it knows "
      "'no', which the table lacks: was a word renamed?");
  std::erase(known, "more");
  std::erase(known, "c");
  CHECK(error_with(known) ==
        "] the model was trained without the word 'c'. Hint: take out the rows that have "
        "it, or train a new model");
}

TEST_CASE("table: lengths are drawn in proportion to their train rows, within the range") {
  std::string rows;
  for (int i = 0; i < 400; ++i) {
    const std::string n = std::to_string(i);
    rows += n + (i % 4 == 0 ? " x\tx\n" : " x x\tx\n");
  }
  rows += "x x x x x x x x x\tx\n";
  const Table table = read(rows);
  const auto twos = static_cast<double>(all_rows(table, Split::train, 2).size());
  const auto threes = static_cast<double>(all_rows(table, Split::train, 3).size());
  Random random(1, Purpose::testing);
  int drawn_twos = 0;
  for (int i = 0; i < 4000; ++i) {
    const int length = table.sample_length(random, {2, 3});
    CHECK((length == 2 || length == 3));
    drawn_twos += length == 2 ? 1 : 0;
    CHECK(table.sample_length(random, {3, 3}) == 3);
    CHECK(table.sample_length(random, {2, 9, {2, 9}}) != 3);
  }
  CHECK(std::abs(drawn_twos / 4000.0 - twos / (twos + threes)) < 0.04);
  CHECK(message_of([&] {
          table.sample_length(random, {4, 8});
        }).find("no train row has an input of 4 to 8 tokens. Hint: the lengths are 2, 3") !=
        std::string::npos);
  CHECK(message_of([&] {
          table.test_set(4, 10);
        }).find("no test row has an input of 4 tokens. Hint: the lengths are 2, 3") != std::string::npos);
}

TEST_CASE("table: a test set is the same each time, a smaller count is its beginning, not the file's") {
  const Table table("datasets/who_chased_whom.tsv");
  const auto all = table.test_set(5, 1000), few = table.test_set(5, 20);
  REQUIRE(few.size() == 20);
  std::set<int> words;
  for (std::size_t i = 0; i < few.size(); ++i) {
    CHECK(few[i].input == all[i].input);
    words.insert(few[i].input.begin(), few[i].input.end());
  }
  CHECK(words.size() >= 14);  // the file begins with one verb, 10 animals and "the"
}

TEST_CASE("table: the order-blind ceiling counts the best answer of each bag, and of each token of it") {
  std::string one_answer, two_answers, labels;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    one_answer += n + " x\tx\nx " + n + "\tx\n";
    two_answers += n + " x y\tx\n" + "x y " + n + "\tx\n" + "y x " + n + "\ty\n";
    labels += n + " x x\tfirst second third\n";  // the number is always first, an x is second or third
  }
  CHECK(read(one_answer).order_blind_ceiling(2)->value == 1);
  CHECK(read(two_answers).order_blind_ceiling(3)->value == doctest::Approx(2.0 / 3));
  CHECK(read(labels).order_blind_ceiling(3)->value == doctest::Approx(2.0 / 3));
  CHECK(read(labels).order_blind_ceiling(3)->error == 0);
  CHECK(read(labels).no_input_baseline(3) == 1);
  CHECK(read(two_answers).no_input_baseline(3) == doctest::Approx(2.0 / 3));
  CHECK_FALSE(read("# form: generation\n" + two_answers).order_blind_ceiling(3).has_value());
}

TEST_CASE("table: the mirror-blind ceiling counts the best answer to a row and its mirror image") {
  std::string alone, both, labels, palindromes;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    alone += n + " x y\tx\n" + n +
             " y x\ty\n";  // the same words, in orders that are not each other's mirror image
    both += n + " x y\tx\n" + "y x " + n + "\ty\n";
    labels += n + " x y\tx x y\n" + "y x " + n + "\tx x y\n";  // right in both at the middle only
    palindromes += "x " + n + " x\tfirst second third\n";
  }
  CHECK(read(alone).mirror_blind_ceiling(3)->value == 1);
  CHECK(read(alone).order_blind_ceiling(3)->value < 1);
  CHECK(read(palindromes).mirror_blind_ceiling(3)->value == doctest::Approx(2.0 / 3));
  // Where the other row of a pair is for training, the ceiling counts the row as right.
  const auto share_of_pairs = [](const Table& table) {
    double paired = 0;
    const auto rows = table.test_set(3, 1000);
    for (const Example& row : rows) {
      const Tokens mirrored(row.input.rbegin(), row.input.rend());
      for (const Example& other : rows) paired += other.input == mirrored;
    }
    return paired / static_cast<double>(rows.size());
  };
  const Table answers = read(both), labelled = read(labels);
  REQUIRE(share_of_pairs(answers) > 0);
  CHECK(answers.mirror_blind_ceiling(3)->value == doctest::Approx(1 - share_of_pairs(answers) / 2));
  CHECK(labelled.mirror_blind_ceiling(3)->value == doctest::Approx(1 - share_of_pairs(labelled) / 3));
  CHECK_FALSE(read("# form: generation\n" + both).mirror_blind_ceiling(3).has_value());
}

TEST_CASE("table: bags that occur in one order only are counted, and more than a few of them warned of") {
  std::string pairs, alone;
  for (int i = 0; i < 60; ++i) {
    const std::string n = std::to_string(i);
    pairs += n + " x y\tx\n" + "y x " + n + "\ty\n";
    alone += n + " p q\tp\n";
  }
  const BagCounts none = *read(pairs).bag_counts(3), some = *read(pairs + alone).bag_counts(3);
  CHECK(none.rows == 2 * none.bags);
  CHECK(none.in_one_order == 0);
  CHECK(some.rows == none.rows + some.in_one_order);
  CHECK(some.bags == none.bags + some.in_one_order);
  CHECK(some.in_one_order > 0);
  CHECK(read(pairs + alone).order_blind_ceiling(3)->value ==
        doctest::Approx((none.bags + some.in_one_order) / double(some.rows)));

  CHECK(ceiling_warning(read(pairs)) == "");
  CHECK(ceiling_warning(read("# form: generation\n" + alone)) == "");
  const std::string warning = ceiling_warning(read(pairs + alone));
  CHECK(warning.starts_with(str(some.in_one_order, " of the ", some.bags, " test bags of words of ")));
  CHECK(warning.find(str(" count", "s their ", some.in_one_order, " of ", some.rows, " rows as right")) !=
        warning.npos);
  CHECK_FALSE(find_task("reverse").bag_counts(12).has_value());
}

}  // namespace table_test
