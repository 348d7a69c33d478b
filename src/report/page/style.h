// What every page of Locus looks like, and what the page of an ablation does in a browser: page.css and page.js, which
// the Makefile puts into the program.
#pragma once

#include <string>
#include <string_view>

namespace locus {

std::string page_style();        // CSS, with the colours of figures as variables and their dark counterparts
std::string_view page_script();  // values on hover, one scheme brought forward, other lengths, a guess

}  // namespace locus
