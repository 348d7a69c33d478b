#include "draw/html.h"

#include <doctest/doctest.h>

#include "../support/errors.h"
#include "svg_reader.h"

using namespace locus;

TEST_CASE("html: text, children and the values of attributes are escaped") {
  const std::string hostile = "</p><script>alert('x')</script>\" onload=\"";
  const Html part = element("p", {{"class", hostile}, {"data-series", "a&b"}},
                            {hostile, element("b", {}, {"1 < 2"}), " & so on"});
  CHECK(part.markup().find("<script") == std::string::npos);
  const auto read = test::read_svg(part.markup());
  CHECK(read.fault == "");
  REQUIRE(read.elements.size() == 2);
  CHECK(read.elements[0].attributes.size() == 2);
  CHECK(read.elements[0].attributes.at("class") ==
        "&lt;/p&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&quot; onload=&quot;");
  CHECK(read.elements[1].text == "1 &lt; 2");
}

TEST_CASE("html: links lead to places of the page only") {
  CHECK(element("a", {{"href", "#map"}}, {"map"}).markup() == "<a href=\"#map\">map</a>");
  CHECK(error_of([] {
          element("a", {{"href", "javascript:alert(1)"}}, {});
        }) == "[html] a link leads out of the page, to javascript:alert(1)");
  CHECK(error_of([] { element("a", {{"href", "https://example.org"}}, {}); }) != "no error");
}

TEST_CASE("html: a document may fetch nothing, and says how it wants to be shown") {
  const std::string page = html_document(
      {.title = "a <b>", .style = "p{}", .script = "'use strict';", .body = element("main", {}, {"x"})});
  for (const char* words :
       {"<!doctype html>", "<html lang=\"en\">", "<meta charset=\"utf-8\">", "default-src 'none'",
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
        "<title>a &lt;b&gt;</title>", "<style>\np{}</style>", "<main>x</main>",
        "<script>\n'use strict';</script>"}) {
    CAPTURE(words);
    CHECK(page.find(words) != std::string::npos);
  }
}
