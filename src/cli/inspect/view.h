// What `locus inspect` can show of a scheme. A view has numbers, for CSV, and a figure made of them. The
// views are in codes.cpp, clocks.cpp and scores.cpp; view.cpp has what they share.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "draw/charts.h"
#include "nn/parameters.h"
#include "positional/support/spec.h"
#include "train/checkpoint.h"

namespace locus {

// The scheme to inspect, and the shape of its model. Its parameters are those of a trained model, or initial ones.
struct Inspected {
  Spec spec;
  SchemeContext shape;
  int length;
  int vocabulary = 16;
  std::optional<Checkpoint> trained{};
  std::vector<int> digits{};  // of its tokens
  ParameterTable table{};
  Reals parameters{};
  std::unique_ptr<Scheme> scheme{};

  int positions() const;  // 0 to positions() - 1 are shown: `length`, or fewer where the scheme has fewer
  std::vector<double> code(int position) const;
  Reals values(
      const ParameterTable& parts) const;  // of parts of the model: trained ones by name, or initial ones
};

using Rows = std::vector<std::vector<double>>;

template <class... Numbers>
std::vector<double> row_of(Numbers... numbers) {
  return {static_cast<double>(numbers)...};
}

// Heat maps under a title. A single map without one has its own.
struct HeatMaps {
  std::string title;
  std::vector<HeatMap> maps;
};

struct View {
  std::string name, summary, header;  // header: of the CSV
  bool (*shows)(const Inspected&);    // whether the scheme has such numbers
  double (*size)(const Inspected&);   // how many numbers, to refuse too many before they are computed
  Rows (*rows)(const Inspected&);
  // The figure: either heat maps, which the terminal shows as well, or another chart. Of that chart the
  // terminal shows `sketch`, or else the first rows of the numbers.
  HeatMaps (*maps)(const Inspected&, const Rows&) = nullptr;
  Figure (*chart)(const Inspected&, const Rows&) = nullptr;
  std::string (*sketch)(const Inspected&, const Rows&) = nullptr;
};

View embedding_view();
View frequencies_view();
View bias_view();
View buckets_view();
View similarity_view();
View distance_view();
View clocks_view();
View scores_view();

Figure figure_of(const View& view, const Inspected& subject, const Rows& rows);
std::string sketch_of(const View& view, const Inspected& subject, const Rows& rows);

// --- what several views need ---

bool has_codes(const Inspected& subject);
bool is_rotary(const Inspected& subject);
double squares(const Inspected& subject);  // pairs of a query and a key position, in all heads

// How fast the clocks of a scheme turn: the pairs of a rotary scheme; or those of codes, if each pair of
// channels is the sine and cosine of one angle that grows with the position. Empty: it has no clocks.
Frequencies clocks_of(const Inspected& subject);

// Rows that end in row, column and value, as a square matrix; NaN where there is none.
std::vector<double> matrix_of(std::span<const std::vector<double>> rows, int size);

// Whether rows of a position, another position and a number, from this column on, have one number for each distance.
bool depends_on_distance(const Rows& rows, std::size_t column = 0);

// A heat map, query by key, for each head; the head is the first column of the rows. All have one scale, so
// that heads can be compared.
std::vector<HeatMap> head_maps(const Inspected& subject, const Rows& rows, std::string_view value_label,
                               HeatMap::Scale scale, int positions);

}  // namespace locus
