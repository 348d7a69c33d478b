#include "io/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/text.h"
#include "io/utf8.h"

namespace locus {

namespace {

std::string print(double value, std::chars_format format, int precision) {
  char buffer[512];
  std::string out(buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format, precision).ptr);
  const bool zero = out.find_first_not_of("-0.") == std::string::npos;
  return zero && out.front() == '-' ? out.substr(1) : out;  // no "-0.0"
}

}  // namespace

std::string fixed(double value, int decimals) { return print(value, std::chars_format::fixed, decimals); }
std::string in_percent(double share) { return fixed(100 * share, 0); }

std::string significant(double value, int digits) { return print(value, std::chars_format::general, digits); }

std::string with_separators(long long value) {
  std::string digits = str(value);
  for (std::size_t at = digits.size(); at > 3 && digits[at - 4] != '-';) digits.insert(at -= 3, ",");
  return digits;
}

bool reads_plainly(double value) { return value == 0 || (std::abs(value) >= 1e-3 && std::abs(value) < 1e6); }

std::vector<std::string> lines_that_fit(std::string_view text,
                                        const std::function<bool(std::string_view)>& fits) {
  std::vector<std::string> lines;
  for (const std::string& word : split(text, ' '))
    if (!lines.empty() && fits(lines.back() + ' ' + word))
      lines.back() += ' ' + word;
    else
      lines.push_back(word);
  return lines;
}

std::string wrapped(std::string_view text, std::size_t columns) {
  return join(lines_that_fit(text, [&](std::string_view line) { return display_width(line) <= columns; }),
              "\n") +
         '\n';
}

namespace {

// "  build/locus train ...": a command to be copied.
bool is_example(const std::string& line) {
  const std::string program = line.substr(0, line.find(' ', line.find_first_not_of(' ')));
  return line.starts_with("  ") && program.substr(program.find_last_of(" /") + 1).starts_with("locus");
}

std::string fitted_line(const std::string& line, std::size_t columns) {
  if (display_width(line) <= columns || is_example(line) || line.find('\x1b') != line.npos) return line;
  const std::size_t start = line.find_first_not_of(' '), gap = line.rfind("  ", columns / 2);
  const std::size_t indent = gap != line.npos && gap > start ? line.find_first_not_of(' ', gap) : start;
  const std::string head = line.substr(0, indent), margin(display_width(head), ' ');
  const auto fits = [&](std::string_view part) { return margin.size() + display_width(part) <= columns; };
  return head + join(lines_that_fit(line.substr(indent), fits), '\n' + margin);
}

}  // namespace

std::string fitted(std::string_view text, std::size_t columns) {
  std::vector<std::string> lines = split(text, '\n');
  for (std::string& line : lines) line = fitted_line(line, columns);
  return join(lines, "\n");
}

std::string short_number(double value) {
  if (!std::isfinite(value) || !reads_plainly(value)) return significant(value, 3);
  if (std::abs(value) >= 100 || std::trunc(value) == value) return fixed(value, 0);
  return significant(value, 3);
}

}  // namespace locus
