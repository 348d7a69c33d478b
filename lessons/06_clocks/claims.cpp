#include "lessons/tools/claims.h"

#include <array>

#include "ablation/statistics.h"
#include "base/error.h"
#include "io/format.h"
#include "lessons/06_clocks/measure.h"
#include "positional/support/sinusoid.h"

namespace locus {

namespace {

// The first distance at which two codes are more alike than one position nearer.
std::size_t rises_at(int width) {
  const std::vector<Code> codes = codes_of("sinusoidal", width, 200);
  std::size_t k = 1;
  while (k < codes.size() && dot(codes[0], codes[k]) < dot(codes[0], codes[k - 1])) ++k;
  return k;
}

const Settles row_4(
    4, "fails: it falls with the logarithm of the distance, but not smoothly; narrow codes swing", [] {
      const std::size_t narrow = rises_at(64), wide = rises_at(512);
      double off = 0;
      const std::vector<Code> codes = codes_of("sinusoidal", 512, 200);
      for (std::size_t k = 11; k < codes.size(); ++k) {
        off =
            std::max(off, std::abs(dot(codes[0], codes[k]) / 256 - envelope(static_cast<double>(k), 10000)));
      }
      return Evidence{narrow < 200 && wide < 200 && off < 0.03,
                      str("D = 64 rises again at distance ", narrow, ", D = 512 at ", wide,
                          "; from 11 to 199, D = 512 keeps within ", fixed(off, 3),
                          " of 1 - (ln k + 0.5772) / ln 10000, of 1 at 0")};
    });

// Of all that these vectors differ in, the share that lies in the first half of their channels.
double share_of_first_half(const std::vector<Code>& vectors) {
  const std::size_t D = vectors.front().size();
  const double count = static_cast<double>(vectors.size());
  double first = 0, all = 0;
  for (std::size_t c = 0; c < D; ++c) {
    double sum = 0, squares = 0;
    for (const Code& x : vectors) sum += x[c] / count, squares += x[c] * x[c] / count;
    all += squares - sum * sum;
    if (c < D / 2) first += squares - sum * sum;
  }
  return first / all;
}

// The vectors of the words of a model, as they are drawn and after 1000 steps of reversing 12 tokens.
struct Words {
  std::vector<Code> drawn, trained;
};
Words words_of(const std::string& scheme, int width, int seed, double weight_decay) {
  RunSettings settings;
  settings.task = "reverse";
  settings.model.scheme = scheme;
  settings.model.d_model = width;
  settings.train.seed = static_cast<std::uint64_t>(seed);
  settings.train.stop_when_solved = false;
  settings.train.optimizer.learning_rate = 0.01;
  settings.train.optimizer.weight_decay = weight_decay;
  const Run run(complete(settings));
  Pool pool(hardware_threads());
  Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
  const auto vectors = [&] {
    std::vector<Code> words;
    for (const auto& entry : run.model().parameters().entries())
      if (entry.name.starts_with("embedding")) {
        const Real* from = trainer.parameters().data() + entry.where.offset;
        for (int word = 0; word < entry.where.shape[0]; ++word, from += entry.where.shape[1])
          words.emplace_back(from, from + entry.where.shape[1]);
      }
    return words;
  };
  Words words{vectors(), {}};
  while (trainer.train_step() == TrainStatus::running) continue;
  words.trained = vectors();
  return words;
}

// The cosine of all vectors, taken as one, before and after training.
double unchanged(const Words& words) {
  const auto as_one = [](const std::vector<Code>& vectors) {
    Code all;
    for (const Code& one : vectors) all.insert(all.end(), one.begin(), one.end());
    return all;
  };
  return cosine(as_one(words.drawn), as_one(words.trained));
}

// Words that hardly change in training say nothing about what training prefers. A weight decay of 1, a hundred
// times the usual, lets the drawn vectors fade, so that what remains is what training keeps up.
const Settles row_5(
    5,
    "holds in part: position does sit there; words do not make room in usual training, which hardly moves "
    "them, but some where strong weight decay moves them",
    [] {
      const double wide = share_of_first_half(codes_of("sinusoidal", 512, 50)),
                   narrow = share_of_first_half(codes_of("sinusoidal", 32, 12));
      std::vector<double> with, without;
      double least_unchanged = 1;
      for (const int width : {32, 64})
        for (const int seed : {1, 2, 3}) {
          with.push_back(share_of_first_half(words_of("sinusoidal", width, seed, 1).trained));
          without.push_back(share_of_first_half(words_of("none", width, seed, 1).trained));
          if (width == 32)
            least_unchanged = std::min(least_unchanged, unchanged(words_of("sinusoidal", width, seed, 0.01)));
        }
      const Difference difference = paired_difference(with, without, 0);
      return Evidence{wide > 0.95 && narrow > 0.95 && least_unchanged > 0.98 &&
                          difference.interval->high < 0 && smallest(with) > 0.1,
                      str("the first half of the channels holds ", fixed(wide, 3),
                          " of the variance of 50 codes of width 512, and ", fixed(narrow, 3),
                          " of 12 of width 32. Reversing 12 tokens, 1000 steps: the words keep a cosine of ",
                          fixed(least_unchanged, 2),
                          " or more with those drawn; with weight decay 1 the first "
                          "half holds ",
                          fixed(mean(with), 2), " of their variance, ", fixed(mean(without), 2),
                          " without positions (difference ", fixed(difference.interval->low, 2), " to ",
                          fixed(difference.interval->high, 2), ", widths 32 and 64, three seeds each)")};
    });

// The two codes among 10000 that are closest to each other. How close depends on how far apart they stand
// only (row 10: one turn takes one pair to the other), so pairs with position 0 are all there are.
struct Nearest {
  double base;
  int apart;
  double distance;
};
Nearest nearest(int width, double base) {
  const Code start = sinusoid(0, width, base);
  Nearest best{base, 0, 1e300};
  for (int k = 1; k < 10000; ++k) {
    const double squared = 2 * (dot(start, start) - dot(start, sinusoid(k, width, base)));
    if (squared < best.distance) best = {base, k, squared};
  }
  best.distance = std::sqrt(best.distance);
  return best;
}

const Settles row_9(
    9, "holds if there are enough clocks: a few come round together, and meet their start almost exactly",
    [] {
      double least_wide = 1e300;
      bool neighbours = true;
      Nearest least{0, 0, 1e300}, least_of_two{0, 0, 1e300};
      for (const double base : {10.0, 100.0, 10000.0, 1000000.0}) {
        const auto closer = [](const Nearest& a, const Nearest& b) {
          return a.distance < b.distance ? a : b;
        };
        least = closer(least, nearest(2, base));
        least_of_two = closer(least_of_two, nearest(4, base));
        const Nearest wide = nearest(16, base);
        least_wide = std::min(least_wide, wide.distance);
        neighbours = neighbours && wide.apart == 1;
      }
      return Evidence{least.distance < 1e-4 && least_of_two.distance < 1e-3 && least_wide > 0.9 && neighbours,
                      str("the closest of 10000 codes, bases 10 to 1000000: with one clock ",
                          fixed(least.distance, 5), " from each other, ", least.apart,
                          " positions apart; with two ", fixed(least_of_two.distance, 4), " and ",
                          least_of_two.apart, ", for base ", least_of_two.base, "; with eight always ",
                          neighbours ? "neighbours" : "some", ", by ", fixed(least_wide, 2), " or more")};
    });

// A matrix that leads from the code of each of `known` positions to that k further on, found by least squares:
// the largest miss among these positions, and among as many that follow.
struct Misses {
  double known = 0, beyond = 0;
};
Misses best_matrix_misses(const std::string& spec, int width, int known, int k) {
  const std::vector<Code> codes = codes_of(spec, width, 2 * known + k);
  const auto D = codes[0].size(), n = static_cast<std::size_t>(known), step = static_cast<std::size_t>(k);
  // Gram-Schmidt on the channels, as vectors over the known positions. Each direction is also kept as weights of
  // the channels, by which it can be worked out at other positions.
  std::vector<Code> basis, weights;
  const auto without = [&](Code column, Code weight) {
    for (int pass = 0; pass < 2; ++pass)  // the second takes off what rounding left
      for (std::size_t b = 0; b < basis.size(); ++b) {
        const double share = dot(column, basis[b]);
        for (std::size_t p = 0; p < n; ++p) column[p] -= share * basis[b][p];
        for (std::size_t c = 0; c < D; ++c) weight[c] -= share * weights[b][c];
      }
    return std::pair(column, weight);
  };
  for (std::size_t c = 0; c < D; ++c) {
    Code column(n), weight(D);
    for (std::size_t p = 0; p < n; ++p) column[p] = codes[p][c];
    weight[c] = 1;
    auto [rest, of_channels] = without(column, weight);
    const double length = std::sqrt(dot(rest, rest));
    if (length < 1e-6) continue;
    for (double& value : rest) value /= length;
    for (double& value : of_channels) value /= length;
    basis.push_back(rest);
    weights.push_back(of_channels);
  }
  Misses misses;
  for (std::size_t c = 0; c < D; ++c) {
    Code target(n), row(D);  // row c of the matrix
    for (std::size_t p = 0; p < n; ++p) target[p] = codes[p + step][c];
    for (std::size_t b = 0; b < basis.size(); ++b)
      for (std::size_t from = 0; from < D; ++from) row[from] += dot(target, basis[b]) * weights[b][from];
    for (std::size_t p = 0; p < 2 * n; ++p) {
      double& most = p < n ? misses.known : misses.beyond;
      most = std::max(most, std::abs(dot(row, codes[p]) - codes[p + step][c]));
    }
  }
  return misses;
}

const Settles row_10(10, "holds, at positions never seen too, which a table of names has no matrix for", [] {
  double off = 0;
  for (const int D : {16, 64})
    for (const int k : {1, 7, 100}) {
      const std::vector<double> M = shift_matrix(k, D);
      for (int p = 0; p < 200; ++p) {
        const Code here = sinusoid(p, D), there = sinusoid(p + k, D);
        for (std::size_t row = 0; row < there.size(); ++row)
          off = std::max(off,
                         std::abs(std::inner_product(here.begin(), here.end(), &M[row * there.size()], 0.0) -
                                  there[row]));
      }
    }
  const Misses clocks = best_matrix_misses("sinusoidal", 8, 32, 3),
               bits = best_matrix_misses("binary:capacity=128", 8, 32, 3),
               learned = best_matrix_misses("learned:capacity=128", 32, 32, 3);
  return Evidence{off < 1e-12 && clocks.beyond < 1e-6 && learned.known < 1e-6 && learned.beyond > 0.1 &&
                      bits.beyond > 0.1,
                  str("M_k PE(p) is PE(p + k) to ", off < 1e-12 ? "1e-12" : short_number(off),
                      "; a matrix found from 32 positions, k = 3, misses at the next 32 by up to ",
                      clocks.beyond < 1e-6 ? "1e-6" : short_number(clocks.beyond), " for clocks of width 8, ",
                      fixed(bits.beyond, 2), " for bits, and ", fixed(learned.beyond, 2),
                      " for a learned table of width 32, though it fits the first 32")};
});

const Settles row_12(12, "holds, the bands in narrow codes only: wide ones have the first further away", [] {
  struct Similarity {
    double lowest = 1, uneven = 0;  // of neighbours: the least cosine; how far any differs from the first
    std::vector<std::string> bands;
  };
  const auto of_width = [](int width) {
    const std::vector<Code> codes = codes_of("sinusoidal", width, 50);
    Similarity found;
    for (std::size_t p = 1; p < codes.size(); ++p) {
      const double neighbours = cosine(codes[p - 1], codes[p]);
      found.lowest = std::min(found.lowest, neighbours);
      found.uneven = std::max(found.uneven, std::abs(neighbours - cosine(codes[0], codes[1])));
    }
    for (std::size_t k = 1; k + 1 < 30; ++k)
      if (cosine(codes[0], codes[k]) >
          std::max(cosine(codes[0], codes[k - 1]), cosine(codes[0], codes[k + 1])))
        found.bands.push_back(str(k));
    return found;
  };
  const Similarity narrow = of_width(64), wide = of_width(512);
  return Evidence{narrow.lowest > 0.9 && wide.lowest > 0.9 && std::max(narrow.uneven, wide.uneven) < 1e-12 &&
                      narrow.bands == std::vector<std::string>{"6", "12", "18", "25"} && wide.bands.empty(),
                  str("the cosine of neighbours is ", fixed(narrow.lowest, 3), " everywhere at D = 64, ",
                      fixed(wide.lowest, 3), " at 512; bands up to distance 29 at D = 64: ",
                      join(narrow.bands, ", "), ", near whole turns of the fastest clock; at 512: ",
                      wide.bands.empty() ? "none" : join(wide.bands, ", "))};
});

// How often a channel passes its middle on the way through these codes.
int sign_changes(const std::vector<Code>& codes, std::size_t channel, double middle) {
  int changes = 0;
  for (std::size_t p = 1; p < codes.size(); ++p)
    changes += (codes[p][channel] > middle) != (codes[p - 1][channel] > middle);
  return changes;
}

const Settles row_22(
    22,
    "holds: the fast hand moves at every step, though it takes six for a turn where the last bit takes two",
    [] {
      const std::vector<Code> bits = codes_of("binary:capacity=64", 12, 64),
                              waves = codes_of("sinusoidal:base=64", 12, 64);
      std::vector<int> of_bits, of_clocks;
      for (std::size_t i = 0; i < 6; ++i) {
        of_bits.push_back(sign_changes(bits, i, 0.5));
        of_clocks.push_back(sign_changes(waves, 2 * i, 0));
      }
      double least = 2;  // of the moves of the fastest clock from one position to the next
      for (std::size_t p = 1; p < waves.size(); ++p)
        least = std::min(least, std::hypot(waves[p][0] - waves[p - 1][0], waves[p][1] - waves[p - 1][1]));
      const auto words = [](const std::vector<int>& counts) {
        std::vector<std::string> all;
        for (const int count : counts) all.push_back(str(count));
        return join(all, " ");
      };
      return Evidence{of_bits.front() == 63 && least > 0.9 &&
                          std::ranges::is_sorted(of_bits, std::greater{}) &&
                          std::ranges::is_sorted(of_clocks, std::greater{}),
                      str("over 64 positions six bits change ", words(of_bits),
                          " times, the sines of six clocks their sign ", words(of_clocks),
                          "; the first hand moves by ", fixed(least, 2), " at every step")};
    });

const Settles row_23(23, "fails: the first are the fastest", [] {
  const std::vector<double> w = inverse_frequencies(512, 10000);
  const bool falls = std::ranges::is_sorted(w, std::greater{});
  return Evidence{
      falls && w.front() > w.back(),
      str("D = 512: the first pair turns by ", short_number(w.front()), " a position, the last by ",
          fixed(w.back(), 5), falls ? ", each less than the one before" : "")};
});

const Settles row_24(24, "fails: between -1 and 1", [] {
  double lowest = 0, highest = 0;
  for (const Code& code : codes_of("sinusoidal", 64, 512))
    for (const double value : code) lowest = std::min(lowest, value), highest = std::max(highest, value);
  return Evidence{lowest < -0.99 && highest > 0.99 && lowest >= -1 && highest <= 1,
                  str("512 positions at D = 64: from ", fixed(lowest, 4), " to ", fixed(highest, 4))};
});

// Whether these are the numbers, as far as two decimals can tell.
bool prints_as(const Code& code, std::size_t first, const std::vector<double>& printed) {
  for (std::size_t i = 0; i < printed.size(); ++i)
    if (std::abs(code[first + i] - printed[i]) > 0.005 + 1e-9) return false;
  return true;
}

const Settles row_25(25, "fails: 1.00; 0.84 0.54 0.76 0.65; -1.00 0.02", [] {
  const Code at_0 = sinusoid(0, 128), at_1 = sinusoid(1, 128), at_49 = sinusoid(49, 128);
  const bool printed = prints_as(at_0, 127, {0.71}) || prints_as(at_1, 0, {0.84, 0.54, 0.01, 1}) ||
                       prints_as(at_49, 2, {0.48, 0.88});
  const bool ours = prints_as(at_0, 127, {1}) && prints_as(at_1, 0, {0.84, 0.54, 0.76, 0.65}) &&
                    prints_as(at_49, 2, {-1, 0.02});
  const bool narrow = prints_as(sinusoid(1, 4), 0, {0.84, 0.54, 0.01, 1});
  return Evidence{!printed && ours && narrow,
                  str("position 0 ends in ", fixed(at_0[127], 2), ", position 1 begins ", fixed(at_1[0], 2),
                      " ", fixed(at_1[1], 2), " ", fixed(at_1[2], 2), " ", fixed(at_1[3], 2),
                      ", position 49 has ", fixed(at_49[2], 2), " ", fixed(at_49[3], 2),
                      narrow ? "; 0.84 0.54 0.01 1.00 is right for D = 4" : "")};
});

const Settles row_26(26, "holds", [] {
  struct Printed {
    int a, b;
    double distance;  // tests/golden/sinusoid.json has them from numpy, too
  };
  constexpr std::array<Printed, 4> article = {
      {{1, 2, 0.0264886160}, {30, 31, 0.0264886160}, {1, 3, 0.0933916131}, {1, 30, 0.4323030366}}};
  double off = 0;
  for (const auto& [a, b, distance] : article)
    off = std::max(off, std::abs(1 - cosine(sinusoid(a, 1024), sinusoid(b, 1024)) - distance));
  return Evidence{off < 1e-10,
                  str("all four to ", off < 1e-10 ? "the last digit printed" : short_number(off))};
});

const Settles row_27(
    27, "holds: the distance of neighbours depends on where they stand; a model learns all the same", [] {
      const auto range = [](const std::string& waves) {
        const std::vector<Code> codes = codes_of("sinusoidal:waves=" + waves, 64, 50);
        std::array<double, 2> ends = {2, 0};
        for (std::size_t p = 2; p < codes.size(); ++p) {  // the sines of position 0 have no direction
          const double distance = 1 - cosine(codes[p - 1], codes[p]);
          ends = {std::min(ends[0], distance), std::max(ends[1], distance)};
        }
        return ends;
      };
      const auto both = range("both"), sin = range("sin"), cos = range("cos");
      const double with_sin = right_after(300, "sinusoidal:waves=sin", 2),
                   with_cos = right_after(300, "sinusoidal:waves=cos", 2);
      return Evidence{
          both[1] - both[0] < 1e-12 && sin[1] > 2 * sin[0] && cos[1] > 2 * cos[0] &&
              std::min(with_sin, with_cos) > 0.95,
          str("cosine distance of neighbours at D = 64: ", fixed(both[0], 3), " with both, ",
              fixed(sin[0], 3), " to ", fixed(sin[1], 3), " with sines, ", fixed(cos[0], 3), " to ",
              fixed(cos[1], 3), " with cosines; reversing 12 tokens after 300 steps, ", fixed(with_sin, 2),
              " and ", fixed(with_cos, 2), " right with sines and with cosines")};
    });

// Whether the pieces a-b and c-d cross.
bool cross(Point a, Point b, Point c, Point d) {
  const auto side = [](Point p, Point q, Point r) {
    return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
  };
  return side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
}

struct Line {
  double longest_step = 0;  // as a share of the way across
  int crossings = 0;
};
Line line_of(const std::vector<Point>& points) {
  double across = 0;
  Line line;
  for (const Point& a : points)
    for (const Point& b : points) across = std::max(across, std::hypot(a.x - b.x, a.y - b.y));
  for (std::size_t i = 1; i < points.size(); ++i) {
    line.longest_step = std::max(
        line.longest_step, std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y) / across);
    for (std::size_t j = i + 2; j < points.size(); ++j)
      line.crossings += cross(points[i - 1], points[i], points[j - 1], points[j]);
  }
  return line;
}

// The share of the variance of the codes that lies in the plane.
double share_in_plane(const std::vector<Code>& codes, const std::vector<Point>& points) {
  const auto spread = [](const auto& all, auto value) {
    double sum = 0, squares = 0;
    for (const auto& one : all) sum += value(one), squares += value(one) * value(one);
    return squares - sum * sum / static_cast<double>(all.size());
  };
  double whole = 0;
  for (std::size_t c = 0; c < codes.front().size(); ++c)
    whole += spread(codes, [c](const Code& code) { return code[c]; });
  return (spread(points, [](Point p) { return p.x; }) + spread(points, [](Point p) { return p.y; })) / whole;
}

const Settles row_28(
    28, "holds in the plane in which the codes spread most; the article's projection, UMAP, is not tested",
    [] {
      const auto in_plane = [](const std::vector<Code>& codes) { return line_of(in_a_plane(codes)); };
      const std::vector<Code> narrow = codes_of("sinusoidal", 64, 50),
                              wide = codes_of("sinusoidal", 1024, 50);
      const Line clocks = in_plane(narrow), wide_clocks = in_plane(wide),
                 bits = in_plane(codes_of("binary:capacity=64", 64, 50));
      const double longest = std::max(clocks.longest_step, wide_clocks.longest_step);
      return Evidence{
          longest < 0.15 && clocks.crossings + wide_clocks.crossings == 0 && bits.longest_step > 0.3,
          str("50 codes at D = 64 and 1024: no step is longer than ", fixed(longest, 2),
              " of the way across, and the line crosses itself ", clocks.crossings + wide_clocks.crossings,
              " times; of six bits, ", fixed(bits.longest_step, 2), " and ", bits.crossings,
              ". The plane holds ", fixed(share_in_plane(narrow, in_a_plane(narrow)), 2), " and ",
              fixed(share_in_plane(wide, in_a_plane(wide)), 2), " of the variance")};
    });

// Three seeds: the mean number of steps until 99 % of a validation are right (none: all steps), and the mean
// accuracy at the trained length and at twice that.
struct Learned {
  double steps = 0, trained = 0, longer = 0;
};
Learned learn(const std::string& task, const std::string& scheme, int length) {
  Learned mean;
  Pool pool(hardware_threads());
  for (const int seed : {1, 2, 3}) {
    RunSettings settings;
    settings.task = task;
    settings.model.scheme = scheme;
    settings.train.seed = static_cast<std::uint64_t>(seed);
    settings.train.lengths = {length, length};
    settings.test_lengths = {length, 2 * length};
    settings.test_examples = 1000;
    const Run run(complete(settings));
    Trainer trainer(run.model(), run.batcher(), run.settings().train, pool);
    while (trainer.train_step() == TrainStatus::running) continue;
    const auto scores = run.test(trainer.parameters().data(), pool);
    mean.steps += trainer.steps_to_solve() > 0 ? trainer.steps_to_solve() : trainer.step();
    mean.trained += scores[0].score.token_accuracy / 3;
    mean.longer += scores[1].score.token_accuracy / 3;
  }
  mean.steps /= 3;
  return mean;
}

const Settles row_31(
    31,
    "holds for added sinusoids in what is learned in the end; on short inputs a larger base takes more steps, at most "
    "by half. Fails for RoPE in longer inputs: there the base decides",
    [] {
      bool supports = true;
      std::vector<std::string> words, beyond;
      for (const int length : {12, 24}) {
        double fewest = INFINITY, most = 0;
        for (const char* base : {"10", "100", "10000", "1000000"}) {
          const std::string scheme = str("sinusoidal:base=", base);
          const Learned reverse = learn("reverse", scheme, length);
          supports &= reverse.trained > 0.99;
          fewest = std::min(fewest, reverse.steps);
          most = std::max(most, reverse.steps);
        }
        supports &= most <= fewest + validate_every;
        words.push_back(str("at ", length, " tokens ", fixed(fewest, 0), " to ", fixed(most, 0)));
        beyond.push_back(str(length, " tokens, at ", 2 * length, ": ",
                             fixed(learn("before", "sinusoidal:base=10", length).longer, 2), " and ",
                             fixed(learn("before", "sinusoidal", length).longer, 2)));
      }
      const double turned = learn("previous", "rope", 12).longer,
                   slower = learn("previous", "rope:base=1000000", 12).longer;
      supports &= slower > turned + 0.05;
      std::vector<std::string> soon;
      for (const char* base : {"10", "100", "10000", "1000000"})
        soon.push_back(fixed(right_after(100, str("sinusoidal:base=", base), 3), 2));
      return Evidence{supports, str("reverse, bases 10, 100, 10000, 1000000, three seeds: all learned, in ",
                                    join(words, ", "), "; with 100 steps in all, ", join(soon, " "),
                                    " right at 12; past the trained length base 10 "
                                    "carries less than 10000, before, trained at ",
                                    join(beyond, ", "), "; RoPE on previous, trained at 12 tokens, at 24 ",
                                    fixed(turned, 2), ", with base 1000000 ", fixed(slower, 2))};
    });

}  // namespace

}  // namespace locus
