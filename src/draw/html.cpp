#include "draw/html.h"

#include "base/error.h"

namespace locus {

namespace {

std::string opening_tag(ElementName name, const std::vector<Attribute>& attributes) {
  std::string tag = str('<', name.word());
  for (const auto& [key, value] : attributes) {
    if (key.word() == "href" && !value.starts_with('#'))
      fail("html", str("a link leads out of the page, to ", value));
    tag += str(' ', key.word(), "=\"", escape_xml(value), '"');
  }
  return tag + '>';
}

// With this policy a browser loads nothing for the page, whatever the page contains.
constexpr std::string_view beginning_of_page =
    "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
    "script-src 'unsafe-inline'\">\n";

}  // namespace

Html element(ElementName name, const std::vector<Attribute>& attributes, const std::vector<Html>& children) {
  Html out;
  out.markup_ = opening_tag(name, attributes);
  for (const Html& child : children) out.markup_ += child.markup_;
  out.markup_ += str("</", name.word(), ">");
  return out;
}

Html figure_element(const Figure& figure) {
  Html out;
  out.markup_ = svg_element(figure);
  return out;
}

std::string html_document(const Document& document) {
  return str(beginning_of_page, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n",
             "<meta name=\"color-scheme\" content=\"light dark\">\n<title>", escape_xml(document.title),
             "</title>\n<style>\n", document.style, "</style>\n</head>\n<body>\n", document.body.markup(),
             "\n<script>\n", document.script, "</script>\n</body>\n</html>\n");
}

bool is_html_document(std::string_view beginning) { return beginning.starts_with(beginning_of_page); }

}  // namespace locus
