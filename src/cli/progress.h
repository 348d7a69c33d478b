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
// Elsewhere plain lines appear, at most one in ten seconds, and one at the end. Standard output stays empty. The time
// left is that which the rest takes at the mean speed so far.
#pragma once

#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace locus {

// "45 s", "3 min 20 s", "2 h 5 min"
std::string duration_text(double seconds);

// The content of a progress line.
struct ProgressState {
  std::string unit;
  std::size_t done = 0, total = 0, running = 0;
  double fraction = 0;  // of the work, 0 to 1
  std::optional<double> seconds_left;
  std::string note;
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

 private:
  void draw(bool now);

  std::mutex mutex_;
  ProgressOutput output_;
  ProgressState state_;
  double work_, work_done_ = 0;
  double started_, drawn_;
};

}  // namespace locus
