#include "positional/support/options.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/size.h"

namespace locus {

namespace {

void check_value(std::string_view scheme, const SchemeOption& option, const std::string& value) {
  const std::string given = str("'", option.name, "=", value, "'");
  if (!option.choices.empty()) {
    if (!std::ranges::count(option.choices, value))
      fail_usage(scheme, given + " is not a choice", nearest_names(value, option.choices));
    return;
  }
  const std::string right =
      str(option.name, " is ", option.integer ? "a whole number" : "a number",
          option.list ? ", or several with / between," : "", " from ", range_text(option));
  for (const std::string& part : option.list ? split(value, '/') : std::vector{value}) {
    const auto number = parse_double(part);
    if (!number) fail_usage(scheme, given + " is not a number", right);
    if (option.integer && *number != std::floor(*number))
      fail_usage(scheme, given + " is not a whole number", right);
    if (*number < option.low || *number > option.high) fail_usage(scheme, given + " is out of range", right);
  }
}

}  // namespace

SchemeOption choice_option(std::string name, std::string fallback, std::vector<std::string> choices,
                           std::string help) {
  return {std::move(name), std::move(fallback), std::move(help), std::move(choices)};
}
SchemeOption number_option(std::string name, std::string fallback, double low, double high,
                           std::string help) {
  return {std::move(name), std::move(fallback), std::move(help), {}, low, high};
}
SchemeOption integer_option(std::string name, std::string fallback, double low, double high,
                            std::string help) {
  return {std::move(name), std::move(fallback), std::move(help), {}, low, high, true};
}
SchemeOption list_option(std::string name, double low, double high, std::string help) {
  return {std::move(name), "", std::move(help), {}, low, high, false, true};
}
SchemeOption integers_option(std::string name, double low, double high, std::string help) {
  return {std::move(name), "", std::move(help), {}, low, high, true, true};
}

std::string range_text(const SchemeOption& option) {
  auto plain = [](double value) {
    const bool whole = std::floor(value) == value && std::abs(value) < 1e15;
    return whole ? str(static_cast<long long>(value)) : str(value);
  };
  return str(plain(option.low), " to ", plain(option.high));
}

Options::Options(std::string_view scheme, const std::vector<SchemeOption>& options,
                 const std::vector<std::pair<std::string, std::string>>& given) {
  std::vector<std::string> names;
  for (const SchemeOption& option : options) {
    values_.emplace_back(option.name, option.fallback);
    names.push_back(option.name);
  }
  for (const auto& [name, value] : given) {
    const auto index = std::ranges::find(names, name) - names.begin();
    if (as_size(index) == names.size())
      fail_usage(scheme, str("it has no option '", name, "'"),
                 names.empty() ? "it takes none" : nearest_names(name, names));
    if (this->given(name)) fail_usage(scheme, str("'", name, "' is given twice"), "give it once");
    given_.push_back(name);
    check_value(scheme, options[as_size(index)], value);
    values_[as_size(index)].second = value;
  }
}

bool Options::given(std::string_view option) const { return std::ranges::count(given_, option) > 0; }

const std::string& Options::text(std::string_view option) const {
  const auto found = std::ranges::find(values_, option, &std::pair<std::string, std::string>::first);
  if (found == values_.end()) fail("options", str("no option '", option, "' was declared"));
  return found->second;
}

std::vector<double> Options::numbers(std::string_view option) const {
  std::vector<double> numbers;
  if (!text(option).empty())
    for (const std::string& part : split(text(option), '/')) numbers.push_back(parse_double(part).value());
  return numbers;
}

double Options::number(std::string_view option) const { return parse_double(text(option)).value(); }
int Options::integer(std::string_view option) const { return static_cast<int>(number(option)); }

}  // namespace locus
