// Colours that colour-blind readers can tell apart and that keep their order in grey; and the colours that
// replace them on dark screens.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace locus {

// sRGB, each part from 0 to 1.
struct Colour {
  double red = 0, green = 0, blue = 0;
};

Colour colour_from_hex(unsigned rgb);  // 0x0072B2
std::string to_string(Colour colour);  // "#0072b2", as SVG wants it

inline constexpr const char* dark_ink = "#222222";  // text and the main lines
inline constexpr const char* pale_ink = "#5c5c5c";  // labels of axes; contrast 6.7 : 1 on white
inline constexpr const char* grid_ink = "#e3e3e3";
inline constexpr const char* axis_ink = "#8a8a8a";
inline constexpr const char* guide_ink = "#666666";      // dashed and dotted reference lines
inline constexpr const char* reference_ink = "#c4c4c4";  // broad reference lines behind the data
inline constexpr const char* missing_fill = "#dddddd";   // where there is no value
inline constexpr const char* above_ink = "#0f5499";      // more than can be had without order
inline constexpr const char* below_ink = "#b03a0c";      // less
inline constexpr const char* paper = "#ffffff";          // the background

// The number of different series colours; after them series_colour starts again.
inline constexpr std::size_t series_colours = 7;

// Okabe and Ito 2008 ("Color Universal Design") without their yellow; the paler hues darkened to a contrast of
// 3 : 1 on white.
std::string series_colour(std::size_t index);  // "#0072b2"

// For groups of series, where a colour stands for what they have in common.
inline constexpr const char *green_ink = "#00795a", *purple_ink = "#8047b5", *ochre_ink = "#9a6200",
                            *pink_ink = "#b5407c", *petrol_ink = "#2a7785";

// From pale (0) to dark (1), with steadily falling lightness.
Colour sequential_colour(double fraction);

// From dark blue (0) over near-white (0.5) to dark orange (1).
Colour diverging_colour(double fraction);

double lightness(Colour colour);            // as perceived (Oklab's L): 0 black, 1 white
double contrast_ratio(Colour a, Colour b);  // WCAG 2: 1 to 21; text needs 4.5 or more

// Black or white, whichever has more contrast with this background.
Colour text_colour_on(Colour background);

// Figures are drawn in the colours above, for a white background. On a dark screen a style sheet replaces
// each by its counterpart. It selects elements by the value of their colour, so figures need no classes. The cells
// of heat maps are inverted.

struct ScreenColour {
  std::string_view light, dark;  // "#0072b2"
};

// Every colour of a figure except the shades of heat maps and the numbers on them. The first is the background.
std::span<const ScreenColour> screen_colours();

// CSS that does so, for the colours of this figure, or for all. It changes nothing on light screens and on paper,
// and needs no escaping in XML.
std::string dark_style(std::string_view figure = "");

}  // namespace locus
