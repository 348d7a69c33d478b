// locus ask: what a trained model answers.
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/size.h"
#include "cli/answer_text.h"
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/position_options.h"
#include "cli/runs.h"
#include "io/terminal.h"
#include "io/utf8.h"

namespace locus::commands::ask {

struct Asker {
  const Run& run;   // the model asked
  const Run* told;  // the same one, told other positions, which answers after it; nullptr: none
  const Real* parameters;
  bool json, logits;
  bool first = true, failed = false;
  std::set<std::size_t> warned{};  // the lengths, once each

  Answer answer_of(const Run& asked, const Tokens& input, const Random& positions) const {
    return locus::ask(asked, parameters, input, positions);
  }

  void show(const Answer& answer, const Run& by) {
    if (json) {
      Json line = to_json(answer, by, logits);
      if (by.change()) line.set("positions", to_string(*by.change()));
      print(to_string(line) + "\n");
    } else {
      print((first ? "" : "\n") +
            (by.change() ? str("told positions ", to_string(*by.change()), ":\n") : "") +
            answer_text(answer, by, terminal_width(STDOUT_FILENO), is_lively_terminal(STDOUT_FILENO),
                        warned.insert(answer.input.size()).second));
    }
    first = false;
  }

  // Both answers are computed before one is shown: an input that one of the models refuses has none.
  void show(const Tokens& input, const Random& positions = Random(0, Purpose::test_positions)) {
    const Answer answer = answer_of(run, input, positions);
    const auto other = told ? std::optional(answer_of(*told, input, positions)) : std::nullopt;
    show(answer, run);
    if (other) show(*other, *told);
  }

  // What is wrong with an input is said, and the next one is answered.
  void show(const std::string& words) {
    try {
      show(read_tokens(run.task(), words));
    } catch (const UsageError& error) {
      failed = true;
      if (!json) return complain(error.what());
      Json line;
      line.set("input", words);
      line.set("error", error.what());
      print(to_string(line) + "\n");
    }
  }
};

void ask_lines(Asker& asker) {
  if (::isatty(STDIN_FILENO) == 1)
    complain(str("an input a line, such as ", spell(asker.run.task(), asker.run.task().example.input),
                 "; Ctrl-D ends"));
  bool first = true;
  for (std::string line; std::getline(std::cin, line);) {
    if (std::exchange(first, false)) line = std::string(without_byte_order_mark(line));
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) asker.show(line);
  }
}

// The first `most` test inputs of this length that are answered wrong; with other positions, by the model that is told
// them.
void show_failures(Asker& asker, int length, int most, Pool& pool) {
  constexpr std::size_t at_once = 64;
  const std::span<const Example> examples =
      asker.run.task().test_set(length, asker.run.settings().test_examples);
  const Run& failing = asker.told ? *asker.told : asker.run;
  const Draws draws = asker.run.draws_at(length);  // as in the tests
  std::vector<std::size_t> failures;
  std::size_t asked = 0;
  while (asked < examples.size() && std::ssize(failures) < most) {
    const std::size_t count = std::min(at_once, examples.size() - asked);
    std::vector<Answer> answers(count);
    pool.run(static_cast<int>(count), [&](int i) {
      const auto at = as_size(i);
      answers[at] = asker.answer_of(failing, examples[asked + at].input, draws.at(asked + at));
    });
    for (std::size_t i = 0; i < count && std::ssize(failures) < most; ++i, ++asked)
      if (answers[i].wrong_count() > 0) failures.push_back(asked);
  }
  if (!asker.json) {
    print(str(asker.first ? "" : "\n", "length ", length, ": ",
              failures.empty() ? "none" : str(failures.size()), " of the ",
              asked < examples.size() ? str("first ", asked, " of ", examples.size()) : str(asked),
              " test inputs ", failures.size() == 1 ? "is" : "are", " answered wrong\n"));
    asker.first = false;
  }
  for (const std::size_t failure : failures) asker.show(examples[failure].input, draws.at(failure));
}

int run(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.positional();
  if (!arguments.given("--json")) arguments.refuse({"--logits"}, "without --json");
  if (!arguments.given("--failures")) arguments.refuse({"--length"}, "without --failures");
  if (arguments.given("--failures") && words.size() > 1)
    fail_usage("ask", "both inputs and --failures are given",
               "--failures takes its inputs from the test set");
  const auto change = read_position_change(arguments);
  const TrainedRun model = read_trained(arguments);
  const Run& run = model.run;
  const auto told = change ? std::optional(with_positions(model, *change)) : std::nullopt;
  Asker asker{run, told ? &told->run : nullptr, model.state.parameters.data(), arguments.given("--json"),
              arguments.given("--logits")};
  if (arguments.given("--failures")) {
    Pool pool(hardware_threads());
    const int most = arguments.integer("--failures", 0, 1, limits::test_examples);
    const std::vector<int> one = arguments.integers("--length", 1, limits::length);
    for (const int length : one.empty() ? run.settings().test_lengths : one)
      show_failures(asker, length, most, pool);
  } else if (words.size() > 1) {
    for (std::size_t i = 1; i < words.size(); ++i) asker.show(words[i]);
    const std::vector<std::string> inputs(words.begin() + 1, words.end());
    const bool single =
        std::ranges::none_of(inputs, [](const std::string& one) { return one.find(' ') != one.npos; });
    if (inputs.size() > 1 && single)
      complain(str("these were ", inputs.size(), " inputs of one token each. Hint: quotes make them one: \"",
                   join(inputs, " "), "\""));
  } else {
    ask_lines(asker);
  }
  return asker.failed ? 2 : 0;
}

const RegisterCommand registered{{
    .name = "ask",
    .summary = "Ask a trained model, and see whether it is right",
    .usage = "DIR [\"INPUT\" ...] [--failures N] [options]",
    .details =
        R"(DIR is the folder of a `locus train` run, or last: the newest run in runs/.
Without an input, inputs are read from standard input, one a line. The probability
of each token is shown, and the right answer where the task knows it: of a table,
if the input is one of its rows. What is generated ends in EOS.
  locus ask runs/reverse/sinusoidal-encoder-seed1 "3 1 4 1 5" "2 7 1 8"
  locus ask runs/reverse/sinusoidal-encoder-seed1 --failures 3 --length 18
--positions asks a second time, with the scheme told other positions while the tokens stay; the failures are
then those of the second:
  locus ask runs/reverse/sinusoidal-encoder-seed1 "3 1 4 1 5" --positions swap:0,4
)" + std::string(position_changes),
    .options = {{"--failures", "N", "test inputs answered wrong: the first N"},
                {"--length", "T", "of these test inputs (all test lengths)"},
                {"--json", "", "one JSON object a line"},
                {"--logits", "", "with --json: what the model read, and its logits"},
                positions_option,
                only_layers_option,
                moved_table},
    .least_positional = 1,
    .most_positional = 1'000'000,
    .run = run,
}};

}  // namespace locus::commands::ask
