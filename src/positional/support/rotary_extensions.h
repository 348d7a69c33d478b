// How the speeds of rotary positions are changed so that a model trained on inputs of one length reads longer ones.
// Lesson 11 tells the story. Pair i of the n = d/2 pairs in the d channels of a head that are paired
// (RotarySettings::channels), w_i = base^(-2i/d), factor s, trained length L (`original`), T tokens in the input:
//
//   pi         w_i / s: every clock slowed alike                                   Chen et al. 2023
//   ntk        w_i s^(-i/(n-1)), which is base s^(d/(d-2)): the fastest clock untouched, the slowest
//              slowed by exactly s                                                     bloc97 2023
//   dynamic    once T > L, ntk with the factor s T/L - (s-1): the base grows with T    emozilla 2023
//   yarn       plain for pairs that make beta_fast turns in L or more, pi for those that make beta_slow or
//              fewer, between them a mixture that is linear in the pair's index i      Peng et al. 2023
//   llama3     the same with a mixture that is linear in the number of turns           Llama team 2024
//   longrope   w_i / rescale_i    , the rescale found by search                        Ding et al. 2024
//   prope      w_i, but 0     for all but the fastest pairs: p-RoPE                    Barbero et al. 2024
//
// Left out: LongRoPE's search, and its first tokens at plain speed.
//
// A temperature multiplies cosines and sines, so scores by its square: 0.1 ln(s) + 1 (Peng et al. 2023), in
// longrope sqrt(1 + ln(s) / ln(L)).
#pragma once

#include "positional/support/rotary_frequencies.h"

namespace locus::extensions {

// What the chosen extension multiplies the speed `theta` of pair i by, in an input of `length` tokens.
double slowing(const RotarySettings&, int pair, double theta, int length);

// What multiplies cosines and sines; 1 if there is no temperature.
double temperature(const RotarySettings&, int length);

// Its parts, each what multiplies a speed.
double interpolation(double factor);
double ntk(const RotarySettings&, int pair, double factor);
double mixture(double keeps, double factor);  // keeps: 1 leaves the speed, 0 interpolates it

// The factor of ntk in dynamic.
double dynamic_factor(const RotarySettings&, int length);

// The pair, as a real number that may be outside of the head, that makes so many turns in the trained length.
double pair_with_turns(const RotarySettings&, double turns);

// How much of its speed a pair keeps, from 0 (slowed by the factor) to 1 (untouched). In yarn pairs up to `low` keep
// it, those from `high` on are slowed in full; low <= high.
double yarn_keeps(int pair, double low, double high);
double llama3_keeps(const RotarySettings&, double theta);

}  // namespace locus::extensions
