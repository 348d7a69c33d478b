#include "refute.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"

namespace locus {

namespace {

constexpr double near = tolerance(1e-4, 1e-9);

// Whole positions that rise by 1 to 5 at a time.
Places with_gaps(int length, std::uint64_t seed) {
  Random random(seed, Purpose::testing, 1);
  Places places = {static_cast<double>(random.below(4))};
  while (places.size() < static_cast<std::size_t>(length))
    places.push_back(places.back() + 1 + random.below(5));
  return places;
}

std::string to_text(const auto& numbers) {
  std::vector<std::string> words;
  for (const auto number : numbers) words.push_back(str(number));
  return join(words, " ");
}

// The first logit that differs by more than rounding explains, in words. Numbers as large as the positions
// pass through some models, and cost digits.
Counterexample find_difference(const Values& expected, const Values& got, double largest_position = 0) {
  double size = 1 + largest_position / 100;
  for (const Real logit : expected) size = std::max(size, std::abs(static_cast<double>(logit)));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(static_cast<double>(got[i] - expected[i])) <= near * size))
      return str("logit ", i % vocabulary, " of token ", i / vocabulary, " is ", got[i], ", was ",
                 expected[i]);
  return {};
}

}  // namespace

Places count_from(double first, int length) {
  Places places;
  for (int t = 0; t < length; ++t) places.push_back(first + t);
  return places;
}

// "an encoder is permutation-equivariant: moving tokens moves outputs, no more"
Counterexample refute_order_blind(const Subject& subject) {
  const Places places = count_from(0, subject.length());
  const Values straight = subject.logits(subject.tokens(), places);
  for (std::uint64_t trial = 0; trial < 4; ++trial) {
    std::vector<int> order(subject.tokens().size()), moved;
    for (std::size_t t = 0; t < order.size(); ++t) order[t] = static_cast<int>(t);
    Random(trial, Purpose::testing, 2).shuffle(std::span<int>(order));
    Values expected;
    for (const int from : order) {
      moved.push_back(subject.tokens()[static_cast<std::size_t>(from)]);
      for (int v = 0; v < vocabulary; ++v)
        expected.push_back(straight[static_cast<std::size_t>(from * vocabulary + v)]);
    }
    if (const auto difference = find_difference(expected, subject.logits(moved, places)))
      return str("tokens ", to_text(subject.tokens()), " in the order ", to_text(order), ": ", *difference);
  }
  return {};
}

// "reversing an input reverses what an encoder computes, no more"
Counterexample refute_mirror_blind(const Subject& subject) {
  const Places places = count_from(0, subject.length());
  const Values straight = subject.logits(subject.tokens(), places);
  std::vector<int> mirrored = subject.tokens();
  std::ranges::reverse(mirrored);
  Values expected;
  for (int t = subject.length(); t-- > 0;)
    for (int v = 0; v < vocabulary; ++v)
      expected.push_back(straight[static_cast<std::size_t>(t * vocabulary + v)]);
  if (const auto difference = find_difference(expected, subject.logits(mirrored, places)))
    return str("tokens ", to_text(mirrored), " read backwards: ", *difference);
  return {};
}

// "mirroring the positions changes what a model computes"
Counterexample refute_direction_aware(const Subject& subject) {
  Places places = count_from(0, subject.length());
  const Values straight = subject.logits(subject.tokens(), places);
  std::ranges::reverse(places);
  double largest = 0;
  const Values mirrored = subject.logits(subject.tokens(), places);
  for (std::size_t i = 0; i < straight.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(straight[i] - mirrored[i])));
  if (largest > tolerance(1e-5, 1e-9)) return {};
  return str("tokens ", to_text(subject.tokens()), " at positions ", to_text(places),
             " give the same logits as at 0 1 2 ..., to ", largest);
}

// "adding one number to all positions changes nothing"
Counterexample refute_shift_invariant(const Subject& subject) {
  const bool unlimited = subject.scheme().capacity() == std::numeric_limits<int>::max();
  for (const Places& places : {count_from(0, subject.length()), with_gaps(subject.length(), 1)}) {
    const Values before = subject.logits(subject.tokens(), places);
    for (const double shift : {3.0, 17.0, 1000.0, -40.0, 0.25}) {
      Places shifted = places;
      for (double& place : shifted) place += shift;
      const bool in_table =
          shift > 0 && shift == std::floor(shift) && shifted.back() < subject.scheme().capacity();
      if (!unlimited && !in_table) continue;
      if (const auto difference =
              find_difference(before, subject.logits(subject.tokens(), shifted), std::abs(shift)))
        return str("positions ", to_text(places), " + ", shift, ": ", *difference);
    }
  }
  return {};
}

