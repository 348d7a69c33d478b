#include "report/grid.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ablation/statistics.h"
#include "base/error.h"
#include "base/size.h"
#include "io/format.h"
#include "positional/support/spec.h"
#include "report/scheme_style.h"

namespace locus {

namespace {

constexpr double margin = 3;  // around the plot of a cell, for its dots

// The answer for this length: at the longest that was tested up to it. All lengths together for a table.
RowAtLength measured_at(const ResultRow& row, int length) {
  if (row.is_table) return all_lengths(row);
  const RowAtLength* found = &row.by_length.front();
  for (const RowAtLength& at : row.by_length)
    if (at.length <= length && (at.length > found->length || found->length > length)) found = &at;
  return *found;
}

std::vector<int> lengths_of(const ModelRows& view) {
  std::set<int> lengths;
  for (const ResultRow* row : view.rows)
    if (!row->is_table)
      for (const RowAtLength& at : row->by_length) lengths.insert(at.length);
  if (lengths.empty()) lengths.insert(0);
  return {lengths.begin(), lengths.end()};
}

// "turns pairs of query and key channels by an angle that grows with the position"; of the parts of a spec.
std::string note_of(const Spec& spec) {
  if (spec.is_by_layer()) return "a scheme for each layer, in turn";
  std::vector<std::string> notes;
  for (const Spec::Part& part : spec.known_parts()) {
    const std::string& summary = part.summary();
    notes.push_back(summary.substr(0, summary.find_first_of(",:(", 12)));  // "in training, positions ..."
  }
  return join(notes, " + ");
}

// "3 1 2 → 2 1 3"
std::string example_of(const ResultRow& row) {
  const Task* task = task_if_there(row.settings);
  return task ? str(spell(*task, task->example.input), " → ", spell(*task, task->example.target)) : "";
}

double x_at(const ChartCell& cell, double x) {
  return margin + (x - cell.x.low) / (cell.x.high - cell.x.low) * (cell_width - 2 * margin);
}
double y_at(double accuracy) {
  return cell_height - margin - std::clamp(accuracy, 0.0, 1.0) * (cell_height - 2 * margin);
}

// Drawn as a level from one side to the other: there is no second length.
bool is_level(const ResultRow& row) { return row.is_table || row.by_length.size() == 1; }

double x_of(const ResultRow& row, const RowAtLength& at) { return is_level(row) ? 0.5 : at.length; }

void add_curve(const ResultRow& row, ChartCell& cell) {
  std::vector<RowAtLength> lengths = row.by_length;
  if (is_level(row)) lengths.assign(1, measured_at(row, row.by_length.front().length));
  cell.x = is_level(row) ? Range{0, 1} : Range{x_of(row, lengths.front()), x_of(row, lengths.back())};
  for (const RowAtLength& at : lengths) {
    const double x = x_of(row, at);
    cell.line.push_back({x, mean(row.accuracy(at))});
    cell.floor.push_back({x, blind_level(row, at)});
    if (at.mirror_blind_ceiling && !row.generates) cell.ceiling.push_back({x, *at.mirror_blind_ceiling});
    for (const double value : row.accuracy(at)) cell.dots.push_back({x, value});
  }
  if (is_level(row))
    for (auto* points : {&cell.line, &cell.floor, &cell.ceiling})
      if (!points->empty()) *points = {{0, points->front().y}, {1, points->front().y}};
  if (std::ranges::all_of(cell.floor, [](Point p) { return p.y < 0.005; })) cell.floor.clear();
  if (cell.ceiling.size() != cell.line.size()) cell.ceiling.clear();  // not known at every length
}

std::string in_words(const ResultRow& row, const RowAtLength& at, Standing standing) {
  std::vector<std::string> seeds;
  for (const double value : row.accuracy(at)) seeds.push_back(fixed(value, 2));
  std::string words =
      str(row.name(), " on ", row.task, ": ", fixed(mean(row.accuracy(at)), 2),
          at.length > 0 ? str(" at ", at.length, " tokens") : "",
          seeds.size() > 1 ? str(" (seeds ", join(seeds, " "),
                                 above_a_split(row.accuracy(at)) ? ": split, none is near the mean)" : ")")
                           : "");
  if (const auto trained = in_distribution(row); trained && trained->length != at.length)
    words += str(", ", fixed(mean(row.accuracy(*trained)), 2), " at ", trained->length, " (trained on)");
  if (row.seeds() == 1)
    words += "; one seed: no verdict";
  else if (const std::string free = fixed(blind_level(row, at), 2); !row.generates || free != "0.00")
    words += str("; ", look_of(standing).beside, ' ', free,
                 row.generates ? ", which one fixed answer gets" : ", which needs no order or no reading");
  if (at.mirror_blind_ceiling)
    words += str("; at most ", fixed(*at.mirror_blind_ceiling, 2), " without telling left from right");
  return words;
}

// The polygon between the line and the floor where the line is higher (sign 1) or lower (-1).
std::vector<Point> between(const ChartCell& cell, int sign) {
  std::vector<Point> line, floor;
  bool any = false;
  const auto add = [&](double x, double y, double level) {
    const bool counts = sign * (y - level) > 0;
    any |= counts;
    line.push_back({x_at(cell, x), y_at(counts ? y : level)});
    floor.push_back({x_at(cell, x), y_at(level)});
  };
  for (std::size_t i = 0; i < cell.floor.size(); ++i) {
    if (i > 0) {
      const double before = cell.line[i - 1].y - cell.floor[i - 1].y, now = cell.line[i].y - cell.floor[i].y;
      if (before * now < 0) {
        const double t = before / (before - now), y = std::lerp(cell.floor[i - 1].y, cell.floor[i].y, t);
        add(std::lerp(cell.line[i - 1].x, cell.line[i].x, t), y, y);
      }
    }
    add(cell.line[i].x, cell.line[i].y, cell.floor[i].y);
  }
  if (!any) return {};
  line.insert(line.end(), floor.rbegin(), floor.rend());
  return line;
}

// Small pale words in lines of this width, from `y` down. Returns the y of the next line.
double draw_note(Drawing& drawing, double x, double y, const std::string& words, double width) {
  for (const std::string& line : wrap_text(words, 11, width)) {
    drawing.text({x, y}, line, {.colour = pale_ink, .size = 11});
    y += 12;
  }
  return y;
}

constexpr double row_height = cell_height + 10, column_width = cell_width + 40, name_width = 262;

// One grid without a title, its names on the left and above.
Figure plain_grid(const ChartGrid& grid) {
  Drawing drawing;
  double y = padding + 28;
  const double left = padding + name_width;
  for (std::size_t c = 0; c < grid.columns.size(); ++c) {
    const double x = left + column_width * static_cast<double>(c);
    drawing.text({x, padding + 8}, grid.columns[c].name, {.bold = true});
    y = std::max(y, draw_note(drawing, x, padding + 22, grid.columns[c].note, column_width - 8) - 2);
  }
  const double width = left + column_width * static_cast<double>(grid.columns.size());
  double next = y;
  for (std::size_t r = 0; r < grid.rows.size(); ++r, y = next) {
    const auto& [name, note, style] = grid.rows[r];
    // Settings that do not fit beside the scheme stand before the note: "(width 32) turns pairs ..."
    const std::size_t fits =
        wrap_text(name, 13, name_width - 24).size() == 1 ? std::string::npos : name.find(" (");
    drawing.line({padding, y}, {width, y}, {grid_ink});
    drawing.shape({padding + 6, y + 14}, style.form, style.colour, paper, "");
    drawing.text({padding + 18, y + 18}, name.substr(0, fits), {.bold = true});
    const std::string more = fits == std::string::npos ? note : str(name.substr(fits + 1), ' ', note);
    next = std::max(y + row_height, draw_note(drawing, padding + 18, y + 31, more, name_width - 28) - 3);
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const ChartCell& cell = grid.cells[r * grid.columns.size() + c];
      Drawing small;
      draw_cell(small, cell);
      drawing.insert({"", 0, 0, small.take()}, {left + column_width * static_cast<double>(c), y + 5});
      if (cell.label.empty()) continue;
      const double at = std::clamp(y_at(cell.line.back().y), 6.0, cell_height - 4);
      drawing.text({left + column_width * static_cast<double>(c) + cell_width + 3, y + 9 + at}, cell.label,
                   {.colour = look_of(cell.standing).ink, .bold = cell.standing == Standing::above});
    }
  }
  return {"", width + padding, y + padding / 2, drawing.take()};
}

}  // namespace

