#include "base/error.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace locus {

namespace {

// Without the middle of a message that quotes something very long, such as a key of 5,000 characters in a damaged file.
std::string without_middle(const std::string& line) {
  if (line.size() <= longest_error) return line;
  const auto continues = [&](std::size_t at) { return (line[at] & 0xC0) == 0x80; };  // a UTF-8 character
  std::size_t first = longest_error / 2, second = line.size() - longest_error / 2;
  while (continues(first)) --first;
  while (second < line.size() && continues(second)) ++second;
  return str(line.substr(0, first), " ... ", line.substr(second));
}

}  // namespace

std::string error_line(std::string_view where, std::string_view what, std::string_view hint) {
  std::string line = str("[", where, "] ", what);
  if (!hint.empty()) line += str(". Hint: ", hint);
  std::ranges::replace(line, '\0', '?');  // where what() would end
  return without_middle(line);
}

void fail(std::string_view where, std::string_view what, std::string_view hint) {
  throw Error(error_line(where, what, hint));
}

void fail_usage(std::string_view where, std::string_view what, std::string_view hint) {
  throw UsageError(error_line(where, what, hint));
}

namespace {

// The fewest letters to replace, put in, leave out or swap with their neighbour (restricted Damerau distance), row by
// row. Upper and lower case are equal: all names are in lower case.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  const auto small = [](char letter) { return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter; };
  const auto same = [&](std::size_t i, std::size_t j) { return small(a[i - 1]) == small(b[j - 1]); };
  std::vector<std::size_t> before_last, last, row(b.size() + 1);  // of i - 2, i - 1 and i letters of a
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = std::exchange(last, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j - 1] + (same(i, j) ? 0 : 1), last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && same(i, j - 1) && same(i - 1, j);
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(std::string_view given, const std::vector<std::string>& valid) {
  if (valid.empty()) return "";
  const auto nearest = std::min_element(valid.begin(), valid.end(), [&](const auto& a, const auto& b) {
    return edit_distance(given, a) < edit_distance(given, b);
  });
  const std::size_t distance = edit_distance(given, *nearest);
  const bool likely =
      distance <= (given.size() + 1) / 3;  // most letters are right: "nope" is not like "copy"
  return likely ? *nearest : "";
}

std::string nearest_names(std::string_view given, const std::vector<std::string>& valid) {
  if (valid.empty()) return "";
  const std::string nearest = nearest_name(given, valid);
  return nearest.empty() ? "valid: " + join(valid, ", ") : str("did you mean '", nearest, "'?");
}

}  // namespace locus
