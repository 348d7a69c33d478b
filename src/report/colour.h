// Colours that stay apart for colour-blind eyes and keep their order in grey, and their twins on dark screens.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace locus {

// sRGB, each part from 0 to 1.
struct Colour {
  double red = 0, green = 0, blue = 0;
};

Colour colour_from_hex(unsigned rgb);  // 0x0072B2
std::string to_string(Colour colour);  // "#0072b2", as SVG wants it

inline constexpr const char* dark_ink = "#222222";  // text and lines that matter
inline constexpr const char* pale_ink = "#5c5c5c";  // axis labels; still 6.7 : 1 on white
inline constexpr const char* grid_ink = "#e3e3e3";
inline constexpr const char* axis_ink = "#8a8a8a";
inline constexpr const char* guide_ink = "#666666";  // dashed and dotted lines that others are held against
inline constexpr const char* reference_ink = "#c4c4c4";  // broad lines behind the others
inline constexpr const char* missing_fill = "#dddddd";   // where there is no value
inline constexpr const char* paper = "#ffffff";          // what figures are drawn on

// How many colours there are before series_colour starts again.
inline constexpr std::size_t series_colours = 7;

// Okabe and Ito 2008 ("Color Universal Design"), without their yellow, which vanishes on white.
Colour series_colour(std::size_t index);

// From pale (0) to dark (1), with steadily falling lightness.
Colour sequential_colour(double fraction);

// From dark blue (0) over near-white (0.5) to dark orange (1).
Colour diverging_colour(double fraction);

double lightness(Colour colour);            // perceived (Oklab's L): 0 black, 1 white
double contrast_ratio(Colour a, Colour b);  // WCAG 2: 1 to 21; text wants 4.5 or more

// Black or white, whichever reads better on this background.
Colour text_colour_on(Colour background);

// Light and dark. Figures are drawn in the colours for white paper (above); on a dark screen a style sheet
// puts another colour in the place of each. It finds them by their value, so figures carry no classes for it.
// The cells of heat maps stay as they are: their colours are the data.

struct Twin {
  std::string light, dark;  // "#0072b2"
};

// Every colour of a figure but the shades of heat maps and the ink on them. The first is the paper.
std::span<const Twin> twins();

// CSS for figures: nothing on light screens and on paper. Holds no character that XML would have to escape.
std::string dark_style();

}  // namespace locus
