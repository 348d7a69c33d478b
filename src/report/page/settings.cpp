#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"
#include "base/shell.h"
#include "base/text.h"
#include "report/page/parts.h"

namespace locus {

namespace {

struct Cell {
  std::string task, scheme;
  bool table, from;  // a table of examples; a run that goes on from another
  long long seed;
  std::string options;  // all that the other words do not say
};

std::string typed(const Json& value) {
  return value.type() == Json::Type::string ? value.as_string("", "") : to_string(value);
}

std::string lengths_text(const Json::Array& lengths, std::string_view separator) {
  std::vector<std::string> words;
  for (const Json& length : lengths) words.push_back(typed(length));
  return join(words, separator);
}

// The lengths a task would choose for a model when nobody says otherwise; nothing when the task is not there
// to be asked.
class UsualLengths {
 public:
  const std::optional<RunSettings>& of(const std::string& task, const std::string& model) {
    const auto [found, is_new] = known_.try_emplace({task, model});
    if (is_new) found->second = ask(task, model);
    return found->second;
  }

 private:
  static std::optional<RunSettings> ask(const std::string& task, const std::string& model) {
    try {
      RunSettings settings;
      settings.task = task;
      settings.model.kind = parse_model_kind(model);
      return complete(settings);
    } catch (const Error&) {
      return {};
    }
  }

  std::map<std::pair<std::string, std::string>, std::optional<RunSettings>> known_;
};

Cell read_cell(const Result& result, UsualLengths& usual) {
  const auto& [json, where] = result;
  const Json& dataset = json.member("dataset", where);
  const std::string& model = json.string("model", where);
  Cell cell{.task = dataset.is_null() ? json.string("task", where) : dataset.as_string(where, "dataset"),
            .scheme = json.string("scheme", where),
            .table = !dataset.is_null(),
            .from = json.find("from") != nullptr,
            .seed = json.integer("seed", where),
            .options = "--model " + shell_word(model)};
  const auto add = [&](const char* option, const std::string& value) {
    cell.options += text(' ', option, ' ', shell_word(value));
  };
  struct Option {
    const char *name, *key;
  };
  for (const auto& [name, key] : std::initializer_list<Option>{{"--layers", "layers"},
                                                               {"--heads", "heads"},
                                                               {"--d-model", "d_model"},
                                                               {"--d-ff", "d_ff"},
                                                               {"--batch", "batch"},
                                                               {"--steps", "max_steps"},
                                                               {"--lr", "learning_rate"},
                                                               {"--test-examples", "test_examples"}})
    if (const Json& value = json.member(key, where); !value.is_null()) add(name, typed(value));
  const Json::Array &trained = json.array("train_lengths", where),
                    &tested = json.array("test_lengths", where);
  const auto& settings = usual.of(cell.task, model);
  if (!settings ||
      Json(trained) != Json(Json::Array{settings->train.lengths.low, settings->train.lengths.high}))
    add("--train-lengths", lengths_text(trained, "-"));
  if (!settings ||
      Json(tested) != Json(Json::Array(settings->test_lengths.begin(), settings->test_lengths.end())))
    add("--test-lengths", lengths_text(tested, ","));
  if (!json.boolean("stop_when_solved", where)) cell.options += " --full";
  if (json.find("from")) add("--from", json.string("from", where));
  return cell;
}

std::string scheme_words(const std::vector<std::string>& schemes) {
  std::string words, by_layer;
  for (const std::string& scheme : schemes)
    (scheme.find(' ') == scheme.npos ? words : by_layer) += ' ' + shell_word(scheme);
  return (words.empty() ? "" : " --schemes" + words) +
         (by_layer.empty() ? "" : " --scheme-by-layer" + by_layer);
}

std::string train_command(const Cell& cell) {
  return text("build/locus train ", cell.table ? "--dataset " : "--task ", shell_word(cell.task),
              cell.scheme.find(' ') == std::string::npos ? " --scheme " : " --scheme-by-layer ",
              shell_word(cell.scheme), " --seed ", cell.seed, ' ', cell.options);
}

// The cells of one task under one set of options.
struct Part {
  std::string task, options;
  std::vector<Cell> cells = {};
  std::vector<std::string> schemes = {};  // in the order of first appearance
  std::map<std::string, std::set<long long>> seeds = {};

  void add(const Cell& cell) {
    if (!seeds.contains(cell.scheme)) schemes.push_back(cell.scheme);
    seeds[cell.scheme].insert(cell.seed);
    cells.push_back(cell);
  }

