// The rest of the program is compiled for the processor it was built on. Another one, older or emulated, may
// lack some of the instructions and raises SIGILL at the first of them, often before main, where static objects
// are made. So the handler is installed before those, and the Makefile compiles this file for any processor.
#include <unistd.h>

#include <csignal>
#include <string_view>

namespace {

constexpr std::string_view message = "locus: built for another processor: `make clean && make`\n";

extern "C" void say_and_exit(int) {
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, message.data(), message.size());
  ::_exit(1);
}

[[gnu::constructor(101)]] void catch_unknown_instructions() { std::signal(SIGILL, say_and_exit); }

}  // namespace
