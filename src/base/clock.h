// How long something takes.
#pragma once

namespace locus {

// Seconds on a clock that is never set: only differences mean something.
double clock_seconds();

// Seconds that this thread has spent on a processor: what others run beside it does not count.
double processor_seconds();

}  // namespace locus
