#include "cli/progress.h"

#include <unistd.h>

#include <algorithm>
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

}  // namespace

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::round(std::clamp(seconds, 0.0, 1e9)));
  if (whole < 60) return str(whole, " s");
  if (whole < 3600) return str(whole / 60, " min ", whole % 60, " s");
  return str(whole / 3600, " h ", whole % 3600 / 60, " min");
}

std::string progress_text(const ProgressState& state) {
  std::string line = str(state.done, '/', state.total, ' ', state.unit);
  if (state.running > 1) line += str(", ", state.running, " running");
  if (state.seconds_left) line += str(", ", duration_text(*state.seconds_left), " left");
  if (!state.note.empty()) line += str("  ", printable(state.note));
  return line;
}

std::string progress_line(const ProgressState& state, std::size_t width) {
  constexpr int longest_bar = 20, shortest_bar = 5;
  std::string line;
  const std::string words = progress_text(state);
  const int room = static_cast<int>(width) - static_cast<int>(display_width(words)) - 1;
  if (const int bar_length = std::min(room, longest_bar); bar_length >= shortest_bar) {
    const double filled = std::clamp(state.fraction, 0.0, 1.0) * bar_length;
    for (int i = 0; i < bar_length; ++i) line += i + 0.5 < filled ? "━" : "─";
    line += ' ';
  }
  return fit_to_width(line + words, width);
}

ProgressOutput progress_on_standard_error() {
  return {is_lively_terminal(STDERR_FILENO), [] { return terminal_width(STDERR_FILENO); }, clock_seconds,
          [](std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stderr); }};
}

Progress::Progress(std::string unit, std::size_t total, double work, ProgressOutput output)
    : output_(std::move(output)),
      work_(work),
      started_(output_.seconds()),
      drawn_(output_.lively ? started_ - 1 : started_) {
  state_.unit = std::move(unit);
  state_.total = total;
  draw(false);
}

Progress::~Progress() {
  if (output_.lively) {
    output_.write(clear_line);
    return;
  }
  if (state_.total == 0) return;  // there was nothing to do
  state_.running = 0;
  state_.seconds_left.reset();
  state_.note.clear();
  output_.write(str(progress_text(state_), " in ", duration_text(output_.seconds() - started_), '\n'));
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
  draw(false);
}

void Progress::note(std::string_view text) {
  const std::lock_guard lock(mutex_);
  state_.note = text;
  draw(false);
}

void Progress::print(std::string_view line) {
  const std::lock_guard lock(mutex_);
  output_.write(str(output_.lively ? clear_line : "", line, '\n'));
  draw(true);
}

// Draws when enough time has passed since the last time; with `now` a terminal is redrawn at once.
void Progress::draw(bool now) {
  const double seconds = output_.seconds();
  const double interval = output_.lively ? seconds_between_redraws : seconds_between_lines;
  if (seconds - drawn_ < interval && !(now && output_.lively)) return;
  drawn_ = seconds;
  state_.fraction = work_ > 0 ? work_done_ / work_ : 0;
  state_.seconds_left.reset();
  if (state_.done > 0 && work_done_ > 0 && work_done_ < work_ && seconds - started_ > 0.5)
    state_.seconds_left = (seconds - started_) * (work_ - work_done_) / work_done_;
  // The last column stays free: some terminals wrap the line when it is filled.
  if (output_.lively)
    output_.write(str('\r', progress_line(state_, output_.width() - 1), "\x1b[K"));
  else
    output_.write(progress_text(state_) + '\n');
}

}  // namespace locus
