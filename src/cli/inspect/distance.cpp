// The dot product of a query with the keys around it, by their distance. Of codes: those of the two
// positions. Of a rotary scheme: a query and a key that are all ones (of one head), as the scheme turns them.
#include <numeric>
#include <set>

#include "base/error.h"
#include "cli/inspect/view.h"
#include "model/model.h"
#include "report/line_chart.h"

namespace locus {

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
