// The tables that datasets/make writes, solved again by other means than there, and that only the order of the words
// says the answer.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <regex>
#include <set>
#include <string>

#include "base/error.h"
#include "base/text.h"
#include "tasks/support/table.h"

namespace rules_test {

using namespace locus;

namespace {

using Words = std::vector<std::string>;

TableRows rows_of(const std::string& name) { return read_table_rows("datasets/" + name + ".tsv"); }

std::ptrdiff_t place(const Words& words, const std::string& word) {
  return std::ranges::find(words, word) - words.begin();
}

std::string month_of_date(const Words& input) {
  const auto slash = input.begin() + place(input, "/");
  const bool american = std::ranges::any_of(input, [](auto& word) {
    return std::set<std::string>{"Boston", "Denver", "Tokyo"}.contains(word);
  });
  const Words names = {"January", "February", "March",     "April",   "May",      "June",
                       "July",    "August",   "September", "October", "November", "December"};
  return names.at(std::stoul(american ? slash[-1] : slash[1]) - 1);
}

std::string cadence_of(const Words& input) {
  const std::string end = input[input.size() - 2] + input.back();
  const std::map<std::string, std::string> named = {
      {"GC", "authentic"}, {"FC", "plagal"}, {"GA", "deceptive"}};
  return named.contains(end) ? named.at(end) : input.back() == "G" ? "half" : "?";
}

// The vegetable that has a step before the step that should come before it.
std::string spoilt(const Words& input) {
  const Words steps = {"wash", "peel", "slice", "fry"};
  std::string found = "none";
  for (std::size_t i = 0; i < input.size(); i += 3)
    for (std::size_t later = i + 3; later < input.size(); later += 3)
      if (input[i + 1] == input[later + 1] && place(steps, input[i]) > place(steps, input[later])) {
        CHECK(found == "none");
        found = input[i + 1];
      }
  return found;
}

// What was last done with the file before event `i` that opened or closed it while it could be.
std::string state_before(const Words& input, std::size_t i) {
  const std::string file = input[i].substr(input[i].find('-'));
  for (std::size_t before = i; before-- > 0;) {
    if (input[before] == "open" + file) return "open";
    if (input[before] == "close" + file && state_before(input, before) == "open") return "closed";
  }
  return "new";
}

std::string judged(const Words& input, std::size_t i) {
  const std::string state = state_before(input, i);
  if (input[i].starts_with("open")) return state == "open" ? "twice" : "ok";
  return state == "open" ? "ok" : state == "closed" ? "late" : "early";
}

Words gene_of(const Words& input) {
  const std::string dna = join(input, "");
  Words labels(input.size(), "-");
  std::smatch gene;
  if (std::regex_search(dna, gene, std::regex("ATG.*?TAA")))
    std::fill_n(labels.begin() + gene.position(), gene.length(), "+");
  return labels;
}

bool denied(const Words& input, std::size_t i) {
  for (std::size_t before = i + 1; before-- > 0;) {
    if (input[before] == "not") return true;
    if (input[before] == "but") return false;
  }
  return false;
}

Words answer_of(const std::string& table, const Words& input) {
  if (table == "dates") return {month_of_date(input)};
  if (table == "cadences") return {cadence_of(input)};
  if (table == "recipes") return {spoilt(input)};
  if (table == "genes") return gene_of(input);
  Words labels;
  for (std::size_t i = 0; i < input.size(); ++i)
    labels.push_back(table == "open_files" ? judged(input, i) : denied(input, i) ? "no" : "yes");
  return labels;
}

}  // namespace

TEST_CASE("datasets: the tables of datasets/make follow their rules") {
  for (const std::string name : {"dates", "cadences", "recipes", "open_files", "genes", "negation"}) {
    const TableRows table = rows_of(name);
    CHECK(table.rows.size() >= 800);
    CHECK(table.repeated == 0);
    for (const TableRow& row : table.rows) {
      CAPTURE(name);
      CAPTURE(row.line);
      CHECK(answer_of(name, row.input) == row.target);
    }
  }
}

TEST_CASE("datasets: every bag of words has several answers, in classification each equally often") {
  for (const std::string name : {"dates", "cadences", "recipes", "open_files", "genes", "negation"}) {
    const TableRows table = rows_of(name);
    std::map<Words, std::map<Words, int>> answers;
    for (const TableRow& row : table.rows) {
      Words bag = row.input;
      std::ranges::sort(bag);
      ++answers[bag][row.target];
    }
    for (const auto& [bag, counts] : answers) {
      CAPTURE(name);
      const std::string words = join(bag, " ");
      CAPTURE(words);
      CHECK(counts.size() >= 2);
      if (table.form == Form::labelling) continue;
      for (const auto& [answer, count] : counts) CHECK(count == counts.begin()->second);
    }
  }
}

TEST_CASE("datasets: the order-blind ceilings of the tables of datasets/make") {
  const std::map<std::string, double> ceilings = {{"dates", 0.5}, {"cadences", 0.25}, {"recipes", 1.0 / 3}};
  for (const auto& [name, ceiling] : ceilings) {
    const Table table("datasets/" + name + ".tsv");
    for (const int length : table.fixed_lengths())
      CHECK(table.order_blind_ceiling(length)->value == doctest::Approx(ceiling));
  }
  for (const std::string name : {"open_files", "genes", "negation"}) {
    const Table table("datasets/" + name + ".tsv");
    CHECK(table.form == Form::labelling);
    for (const int length : table.fixed_lengths()) CHECK(table.order_blind_ceiling(length)->value < 0.75);
  }
}

}  // namespace rules_test
