// How fast each pair of channels of a rotary scheme turns: plain, or changed so that a model trained on
// inputs of one length reads longer ones. Pair k of the n = d/2 pairs in the d channels of a head that are
// paired (RotarySettings::channels), w_i = base^(-2i/d), factor s, trained length L (`original`), T
// tokens in the input:
//
//   pi         w_i / s: every clock slowed alike                                   Chen et al. 2023
//   ntk        w_i s^(-i/(n-1)), which is base s^(d/(d-2)): the fastest clock untouched, the slowest
//              slowed by exactly s                                                     bloc97 2023
//   dynamic    once T > L, ntk with the factor s T/L - (s-1): the base grows with T    emozilla 2023
//   yarn       plain for pairs that make beta_fast turns in L or more, pi for those that make beta_slow or
//              fewer, between them a mixture that is linear in the pair's index k      Peng et al. 2023
//   llama3     the same with a mixture that is linear in the number of turns           Llama team 2024
//   longrope   w_i / rescale_i    , the rescale found by search                        Ding et al. 2024
//   prope      w_i, but 0     for all but the fastest pairs: p-RoPE                    Barbero et al. 2024
//
// Left out: LongRoPE's search, and its first tokens at plain speed.
//
// A temperature multiplies cosines and sines, so scores by its square: 0.1 ln(s) + 1 (Peng et al. 2023), in
// longrope sqrt(1 + ln(s) / ln(L)).
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
