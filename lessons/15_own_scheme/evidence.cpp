#include "lessons/15_own_scheme/evidence.h"

#include <algorithm>

#include "base/error.h"

namespace locus {

namespace {

constexpr Said all_said[] = {Said::better, Said::worse, Said::equal, Said::not_told_apart};
const std::string form =
    "SCHEME is better than (worse than, equal to, not told apart from) CONTROL on TASK at LENGTH";

std::string trimmed(const std::string& line) {
  const auto from = line.find_first_not_of(" \t\r"), to = line.find_last_not_of(" \t\r");
  return from == line.npos ? "" : line.substr(from, to - from + 1);
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words = split(line, ' ');
  std::erase(words, "");
  return words;
}

// What else a verdict is written as, and why it is none.
std::string why_no_verdict(const std::string& given) {
  if (given.find("much") != given.npos || given.find("far") != given.npos ||
      given.find("clearly") != given.npos)
    return "how much is in the numbers; a sentence says whether";
  if (given.find("always") != given.npos || given.find("never") != given.npos)
    return "a few seeds of one task say nothing about 'always'";
  if (given.find("best") != given.npos || given.find("worst") != given.npos)
    return "a comparison names two schemes: better than one of them";
  if (given.find("same as") != given.npos || given.find("as good as") != given.npos)
    return "'equal to' is shown by an equivalence test; when nothing is shown, it is 'not told apart from'";
  return "write 'better than', 'worse than', 'equal to' or 'not told apart from'";
}

}  // namespace

std::string to_string(Said said) {
  constexpr const char* names[] = {"better than", "worse than", "equal to", "not told apart from"};
  return names[static_cast<std::size_t>(said)];
}

bool Statement::is_about_what(const Statement& other) const {
  return scheme == other.scheme && control == other.control && task == other.task && length == other.length;
}

Statement read_statement(const std::string& given, const std::string& where) {
  std::vector<std::string> words = words_of(given);
  while (!words.empty() && words.back().ends_with('.')) {  // the end of a sentence
    words.back().pop_back();
    if (words.back().empty()) words.pop_back();
  }
  const auto is = std::ranges::find(words, "is"), on = std::ranges::find(words, "on"),
             at = std::ranges::find(words, "at");
  if (is != words.begin() + 1) fail(where, str("'", given, "' does not begin with a scheme and 'is'"), form);
  if (on == words.end()) fail(where, str("'", given, "' does not say on which task"), form);
  if (at == words.end())
    fail(where, str("'", given, "' does not say at which length"),
         "a result at one length is none at another; end with, for example, 'at 12'");
  if (!(is < on && on < at)) fail(where, str("'", given, "' has its words in another order"), form);
  if (on - is < 3) fail(where, str("'", given, "' does not say with what it is compared"), form);

  Statement statement{
      .scheme = words[0], .said = {}, .control = *(on - 1), .task = {}, .length = 0, .words = {}};
  const std::string verdict = join(std::vector(is + 1, on - 1), " ");
  const auto said = std::ranges::find(all_said, verdict, [](Said one) { return to_string(one); });
  if (said == std::end(all_said))
    fail(where, str("'", verdict, "' is not one of the four verdicts"),
         why_no_verdict(join(std::vector(is + 1, on), " ")));
  statement.said = *said;
  if (at - on != 2)
    fail(where, str("'", join(std::vector(on + 1, at), " "), "' is not one task"),
         "a sentence is about one task; write a sentence for each");
  statement.task = *(on + 1);
  const auto length = words.end() - at == 2 ? parse_int(*(at + 1)) : std::nullopt;
  if (!length || *length < 1)
    fail(where, str("'", join(std::vector(at + 1, words.end()), " "), "' is not one length"),
         "a whole number of tokens; for several lengths write several sentences");
  statement.length = *length;
  statement.words = join(words, " ");
  return statement;
}

Evidence read_evidence(const std::string& all, const std::string& where) {
  const std::vector<std::string> keys = {"scheme", "prediction", "runs", "sentence"};
  Evidence evidence;
  int number = 0;
  for (const std::string& raw : split(all, '\n')) {
    ++number;
    const std::string line = trimmed(raw), at = str(where, ':', number);
    if (line.empty() || line[0] == '#') continue;
    const auto colon = line.find(':');
    const std::string key = trimmed(line.substr(0, colon));
    if (colon == line.npos)
      fail(at, str("'", line, "' has no colon"),
           "key: value, as in 'scheme: wheel'; each sentence needs a line that begins with 'sentence:', "
           "and a note begins with #");
    if (!std::ranges::count(keys, key))
      fail(at, str("there is no '", key, "' in the form"), nearest_names(key, keys));
    const std::string value = trimmed(line.substr(colon + 1));
    if (value.empty()) continue;
    if (key == "runs") {
      for (const std::string& folder : words_of(value)) evidence.runs.push_back(folder);
    } else if (key == "scheme") {
      if (!evidence.scheme.empty()) fail(at, "the scheme is named twice", "one form is about one scheme");
      evidence.scheme = value;
    } else {
      const Statement statement = read_statement(value, at);
      (key == "prediction" ? evidence.predictions : evidence.sentences).push_back(statement);
    }
  }
  for (const auto* statements : {&evidence.predictions, &evidence.sentences})
    for (const Statement& one : *statements) {
      if (one.scheme != evidence.scheme)
        fail(where, str("'", one.words, "' is about '", one.scheme, "'"),
             str("this form is about '", evidence.scheme, "'"));
      if (one.control != "none" && one.control != "rope")
        fail(where, str("'", one.words, "' compares with '", one.control, "'"),
             "the controls are none and rope");
    }
  return evidence;
}

}  // namespace locus
