// Prints the ledger. Exit status 1 when evidence does not support a verdict, or a row is settled twice or
// unknown. With arguments, only those rows: build/lessons/ledger 31 38
#include <algorithm>
#include <exception>
#include <iostream>

#include "base/error.h"
#include "io/file.h"
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
      if (found) fail("ledger", text("row ", row, " is settled in ", found->file, " and in ", entry.file));
      found = &entry;
    }
  return found;
}

// `only`: the numbers of the rows to print; all when empty.
int print_ledger(const std::vector<std::string>& only) {
  int rows = 0, open = 0, unsupported = 0, known = 0;
  for (const std::string& line : split(read_file("lessons/claims.txt"), '\n')) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> part = split(line, '\t');
    const auto row = parse_int(part[0]);
    if (part.size() != 4 || !row)
      fail("lessons/claims.txt", text("not a row: '", line, "'"),
           "number, chapter, claim, what the opposite verdict would need");
    if (!only.empty() && std::ranges::count(only, part[0]) == 0) {
      known += find(*row) != nullptr;
      continue;
    }
    ++rows;
    std::cout << (*row < 10 ? " " : "") << *row << "  " << part[2] << '\n';
    if (const Settles* entry = find(*row)) {
      ++known;
      const Evidence evidence = entry->look();
      std::cout << "    " << entry->verdict << '\n'
                << "    " << (evidence.supports ? "" : "BUT THE EVIDENCE SAYS OTHERWISE: ") << evidence.text
                << " (" << entry->file << ")\n";
      unsupported += !evidence.supports;
    } else {
      std::cout << "    open: chapter " << part[1] << '\n';
      ++open;
    }
    std::cout << "    the opposite would need: " << part[3] << '\n';
  }
  if (known != static_cast<int>(Settles::all().size()))
    fail("ledger", "a row is settled that lessons/claims.txt does not list");
  std::cout << '\n' << rows << " claims, " << rows - open << " settled, " << open << " open\n";
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
    return locus::print_ledger({words + 1, words + count});
  } catch (const std::exception& problem) {
    std::cerr << problem.what() << '\n';
    return 1;
  }
}
