// Memory that a learner's lines read without having written it: it holds NaN, or other numbers at the next trial.
#pragma once

#include <functional>

#include "autograd/tape.h"

namespace locus {

// Fills the memory that the tape will hand out next with NaN, so that what is never written shows.
void poison(Tape&);

// The next array of the tape comes after elements that are NaN, if the tape is poisoned.
void keep_distance(Tape&);

// Whether memory was written, since the last call, that belongs to others: around the gradients of a learner's ops.
bool was_written_outside();
void note_written_outside();

// Runs `trial` twice, where fresh memory holds other numbers, and the arrays of a poisoned tape have other addresses.
void try_in_other_memory(const std::function<void()>& trial);

}  // namespace locus
