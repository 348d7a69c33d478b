// Writes the tables of classification.h and labelling.h, each as NAME.tsv in a folder.
//
//   tables FOLDER
#include <fstream>
#include <iostream>

#include "classification.h"
#include "labelling.h"

int main(int count, char** words) {
  if (count != 2) {
    std::cerr << "usage: tables FOLDER\n";
    return 2;
  }
  for (const corpus::Table& table : {corpus::dates(), corpus::cadences(), corpus::recipes(),
                                     corpus::open_files(), corpus::genes(), corpus::negation()}) {
    const std::string path = words[1] + ("/" + table.name + ".tsv");
    std::ofstream file(path, std::ios::binary);
    file << corpus::text_of(table);
    file.close();
    if (!file) {
      std::cerr << "tables: " << path << " could not be written\n";
      return 1;
    }
  }
}
