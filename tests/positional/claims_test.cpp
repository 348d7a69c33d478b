// Every claim of every scheme, put to the test: for each there is a function that tries to refute it on a
// random model and returns a counterexample in words. A claim that is made and refuted fails; one that seems
// to hold but is not made gives a warning. The last tests prove that each function can find a counterexample
// where there is one.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "../support/random_values.h"
#include "../support/specs.h"
#include "base/error.h"
#include "base/random.h"
#include "model/transformer.h"

using namespace locus;

namespace {

using Counterexample = std::optional<std::string>;
using Values = Reals;
using Places = std::vector<double>;

// Tables of 64 rows: more than any code here has channels, and few enough to try all of them.
constexpr int vocabulary = 5, capacity = 64;
constexpr double near = tolerance(1e-4, 1e-9);

// A model of random shape with random parameters, and tokens for it to read.
class Subject {
 public:
  Subject(const std::string& spec, ModelKind kind, std::uint64_t seed)
      : random_(seed, Purpose::testing),
        model_(random_settings(spec, kind), {.vocabulary = vocabulary}),
        parameters_(model_.parameters().draw(seed)) {
    const Values moves = random_values(parameters_.size(), seed, 0.3);
    for (std::size_t i = 0; i < moves.size(); ++i) parameters_[i] += moves[i];
    const int length = 4 + random_.below(6);
    for (int t = 0; t < length; ++t) tokens_.push_back(random_.below(vocabulary));
  }

  const Transformer& model() const { return model_; }
  const Scheme& scheme() const { return model_.scheme(); }
  const std::vector<int>& tokens() const { return tokens_; }
  int length() const { return static_cast<int>(tokens_.size()); }
  Values& parameters() { return parameters_; }
  const Values& parameters() const { return parameters_; }

  // One row of logits per token.
  Values logits(const std::vector<int>& tokens, const Places& places) const {
    Tape tape(parameters_.data());
    const Tensor logits = model_.logits(tape, {tokens, length(), {1, length(), places.data()}});
    return {logits.value(), logits.value() + logits.count()};
  }

  // What becomes of tokens at 0, 1, 2 ... with a stream of random numbers: where they are put, and the logits.
  Values with_stream(const std::vector<int>& tokens, std::uint64_t stream, bool training) const {
    Values gradients(parameters_.size());
    Tape recording(parameters_.data(), gradients.data()), evaluating(parameters_.data());
    Tape& tape = training ? recording : evaluating;
    const Random random(1, Purpose::positions, stream);
    const int T = static_cast<int>(tokens.size());
    const Inputs inputs{tokens, T, count_up(tape, T), random};
    const Positions chosen = scheme().positions(tape, inputs);
    const Tensor logits = model_.logits(tape, inputs);
    Values all(chosen.all().begin(), chosen.all().end());
    all.insert(all.end(), logits.value(), logits.value() + logits.count());
    return all;
  }

 private:
  ModelSettings random_settings(const std::string& spec, ModelKind kind) {
    const int heads = 1 + random_.below(4), head_width = 4 + 2 * random_.below(2);
    return {.kind = kind,
            .scheme = spec,
            .layers = 1 + random_.below(2),
            .heads = heads,
            .d_model = heads * head_width,
            .d_ff = 8};
  }

  Random random_;
  Transformer model_;
  Values parameters_;
  std::vector<int> tokens_;
};

Places count_from(double first, int length) {
  Places places;
  for (int t = 0; t < length; ++t) places.push_back(first + t);
  return places;
}

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
  for (const auto number : numbers) words.push_back(text(number));
  return join(words, " ");
}

// The first logit that differs by more than rounding explains, in words. Numbers as large as the positions
// pass through some models, and cost digits.
Counterexample find_difference(const Values& expected, const Values& got, double largest_position = 0) {
  double size = 1 + largest_position / 100;
  for (const Real logit : expected) size = std::max(size, std::abs(static_cast<double>(logit)));
  for (std::size_t i = 0; i < got.size(); ++i)
    if (!(std::abs(static_cast<double>(got[i] - expected[i])) <= near * size))
      return text("logit ", i % vocabulary, " of token ", i / vocabulary, " is ", got[i], ", was ",
                  expected[i]);
  return {};
}

