#include "cli/inspect/view.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/error.h"
#include "base/size.h"
#include "io/format.h"
#include "io/terminal.h"

namespace locus {

namespace {

// The angle of each pair of channels (sine, cosine) at this position; empty when a pair is not the sine and
// cosine of one angle.
std::vector<double> angles_at(const Inspected& s, int position) {
  const std::vector<double> code = s.code(position);
  std::vector<double> angles;
  for (std::size_t c = 0; c + 1 < code.size(); c += 2) {
    if (std::abs(std::hypot(code[c], code[c + 1]) - 1) > 1e-9) return {};
    angles.push_back(std::atan2(code[c], code[c + 1]));
  }
  return angles;
}

// The first rows as a table.
std::string first_rows(const View& view, const Rows& rows) {
  constexpr std::size_t shown = 16;
  std::vector<TableColumn> columns;
  for (const std::string& name : split(view.header, ',')) columns.push_back({name, Align::right});
  TextTable table(columns);
  for (std::size_t i = 0; i < std::min(shown, rows.size()); ++i) {
    std::vector<TableCell> cells;
    for (const double value : rows[i]) cells.push_back(significant(value, 6));
    table.add_row(cells);
  }
  return table.to_text(is_lively_terminal(STDOUT_FILENO)) +
         (rows.size() > shown
              ? str("... ", rows.size() - shown, " rows more: --csv prints all, --svg FILE draws them\n")
              : "");
}

}  // namespace

int Inspected::positions() const { return std::min(length, scheme->capacity()); }

std::vector<double> Inspected::code(int position) const {
  return scheme->code(position, length, parameters.data());
}

Reals Inspected::values(const ParameterTable& parts) const {
  Reals values = parts.sample(1);
  if (!trained) return values;
  for (const auto& [name, where, initial] : parts.entries())
    std::ranges::copy(trained->file.tensors.at(name).values,
                      values.begin() + static_cast<std::ptrdiff_t>(where.offset));
  return values;
}

bool has_codes(const Inspected& s) { return !s.code(0).empty(); }

bool is_rotary(const Inspected& s) { return !s.scheme->frequencies(s.length).inverse_frequency.empty(); }

double squares(const Inspected& s) { return static_cast<double>(s.length) * s.length * s.shape.heads; }

Frequencies clocks_of(const Inspected& s) {
  if (is_rotary(s)) return s.scheme->frequencies(s.length);
  // All hands begin at 0. The angle at position 1 is the speed, for no clock of a code turns faster than
  // one radian per position; half a turn or more would hide the direction.
  const std::vector<double> start = angles_at(s, 0);
  if (start.empty() || s.scheme->capacity() < 2 ||
      std::ranges::any_of(start, [](double a) { return a != 0; }))
    return {};
  return {.inverse_frequency = angles_at(s, 1)};
}

std::vector<double> matrix_of(std::span<const std::vector<double>> rows, int size) {
  const auto n = as_size(size);
  std::vector<double> matrix(n * n, NAN);
  for (const auto& row : rows) {
    const double* end = row.data() + row.size();
    matrix[as_size(end[-3]) * n + as_size(end[-2])] = end[-1];
  }
  return matrix;
}

bool depends_on_distance(const Rows& rows, std::size_t column) {
  std::map<std::pair<double, double>, Range> seen;  // by head, if there is one, and distance
  double largest = 0;
  for (const auto& row : rows) {
    const double value = row.back();
    Range& range =
        seen.try_emplace({column > 0 ? row[0] : 0, row[column + 1] - row[column]}, Range{value, value})
            .first->second;
    range = {std::min(range.low, value), std::max(range.high, value)};
    largest = std::max(largest, std::abs(value));
  }
  return std::ranges::all_of(
      seen, [&](const auto& one) { return one.second.high - one.second.low <= 1e-4 * largest; });
}

std::vector<HeatMap> head_maps(const Inspected& s, const Rows& rows, std::string_view value_label,
                               HeatMap::Scale scale, int positions) {
  std::vector<double> values;
  for (const auto& row : rows) values.push_back(row.back());
  Range range = with_some_width(range_of(values));
  if (scale == HeatMap::Scale::diverging) range = around_zero(range);
  const auto T = as_size(positions);
  const auto head_of = [](const auto& row) { return row[0]; };
  std::vector<HeatMap> maps;
  for (int h = 0; h < s.shape.heads; ++h) {
    // Not equal_range: clang 14 cannot compile its result with the library of g++.
    const auto first = std::ranges::lower_bound(rows, h, {}, head_of);
    const auto last = std::ranges::upper_bound(rows, h, {}, head_of);
    maps.push_back({.title = str("head ", h),
                    .rows = T,
                    .columns = T,
                    .values = matrix_of({first, last}, positions),
                    .row_axis = {"query"},
                    .column_axis = {"key"},
                    .value_label = std::string(value_label),
                    .scale = scale,
                    .range = range,
                    .square_cells = true,
                    .width = 320});
  }
  return maps;
}

Figure figure_of(const View& view, const Inspected& subject, const Rows& rows) {
  if (!view.maps) return view.chart(subject, rows);
  const auto [title, maps] = view.maps(subject, rows);
  if (title.empty()) return heat_map(maps.front());
  return heat_maps(title, maps, maps.size() == 4 ? 2 : 3);
}

std::string sketch_of(const View& view, const Inspected& subject, const Rows& rows) {
  if (!view.maps) return view.sketch ? view.sketch(subject, rows) : first_rows(view, rows);
  std::vector<std::string> texts;
  const std::vector<HeatMap> maps = view.maps(subject, rows).maps;
  for (const HeatMap& map : maps)
    texts.push_back(shade_map(map, output_width(), &map == &maps.back() || map.range != maps.back().range));
  return join(texts, "\n");
}

}  // namespace locus
