// Tables with one answer for a whole input, which the order of its words decides. Each bag of words is there in several
// orders, and each of its answers equally often.
#pragma once

#include "table.h"

namespace corpus {

// The two orders of two numbers are two dates; the city says which of them is the month.
inline Table dates() {
  Table table{
      "dates", "which month a date in numbers means",
      "London, Paris and Cairo write the day before the month, Boston, Denver and Tokyo the month before the day",
      false};
  Random random(1);
  for (const std::string& city : Words{"London", "Paris", "Cairo", "Boston", "Denver", "Tokyo"}) {
    const bool day_first = city == "London" || city == "Paris" || city == "Cairo";
    for (std::size_t low = 1; low <= 12; ++low)
      for (std::size_t high = low + 1; high <= 12; ++high) {
        const bool fair = random.below(2) == 0;
        for (const auto& [first, second] : {std::pair{low, high}, {high, low}}) {
          const std::string date = std::to_string(first) + " / " + std::to_string(second),
                            &month = months[(day_first ? second : first) - 1];
          for (const std::string& sentence :
               fair
                   ? Words{"in " + city + " the fair is on " + date, "on " + date + " the fair is in " + city}
                   : Words{"a ticket from " + city + " says " + date, date + " says a ticket from " + city})
            table.rows.push_back({separated(sentence), {month}});
        }
      }
  }
  return table;
}

// A bass line in C major, and the cadence at its end.
inline Table cadences() {
  Table table{"cadences", "how a bass line in C major ends",
              "authentic when the last notes are G C, plagal F C, deceptive G A, half when the last is G",
              false};
  Random random(2);
  const Words notes = {"C", "D", "E", "F", "G", "A", "B"};
  for (const std::size_t length : {7u, 8u, 9u}) {
    std::set<Words> bags;
    while (bags.size() < 80) {
      Words bag = {"A", "C", "F", "G"};
      while (bag.size() < length) bag.push_back(any(random, notes));
      std::sort(bag.begin(), bag.end());
      if (!bags.insert(bag).second) continue;
      add_orders(table, 8, 2, [&] {
        for (;;) {
          shuffle(random, bag);
          const std::string &last = bag.back(), &before = bag[length - 2];
          if (last == "G") return Row{bag, {"half"}};
          if (before == "G" && last == "C") return Row{bag, {"authentic"}};
          if (before == "F" && last == "C") return Row{bag, {"plagal"}};
          if (before == "G" && last == "A") return Row{bag, {"deceptive"}};
        }
      });
    }
  }
  return table;
}

// Two ingredients, two steps each, in any order. At most one of them has its steps in the wrong order.
inline Table recipes() {
  Table table{"recipes", "which ingredient of a recipe has its steps in the wrong order, or none",
              "wash comes before peel, peel before slice, slice before fry", false};
  Random random(3);
  const Words steps = {"wash", "peel", "slice", "fry"},
              vegetables = {"beets", "carrots", "leeks", "onions", "potatoes", "turnips"};
  for (std::size_t early = 0; early < steps.size(); ++early)
    for (std::size_t late = early + 1; late < steps.size(); ++late)
      for (std::size_t one = 0; one < vegetables.size(); ++one)
        for (std::size_t two = one + 1; two < vegetables.size(); ++two) {
          std::vector<std::pair<std::size_t, std::size_t>> acts = {
              {early, one}, {late, one}, {early, two}, {late, two}};
          add_orders(table, 9, 3, [&] {
            for (;;) {
              shuffle(random, acts);
              Row row;
              int wrong = 0;
              std::set<std::size_t> started;
              for (const auto& [step, vegetable] : acts) {
                if (!row.input.empty()) row.input.push_back("then");
                row.input.insert(row.input.end(), {steps[step], vegetables[vegetable]});
                if (started.insert(vegetable).second && step == late) {
                  ++wrong;
                  row.target = {vegetables[vegetable]};
                }
              }
              if (wrong == 0) row.target = {"none"};
              if (wrong < 2) return row;
            }
          });
        }
  return table;
}

}  // namespace corpus
