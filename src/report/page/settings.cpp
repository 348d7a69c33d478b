// What was run, and how to run it again.
#include <algorithm>

#include "base/text.h"
#include "report/page/commands.h"
#include "report/page/parts.h"
#include "report/page/sections.h"

namespace locus {

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
