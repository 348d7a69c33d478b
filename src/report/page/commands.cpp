#include "report/page/commands.h"

#include <algorithm>
#include <map>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

struct Cell {
  std::string task, scheme;
  bool table;
  long long seed;
  std::string options;  // all that the other words do not say
};

std::string value_text(const Json& value) {
  return value.type() == Json::Type::string ? value.as_string("", "") : to_string(value);
}

std::string lengths_text(const Json::Array& lengths, std::string_view separator) {
  std::vector<std::string> words;
  for (const Json& length : lengths) words.push_back(value_text(length));
  return join(words, separator);
}

// What the task would choose when nobody says otherwise; nothing when it is not there to be asked.
std::optional<RunSettings> usual(const Cell& cell, const std::string& model) {
  try {
    RunSettings settings;
    settings.task = cell.task;
    settings.model.kind = parse_model_kind(model);
    return complete(settings);
  } catch (const Error&) {
    return {};
  }
}

Cell read_cell(const Result& result) {
  const auto& [json, where] = result;
  const Json& dataset = json.member("dataset", where);
  const std::string& model = json.string("model", where);
  Cell cell{.task = dataset.is_null() ? json.string("task", where) : dataset.as_string(where, "dataset"),
            .scheme = json.string("scheme", where),
            .table = !dataset.is_null(),
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
    if (const Json& value = json.member(key, where); !value.is_null()) add(name, value_text(value));
  const Json::Array &trained = json.array("train_lengths", where),
                    &tested = json.array("test_lengths", where);
  const auto settings = usual(cell, model);
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
  std::vector<std::string> schemes;  // in the order of first appearance
  std::map<std::string, std::set<long long>> seeds;
  std::vector<Cell> cells;

  void add(const Cell& cell) {
    if (!seeds.contains(cell.scheme)) schemes.push_back(cell.scheme);
    seeds[cell.scheme].insert(cell.seed);
    cells.push_back(cell);
  }
  // N when every scheme has the seeds 1 to N; 0 otherwise.
  long long whole() const {
    const std::set<long long>& first = seeds.begin()->second;
    const bool alike = std::ranges::all_of(seeds, [&](const auto& one) { return one.second == first; });
    const auto count = static_cast<long long>(first.size());
    const bool counts_up = *first.begin() == 1 && *first.rbegin() == count;
    return alike && counts_up && cells.front().options.find(" --from ") == std::string::npos ? count : 0;
  }
};

}  // namespace

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,:=/+-";
  if (!word.empty() && word.find_first_not_of(plain) == word.npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

std::vector<std::string> commands(const std::vector<Result>& results) {
  std::vector<std::pair<std::string, std::string>> order;  // options and task
  std::map<std::pair<std::string, std::string>, Part> parts;
  for (const Result& result : results) {
    const Cell cell = read_cell(result);
    const auto key = std::pair(cell.options, cell.task);
    if (!parts.contains(key)) order.push_back(key);
    parts[key].add(cell);
  }

  std::vector<std::string> lines, ends;  // what is common to the tasks of a command stands at its end
  std::vector<std::vector<std::string>> tasks, tables;
  for (const auto& key : order) {
    const Part& part = parts[key];
    if (part.whole() == 0) {
      for (const Cell& cell : part.cells) lines.push_back(train_command(cell));
      continue;
    }
    const std::string end = text(scheme_words(part.schemes), " --seeds ", part.whole(), ' ', key.first);
    const auto place = static_cast<std::size_t>(std::ranges::find(ends, end) - ends.begin());
    if (place == ends.size()) {
      ends.push_back(end);
      tasks.emplace_back();
      tables.emplace_back();
    }
    (part.cells.front().table ? tables : tasks)[place].push_back(shell_word(key.second));
  }
  for (std::size_t i = ends.size(); i-- > 0;)
    lines.insert(lines.begin(),
                 text("build/locus ablate", tasks[i].empty() ? "" : " --tasks " + join(tasks[i], " "),
                      tables[i].empty() ? "" : " --datasets " + join(tables[i], " "), ends[i]));
  return lines;
}

}  // namespace locus
