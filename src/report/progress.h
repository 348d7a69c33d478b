// Progress of long work, on standard error.
//
//   Progress progress("cells", 48, total_flops);
//   ... in any thread:  progress.start();  progress.note("rope on reverse");  progress.advance(flops);
//   progress.finish();
//
// On a lively terminal (terminal.h) one line is redrawn in place, at most ten times a second, and cleared at
// the end:
//
//   ━━━━━─────────────── 12/48 cells, 2 running, 1 min 20 s left  rope on reverse
//
// Elsewhere plain lines appear, at most one in ten seconds, and one at the end. Nothing goes to standard
// output.
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

// How long the rest will take. The speed is an average in which old work counts less the longer ago it was,
// with a memory of half the time elapsed (at least ten seconds): steady enough to read, quick enough to
// notice a change.
class TimeLeft {
 public:
  explicit TimeLeft(double now) : start_(now), last_(now) {}
  void advance(double now, double work);

  // Seconds; nothing before half a second of work and after the last of it. Counts down between two advances.
  std::optional<double> estimate(double now, double remaining_work) const;

 private:
  double start_, last_;
  double seconds_ = 0, work_ = 0;  // weighted sums
};

// What a progress line says.
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

// Where progress goes and what time it is; tests bring their own.
struct ProgressOutput {
  bool lively;
  std::function<std::size_t()> width;
  std::function<double()> seconds;
  std::function<void(std::string_view)> write;
};
ProgressOutput progress_on_standard_error();

class Progress {
 public:
  // `total` pieces counted in `unit`, together `work` (any measure of duration, floating-point operations
  // say).
  Progress(std::string unit, std::size_t total, double work,
           ProgressOutput output = progress_on_standard_error());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // All of these may be called from any thread.
  void start();                       // one more piece is running
  void finish();                      // one piece has ended
  void advance(double work);          // so much work was done since the last call
  void note(std::string_view text);   // free text at the end of the line
  void print(std::string_view line);  // a line that stays, a warning say

 private:
  void draw(bool now);

  std::mutex mutex_;
  ProgressOutput output_;
  ProgressState state_;
  double work_, work_done_ = 0;
  double started_, drawn_;
  TimeLeft time_left_;
};

}  // namespace locus
