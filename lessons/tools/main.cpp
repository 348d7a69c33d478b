// The programs of a chapter, with the learner's files in place of their originals.
//
//   lesson                        tries the steps of check.cpp in order, up to the first that fails, and says what is wrong
//   lesson slips SECONDS          the same for each variation (slips/slips.cpp) whose number is on standard input, in a
//                                 process of its own with a limit of SECONDS; below what is said, "slip NUMBER exit STATUS"
//   experiment experiment FOLDER  runs experiment.cpp; FOLDER keeps the guess and the figures
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS  // its handler allocates memory, which a crash may have corrupted
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <string>
#include <utility>

#include "lessons/tools/check.h"

namespace locus {
// The program of the steps is linked without it, and so without most of the framework.
[[gnu::weak]] void run_experiment(const std::string&) { fail("lesson", "this program has steps only"); }
}  // namespace locus

int lesson_slip = 0;  // the variation that runs; 0: the original

namespace {

constexpr int seconds_to_check = 10, seconds_to_experiment = 300;  // of all processors together
constexpr rlim_t bytes_to_check = rlim_t{4} << 30;
char running[256] = "the experiment";  // what to name when time is up; not where lines that crash write first
std::string_view said_on_crash, said_on_timeout;
std::string prize;     // of the step that runs
std::string new_from;  // NEW_FROM: the step that failed last time; from there on each prize is shown at once

// Steps are doctest cases called "1.2 what it is about". What goes wrong in one is thrown as an Error.
class StepReporter : public doctest::IReporter {
 public:
  explicit StepReporter(const doctest::ContextOptions&) {}

  void test_case_start(const doctest::TestCaseData& step) override {
    const std::string name = step.m_name;
    number_ = name.substr(0, name.find(' '));
    about_ = name.substr(number_.size() + 1);
    problem_.clear();
    locus::begin_step(number_);
    said_on_crash = said_on_timeout = {};
    prize_before_ = std::exchange(prize, "");
    if (std::exchange(prize_above_, false)) std::cout << '\n';
    running[("  " + number_ + "  not yet  " + about_).copy(running, sizeof running - 1)] = '\0';
  }
  void test_case_exception(const doctest::TestCaseException& thrown) override {
    problem_ = thrown.error_string.c_str();
    if (problem_.find("_M_range_check") != std::string::npos)
      problem_ = said_on_crash.empty() ? "An index of your lines is out of range: " + problem_
                                       : std::string(said_on_crash);
    else if (problem_ == "std::bad_alloc" || problem_.find("max_size") != std::string::npos ||
             problem_.starts_with("vector::"))
      problem_ =
          "Your lines of this step ask for more memory than there is: a loop that appends without an end, or "
          "a size below 0?";
  }
  void log_assert(const doctest::AssertData& assertion) override {
    if (assertion.m_failed)
      problem_ = std::string(assertion.m_expr) + " does not hold: " + assertion.m_decomp.c_str();
  }
  void test_case_end(const doctest::CurrentTestCaseStats&) override {
    if (problem_.empty()) {
      std::cout << "  " << number_ << "  done     " << about_ << '\n';
      if (!new_from.empty() && (new_from == "first" || new_from == number_)) {
        prize_above_ = !prize.empty();
        std::cout << std::exchange(prize, "");  // the next step must not show it again
        new_from = "first";
      }
      return;
    }
    if (problem_.find("still to be written") != std::string::npos && !prize_before_.empty())
      std::cout << prize_before_ << '\n';
    std::cout << running << "\n\n" << problem_ << std::endl;
    std::_Exit(1);  // later steps build on this one
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_run_end(const doctest::TestRunStats&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}

 private:
  std::string number_, about_, problem_, prize_before_;
  bool prize_above_ = false;  // an empty line must follow if another step does
};
REGISTER_REPORTER("steps", 0, StepReporter);

// Only calls that are allowed in a signal handler.
void stopped(int signal) {
  const std::string_view why =
      signal == SIGPROF
          ? (said_on_timeout.empty()
                 ? "still running when time was up: a loop without an end, or far too many calls?"
                 : said_on_timeout)
      : signal == SIGFPE ? "Your lines of this step crash: a whole number is divided by 0."
      : !said_on_crash.empty()
          ? said_on_crash
          : "Your lines of this step crash: they read or write outside of their memory. Is an index out "
            "of range, or a `return` missing?";
  for (const std::string_view words :
       {std::string_view(running), std::string_view("\n\n"), why, std::string_view("\n")})
    if (::write(1, words.data(), words.size()) < 0) std::_Exit(2);
  std::_Exit(1);
}

// The clock counts the time of the processors, so that a busy machine or a pause ends nothing.
void allow(double seconds) {
  std::signal(SIGPROF, stopped);
  const auto whole = static_cast<time_t>(seconds);
  const auto rest = static_cast<suseconds_t>(1e6 * (seconds - static_cast<double>(whole)));
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = whole, .tv_usec = rest}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

int run_steps(int count, const char* const* words, double seconds) {
  if (const char* from = std::getenv("NEW_FROM")) new_from = from;
  static char
      stack[1 << 16];  // for the handler: a function that calls itself without an end has used up its own
  const stack_t other{.ss_sp = stack, .ss_flags = 0, .ss_size = sizeof stack};
  ::sigaltstack(&other, nullptr);
  struct sigaction crash {};
  crash.sa_handler = stopped;
  crash.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) ::sigaction(signal, &crash, nullptr);
  allow(seconds);
  const rlimit memory{.rlim_cur = bytes_to_check, .rlim_max = bytes_to_check};
  ::setrlimit(RLIMIT_AS, &memory);  // so that a loop that appends without an end leaves the machine alone
  std::cout << std::unitbuf;
  doctest::Context context(count, words);
  context.setOption("reporters", "steps");
  return context.run();
}

int run_slips(int count, const char* const* words) {
  for (int number; std::cin >> number;) {
    const pid_t child = ::fork();
    if (child == 0) {
      lesson_slip = number;
      std::_Exit(run_steps(count, words, std::atof(words[2])));
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) < 0) return 2;
    std::cout << "slip " << number << " exit " << (WIFEXITED(status) ? WEXITSTATUS(status) : 128)
              << std::endl;
  }
  return 0;
}

}  // namespace

