#include "lessons/tools/mistakes.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/random.h"
#include "base/text.h"
#include "io/file.h"
#include "io/format.h"

namespace locus {

namespace {

constexpr std::size_t sums = 3;

std::string rounded(double sum, double tolerance) {
  const int decimals = static_cast<int>(std::ceil(-std::log10(tolerance))) + 1;
  return std::abs(sum) < 1 ? fixed(sum, decimals) : significant(sum, decimals + 1);
}

bool is_yes_or_no(const Array& answer) {
  return answer.values.size() == 1 && (answer.values[0] == 0 || answer.values[0] == 1);
}

std::vector<std::string> lines_of(const std::string& path) { return split(read_file(path), '\n'); }

// The rest of a line that begins with this word; "" if it does not.
std::string after(const std::string& line, const std::string& word) {
  if (!line.starts_with(word)) return "";
  const std::size_t start = line.find_first_not_of(' ', word.size());
  return start == std::string::npos ? "" : line.substr(start);
}

// "1 | right | 0.1213 -3.04 0.7745 | of 38217" -> {"right", "0.1213 -3.04 0.7745"}, for the comparison 1; or else {}.
std::vector<std::string> marks_in(const std::string& answer, int call) {
  std::vector<std::string> marks = split(answer, '|');
  if (parse_int(marks[0].substr(0, marks[0].find(' '))) != call) return {};
  marks.erase(marks.begin());
  if (!marks.empty() && marks.back().starts_with(" of ")) marks.pop_back();
  for (std::string& mark : marks) {
    mark.erase(0, mark.find_first_not_of(' '));
    mark.erase(mark.find_last_not_of(' ') + 1);
  }
  return marks;
}

}  // namespace

std::string mark_of(const std::vector<Array>& given, const std::vector<Array>& right, double tolerance) {
  std::array<double, sums> total{};
  std::string words, refuted;
  bool yes_or_no = true;
  for (std::size_t i = 0; i < given.size(); ++i) {
    const bool same_shape = given[i].shape == right[i].shape;
    if (!same_shape) words += str(" shape", i, given[i].shape);
    Random signs(i, Purpose::testing);
    std::string not_finite;
    for (std::size_t j = 0; j < given[i].values.size(); ++j) {
      const double value = given[i].values[j], expected = same_shape ? right[i].values[j] : 0;
      const std::uint32_t sign = signs.bits();
      if (!std::isfinite(value) || !std::isfinite(expected)) {
        if (!std::isfinite(value)) not_finite += str(j, std::isnan(value) ? 'n' : value > 0 ? '+' : '-');
        continue;
      }
      const double difference = (value - expected) / (1 + std::abs(expected));
      for (std::size_t s = 0; s < sums; ++s) total[s] += (sign >> s & 1) == 0 ? difference : -difference;
    }
    yes_or_no = yes_or_no && same_shape && is_yes_or_no(given[i]) && is_yes_or_no(right[i]);
    if (yes_or_no && given[i].values != right[i].values) refuted += str(i, ' ');
    if (!not_finite.empty()) words += str(" infinite", i, '-', hash(not_finite) % 1'000'000);
  }
  if (yes_or_no && !refuted.empty()) words += str(" refuted-", hash(refuted) % 1'000'000);
  std::vector<std::string> out;
  for (const double sum : total) out.push_back(rounded(sum, tolerance));
  return join(out, " ") + words;
}

std::string mark_of_error(const std::string& message) { return str("error-", hash(message) % 1'000'000'000); }

bool same_mark(const std::string& a, const std::string& b, double tolerance) {
  const auto x = split(a, ' '), y = split(b, ' ');
  const auto same = [&](const std::string& one, const std::string& other) {
    const auto p = parse_double(one), q = parse_double(other);
    return p && q ? std::abs(*p - *q) <= tolerance * (1 + std::abs(*q)) : one == other;
  };
  return std::ranges::equal(x, y, same);
}

std::vector<Mistake> known_mistakes(const std::string& folder, const std::string& step, int call) {
  std::vector<Mistake> known;
  std::string of_step, says;
  for (const std::string& line : lines_of(folder + "/mistakes.txt")) {  // without step: that of the one above
    if (line.starts_with("name:")) says = "";
    if (line.starts_with("step:")) of_step = after(line, "step:");
    if (line.starts_with("says:")) says = after(line, "says:");
    if (!line.starts_with("answer:") || of_step != step) continue;
    const auto marks = marks_in(after(line, "answer:"), call);
    if (!marks.empty()) known.push_back({says, marks});
  }
  return known;
}

}  // namespace locus