// --- the claims ---

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
      return text("tokens ", to_text(subject.tokens()), " in the order ", to_text(order), ": ", *difference);
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
    return text("tokens ", to_text(mirrored), " read backwards: ", *difference);
  return {};
}

// "mirroring the positions changes what an encoder computes"
Counterexample refute_direction_aware(const Subject& subject) {
  Places places = count_from(0, subject.length());
  const Values straight = subject.logits(subject.tokens(), places);
  std::ranges::reverse(places);
  double largest = 0;
  const Values mirrored = subject.logits(subject.tokens(), places);
  for (std::size_t i = 0; i < straight.size(); ++i)
    largest = std::max(largest, std::abs(static_cast<double>(straight[i] - mirrored[i])));
  if (largest > tolerance(1e-5, 1e-9)) return {};
  return text("tokens ", to_text(subject.tokens()), " at positions ", to_text(places),
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
        return text("positions ", to_text(places), " + ", shift, ": ", *difference);
    }
  }
  return {};
}

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

// "codes or biases stay within a fixed range at any position"
Counterexample refute_bounded(const Subject& subject) try {
  const double at_home = reach(subject, count_from(0, 11));
  for (double far = 100; far <= 1e5; far *= 10) {
    const double away = reach(subject, {0, 1, 10, far / 2, far - 1, far});
    if (!(away <= 3 * at_home + near))
      return text("positions up to 10 move numbers by up to ", at_home, ", position ", far, " by ", away);
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
    for (int q = 0; q < p; ++q) {
      double largest = 0;
      const auto &a = codes[static_cast<std::size_t>(p)], &b = codes[static_cast<std::size_t>(q)];
      for (std::size_t c = 0; c < a.size() && largest < 1e-6; ++c)
        largest = std::max(largest, std::abs(a[c] - b[c]));
      if (largest < 1e-6) return text("positions ", q, " and ", p, " share the code (", to_text(a), ")");
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
        if (!std::isfinite(logit)) return text("at positions from ", first, " on, a logit is ", logit);
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
          return text("at position ", places[static_cast<std::size_t>(row % T)], " a ",
                      after == q.value() ? "query" : "key", " of length ", length, " gets ", now);
      }
  }
  if (turned) return {};
  return "queries and keys are left as they were";
}

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

// "for each k one matrix maps the code of p to that of p + k, for all p": each channel at p + k must be a
// combination of the channels at p, the same for all p. Least squares over as many positions as there are.
Counterexample refute_linear_shift(const Scheme& scheme, const Real* parameters) {
  const int count = std::min(scheme.capacity(), capacity);
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
        return text("the best matrix from the codes of 0, 1, 2 ... to those ", k,
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
      return text("another stream of random numbers gives another ", training ? "training step" : "answer");
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
      if (part[i] != whole[i]) return text("token ", i, " is placed at ", part[i], ", was at ", whole[i]);
    for (std::size_t i = 0; i < count * vocabulary; ++i)
      if (const Real now = part[read.size() + i], before = whole[tokens.size() + i]; now != before)
        return text("logit ", i % vocabulary, " of token ", i / vocabulary, " is ", now, ", was ", before);
    return {};
  };
  for (std::size_t count = 1; count < tokens.size(); count += 1 + count / 4) {
    std::vector<int> start(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(count));
    if (const auto difference = differs(start, count))
      return text("tokens ", to_text(start), " alone, not as the first of ", tokens.size(), ": ",
                  *difference);
    start.resize(tokens.size());
    for (std::size_t t = count; t < tokens.size(); ++t) start[t] = (tokens[t] + 1) % vocabulary;
    if (const auto difference = differs(start, count))
      return text("tokens ", to_text(start), " instead of ", to_text(tokens), ": ", *difference);
  }
  return {};
}

// "it adds exactly so many"
Counterexample refute_parameters(const Subject& subject, std::size_t claimed) {
  ModelSettings settings = subject.model().settings();
  settings.scheme = "none";
  const std::size_t without = Transformer(settings, subject.model().task_shape()).parameters().count(),
                    with = subject.model().parameters().count();
  if (with == without + claimed) return {};
  return text("the model has ", with, " parameters, and ", without, " with none; the claim is ", claimed,
              " more");
}

struct Refuter {
  std::string claim;
  Counterexample (*refute)(const Subject&);
  std::optional<ModelKind> only = {};  // of such models
};