  // " --seeds 3 --control none" when every scheme has the seeds 1 to 3, and the control, to be compared with
  // itself, up to 6. Nothing when it is otherwise.
  std::optional<std::string> seed_words() const {
    std::size_t fewest = seeds.begin()->second.size();
    for (const auto& [scheme, has] : seeds) fewest = std::min(fewest, has.size());
    std::string twice;
    for (const auto& [scheme, has] : seeds) {
      const auto count = static_cast<long long>(has.size());
      if (*has.begin() != 1 || *has.rbegin() != count) return {};
      if (has.size() == fewest) continue;
      if (!twice.empty() || has.size() != 2 * fewest) return {};
      twice = scheme;
    }
    return text(" --seeds ", fewest, twice.empty() ? " --no-aa" : " --control " + shell_word(twice));
  }
};

std::vector<Part> parts_of(const std::vector<Result>& results) {
  std::vector<Part> parts;
  UsualLengths usual;
  std::map<std::pair<std::string, std::string>, std::size_t> place;
  for (const Result& result : results) {
    const Cell cell = read_cell(result, usual);
    const auto [found, is_new] = place.try_emplace({cell.options, cell.task}, parts.size());
    if (is_new) parts.push_back({cell.task, cell.options});
    parts[found->second].add(cell);
  }
  return parts;
}

// Tasks that share everything else, and so a command.
struct Grid {
  std::string words;  // everything else
  std::vector<std::string> tasks = {}, tables = {};

  std::string command() const {
    return text("build/locus ablate", tasks.empty() ? "" : " --tasks " + join(tasks, " "),
                tables.empty() ? "" : " --datasets " + join(tables, " "), words);
  }
};

}  // namespace

std::vector<std::string> commands(const std::vector<Result>& results) {
  std::vector<Grid> grids;
  std::vector<std::string> lines, single;
  for (const Part& part : parts_of(results)) {
    const auto seeds = part.seed_words();
    if (!seeds || part.cells.front().from) {
      for (const Cell& cell : part.cells) single.push_back(train_command(cell));
      continue;
    }
    const std::string words = text(scheme_words(part.schemes), *seeds, ' ', part.options);
    auto grid = std::ranges::find(grids, words, &Grid::words);
    if (grid == grids.end()) grid = grids.insert(grid, {words});
    (part.cells.front().table ? grid->tables : grid->tasks).push_back(shell_word(part.task));
  }
  for (const Grid& grid : grids) lines.push_back(grid.command());
  lines.insert(lines.end(), single.begin(), single.end());
  return lines;
}

// What was run, and how to run it again.

namespace {

const char* const not_settings[] = {"task",  "dataset",        "scheme", "seed",   "parameters",
                                    "steps", "steps_to_solve", "loss",   "status", "by_length"};

std::string spoken(std::string key) {
  std::ranges::replace(key, '_', ' ');
  return key;
}

std::string value_text(const Json& value) {
  switch (value.type()) {
    case Json::Type::string:
      return value.as_string("", "");
    case Json::Type::boolean:
      return value.as_boolean("", "") ? "yes" : "no";
    case Json::Type::null:
      return "–";
    case Json::Type::array: {
      std::vector<std::string> items;
      for (const Json& item : value.as_array("", "")) items.push_back(value_text(item));
      return join(items, ", ");
    }
    default:
      return to_string(value);
  }
}

// On lines that can be read and pasted: broken between words, never within quotes.
Html wrapped(const std::string& command) {
  constexpr std::size_t width = 96;
  const Html line_break = void_element("br", {});
  Html out;
  std::string line, all;
  for (const std::string& word : split(command, ' ')) {
    const bool quoted = std::ranges::count(all, '\'') % 2 == 1;
    if (!quoted && line.size() + word.size() > width) {
      out += line + " \\";
      out += line_break;
      line.assign(1, ' ');
    }
    line += (all.empty() ? "" : " ") + word;
    all += word;
  }
  out += line;
  out += line_break;
  return out;
}

// Every value a setting takes, in the order of first appearance.
struct Setting {
  std::string key;
  std::vector<std::string> values;
};

std::vector<Setting> settings_of(const std::vector<Result>& results) {
  std::vector<Setting> settings;
  for (const auto& [json, where] : results)
    for (const auto& [key, value] : json.as_object(where, "a result")) {
      if (std::ranges::find(not_settings, key) != std::end(not_settings)) continue;
      auto setting = std::ranges::find(settings, key, &Setting::key);
      if (setting == settings.end()) setting = settings.insert(setting, {key, {}});
      const std::string words = value_text(value);
      if (!std::ranges::count(setting->values, words)) setting->values.push_back(words);
    }
  return settings;
}

}  // namespace

Section settings_section(const Study& study) {
  std::vector<Html> list;
  for (const auto& [key, values] : settings_of(study.results))
    list.push_back(
        element("div", {}, {element("dt", {}, {spoken(key)}), element("dd", {}, {join(values, "; ")})}));
  std::vector<Html> parts = {element("dl", {}, list)};
  std::vector<Html> again;
  for (const std::string& command : commands(study.results)) again.push_back(wrapped(command));
  parts.push_back(paragraph(again.size() == 1
                                ? "The command that makes these results again:"
                                : "The commands that make these results again, each with an --out of "
                                  "its own; `locus report` reads the folders together:"));
  parts.push_back(element("pre", {{"tabindex", "0"}}, {element("code", {}, again)}));
  return {"settings", "Settings", parts};
}

}  // namespace locus