const StandingLook& look_of(Standing standing) {
  static constexpr StandingLook below{"below", below_ink, "below"}, at{"not told apart from", pale_ink, "at"},
      above{"above", above_ink, "above"};
  return standing == Standing::above ? above : standing == Standing::below ? below : at;
}

ChartGrid empty_grid(const ModelRows& view, const std::string& control, bool by_width) {
  const int longest = lengths_of(view).back();
  ChartGrid grid{.measure = measure_name(*view.rows.front()), .by_width = by_width};
  std::map<std::string, std::vector<double>> gains;  // by the name of a row
  std::set<std::string> controls;
  for (const ResultRow* row : view.rows) {
    const std::string name = row->name(!by_width);
    if (!gains.contains(name))
      grid.rows.push_back({name, note_of(row->settings.model.scheme), row_style(view, *row)});
    if (const auto here = gain(*row, measured_at(*row, longest))) gains[name].push_back(*here);
    if (row->scheme == control) controls.insert(name);
  }
  std::ranges::stable_sort(grid.rows, std::ranges::greater(), [&](const ChartGrid::Name& row) {
    if (controls.contains(row.name)) return INFINITY;
    return gains[row.name].empty() ? 0 : static_cast<float>(mean(gains[row.name]));
  });
  for (const std::string& task : view.tasks) {
    std::set<int> widths;
    for (const ResultRow* row : view.of_task(task)) widths.insert(by_width ? row->settings.model.d_model : 0);
    for (const int width : widths)
      grid.columns.push_back(
          {task, str(by_width ? str("width ", width, ": ") : "", example_of(*view.of_task(task).front()))});
  }
  grid.cells.resize(grid.rows.size() * grid.columns.size());
  return grid;
}

