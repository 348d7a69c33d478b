// What each scheme costs.
#include <algorithm>

#include "base/text.h"
#include "report/format.h"
#include "report/measure.h"
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

namespace {

std::string range_text(int low, int high) { return low == high ? text(low) : text(low, " to ", high); }

Table table_of(const View& view) {
  Table out{.caption = text("Parameters of a ", view.model),
            .columns = {{"scheme", false}, {"parameters"}, {"more than the smallest"}}};
  const int smallest = std::ranges::min(view.rows, {}, &Summary::parameters)->parameters;
  for (const std::string& scheme : view.schemes) {
    const auto rows = view.of_scheme(scheme);
    const auto [low, high] = std::ranges::minmax(rows, {}, &Summary::parameters);
    out.rows.push_back(
        {scheme,
         {scheme, range_text(low->parameters, high->parameters),
          smallest > 0 ? text(fixed(100.0 * (high->parameters - smallest) / smallest, 1), " %") : "–"}});
  }
  return out;
}

}  // namespace

Html cost_section(const Study& study) {
  std::vector<Html> parts;
  for (const View& view : study.views) parts.push_back(table(table_of(view)));
  return section("cost", "Cost", parts);
}

}  // namespace locus
