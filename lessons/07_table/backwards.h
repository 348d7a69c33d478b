// Backwards of a lookup for the test of step 7.7: the right one, and broken ones, each with one flaw. It holds the answers of
// steps 7.2 and 7.7.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "lessons/07_table/contract.h"

namespace locus {

using Ids = std::vector<int>;

inline std::size_t row_of(int id) { return static_cast<std::size_t>(id); }

// dy[i][c], which should be added to gradient[ids[i]][c].
struct Element {
  const Ids& ids;
  const Rows &dy, &gradient;
  std::size_t i, c;
  int id = ids[i];
  std::ptrdiff_t before = std::count(ids.data(), ids.data() + i, id);  // times that this id came
  bool again = i > 0 && ids[i - 1] == id;
};
using Factor = std::function<double(const Element&)>;
inline Backward adding(const Factor& factor) {
  return [factor](const Ids& ids, const Rows& dy, Rows& gradient) {
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t c = 0; c < dy[i].size(); ++c)
        gradient[row_of(ids[i])][c] += factor({ids, dy, gradient, i, c}) * dy[i][c];
  };
}
inline const Backward right_way = adding([](auto&) { return 1; });

// The right way, after what it is given was changed.
struct Given {
  Ids ids;
  Rows dy;
  Rows& gradient;
  bool names(std::size_t row) const { return std::ranges::count(ids, static_cast<int>(row)) > 0; }
};
using Change = std::function<void(Given&)>;
inline Backward after(const Change& change) {
  return [change](const Ids& ids, const Rows& dy, Rows& gradient) {
    Given g{ids, dy, gradient};
    change(g);
    right_way(g.ids, g.dy, gradient);
  };
}
inline void clear(Vector& row) { std::ranges::fill(row, 0.0); }

inline std::vector<std::pair<std::string, Backward>> broken_backwards() {
  return {
      {"the gradient is assigned: an id that occurs again overwrites",
       [](const Ids& ids, const Rows& dy, Rows& gradient) {
         for (std::size_t i = 0; i < ids.size(); ++i) gradient[row_of(ids[i])] = dy[i];
       }},
      {"the gradient is set to zero before it is added to",
       after([](auto& g) { std::ranges::for_each(g.gradient, clear); })},
      {"rows that are read are set to zero before they are added to", after([](auto& g) {
         for (const int id : g.ids) clear(g.gradient[row_of(id)]);
       })},
      {"an id that occurs again is skipped", adding([](auto& e) { return e.before == 0; })},
      {"an id that occurs a third time is skipped", adding([](auto& e) { return e.before < 2; })},
      {"an id is skipped if the one before it is the same", adding([](auto& e) { return !e.again; })},
      {"an id that occurs again is skipped, unless the one before it is the same",
       adding([](auto& e) { return e.before == 0 || e.again; })},
      {"the gradients of one id are averaged",
       adding([](auto& e) { return 1.0 / static_cast<double>(std::ranges::count(e.ids, e.id)); })},
      {"the gradients are divided by the number of ids",
       adding([](auto& e) { return 1.0 / static_cast<double>(e.ids.size()); })},
      {"nothing is added", adding([](auto&) { return 0; })},
      {"everything is subtracted", adding([](auto&) { return -1; })},
      {"id 0 gets nothing, as if it were padding", adding([](auto& e) { return e.id != 0; })},
      {"the last row of the table gets nothing",
       adding([](auto& e) { return row_of(e.id) + 1 < e.gradient.size(); })},
      {"the first of the ids is left out", adding([](auto& e) { return e.i > 0; })},
      {"the last of the ids is left out", adding([](auto& e) { return e.i + 1 < e.ids.size(); })},
      {"each gradient goes to the row of its number, not of its id", after([](auto& g) {
         g.ids.resize(std::min(g.ids.size(), g.gradient.size()));
         std::iota(g.ids.begin(), g.ids.end(), 0);
       })},
      {"the gradients come in the opposite order", after([](auto& g) { std::ranges::reverse(g.dy); })},
      {"only the first channel is added", adding([](auto& e) { return e.c == 0; })},
      {"the last channel is left out", adding([](auto& e) { return e.c + 1 < e.dy[e.i].size(); })},
      {"the channels come in the opposite order",
       after([](auto& g) { std::ranges::for_each(g.dy, std::ranges::reverse); })},
      {"each gradient goes to the row after its id's, that of the last row to row 0", after([](auto& g) {
         for (int& id : g.ids) id = (id + 1) % static_cast<int>(g.gradient.size());
       })},
      {"rows that are read become NaN", adding([](auto&) { return std::nan(""); })},
      {"rows that no id names are set to zero", after([](auto& g) {
         for (std::size_t row = 0; row < g.gradient.size(); ++row)
           if (!g.names(row)) clear(g.gradient[row]);
       })},
      {"rows that no id names get a hundredth of the first gradient", after([](auto& g) {
         for (std::size_t row = 0; row < g.gradient.size(); ++row)
           for (std::size_t c = 0; c < g.dy[0].size() && !g.names(row); ++c)
             g.gradient[row][c] += 0.01 * g.dy[0][c];
       })},
      {"the signs are lost: sizes are added", adding([](auto& e) { return e.dy[e.i][e.c] < 0 ? -1 : 1; })}};
}

}  // namespace locus
