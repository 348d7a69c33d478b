// A pool of threads for numbered jobs. Which thread runs which job is not fixed, so results must not depend
// on it: each job writes only its own results, and the caller adds them in order afterwards.
#pragma once

#include <atomic>
#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace locus {

class Pool {
 public:
  // The calling thread counts as one; 1 means no extra threads. Throws Error when the system refuses so many.
  explicit Pool(int threads);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  // Calls job(0) ... job(count - 1), each once, and returns when all are done. A job with a second parameter
  // gets the index of the worker that runs it, 0 to threads() - 1, and can use that worker's memory. The
  // first exception of a job is thrown here, after the other jobs have finished. Idle workers poll for as
  // long as waking them would take, and yield the core to other programs meanwhile; then they sleep.
  template <class Job>
  void run(int count, Job&& job) {
    run_jobs(count, [&job](int i, int worker) {  // a single reference: std::function allocates nothing for it
      if constexpr (std::is_invocable_v<Job&, int, int>)
        job(i, worker);
      else
        job(i);
    });
  }

 private:
  void run_jobs(int count, std::function<void(int job, int worker)>);
  void work(int worker);
  void stop();
  void take_jobs(std::unique_lock<std::mutex>&, int worker);
  template <class Ready>
  void wait(std::unique_lock<std::mutex>&, std::condition_variable&, Ready);

  std::mutex mutex_;
  std::condition_variable wake_, finished_;
  std::vector<std::thread> workers_;
  std::function<void(int job, int worker)> job_;
  std::atomic<int> next_ = 0, count_ = 0, unfinished_ = 0;  // changed under the lock only
  std::exception_ptr failure_;
  std::atomic<bool> stopping_ = false;
};

// The number of threads this machine runs at once.
int hardware_threads();

}  // namespace locus
