#include "report/page/parts.h"

#include <algorithm>
#include <cmath>

#include "base/size.h"
#include "base/text.h"
#include "draw/colour.h"

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

std::string list_of(const std::vector<std::string>& items) {
  if (items.size() < 2) return join(items, "");
  return join({items.begin(), items.end() - 1}, ", ") + " and " + items.back();
}

static std::vector<std::string> cut(std::vector<std::string> items, std::size_t most) {
  if (items.size() <= most + 1) return items;
  const std::string rest = str(items.size() - most, " more");
  items.resize(most);
  items.push_back(rest);
  return items;
}

std::string some_of(const std::vector<std::string>& items, std::size_t most) {
  return list_of(cut(items, most));
}

std::string some_clauses(const std::vector<std::string>& items) { return join(cut(items, 3), "; "); }

std::string counted(std::size_t count, const std::string& thing) {
  return str(count, ' ', thing, count == 1 ? "" : "s");
}

std::string percent(double share) {
  const long whole = std::lround(100 * share);
  return str(whole < 0 ? "\u2212" : "", std::abs(whole), "\u00a0%");
}

std::string from_to(const std::string& low, const std::string& high) {
  return low == high ? low : str(low, " to ", high);
}

std::string tokens(const RowAtLength& at) {
  return at.length == 0 ? "held-out rows" : counted(as_size(at.length), "token");
}

std::string code(const std::string& name) {
  std::string plain = name;
  std::ranges::replace(plain, '`', '\'');
  return '`' + plain + '`';
}

std::vector<Attribute> scrolling(const std::string& label) {
  return {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", label}};
}

Html scrolling_table(const std::string& caption, const std::vector<Attribute>& attributes,
                     const std::vector<Html>& heads, const std::vector<Html>& rows) {
  return element("div", scrolling(caption),
                 {element("table", attributes,
                          {element("caption", {}, {caption}),
                           element("thead", {}, {element("tr", {}, heads)}), element("tbody", {}, rows)})});
}

Html prose(const std::string& words) {
  Html out;
  bool scheme = false;
  for (const std::string& part : split(words, '`')) {
    out += scheme ? element("b", {{"data-series", part}}, {part}) : Html(part);
    scheme = !scheme;
  }
  return out;
}

Html paragraph(const std::string& words) { return element("p", {}, {prose(words)}); }

Html section_element(const Section& section) {
  std::vector<Html> parts = {element("h2", {{"id", section.id + "-heading"}}, {section.heading})};
  parts.insert(parts.end(), section.content.begin(), section.content.end());
  return element("section", {{"id", section.id}, {"aria-labelledby", section.id + "-heading"}}, parts);
}

Html table(const PageTable& table) {
  const auto look = [&](std::size_t column) {
    std::vector<Attribute> attributes;
    if (column < table.columns.size() && table.columns[column].numeric) attributes = {{"class", "number"}};
    return attributes;
  };
  std::vector<Html> heads, rows;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::vector<Attribute> attributes = look(i);
    attributes.push_back({"scope", "col"});
    const std::string& name = table.columns[i].name;
    heads.push_back(name.empty() ? element("td", {}, {}) : element("th", attributes, {name}));
  }
  for (const PageTable::Row& row : table.rows) {
    std::vector<Html> cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      cells.push_back(i == 0 ? element("th", {{"scope", "row"}}, {row.cells[i]})
                             : element("td", look(i), {row.cells[i]}));
    std::vector<Attribute> attributes;
    if (!row.series.empty()) attributes = {{"data-series", row.series}};
    rows.push_back(element("tr", attributes, cells));
  }
  return scrolling_table(table.caption, {}, heads, rows);
}

Html folded(const std::string& summary, const Html& content) {
  return element("details", {}, {element("summary", {}, {summary}), content});
}

Html as_tables(const std::string& summary, const std::vector<PageTable>& tables) {
  Html parts;
  for (const PageTable& one : tables) parts += table(one);
  return folded(summary, parts);
}

}  // namespace locus
