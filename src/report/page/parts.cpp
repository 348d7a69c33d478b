#include "report/page/parts.h"

#include "ablation/statistics.h"
#include "base/text.h"
#include "report/format.h"

namespace locus {

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

Html section(const std::string& id, const std::string& heading, const std::vector<Html>& content) {
  std::vector<Html> parts = {element("h2", {{"id", id + "-heading"}}, {heading})};
  parts.insert(parts.end(), content.begin(), content.end());
  return element("section", {{"id", id}, {"aria-labelledby", id + "-heading"}}, parts);
}

Html chart_row(const std::vector<Figure>& figures) {
  std::vector<Html> items;
  for (const Figure& figure : figures) items.push_back(element("figure", {}, {figure_element(figure)}));
  return element("div", {{"class", "charts"}}, items);
}

Html table(const Table& table) {
  const auto look = [&](std::size_t column) {
    const bool numeric = column < table.columns.size() && table.columns[column].numeric;
    return numeric ? std::vector<Attribute>{{"class", "number"}} : std::vector<Attribute>{};
  };
  std::vector<Html> heads, rows;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    std::vector<Attribute> attributes = look(i);
    attributes.push_back({"scope", "col"});
    heads.push_back(element("th", attributes, {table.columns[i].name}));
  }
  for (const Table::Row& row : table.rows) {
    std::vector<Html> cells;
    for (std::size_t i = 0; i < row.cells.size(); ++i)
      cells.push_back(i == 0 ? element("th", {{"scope", "row"}}, {row.cells[i]})
                             : element("td", look(i), {row.cells[i]}));
    rows.push_back(element(
        "tr",
        row.series.empty() ? std::vector<Attribute>{} : std::vector<Attribute>{{"data-series", row.series}},
        cells));
  }
  // Wider than a phone, it scrolls: by keyboard, too.
  return element("div",
                 {{"class", "scroll"}, {"tabindex", "0"}, {"role", "region"}, {"aria-label", table.caption}},
                 {element("table", {},
                          {element("caption", {}, {table.caption}),
                           element("thead", {}, {element("tr", {}, heads)}), element("tbody", {}, rows)})});
}

Html as_tables(const std::vector<Table>& tables) {
  std::vector<Html> parts = {element("summary", {}, {"The numbers"})};
  for (const Table& one : tables) parts.push_back(table(one));
  return element("details", {}, parts);
}

Html with_seeds(const std::vector<double>& seeds, int decimals) {
  if (seeds.empty()) return "–";
  Html out = fixed(mean(seeds), decimals);
  if (seeds.size() == 1) return out;
  std::vector<std::string> each;
  for (const double seed : seeds) each.push_back(fixed(seed, decimals));
  out += element("small", {}, {join(each, " ")});
  return out;
}

}  // namespace locus