namespace {

// How far the hooks of a scheme move what they are given, at these positions.
double reach(const Subject& subject, const Places& places) {
  const ModelSettings& settings = subject.model().settings();
  const int T = static_cast<int>(places.size()), H = settings.heads, d = settings.d_model / H;
  std::vector<int> tokens;
  for (int t = 0; t < T; ++t) tokens.push_back(t % vocabulary);
  Tape tape(subject.parameters().data());
  const auto random = [&](Shape shape, std::uint64_t seed) {
    return tape.constant(shape, random_values(shape.count(), seed).data());
  };
  double farthest = 0;
  const auto measure = [&](Tensor before, Tensor after) {
    for (std::size_t i = 0; i < before.count(); ++i)
      farthest = std::max(farthest, std::abs(static_cast<double>(after.value()[i] - before.value()[i])));
  };
  const Positions positions = subject.scheme().positions(tape, {tokens, T, {1, T, places.data()}});
  const Tensor x = random({1, T, settings.d_model}, 1), scores = random({1, H, T, T}, 2);
  const Tensor q = random({1, H, T, d}, 3), k = random({1, H, T, d}, 4);
  Tensor q_after = q, k_after = k;
  subject.scheme().query_and_key(q_after, k_after, {x, q, k, positions, 0});
  measure(x, subject.scheme().embedding(x, {tokens, T, positions}));
  measure(q, q_after);
  measure(k, k_after);
  measure(scores, subject.scheme().scores(scores, {x, q, k, positions, 0}));
  return farthest;
}

}  // namespace

// "codes or biases stay within a fixed range at any position"
Counterexample refute_bounded(const Subject& subject) try {
  const double at_home = reach(subject, count_from(0, 11));
  for (double far = 100; far <= 1e5; far *= 10) {
    const double away = reach(subject, {0, 1, 10, far / 2, far - 1, far});
    if (!(away <= 3 * at_home + near))
      return str("positions up to 10 move numbers by up to ", at_home, ", position ", far, " by ", away);
  }
  return {};
} catch (const Error& error) {
  return error.what();
}

// "no two positions in range share a code"
Counterexample refute_unique(const Scheme& scheme, const Real* parameters) {
  const int count = std::min(scheme.capacity(), 512);
  std::vector<std::vector<double>> codes;
  for (int p = 0; p < count; ++p) {
    codes.push_back(scheme.code(p, count, parameters));
    if (codes.back().empty()) return str("position ", p, " has no code");
    for (int q = 0; q < p; ++q) {
      double largest = 0;
      const auto &a = codes[static_cast<std::size_t>(p)], &b = codes[static_cast<std::size_t>(q)];
      for (std::size_t c = 0; c < a.size() && largest < 1e-6; ++c)
        largest = std::max(largest, std::abs(a[c] - b[c]));
      if (largest < 1e-6) return str("positions ", q, " and ", p, " share the code (", to_text(a), ")");
    }
  }
  return {};
}
Counterexample refute_unique(const Subject& subject) {
  return refute_unique(subject.scheme(), subject.parameters().data());
}

// "defined at any position, trained or not"
Counterexample refute_extrapolates(const Subject& subject) {
  for (const double first : {10000.0, 1000000.0}) try {
      for (const Real logit : subject.logits(subject.tokens(), count_from(first, subject.length())))
        if (!std::isfinite(logit)) return str("at positions from ", first, " on, a logit is ", logit);
    } catch (const Error& error) {
      return error.what();
    }
  return {};
}

// "queries and keys keep their lengths": that they are left alone does not count.
Counterexample refute_norm_preserving(const Subject& subject) {
  const ModelSettings& settings = subject.model().settings();
  const int T = subject.length(), H = settings.heads, d = settings.d_model / H;
  bool turned = false;
  for (const Places& places : {count_from(0, T), with_gaps(T, 1), count_from(1000, T)}) {
    Tape tape(subject.parameters().data());
    const Positions positions =
        subject.scheme().positions(tape, {subject.tokens(), T, {1, T, places.data()}});
    const Values before = random_values(static_cast<std::size_t>(settings.d_model * T), 1);
    Tensor q = tape.constant({1, H, T, d}, before.data()), k = q;
    subject.scheme().query_and_key(q, k, {q, q, k, positions, 0});
    for (const Real* after : {q.value(), k.value()})
      for (int row = 0; row < H * T; ++row) {
        const Real *x = before.data() + row * d, *y = after + row * d;
        const double length = std::sqrt(std::inner_product(x, x + d, x, 0.0)),
                     now = std::sqrt(std::inner_product(y, y + d, y, 0.0));
        turned = turned || !std::equal(x, x + d, y);
        if (!(std::abs(now - length) <= near * length))
          return str("at position ", places[static_cast<std::size_t>(row % T)], " a ",
                     after == q.value() ? "query" : "key", " of length ", length, " gets ", now);
      }
  }
  if (turned) return {};
  return "queries and keys are left as they were";
}

namespace {

using Column = std::vector<double>;  // a number for each of a row of positions

// What is left of a column when all that these orthonormal ones can express is taken off. The second pass
// takes off what rounding left in the first.
Column remainder(Column column, const std::vector<Column>& basis) {
  for (int pass = 0; pass < 2; ++pass)
    for (const Column& direction : basis) {
      const double share = std::inner_product(column.begin(), column.end(), direction.begin(), 0.0);
      for (std::size_t p = 0; p < column.size(); ++p) column[p] -= share * direction[p];
    }
  return column;
}

double size(const Column& column) {
  return std::sqrt(std::inner_product(column.begin(), column.end(), column.begin(), 0.0));
}

}  // namespace

