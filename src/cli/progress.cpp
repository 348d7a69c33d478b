#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "base/machine.h"
#include "io/terminal.h"
#include "io/utf8.h"

namespace locus {

namespace {

constexpr double seconds_between_redraws = 0.1, seconds_between_lines = 10;
constexpr std::string_view clear_line = "\r\x1b[K";

double average_memory(double elapsed) { return std::max(10.0, elapsed / 2); }

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::round(std::clamp(seconds, 0.0, 1e9)));
  if (whole < 60) return text(whole, " s");
  if (whole < 3600) return text(whole / 60, " min ", whole % 60, " s");
  return text(whole / 3600, " h ", whole % 3600 / 60, " min");
}

void TimeLeft::advance(double now, double work) {
  const double passed = now - last_;
  const double kept = std::exp(-passed / average_memory(now - start_));
  seconds_ = seconds_ * kept + passed;
  work_ = work_ * kept + work;
  last_ = now;
}

std::optional<double> TimeLeft::estimate(double now, double remaining_work) const {
  if (work_ <= 0 || remaining_work <= 0 || last_ - start_ < 0.5) return std::nullopt;
  return std::max(0.0, remaining_work * seconds_ / work_ - (now - last_));
}

std::string progress_text(const ProgressState& state) {
  std::string line = text(state.done, '/', state.total, ' ', state.unit);
  if (state.running > 0) line += text(", ", state.running, " running");
  if (state.seconds_left)
    line += text(", ", duration_text(*state.seconds_left), " left");
  else if (state.seconds_so_far)
    line += text(", for ", duration_text(*state.seconds_so_far));
  if (!state.note.empty()) line += text("  ", printable(state.note));
  return line;
}

std::string progress_line(const ProgressState& state, std::size_t width) {
  constexpr int bar_length = 20;
  std::string line;
  const std::string words = progress_text(state);
  if (display_width(words) + bar_length + 1 <= width) {
    const double filled = std::clamp(state.fraction, 0.0, 1.0) * bar_length;
    for (int i = 0; i < bar_length; ++i) line += i + 0.5 < filled ? "━" : "─";
    line += ' ';
  }
  return fit_to_width(line + words, width);
}

ProgressOutput progress_on_standard_error() {
  return {is_lively_terminal(STDERR_FILENO), [] { return terminal_width(STDERR_FILENO); }, clock_seconds,
          [](std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stderr); },
          is_lively_terminal(STDERR_FILENO) ? 1 : seconds_between_lines};
}

Progress::Progress(std::string unit, std::size_t total, double work, ProgressOutput output)
    : output_(std::move(output)),
      work_(work),
      started_(output_.seconds()),
      drawn_(output_.lively ? started_ - 1 : started_),
      time_left_(started_) {
  state_.unit = std::move(unit);
  state_.total = total;
  draw(false);
  if (output_.pause > 0) watch_ = std::thread([this] { watch(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
  if (watch_.joinable()) watch_.join();
  if (output_.lively) {
    output_.write(clear_line);
    return;
  }
  if (state_.total == 0) return;  // there was nothing to do
  state_.running = 0;
  state_.seconds_left.reset();
  state_.seconds_so_far.reset();
  state_.note.clear();
  output_.write(text(progress_text(state_), " in ", duration_text(output_.seconds() - started_), '\n'));
}

void Progress::start() {
  const std::lock_guard lock(mutex_);
  ++state_.running;
  draw(false);
}

void Progress::finish() {
  const std::lock_guard lock(mutex_);
  ++state_.done;
  if (state_.running > 0) --state_.running;
  draw(state_.done == state_.total);
}

void Progress::advance(double work) {
  const std::lock_guard lock(mutex_);
  work_done_ += work;
  time_left_.advance(output_.seconds(), work);
  draw(false);
}

void Progress::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  state_.note = text;
  draw(false);
}

void Progress::print(std::string_view line) {
  const std::lock_guard lock(mutex_);
  output_.write(text(output_.lively ? clear_line : "", line, '\n'));
  draw(true);
}

void Progress::still_at_work() {
  const std::lock_guard lock(mutex_);
  if (state_.done == 0) state_.seconds_so_far = output_.seconds() - started_;
  draw(false);
}

void Progress::watch() {
  const std::chrono::duration<double> pause(output_.pause);
  std::unique_lock lock(mutex_);
  while (!end_.wait_for(lock, pause, [&] { return ended_; })) {
    lock.unlock();
    still_at_work();
    lock.lock();
  }
}

// Draws when enough time has passed since the last time; with `now` a terminal is redrawn at once.
void Progress::draw(bool now) {
  const double seconds = output_.seconds();
  const double interval = output_.lively ? seconds_between_redraws : seconds_between_lines;
  if (seconds - drawn_ < interval && !(now && output_.lively)) return;
  drawn_ = seconds;
  state_.fraction = work_ > 0 ? work_done_ / work_ : 0;
  if (state_.done > 0) {
    state_.seconds_left = time_left_.estimate(seconds, work_ - work_done_);
    state_.seconds_so_far.reset();
  }
  // The last column stays free: some terminals wrap the line when it is filled.
  if (output_.lively)
    output_.write(text('\r', progress_line(state_, output_.width() - 1), "\x1b[K"));
  else
    output_.write(progress_text(state_) + '\n');
}

}  // namespace locus
