#include "base/pool.h"

#include <algorithm>
#include <system_error>

#include "base/error.h"
#include "base/machine.h"

namespace locus {

Pool::Pool(int threads) {
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work(i); });
  } catch (const std::system_error&) {
    const int started = this->threads();
    stop();
    fail("pool", str("only ", started, " of ", threads, " threads could be started"), "ask for fewer");
  }
}

Pool::~Pool() { stop(); }

void Pool::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (auto& worker : workers_) worker.join();
}

void Pool::work(int worker) {
  std::unique_lock lock(mutex_);
  while (true) {
    wait(lock, wake_, [this] { return stopping_ || next_ < count_; });
    if (stopping_) return;
    take_jobs(lock, worker);
  }
}

// The lock is held at entry and at return. Between two parts of a training step there are
// only microseconds; to sleep and be woken would take longer.
template <class Ready>
void Pool::wait(std::unique_lock<std::mutex>& lock, std::condition_variable& signal, Ready ready) {
  constexpr double a_wake_up = 50e-6;  // seconds
  lock.unlock();
  for (const double start = clock_seconds(); !ready() && clock_seconds() - start < a_wake_up;)
    std::this_thread::yield();
  lock.lock();
  signal.wait(lock, ready);
}

// The lock is held at entry and at return, and free while a job runs.
void Pool::take_jobs(std::unique_lock<std::mutex>& lock, int worker) {
  while (next_ < count_) {
    const int job = next_++;
    lock.unlock();
    std::exception_ptr failure;
    try {
      job_(job, worker);
    } catch (...) {
      failure = std::current_exception();
    }
    lock.lock();
    if (failure && !failure_) failure_ = failure;
    if (--unfinished_ == 0) finished_.notify_all();
  }
}

void Pool::run_jobs(int count, std::function<void(int, int)> job) {
  std::unique_lock lock(mutex_);
  job_ = std::move(job);
  next_ = 0;
  count_ = unfinished_ = count;
  failure_ = nullptr;
  wake_.notify_all();
  take_jobs(lock, 0);
  wait(lock, finished_, [this] { return unfinished_ == 0; });
  count_ = next_ = 0;
  if (failure_) std::rethrow_exception(failure_);
}

int hardware_threads() { return std::max(1, static_cast<int>(std::thread::hardware_concurrency())); }

}  // namespace locus
