// The picture of the page, the grid of small multiples (report/grid.h), as a table with a drawing in each cell; and the
// numbers behind it.
#include <algorithm>
#include <cmath>
#include <set>

#include "ablation/statistics.h"
#include "base/size.h"
#include "base/text.h"
#include "io/format.h"
#include "io/json.h"
#include "report/page/parts.h"
#include "report/scheme_style.h"

namespace locus {

namespace {

Html mark(const SeriesStyle& style) {
  Drawing drawing;
  drawing.shape({7, 7}, style.form, style.colour, paper, "");
  return element("span", {{"aria-hidden", "true"}}, {figure_element({"", 14, 14, drawing.take()})});
}

// For the page's script: [[x, accuracy, gain or null, standing], ...], one for each length of the grid.
Json at_lengths(const ChartCell& cell) {
  Json::Array all;
  for (const auto& [x, accuracy, gain, standing] : cell.by_length)
    all.push_back(Json::Array{x, accuracy, gain ? Json(std::round(*gain * 1000) / 1000) : Json(),
                              look_of(standing).css});
  return all;
}

Html cell_element(const ChartCell& cell) {
  if (cell.says.empty()) return element("td", {}, {"–"});
  Drawing drawing;
  draw_cell(drawing, cell);
  std::vector<Attribute> attributes = {{"class", look_of(cell.standing).css}};
  if (!cell.by_length.empty()) {
    attributes.push_back({"data-at", to_string(at_lengths(cell))});
    const Json::Array commands(cell.commands.begin(), cell.commands.end());
    const Json enlarged = Json::Object{{"trained", cell.trained}, {"commands", commands}};
    attributes.push_back({"data-more", to_string(enlarged)});
  }
  return element(
      "td", attributes,
      {figure_element({cell.says, cell_width, cell_height, drawing.take()}), element("b", {}, {cell.label})});
}

// A line may break after each of these characters in the name: a space of no width stands there (page.css).
std::vector<Html> breakable(const std::string& name, std::string_view after) {
  std::vector<Html> parts;
  for (std::size_t at = 0, end = 0; at < name.size(); at = end) {
    end = std::min(name.find_first_of(after, at), name.size() - 1) + 1;
    parts.push_back(element("span", {}, {name.substr(at, end - at)}));
  }
  return parts;
}

// A mean, or of split seeds how many are above it; in small print the values of all.
Html with_seeds(const std::vector<double>& seeds) {
  if (seeds.empty()) return "–";
  const auto above = above_a_split(seeds);
  Html out = above ? str(*above, " of ", seeds.size()) : fixed(mean(seeds), 3);
  if (seeds.size() == 1) return out;
  std::vector<std::string> each;
  for (const double seed : seeds) each.push_back(fixed(seed, 3));
  out += element("small", {}, {join(each, " ")});
  return out;
}

PageTable accuracy_table(const ModelRows& view, const std::string& task) {
  const std::vector<const ResultRow*> rows = view.of_task(task);
  const ResultRow& first = *rows.front();
  PageTable out{.caption = str(task, ", ", view.model, ": ", measure_name(first),
                               ", mean and every seed, by length of the input; * trained on"),
                .columns = {{"scheme", false}}};
  for (const RowAtLength& at : first.by_length)
    out.columns.push_back({str(at.length, at.trained ? "*" : "")});
  for (const ResultRow* row : rows) {
    out.rows.push_back({row->name(), {row->name()}});
    for (const RowAtLength& at : row->by_length)
      out.rows.back().cells.push_back(with_seeds(row->accuracy(at)));
  }
  constexpr std::pair<const char*, std::optional<double> RowAtLength::*> levels[] = {
      {"order-blind ceiling", &RowAtLength::order_blind_ceiling},
      {"mirror-blind ceiling", &RowAtLength::mirror_blind_ceiling},  // only some rows have it, or the next
      {"ceiling of its windows", &RowAtLength::window_ceiling},
      {"no-input baseline", &RowAtLength::no_input_baseline}};
  for (const auto& entry : levels) {
    const auto level = entry.second;
    const auto has_level = [&](const ResultRow* row) { return (row->by_length.front().*level).has_value(); };
    const auto known = std::ranges::find_if(rows, has_level);
    if (known == rows.end() || !is_of_measure(level, first)) continue;
    out.rows.push_back({"", {entry.first}});
    for (const RowAtLength& at : (*known)->by_length)
      out.rows.back().cells.push_back(at.*level ? fixed(*(at.*level), 3) : "–");
  }
  return out;
}

// The words of an answer, the wrong ones underlined, and in words how many are right.
Html marked_answer(const std::string& answer, const std::string& right) {
  const std::vector<std::string> words = split(answer, ' '), wanted = split(right, ' ');
  Html out;
  std::size_t hits = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool hit = i < wanted.size() && words[i] == wanted[i];
    hits += hit;
    if (i > 0) out += " ";
    out += hit ? Html(words[i]) : element("u", {}, {words[i]});
  }
  out += element("small", {}, {str(hits, " of ", wanted.size(), " right")});
  return out;
}

// What each scheme answered to the same inputs, as long as those of `at`. Empty without answers, or without the task.
std::optional<PageTable> answer_table(const ModelRows& view, const std::string& task, const RowAtLength& at) {
  const auto answers_of = [&](const ResultRow& row) {
    const auto found = std::ranges::find(row.by_length, at.length, &RowAtLength::length);
    return found == row.by_length.end() ? std::vector<std::string>{} : found->answers;
  };
  const std::vector<const ResultRow*> rows = view.of_task(task);
  std::size_t shown = 0;
  for (const ResultRow* row : rows) shown = std::max(shown, answers_of(*row).size());
  if (shown == 0) return {};
  PageTable out{.caption = str(task, ", ", view.model, ", ", tokens(at), at.trained ? " (trained on)" : ""),
                .columns = {{"", false}},
                .rows = {{"", {"input"}}, {"", {"right answer"}}}};
  std::vector<std::string> right;
  const RunSettings& settings = rows.front()->settings;
  const Task* asked = task_if_there(settings);
  if (!asked || asked->length_from(at.length) != at.length) return {};  // or another table
  for (const Example& example : asked->test_set(at.length, settings.test_examples)) {
    if (right.size() == shown) break;
    out.columns.push_back({str("input ", out.columns.size()), false});
    out.rows[0].cells.push_back(spell(*asked, example.input));
    right.push_back(spell(*asked, example.target));
    out.rows[1].cells.push_back(right.back());
  }
  for (const ResultRow* row : rows)
    if (const auto answers = answers_of(*row); !answers.empty()) {
      out.rows.push_back({row->name(), {row->name()}});
      for (std::size_t i = 0; i < std::min(answers.size(), right.size()); ++i)
        out.rows.back().cells.push_back(marked_answer(answers[i], right[i]));
    }
  return out;
}

// On a narrow screen a row's name and note stand above its cells, in up to five lines (page.css).
std::vector<Attribute> row_attributes(const ChartGrid::Name& row) {
  constexpr double phone = 290, most = 5, mark = 20;
  const double name = text_width(row.name, 13.6);
  const double lines = std::ceil((name + text_width(row.note, 11.5)) / phone) + (name > phone - mark);
  return {{"data-series", row.name}, {"data-lines", fixed(std::min(lines, most), 0)}};
}

// How the models of a cell were trained.
std::string training_of(const ResultRow& row) {
  const OptimizerSettings& optimizer = row.settings.train.optimizer;
  return str("Trained at learning rate ", optimizer.learning_rate, ", batches of ", row.settings.train.batch,
             ", up to ", counted(as_size(row.settings.train.steps), "step"), "; ",
             with_separators(row.parameters), " parameters.");
}

// What to ask of the model of a cell; none where no seed's model was kept.
std::vector<std::string> commands_of(const Study& study, const ResultRow& row) {
  if (study.models.empty() || !task_if_there(row.settings)) return {};
  RunSettings settings = row.settings;
  for (const long long seed : row.seed) {
    settings.train.seed = static_cast<std::uint64_t>(seed);
    const std::string end = "/models/" + run_name(settings);
    const auto kept =
        std::ranges::find_if(study.models, [&](const auto& folder) { return folder.ends_with(end); });
    if (kept == study.models.end()) continue;
    const std::string folder = shell_word(*kept);
    return {str("build/locus ask ", folder, " --failures 3"),
            str("build/locus attend ", folder, " --silence all")};
  }
  return {};
}

// "● stage: embedding": the marks of this grid, each with what its schemes have in common.
Html mark_legend(const ModelRows& view) {
  std::vector<Html> marks = {"Marks, by where a scheme enters the model: "};
  std::set<std::string> named;
  for (const std::string& scheme : view.schemes) {
    const Spec& spec = view.of_scheme(scheme).front()->settings.model.scheme;
    const std::string stage = stage_of(spec);
    if (named.insert(stage).second) marks.push_back(element("span", {}, {mark(scheme_style(spec)), stage}));
  }
  return element("p", {{"class", "reading legend"}}, marks);
}

// What each scheme has of the way from what is free to 1, mean over the tasks, as a number and a bar. The page's script
// fills in that of another length. No column where it would repeat the numbers, or where no scheme ran on all tasks.
std::vector<GridColumn> kept_column(const ModelRows& view, const ChartGrid& grid) {
  if (view.generates && view.tasks.size() == 1) return {};
  GridColumn column{view.generates ? "of all answers" : "kept of what order is worth", {}};
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    std::vector<double> gains;
    bool is_complete = true;
    for (std::size_t c = 0; c < grid.columns.size(); ++c) {
      const ChartCell& cell = grid.cells[r * grid.columns.size() + c];
      is_complete &= !cell.by_length.empty();
      if (!cell.by_length.empty() && cell.by_length.back().gain) gains.push_back(*cell.by_length.back().gain);
    }
    if (!is_complete || gains.empty()) {
      column.values.push_back("–");
      continue;
    }
    const double share = mean(gains);
    column.values.push_back(element("span", {{"class", "kept"}}, {percent(share)}));
    column.values.back() +=
        element("meter", {{"value", fixed(std::max(share, 0.0), 2)}, {"aria-hidden", "true"}}, {});
  }
  if (std::ranges::all_of(column.values, [](const Html& value) { return value.markup() == "–"; })) return {};
  return {column};
}

}  // namespace