const Refuter refuters[] = {{"order-blind", refute_order_blind, ModelKind::encoder},
                            {"mirror-blind", refute_mirror_blind, ModelKind::encoder},
                            {"direction-aware", refute_direction_aware},
                            {"shift-invariant", refute_shift_invariant},
                            {"bounded", refute_bounded},
                            {"unique", refute_unique},
                            {"extrapolates", refute_extrapolates},
                            {"norm-preserving", refute_norm_preserving},
                            {"linear shift", refute_linear_shift},
                            {"deterministic", refute_deterministic},
                            {"causal prefix", refute_causal_prefix, ModelKind::decoder}};

const Refuter& refuter_of(const ClaimInfo& claim) {
  const Refuter* found = std::ranges::find(refuters, claim.name, &Refuter::claim);
  if (found == std::end(refuters)) fail("claims", text("no test tries to refute '", claim.name, "'"));
  return *found;
}

// Every scheme with every choice, and every pair of schemes that a spec for such a model may combine.
std::vector<std::string> specs_and_pairs(ModelKind kind) {
  const bool causal = kind == ModelKind::decoder;
  std::vector<std::string> specs = every_spec(capacity, causal);
  for (const SchemeInfo& a : all_schemes())
    for (const SchemeInfo& b : all_schemes()) {
      const bool composes =
          (a.stage != b.stage || a.stage == Stage::scores) && (causal || (!a.causal_only && !b.causal_only));
      if (a.name < b.name && a.stage != Stage::nowhere && b.stage != Stage::nowhere && composes)
        specs.push_back(text(a.name, "+", b.name));
    }
  return specs;
}

Counterexample refute(Counterexample (*claim)(const Subject&), const std::string& spec,
                      ModelKind kind = ModelKind::encoder, std::uint64_t seed = 1) {
  return claim(Subject(spec, kind, seed));
}

}  // namespace

// A claim that was refuted once is not tried again: not on other models, and not on pairs with that scheme.
TEST_CASE("claims: none that a scheme makes can be refuted, and none that holds is left out") {
  std::set<std::pair<std::string, const ClaimInfo*>> false_claims;  // by scheme
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : specs_and_pairs(kind))
      for (const ClaimInfo& claim : all_claims) {
        const Refuter& refuter = refuter_of(claim);
        if (refuter.only && refuter.only != kind) continue;
        const auto is_false = [&](const std::string& part) {
          return false_claims.contains({part.substr(0, part.find(':')), &claim});
        };
        if (std::ranges::any_of(split(spec, '+'), is_false)) continue;
        const bool alone = spec.find('+') == std::string::npos;
        const std::uint64_t models = alone ? 8 : 3;  // pairs are many
        bool made = false, refuted = false;
        for (std::uint64_t seed = 1; seed <= models; ++seed) {
          const Subject subject(spec, kind, seed);
          made = subject.scheme().claims().*claim.holds;
          const Counterexample counterexample = refuter.refute(subject);
          refuted = refuted || counterexample.has_value();
          CHECK_MESSAGE(!(made && counterexample), text(spec, " in the ", to_string(kind), " claims '",
                                                        claim.name, "', but: ", counterexample.value_or("")));
          if (made && counterexample) {
            false_claims.insert({spec.substr(0, spec.find(':')), &claim});
            break;
          }
        }
        // A pair claims what follows from its parts; by luck more may hold.
        if (alone)
          WARN_MESSAGE((made || refuted), text(spec, " in the ", to_string(kind), " seems to have '",
                                               claim.name, "' and does not claim it"));
      }
}

TEST_CASE("claims: a scheme adds exactly the parameters that it says") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : specs_and_pairs(kind))
      for (std::uint64_t seed = 1; seed <= 3; ++seed) {
        const Subject subject(spec, kind, seed);
        const Counterexample counterexample =
            refute_parameters(subject, subject.scheme().claims().parameters);
        CHECK_MESSAGE(!counterexample,
                      text(spec, " in the ", to_string(kind), ": ", counterexample.value_or("")));
      }
}

TEST_CASE("claims: what does not claim to extrapolate says so, rather than answer with something") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const std::string& spec : specs_and_pairs(kind)) {
      CAPTURE(spec);
      const Subject subject(spec, kind, 1);
      if (subject.scheme().claims().extrapolates) continue;
      CHECK_THROWS_AS(subject.logits(subject.tokens(), count_from(10000, subject.length())), Error);
    }
}

