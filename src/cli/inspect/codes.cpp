// Views of codes, the vectors that embedding-stage schemes give to positions; and of dot products, which
// follow from codes or from rotation.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "base/error.h"
#include "base/size.h"
#include "cli/inspect/view.h"
#include "io/format.h"
#include "model/model.h"

namespace locus {

namespace {

Rows codes_of(const Inspected& s) {
  Rows codes;
  for (int p = 0; p < s.positions(); ++p) codes.push_back(s.code(p));
  return codes;
}

double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// --- embedding: position by channel ---

Rows embedding_rows(const Inspected& s) {
  Rows rows;
  for (int p = 0; p < s.positions(); ++p) {
    const std::vector<double> code = s.code(p);
    for (std::size_t dim = 0; dim < code.size(); ++dim) rows.push_back(row_of(p, dim, code[dim]));
  }
  return rows;
}

// Whether positions share a code, to six decimals; if not, how far the codes of neighbours are from each other.
std::string embedding_title(const Inspected& s, const Rows& codes) {
  std::set<std::vector<double>> different;
  for (std::vector<double> code : codes) {
    for (double& value : code) value = std::round(1e6 * value);
    different.insert(std::move(code));
  }
  if (codes.size() < 2) return str("The code of a position with ", s.spec);
  if (different.size() < codes.size())
    return str(codes.size(), " positions share ", different.size(),
               different.size() == 1 ? " code" : " codes", " of ", s.spec);
  double nearest = INFINITY, farthest = 0;
  for (std::size_t p = 1; p < codes.size(); ++p) {
    double squared = 0;
    for (std::size_t dim = 0; dim < codes[p].size(); ++dim)
      squared += std::pow(codes[p][dim] - codes[p - 1][dim], 2);
    nearest = std::min(nearest, std::sqrt(squared));
    farthest = std::max(farthest, std::sqrt(squared));
  }
  const std::string least = short_number(nearest), most = short_number(farthest);
  return str("All ", codes.size(), " codes of ", s.spec, " differ; those of neighbours are ", least,
             least == most ? "" : str(" to ", most), " apart");
}

HeatMaps embedding_map(const Inspected& s, const Rows& rows) {
  const auto positions = as_size(s.positions());
  HeatMap map{.title = embedding_title(s, codes_of(s)),
              .rows = positions,
              .columns = rows.size() / positions,
              .values = {},
              .row_axis = {"position"},
              .column_axis = {"channel"},
              .value_label = "value",
              .scale = HeatMap::Scale::diverging,
              .width = 640};
  for (const auto& row : rows) map.values.push_back(row.back());
  return {"", {map}};
}

// --- similarity: the cosine of the angle between the codes of two positions. 1: same direction, 0: at
// right angles, -1: opposite. A code of zeros has no direction, so no row. ---

Rows similarity_rows(const Inspected& s) {
  Rows codes = codes_of(s), rows;
  for (auto& code : codes) {
    const double length = std::sqrt(dot(code, code));
    for (double& value : code) value /= length;  // NaN when all are 0
  }
  for (std::size_t a = 0; a < codes.size(); ++a)
    for (std::size_t b = 0; b < codes.size(); ++b)
      if (const double cosine = dot(codes[a], codes[b]); std::isfinite(cosine))
        rows.push_back(row_of(a, b, cosine));
  return rows;
}

HeatMaps similarity_map(const Inspected& s, const Rows& rows) {
  const auto positions = as_size(s.positions());
  return {"",
          {{.title = depends_on_distance(rows)
                         ? str("Codes of ", s.spec, " at equal distances are equally alike")
                         : str("How alike codes of ", s.spec, " are depends on where they stand"),
            .rows = positions,
            .columns = positions,
            .values = matrix_of(rows, s.positions()),
            .row_axis = {"position"},
            .column_axis = {"other position"},
            .value_label = "cosine similarity",
            .scale = HeatMap::Scale::diverging,
            .range = Range{-1, 1},
            .square_cells = true}}};
}

// --- distance: the dot product of a query with the keys around it. Of codes: those of the two positions.
// For a rotary scheme: a query and a key of ones (of one head), rotated by the scheme. ---

struct Sides {
  Rows queries, keys;  // a vector for each position
};

Rows vectors_of(Tensor x, int positions) {  // (1,1,T,d)
  Rows vectors;
  const int d = x.shape().last();
  for (const Real* v = x.value(); std::ssize(vectors) < positions; v += d) vectors.emplace_back(v, v + d);
  return vectors;
}

Sides rotated_ones(const Inspected& s) {
  Tape tape(s.parameters.data());
  const int T = s.positions(), d = s.shape.d_head();
  const Reals ones(as_size(T) * as_size(d), 1);
  Tensor q = tape.constant({1, 1, T, d}, ones.data()), k = q;
  s.scheme->query_and_key(q, k, {q, q, k, count_up(tape, T), 0});
  return {vectors_of(q, T), vectors_of(k, T)};
}

Rows distance_rows(const Inspected& s) {
  const auto [queries, keys] = has_codes(s) ? Sides{codes_of(s), codes_of(s)} : rotated_ones(s);
  const int T = s.positions();
  Rows rows;
  for (const int i : std::set{0, T / 2, T - 1})
    for (int j = 0; j < (s.shape.causal ? i + 1 : T); ++j)
      rows.push_back(row_of(i, j - i, dot(queries[as_size(i)], keys[as_size(j)])));
  return rows;
}

Figure distance_chart(const Inspected& s, const Rows& rows) {
  Rows pairs;  // query, key, dot product
  for (const auto& row : rows) pairs.push_back({row[0], row[0] + row[1], row[2]});
  const bool one_curve = depends_on_distance(pairs);
  LineChart chart{.title = str("Three queries, ", one_curve ? "one curve" : "more than one curve",
                               has_codes(s) ? ": dot products of the codes of "
                                            : ": dot products of vectors of ones under ",
                               s.spec),
                  .x_label = "distance: key - query (positions)",
                  .y_label = "dot product",
                  .series = {}};
  Rows sorted = rows;
  if (one_curve) std::ranges::stable_sort(sorted, {}, [](const auto& row) { return row[1]; });
  for (const auto& row : sorted) {
    const std::string name = one_curve ? "" : str("query at ", static_cast<int>(row[0]));
    if (chart.series.empty() || chart.series.back().name != name) chart.series.push_back({name, {}});
    chart.series.back().samples.push_back({row[1], row[2]});
  }
  for (Series& one : chart.series) {  // where several queries have a distance, one sample of it
    const auto same = std::ranges::unique(one.samples, {}, &Sample::x);
    one.samples.erase(same.begin(), same.end());
  }
  return line_chart(chart);
}

double code_width(const Inspected& s) { return static_cast<double>(s.code(0).size()); }

}  // namespace

View embedding_view() {
  return {.name = "embedding",
          .summary = "the code of each position",
          .header = "position,dim,value",
          .shows = has_codes,
          .size = [](const Inspected& s) { return s.length * code_width(s); },
          .rows = embedding_rows,
          .maps = embedding_map};
}

View similarity_view() {
  return {.name = "similarity",
          .summary = "the cosine between the codes of two positions",
          .header = "position,other,similarity",
          .shows = has_codes,
          .size = [](const Inspected& s) { return s.length * std::max<double>(s.length, code_width(s)); },
          .rows = similarity_rows,
          .maps = similarity_map};
}

View distance_view() {
  return {
      .name = "distance",
      .summary = "dot products by distance: of codes, or of all-ones vectors turned",
      .header = "query,distance,dot_product",
      .shows = [](const Inspected& s) { return has_codes(s) || is_rotary(s); },
      .size = [](const Inspected& s) { return s.length * (has_codes(s) ? code_width(s) : s.shape.d_head()); },
      .rows = distance_rows,
      .chart = distance_chart};
}

}  // namespace locus
