#include "lessons/tools/compare.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <optional>

#include "base/error.h"
#include "base/text.h"
#include "io/format.h"
#include "lessons/tools/mistakes.h"

namespace locus {

namespace {

constexpr std::size_t most_shown = 4;

bool agree(double a, double b, double tolerance) {
  if (!std::isfinite(a) || !std::isfinite(b)) return (std::isnan(a) && std::isnan(b)) || a == b;
  return std::abs(a - b) <= tolerance * (1 + std::abs(b));
}

bool agree(const Array& a, const Array& b, double tolerance) {
  if (!(a.shape == b.shape)) return false;
  for (std::size_t i = 0; i < a.values.size(); ++i)
    if (!agree(a.values[i], b.values[i], tolerance)) return false;
  return true;
}

// "query 1"; of an axis whose name lists its elements, "low|high": "high"
std::string element(const std::string& axis, std::size_t index) {
  const std::vector<std::string> names = split(axis, '|');
  return names.size() > 1 ? names.at(index) : str(axis, ' ', index);
}

// "head 0, query 1, key 2"
std::string place(std::size_t index, const Shape& shape, const std::vector<std::string>& axes) {
  std::string out;
  for (int axis = shape.rank() - 1; axis >= 0; --axis) {
    const auto size = static_cast<std::size_t>(shape[axis]);
    if (size > 1)
      out = str(element(axes.at(static_cast<std::size_t>(axis)), index % size), out.empty() ? "" : ", ", out);
    index /= size;
  }
  return out.empty() ? element(axes.front(), 0) : out;
}

// Both numbers with four digits, or with as many as it takes to see that they differ.
std::string told_apart(double yours, double right) {
  int digits = 4;
  while (digits < 12 && significant(yours, digits) == significant(right, digits)) ++digits;
  return str("yours ", significant(yours, digits), ", right ", significant(right, digits));
}

std::vector<std::size_t> wrong_values(const Array& yours, const Array& right, double tolerance) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < right.values.size(); ++i)
    if (!agree(yours.values[i], right.values[i], tolerance)) wrong.push_back(i);
  return wrong;
}

std::string differences(const Array& yours, const Array& right, const std::vector<std::string>& axes,
                        double tolerance) {
  if (!(yours.shape == right.shape))
    return str("wrong shape. Yours is ", yours.shape, ", right is ", right.shape, ": ", join(axes, ", "),
               '.');
  for (std::size_t i = 0; i < right.values.size(); ++i)
    if (!std::isfinite(yours.values[i]) && std::isfinite(right.values[i]))
      return str(
          std::isnan(yours.values[i]) ? "not a number (NaN)" : "infinite", " at ",
          place(i, right.shape, axes), ", where ", significant(right.values[i], 4),
          " is right. Is there a division by 0, a logarithm of 0, a root of something negative, a variable that was "
          "never given a value, or an index outside of the memory?");
  const std::vector<std::size_t> wrong = wrong_values(yours, right, tolerance);
  if (right.values.size() == 1 && wrong.size() == 1)
    return told_apart(yours.values.front(), right.values.front());
  std::string out =
      str("the shape is right, ", wrong.size(), " of ", right.values.size(),
          wrong.size() > most_shown ? " values are not. The first of them:" : " values are not:");
  for (std::size_t n = 0; n < wrong.size() && n < most_shown; ++n)
    out += str("\n  at ", place(wrong[n], right.shape, axes), ": ",
               told_apart(yours.values[wrong[n]], right.values[wrong[n]]));
  return out;
}

