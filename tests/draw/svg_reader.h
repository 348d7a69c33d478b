// Reads the SVG that Locus writes, as far as tests need it: is it well-formed, and what does it show?
#pragma once

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace locus::test {

struct SvgElement {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string text;  // of <text> and <title>, still escaped

  double number(const std::string& attribute) const {
    return std::strtod(attributes.at(attribute).c_str(), nullptr);
  }
};

struct Svg {
  std::string fault;  // "" when well-formed
  std::vector<SvgElement> elements;

  std::vector<SvgElement> named(std::string_view name) const {
    std::vector<SvgElement> found;
    std::copy_if(elements.begin(), elements.end(), std::back_inserter(found),
                 [&](const auto& e) { return e.name == name; });
    return found;
  }
  // The <text> with these words; an element without a name when there is none.
  SvgElement text(std::string_view words) const {
    for (const auto& element : named("text"))
      if (element.text == words) return element;
    return {};
  }
  bool shows(std::string_view words) const { return text(words).name == "text"; }
};

inline Svg read_svg(std::string_view source) {
  Svg svg;
  std::vector<std::size_t> open;
  std::size_t at = 0;
  const auto fault = [&](std::string_view what) {
    svg.fault = std::string(what) + " near '" + std::string(source.substr(at, 60)) + "'";
    return svg;
  };
  while (at < source.size()) {
    const std::size_t tag = std::min(source.find('<', at), source.size());
    const std::string_view words = source.substr(at, tag - at);
    if (words.find('>') != words.npos) return fault("a stray '>'");
    for (std::size_t i = words.find('&'); i != words.npos; i = words.find('&', i + 1))
      if (words.find(';', i) == words.npos || words.find(';', i) > i + 6) return fault("a stray '&'");
    if (!open.empty() && !words.empty() && words != "\n") svg.elements[open.back()].text += words;
    if (open.empty() && tag == source.size()) break;
    at = tag;
    const std::size_t end = source.find('>', at);
    if (end == source.npos) return fault("an open tag at the end");
    std::string_view inside = source.substr(at + 1, end - at - 1);
    if (inside.starts_with('/')) {
      if (open.empty() || svg.elements[open.back()].name != inside.substr(1)) return fault("a wrong end tag");
      open.pop_back();
    } else {
      const bool closed = inside.ends_with('/');
      if (closed) inside.remove_suffix(1);
      SvgElement element;
      element.name = inside.substr(0, inside.find(' '));
      inside.remove_prefix(element.name.size());
      while (!inside.empty()) {
        const std::size_t equals = inside.find("=\""), quote = inside.find('"', equals + 2);
        if (!inside.starts_with(' ') || equals == inside.npos || quote == inside.npos)
          return fault("a broken attribute");
        const std::string key(inside.substr(1, equals - 1));
        if (!element.attributes.emplace(key, inside.substr(equals + 2, quote - equals - 2)).second)
          return fault("an attribute twice");
        inside.remove_prefix(quote + 1);
      }
      svg.elements.push_back(element);
      if (!closed) open.push_back(svg.elements.size() - 1);
    }
    at = end + 1;
  }
  if (!open.empty()) svg.fault = svg.elements[open.back()].name + " is not closed";
  return svg;
}

// Every number that a renderer would have to understand is finite.
inline bool has_only_finite_numbers(const Svg& svg) {
  for (const auto& element : svg.elements)
    for (const auto& [key, value] : element.attributes)
      if (key != "aria-label" && (value.find("nan") != value.npos || value.find("inf") != value.npos))
        return false;
  return true;
}

}  // namespace locus::test
