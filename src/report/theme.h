// Light and dark. Figures are drawn in the colours for white paper (colour.h); on a dark screen a style sheet
// puts another colour in the place of each. It finds them by their value, so figures carry no classes for it.
// The cells of heat maps stay as they are: their colours are the data.
#pragma once

#include <span>
#include <string>

namespace locus {

struct Twin {
  std::string light, dark;  // "#0072b2"
};

// Every colour of a figure but the shades of heat maps and the ink on them. The first is the paper.
std::span<const Twin> twins();

// CSS for figures: nothing on light screens and on paper. Holds no character that XML would have to escape.
std::string dark_style();

}  // namespace locus