// What the wrong values have in common: a factor, a number that was added, or where they all are.
std::string in_common(const Array& yours, const Array& right, double tolerance,
                      const std::vector<std::string>& axes) {
  const std::vector<std::size_t> wrong = wrong_values(yours, right, tolerance);
  const auto all = [&](const std::function<double(double, double)>& relation) {
    const double first = relation(yours.values[wrong[0]], right.values[wrong[0]]);
    const bool same = std::ranges::all_of(wrong, [&](std::size_t i) {
      return std::abs(relation(yours.values[i], right.values[i]) - first) <= 1e-3 * std::abs(first);
    });
    return wrong.size() > 2 && same && std::isfinite(first) ? std::optional(first) : std::nullopt;
  };
  if (const auto factor = all([](double a, double b) { return a / b; }))
    return *factor == 0 ? "\nAll wrong values are 0."
                        : str("\nEach wrong value is ", significant(*factor, 3), " times what is right.");
  if (const auto more = all([](double a, double b) { return a - b; }))
    return str("\nEach wrong value is ", significant(std::abs(*more), 3), *more > 0 ? " more" : " less",
               " than what is right.");
  if (wrong.size() <= most_shown) return "";  // where they are can be seen
  std::string at, edge;
  std::size_t inside = right.values.size();  // of an axis: so many values have one index of those before
  for (int axis = 0; axis < right.shape.rank(); ++axis) {
    const auto size = static_cast<std::size_t>(right.shape[axis]);
    inside /= size;
    std::vector<bool> has_wrong(size);
    for (const std::size_t i : wrong) has_wrong[i / inside % size] = true;
    const auto many = std::ranges::count(has_wrong, true), all_but_one = std::ssize(has_wrong) - 1;
    const std::string name = axes.at(static_cast<std::size_t>(axis));
    if (many == 1 && size > 1)
      at += str(at.empty() ? "" : ", ", name, ' ', std::ranges::find(has_wrong, true) - has_wrong.begin());
    else if (many == all_but_one && (!has_wrong.front() || !has_wrong.back()))
      edge = str("\nThe ", has_wrong.front() ? "last " : "first ", name, " is right, each other ", name,
                 " is not.");
  }
  return at.empty() ? edge : "\nAll wrong values are at " + at + '.';
}

}  // namespace

namespace {

std::string step;     // the step that runs
int comparisons = 0;  // that it has made

constexpr std::string_view named = "\nLikely cause: ";
bool names_a_mistake(const std::string& message) { return message.find(named) != std::string::npos; }

// What is said of each mistake that explains the answer.
std::string explanations(const std::vector<Mistake>& known,
                         const std::function<bool(const Mistake&)>& explains, const std::string& where) {
  std::string out;
  for (const Mistake& mistake : known) {
    if (!explains(mistake)) continue;
    const std::string says =
        where.empty() || mistake.says.starts_with(where) ? mistake.says : where + ", " + mistake.says;
    const std::string sentence = str(named, says, says.ends_with('?') ? "" : ".");
    if (out.find(sentence) == std::string::npos) out += sentence;
  }
  return out;
}

// The mistakes of the chapter in `folder` that give these marks (one for each group), or those of a group.
std::string explained(const std::vector<std::string>& marks, const std::vector<Group>& groups,
                      double tolerance, const std::string& folder) {
  // Set while answers are recorded: the marks are printed, and no mistake is named, so that none explains itself.
  if (std::getenv("LESSON_MARKS") != nullptr)
    return str("\nanswer: ", comparisons, " | ", join(marks, " | "));
  const auto known = known_mistakes(folder, step, comparisons);
  const auto same = [&](const std::string& a, const std::string& b) { return same_mark(a, b, tolerance); };
  const std::string out = explanations(
      known, [&](const Mistake& mistake) { return std::ranges::equal(marks, mistake.marks, same); }, "");
  if (!out.empty() || groups.size() == 1) return out;
  // Several mistakes at once: the first that is certain. The others are named when it is mended.
  std::string doubtful;
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (marks[g] == "right") continue;
    const std::string of_group = explanations(
        known,
        [&](const Mistake& mistake) {
          return mistake.marks.size() == marks.size() && same(marks[g], mistake.marks[g]);
        },
        groups[g].where);
    if (!of_group.empty() && of_group.rfind(named) == 0) return of_group;
    if (doubtful.empty()) doubtful = of_group;
  }
  return doubtful;
}

// Whether an answer is another one in other memory, and so reads what it has not written.
bool changes_with_memory(const Answer& yours, const std::vector<Array>& given) {
  bool changes = false;
  try_in_other_memory([&] {
    try {
      for (std::size_t i = 0; i < given.size(); ++i) changes |= !agree(yours(i), given[i], 0);
    } catch (const Error&) {
      changes = true;
    }
  });
  return changes;
}

}  // namespace

void begin_step(const std::string& number) {
  step = number;
  comparisons = 0;
}

