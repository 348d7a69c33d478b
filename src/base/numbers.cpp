#include "base/numbers.h"

#include <set>

#include "base/error.h"

namespace locus {

int read_integer(std::string_view where, std::string_view name, const std::string& value, int low, int high) {
  const std::string right = str("give a whole number from ", low, " to ", high);
  const auto number = parse_double(value);
  if (number && !(*number >= low && *number <= high))
    fail_usage(where, str(name, ' ', value, " is out of range"), right);
  const auto whole = parse_int(value);  // which 5.0 and 1e2 are not
  if (!whole) fail_usage(where, str(name, " '", value, "' is not a whole number"), right);
  return *whole;
}

double read_number(std::string_view where, std::string_view name, const std::string& value, double low,
                   double high) {
  const std::string right = str("give a number from ", low, " to ", high);
  const auto number = parse_double(value);
  if (!number) fail_usage(where, str(name, " '", value, "' is not a number"), right);
  if (!(*number >= low && *number <= high))
    fail_usage(where, str(name, ' ', value, " is out of range"), right);
  return *number;
}

std::vector<int> read_integers(std::string_view where, std::string_view name, const std::string& values,
                               int low, int high) {
  std::vector<int> numbers;
  for (const std::string& value : split(values, ','))
    numbers.push_back(read_integer(where, name, value, low, high));
  return numbers;
}

std::pair<int, int> read_range(std::string_view where, std::string_view name, const std::string& value,
                               int most, std::string_view what) {
  const auto dash = value.find('-');
  const auto low = parse_int(value.substr(0, dash));
  const auto high = dash == value.npos ? low : parse_int(value.substr(dash + 1));
  if (low && high && *low > *high)
    fail_usage(where, str(name, " '", value, "': ", *low, " is larger than ", *high),
               str("the smaller one first: ", *high, "-", *low));
  if (!low || !high || *low < 1 || *high > most)
    fail_usage(where, str(name, " '", value, "' is not a range of ", what, " from 1 to ", most),
               "for example 12 or 2-12");
  return {*low, *high};
}

std::vector<int> read_lengths(std::string_view where, std::string_view name, const std::string& values,
                              int most) {
  constexpr std::size_t most_lengths = 1000;
  std::vector<int> lengths;
  std::set<int> seen;
  for (const std::string& part : split(values, ',')) {
    const bool one = parse_int(part).has_value();
    if (!one && part.find('-') == part.npos)
      fail_usage(where, str(name, " '", part, "' is not a whole number"),
                 "lengths are whole numbers or ranges of them: 12,18,24 or 2-12");
    if (one) read_integer(where, name, part, 1, most);
    const auto [low, high] = read_range(where, name, part, most);
    if (seen.size() + static_cast<std::size_t>(high - low) >= most_lengths + (seen.contains(low) ? 1 : 0))
      fail_usage(where, str(name, " '", values, "' holds more than ", most_lengths, " lengths"),
                 "name fewer");
    for (int length = low; length <= high; ++length)
      if (seen.insert(length).second) lengths.push_back(length);
  }
  return lengths;
}

}  // namespace locus
