// The fixed bias that a scheme adds to the scores, head by head.
#include "base/error.h"
#include "cli/inspect/view.h"

namespace locus {

namespace views::bias {

Rows rows(const Subject& s) {
  Rows rows;
  for (int h = 0; h < s.shape.heads; ++h)
    for (int i = 0; i < s.length; ++i)
      for (int j = 0; j < s.length; ++j)
        if (const auto bias = s.scheme->bias(h, i, j))
          rows.push_back({static_cast<double>(h), static_cast<double>(i), static_cast<double>(j), *bias});
  return rows;
}

std::vector<HeatMap> maps(const Subject& s, const Rows& rows) {
  return head_maps(s, rows, "bias", HeatMap::Scale::sequential, s.length);
}
Figure figure(const Subject& s, const Rows& rows) {
  return side_by_side(text("What ", s.spec, " adds to the scores"), maps(s, rows));
}
std::string sketch(const Subject& s, const Rows& rows) { return one_by_one(maps(s, rows)); }

}  // namespace views::bias

View bias_view() {
  using namespace views::bias;
  return {"bias",
          "what is added to the scores",
          "head,query,key,value",
          [](const Subject& s) { return s.scheme->bias(0, 0, 0).has_value(); },
          squares,
          rows,
          figure,
          sketch};
}

}  // namespace locus
