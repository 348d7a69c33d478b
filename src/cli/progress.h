// Progress of long work, on standard error.
//
//   Progress progress("cells", 48, total_flops);
//   ... in any thread:  progress.start();  progress.note("rope on reverse");  progress.advance(flops);
//   progress.finish();
//
// On a terminal that can move its cursor (terminal.h) one line is redrawn in place, at most ten times a
// second, and cleared at the end:
//
//   ━━━━━─────────────── 12/48 cells, 2 running, 1 min 20 s left  rope on reverse
//
// Elsewhere plain lines appear, at most one in ten seconds, and one at the end. Standard output stays empty. While a
// single piece takes longer than that, a line says how long:
//
//   0/1 lengths tested, for 20 s
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

namespace locus {

// "45 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

// Estimates how long the rest will take. The speed is an exponential moving average over half the time
// elapsed, at least over ten seconds: steady enough to read, and fast enough to follow a change.
class TimeLeft {
 public:
  explicit TimeLeft(double now) : start_(now), last_(now) {}
  void advance(double now, double work);

  // In seconds; nothing during the first half second, and when no work remains. Counts down between two
  // calls of advance.
  std::optional<double> estimate(double now, double remaining_work) const;

 private:
  double start_, last_;
  double seconds_ = 0, work_ = 0;  // weighted sums
};

// The content of a progress line.
struct ProgressState {
  std::string unit;
  std::size_t done = 0, total = 0, running = 0;
  double fraction = 0;  // of the work, 0 to 1
  std::optional<double> seconds_left;
  std::string note;
  std::optional<double> seconds_so_far{};  // while there is no estimate of the rest
};

std::string progress_text(const ProgressState& state);  // without a bar
std::string progress_line(const ProgressState& state,
                          std::size_t width);  // with a bar, at most `width` columns

// Where progress is written, and the clock; tests replace them.
struct ProgressOutput {
  bool lively;
  std::function<std::size_t()> width;
  std::function<double()> seconds;
  std::function<void(std::string_view)> write;
  double pause = 0;  // in seconds: after so long without a call, a thread draws; 0: none does
};
ProgressOutput progress_on_standard_error();

class Progress {
 public:
  // `total` pieces, counted in `unit`. `work`: of all pieces together, in any measure, such as floating-point
  // operations.
  Progress(std::string unit, std::size_t total, double work,
           ProgressOutput output = progress_on_standard_error());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Each of these may be called from any thread.
  void start();                       // one more piece has started
  void finish();                      // one piece has ended
  void advance(double work);          // this much work was done since the last call
  void note(std::string_view text);   // a text at the end of the line
  void print(std::string_view line);  // a line that stays, such as a warning
  void still_at_work();               // time has passed

 private:
  void draw(bool now);
  void watch();

  std::mutex mutex_;
  ProgressOutput output_;
  ProgressState state_;
  double work_, work_done_ = 0;
  double started_, drawn_;
  TimeLeft time_left_;
  bool ended_ = false;
  std::condition_variable end_;
  std::thread watch_;
};

}  // namespace locus
