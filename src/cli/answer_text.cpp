#include "cli/answer_text.h"

#include <algorithm>

#include "base/size.h"
#include "base/text.h"
#include "io/format.h"
#include "io/terminal.h"
#include "io/utf8.h"

namespace locus {

namespace {

constexpr std::size_t label_width = 13;  // "probability" and two spaces

// The words of a line, from the column after the label on.
struct Line {
  std::string label;
  std::vector<std::string> words;
};

// Lines whose words stand below each other, all of one width.
std::string in_columns(const std::vector<Line>& lines, std::size_t width) {
  std::size_t widest = 1, count = 0;
  for (const Line& line : lines) {
    count = std::max(count, line.words.size());
    for (const std::string& word : line.words) widest = std::max(widest, display_width(word));
  }
  const std::size_t room = width > label_width ? width - label_width + 1 : 1,
                    in_block = std::max<std::size_t>(1, room / (widest + 1));
  std::string out;
  for (std::size_t first = 0; first < count; first += in_block) {
    for (const auto& [label, words] : lines) {
      std::string line = label + std::string(label_width - label.size(), ' ');
      for (std::size_t i = first; i < std::min(first + in_block, words.size()); ++i)
        line += words[i] + std::string(widest + 1 - display_width(words[i]), ' ');
      line.erase(line.find_last_not_of(' ') + 1);
      if (line != label || label == "answer") out += line + "\n";
    }
    if (first + in_block < count) out += "\n";
  }
  return out;
}

std::string verdict(const Answer& answer, const Run& run, bool colour) {
  const Task& task = run.task();
  if (answer.no_number) return inked({str(computes_no_number, ": there is no answer"), Ink::bad}, colour);
  if (task.form == Form::text)
    return run.batcher().continues() ? str("the most likely token again and again, ", continuation, " times")
                                     : "the most likely token at each position; <mask> hides one";
  if (!answer.target)
    return task.fingerprint.empty()
               ? str("the right answer is not known: not an input of '", task.name, "'",
                     task.layout.empty() ? "" : str(" (", task.layout, ")"))
               : str("the right answer is not known: no row of '", task.name, "' has this input");
  return inked({verdict(answer), answer.wrong_count() == 0 ? Ink::good : Ink::bad}, colour);
}

}  // namespace

std::string answer_text(const Answer& answer, const Run& run, std::size_t width, bool colour, bool warns) {
  const auto name_of = [&](int token) { return printable(run.batcher().names()[as_size(token)]); };
  Line input{"input", {}}, tokens{"answer", {}}, probability{"probability", {}}, target{"target", {}},
      wrong{"wrong", {}};
  for (const int token : answer.input) input.words.push_back(name_of(token));
  for (const AnswerToken& token : answer.tokens) {
    tokens.words.push_back(name_of(token.token));
    probability.words.push_back(fixed(token.probability, 2));
  }
  if (answer.target)
    for (const int token : *answer.target) target.words.push_back(name_of(token));
  if (!answer.no_number && answer.wrong_count() > 0)
    for (const bool is_wrong : answer.wrong()) wrong.words.push_back(is_wrong ? "^" : "");
  const std::string untrained = untrained_length(run, static_cast<int>(answer.input.size()));
  return (untrained.empty() || !warns ? "" : wrapped("warning: " + untrained, width)) +
         in_columns({input}, width) + in_columns({tokens, probability, target, wrong}, width) +
         wrapped(verdict(answer, run, colour), width);
}

}  // namespace locus
