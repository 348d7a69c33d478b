#include "cli/arguments.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"

namespace locus {

namespace {

std::optional<int> parse_as(std::string_view text, int) { return parse_int(text); }
std::optional<double> parse_as(std::string_view text, double) { return parse_double(text); }

template <class Number>
Number number_in(std::string_view command, std::string_view option, const std::string& value, Number low,
                 Number high) {
  const auto number = parse_as(value, low);
  const std::string right =
      text("give a ", std::is_integral_v<Number> ? "whole number" : "number", " from ", low, " to ", high);
  if (!number)
    fail_usage(
        command,
        text(option, " '", value, "' is not a ", std::is_integral_v<Number> ? "whole number" : "number"),
        right);
  if (!(*number >= low && *number <= high))
    fail_usage(command, text(option, " ", value, " is out of range"), right);
  return *number;
}

}  // namespace

Arguments::Arguments(std::string_view command, const std::vector<OptionSpec>& options,
                     const std::vector<std::string>& words, std::size_t least_positional,
                     std::size_t most_positional, std::string_view usage)
    : command_(command), words_(words) {
  const std::string see_help = locus::text("`locus help ", command, "` shows how it is used");
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
      fail_usage(command, locus::text("there is no option ", name),
                 known.empty() ? see_help : nearest_names(name, known));
    }
    if (given(name) && !spec->list) fail_usage(command, locus::text(name, " is given twice"), "give it once");
    auto& values = values_[name];
    const std::size_t before = values.size();
    if (equals != std::string::npos)
      values.push_back(words[i].substr(equals + 1));
    else if (!spec->value.empty())
      while (i + 1 < words.size() && !words[i + 1].starts_with("--") &&
             (spec->list || values.size() == before))
        values.push_back(words[++i]);
    if (spec->value.empty() && values.size() > before)
      fail_usage(command, locus::text(name, " takes no value"), see_help);
    if (!spec->value.empty() && (values.size() == before || std::ranges::count(values, "")))
      fail_usage(command, locus::text(name, " needs a value: ", name, " ", spec->value), see_help);
  }
  if (positional_.size() > most_positional) {
    const std::string& word = positional_[most_positional];
    fail_usage(command, locus::text("'", word, "' is one word too many"),
               parse_double(word) ? "separate several numbers by commas: 12,18" : see_help);
  }
  if (positional_.size() < least_positional)
    fail_usage(command,
               locus::text("a word is missing",
                           usage.empty() ? "" : locus::text(": `locus ", command, " ", usage, "`")),
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
  return given(option) ? number_in<int>(command_, option, text(option), low, high) : fallback;
}

double Arguments::number(std::string_view option, double fallback, double low, double high) const {
  return given(option) ? number_in<double>(command_, option, text(option), low, high) : fallback;
}

std::vector<int> Arguments::integers(std::string_view option, int low, int high) const {
  std::vector<int> values;
  if (given(option))
    for (const std::string& part : split(text(option), ','))
      values.push_back(number_in<int>(command_, option, part, low, high));
  return values;
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
    fail_usage(command_, locus::text(option, " '", join(texts(option), " "), "' names nothing"),
               "leave it out for the default");
  return names;
}

void Arguments::refuse(std::initializer_list<std::string_view> options, std::string_view when) const {
  for (const std::string_view option : options)
    if (given(option)) fail_usage(command_, locus::text(option, " has no effect ", when), "leave it out");
}

IntegerRange Arguments::range(std::string_view option, int most) const {
  return range_in(option, text(option), most);
}

IntegerRange Arguments::range_in(std::string_view option, const std::string& value, int most) const {
  const auto dash = value.find('-');
  const auto low = parse_int(value.substr(0, dash));
  const auto high = dash == value.npos ? low : parse_int(value.substr(dash + 1));
  if (low && high && *low > *high)
    fail_usage(command_, locus::text(option, " '", value, "': ", *low, " is larger than ", *high),
               locus::text("the smaller one first: ", *high, "-", *low));
  if (!low || !high || *low < 1 || *high > most)
    fail_usage(command_, locus::text(option, " '", value, "' is not a range of lengths from 1 to ", most),
               "for example 12 or 2-12");
  return {*low, *high};
}

std::vector<int> Arguments::lengths(std::string_view option, int most) const {
  constexpr std::size_t most_lengths = 1000;
  std::vector<int> lengths;
  if (!given(option)) return lengths;
  std::set<int> seen;
  for (const std::string& part : split(text(option), ',')) {
    const bool one = parse_int(part).has_value();
    if (!one && part.find('-') == part.npos)
      fail_usage(command_, locus::text(option, " '", part, "' is not a whole number"),
                 "lengths are whole numbers or ranges of them: 12,18,24 or 2-12");
    const auto [low, high] =
        one ? IntegerRange{number_in<int>(command_, option, part, 1, most), parse_int(part).value()}
            : range_in(option, part, most);
    if (seen.size() + static_cast<std::size_t>(high - low) >= most_lengths + (seen.contains(low) ? 1 : 0))
      fail_usage(command_,
                 locus::text(option, " '", text(option), "' holds more than ", most_lengths, " lengths"),
                 "name fewer");
    for (int length = low; length <= high; ++length)
      if (seen.insert(length).second) lengths.push_back(length);
  }
  return lengths;
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
    fail_usage(command_, locus::text(option, " '", join(texts(option), " "), "' names nothing"),
               "leave it out for the default");
  return paths;
}

}  // namespace locus
