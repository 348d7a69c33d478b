// Prints the ledger. Exit status 1 when evidence does not support a verdict, or a row is settled twice or
// unknown. With arguments, only those rows: build/lessons/ledger 31 38. With `page`, the verdicts alone, without measuring,
// as lessons/CLAIMS.md: build/lessons/ledger page > lessons/CLAIMS.md
#include <algorithm>
#include <exception>
#include <iostream>

#include "base/error.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/format.h"
#include "lessons/tools/claims.h"

namespace locus {

namespace {

std::vector<Settles>& settled() {
  static std::vector<Settles> all;
  return all;
}

const Settles* find(int row) {
  const Settles* found = nullptr;
  for (const Settles& entry : Settles::all())
    if (entry.row == row) {
      if (found) fail("ledger", str("row ", row, " is settled in ", found->file, " and in ", entry.file));
      found = &entry;
    }
  return found;
}

struct Row {
  int number;
  std::string chapter, claim, opposite;
};

std::vector<Row> read_rows() {
  std::vector<Row> rows;
  for (const std::string& line : split(read_file("lessons/claims.txt"), '\n')) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> part = split(line, '\t');
    const auto number = parse_int(part[0]);
    if (part.size() != 4 || !number)
      fail("lessons/claims.txt", str("not a row: '", line, "'"),
           "number, chapter, claim, what the opposite verdict would need");
    rows.push_back({*number, part[1], part[2], part[3]});
  }
  return rows;
}

// The page that is read instead of run: verdicts, each with a link to the code that measures its evidence.
void print_page() {
  std::cout
      << "# What five articles say about positions\n\n"
         "The verdicts of `make claims`, which also prints the numbers, and what the opposite verdict would "
         "need. The five articles\nare described in [README.md](README.md#the-five-articles). This page is "
         "written by `build/lessons/ledger page`.\n\n"
         "| # | claim | verdict | measured in |\n|---|---|---|---|\n";
  for (const Row& row : read_rows()) {
    const Settles* entry = find(row.number);
    const std::string link = entry ? entry->file.substr(entry->file.find("lessons/") + 8) : "";
    std::cout << "| " << row.number << " | " << row.claim << " | "
              << (entry ? entry->verdict : str("open: chapter ", row.chapter)) << " | "
              << (entry ? str('[', link.substr(0, link.find('/')), "](", link, ')') : "") << " |\n";
  }
}

// In lines of 80 columns; all begin where the text does.
void print_below(const std::string& first, const std::string& text) {
  std::string begin = first;
  for (const std::string& line : split(wrapped(text, 80 - begin.size()), '\n')) {
    if (line.empty()) continue;
    std::cout << begin << line << '\n';
    begin.assign(first.size(), ' ');
  }
}

// `only`: the numbers of the rows to print; all when empty.
int print_ledger(const std::vector<std::string>& only) {
  const std::size_t asked = only.empty() ? Settles::all().size() : only.size();
  Progress progress("rows", asked, static_cast<double>(asked));
  int rows = 0, open = 0, unsupported = 0, known = 0;
  for (const Row& row : read_rows()) {
    if (!only.empty() && std::ranges::count(only, str(row.number)) == 0) {
      known += find(row.number) != nullptr;
      continue;
    }
    ++rows;
    print_below(str(row.number < 10 ? " " : "", row.number, "  "), row.claim);
    if (const Settles* entry = find(row.number)) {
      ++known;
      progress.start();
      progress.note(str("row ", row.number));
      const Evidence evidence = entry->look();
      progress.advance(1);
      progress.finish();
      print_below("    ", entry->verdict);
      print_below("    ", str(evidence.supports ? "" : "BUT THE EVIDENCE SAYS OTHERWISE: ", evidence.text,
                              " (", entry->file, ')'));
      unsupported += !evidence.supports;
    } else {
      print_below("    ", "open: chapter " + row.chapter);
      ++open;
    }
    print_below("    ", "the opposite would need: " + row.opposite);
    std::cout << '\n';
  }
  if (known != static_cast<int>(Settles::all().size()))
    fail("ledger", "a row is settled that lessons/claims.txt does not list");
  std::cout << rows << " claims, " << rows - open << " settled, " << open << " open\n";
  if (unsupported > 0)
    std::cerr << "[ledger] " << unsupported << " verdicts are not supported by their evidence\n";
  return unsupported > 0;
}

}  // namespace

Settles::Settles(int claim, std::string words, std::function<Evidence()> evidence, std::string in_file)
    : row(claim), verdict(std::move(words)), look(std::move(evidence)), file(std::move(in_file)) {
  settled().push_back(*this);
}

const std::vector<Settles>& Settles::all() { return settled(); }

}  // namespace locus

int main(int count, char** words) {
  try {
    const std::vector<std::string> given(words + 1, words + count);
    if (given == std::vector<std::string>{"page"}) {
      locus::print_page();
      return 0;
    }
    return locus::print_ledger(given);
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
  }
}
