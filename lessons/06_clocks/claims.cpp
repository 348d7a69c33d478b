#include "lessons/tools/claims.h"

#include <array>

#include "base/error.h"
#include "lessons/06_clocks/measure.h"
#include "positional/support/sinusoid.h"
#include "report/format.h"

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
                      text("D = 64 rises again at distance ", narrow, ", D = 512 at ", wide,
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

// The vectors of the words in a trained model.
std::vector<Code> words_of(const Reverser& model) {
  std::vector<Code> words;
  for (const auto& entry : model.run.model().parameters().entries())
    if (entry.name.starts_with("embedding")) {
      const Real* from = model.parameters.data() + entry.where.offset;
      for (int word = 0; word < entry.where.shape[0]; ++word, from += entry.where.shape[1])
        words.emplace_back(from, from + entry.where.shape[1]);
    }
  return words;
}

const Settles row_5(
    5,
    "fails: position does sit there, but a small model keeps as much content there as one without positions",
    [] {
      Pool pool(hardware_threads());
      const double wide = share_of_first_half(codes_of("sinusoidal", 512, 50)),
                   narrow = share_of_first_half(codes_of("sinusoidal", 32, 12)),
                   with = share_of_first_half(words_of(learn_to_reverse(300, "sinusoidal", 1, pool))),
                   without = share_of_first_half(words_of(learn_to_reverse(300, "none", 1, pool)));
      return Evidence{wide > 0.95 && narrow > 0.95 && std::abs(with - without) < 0.05,
                      text("the first half of the channels holds ", fixed(wide, 3),
                           " of the variance of 50 codes of width 512, and ", fixed(narrow, 3),
                           " of 12 of width 32; of the words of a model that has learned to reverse, ",
                           fixed(with, 2), ", without positions ", fixed(without, 2))};
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
                      text("the closest of 10000 codes, bases 10 to 1000000: with one clock ",
                           fixed(least.distance, 5), " from each other, ", least.apart,
                           " positions apart; with two ", fixed(least_of_two.distance, 4), " and ",
                           least_of_two.apart, ", for base ", least_of_two.base, "; with eight always ",
                           neighbours ? "neighbours" : "some", ", by ", fixed(least_wide, 2), " or more")};
    });

// How far the best matrix, by least squares, misses when it leads from the code of each position to that k
// further on.
double best_matrix_misses(const std::string& spec, int width, int k) {
  const std::vector<Code> codes = codes_of(spec, width, 64);
  const auto channel = [&](std::size_t c, int from, int to) {
    Code column;
    for (int p = from; p < to; ++p) column.push_back(codes[static_cast<std::size_t>(p)][c]);
    return column;
  };
  std::vector<Code> basis;
  const auto rest_of = [&](Code column) {
    for (int pass = 0; pass < 2; ++pass)  // the second takes off what rounding left
      for (const Code& direction : basis) {
        const double share = dot(column, direction);
        for (std::size_t p = 0; p < column.size(); ++p) column[p] -= share * direction[p];
      }
    return column;
  };
  for (std::size_t c = 0; c < codes[0].size(); ++c) {
    Code rest = rest_of(channel(c, 0, 64 - k));
    const double length = std::sqrt(dot(rest, rest));
    if (length < 1e-9) continue;
    for (double& value : rest) value /= length;
    basis.push_back(rest);
  }
  double misses = 0;
  for (std::size_t c = 0; c < codes[0].size(); ++c)
    for (const double value : rest_of(channel(c, k, 64))) misses = std::max(misses, std::abs(value));
  return misses;
}

const Settles row_10(10, "holds", [] {
  constexpr int D = 64;
  double off = 0;
  for (const int k : {1, 7, 100}) {
    const std::vector<double> M = shift_matrix(k, D);
    for (int p = 0; p < 200; ++p) {
      const Code here = sinusoid(p, D), there = sinusoid(p + k, D);
      for (std::size_t row = 0; row < D; ++row)
        off = std::max(off,
                       std::abs(std::inner_product(here.begin(), here.end(), &M[row * D], 0.0) - there[row]));
    }
  }
  const double index = best_matrix_misses("index", 8, 3),
               bits = best_matrix_misses("binary:capacity=64", 8, 3),
               learned = best_matrix_misses("learned:capacity=64", 8, 3);
  return Evidence{off < 1e-12 && std::min({index, bits, learned}) > 0.1,
                  text("M_k PE(p) is PE(p + k) to ", off < 1e-12 ? "1e-12" : short_number(off),
                       "; the best matrix misses by up to ", fixed(index, 2), " for the index, ",
                       fixed(bits, 2), " for bits, ", fixed(learned, 2), " for a learned table of width 8")};
});

