// SIGINT (Ctrl-C) and SIGTERM, for commands with work to save.
#pragma once

#include <string_view>

namespace locus {

// From the first call on, the signals no longer end the program at once, unless it was started
// with the signal ignored. watch_for_interrupt: the command has work to save, and asks interrupted() at every
// step; a second signal ends the program. end_when_interrupted: all is on disk; the signal ends the program with
// this line.
void watch_for_interrupt();
void end_when_interrupted(std::string_view where, std::string_view what, std::string_view hint);
int interrupted();  // the number of the signal, or 0

}  // namespace locus
