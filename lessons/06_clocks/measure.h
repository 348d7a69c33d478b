// What both the experiment and the ledger of chapter 6 measure.
#pragma once

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <string>
#include <vector>

#include "base/random.h"
#include "draw/svg.h"
#include "positional/support/spec.h"
#include "train/run.h"

namespace locus {
// The ledger links all chapters together; functions of one name, of two chapters, must stay two.
inline namespace chapter_06 {

using Code = std::vector<double>;

// The codes of positions 0, 1 ... A learned table is as drawn, before training.
inline std::vector<Code> codes_of(const std::string& spec, int width, int positions) {
  ParameterTable table;
  const auto scheme = make_scheme(spec, {.d_model = width, .heads = 1, .causal = false}, table);
  const Reals parameters = table.sample(1);
  std::vector<Code> codes;
  for (int p = 0; p < positions; ++p) codes.push_back(scheme->code(p, positions, parameters.data()));
  return codes;
}

inline double dot(const Code& a, const Code& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

// NaN for a code of zeros, which has no direction.
inline double cosine(const Code& a, const Code& b) { return dot(a, b) / std::sqrt(dot(a, a) * dot(b, b)); }

// What the dot product of two codes a distance k apart, over D/2, tends to with ever more clocks, as long as
// k is far below the base: the mean of cos(k w) over clocks spread evenly in ln w from 1 / base to 1. The
// constant is Euler's, from the integral.
inline double envelope(double k, double base) {
  return 1 - (std::log(k) + std::numbers::egamma) / std::log(base);
}

inline RunSettings reversing(int steps, const std::string& scheme, int seed) {
  RunSettings settings;
  settings.task = "reverse";
  settings.model.scheme = scheme;
  settings.train.steps = steps;
  settings.train.seed = static_cast<std::uint64_t>(seed);
  settings.test_lengths = {12};
  settings.test_examples = 1000;
  return complete(settings);
}

// A model that was trained for so many steps to reverse 12 tokens.
struct Reverser {
  Run run;
  Reals parameters;
};
inline Reverser learn_to_reverse(int steps, const std::string& scheme, int seed, Pool& pool) {
  Run run(reversing(steps, scheme, seed));
  Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
  while (trainer.train_step() == TrainStatus::running) continue;
  return {std::move(run), trainer.parameters()};
}

// The share of tokens that it then gets right: the mean of seeds 1, 2 ...
inline double right_after(int steps, const std::string& scheme, int seeds) {
  Pool pool(hardware_threads());
  double sum = 0;
  for (int seed = 1; seed <= seeds; ++seed) {
    const Reverser model = learn_to_reverse(steps, scheme, seed, pool);
    sum += model.run.test(model.parameters.data(), pool).front().score.token_accuracy;
  }
  return sum / seeds;
}

// Where the codes lie in the plane in which they spread most: along their first two principal components.
// Power iteration: a random direction, multiplied by the matrix of covariances again and again, turns into
// the component of largest variance; taken off the codes, it leaves the next.
inline std::vector<Point> in_a_plane(std::vector<Code> codes) {
  const std::size_t D = codes.front().size();
  const auto take_off = [&](const Code& direction, double Point::*along, std::vector<Point>& points) {
    for (std::size_t p = 0; p < codes.size(); ++p) {
      points[p].*along = dot(codes[p], direction);
      for (std::size_t c = 0; c < D; ++c) codes[p][c] -= points[p].*along * direction[c];
    }
  };
  Code mean(D);
  for (const Code& code : codes)
    for (std::size_t c = 0; c < D; ++c) mean[c] += code[c] / static_cast<double>(codes.size());
  for (Code& code : codes)
    for (std::size_t c = 0; c < D; ++c) code[c] -= mean[c];

  Random random(1, Purpose::testing);
  std::vector<Point> points(codes.size());
  for (double Point::*along : {&Point::x, &Point::y}) {
    Code direction(D);
    for (double& value : direction) value = random.normal();
    for (int round = 0; round < 300; ++round) {
      Code next(D);
      for (const Code& code : codes) {
        const double share = dot(code, direction);
        for (std::size_t c = 0; c < D; ++c) next[c] += share * code[c];
      }
      const double length = std::sqrt(dot(next, next));
      for (std::size_t c = 0; c < D; ++c) direction[c] = next[c] / length;
    }
    if (dot(codes.front(), direction) > 0)  // either way is right; position 0 lies at the lower left
      for (double& value : direction) value = -value;
    take_off(direction, along, points);
  }
  return points;
}

}  // namespace chapter_06
}  // namespace locus