const Settles row_12(12, "holds", [] {
  const std::vector<Code> codes = codes_of("sinusoidal", 64, 50);
  double lowest = 1, uneven = 0;
  for (std::size_t p = 1; p < codes.size(); ++p) {
    const double neighbours = cosine(codes[p - 1], codes[p]);
    lowest = std::min(lowest, neighbours);
    uneven = std::max(uneven, std::abs(neighbours - cosine(codes[0], codes[1])));
  }
  std::vector<std::string> bands;
  for (std::size_t k = 1; k + 1 < 30; ++k)
    if (cosine(codes[0], codes[k]) > std::max(cosine(codes[0], codes[k - 1]), cosine(codes[0], codes[k + 1])))
      bands.push_back(text(k));
  return Evidence{
      lowest > 0.9 && uneven < 1e-12 && bands == std::vector<std::string>{"6", "12", "18", "25"},
      text("D = 64: the cosine of neighbours is ", fixed(lowest, 3), " everywhere; bands at the distances ",
           join(bands, ", "), ", near whole turns of the fastest clock")};
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
        for (const int count : counts) all.push_back(text(count));
        return join(all, " ");
      };
      return Evidence{of_bits.front() == 63 && least > 0.9 &&
                          std::ranges::is_sorted(of_bits, std::greater{}) &&
                          std::ranges::is_sorted(of_clocks, std::greater{}),
                      text("over 64 positions six bits change ", words(of_bits),
                           " times, the sines of six clocks their sign ", words(of_clocks),
                           "; the first hand moves by ", fixed(least, 2), " at every step")};
    });

const Settles row_23(23, "fails: the first are the fastest", [] {
  const std::vector<double> w = inverse_frequencies(512, 10000);
  const bool falls = std::ranges::is_sorted(w, std::greater{});
  return Evidence{
      falls && w.front() > w.back(),
      text("D = 512: the first pair turns by ", short_number(w.front()), " a position, the last by ",
           fixed(w.back(), 5), falls ? ", each less than the one before" : "")};
});

const Settles row_24(24, "fails: between -1 and 1", [] {
  double lowest = 0, highest = 0;
  for (const Code& code : codes_of("sinusoidal", 64, 512))
    for (const double value : code) lowest = std::min(lowest, value), highest = std::max(highest, value);
  return Evidence{lowest < -0.99 && highest > 0.99 && lowest >= -1 && highest <= 1,
                  text("512 positions at D = 64: from ", fixed(lowest, 4), " to ", fixed(highest, 4))};
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
                  text("position 0 ends in ", fixed(at_0[127], 2), ", position 1 begins ", fixed(at_1[0], 2),
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
                  text("all four to ", off < 1e-10 ? "the last digit printed" : short_number(off))};
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
          text("cosine distance of neighbours at D = 64: ", fixed(both[0], 3), " with both, ",
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

const Settles row_28(28, "holds", [] {
  const Line clocks = line_of(in_a_plane(codes_of("sinusoidal", 64, 50))),
             bits = line_of(in_a_plane(codes_of("binary:capacity=64", 64, 50)));
  return Evidence{clocks.longest_step < 0.1 && clocks.crossings == 0 && bits.longest_step > 0.3,
                  text("50 codes at D = 64: no step is longer than ", fixed(clocks.longest_step, 2),
                       " of the way across, and the line crosses itself ", clocks.crossings,
                       " times; of six bits, ", fixed(bits.longest_step, 2), " and ", bits.crossings)};
});

const Settles row_31(
    31, "fails: all are learned in time, but the larger, the fewer clocks move, and the later", [] {
      std::vector<double> soon, late;
      std::vector<std::string> words;
      for (const char* base : {"10", "100", "10000", "1000000"}) {
        soon.push_back(right_after(100, text("sinusoidal:base=", base), 2));
        late.push_back(right_after(300, text("sinusoidal:base=", base), 1));
        words.push_back(text(base, ": ", fixed(soon.back(), 2), " and ", fixed(late.back(), 2)));
      }
      return Evidence{
          std::ranges::is_sorted(soon, std::greater{}) && soon.front() > soon.back() + 0.3 &&
              std::ranges::min(late) > 0.95,
          text("reversing 12 tokens, right after 100 and after 300 steps, by base: ", join(words, ", "))};
    });

}  // namespace

}  // namespace locus
