// The parameters of a model: one flat vector, and this table of what lies where in it. Gradients and the
// optimizer's state are vectors of the same length, so clipping, AdamW and checkpoints are single loops.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "autograd/tape.h"

namespace locus {

// How a parameter begins. Each draws from a stream of its own, keyed by seed and name: another scheme, or one
// layer more, leaves the others as they were.
struct Initial {
  enum class Kind { constant, uniform, normal } kind = Kind::constant;
  double size = 0;    // the constant, the largest distance from the centre, or the standard deviation
  double centre = 0;  // of what is drawn

  static Initial constant(double value) { return {Kind::constant, value}; }
  static Initial uniform(double magnitude) { return {Kind::uniform, magnitude}; }
  static Initial between(double low, double high) {
    return {Kind::uniform, (high - low) / 2, (low + high) / 2};
  }
  static Initial normal(double deviation) { return {Kind::normal, deviation}; }
};

class ParameterTable {
 public:
  struct Entry {
    std::string name;  // "layer0.attention.query.weight"
    Parameter where;
    Initial initial;
  };

  // Reserves room at the end of the vector. Only sizes are added up here; memory is taken when values are
  // drawn, so a model too large for this machine can be refused first.
  Parameter add(std::string name, Shape shape, Initial initial);

  // From now on, names of added parameters begin with this prefix: a model with one scheme for each layer
  // adds the parameters of the same scheme several times.
  void set_prefix(std::string prefix) { prefix_ = std::move(prefix); }

  std::size_t count() const { return count_; }  // numbers in the vector
  const std::vector<Entry>& entries() const { return entries_; }
  Reals sample(std::uint64_t seed) const;

 private:
  std::string prefix_;
  std::vector<Entry> entries_;
  std::size_t count_ = 0;
};

}  // namespace locus