ChartGrid accuracy_grid(const ModelRows& view, const std::string& control, bool by_width) {
  const std::vector<int> lengths = lengths_of(view);
  // For each row at each length. What is seen at one time is judged together.
  std::map<const ResultRow*, std::vector<Standing>> standing;
  for (const int length : lengths) {
    std::vector<Judged> together;
    for (const ResultRow* row : view.rows) together.push_back({row, measured_at(*row, length)});
    for (const Judged& one : judged(together)) standing[one.row].push_back(one.standing);
  }

  ChartGrid grid = empty_grid(view, control, by_width);
  grid.lengths = lengths;
  for (const ResultRow* row : view.rows) {
    if (const auto at = in_distribution(*row)) grid.trained = std::max(grid.trained, at->length);
    ChartCell& cell = cell_of(grid, *row);
    const RowAtLength last = measured_at(*row, lengths.back());
    add_curve(*row, cell);
    cell.label = fixed(mean(row->accuracy(last)), 2);
    cell.standing = standing[row].back();
    cell.says = in_words(*row, last, cell.standing);
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const RowAtLength at = measured_at(*row, lengths[i]);
      cell.by_length.push_back({std::round(x_at(cell, x_of(*row, at))), fixed(mean(row->accuracy(at)), 2),
                                gain(*row, at), standing[row][i]});
    }
  }
  return grid;
}

ChartCell& cell_of(ChartGrid& grid, const ResultRow& row) {
  const auto r =
      std::ranges::find(grid.rows, row.name(!grid.by_width), &ChartGrid::Name::name) - grid.rows.begin();
  const std::string note = grid.by_width ? str("width ", row.settings.model.d_model, ": ") : "";
  const auto c = std::ranges::find_if(grid.columns,
                                      [&](const ChartGrid::Name& column) {
                                        return column.name == row.task && column.note.starts_with(note);
                                      }) -
                 grid.columns.begin();
  return grid.cells[as_size(r) * grid.columns.size() + as_size(c)];
}

std::array<std::string, 2> how_to_read(const ChartGrid& grid) {
  const int first = grid.lengths.front(), last = grid.lengths.back();
  const std::string along = first == last
                                ? ""
                                : str(", from ", first, " to ", last, " tokens",
                                      grid.trained > 0 ? str(" (trained to ", grid.trained, ')') : "");
  return {str("Line: ", grid.measure, ", 0 to 1", along,
              "; dots: seeds. Grey: not clearly above the grey area, or 0. Number and colour: "),
          last == 0 ? "held-out rows" : str("at ", last, " tokens")};
}

