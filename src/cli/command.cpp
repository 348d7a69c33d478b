#include "cli/command.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "base/error.h"

namespace locus {

namespace {

std::vector<Command>& registered() {
  static std::vector<Command> commands;
  return commands;
}

volatile std::sig_atomic_t interrupt_seen = 0;

}  // namespace

RegisterCommand::RegisterCommand(Command command) {
  auto& all = registered();
  all.insert(std::ranges::upper_bound(all, command.name, {}, &Command::name), std::move(command));
}

const std::vector<Command>& all_commands() { return registered(); }

const Command& find_command(std::string_view name) {
  std::vector<std::string> names;
  for (const Command& command : registered()) {
    if (command.name == name) return command;
    names.push_back(command.name);
  }
  fail_usage("locus", text("there is no command '", name, "'"), nearest_names(name, names));
}

std::vector<OptionSpec> with_run_options(std::vector<OptionSpec> options) {
  for (OptionSpec option : std::initializer_list<OptionSpec>{
           {"--model", "KIND", "encoder, decoder, rnn or gru (encoder)"},
           {"--layers", "N", "blocks of attention and feed-forward; of an rnn or gru, layers (2)"},
           {"--heads", "N", "attention heads; d-model must be a multiple (2; decoder 4)"},
           {"--d-model", "N", "width of the model (32; decoder 64)"},
           {"--d-ff", "N", "inner width of the feed-forward layer (4 x d-model)"},
           {"--batch", "N", "examples per step (64)"},
           {"--steps", "N", "steps at most (1000; generating 2500)"},
           {"--lr", "X", "peak learning rate (0.003; generating 0.001)"},
           {"--train-lengths", "LO-HI",
            "lengths of training inputs (12; generating 2-12; some tasks and all datasets: their own)"},
           {"--test-lengths", "A,B,C",
            "lengths to test at (1, 1.5 and 2 times the longest; a dataset's own)"},
           {"--test-examples", "N", "test inputs per length (4000)"},
           {"--full", "", "use all steps, even when the task is solved earlier"}})
    options.push_back(option);
  return options;
}

RunSettings read_run_options(const Arguments& a) {
  RunSettings s;
  s.model.kind = parse_model_kind(a.text("--model", "encoder"));
  if (s.model.kind == ModelKind::decoder) s.model.heads = 4, s.model.d_model = 64;
  return read_run_options(a, s);
}

RunSettings read_run_options(const Arguments& a, RunSettings s) {
  s.model.kind = parse_model_kind(a.text("--model", to_string(s.model.kind)));
  for (const char* option : {"--heads", "--d-ff"})
    if (is_recurrent(s.model.kind) && a.given(option))
      fail_usage("model", text(option, " is a size of transformers, and ", s.model.kind, " is none"),
                 "leave it out");
  s.model.layers = a.integer("--layers", s.model.layers, 1, most::layers);
  s.model.heads = a.integer("--heads", s.model.heads, 1, most::heads);
  s.model.d_model = a.integer("--d-model", s.model.d_model, 1, most::d_model);
  s.model.d_ff = a.integer("--d-ff", s.model.d_ff, 1, most::d_ff);
  s.train.batch = a.integer("--batch", s.train.batch, 1, most::batch);
  s.train.steps = a.integer("--steps", s.train.steps, 1, most::steps);
  s.train.optimizer.learning_rate = a.number("--lr", s.train.optimizer.learning_rate, 1e-9, 1e3);
  if (a.given("--train-lengths")) {
    const auto [low, high] = parse_range("train", "--train-lengths", a.text("--train-lengths"), most::length);
    s.train.lengths = {low, high};
  }
  if (a.given("--test-lengths")) s.test_lengths = a.integers("--test-lengths", 1, most::length);
  s.test_examples = a.integer("--test-examples", s.test_examples, 1, most::test_examples);
  if (a.given("--full")) s.train.stop_when_solved = false;
  return s;
}

std::vector<std::string> read_schemes_by_layer(const Arguments& arguments) {
  std::vector<std::string> all = arguments.texts("--scheme-by-layer");
  for (const std::string& specs : all)
    if (specs.find(' ') == specs.npos)
      fail_usage("scheme", text("--scheme-by-layer '", specs, "' names one scheme"),
                 "give several, separated by spaces: \"rope none\"");
  return all;
}

std::string read_scheme(const Arguments& arguments) {
  const std::string one = arguments.text("--scheme");
  const std::vector<std::string> several = read_schemes_by_layer(arguments);
  if (!one.empty() && !several.empty())
    fail_usage("scheme", "both --scheme and --scheme-by-layer are given", "give one of them");
  if (one.find(' ') != one.npos)
    fail_usage("scheme", text("--scheme '", one, "' holds a space"),
               "one SPEC is for all layers; --scheme-by-layer takes several");
  return several.empty() ? one : several.front();
}

int read_threads(const Arguments& arguments, std::string_view option) {
  return arguments.integer(option, hardware_threads(), 1, most_threads);
}

std::string runs_folder() {
  const std::string name = program_name.substr(program_name.rfind('/') + 1), of_chapter = "locus-";
  return name.starts_with(of_chapter) ? "runs/lessons/" + name.substr(of_chapter.size()) + "/trained"
                                      : "runs";
}

void watch_for_interrupt() {
  for (const int signal : {SIGINT, SIGTERM})
    std::signal(signal, [](int number) {
      interrupt_seen = 1;
      std::signal(number, SIG_DFL);  // a second one ends the program at once
    });
}

bool interrupted() { return interrupt_seen != 0; }

void print(std::string_view text) {
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() || std::fflush(stdout) != 0)
    fail("output", locus::text("standard output cannot be written: ", std::strerror(errno)));
}

}  // namespace locus
