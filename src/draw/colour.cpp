#include "draw/colour.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/size.h"
#include "base/text.h"

namespace locus {

namespace {

constexpr unsigned black_text = 0x111111;

// The inks; the series in their order: blue, vermillion, bluish green, reddish purple, orange, sky blue, black (in the
// dark the same hues, lighter where they would have too little contrast); the groups of series.
constexpr ScreenColour all_colours[] = {
    {paper, "#15171a"},     {dark_ink, "#eceae6"},  {pale_ink, "#b0aea9"},      {grid_ink, "#303338"},
    {axis_ink, "#7d8085"},  {guide_ink, "#a3a3a3"}, {reference_ink, "#565a61"}, {missing_fill, "#3b3e43"},
    {above_ink, "#6cb4ff"}, {below_ink, "#ff9868"}, {"#0072b2", "#3f9fe3"},     {"#d55e00", "#f07b3a"},
    {"#009e73", "#2dbb8d"}, {"#b85c93", "#dd94bf"}, {"#b37700", "#f0b23c"},     {"#2b8cbe", "#9bd8f7"},
    {"#000000", "#f4f4f4"}, {green_ink, "#35c79b"}, {purple_ink, "#bd92e8"},    {ochre_ink, "#dca545"},
    {pink_ink, "#ea86b4"},  {petrol_ink, "#62bccb"}};
constexpr const ScreenColour* first_of_series =
    std::ranges::find(all_colours, std::string_view(below_ink), &ScreenColour::light) + 1;

double to_linear(double part) {
  return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
}
double from_linear(double part) {
  return part <= 0.0031308 ? part * 12.92 : 1.055 * std::pow(part, 1 / 2.4) - 0.055;
}

// Oklab (Ottosson 2020), a colour space in which equal distances look about equal.
struct Oklab {
  double lightness, a, b;
};

Oklab to_oklab(Colour colour) {
  const double r = to_linear(colour.red), g = to_linear(colour.green), b = to_linear(colour.blue);
  const double l = std::cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const double m = std::cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const double s = std::cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return {0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
          1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
          0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s};
}

Colour from_oklab(Oklab lab) {
  const double l = std::pow(lab.lightness + 0.3963377774 * lab.a + 0.2158037573 * lab.b, 3);
  const double m = std::pow(lab.lightness - 0.1055613458 * lab.a - 0.0638541728 * lab.b, 3);
  const double s = std::pow(lab.lightness - 0.0894841775 * lab.a - 1.2914855480 * lab.b, 3);
  const auto part = [](double linear) { return from_linear(std::clamp(linear, 0.0, 1.0)); };
  return {part(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
          part(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
          part(-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s)};
}

// The colour at `fraction` of the way along evenly spaced stops.
Colour between(std::span<const unsigned> stops, double fraction) {
  const double place = std::clamp(fraction, 0.0, 1.0) * static_cast<double>(stops.size() - 1);
  const std::size_t left = std::min(as_size(place), stops.size() - 2);
  const double t = place - static_cast<double>(left);
  const Oklab from = to_oklab(colour_from_hex(stops[left])), to = to_oklab(colour_from_hex(stops[left + 1]));
  return from_oklab(
      {std::lerp(from.lightness, to.lightness, t), std::lerp(from.a, to.a, t), std::lerp(from.b, to.b, t)});
}

double luminance(Colour colour) {
  return 0.2126 * to_linear(colour.red) + 0.7152 * to_linear(colour.green) + 0.0722 * to_linear(colour.blue);
}

}  // namespace

Colour colour_from_hex(unsigned rgb) {
  return {((rgb >> 16) & 0xFF) / 255.0, ((rgb >> 8) & 0xFF) / 255.0, (rgb & 0xFF) / 255.0};
}

std::string to_string(Colour colour) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string out = "#";
  for (const double part : {colour.red, colour.green, colour.blue}) {
    const auto byte = as_size(std::lround(std::clamp(part, 0.0, 1.0) * 255));
    out += digits[byte / 16];
    out += digits[byte % 16];
  }
  return out;
}

Colour sequential_colour(double fraction) {
  constexpr std::array<unsigned, 5> stops = {0xFBF9E6, 0xB4DDC0, 0x4FAFC0, 0x2569A6, 0x14204E};
  return between(stops, fraction);
}

Colour diverging_colour(double fraction) {
  constexpr std::array<unsigned, 5> stops = {0x0B3C6F, 0x5A9FD0, 0xF6F5F3, 0xE58B48, 0x7C2D05};
  return between(stops, fraction);
}

double lightness(Colour colour) { return to_oklab(colour).lightness; }

double contrast_ratio(Colour a, Colour b) {
  const auto [darker, lighter] = std::minmax({luminance(a), luminance(b)});
  return (lighter + 0.05) / (darker + 0.05);
}

Colour text_colour_on(Colour background) {
  const Colour black = colour_from_hex(black_text), white = {1, 1, 1};
  return contrast_ratio(background, black) >= contrast_ratio(background, white) ? black : white;
}

std::span<const ScreenColour> screen_colours() { return all_colours; }

std::string series_colour(std::size_t index) {
  return std::string(first_of_series[index % series_colours].light);
}

std::string dark_style(std::string_view figure) {
  std::string rules;
  const auto add = [&](std::string_view before, std::string_view property, std::string_view light,
                       std::string_view dark) {
    const std::string shown = str(property, "=\"", light, '"');
    if (figure.empty() || figure.find(shown) != figure.npos)
      rules += str(before, '[', shown, "]{", property, ':', dark, '}');
  };
  for (const auto& [light, dark] : screen_colours()) {
    add(light == paper ? ":not(text)" : "", "fill", light, dark);  // not the white numbers on cells
    add("", "stroke", light, dark);
  }
  // The cells of heat maps are the only shapes with a shape-rendering. Inverted, with their hues kept, the ends
  // of their scales change places: small values are dark on a dark ground, and do not glow.
  if (figure.empty() || figure.find("shape-rendering") != figure.npos) {
    const std::string black = to_string(colour_from_hex(black_text)), white = "#ffffff";
    rules +=
        str("[shape-rendering]{filter:invert(1) hue-rotate(180deg)}[shape-rendering] [fill=\"", missing_fill,
            "\"]{fill:#c3c3c3}[shape-rendering] [stroke=\"", axis_ink, "\"]{stroke:#7a7a7a}text[fill=\"",
            black, "\"]{fill:", white, "}text[fill=\"", white, "\"]{fill:", black, "}");
  }
  return str("@media screen and (prefers-color-scheme:dark){", rules, "}");
}

}  // namespace locus
