// The C++ library for WebAssembly of Debian is built for one thread and has no std::mutex, std::unique_lock,
// std::condition_variable or std::thread, which the engine uses. Here the program has one thread: locking and waiting
// do nothing. Put before every file of the playground (-include); no native program sees it.
#pragma once

#include <atomic>
#include <cstdlib>
#include <mutex>

namespace std {

class mutex {
 public:
  void lock() {}
  void unlock() {}
};

template <class Mutex>
class unique_lock {
 public:
  explicit unique_lock(Mutex&) {}
  void lock() {}
  void unlock() {}
};

class condition_variable {
 public:
  template <class Lock, class Ready>
  void wait(Lock&, Ready) {}
  void notify_all() {}
};

class thread {
 public:
  template <class Job>
  explicit thread(Job) {
    abort();  // a pool of one thread starts none
  }
  void join() {}
  static unsigned hardware_concurrency() { return 1; }
};

namespace this_thread {
inline void yield() {}
}  // namespace this_thread

}  // namespace std
