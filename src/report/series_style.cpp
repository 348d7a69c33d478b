#include "report/series_style.h"

#include <array>

#include "report/plot_area.h"

namespace locus {

SeriesStyle series_style(std::size_t index) {
  constexpr std::array<std::string_view, 3> dashes = {"", "7 3", "2 3"};
  const std::size_t round = index / series_colours;
  return {.colour = to_string(series_colour(index)),
          .form = (index + round) % marker_forms,
          .dashes = dashes[round % dashes.size()]};
}

const SeriesStyle& ceiling_style() {
  static const SeriesStyle style = {.colour = reference_ink, .width = 7, .marked = false};
  return style;
}

const SeriesStyle& baseline_style() {
  static const SeriesStyle style = {.colour = guide_ink, .dashes = "1 4", .width = 1.6, .marked = false};
  return style;
}

const Stroke& guide_stroke() {
  static const Stroke stroke = {guide_ink, 1.4, "6 4", 1};
  return stroke;
}

void draw_key(Drawing& drawing, Point left, const SeriesStyle& style) {
  drawing.line(left, {left.x + key_length, left.y}, {style.colour, style.width, style.dashes, 1});
  if (style.marked) drawing.shape({left.x + key_length / 2, left.y}, style.form, style.colour, paper, "");
}

void draw_key_name(Drawing& drawing, Point left, const std::string& name) {
  drawing.text({left.x + key_length + 8, left.y + 4}, name, {label_size, Anchor::start, dark_ink, false, 0});
}

}  // namespace locus
