#include "cli/progress.h"

#include <doctest/doctest.h>

#include <thread>
#include <vector>

#include "io/utf8.h"

using namespace locus;

namespace {

// A clock that the test moves and a terminal that remembers every write.
struct FakeTerminal {
  double seconds = 0;
  std::vector<std::string> writes;

  ProgressOutput output(bool lively) {
    return {lively, [] { return std::size_t{81}; }, [this] { return seconds; },
            [this](std::string_view bytes) { writes.emplace_back(bytes); }};
  }
};

}  // namespace

TEST_CASE("progress: durations read like speech") {
  CHECK(duration_text(0) == "0 s");
  CHECK(duration_text(-3) == "0 s");
  CHECK(duration_text(59.4) == "59 s");
  CHECK(duration_text(59.6) == "1 min 0 s");
  CHECK(duration_text(200) == "3 min 20 s");
  CHECK(duration_text(3600) == "1 h 0 min");
  CHECK(duration_text(7530) == "2 h 5 min");
}

TEST_CASE("progress: a line holds what is known and fits the width") {
  ProgressState state{"cells", 12, 48, 2, 0.25, 80.0, "rope on reverse"};
  CHECK(progress_line(state, 100) ==
        "━━━━━─────────────── 12/48 cells, 2 running, 1 min 20 s left  rope on reverse");
  CHECK(progress_line(state, 77).starts_with("━━━━━"));  // as wide as it is with the bar
  CHECK(progress_line(state, 76).starts_with("━━━━"));   // narrower: so is the bar
  CHECK(progress_line(state, 62) == "━──── " + progress_text(state));
  CHECK(progress_line(state, 61) == progress_text(state));
  CHECK(progress_line(state, 40) == "12/48 cells, 2 running, 1 min 20 s left…");
  CHECK(progress_text(state) == "12/48 cells, 2 running, 1 min 20 s left  rope on reverse");
  CHECK(progress_text({"steps", 0, 9, 0, 0, {}, ""}) == "0/9 steps");
  state.note = "a\nb\x1b[2J";
  CHECK(progress_text(state).ends_with("left  a?b?[2J"));
  for (std::size_t width = 0; width < 90; ++width) CHECK(display_width(progress_line(state, width)) <= width);
  for (const double fraction : {-1.0, 0.0, 1.0, 7.0}) {
    state.fraction = fraction;
    CHECK(progress_line(state, 80).starts_with(fraction > 0 ? "━━━━━━━━━━━━━━━━━━━━ "
                                                            : "──────────────────── "));
  }
}

TEST_CASE("progress: a terminal's line is redrawn at most ten times a second and cleared at the end") {
  FakeTerminal terminal;
  {
    Progress progress("steps", 1000, 1000, terminal.output(true));
    CHECK(terminal.writes == std::vector<std::string>{"\r──────────────────── 0/1000 steps\x1b[K"});
    for (int step = 1; step < 1000; ++step) {  // 10 seconds
      terminal.seconds = step * 0.01;
      progress.advance(1);
      progress.finish();
    }
    CHECK(terminal.writes.size() >= 90);
    CHECK(terminal.writes.size() <= 101);
    progress.advance(1);
    progress.finish();
    CHECK(terminal.writes.back() == "\r━━━━━━━━━━━━━━━━━━━━ 1000/1000 steps\x1b[K");
  }
  CHECK(terminal.writes.back() == "\r\x1b[K");
}

TEST_CASE("progress: elsewhere plain lines, at most one in ten seconds, and one at the end") {
  FakeTerminal terminal;
  {
    Progress progress("cells", 4, 400, terminal.output(false));
    progress.start();
    progress.note("rope");
    terminal.seconds = 9;
    progress.advance(100);
    progress.finish();
    CHECK(terminal.writes.empty());
    terminal.seconds = 12;
    progress.start();
    CHECK(terminal.writes == std::vector<std::string>{"1/4 cells, 36 s left  rope\n"});
    terminal.seconds = 21;
    progress.note("alibi");
    CHECK(terminal.writes.size() == 1);
  }
  CHECK(terminal.writes.size() == 2);
  CHECK(terminal.writes.back() == "1/4 cells in 21 s\n");
  for (const auto& bytes : terminal.writes) CHECK(bytes.find_first_of("\r\x1b") == std::string::npos);
}

TEST_CASE("progress: no time left is told before the first piece is done, and when no work is left") {
  FakeTerminal terminal;
  Progress progress("cells", 4, 400, terminal.output(false));
  progress.start();
  terminal.seconds = 12;
  progress.advance(90);
  CHECK(terminal.writes == std::vector<std::string>{"0/4 cells\n"});
  terminal.seconds = 24;
  progress.advance(10);
  progress.finish();
  terminal.seconds = 36;
  progress.note("rope");  // 100 of 400 in 36 seconds
  CHECK(terminal.writes.back() == "1/4 cells, 1 min 48 s left  rope\n");
  terminal.seconds = 48;
  progress.advance(300);
  CHECK(terminal.writes.back() == "1/4 cells  rope\n");
}

TEST_CASE("progress: of nothing to do nothing is said") {
  FakeTerminal terminal;
  { Progress progress("cells", 0, 0, terminal.output(false)); }
  CHECK(terminal.writes.empty());
}

TEST_CASE("progress: a printed line stays, and the bar comes back below it") {
  FakeTerminal terminal;
  Progress progress("cells", 4, 4, terminal.output(true));
  progress.print("warning: diverged");
  REQUIRE(terminal.writes.size() == 3);
  CHECK(terminal.writes[1] == "\r\x1b[Kwarning: diverged\n");
  CHECK(terminal.writes[2] == terminal.writes[0]);

  FakeTerminal file;
  Progress plain("cells", 4, 4, file.output(false));
  plain.print("warning: diverged");
  CHECK(file.writes == std::vector<std::string>{"warning: diverged\n"});
}

TEST_CASE("progress: many threads lose no count") {
  FakeTerminal terminal;
  {
    Progress progress("cells", 4000, 4000, terminal.output(false));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
      threads.emplace_back([&] {
        for (int i = 0; i < 1000; ++i)
          progress.start(), progress.advance(1), progress.note("x"), progress.finish();
      });
    for (auto& thread : threads) thread.join();
  }
  CHECK(terminal.writes.back() == "4000/4000 cells in 0 s\n");
}
