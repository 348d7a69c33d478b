// HTML that is safe from injection: text becomes markup only in the constructor of Html, which escapes it.
// The names of elements and attributes are constants of the source. The compiler checks them, and that no
// attribute can run a script or load anything.
//
//   element("p", {{"class", "lead"}}, {"a < b, says ", element("b", {}, {name})})
//   -> <p class="lead">a &lt; b, says <b>...</b></p>
#pragma once

#include <concepts>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "draw/svg.h"

namespace locus {

// A constant of the source, never data: lower-case letters, digits and hyphens.
class MarkupName {
 public:
  consteval MarkupName(const char* word) : word_(word) {
    if (word_.empty()) throw std::invalid_argument("an empty name");
    for (const char c : word_)
      if (!(c >= 'a' && c <= 'z') && !(c >= '0' && c <= '9') && c != '-')
        throw std::invalid_argument("a name holds lower-case letters, digits and hyphens");
  }
  constexpr std::string_view word() const { return word_; }

 private:
  std::string_view word_;
};

// Elements whose content is not plain text are refused.
struct ElementName : MarkupName {
  consteval ElementName(const char* name) : MarkupName(name) {
    if (word() == "script" || word() == "style" || word() == "iframe" || word() == "base")
      throw std::invalid_argument("not with content from data");
  }
};

struct AttributeName : MarkupName {
  consteval AttributeName(const char* name) : MarkupName(name) {
    if (word().starts_with("on") || word() == "style" || word() == "src" || word() == "srcdoc")
      throw std::invalid_argument("not with a value from data");
  }
};

struct Attribute {
  AttributeName name;
  std::string value;
};

class Html {
 public:
  Html() = default;
  Html(std::convertible_to<std::string_view> auto const& words) : markup_(escape_xml(words)) {}

  Html& operator+=(const Html& next) {
    markup_ += next.markup_;
    return *this;
  }
  const std::string& markup() const { return markup_; }

 private:
  friend Html element(ElementName, const std::vector<Attribute>&, const std::vector<Html>&);
  friend Html figure_element(const Figure&);

  std::string markup_;
};

// Throws Error for a link (href) that leaves the page.
Html element(ElementName name, const std::vector<Attribute>& attributes, const std::vector<Html>& children);
Html figure_element(const Figure& figure);  // Drawing has escaped its text

// A whole page. The style sheet and the script must be constants of the source: they are not escaped.
struct Document {
  std::string title;
  std::string_view style, script;
  Html body;
};
std::string html_document(const Document& document);

// Whether a file that begins so is a page that html_document made.
bool is_html_document(std::string_view beginning);

}  // namespace locus