TEST_CASE("claims: each has a refuter, and each refuter a claim") {
  std::set<std::string> made, refuted;
  for (const ClaimInfo& claim : all_claims) made.insert(claim.name);
  for (const Refuter& refuter : refuters) refuted.insert(refuter.claim);
  CHECK(made == refuted);
  CHECK(std::size(all_claims) == std::size(refuters));
}

TEST_CASE("claims: order_blind is refuted for schemes that show order, and for the causal mask alone") {
  for (const char* spec : {"index", "sinusoidal", "learned", "rope", "alibi", "t5"}) {
    CAPTURE(spec);
    CHECK(refute(refute_order_blind, spec));
  }
  CHECK(refute(refute_order_blind, "none", ModelKind::decoder));
  CHECK_FALSE(refute(refute_order_blind, "none"));
}

TEST_CASE("claims: mirror_blind is refuted where left and right differ, or the place in the whole") {
  for (const char* spec :
       {"rope", "sinusoidal", "t5", "alibi:direction=asymmetric", "fire", "abacus", "alibi+fire"}) {
    CAPTURE(spec);
    CHECK(refute(refute_mirror_blind, spec));
  }
  for (const char* spec : {"none", "alibi", "kerple", "sandwich", "alibi+kerple"}) {
    CAPTURE(spec);
    CHECK_FALSE(refute(refute_mirror_blind, spec));
  }
}

TEST_CASE("claims: direction_aware is refuted for schemes that treat left and right alike") {
  for (const char* spec : {"none", "index:join=fill", "alibi:direction=symmetric"}) {
    CAPTURE(spec);
    CHECK(refute(refute_direction_aware, spec));
  }
  CHECK_FALSE(refute(refute_direction_aware, "alibi:direction=asymmetric"));
}

TEST_CASE("claims: shift_invariant is refuted for schemes of absolute positions") {
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder})
    for (const char* spec : {"index", "sinusoidal", "learned", "rope+index"}) {
      CAPTURE(spec);
      CHECK(refute(refute_shift_invariant, spec, kind));
    }
  CHECK_FALSE(refute(refute_shift_invariant, "rope"));
}

TEST_CASE("claims: bounded is refuted where numbers grow with the position, or end") {
  for (const char* spec : {"index", "index:join=fill", "alibi", "sinusoidal+alibi", "learned"}) {
    CAPTURE(spec);
    CHECK(refute(refute_bounded, spec));
  }
  CHECK_FALSE(refute(refute_bounded, "t5"));
}

TEST_CASE("claims: unique is refuted where there is no code, and where just two positions share one") {
  for (const char* spec : {"none", "rope", "alibi"}) {
    CAPTURE(spec);
    CHECK(refute(refute_unique, spec));
  }
  // The position itself as code, but 400 looks like 17.
  class OneCollision : public Scheme {
   public:
    Claims claims() const override { return {.unique = true}; }
    std::vector<double> code(double position, int, const Real*) const override {
      return {1, position == 400 ? 17 : position};
    }
  };
  CHECK(refute_unique(OneCollision(), nullptr) == "positions 17 and 400 share the code (1 17)");
}

TEST_CASE("claims: norm_preserving is refuted where lengths change, and where nothing turns") {
  for (const char* spec : {"rope:temperature=on,factor=4", "rope:extend=yarn,factor=4,original=16"}) {
    CAPTURE(spec);
    const Counterexample longer = refute(refute_norm_preserving, spec);
    REQUIRE(longer);
    CHECK(longer->starts_with("at position 0 a query of length "));
  }
  CHECK(refute(refute_norm_preserving, "xpos", ModelKind::decoder));
  for (const char* spec : {"none", "sinusoidal", "alibi"})
    CHECK(refute(refute_norm_preserving, spec) == "queries and keys are left as they were");
  CHECK_FALSE(refute(refute_norm_preserving, "rope"));
}

