#include <algorithm>

#include "base/text.h"
#include "draw/colour.h"
#include "report/page/parts.h"

namespace locus {

namespace {

constexpr std::string_view style =
#include "report/page/page.css.h"
    ;
constexpr std::string_view script =
#include "report/page/page.js.h"
    ;

// ":root { --paper: #ffffff; ... }", and the same for dark screens.
std::string colour_variables() {
  constexpr std::pair<const char*, const char*> names[] = {{"paper", paper},   {"ink", dark_ink},
                                                           {"pale", pale_ink}, {"above", above_ink},
                                                           {"at", pale_ink},   {"below", below_ink}};
  std::string light, dark;
  for (const auto& [name, ink] : names) {
    light += str(" --", name, ": ", ink, ";");
    dark += str(" --", name, ": ", std::ranges::find(screen_colours(), ink, &ScreenColour::light)->dark, ";");
  }
  return str(":root {", light, " }\n@media screen and (prefers-color-scheme: dark) { :root {", dark,
             " } }\n");
}

}  // namespace

std::string page_style() { return str(colour_variables(), style, dark_style(), "\n"); }

std::string_view page_script() { return script; }

}  // namespace locus
