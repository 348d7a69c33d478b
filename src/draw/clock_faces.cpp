#include <algorithm>

#include "base/error.h"
#include "draw/charts.h"

namespace locus {

static constexpr double cell_size = 58, face_radius = 22;

Figure clock_faces(const ClockFaces& faces) {
  if (faces.hands.size() != faces.rows.size() * faces.columns.size())
    fail("clock faces", str(faces.rows.size(), " rows of ", faces.columns.size(), " clocks, but ",
                            faces.hands.size(), " hands"));
  const double left = padding + (faces.rows.empty() ? 0 : widest(faces.rows) + 8);
  const double width =
      std::max(left + cell_size * static_cast<double>(faces.columns.size()) + padding, 400.0);
  const auto column_center = [&](std::size_t column) {
    return left + (static_cast<double>(column) + 0.5) * cell_size;
  };
  const std::string ink = series_colour(0);

  Drawing drawing;
  double y = drawing.heading(faces.title, title_size, padding, padding, width - 2 * padding);
  drawing.text({left, y + label_size}, faces.column_label, {Anchor::start, pale_ink});
  y += 2 * label_size + 8;
  for (std::size_t column = 0; column < faces.columns.size(); ++column)
    drawing.text({column_center(column), y}, faces.columns[column], {Anchor::middle});
  y += 10;
  for (std::size_t row = 0; row < faces.rows.size(); ++row, y += cell_size) {
    drawing.text({left - 8, y + cell_size / 2 + label_size * 0.36}, faces.rows[row], {Anchor::end});
    for (std::size_t column = 0; column < faces.columns.size(); ++column) {
      const Point center = {column_center(column), y + cell_size / 2};
      const Point hand = faces.hands[row * faces.columns.size() + column];
      const Point tip = {center.x + face_radius * hand.x, center.y - face_radius * hand.y};
      drawing.circle(center, face_radius, {reference_ink, 1.2});
      drawing.line({center.x, center.y - face_radius}, {center.x, center.y - face_radius + 4}, {axis_ink});
      drawing.line(center, tip, {ink, 2});
      drawing.shape(tip, 0, ink, paper, str(faces.rows[row], ", ", faces.columns[column]));
    }
  }
  return {faces.title, width, y + padding, drawing.take()};
}

}  // namespace locus
