// Views of pairs of channels that turn with the position, like the hands of clocks: the pairs of a rotary
// scheme, or the sine and cosine of codes.
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "base/error.h"
#include "base/size.h"
#include "cli/inspect/view.h"
#include "io/format.h"
#include "io/terminal.h"

namespace locus {

namespace {

// --- frequencies: how fast each pair of a rotary scheme turns, and how far it gets ---

Rows frequencies_rows(const Inspected& s) {
  Rows rows;
  const Frequencies frequencies = s.scheme->frequencies(s.length);
  for (const double frequency : frequencies.inverse_frequency)
    rows.push_back(row_of(rows.size(), frequency, frequencies.scale));
  return rows;
}

Figure frequencies_chart(const Inspected& s, const Rows& rows) {
  const auto turns = [](const std::vector<double>& row, int p) {
    return p * row[1] / (2 * std::numbers::pi);
  };
  LineChart chart{.title = str("By position ", s.length - 1, ", pair 0 of ", s.spec, " has made ",
                               short_number(turns(rows.front(), s.length - 1)), " turns, pair ",
                               rows.size() - 1, ' ', short_number(turns(rows.back(), s.length - 1))),
                  .x_label = "position (logarithmic)",
                  .y_label = "turns (logarithmic)",
                  .series = {},
                  .log_x = true,
                  .log_y = true};
  for (const auto& row : rows) {
    Series series{str("pair ", static_cast<int>(row[0])), {}};
    for (int p = 1; p < s.length; p += std::max(1, s.length / 500))
      series.samples.push_back({static_cast<double>(p), turns(row, p)});
    chart.series.push_back(std::move(series));
  }
  return line_chart(chart);
}

// --- clocks: at position p the hand of pair k points to the angle p theta_k, clockwise from the top; x is
// its sine and y its cosine ---

Rows clocks_rows(const Inspected& s) {
  Rows rows;
  const auto [thetas, scale] = clocks_of(s);
  for (std::size_t pair = 0; pair < thetas.size(); ++pair)
    for (int p = 0; p < s.positions(); ++p) {
      const double angle = p * thetas[pair];
      rows.push_back(row_of(pair, p, scale * std::cos(angle), scale * std::sin(angle)));
    }
  return rows;
}

// A few of `count` pairs, from the fastest to the slowest.
std::vector<int> some_pairs(int count) {
  constexpr int most = 8;
  std::vector<int> pairs;
  for (int i = 0; i < std::min(count, most); ++i)
    pairs.push_back(count <= most ? i : i * (count - 1) / (most - 1));
  return pairs;
}

// 0, 1, 2, 4, 8 ...: the first show the fast clocks turning, the later ones the slow clocks.
std::vector<int> some_positions(int count) {
  constexpr std::size_t most = 9;
  std::vector<int> positions;
  for (int p = 0; p < count && positions.size() < most; p = p == 0 ? 1 : 2 * p) positions.push_back(p);
  return positions;
}

ClockFaces faces_of(const Inspected& s, const Rows& rows) {
  const int pairs = static_cast<int>(rows.size()) / s.positions();
  ClockFaces faces{.title = str("Fast and slow hands of ", s.spec, " tell positions apart"),
                   .column_label = "position"};
  for (const int p : some_positions(s.positions())) faces.columns.push_back(str(p));
  for (const int pair : some_pairs(pairs)) {
    const double theta = clocks_of(s).inverse_frequency[as_size(pair)];
    const auto turns_in = [&](int tokens) {
      return short_number((tokens - 1) * theta / (2 * std::numbers::pi));
    };
    faces.rows.push_back(theta > 0
                             ? str("pair ", pair, ", a turn in ", short_number(2 * std::numbers::pi / theta),
                                   ": ", turns_in(s.length), " in ", s.length, " tokens")
                             : str("pair ", pair, ", stands still"));
    for (const int p : some_positions(s.positions())) {
      const auto& row = rows[as_size(pair * s.positions() + p)];
      faces.hands.push_back({row[3], row[2]});
    }
  }
  return faces;
}

Figure clocks_chart(const Inspected& s, const Rows& rows) { return clock_faces(faces_of(s, rows)); }

std::string arrow(Point hand) {
  constexpr std::array<const char*, 8> arrows = {"↑", "↗", "→", "↘", "↓", "↙", "←", "↖"};
  const long eighth = std::lround(std::atan2(hand.x, hand.y) / (std::numbers::pi / 4));
  return arrows[as_size((eighth + 8) % 8)];
}

std::string clocks_sketch(const Inspected& s, const Rows& rows) {
  const ClockFaces faces = faces_of(s, rows);
  std::vector<TableColumn> columns{{"position"}};
  for (const std::string& name : faces.columns) columns.push_back({name, Align::right});
  TextTable table(columns);
  auto hand = faces.hands.begin();
  for (const std::string& name : faces.rows) {
    std::vector<TableCell> cells{name};
    while (cells.size() < columns.size()) cells.push_back(arrow(*hand++));
    table.add_row(cells);
  }
  return table.to_text(is_lively_terminal(STDOUT_FILENO));
}

}  // namespace

View frequencies_view() {
  return {.name = "frequencies",
          .summary = "how fast the pairs of a rotary scheme turn",
          .header = "pair,inverse_frequency,scale",
          .shows = is_rotary,
          .size = [](const Inspected& s) { return s.shape.d_head() / 2.0; },
          .rows = frequencies_rows,
          .chart = frequencies_chart};
}

View clocks_view() {
  return {.name = "clocks",
          .summary = "pairs of channels as hands of clocks, rotary or of sinusoids",
          .header = "pair,position,cos,sin",
          .shows = [](const Inspected& s) { return !clocks_of(s).inverse_frequency.empty(); },
          .size = [](const Inspected& s) { return static_cast<double>(s.length) * s.shape.d_model / 2; },
          .rows = clocks_rows,
          .chart = clocks_chart,
          .sketch = clocks_sketch};
}

}  // namespace locus
