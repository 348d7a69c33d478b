// Reads a report page as far as tests need it: is it well-formed, and does it hold only what pages are made
// of?
#pragma once

#include <set>
#include <string>

#include "../../draw/svg_reader.h"

namespace locus::test {

// The elements between <main> and </main>. The fault names what does not belong into a page, too.
inline Svg read_page(const std::string& page) {
  static const std::set<std::string, std::less<>> elements = {
      "main",  "header", "nav",  "section", "h1",    "h2",       "h3",      "p",       "ul",
      "li",    "b",      "a",    "span",    "div",   "figure",   "svg",     "g",       "path",
      "line",  "circle", "rect", "text",    "title", "polyline", "polygon", "table",   "caption",
      "thead", "tbody",  "tr",   "th",      "td",    "small",    "meter",   "details", "summary",
      "dl",    "dt",     "dd",   "u",       "pre",   "code",     "br"};
  const std::size_t start = page.find("<main>"), end = page.rfind("</main>");
  if (start == page.npos || end == page.npos) return {"there is no <main>", {}};
  std::string body = page.substr(start, end + 7 - start);
  for (std::size_t at = 0; (at = body.find("<br>", at)) != body.npos;) body.replace(at, 4, "<br/>");
  Svg read = read_svg(body);
  for (const SvgElement& element : read.elements) {
    if (!elements.contains(element.name)) read.fault += " <" + element.name + "> in a page";
    for (const auto& [key, value] : element.attributes)
      if (key.starts_with("on") || key == "src" || key == "style" ||
          (key == "href" && !value.starts_with("#")))
        read.fault += " " + key + "=" + value;
  }
  if (page.find("<script>", page.find("<script>") + 1) != page.npos) read.fault += " a second script";
  if (page.find("<script>") < end) read.fault += " a script within <main>";
  return read;
}

}  // namespace locus::test