TEST_CASE("claims: linear_shift is refuted for all but pairs of sine and cosine, and what is independent") {
  for (const char* spec : {"index", "index:join=fill", "fraction", "binary", "learned",
                           "sinusoidal:waves=sin", "sinusoidal:waves=cos"}) {
    CAPTURE(spec);
    const Counterexample missed = refute(refute_linear_shift, spec);
    REQUIRE(missed);
    CHECK(missed->starts_with("the best matrix "));
  }
  CHECK(refute(refute_linear_shift, "rope") == "it has no codes");
  CHECK_FALSE(refute(refute_linear_shift, "sinusoidal"));
  CHECK_FALSE(refute(refute_linear_shift, "onehot:capacity=64"));
}

// A slip seen in print: sine and cosine of one pair with speeds of their own.
TEST_CASE("claims: linear_shift is refuted for a sinusoid whose sine and cosine differ in speed") {
  class Slip : public Scheme {
   public:
    Claims claims() const override { return {.linear_shift = true}; }
    std::vector<double> code(double position, int, const Real*) const override {
      std::vector<double> code;
      for (int c = 0; c < 8; ++c) {
        const double angle = position * std::pow(10000.0, -c / 8.0);
        code.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
      }
      return code;
    }
  };
  CHECK(refute_linear_shift(Slip(), nullptr));
}

TEST_CASE("claims: deterministic is refuted where training draws, and where only the positions show it") {
  CHECK(refute(refute_deterministic, "randomized") ==
        "another stream of random numbers gives another training step");
  CHECK(refute(refute_deterministic, "randomized:test=sorted"));
  CHECK(refute(refute_deterministic, "abacus:offset=3"));
  CHECK_FALSE(refute(refute_deterministic, "abacus"));
  CHECK_FALSE(refute(refute_deterministic, "learned+rope"));
}

TEST_CASE("claims: causal_prefix is refuted where the length or a later token shows") {
  for (const char* spec : {"fraction", "randomized", "randomized:test=sorted",
                           "rope:extend=dynamic,original=4", "xpos", "randomized+sinusoidal",
                           "randomized+alibi", "alibi+fraction", "rope:extend=dynamic,original=4+alibi"}) {
    CAPTURE(spec);
    CHECK(refute(refute_causal_prefix, spec, ModelKind::decoder));
  }
  const Counterexample later = refute(refute_causal_prefix, "none", ModelKind::encoder);
  REQUIRE(later);
  CHECK(later->find(" alone, not as the first of 24: logit ") != std::string::npos);
  for (const char* spec : {"none", "learned", "rope:extend=yarn,factor=4,original=4", "t5", "path"}) {
    CAPTURE(spec);
    CHECK_FALSE(refute(refute_causal_prefix, spec, ModelKind::decoder));
  }
}

// A decoder is tested with one pass over the whole answer if it makes the claim, with many if it does not: here the
// claim must be neither too wide nor too narrow.
TEST_CASE("claims: what does not claim a causal prefix has none, alone or composed") {
  for (const std::string& spec : specs_and_pairs(ModelKind::decoder)) {
    bool made = false, refuted = false;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Subject subject(spec, ModelKind::decoder, seed);
      made = subject.scheme().claims().causal_prefix;
      refuted = refuted || refute_causal_prefix(subject);
    }
    CHECK_MESSAGE(made != refuted, spec);
  }
}

TEST_CASE("claims: extrapolates is refuted by an error, and by NaN") {
  const Counterexample error = refute(refute_extrapolates, "learned");
  REQUIRE(error);
  CHECK(error->starts_with("[learned] position 10000 is not one of 0 to "));

  Subject subject("sinusoidal", ModelKind::encoder, 1);
  CHECK_FALSE(refute_extrapolates(subject));
  std::ranges::fill(subject.parameters(), std::numeric_limits<Real>::quiet_NaN());
  const Counterexample not_finite = refute_extrapolates(subject);
  REQUIRE(not_finite);
  CHECK(not_finite->starts_with("at positions from 10000 on, a logit is "));
}

TEST_CASE("claims: a count of parameters is refuted when it is one off") {
  for (const char* spec : {"none", "learned", "t5", "sinusoidal:join=concat"}) {
    CAPTURE(spec);
    const Subject subject(spec, ModelKind::encoder, 1);
    const std::size_t right = subject.scheme().claims().parameters;
    CHECK_FALSE(refute_parameters(subject, right));
    CHECK(refute_parameters(subject, right + 1));
    if (right > 0) CHECK(refute_parameters(subject, right - 1));
  }
}
