// The pictures of chapter 7 that need no training.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/text.h"
#include "draw/svg.h"
#include "io/format.h"

namespace locus {

// A table of three rows and four copies of them, by the learner's lookup. Forward: row 1 is nudged, and its copies
// with it. Backward: the gradients of the copies add up to those of the rows.
inline Figure picture_of_lookup(bool backward) {
  constexpr int D = 2;
  constexpr double width = 640, cell = 46, height = 26, top = 88, x_table = 176, x_copies = 376, apart = 38;
  const std::vector<int> ids = {1, 2, 1, 1};
  const Reals table = {0.5, -1, 1.5, 0.25, -0.75, 2};
  const Reals dy = {1, 0.5, -2, 0.25, 0.5, 0.25, -0.25, 1};
  Reals gradients(table.size());
  Tape tape(table.data(), gradients.data());
  const Tensor y = gather_rows(tape.parameter({{3, D}, 0}), ids, {4});
  tape.backward(y, dy.data());

  const std::string title = backward ? "A row's gradient is the sum of its copies' gradients"
                                     : "Raise a row by 0.01, and each of its copies rises by 0.01";
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  const auto row_at = [&](double x, double y_top, const Real* values, bool marked) {
    for (int c = 0; c < D; ++c) {
      const double left = x + cell * c;
      drawing.rectangle({left + 1, y_top}, cell - 2, height, grid_ink);
      drawing.text({left + cell / 2, y_top + 18}, short_number(static_cast<double>(values[c])),
                   {Anchor::middle, dark_ink, 13, marked});
    }
  };
  const auto numbers = [](const Real* values) {
    std::vector<std::string> words;
    for (int c = 0; c < D; ++c) words.push_back(short_number(static_cast<double>(values[c])));
    return join(words, ", ");
  };
  const auto y_table = [&](int row) { return top + apart * (row + 0.5); };
  const auto y_copy = [&](int row) { return top + apart * row; };
  for (const auto& [x, name] : {std::pair{x_table, "table"}, {x_copies, "copies y"}})
    drawing.text({x + cell, top - 14}, name, {Anchor::middle, dark_ink, 13, true});
  drawing.text({x_copies + 2 * cell + 14, top - 14}, backward ? "gradient of y" : "raised by; gradient",
               {Anchor::start, pale_ink, 12});
  drawing.text({padding, top - 14}, backward ? "gradient" : "raised by", {Anchor::start, pale_ink, 12});
  for (int row = 0; row < 3; ++row) {
    const bool marked = row == 1;
    row_at(x_table, y_table(row), &table[static_cast<std::size_t>(row * D)], marked);
    drawing.text({x_table - 8, y_table(row) + 18}, text("row ", row), {Anchor::end, pale_ink, 12});
    const std::string left = backward ? numbers(&gradients[static_cast<std::size_t>(row * D)])
                             : marked ? "0.01, 0.01"
                                      : "0, 0";
    drawing.text({padding, y_table(row) + 18}, left,
                 {Anchor::start, series_colour(marked ? 1 : 0), 13, marked});
  }
  for (int row = 0; row < 4; ++row) {
    const int id = ids[static_cast<std::size_t>(row)];
    const bool marked = id == 1;
    const std::string ink = series_colour(marked ? 1 : 0);
    row_at(x_copies, y_copy(row), y.value() + row * D, marked);
    Point from{x_table + D * cell + 4, y_table(id) + height / 2}, to{x_copies - 4, y_copy(row) + height / 2};
    if (backward) std::swap(from, to);
    const double angle = std::atan2(to.y - from.y, to.x - from.x);
    const auto wing = [&](double turn) {
      return Point{to.x - 10 * std::cos(angle + turn), to.y - 10 * std::sin(angle + turn)};
    };
    drawing.line(from, to, {ink, marked ? 2.4 : 1.6, "", 1});
    drawing.polygon({to, wing(0.4), wing(-0.4)}, ink, 1);
    const std::string gradient = numbers(&dy[static_cast<std::size_t>(row * D)]);
    drawing.text({x_copies + 2 * cell + 14, y_copy(row) + 18},
                 backward ? gradient : text(marked ? "0.01, 0.01" : "0, 0"),
                 {Anchor::start, ink, 13, marked});
    if (!backward)
      drawing.text({x_copies + 2 * cell + 104, y_copy(row) + 18}, gradient, {Anchor::start, dark_ink, 13});
  }
  return {title, width, top + 4 * apart, drawing.take()};
}

// x + p and its matrix W beside [x, p] and its matrix M, of 4 and 4 elements; the result has 3.
inline Figure picture_of_joins() {
  constexpr double width = 600, cell = 22, top = 62, x_sum = 62, x_pair = 340;
  constexpr int D = 4, out = 3;
  const std::string title = "Added: one matrix for both. Side by side: one for each";
  const std::string word = series_colour(0), position = series_colour(1);
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  const auto cells = [&](Point corner, int rows, int columns, const std::string& upper,
                         const std::string& lower) {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const Point at{corner.x + cell * c, corner.y + cell * r};
        drawing.rectangle({at.x + 1, at.y + 1}, cell - 2, cell - 2, upper);
        if (lower != upper) drawing.rectangle({at.x + 1, at.y + cell / 2}, cell - 2, cell / 2 - 1, lower);
      }
  };
  const auto name = [&](Point at, const std::string& words, Anchor anchor, const std::string& ink) {
    drawing.text(at, words, {anchor, ink, 13, true});
  };
  const double middle = cell / 2 + 5;
  cells({x_sum, top}, 1, D, word, word), name({x_sum - 8, top + middle}, "x", Anchor::end, word);
  cells({x_sum, top + 34}, 1, D, position, position),
      name({x_sum - 8, top + 34 + middle}, "p", Anchor::end, position);
  cells({x_sum, top + 80}, 1, D, word, position),
      name({x_sum - 8, top + 80 + middle}, "x + p", Anchor::end, dark_ink);
  const double y_matrix = top + 80 + cell + 14, x_w = x_sum + D * cell + 14;
  cells({x_w, top + 80}, D, out, word, position);
  name({x_w + out * cell + 8, top + 80 + 2 * cell + 5}, "W", Anchor::start, dark_ink);

  cells({x_pair, top}, 1, D, word, word), cells({x_pair + D * cell, top}, 1, D, position, position);
  name({x_pair - 8, top + middle}, "[x, p]", Anchor::end, dark_ink);
  const double x_m = x_pair + 2 * D * cell - out * cell;
  cells({x_m, top + 40}, D, out, word, word), cells({x_m, top + 40 + D * cell}, D, out, position, position);
  name({x_m - 8, top + 40 + 2 * cell + 5}, "M₁, for x", Anchor::end, word);
  name({x_m - 8, top + 40 + (D + 2) * cell + 5}, "M₂, for p", Anchor::end, position);
  return {title, width, std::max(y_matrix, top + 40 + 2 * D * cell) + padding, drawing.take()};
}

}  // namespace locus