void draw_cell(Drawing& drawing, const ChartCell& cell) {
  const auto placed = [&](const std::vector<Point>& points) {
    std::vector<Point> places;
    for (const Point& point : points) places.push_back({x_at(cell, point.x), y_at(point.y)});
    return places;
  };
  drawing.line({0, cell_height - margin}, {cell_width, cell_height - margin}, {grid_ink});
  const std::vector<Point> line = placed(cell.line), floor = placed(cell.floor);
  if (!floor.empty()) {
    std::vector<Point> area = floor;
    area.push_back({floor.back().x, y_at(0)});
    area.push_back({floor.front().x, y_at(0)});
    drawing.polygon(area, missing_fill, 1);
    drawing.polyline(floor, {axis_ink, 1});
  }
  for (const auto& [sign, standing] : {std::pair{1, Standing::above}, {-1, Standing::below}})
    if (const auto area = between(cell, sign); !area.empty())
      drawing.polygon(area, look_of(standing).ink, 0.2);
  if (!cell.ceiling.empty()) drawing.polyline(placed(cell.ceiling), {guide_ink, 1, "3 2"});
  drawing.polyline(line, {look_of(cell.standing).ink, 2});
  drawing.dots(placed(cell.dots), 3, look_of(cell.standing).ink, 0.75);
}

Figure cell_key(const ChartGrid& grid, bool generates) {
  const auto any_cell = [&](std::vector<Point> ChartCell::*points) {
    return std::ranges::any_of(grid.cells, [&](const ChartCell& cell) { return !(cell.*points).empty(); });
  };
  const bool has_floor = any_cell(&ChartCell::floor);
  ChartCell cell{.x = {0, 4},
                 .line = {{0, 1}, {1, 0.95}, {2, 0.7}, {3, 0.3}, {4, 0.15}},
                 .standing = has_floor ? Standing::at : Standing::above};
  for (int x = 0; has_floor && x < 5; ++x) cell.floor.push_back({1.0 * x, 0.4});
  if (any_cell(&ChartCell::ceiling)) cell.ceiling = {{0, 0.75}, {4, 0.75}};
  Drawing drawing;
  draw_cell(drawing, cell);
  constexpr double text_left = cell_width + 24, row = 13;
  double y = 10, right = text_left;
  const auto point = [&](Point at, const std::string& words, const char* ink) {
    drawing.line({x_at(cell, at.x), y_at(at.y)}, {text_left - 4, y - 4}, {ink, 1});
    drawing.text({text_left, y}, words, {.colour = ink});
    right = std::max(right, text_left + text_width(words, label_size));
    y += row;
  };
  if (has_floor || generates)
    point({1.6, 0.72}, generates ? "right answers" : "what order adds", look_of(Standing::above).ink);
  if (!cell.ceiling.empty()) point({4, 0.75}, "the most without telling left from right", guide_ink);
  if (has_floor)
    point({2.2, 0.2}, generates ? "possible without reading" : "possible without order or reading", pale_ink);
  if (has_floor) point({3.4, 0.3}, "worse than that", look_of(Standing::below).ink);
  return {"How to read a cell", right, std::max(cell_height, y - row + 4), drawing.take()};
}

Figure grid_figure(const std::string& title, const Study& study) {
  std::vector<Figure> figures;
  for (const ModelRows& view : study.views) {
    if (view.is_text) continue;  // text_study.h
    const bool by_width = std::ranges::any_of(
        view.rows, [](const ResultRow* row) { return row->variant.find("d_model=") != row->variant.npos; });
    const ChartGrid grid = accuracy_grid(view, study.control, by_width);
    const Figure plain = plain_grid(grid);
    Drawing words;
    double y = padding;
    const auto [before, where] = how_to_read(grid);
    if (study.views.size() > 1) words.text({padding, y += label_size + 2}, view.model + "s", {.bold = true});
    for (const std::string& line : wrap_text(str(before, where, '.'), label_size, plain.width - 2 * padding))
      words.text({padding, y += label_size + 2}, line, {.colour = pale_ink});
    const Figure key = cell_key(grid, view.generates);
    words.insert(key, {padding, y += 8});
    y += key.height;
    words.insert(plain, {0, y});
    figures.push_back({"", plain.width, y + plain.height, words.take()});
  }
  return panels(title, figures, 1);
}

}  // namespace locus
