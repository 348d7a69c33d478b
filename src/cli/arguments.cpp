#include "cli/arguments.h"

#include <algorithm>

#include "base/error.h"
#include "base/numbers.h"

namespace locus {

Arguments::Arguments(std::string_view command, const std::vector<OptionSpec>& options,
                     const std::vector<std::string>& words, std::size_t least_positional,
                     std::size_t most_positional, std::string_view usage)
    : command_(command), words_(words) {
  const std::string see_help = str("`locus help ", command, "` shows how it is used");
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i].empty()) fail_usage(command, "an argument is empty", see_help);
    if (!words[i].starts_with("--")) {
      positional_.push_back(words[i]);
      continue;
    }
    const auto equals = words[i].find('=');  // --steps=500 is --steps 500
    const std::string name = words[i].substr(0, equals);
    const auto spec = std::ranges::find(options, name, &OptionSpec::name);
    if (spec == options.end()) {
      std::vector<std::string> known;
      for (const OptionSpec& option : options) known.push_back(option.name);
      const std::string nearest = nearest_name(name, known);
      fail_usage(command, str("there is no option ", name),
                 nearest.empty() ? see_help : str("did you mean '", nearest, "'?"));
    }
    if (given(name) && !spec->list) fail_usage(command, str(name, " is given twice"), "give it once");
    auto& values = values_[name];
    const std::size_t before = values.size();
    if (equals != std::string::npos)
      values.push_back(words[i].substr(equals + 1));
    else if (!spec->value.empty())
      while (i + 1 < words.size() && !words[i + 1].starts_with("--") &&
             (spec->list || values.size() == before))
        values.push_back(words[++i]);
    if (spec->value.empty() && values.size() > before)
      fail_usage(command, str(name, " takes no value"), see_help);
    if (!spec->value.empty() && (values.size() == before || std::ranges::count(values, "")))
      fail_usage(command, str(name, " needs a value: ", name, " ", spec->value), see_help);
  }
  if (positional_.size() > most_positional) {
    const std::string& word = positional_[most_positional];
    fail_usage(command, str("'", word, "' is one word too many"),
               parse_double(word) ? "separate several numbers by commas: 12,18" : see_help);
  }
  if (positional_.size() < least_positional)
    fail_usage(command,
               str("a word is missing", usage.empty() ? "" : str(": `locus ", command, " ", usage, "`")),
               see_help);
}

Arguments Arguments::with_defaults(const Arguments& defaults) const {
  Arguments both = *this;
  both.values_.insert(defaults.values_.begin(), defaults.values_.end());
  return both;
}

Arguments Arguments::with(const std::string& option, const std::string& value) const {
  Arguments changed = *this;
  changed.values_[option] = {value};
  return changed;
}

Arguments Arguments::without(const std::string& option) const {
  Arguments fewer = *this;
  fewer.values_.erase(option);
  return fewer;
}

std::string Arguments::text(std::string_view option, std::string fallback) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::move(fallback) : found->second.front();
}

std::vector<std::string> Arguments::texts(std::string_view option) const {
  const auto found = values_.find(option);
  return found == values_.end() ? std::vector<std::string>() : found->second;
}

int Arguments::integer(std::string_view option, int fallback, int low, int high) const {
  return given(option) ? read_integer(command_, option, text(option), low, high) : fallback;
}

double Arguments::number(std::string_view option, double fallback, double low, double high) const {
  return given(option) ? read_number(command_, option, text(option), low, high) : fallback;
}

std::vector<int> Arguments::integers(std::string_view option, int low, int high) const {
  return given(option) ? read_integers(command_, option, text(option), low, high) : std::vector<int>();
}

std::vector<int> Arguments::lengths(std::string_view option, int most) const {
  return given(option) ? read_lengths(command_, option, text(option), most) : std::vector<int>();
}

std::vector<std::string> Arguments::names(std::string_view option) const {
  std::vector<std::string> names;
  if (!given(option)) return names;
  for (const std::string& word : texts(option))
    for (const std::string& part : split(word, ' '))
      for (const std::string& name :
           part.find(':') == std::string::npos ? split(part, ',') : std::vector{part})
        if (!name.empty()) names.push_back(name);
  if (names.empty())
    fail_usage(command_, str(option, " '", join(texts(option), " "), "' names nothing"),
               "leave it out for the default");
  return names;
}

void Arguments::refuse(std::initializer_list<std::string_view> options, std::string_view when) const {
  for (const std::string_view option : options)
    if (given(option)) fail_usage(command_, str(option, " has no effect ", when), "leave it out");
}

std::vector<std::string> Arguments::paths(std::string_view option) const {
  std::vector<std::string> paths;
  for (const std::string& word : texts(option)) {
    std::size_t begin = 0;
    for (std::size_t end = 0; end <= word.size(); ++end) {
      const std::string_view before = std::string_view(word).substr(begin, end - begin);
      const bool separates = end < word.size() && (word[end] == ',' || word[end] == ' ') &&
                             (before.empty() || before.ends_with(".tsv") || before.ends_with(".txt"));
      if (end < word.size() && !separates) continue;
      if (!before.empty()) paths.emplace_back(before);
      begin = end + 1;
    }
  }
  if (given(option) && paths.empty())
    fail_usage(command_, str(option, " '", join(texts(option), " "), "' names nothing"),
               "leave it out for the default");
  return paths;
}

}  // namespace locus
