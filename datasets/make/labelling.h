// Tables with a label for each word of the input, which the order of the words decides. Each bag of words is there in
// eight orders, with different labels.
#pragma once

#include "table.h"

namespace corpus {

// Events of three files, in any order.
inline Table open_files() {
  Table table{
      "open_files", "for each line of a log what is wrong with it, or ok",
      "a file is opened, then read, then closed: early before its first opening, late after its closing, twice "
      "when it is open already",
      true};
  Random random(4);
  const Words files = {"a", "b", "c"};
  std::set<Words> bags;
  while (bags.size() < 120) {
    Words bag;
    for (const std::string& file : files) {
      bag.push_back("open-" + file);
      bag.push_back("close-" + file);
    }
    while (bag.size() < 9) {
      const std::string file =
          any(random, files);  // first: compilers differ in the order within one expression
      bag.push_back(any(random, {"open-", "read-", "close-"}) + file);
    }
    std::sort(bag.begin(), bag.end());
    if (!bags.insert(bag).second) continue;
    add_orders(table, 8, 1, [&] {
      shuffle(random, bag);
      Row row{bag, {}};
      std::map<std::string, std::string> state;  // of a file: nothing, open or closed
      for (const std::string& event : bag) {
        const std::size_t dash = event.find('-');
        std::string verb = event.substr(0, dash), &of = state[event.substr(dash + 1)];
        if (verb == "open") {
          row.target.push_back(of == "open" ? "twice" : "ok");
          of = "open";
        } else {
          row.target.push_back(of == "open" ? "ok" : of == "closed" ? "late" : "early");
          if (verb == "close" && of == "open") of = "closed";
        }
      }
      return row;
    });
  }
  return table;
}

// Letters of DNA in which a gene may stand.
inline Table genes() {
  Table table{
      "genes", "which letters of a piece of DNA belong to a gene",
      "a gene (+) begins with the first A T G and ends with the next T A A after it; without both there is none",
      true};
  Random random(5);
  std::set<Words> bags;
  while (bags.size() < 120) {
    Words others;
    for (int i = 0; i < 8; ++i) others.push_back(any(random, {"A", "C", "G", "T"}));
    std::sort(others.begin(), others.end());
    if (!bags.insert(others).second) continue;
    add_orders(table, 8, 2, [&] {
      shuffle(random, others);
      std::string dna;
      for (const std::string& letter : others) dna += letter;
      std::size_t first = static_cast<std::size_t>(random.below(9)),
                  second = static_cast<std::size_t>(random.below(9));
      if (first > second) std::swap(first, second);
      const bool turned = random.below(4) == 0;  // the end stands before the beginning
      dna.insert(second, turned ? "ATG" : "TAA");
      dna.insert(first, turned ? "TAA" : "ATG");
      const std::size_t begin = dna.find("ATG"), end = begin == dna.npos ? begin : dna.find("TAA", begin + 3);
      Row row;
      for (std::size_t i = 0; i < dna.size(); ++i) {
        row.input.push_back(dna.substr(i, 1));
        row.target.push_back(end != dna.npos && i >= begin && i < end + 3 ? "+" : "-");
      }
      return row;
    });
  }
  return table;
}

// Four adjectives, of which some are denied.
inline Table negation() {
  Table table{"negation", "which words of a description are denied",
              "'not' denies itself and what follows, up to 'but' or the end", true};
  Random random(6);
  const Words adjectives = {"bitter", "cheap", "cold", "fresh", "hot",
                            "mild",   "salty", "sour", "spicy", "sweet"};
  std::set<Words> bags;
  while (bags.size() < 110) {
    Words all = adjectives;
    shuffle(random, all);
    all.resize(4);
    Words bag = all;
    std::sort(bag.begin(), bag.end());
    if (!bags.insert(bag).second) continue;
    add_orders(table, 8, 1, [&] {
      shuffle(random, all);
      const std::size_t denied = static_cast<std::size_t>(random.below(4)),
                        gap = 1 + static_cast<std::size_t>(random.below(3));
      Row row;
      for (std::size_t i = 0; i < all.size(); ++i) {
        if (i > 0) row.input.push_back(i == gap ? "but" : "and");
        if (i == denied) row.input.push_back("not");
        row.input.push_back(all[i]);
      }
      bool no = false;
      for (const std::string& word : row.input) {
        no = word == "not" || (no && word != "but");
        row.target.push_back(no ? "no" : "yes");
      }
      return row;
    });
  }
  return table;
}

}  // namespace corpus