Html grid_table(const ChartGrid& grid, const std::string& label, const std::vector<GridColumn>& more) {
  std::vector<Html> heads = {element("td", {}, {})}, rows;
  for (const auto& [name, note, style] : grid.columns) {
    std::vector<Html> words = breakable(name, "_");
    words.push_back(element("small", {}, {note}));
    heads.push_back(element("th", {{"scope", "col"}}, words));
  }
  for (const GridColumn& column : more)
    heads.push_back(element("th", {{"scope", "col"}, {"class", "more"}}, {column.name}));
  for (std::size_t r = 0; r < grid.rows.size(); ++r) {
    const auto& [name, note, style] = grid.rows[r];
    std::vector<Html> cells = {
        element("th", {{"scope", "row"}},
                {element("div", {},
                         {mark(style), element("b", {{"data-series", name}}, breakable(name, ":,")),
                          element("small", {}, {note})})})};
    for (std::size_t c = 0; c < grid.columns.size(); ++c)
      cells.push_back(cell_element(grid.cells[r * grid.columns.size() + c]));
    for (const GridColumn& column : more)
      cells.push_back(element("td", {{"class", "more"}, {"data-name", column.name}}, {column.values[r]}));
    rows.push_back(element("tr", row_attributes(grid.rows[r]), cells));
  }
  std::vector<Attribute> attributes = {{"class", "grid"}};
  if (grid.lengths.size() > 1)
    attributes.push_back({"data-lengths", to_string(Json::Array(grid.lengths.begin(), grid.lengths.end()))});
  return scrolling_table(label, attributes, heads, rows);
}

