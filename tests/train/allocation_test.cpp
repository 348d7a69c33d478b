// Memory in the steady state: a training step takes none from the system but for the examples it draws. All
// of this program's allocations pass through the operators below, which count. Sanitizers need those for
// themselves.
#ifndef LOCUS_SANITIZED

#include <doctest/doctest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "../support/specs.h"
#include "../support/tiny_run.h"
#include "base/random.h"

namespace {

std::atomic<long> allocations = 0;

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* memory = std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!memory) throw std::bad_alloc();
  return memory;
}

}  // namespace

void* operator new(std::size_t size) { return counted(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

using namespace locus;

namespace {

// What drawing the batch of a step allocates, done again by hand.
long allocations_of_drawing(const Training& training, const RunSettings& settings, int step) {
  const Batcher batcher(training.run.task(), settings.model.kind);
  const long before = allocations;
  Random random(settings.train.seed, Purpose::training_data, static_cast<std::uint64_t>(step));
  const int length = training.run.task().sample_length(random, settings.train.lengths);
  std::vector<Example> drawn;
  drawn.reserve(static_cast<std::size_t>(settings.train.batch));
  for (int i = 0; i < settings.train.batch; ++i)
    drawn.push_back(training.run.task().sample(random, length, Split::train));
  const Batch batch = batcher.batch(drawn);
  return allocations - before;
}

}  // namespace

TEST_CASE("allocation: a training step allocates nothing but the examples it draws, whatever the scheme") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : every_spec(32, kind == ModelKind::decoder)) {
      CAPTURE(spec);
      auto settings = tiny_settings(kind == ModelKind::encoder ? "sort" : "copy", spec, kind, 1000);
      settings.train.lengths = {5, 5};
      Training training(settings);
      training.steps(4);  // memory grows to its size
      const long before = allocations;
      training.steps(1);
      const long in_step = allocations - before;
      CHECK(in_step == allocations_of_drawing(training, settings, 5));  // the next one
    }
}

#endif
