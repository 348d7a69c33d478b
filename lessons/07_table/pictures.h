// The pictures of chapter 7 that need no training.
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "autograd/ops.h"
#include "base/text.h"
#include "draw/svg.h"
#include "io/format.h"

namespace locus {

// A table of three rows and four copies of them, by the learner's lookup. Forward: the first element of row 1 is raised,
// and with it that of each copy. Backward: the gradients of the copies add up to those of the rows.
inline Figure picture_of_lookup(bool backward) {
  constexpr int D = 2, size = 15;
  constexpr double width = 650, cell = 58, height = 30, top = 92, apart = 40;
  constexpr double x_left = 16, x_table = 176, x_copies = 374, x_rises = 502;
  const std::vector<int> ids = {1, 2, 1, 1};
  const Reals table = {0.5, -1, 1.5, 0.25, -0.75, 2};
  const Reals dy = {1, 0.5, -2, 0.25, 0.5, 0.25, -0.25, 1};
  Reals gradients(table.size());
  Tape tape(table.data(), gradients.data());
  const Tensor y = gather_rows(tape.parameter({{3, D}, 0}), ids, {4});
  tape.backward(y, dy.data());

  const std::string title = backward ? "A row's gradient is the sum of its copies' gradients"
                                     : "Raise one element of row 1, and it rises in each copy";
  const double x_gradient = backward ? x_rises : 566;
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  const auto row_at = [&](double x, double y_top, const Real* values, bool marked) {
    for (int c = 0; c < D; ++c) {
      const double left = x + cell * c;
      const bool bold = marked && (backward || c == 0);
      drawing.rectangle({left + 1, y_top}, cell - 2, height, grid_ink);
      drawing.text({left + cell / 2, y_top + 20}, short_number(static_cast<double>(values[c])),
                   {Anchor::middle, bold ? series_colour(1) : dark_ink, size, bold});
    }
  };
  const auto numbers = [](const Real* values) {
    std::vector<std::string> words;
    for (int c = 0; c < D; ++c) words.push_back(short_number(static_cast<double>(values[c])));
    return join(words, ", ");
  };
  const auto y_table = [&](int row) { return top + apart * (row + 0.5); };
  const auto y_copy = [&](int row) { return top + apart * row; };
  const auto heading = [&](double x, const std::string& words, Anchor anchor, bool bold) {
    drawing.text({x, top - 14}, words, {anchor, bold ? dark_ink : pale_ink, 13, bold});
  };
  heading(x_table + cell, "table", Anchor::middle, true);
  heading(x_copies + cell, "copies y", Anchor::middle, true);
  heading(x_gradient, "gradient", Anchor::start, false);
  heading(x_left, backward ? "gradient" : "raised by", Anchor::start, false);
  if (!backward) heading(x_rises, "rises by", Anchor::start, false);
  for (int row = 0; row < 3; ++row) {
    const bool marked = row == 1;
    row_at(x_table, y_table(row), &table[static_cast<std::size_t>(row * D)], marked);
    drawing.text({x_table - 10, y_table(row) + 20}, str("row ", row), {Anchor::end, pale_ink, 13});
    if (backward || marked)
      drawing.text({x_left, y_table(row) + 20},
                   backward ? numbers(&gradients[static_cast<std::size_t>(row * D)]) : "0.01",
                   {Anchor::start, series_colour(marked ? 1 : 0), size, marked});
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
    if (!backward)
      drawing.text({x_rises, y_copy(row) + 20}, marked ? "0.01" : "0", {Anchor::start, ink, size, marked});
    drawing.text({x_gradient, y_copy(row) + 20}, numbers(&dy[static_cast<std::size_t>(row * D)]),
                 {Anchor::start, backward ? ink : dark_ink, size, backward && marked});
  }
  return {title, width, top + 4 * apart, drawing.take()};
}

// x + p beside [x, p] times its matrix M, of 4 and 4 elements; the result has 4.
inline Figure picture_of_joins() {
  constexpr double width = 560, cell = 26, flat = 15, top = 84, x_sum = 70, x_pair = 300, size = 15;
  constexpr int D = 4;
  const std::string title = "Concatenated, x and p get a matrix each";
  const std::string word = series_colour(0), position = series_colour(1);
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  const auto cells = [&](Point corner, int rows, int columns, const std::string& upper,
                         const std::string& lower) {
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c) {
        const double height = rows > 1 ? flat : cell;
        const Point at{corner.x + cell * c, corner.y + height * r};
        drawing.rectangle({at.x + 1, at.y + 1}, cell - 2, height - 2, upper);
        if (lower != upper) drawing.rectangle({at.x + 1, at.y + cell / 2}, cell - 2, cell / 2 - 1, lower);
      }
  };
  const auto name = [&](Point at, const std::string& words, Anchor anchor, const std::string& ink) {
    drawing.text(at, words, {anchor, ink, size, true});
  };
  const double middle = cell / 2 + 5;
  name({x_sum, top - 10}, "added", Anchor::start, dark_ink);
  cells({x_sum, top}, 1, D, word, word), name({x_sum - 8, top + middle}, "x", Anchor::end, word);
  cells({x_sum, top + 40}, 1, D, position, position),
      name({x_sum - 8, top + 40 + middle}, "p", Anchor::end, position);
  cells({x_sum, top + 96}, 1, D, word, position),
      name({x_sum - 8, top + 96 + middle}, "x + p", Anchor::end, dark_ink);
  drawing.line({x_sum, top + 81}, {x_sum + D * cell, top + 81}, {dark_ink, 1.4, "", 1});

