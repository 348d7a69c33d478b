// The kinds of ops, and where the time of a training step goes, op by op.
#pragma once

#include <map>
#include <vector>

#include "base/machine.h"

namespace locus {

// A kind of op: one static object beside the code of each op. The list of all of them lets a test prove that
// every op has a gradient check.
struct Op {
  explicit Op(const char* op_name);
  const char* name;
  static const std::vector<const Op*>& all();
};

// What `locus bench --profile` prints. A tape tells its profile when an op has run: the time since the tape
// last told it anything is counted for that op.
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
  void forward(const Op& op, double operations);  // the op has run
  void backward(const Op& op);                    // the op's backward has run

  const std::map<const Op*, Line>& lines() const { return lines_; }

 private:
  double lap();

  double last_ = clock_seconds();
  double bytes_ = 0;
  std::map<const Op*, Line> lines_;
};

}  // namespace locus
