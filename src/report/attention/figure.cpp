#include <algorithm>
#include <cmath>

#include "base/size.h"
#include "base/text.h"
#include "draw/charts.h"
#include "io/format.h"
#include "report/attention/attention.h"

namespace locus {

namespace {

// The mean weight of the key that `key_of` names for a query, over the queries that give the answer and have it; 0 when
// they are fewer than half: a line through a corner of the map says little.
double share_of(const AttentionMap& map, const auto& key_of) {
  int queries = 0;
  double sum = 0;
  for (int query = map.first_answer; query < map.length; ++query) {
    const int key = key_of(query);
    if (key < 0 || key >= map.length || (map.causal && key > query)) continue;
    ++queries;
    sum += map.weights[as_size(query * map.length + key)];
  }
  return 2 * queries < map.length - map.first_answer ? 0 : sum / queries;
}

// The share of the attention by key + query: 0, ..., 2T-2.
std::vector<double> share_by_sum(const AttentionMap& map) {
  std::vector<double> shares(as_size(2 * map.length - 1));
  for (int query = 0; query < map.length; ++query)
    for (int key = 0; key < map.length; ++key)
      shares[as_size(key + query)] += map.weights[as_size(query * map.length + key)] / map.length;
  return shares;
}

// A head's shares as bars, as wide as the map above: by key + query for a head that reads the mirror image, by
// key - query, from -(T-1) to T-1, for any other.
Figure offset_bars(const AttentionMap& map, double width) {
  const bool mirrors = habit_of(map).words.starts_with("the mirrored position");
  const int first = mirrors ? 0 : 1 - map.length, last = mirrors      ? 2 * map.length - 2
                                                         : map.causal ? 0
                                                                      : map.length - 1;
  const std::vector<double> shares = mirrors ? share_by_sum(map) : map.share_by_offset();
  const double highest =
      std::max(1e-6, std::ranges::max(shares));  // above 0 also when no weight is a finite number
  const std::string label = mirrors ? "key plus query" : "key minus query";
  Drawing drawing;
  drawing.text({padding, label_size}, "share of the attention", {.colour = pale_ink});
  PlotArea area{.left = padding + 36,
                .right = width - padding,
                .top = 24,
                .bottom = 94,
                .x = {static_cast<double>(first), static_cast<double>(last)},
                .y = {0, highest}};
  draw_y_axis(drawing, area, {0, highest}, {"0", fixed(highest, 2)});
  const double step = last > first ? area.x_at(first + 1) - area.x_at(first) : 20,
               bar = std::max(1.0, step - 1);
  for (int offset = first; offset <= last; ++offset) {
    const double top = area.y_at(shares[as_size(mirrors ? offset : offset + map.length - 1)]);
    drawing.rectangle({area.x_at(offset) - bar / 2, top}, bar, area.bottom - top, above_ink);
  }
  const auto most = as_size(std::clamp(last - first, 1, 6));  // whole numbers
  draw_x_axis(drawing, area, nice_ticks(area.x, most), label);
  return {str("head ", to_string(map.head), ": attention by offset"), width,
          area.bottom + x_axis_height(label) + padding, drawing.take()};
}

}  // namespace

Habit habit_of(const AttentionMap& map) {
  Habit best{"", -1};
  const auto consider = [&](double share, const auto& words) {
    if (share > best.share + 1e-9) best = {words(), share};
  };
  const int T = map.length;
  for (int i = 0; i < T; ++i)
    for (const int offset : {-i, i})
      consider(share_of(map, [&](int query) { return query + offset; }), [&] {
        return offset == 0 ? "itself" : str(std::abs(offset), offset < 0 ? " before" : " after");
      });
  for (int sum = 0; sum < 2 * T - 1; ++sum)
    consider(share_of(map, [&](int query) { return sum - query; }), [&] {
      return sum == T - 1 ? "the mirrored position"
                          : str("the position mirrored about ", short_number(sum / 2.0));
    });
  for (int key = 0; key < T; ++key)
    consider(share_of(map, [&](int) { return key; }), [&] {
      return key > 0 && key == map.first_answer ? str("SEP, position ", key) : str("position ", key);
    });
  return best;
}

std::string attention_finding(const std::string& subject, const std::vector<AttentionMap>& maps) {
  const AttentionMap& clearest =
      *std::ranges::max_element(maps, {}, [](const AttentionMap& map) { return habit_of(map).share; });
  const auto [words, share] = habit_of(clearest);
  if (share < 0.5) return str("No head of ", subject, " looks mostly at one position");
  return str("Head ", clearest.head, " of ", subject, " looks at ", words, " (", fixed(100 * share, 0),
             " % of its attention)");
}

std::vector<HeatMap> attention_heat_maps(const std::vector<AttentionMap>& maps,
                                         const std::vector<std::string>& tokens) {
  std::vector<HeatMap> drawn;
  double highest = 1e-6;  // above 0 also when no weight is a finite number
  for (const AttentionMap& map : maps) highest = std::max(highest, std::ranges::max(map.weights));
  for (const AttentionMap& map : maps) {
    const auto T = as_size(map.length);
    drawn.push_back({.title = str("head ", map.head, ", over ", fixed(std::exp2(map.entropy), 1), " tokens"),
                     .rows = T,
                     .columns = T,
                     .values = map.weights,
                     .row_axis = {"query", tokens},
                     .column_axis = {"key", tokens},
                     .value_label = "attention weight",
                     .range = Range{0, highest},
                     .square_cells = true,
                     .width = tokens.empty() ? 360 : std::max(360.0, 130 + 24 * static_cast<double>(T)),
                     .no_value = "not seen"});
    for (std::size_t i = 0; map.causal && i < T * T; ++i)
      if (i % T > i / T) drawn.back().values[i] = NAN;
  }
  return drawn;
}

Figure attention_figure(const std::string& title, const std::vector<std::string>& notes,
                        const std::vector<AttentionMap>& maps, const std::vector<std::string>& tokens) {
  const std::vector<HeatMap> drawn = attention_heat_maps(maps, tokens);
  const auto columns = as_size(std::ranges::count(maps, maps.front().head.layer,
                                                  [](const AttentionMap& map) { return map.head.layer; }));
  std::vector<Figure> rows;
  for (std::size_t first = 0; first < maps.size(); first += columns) {
    const std::size_t end = std::min(first + columns, maps.size());
    std::vector<Figure> both, bars;
    for (std::size_t i = first; i < end; ++i) {
      HeatMap map = drawn[i];
      map.colour_bar = i + 1 == std::min(columns, maps.size());
      both.push_back(heat_map(map));
      bars.push_back(offset_bars(maps[i], map.width - 90));
    }
    both.insert(both.end(), bars.begin(), bars.end());
    rows.push_back(panels("", both, end - first));
  }
  Drawing words;
  double width = 0, y = 0;
  for (const Figure& row : rows) width = std::max(width, row.width);
  if (!title.empty()) y = words.heading(title, 17, padding, padding, width - 2 * padding);
  for (const std::string& note : notes)
    for (const std::string& line : wrap_text(note, label_size, width - 2 * padding))
      words.text({padding, y += label_size + 4}, line, {.colour = pale_ink});
  rows.insert(rows.begin(), {"", width, y + padding / 2, words.take()});
  Figure all = panels("", rows, 1);
  all.title = title.empty() ? "attention maps" : title;
  return all;
}

}  // namespace locus