void locus::show(const std::string& what, const std::vector<std::string>& lines) {
  prize = "\n    " + what + "\n";
  for (const std::string& line : lines) prize += "      " + line + "\n";
}

std::string locus::bar(double share, int columns) {
  const auto halves = std::clamp(std::lround(2 * columns * share), 0L, 2L * columns);
  std::string drawn;
  for (long i = 0; i < halves / 2; ++i) drawn += "█";
  return halves % 2 ? drawn + "▌" : drawn;
}

std::string locus::shades(const std::vector<double>& from_0_to_1) {
  constexpr const char* of[] = {"  ", "░░", "▒▒", "▓▓", "██"};
  std::string drawn;
  for (const double value : from_0_to_1) drawn += of[std::clamp(static_cast<int>(5 * value), 0, 4)];
  return drawn;
}

std::vector<std::string> locus::shaded(const Array& x) {
  const auto [low, high] = std::ranges::minmax(x.values);
  std::vector<std::string> rows;
  for (std::vector<double>& row : rows_of(x.values, static_cast<std::size_t>(x.shape.last()))) {
    for (double& value : row) value = high > low ? 0.999 * (value - low) / (high - low) : 0;
    rows.push_back(shades(row));
  }
  return rows;
}

void locus::on_crash(const char* words) { said_on_crash = words; }
void locus::on_timeout(const char* words) { said_on_timeout = words ? words : ""; }

int main(int count, char** words) {
  if (count == 3 && std::string(words[1]) == "experiment") {
    allow(seconds_to_experiment);
    try {
      locus::run_experiment(words[2]);
    } catch (const std::exception& problem) {
      std::cerr << problem.what() << '\n';
      return 1;
    }
    return 0;
  }
  if (count >= 3 && std::string(words[1]) == "slips") return run_slips(count, words);
  return run_steps(count, words, seconds_to_check);
}