  name({x_pair, top - 10}, "concatenated", Anchor::start, dark_ink);
  cells({x_pair, top}, 1, D, word, word), cells({x_pair + D * cell, top}, 1, D, position, position);
  name({x_pair - 8, top + middle}, "[x, p]", Anchor::end, dark_ink);
  const double x_m = x_pair + D * cell, y_m = top + 40, y_result = y_m + 2 * D * flat + 14;
  cells({x_m, y_m}, D, D, word, word), cells({x_m, y_m + D * flat}, D, D, position, position);
  name({x_m - 8, y_m + 2 * flat + 5}, "M₁", Anchor::end, word);
  name({x_m - 8, y_m + (D + 2) * flat + 5}, "M₂", Anchor::end, position);
  cells({x_m, y_result}, 1, D, word, position);
  name({x_m - 8, y_result + middle}, "x M₁ + p M₂", Anchor::end, dark_ink);
  return {title, width, y_result + cell + padding, drawing.take()};
}

// The sizes of the four parts, word_word first, of several models: a square of four cells for each, with its name.
inline Figure picture_of_parts(const std::string& title,
                               const std::vector<std::pair<std::string, std::vector<double>>>& models) {
  constexpr double width = 650, cell = 76, height = 52, left = 92, apart = 2 * cell + 34, top = 108;
  Drawing drawing;
  drawing.heading(title, title_size, padding, 12, width - 2 * padding);
  const std::string names[] = {"word", "position"};
  drawing.text({padding, top - 14}, "query's", {Anchor::start, pale_ink, 13});
  for (int r = 0; r < 2; ++r)
    drawing.text({left - 10, top + height * (r + 0.5) + 5}, names[r], {Anchor::end, dark_ink, 14});
  for (std::size_t m = 0; m < models.size(); ++m) {
    const double x = left + apart * static_cast<double>(m);
    drawing.text({x, top - 40}, models[m].first, {Anchor::start, dark_ink, 14, true});
    for (int part = 0; part < 4; ++part) {
      const double value = models[m].second[static_cast<std::size_t>(part)];
      const Point corner{x + cell * (part % 2), top + height * (part / 2)};
      const Colour colour = sequential_colour(std::clamp(value / 1.3, 0.0, 1.0));
      drawing.rectangle({corner.x + 1, corner.y + 1}, cell - 2, height - 2, to_string(colour));
      drawing.text({corner.x + cell / 2, corner.y + height / 2 + 6}, fixed(value, 2),
                   {Anchor::middle, to_string(text_colour_on(colour)), 16});
      if (part < 2)
        drawing.text({corner.x + cell / 2, top - 14}, str(part == 0 ? "key's " : "", names[part]),
                     {Anchor::middle, dark_ink, 13});
    }
  }
  return {title, width, top + 2 * height + padding, drawing.take()};
}

}  // namespace locus