Html accuracy_grids(const Study& study) {
  std::vector<Html> parts;
  for (const ModelRows& view : study.views) {
    if (view.is_text) continue;  // judged by its loss: perplexity.cpp
    ChartGrid grid = accuracy_grid(view, study.control);
    for (const ResultRow* row : view.rows) {
      ChartCell& cell = cell_of(grid, *row);
      cell.trained = training_of(*row);
      cell.commands = commands_of(study, *row);
    }
    const std::vector<GridColumn> shares = kept_column(view, grid);
    const bool has_shares = !shares.empty() && !view.generates;
    const char* worth =
        has_shares ? " The area is 0\u00a0% of what order is worth, all right 100\u00a0%." : "";
    const auto [before, where] = how_to_read(grid);
    parts.push_back(
        element("div", {{"class", "key"}},
                {figure_element(cell_key(grid, view.generates)),
                 element("p", {{"class", "reading"}}, {before, element("span", {}, {where}), ".", worth})}));
    parts.push_back(grid_table(grid, str("Accuracy of ", view.model, "s by scheme and task"), shares));
    if (has_shares)
      parts.push_back(
          element("p", {{"class", "reading"}},
                  {"Kept: the mean of the tasks that need order. Below 0\u00a0% it is worse than is possible "
                   "without order or without reading. (One fixed answer for each place can get more than a "
                   "model without positions, which does not know the place.)"}));
    parts.push_back(mark_legend(view));
  }
  if (parts.empty()) return {};
  std::vector<PageTable> tables, answers;
  for (const ModelRows& view : study.views)
    for (const std::string& task : view.tasks) {
      if (view.is_text) continue;
      tables.push_back(accuracy_table(view, task));
      for (const RowAtLength& at : view.of_task(task).front()->by_length)
        if (auto table = answer_table(view, task, at)) answers.push_back(std::move(*table));
    }
  parts.push_back(as_tables("The numbers", tables));
  if (!answers.empty())
    parts.push_back(as_tables(
        "The same inputs, and what each scheme answered (first seed; wrong words are underlined)", answers));
  return element("div", {{"id", "accuracy"}}, parts);
}

}  // namespace locus
