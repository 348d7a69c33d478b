// How fast each pair of channels of a rotary scheme turns: pair i of the n = d/2 pairs in the d channels of a head that
// are paired (RotarySettings::channels) by w_i = base^(-2i/d) a position, or changed by an extension, so that a model
// reads longer inputs than it was trained on: rotary_extensions.h.
#pragma once

#include <complex>
#include <string>
#include <utility>
#include <vector>

#include "positional/scheme.h"

namespace locus {

struct RotarySettings {
  double base;
  int channels;                // of each head that make up the pairs
  int turning = channels / 2;  // pairs that turn; the slower ones stand still (prope)
  std::string extend = "none";
  double factor = 1, original = 1, beta_fast = 32, beta_slow = 1;
  std::vector<double> rescale{};  // by pair
  std::vector<int> still{};       // pairs that do not turn
  bool temperature = false;
};

// For an input of `length` tokens.
Frequencies rotary_frequencies(const RotarySettings& settings, int length);

// The complex number by which each pair is multiplied, position after position: a turn by its angle.
struct Turns {
  Reals cos, sin;
  void add(std::complex<double> turn) {
    cos.push_back(static_cast<Real>(turn.real()));
    sin.push_back(static_cast<Real>(turn.imag()));
  }
  // cos and sin as constants (T,n), or (B,T,n) when examples have positions of their own; n pairs.
  std::pair<Tensor, Tensor> on(Tape& tape, const Positions& positions) const {
    const Shape shape = positions.shape().with_axis(static_cast<int>(cos.size() / positions.all().size()));
    return {tape.constant(shape, cos.data()), tape.constant(shape, sin.data())};
  }
};

}  // namespace locus
