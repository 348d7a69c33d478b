// Writes the tables of classification.h and labelling.h, each as NAME.tsv in a folder. When one is there with a line that
// would be lost, nothing is written.
//
//   tables FOLDER
#include <cstdio>
#include <fstream>
#include <iostream>
#include <sstream>
#include <vector>

#include "classification.h"
#include "labelling.h"

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: tables FOLDER\n";
    return 2;
  }
  const std::vector<corpus::Table> tables{corpus::dates(),      corpus::cadences(), corpus::recipes(),
                                          corpus::open_files(), corpus::genes(),    corpus::negation()};
  const auto path_of = [&](const corpus::Table& table) { return words[1] + ("/" + table.name + ".tsv"); };
  for (const corpus::Table& table : tables) {
    std::ostringstream there;
    there << std::ifstream(path_of(table), std::ios::binary).rdbuf();
    const int lost = corpus::first_lost_line(there.str(), corpus::text_of(table));
    if (lost == 0) continue;
    std::cerr
        << "tables: line " << lost << " of " << path_of(table)
        << " would be lost, so nothing was written. Hint: keep rows of your own in a table of your own; if you "
           "changed the rules, delete "
        << path_of(table) << " first\n";
    return 1;
  }
  for (const corpus::Table& table : tables) {
    const std::string path = path_of(table), fresh = path + ".new";
    std::ofstream file(fresh, std::ios::binary);
    file << corpus::text_of(table);
    file.close();
    if (!file || std::rename(fresh.c_str(), path.c_str()) != 0) {
      std::remove(fresh.c_str());
      std::cerr << "tables: " << path << " could not be written\n";
      return 1;
    }
  }
}