// "for each k one matrix maps the code of p to that of p + k, for all p": each channel at p + k must be a
// combination of the channels at p, the same for all p. Least squares over as many positions as there are.
Counterexample refute_linear_shift(const Scheme& scheme, const Real* parameters) {
  const int count = std::min(scheme.capacity(), table_rows);
  std::vector<Column> channels(scheme.code(0, count, parameters).size());
  if (channels.empty()) return "it has no codes";
  for (int p = 0; p < count; ++p) {
    const std::vector<double> code = scheme.code(p, count, parameters);
    for (std::size_t c = 0; c < code.size(); ++c) channels[c].push_back(code[c]);
  }
  for (const int k : {1, 2, 7}) {
    std::vector<Column> basis;
    for (const Column& channel : channels) {
      Column rest = remainder({channel.begin(), channel.end() - k}, basis);
      const double length = size(rest);
      if (length <= 1e-9 * size(channel)) continue;
      for (double& number : rest) number /= length;
      basis.push_back(rest);
    }
    for (std::size_t c = 0; c < channels.size(); ++c) {
      const double off = size(remainder({channels[c].begin() + k, channels[c].end()}, basis));
      if (!(off <= 1e-6 * (1 + size(channels[c]))))
        return str("the best matrix from the codes of 0, 1, 2 ... to those ", k,
                   " further on misses channel ", c, " by ", off);
    }
  }
  return {};
}
Counterexample refute_linear_shift(const Subject& subject) {
  return refute_linear_shift(subject.scheme(), subject.parameters().data());
}

// "draws nothing at random"
Counterexample refute_deterministic(const Subject& subject) {
  for (const bool training : {true, false})
    if (subject.with_stream(subject.tokens(), 1, training) !=
        subject.with_stream(subject.tokens(), 2, training))
      return str("another stream of random numbers gives another ", training ? "training step" : "answer");
  return {};
}

// "in a decoder, the numbers at a token depend on it and those before, not on the length": the
// positions chosen and the logits of every beginning of the input, alone, and with other tokens after it.
// Equal to the last bit, since testing relies on it (train/evaluate.h).
Counterexample refute_causal_prefix(const Subject& subject) {
  std::vector<int> tokens = subject.tokens();
  for (std::size_t t = 0; tokens.size() < 24; ++t)
    tokens.push_back(tokens[t]);  // more than a vector register holds
  const Values whole = subject.with_stream(tokens, 1, false);
  const auto differs = [&](const std::vector<int>& read, std::size_t count) -> Counterexample {
    const Values part = subject.with_stream(read, 1, false);
    for (std::size_t i = 0; i < count; ++i)
      if (part[i] != whole[i]) return str("token ", i, " is placed at ", part[i], ", was at ", whole[i]);
    for (std::size_t i = 0; i < count * vocabulary; ++i)
      if (const Real now = part[read.size() + i], before = whole[tokens.size() + i]; now != before)
        return str("logit ", i % vocabulary, " of token ", i / vocabulary, " is ", now, ", was ", before);
    return {};
  };
  for (std::size_t count = 1; count < tokens.size(); count += 1 + count / 4) {
    std::vector<int> start(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count));
    if (const auto difference = differs(start, count))
      return str("tokens ", to_text(start), " alone, not as the first of ", tokens.size(), ": ", *difference);
    start.resize(tokens.size());
    for (std::size_t t = count; t < tokens.size(); ++t) start[t] = (tokens[t] + 1) % vocabulary;
    if (const auto difference = differs(start, count))
      return str("tokens ", to_text(start), " instead of ", to_text(tokens), ": ", *difference);
  }
  return {};
}

Counterexample refute_parameters(const Subject& subject, std::size_t claimed) {
  ModelSettings settings = subject.model().settings();
  settings.scheme = "none";
  const std::size_t without = Transformer(settings, subject.model().task_shape()).parameters().count(),
                    with = subject.model().parameters().count();
  if (with == without + claimed) return {};
  return str("the model has ", with, " parameters, and ", without, " with none; the claim is ", claimed,
             " more");
}

const std::vector<Refuter> refuters = {
    {"order-blind", refute_order_blind, ModelKind::encoder},
    {"mirror-blind", refute_mirror_blind, ModelKind::encoder},
    {"direction-aware", refute_direction_aware},
    {"shift-invariant", refute_shift_invariant},
    {"bounded", refute_bounded},
    {"unique", [](const Subject& subject) { return refute_unique(subject); }},
    {"extrapolates", refute_extrapolates},
    {"norm-preserving", refute_norm_preserving},
    {"linear shift", [](const Subject& subject) { return refute_linear_shift(subject); }},
    {"deterministic", refute_deterministic},
    {"causal prefix", refute_causal_prefix, ModelKind::decoder}};

const Refuter& refuter_of(const ClaimInfo& claim) {
  const auto found = std::ranges::find(refuters, claim.name, &Refuter::claim);
  if (found == refuters.end()) fail("claims", str("no test tries to refute '", claim.name, "'"));
  return *found;
}

}  // namespace locus
