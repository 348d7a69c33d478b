#include "cli/command.h"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <numeric>

#include "base/error.h"
#include "base/machine.h"
#include "base/named.h"
#include "cli/progress.h"
#include "io/file.h"
#include "io/format.h"
#include "io/utf8.h"

namespace locus {

namespace {

std::vector<Command>& registered() {
  static std::vector<Command> commands;
  return commands;
}

// What complain() writes. Arguments may hold line breaks.
std::string complaint(std::string_view line) {
  const std::string words = text("locus: ", printable(as_called(std::string(line))));
  return ::isatty(STDERR_FILENO) == 1 ? wrapped(words, terminal_width(STDERR_FILENO)) : words + '\n';
}

std::atomic<int> interrupt_seen = 0;  // read by any thread
static_assert(std::atomic<int>::is_always_lock_free);
std::string last_words;  // of a program that is interrupted

void on_interrupt(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

// Reads the value of an option, by the type of the member that keeps it.
void read(const Arguments& a, const char* option, const TextMember&, std::string& value) {
  value = a.text(option);
}
void read(const Arguments& a, const char* option, const KindMember&, ModelKind& kind) {
  kind = parse_model_kind(a.text(option));
}
template <class Number>
void read(const Arguments& a, const char* option, const NumberMember<Number>& member, Number& value) {
  if constexpr (std::is_integral_v<Number>)
    value = static_cast<Number>(
        a.integer(option, 0, static_cast<int>(member.low), static_cast<int>(member.high)));
  else
    value = a.number(option, 0, member.low, member.high);
}
void read(const Arguments&, const char*, const SwitchMember& member, bool& value) {
  value = member.when_given;
}
void read(const Arguments& a, const char* option, const RangeMember&, LengthRange& range) {
  const auto [low, high] = a.range(option, most::length);
  range = {low, high};
}
void read(const Arguments& a, const char* option, const LengthsMember&, std::vector<int>& lengths) {
  lengths.clear();
  for (const int length : a.integers(option, 1, most::length))  // each once
    if (!std::ranges::count(lengths, length)) lengths.push_back(length);
}

}  // namespace

RegisterCommand::RegisterCommand(Command command) {
  auto& all = registered();
  all.insert(std::ranges::upper_bound(all, command.name, {}, &Command::name), std::move(command));
}

const std::vector<Command>& all_commands() { return registered(); }

const Command& find_command(std::string_view name) {
  if (const Command* command = find_named(registered(), name, &Command::name)) return *command;
  std::vector<std::string> names = {"--version", "--help"};
  for (const Command& command : registered()) names.push_back(command.name);
  fail_usage("locus", text("there is no command '", name, "'"), nearest_names(name, names));
}

std::vector<OptionSpec> with_settings(Role::Command command, std::vector<OptionSpec> options,
                                      const std::vector<OptionSpec>& after) {
  for (const Setting& setting : all_settings())
    if (setting.role.command == command || setting.role.command == Role::Command::both) {
      const bool several = setting.role.axis && command == Role::Command::ablate;
      options.push_back({setting.option, text(setting.value, several ? "[,...]" : ""), setting.help});
    }
  options.insert(options.end(), after.begin(), after.end());
  return options;
}

RunSettings read_settings(const Arguments& arguments, RunSettings settings) {
  for (const Setting& setting : all_settings())
    if (arguments.given(setting.option))
      std::visit([&](const auto& member) { read(arguments, setting.option, member, *member.of(settings)); },
                 setting.member);
  if (const std::string scheme = read_scheme(arguments); !scheme.empty()) settings.model.scheme = scheme;
  return settings;
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
               "a SPEC is for all layers; --scheme-by-layer takes several");
  return several.empty() ? one : several.front();
}

int read_threads(const Arguments& arguments, std::string_view option) {
  return arguments.integer(option, hardware_threads(), 1, most_threads);
}

std::string run_folder_of(const Arguments& arguments) {
  const std::string& named = arguments.positional()[0];
  if (named != "last" || has_checkpoint(named)) return named;
  const std::string newest = newest_run(runs_folder());
  if (newest.empty())
    fail(named, text("there is no run in ", runs_folder(), " yet"),
         "`locus train --task reverse --scheme sinusoidal` makes one");
  complain(text("last: ", newest));
  return newest;
}

Trained read_trained(const Arguments& arguments) {
  Checkpoint checkpoint = read_checkpoint(run_folder_of(arguments));
  RunSettings settings = checkpoint.settings;
  settings.dataset = arguments.text("--dataset", settings.dataset);
  return read_trained(std::move(checkpoint), settings);
}

Trained read_trained(Checkpoint checkpoint, const RunSettings& settings) {
  Run run = run_of(checkpoint, settings);
  Trainer::State state = checkpoint_state(checkpoint, run);
  if (const std::string change = task_change(checkpoint, run.task()); !change.empty())
    complain(text("warning: ", change));
  if (const std::string damage = not_finite(checkpoint); !damage.empty()) complain(text("warning: ", damage));
  return {std::move(checkpoint), std::move(run), std::move(state)};
}

std::string as_called(std::string words) {
  for (const std::string before : {"`", "\n  "}) {
    const std::string general = before + "locus ", called = before + shell_word(program_name) + ' ';
    for (std::size_t at = 0; (at = words.find(general, at)) != words.npos; at += called.size())
      words.replace(at, general.size(), called);
  }
  return words;
}

void complain(std::string_view line) {
  const std::string shown = complaint(line);
  std::fwrite(shown.data(), 1, shown.size(), stderr);
}

std::string svg_path(const Arguments& arguments) {
  const std::string path = arguments.text("--svg");
  for (const char* other : {".png", ".jpg", ".jpeg", ".gif", ".pdf", ".html"})
    if (path.ends_with(other))
      fail_usage("svg", text("--svg writes SVG, and '", path, "' ends in ", other),
                 text("name it ", path.substr(0, path.rfind('.')), ".svg: any browser shows it"));
  return path;
}

std::string runs_folder() {
  const std::string name = program_name.substr(program_name.rfind('/') + 1), of_chapter = "locus-";
  const std::string chapter = name.starts_with(of_chapter) ? name.substr(of_chapter.size()) : "";
  return parse_int(chapter) ? "runs/lessons/" + chapter + "/trained"
                            : "runs";  // locus-thread is no chapter's
}

void set_aside_if_fresh(const Arguments& arguments, const std::string& folder) {
  if (!arguments.given(fresh.name) || !file_exists(folder)) return;
  const FolderLock lock(folder);
  int number = 1;
  while (file_exists(text(folder, '.', number))) ++number;
  const std::string aside = text(folder, '.', number);
  if (std::rename(folder.c_str(), aside.c_str()) != 0)
    fail(folder, text("could not be renamed to ", aside, ": ", std::strerror(errno)));
}

Trained with_scheme(const Trained& trained, const std::string& scheme) {
  RunSettings settings = trained.run.settings();
  settings.model.scheme = scheme;
  Checkpoint checkpoint = trained.checkpoint;  // what there is to warn of has been said
  Run run = run_of(checkpoint, settings);
  Trainer::State state = checkpoint_state(checkpoint, run);
  return {std::move(checkpoint), std::move(run), std::move(state)};
}

std::optional<PositionChange> read_position_change(const Arguments& arguments) {
  if (!arguments.given("--positions")) {
    arguments.refuse({"--layers"}, "without --positions");
    return {};
  }
  PositionChange change = parse_position_change(arguments.text("--positions"));
  change.layers = arguments.integers("--layers", 0, most::layers - 1);
  return change;
}

Trained with_positions(const Trained& trained, const PositionChange& change) {
  Trained told = with_scheme(trained, trained.run.settings().model.scheme);
  told.run.tell(change);
  return told;
}

std::vector<TableColumn> columns(const std::vector<std::string>& words,
                                 const std::vector<std::string>& numbers) {
  std::vector<TableColumn> all;
  for (const std::string& title : words) all.push_back({title, Align::left});
  for (const std::string& title : numbers) all.push_back({title, Align::right});
  return all;
}

std::string shown(const TextTable& table) {
  return table.to_text(is_lively_terminal(STDOUT_FILENO), output_width());
}

std::vector<LengthScore> test_with_progress(const Run& run, const Real* parameters, Pool& pool) {
  const std::vector<int>& lengths = run.settings().test_lengths;
  Progress progress("lengths tested", lengths.size(), std::accumulate(lengths.begin(), lengths.end(), 0.0));
  std::vector<LengthScore> scores;
  for (const int length : lengths) {
    scores.push_back(run.test(length, parameters, pool));
    progress.advance(length);
    progress.finish();
  }
  warn_of_no_numbers(scores);
  return scores;
}

void warn_of_no_numbers(const std::vector<LengthScore>& scores) {
  const auto without = [](const LengthScore& one) { return one.score.unanswered > 0; };
  const auto first = std::ranges::find_if(scores, without);
  if (first == scores.end()) return;
  complain(text("warning: ", computes_no_number, " for test inputs of ", std::ranges::count_if(scores, without), " of ",
                scores.size(), " lengths (", first->score.unanswered, " answers at length ", first->length,
                "): they count as wrong. Hint: train again with a smaller --lr"));
}

std::string score_table(const std::vector<LengthScore>& scores, const Run& run,
                        const std::optional<std::vector<LengthScore>>& told) {
  const bool one = run.task().form == Form::classification && !run.batcher().generates();
  const bool ceilings =
      std::ranges::any_of(scores, [](const LengthScore& s) { return s.order_blind_ceiling.has_value(); });
  const bool mirror_blind =
      std::ranges::any_of(scores, [](const LengthScore& s) { return s.mirror_blind_ceiling.has_value(); });
  std::vector<std::string> titles = {"length", one ? "accuracy" : "token accuracy"};
  if (told) titles.push_back("told");
  if (!one) titles.push_back("exact match");
  if (!one && told) titles.push_back("told");
  if (ceilings) titles.push_back("order-blind ceiling");
  if (mirror_blind) titles.push_back("mirror-blind ceiling");
  titles.insert(titles.end(), {"no-input baseline", "examples"});
  TextTable table(columns({}, titles));
  const auto level = [](const std::optional<double>& value) { return value ? fixed(*value, 3) : "-"; };
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const LengthScore& at = scores[i];
    std::vector<TableCell> row{text(at.length), fixed(at.score.token_accuracy, 3)};
    if (told) row.push_back(fixed((*told)[i].score.token_accuracy, 3));
    if (!one) row.push_back(fixed(at.score.exact_match, 3));
    if (!one && told) row.push_back(fixed((*told)[i].score.exact_match, 3));
    if (ceilings) row.push_back(level(at.order_blind_ceiling));
    if (mirror_blind) row.push_back(level(at.mirror_blind_ceiling));
    row.push_back(fixed(at.no_input_baseline, 3));
    row.push_back(text(at.score.examples));
    table.add_row(row);
  }
  return shown(table);
}

