// Clocks, the memory that this process may use, and where the program lies on the machine.
#pragma once

#include <string>
#include <string_view>

namespace locus {

// Seconds on a clock that is never set; only differences are meaningful.
double clock_seconds();

// Seconds that the calling thread has run on a processor; time that other threads or
// programs use is not counted.
double processor_seconds();

// The memory that this process may use: the machine's, or less by `ulimit -v`.
double memory_bytes();

// The name by which the program was called; main sets it.
inline std::string program_name = "locus";

// The folder of the running program: of `program_name` when that holds a slash, else the first folder of PATH
// that holds such a file; "" when there is none.
std::string program_folder();

// Throws Error when `what` needs more than 80 % of this memory. Call it before allocating: Linux kills a program
// that exhausts memory, without a message.
void require_memory(std::string_view where, std::string_view what, double bytes, std::string_view hint);

}  // namespace locus
