#include "base/pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/error.h"

using namespace locus;

namespace {
constexpr int thread_counts[] = {1, 2, 5};
}

TEST_CASE("pool: every job runs exactly once") {
  for (const int threads : thread_counts) {
    Pool pool(threads);
    CHECK(pool.threads() == threads);
    for (const int count : {0, 1, 2, 7, 100}) {
      CAPTURE(threads);
      CAPTURE(count);
      std::vector<std::atomic<int>> runs(static_cast<std::size_t>(count));
      pool.run(count, [&](int job) { ++runs[static_cast<std::size_t>(job)]; });
      for (const auto& times : runs) CHECK(times == 1);
    }
  }
}

TEST_CASE("pool: a job's exception reaches the caller once the other jobs are done, and the pool goes on") {
  for (const int threads : thread_counts) {
    CAPTURE(threads);
    Pool pool(threads);
    for (int round = 0; round < 3; ++round) {
      std::atomic<int> done = 0;
      const auto jobs = [&](int job) {
        if (job == 3) fail("job", "number 3 failed");
        ++done;
      };
      CHECK_THROWS_WITH_AS(pool.run(10, jobs), "[job] number 3 failed", Error);
      CHECK(done == 9);
      pool.run(10, [&](int) { ++done; });
      CHECK(done == 19);
    }
  }
}

TEST_CASE("pool: a job that asks is told which worker runs it, and no worker runs two jobs at once") {
  for (const int threads : thread_counts) {
    CAPTURE(threads);
    Pool pool(threads);
    std::vector<int> memory(static_cast<std::size_t>(threads));  // not atomic: each worker has its own
    std::atomic<bool> in_range = true;
    pool.run(2000, [&](int, int worker) {
      if (worker < 0 || worker >= threads)
        in_range = false;
      else
        ++memory[static_cast<std::size_t>(worker)];
    });
    CHECK(in_range);
    CHECK(std::accumulate(memory.begin(), memory.end(), 0) == 2000);
  }
}

TEST_CASE("pool: if every job throws, one of the exceptions arrives") {
  for (const int threads : thread_counts) {
    Pool pool(threads);
    CHECK_THROWS_AS(pool.run(50, [](int job) { throw job; }), int);
  }
}

TEST_CASE("pool: thousands of small rounds on the same threads") {
  for (const int threads : thread_counts) {
    Pool pool(threads);
    std::atomic<long> total = 0;
    for (int round = 0; round < 3000; ++round) pool.run(4, [&](int job) { total += job; });
    CHECK(total == 3000 * 6);
  }
}

TEST_CASE("pool: results added up in job order are the same bits for any number of threads") {
  std::vector<double> sums;
  for (const int threads : thread_counts) {
    Pool pool(threads);
    std::vector<double> results(64);
    pool.run(64, [&](int job) {
      double sum = 0;
      for (int i = 1; i < 2000; ++i) sum += std::sin(job * i) / i;
      results[static_cast<std::size_t>(job)] = sum;
    });
    double sum = 0;
    for (const double result : results) sum += result;
    sums.push_back(sum);
  }
  CHECK(sums[0] == sums[1]);
  CHECK(sums[0] == sums[2]);
}