void watch_for_interrupt() {
  on_interrupt([](int number) {
    interrupt_seen = number;
    std::signal(number, SIG_DFL);  // a second signal ends the program at once
  });
}

void end_when_interrupted(std::string_view where, std::string_view what, std::string_view hint) {
  last_words = text(is_lively_terminal(STDERR_FILENO) ? "\r\x1b[K" : "",  // in place of the progress
                    complaint(error_line(where, what, hint)));
  on_interrupt([](int number) {
    std::signal(number, SIG_DFL);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, last_words.data(), last_words.size());
    std::raise(number);
  });
  if (interrupt_seen) std::raise(interrupt_seen);  // meanwhile
}

int interrupted() { return interrupt_seen; }

void print(std::string_view text) {
  const std::string shown =
      printable(text, is_lively_terminal(STDOUT_FILENO) ? Lines::inked : Lines::several);
  if (std::fwrite(shown.data(), 1, shown.size(), stdout) == shown.size() && std::fflush(stdout) == 0) return;
  if (errno == EPIPE) {
    std::signal(SIGPIPE, SIG_DFL);
    std::raise(SIGPIPE);
  }
  fail("output", locus::text("standard output cannot be written: ", std::strerror(errno)));
}

void save(const std::string& path, std::string_view bytes) {
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0)
    create_folders(path.substr(0, slash));
  write_file_atomically(path, bytes);
}

}  // namespace locus
