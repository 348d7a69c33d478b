// Views of codes, the vectors that embedding-stage schemes give to positions, and of the dot products that follow.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/error.h"
#include "cli/inspect/view.h"
#include "model/model.h"
#include "report/charts.h"

namespace locus {

// The codes of an embedding-stage scheme: position by channel.

namespace views::embedding {

Rows rows(const Subject& s) {
  Rows rows;
  for (int p = 0; p < s.positions(); ++p) {
    const std::vector<double> code = s.code(p);
    for (std::size_t dim = 0; dim < code.size(); ++dim)
      rows.push_back({static_cast<double>(p), static_cast<double>(dim), code[dim]});
  }
  return rows;
}

HeatMap map_of(const Subject& s, const Rows& rows) {
  const auto positions = static_cast<std::size_t>(s.positions());
  return {.title = text("The codes of ", s.spec, ": one row per position"),
          .rows = positions,
          .columns = rows.size() / positions,
          .values = last_column(rows),
          .row_axis = {"position"},
          .column_axis = {"channel"},
          .value_label = "value",
          .scale = HeatMap::Scale::diverging,
          .width = 640};
}
Figure figure(const Subject& s, const Rows& rows) { return heat_map(map_of(s, rows)); }
std::string sketch(const Subject& s, const Rows& rows) { return shade_map(map_of(s, rows)); }

}  // namespace views::embedding

View embedding_view() {
  using namespace views::embedding;
  return {
      "embedding",
      "the code of each position",
      "position,dim,value",
      has_codes,
      [](const Subject& s) { return static_cast<double>(s.length) * static_cast<double>(s.code(0).size()); },
      rows,
      figure,
      sketch};
}

// The cosine of the angle between the codes of any two positions: 1 same direction, 0 at right angles, -1
// opposite. A code of zeros has no direction, so no row.

namespace views::similarity {

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

Rows rows(const Subject& s) {
  Rows codes, rows;
  for (int p = 0; p < s.positions(); ++p) {
    codes.push_back(s.code(p));
    const double length = std::sqrt(dot(codes.back(), codes.back()));
    for (double& value : codes.back()) value /= length;  // NaN when all are 0
  }
  for (std::size_t a = 0; a < codes.size(); ++a)
    for (std::size_t b = 0; b < codes.size(); ++b)
      if (const double cosine = dot(codes[a], codes[b]); std::isfinite(cosine))
        rows.push_back({static_cast<double>(a), static_cast<double>(b), cosine});
  return rows;
}

HeatMap map_of(const Subject& s, const Rows& rows) {
  const auto positions = static_cast<std::size_t>(s.positions());
  return {.title = text("How alike the codes of ", s.spec, " are"),
          .rows = positions,
          .columns = positions,
          .values = matrix_of(rows, s.positions()),
          .row_axis = {"position"},
          .column_axis = {"other position"},
          .value_label = "cosine similarity",
          .scale = HeatMap::Scale::diverging,
          .range = Range{-1, 1},
          .square_cells = true};
}
Figure figure(const Subject& s, const Rows& rows) { return heat_map(map_of(s, rows)); }
std::string sketch(const Subject& s, const Rows& rows) { return shade_map(map_of(s, rows)); }

}  // namespace views::similarity

View similarity_view() {
  using namespace views::similarity;
  return {"similarity",
          "the cosine between the codes of two positions",
          "position,other,similarity",
          has_codes,
          [](const Subject& s) {
            const double T = s.length;
            return T * std::max(T, static_cast<double>(s.code(0).size()));
          },
          rows,
          figure,
          sketch};
}

// The dot product of a query with the keys around it, by their distance. Of codes: those of the two
// positions. Of a rotary scheme: a query and a key that are all ones (of one head), as the scheme turns them.

namespace views::distance {

struct Sides {
  Rows queries, keys;  // a vector for each position
};

Rows vectors_of(Tensor x, int positions) {  // (1,1,T,d)
  Rows vectors;
  const int d = x.shape().last();
  for (const Real* v = x.value(); std::ssize(vectors) < positions; v += d) vectors.emplace_back(v, v + d);
  return vectors;
}

Sides turned_ones(const Subject& s) {
  Tape tape(s.parameters.data());
  const int T = s.positions(), d = s.shape.d_head();
  const Reals ones(static_cast<std::size_t>(T) * static_cast<std::size_t>(d), 1);
  Tensor q = tape.constant({1, 1, T, d}, ones.data()), k = q;
  s.scheme->query_and_key(q, k, count_up(tape, T));
  return {vectors_of(q, T), vectors_of(k, T)};
}

Sides codes(const Subject& s) {
  Rows codes;
  for (int p = 0; p < s.positions(); ++p) codes.push_back(s.code(p));
  return {codes, codes};
}

Rows rows(const Subject& s) {
  const auto [queries, keys] = has_codes(s) ? codes(s) : turned_ones(s);
  const int T = s.positions();
  Rows rows;
  for (const int i : std::set{0, T / 2, T - 1})
    for (int j = 0; j < (s.shape.causal ? i + 1 : T); ++j) {
      const auto &q = queries[static_cast<std::size_t>(i)], &k = keys[static_cast<std::size_t>(j)];
      rows.push_back({static_cast<double>(i), static_cast<double>(j - i),
                      std::inner_product(q.begin(), q.end(), k.begin(), 0.0)});
    }
  return rows;
}

Figure figure(const Subject& s, const Rows& rows) {
  LineChart chart{.title = has_codes(s) ? text("Dot product of the codes of ", s.spec, ", by distance")
                                        : text("Dot product of an all-ones query and key under ", s.spec,
                                               ", by distance"),
                  .x_label = "distance: key - query (positions)",
                  .y_label = "dot product",
                  .series = {}};
  for (const auto& row : rows) {
    const std::string name = text("query at ", static_cast<int>(row[0]));
    if (chart.series.empty() || chart.series.back().name != name) chart.series.push_back({name, {}});
    chart.series.back().samples.push_back({row[1], row[2]});
  }
  return line_chart(chart);
}

}  // namespace views::distance

View distance_view() {
  using namespace views::distance;
  return {"distance",
          "dot products by distance: of codes, or of all-ones vectors turned",
          "query,distance,dot_product",
          [](const Subject& s) { return has_codes(s) || is_rotary(s); },
          [](const Subject& s) {
            const std::size_t width = s.code(0).size();
            return static_cast<double>(s.length) * (width ? static_cast<double>(width) : s.shape.d_head());
          },
          rows,
          figure};
}

}  // namespace locus
