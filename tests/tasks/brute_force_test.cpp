// A second solver for each task, written from its summary: it works on words, by another
// method than the task's.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "../support/lengths.h"
#include "base/random.h"
#include "tasks/support/registry.h"

using namespace locus;

namespace {

using Words = std::vector<std::string>;
using Solver = std::function<Words(const Words&)>;

Words words(const Task& task, const Tokens& tokens) {
  Words out;
  for (const int token : tokens) out.push_back(task.alphabet.at(static_cast<std::size_t>(token)));
  return out;
}

std::string line(const Words& x) { return join(x, " "); }

// One answer for each position.
Words at_each(const Words& x, const std::function<std::string(std::size_t)>& answer) {
  Words y;
  for (std::size_t i = 0; i < x.size(); ++i) y.push_back(answer(i));
  return y;
}

Words even_or_odd(std::size_t count) { return {count % 2 == 1 ? "odd" : "even"}; }

std::string without(std::string from, const std::string& what) {
  for (auto at = from.find(what); at != from.npos; at = from.find(what)) from.erase(at, what.size());
  return from;
}

// Removes innermost pairs, which are neighbours once all brackets between them are removed,
// until none is left.
Words bracket_partners(const Words& x) {
  Words y(x.size());
  std::vector<std::size_t> left;
  for (std::size_t i = 0; i < x.size(); ++i) left.push_back(i);
  while (!left.empty())
    for (std::size_t i = 0; i + 1 < left.size(); ++i) {
      const std::size_t a = left[i], b = left[i + 1];
      if (x[a][0] != '(' || x[b][0] == '(') continue;
      y[a] = x[b];
      y[b] = x[a];
      left.erase(left.begin() + static_cast<std::ptrdiff_t>(i),
                 left.begin() + static_cast<std::ptrdiff_t>(i) + 2);
      break;
    }
  return y;
}

long long number(const Words& x, std::size_t begin, std::size_t end) {  // least significant digit first
  long long value = 0;
  for (std::size_t i = end; i > begin; --i) value = 10 * value + std::stoi(x[i - 1]);
  return value;
}

const std::map<std::string, Solver>& solvers() {
  static const std::map<std::string, Solver> all = {
      {"addition",
       [](const Words& x) {
         const auto plus = static_cast<std::size_t>(std::find(x.begin(), x.end(), "+") - x.begin());
         long long sum = number(x, 0, plus) + number(x, plus + 1, x.size() - 1);
         Words y;
         for (std::size_t i = 0; i <= plus; ++i, sum /= 10) y.push_back(str(sum % 10));
         return y;
       }},
      {"argsort",
       [](const Words& x) {
         return at_each(x, [&](std::size_t i) {
           int before = 0;
           for (std::size_t j = 0; j < x.size(); ++j)
             before += x[j] < x[i] || (x[j] == x[i] && j < i) ? 1 : 0;
           return str(before);
         });
       }},
      {"ascending",
       [](const Words& x) {
         return at_each(
             x, [&](std::size_t i) { return i < x.size() - 1 && x[i].compare(x[i + 1]) < 0 ? "yes" : "no"; });
       }},
      {"before", [](const Words& x) { return Words{line(x).find('A') < line(x).find('B') ? "A" : "B"}; }},
      {"brackets", bracket_partners},
      {"copy", [](const Words& x) { return x; }},
      {"counting",
       [](const Words& x) {
         const std::string name = x.back().substr(0, 1);
         int value = 0;
         for (std::size_t i = x.size() - 1; i-- > 0 && x[i] != name + "=0";)
           value += x[i] == name + "++" ? 1 : 0;
         return Words{str(value)};
       }},
      {"cycle",
       [](const Words& x) {
         const auto times = [&](const char* word) { return std::count(x.begin(), x.end(), word); };
         std::ptrdiff_t position = times("right") - times("left");
         while (position < 0) position += 5;
         while (position >= 5) position -= 5;
         return Words{str(position)};
       }},
      {"duplicate",
       [](const Words& x) {
         Words y;
         for (std::size_t i = 0; i < 2 * x.size(); ++i) y.push_back(x[i % x.size()]);
         return y;
       }},
      {"even-pairs",
       [](const Words& x) {
         std::size_t count = 0;
         for (std::size_t i = 0; i + 1 < x.size(); ++i)
           if (x[i] + x[i + 1] == "ab" || x[i] + x[i + 1] == "ba") ++count;
         return even_or_odd(count);
       }},
      {"first", [](const Words& x) { return Words(x.size(), x[0]); }},
      {"indirect",  // tries every letter: is the named one so far from it?
       [](const Words& x) {
         const Words letters(x.begin(), x.end() - 2);
         for (int i = 0; i < std::ssize(letters); ++i)
           for (int j = 0; j < std::ssize(letters); ++j) {
             const std::string apart = str(j > i ? "+" : "", j - i);
             if (letters[static_cast<std::size_t>(i)] == x[x.size() - 2] && apart == x.back())
               return Words{letters[static_cast<std::size_t>(j)]};
           }
         return Words{"none fits"};
       }},
      {"last", [](const Words& x) { return at_each(x, [&](std::size_t) { return x[x.size() - 1]; }); }},
      {"majority",
       [](const Words& x) {
         std::multiset<std::string> bag(x.begin(), x.end());
         std::string best = x[0];
         for (const auto& word : x)
           if (bag.count(word) > bag.count(best)) best = word;
         return Words{best};
       }},
      {"mirror",
       [](const Words& x) {
         const Words backwards(x.rbegin(), x.rend());
         return at_each(x, [&](std::size_t i) { return x[i] == backwards[i] ? "yes" : "no"; });
       }},
      {"missing-duplicate",
       [](const Words& x) {
         for (int digit = 0; digit < 10; ++digit) {  // try all
           Words filled = x;
           std::replace(filled.begin(), filled.end(), std::string("_"), str(digit));
           const auto middle = filled.begin() + std::ssize(filled) / 2;
           if (Words(filled.begin(), middle) == Words(middle, filled.end())) return Words{str(digit)};
         }
         return Words{"none fits"};
       }},
      {"needle",
       [](const Words& x) {
         const std::string hayless = without(without(line(x), "."), " ");
         return Words{hayless.substr(hayless.find('!') + 1, 1)};
       }},
      {"nth",
       [](const Words& x) {
         return at_each(x, [&](std::size_t i) { return x.at(static_cast<std::size_t>(std::stoi(x[i]))); });
       }},
      {"odds-first",
       [](const Words& x) {
         Words odd, even;
         bool is_odd = true;
         for (const auto& word : x) {
           (is_odd ? odd : even).push_back(word);
           is_odd = !is_odd;
         }
         odd.insert(odd.end(), even.begin(), even.end());
         return odd;
       }},
      {"pairs",
       [](const Words& x) {
         std::string bridges = line(x);
         for (const char* gone : {" ", "0", "1", "2", "3", "4", "5", "6", "7"})
           bridges = without(bridges, gone);
         static const std::map<std::string, std::string> kinds = {{"AABB", "apart"},   {"BBAA", "apart"},
                                                                  {"ABBA", "nested"},  {"BAAB", "nested"},
                                                                  {"ABAB", "crossed"}, {"BABA", "crossed"}};
         return Words{kinds.at(bridges)};
       }},
      {"parity",
       [](const Words& x) {
         const std::string letters = line(x);
         return even_or_odd(letters.size() - without(letters, "b").size());
       }},
      {"previous",
       [](const Words& x) { return at_each(x, [&](std::size_t i) { return x[i == 0 ? 0 : i - 1]; }); }},
      {"recall",
       [](const Words& x) {
         std::map<std::string, std::string> value_of;
         for (std::size_t i = 0; x[i] != "?"; i += 2) value_of[x[i]] = x[i + 1];
         return Words{value_of.at(x.back())};
       }},
      {"repeat-copy", [](const Words& x) { return at_each(x, [&](std::size_t) { return x.front(); }); }},
      {"replace-count",
       [](const Words& x) {
         Words y = x;
         std::replace(y.begin(), y.end(), x.back(), x.front());
         y.pop_back();
         return y;
       }},
      {"reverse",
       [](const Words& x) { return at_each(x, [&](std::size_t i) { return x[x.size() - 1 - i]; }); }},
      {"sort",
       [](const Words& x) {
         const std::multiset<std::string> bag(x.begin(), x.end());
         return Words(bag.begin(), bag.end());
       }},
      {"unique",
       [](const Words& x) {
         Words y;
         for (std::size_t i = 0; i < x.size(); ++i)
           if (std::count(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(i), x[i]) == 0)
             y.push_back(x[i]);
         return y;
       }},
  };
  return all;
}

}  // namespace

TEST_CASE("brute force: every task has a solver, and every solver a task") {
  for (const Task* task : all_tasks())
    CHECK_MESSAGE(solvers().contains(task->name), "write a solver for ", task->name,
                  " into brute_force_test.cpp");
  for (const auto& [name, solver] : solvers()) CHECK(find_task(name).name == name);
}

TEST_CASE("brute force: the answers agree on random inputs of all small lengths") {
  Random random(1, Purpose::testing);
  for (const Task* task : all_tasks()) {
    const auto found = solvers().find(task->name);
    if (found == solvers().end()) continue;  // reported above
    CAPTURE(task->name);
    CHECK(words(*task, task->example.target) == found->second(words(*task, task->example.input)));
    for (const int length : lengths_with_both_splits(*task, 20))
      for (const Split split : {Split::train, Split::test})
        for (int i = 0; i < 100; ++i) {
          const Example example = task->sample(random, length, split);
          CAPTURE(spell(*task, example.input));
          REQUIRE(words(*task, example.target) == found->second(words(*task, example.input)));
        }
  }
}
