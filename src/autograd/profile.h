// Where the time of a training step goes, op by op. `locus bench --profile` prints it.
#pragma once

#include <map>

#include "autograd/op.h"
#include "base/clock.h"

namespace locus {

// A tape tells its profile when an op has run; the time since the last such moment is that op's.
class Profile {
 public:
  struct Line {
    long calls = 0;
    double forward = 0, backward = 0;  // seconds
    double operations = 0;             // floating-point operations of matrix products, forward and backward
    double bytes = 0;                  // of the inputs and the result, forward
  };

  void start() { last_ = clock_seconds(); }       // before a forward pass
  void moved(double bytes) { bytes_ += bytes; }   // by the op that is running
  void forward(const Op& op, double operations);  // this op has run
  void backward(const Op& op);                    // this op has gone back

  const std::map<const Op*, Line>& lines() const { return lines_; }

 private:
  double lap();

  double last_ = clock_seconds();
  double bytes_ = 0;
  std::map<const Op*, Line> lines_;
};

}  // namespace locus