namespace {

void compare_answers(const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
                     const Answer& yours, const Answer& right, double tolerance,
                     const std::vector<Group>& in_groups, const Words& words, const char* file) {
  if (!(tolerance > 0))
    fail("compare", "a tolerance must be above 0. Hint: 1e-12 for doubles that should be equal");
  ++comparisons;
  was_written_outside();  // from here on
  const std::string folder = std::filesystem::path(file).parent_path();
  std::vector<Group> groups = in_groups;
  if (groups.empty()) {
    groups.resize(1);
    for (std::size_t i = 0; i < inputs.size(); ++i) groups[0].inputs.push_back(i);
  }
  std::vector<Array> given, correct;
  for (std::size_t i = 0; i < inputs.size(); ++i) correct.push_back(right(i));
  try {
    for (std::size_t i = 0; i < inputs.size(); ++i) given.push_back(yours(i));
  } catch (const Error& error) {
    const std::vector<std::string> marks(groups.size(), mark_of_error(error.what()));
    throw Error(error.what() + explained(marks, groups, tolerance, folder));
  }

  const auto is_right = [&](std::size_t i) { return agree(given[i], correct[i], tolerance); };
  std::size_t wrong = 0;  // the first input that is
  while (wrong < inputs.size() && is_right(wrong)) ++wrong;
  std::vector<std::string> marks;
  for (const Group& group : groups) {
    std::vector<Array> theirs, expected;
    for (const std::size_t i : group.inputs) {
      theirs.push_back(given[i]);
      expected.push_back(correct[i]);
    }
    marks.push_back(std::ranges::all_of(group.inputs, is_right) ? "right"
                                                                : mark_of(theirs, expected, tolerance));
  }
  const bool outside = was_written_outside();
  if (wrong == inputs.size() && outside)
    throw Error(
        "All values are right, but your lines write outside of them, into memory that belongs to others.");
  if (wrong == inputs.size()) return;
  const bool are_numbers =
      given[wrong].shape == correct[wrong].shape &&
      std::ranges::all_of(given[wrong].values, [](double value) { return std::isfinite(value); });
  const bool in_words = words.wrong && are_numbers;
  const std::string first =
      str(inputs[wrong], ": ",
          in_words ? words.wrong(wrong, given) : differences(given[wrong], correct[wrong], axes, tolerance));
  std::string below = explained(marks, groups, tolerance, folder);
  if (!names_a_mistake(below)) {
    if (outside)
      below += "\nThese lines write outside of the gradients, into memory that belongs to others.";
    else if (changes_with_memory(yours, given))  // so the answer is not recorded
      below =
          "\nThe next time these lines give other numbers: they read memory that is not theirs, or a "
          "variable that was never given a value. Is an index outside, or do two iterators belong to "
          "different lists?";
    else if (words.unexplained)
      below += words.unexplained(wrong, given);
    else if (are_numbers)
      below += in_common(given[wrong], correct[wrong], tolerance, axes);
  }
  throw Error(first + below);
}

}  // namespace

void compare(const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
             const Answer& yours, const Answer& right, double tolerance, const std::vector<Group>& groups,
             const char* file) {
  compare_answers(inputs, axes, yours, right, tolerance, groups, {}, file);
}

void compare_in_words(const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
                      const Answer& yours, const Answer& right, double tolerance, const Words& words,
                      const char* file) {
  compare_answers(inputs, axes, yours, right, tolerance, {}, words, file);
}

void compare_by_hand(const std::string& function, const std::vector<double>& yours,
                     const std::vector<std::pair<std::string, double>>& right,
                     const std::function<std::string(std::size_t number)>& unexplained, const char* file) {
  if (yours.size() != right.size())
    throw Error(str(function, " gives ", yours.size(), " numbers, and should give ", right.size(), "."));
  for (std::size_t q = 0; q < yours.size(); ++q) {
    const Words words{
        [&](auto, auto&) { return str("yours is ", significant(yours[q], 3), ", which is not right."); },
        [&](auto, auto&) { return "\n" + unexplained(q); }};
    compare_in_words(
        {right[q].first}, {"number"}, [&](std::size_t) { return list({yours[q]}); },
        [&](std::size_t) { return list({right[q].second}); }, 1e-3, words, file);
  }
}

}  // namespace locus
