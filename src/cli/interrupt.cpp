#include "cli/interrupt.h"

#include <unistd.h>

#include <atomic>
#include <csignal>
#include <string>

#include "base/error.h"
#include "cli/output.h"

namespace locus {

namespace {

std::atomic<int> interrupt_seen = 0;  // read by any thread
static_assert(std::atomic<int>::is_always_lock_free);
std::string last_words;  // of a program that is interrupted

void on_interrupt(void (*handler)(int)) {
  for (const int signal : {SIGINT, SIGTERM})
    if (std::signal(signal, handler) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

void watch_for_interrupt() {
  on_interrupt([](int number) {
    interrupt_seen = number;
    std::signal(number, SIG_DFL);  // a second signal ends the program at once
  });
}

void end_when_interrupted(std::string_view where, std::string_view what, std::string_view hint) {
  last_words = str(is_lively_terminal(STDERR_FILENO) ? "\r\x1b[K" : "",  // in place of the progress
                   complaint(error_line(where, what, hint)));
  on_interrupt([](int number) {
    std::signal(number, SIG_DFL);
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, last_words.data(), last_words.size());
    std::raise(number);
  });
  if (interrupt_seen) std::raise(interrupt_seen);  // meanwhile
}

int interrupted() { return interrupt_seen; }

}  // namespace locus
