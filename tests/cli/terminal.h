// A terminal of a chosen width, and what it receives.
#pragma once

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

#include "playground.h"

namespace locus {

// What a terminal of so many columns receives.
inline std::string on_terminal(const Words& words, unsigned short columns,
                               const std::function<void()>& prepare = {}, int status = 0) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  ::fcntl(terminal, F_SETFL, O_NONBLOCK);
  REQUIRE((::grantpt(terminal) == 0 && ::unlockpt(terminal) == 0));
  const std::string name = ::ptsname(terminal);
  const int other_end =
      ::open(name.c_str(), O_RDWR | O_NOCTTY);  // held, so that what was written can still be read
  const winsize size{.ws_row = 24, .ws_col = columns, .ws_xpixel = 0, .ws_ypixel = 0};
  REQUIRE(::ioctl(other_end, TIOCSWINSZ, &size) == 0);
  const Process process(playground().path, words, [&] {
    ::setenv("TERM", "xterm", 1);
    if (prepare) prepare();
    ::dup2(other_end, 1);
    if (status != 0) ::dup2(other_end, 2);  // progress would be among what is read
  });
  std::string seen;  // the terminal passes on what was written in parts, the last of them some time later
  char bytes[8192];
  const auto read_on = [&] {
    const ssize_t got = ::read(terminal, bytes, sizeof bytes);
    if (got > 0) seen.append(bytes, static_cast<std::size_t>(got));
    return got > 0;
  };
  for (int silence = 0; silence < 300;) {  // milliseconds
    if (read_on()) {
      silence = 0;
    } else {
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
      silence += 10;
    }
  }
  CHECK(process.wait().status == status);
  while (read_on()) {
  }
  ::close(other_end);
  ::close(terminal);
  return plainly_called(seen);
}

}  // namespace locus
