// Chapter 3. Plain loops in double say what gradients, updates and ceilings must come to.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "io/format.h"
#include "lessons/03_learning/adamw.h"
#include "lessons/03_learning/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "tasks/support/ceiling.h"
#include "tasks/support/registry.h"
#include "train/optimizer.h"

using namespace locus;

namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t count, std::uint64_t seed, double size = 1) {
  Random random(seed, Purpose::testing);
  Numbers numbers(count);
  for (double& number : numbers) number = size * random.normal();
  return numbers;
}

// --- 3.1 ---

// Logits (rows, V), a target for each row or not_scored, and what was in their gradient before.
struct Logits {
  int rows, V;
  double divisor, weight;  // the loss is divided by the one and later multiplied by the other
  std::vector<int> targets;
  std::uint64_t seed;

  std::size_t count() const { return static_cast<std::size_t>(rows * V); }
  Numbers values() const { return random_numbers(count(), seed); }
  Numbers before() const { return random_numbers(count(), seed + 1); }
  double scored() const {
    return static_cast<double>(std::ranges::count_if(targets, [](int t) { return t != not_scored; }));
  }
  double at(int row, int v) const { return values()[static_cast<std::size_t>(row * V + v)]; }
  int target(int row) const { return targets[static_cast<std::size_t>(row)]; }
  double is_target(int row, int v) const { return v == target(row) ? 1 : 0; }
  double p(int row, int v) const {
    double sum = 0;
    for (int other = 0; other < V; ++other) sum += std::exp(at(row, other));
    return std::exp(at(row, v)) / sum;
  }
  double loss() const {
    double sum = 0;
    for (int row = 0; row < rows; ++row)
      if (target(row) != not_scored) sum -= std::log(p(row, target(row)));
    return sum / divisor;
  }

  // What the learner's lines leave in the gradient.
  Array yours() const {
    const Numbers x = values(), old = before();
    const Reals parameters(x.begin(), x.end());
    Reals gradient(old.begin(), old.end());
    Tape tape(parameters.data(), gradient.data());
    poison(tape);
    const Tensor loss =
        cross_entropy(tape.parameter({{rows, V}, 0}), targets, static_cast<Real>(divisor)) * weight;
    tape.backward(loss);
    return {{rows, V}, {gradient.begin(), gradient.end()}};
  }

  using Of = std::function<double(const Logits&, int row, int v)>;
  // What the lines of 3.1 give when they read the probabilities and write the gradient at these indices.
  using Index = std::function<int(const Logits&, int row, int v)>;
  Array at_indices(const Index& of_p, const Index& of_d) const {
    Array out{{rows, V}, before()};
    for (int row = 0; row < rows; ++row)
      for (int v = 0; v < V && target(row) != not_scored; ++v) {
        const int index = of_p(*this, row, v);
        out.values[static_cast<std::size_t>(of_d(*this, row, v))] +=
            weight / divisor * (p(index / V, index % V) - is_target(row, v));
      }
    return out;
  }

  // Each scored row gets `of` times `factor`, added to what was there; with `all`, the others do, too.
  Array gradient(const Of& of, double factor, double keep = 1, bool all = false) const {
    Array out{{rows, V}, before()};
    for (int row = 0; row < rows; ++row)
      for (int v = 0; v < V; ++v)
        if (all || target(row) != not_scored) {
          double& d = out.values[static_cast<std::size_t>(row * V + v)];
          d = keep * d + factor * of(*this, row, v);
        }
    return out;
  }
};

const Logits logits_of[] = {{6, 5, 7, 2.5, {3, 0, not_scored, 4, 1, 3}, 11},
                            {4, 3, 9, -0.75, {1, not_scored, 2, 2}, 21}};

// --- 3.2 and 3.3 ---

// One call of adamw_update() on some parameters of a longer vector.
struct Update {
  double rate, peak, beta1, beta2, epsilon, decay, clip, norm;
  int step;  // from 0
  std::uint64_t seed;
  static constexpr std::size_t first = 2, count = 4, all = 9;

  Numbers g() const { return random_numbers(all, seed, 0.6); }
  Numbers p() const { return random_numbers(all, seed + 1); }
  Numbers m() const { return random_numbers(all, seed + 2, 0.5); }
  Numbers v() const {
    Numbers squares = random_numbers(all, seed + 3, 0.5);
    for (double& square : squares) square = square * square + 0.1;
    return squares;
  }

  // What is left of m, v and p, each of `all` numbers; after an Error, what is left by then.
  struct After {
    Numbers m, v, p;
    std::string stopped_by;
  };
  After yours() const {
    const Numbers gradient = g(), parameters = p(), mean = m(), square = v();
    const Reals of_loss(gradient.begin(), gradient.end());
    Reals moved(parameters.begin(), parameters.end());
    OptimizerState state{Reals(mean.begin(), mean.end()), Reals(square.begin(), square.end())};
    After after;
    try {
      adamw_update({.learning_rate = peak,
                    .weight_decay = decay,
                    .beta1 = beta1,
                    .beta2 = beta2,
                    .epsilon = epsilon,
                    .clip = clip},
                   rate, step, norm, of_loss.data(), first, count, moved.data(), state);
    } catch (const Error& error) {
      after.stopped_by = error.what();
    }
    after.m.assign(state.mean.begin(), state.mean.end());
    after.v.assign(state.square.begin(), state.square.end());
    after.p.assign(moved.begin(), moved.end());
    return after;
  }

  Element element(std::size_t i) const {
    const double clipped = (norm > clip ? clip / norm : 1) * g()[i];
    return {rate,
            beta1,
            beta2,
            epsilon,
            decay,
            step + 1,
            1 / (1 - std::pow(beta1, step + 1)),
            1 / (1 - std::pow(beta2, step + 1)),
            p()[i],
            clipped,
            m()[i],
            v()[i]};
  }
  // `of` for each number from `from` on, by default those of the update; all others stay as they were.
  template <class Of>
  Array each(const Numbers& before, Of of, std::size_t from = first, std::size_t how_many = count) const {
    Numbers after = before;
    for (std::size_t i = from; i < from + how_many; ++i) after[i] = of(*this, i);
    return list(after);
  }
};

// The first gradient is clipped, the second is not. No two numbers of one update are equal.
const Update updates[] = {{0.3, 0.8, 0.7, 0.9, 0.25, 0.4, 1.5, 4, 1, 31},
                          {0.2, 0.9, 0.6, 0.8, 0.15, 0.7, 5, 2, 4, 41}};
const std::vector<std::string> of_updates = {"a gradient to clip", "a short gradient"};
// After so many training steps the corrections are 1, so that a step 3.3 which stores them does not fail 3.2.
constexpr int late = 100'000;

using OfElement = std::function<double(const Element&)>;
using OfParameter = std::function<double(const Update&, std::size_t i)>;
struct Named {
  std::string says;
  OfParameter value;
  std::size_t from = Update::first, how_many = Update::count;
};

void compare_updates(const std::string& what, Numbers Update::After::*seen, Numbers (Update::*before)() const,
                     const OfParameter& right, const std::vector<Named>& named, bool is_late = false) {
  std::vector<Update> cases(std::begin(updates), std::end(updates));
  for (Update& update : cases)
    if (is_late) update.step = late;
  const auto answer = [&](const Named& of) {
    return [=](std::size_t i) { return cases[i].each((cases[i].*before)(), of.value, of.from, of.how_many); };
  };
  constexpr std::size_t first = Update::first, count = Update::count;
  const std::string already = "; g, p, m and v point to `first` already, so let i run from 0 to count - 1";
  std::vector<Named> all = {
      {"i begins at `first`, and ends at first + count" + already, right, 2 * first},
      {"i begins at `first`" + already, right, 2 * first, count - first},
      {"i ends at first + count" + already, right, first, first + count},
      {"the last parameter of the range is left out: i runs to count - 1, and that is included", right, first,
       count - 1},
      {"the first parameter of the range is left out: i begins at 0", right, first + 1, count - 1},
      {"only the first parameter of the range is changed", right, first, 1}};
  all.insert(all.end(), named.begin(), named.end());
  std::vector<Mistake> mistakes;
  for (const Named& mistake : all) mistakes.push_back({mistake.says, answer(mistake)});
  std::vector<std::string> inputs;
  for (const std::string& of : of_updates) inputs.push_back(what + ", " + of);
  compare(
      inputs, {"parameter"}, [&](std::size_t i) { return list(cases[i].yours().*seen); }, answer({"", right}),
      mistakes);
}

void stop_unless_written(const std::string& exercise) {
  for (const Update& update : updates) {
    const std::string stopped_by = update.yours().stopped_by;
    if (stopped_by.find(exercise) != std::string::npos) throw Error(stopped_by);
  }
}

OfParameter of_element(const OfElement& of) {
  return [=](const Update& u, std::size_t i) { return of(u.element(i)); };
}
// The same when the running means are already those after this step.
OfParameter of_step(const OfElement& of) {
  return [=](const Update& u, std::size_t i) {
    Element e = u.element(i);
    Rule{}.means(e);
    return of(e);
  };
}

}  // namespace

TEST_CASE("3.1 backward of the cross-entropy") {
  const auto answer = [](const std::function<Array(const Logits&)>& of) {
    return [=](std::size_t i) { return of(logits_of[i]); };
  };
  const Logits::Of right = [](const Logits& l, int row, int v) { return l.p(row, v) - l.is_target(row, v); };
  const auto values = [&](const Logits::Of& of) {
    return answer([=](const Logits& l) { return l.gradient(of, l.weight / l.divisor); });
  };
  const auto factor = [&](const std::function<double(const Logits&)>& of) {
    return answer([=](const Logits& l) { return l.gradient(right, of(l)); });
  };
  const auto of_rows = [&](const std::function<Array(const Logits&, double factor)>& of) {
    return answer([=](const Logits& l) { return of(l, l.weight / l.divisor); });
  };
  std::vector<Mistake> mistakes = {
      {"the target is left out: the probabilities alone push every logit down",
       values([](const Logits& l, int row, int v) { return l.p(row, v); })},
      {"the probabilities are left out: there is only the target's -1",
       values([](const Logits& l, int row, int v) { return -l.is_target(row, v); })},
      {"the sign is turned: target minus probability pushes the right answer down",
       values([](const Logits& l, int row, int v) { return l.is_target(row, v) - l.p(row, v); })},
      {"the target's 1 is added; it should be subtracted",
       values([](const Logits& l, int row, int v) { return l.p(row, v) + l.is_target(row, v); })},
      {"only the target's logit gets a gradient; the probability that it gains is taken from the others",
       values([](const Logits& l, int row, int v) { return l.is_target(row, v) * (l.p(row, v) - 1); })},
      {"the target's logit gets no gradient",
       values([](const Logits& l, int row, int v) { return (1 - l.is_target(row, v)) * l.p(row, v); })},
      {"the logits are used where the probabilities should be",
       values([](const Logits& l, int row, int v) { return l.at(row, v) - l.is_target(row, v); })},
      {"log probabilities are used where the probabilities should be",
       values([](const Logits& l, int row, int v) { return std::log(l.p(row, v)) - l.is_target(row, v); })},
      {"this is the gradient by the probabilities, -1/p at the target; it must be multiplied by the "
       "derivative of the softmax, too",
       values([](const Logits& l, int row, int v) { return -l.is_target(row, v) / l.p(row, v); })},
      {"p (1 - p) is multiplied in: the derivative of the softmax is in (p - target) already",
       values([](const Logits& l, int row, int v) {
         return (l.p(row, v) - l.is_target(row, v)) * l.p(row, v) * (1 - l.p(row, v));
       })},
      {"v is compared with the number of the row; the target of the row is target[row]",
       values([](const Logits& l, int row, int v) { return l.p(row, v) - (v == row ? 1 : 0); })},
      {"the last class gets no gradient: v runs to V - 1, and that is included",
       values([=](const Logits& l, int row, int v) { return v + 1 < l.V ? right(l, row, v) : 0; })},
      {"the first class gets no gradient: v begins at 0",
       values([=](const Logits& l, int row, int v) { return v > 0 ? right(l, row, v) : 0; })},
      {"the last row gets no gradient",
       values([=](const Logits& l, int row, int v) { return row + 1 < l.rows ? right(l, row, v) : 0; })},
      {"every row has the target of the first",
       values([](const Logits& l, int row, int v) { return l.p(row, v) - l.is_target(0, v); })},
      {"the gradient is multiplied by the divisor",
       factor([](const Logits& l) { return l.weight * l.divisor; })},
      {"it is divided by the number of rows; `divisor` may be another number",
       factor([](const Logits& l) { return l.weight / l.rows; })},
      {"it is divided by the number of scored rows; `divisor` counts those of the whole batch, of which "
       "these rows may be a part",
       factor([](const Logits& l) { return l.weight / l.scored(); })},
      {"it is divided by the divisor twice",
       factor([](const Logits& l) { return l.weight / l.divisor / l.divisor; })},
      {"it is divided by the number of classes as well",
       factor([](const Logits& l) { return l.weight / l.divisor / l.V; })},
      {"the loss itself is multiplied in; its gradient should be",
       factor([](const Logits& l) { return l.loss() / l.divisor; })},
      {"the loop ends at the first row that is not scored; it should go on with the next",
       of_rows([=](const Logits& l, double f) {
         bool ended = false;
         return l.gradient(
             [&](const Logits& k, int row, int v) {
               for (int r = 0; r <= row; ++r) ended |= k.target(r) == not_scored;
               return ended ? 0 : right(k, row, v);
             },
             f);
       })},
      {"nothing is added to the gradient of the logits",
       of_rows([=](const Logits& l, double) { return l.gradient(right, 0); })}};

  // Wrong indices, in the probabilities, in the gradient, or in both.
  const Logits::Index flat = [](const Logits& l, int row, int v) { return row * l.V + v; };
  const std::pair<const char*, Logits::Index> indices[] = {
      {"the index is v * rows + row; row r begins at r * V, so write r * V + v",
       [](const Logits& l, int row, int v) { return v * l.rows + row; }},
      {"the index is v alone, which is in the first row; row r begins at r * V",
       [](const Logits&, int, int v) { return v; }},
      {"the index is row + v; row r begins at r * V", [](const Logits&, int row, int v) { return row + v; }}};
  for (const auto& one : indices) {
    const char* says = one.first;
    const Logits::Index index = one.second;
    mistakes.push_back({text("in the probabilities ", says),
                        answer([=](const Logits& l) { return l.at_indices(index, flat); })});
    mistakes.push_back(
        {text("in the gradient ", says), answer([=](const Logits& l) { return l.at_indices(flat, index); })});
    mistakes.push_back({text("in the probabilities and in the gradient ", says),
                        answer([=](const Logits& l) { return l.at_indices(index, index); })});
  }

  // What is forgotten, alone and two at once.
  struct Forgotten {
    const char* says;
    bool divisor = false, weight = false, skip = false, add = false;
  };
  const Forgotten forgotten[] = {
      {.says = "the divisor is left out: the forward divides the loss by it", .divisor = true},
      {.says = "the gradient of the loss is left out: it is 1 only if nothing comes after the loss",
       .weight = true},
      {.says = "rows that are not scored get a gradient, too: their target is -1, and they are to be skipped",
       .skip = true},
      {.says = "the gradient is assigned with =; others may have added theirs before, so write +=",
       .add = true}};
  for (std::size_t a = 0; a < std::size(forgotten); ++a)
    for (std::size_t b = a; b < std::size(forgotten); ++b) {
      const Forgotten &one = forgotten[a], &other = forgotten[b];
      mistakes.push_back({a == b ? std::string(one.says)
                                 : text("two things are wrong. First, ", one.says, ". Second, ", other.says),
                          answer([=](const Logits& l) {
                            const double divisor = one.divisor || other.divisor ? 1 : l.divisor;
                            const double weight = one.weight || other.weight ? 1 : l.weight;
                            return l.gradient(right, weight / divisor, one.add || other.add ? 0 : 1,
                                              one.skip || other.skip);
                          })});
    }
  compare({"6 rows of 5 logits", "4 rows of 3 logits"}, {"row", "class"},
          answer([](const Logits& l) { return l.yours(); }), values(right), mistakes);
}

TEST_CASE("3.2 the running means of the gradient and of its square") {
  stop_unless_written("exercise 3.2");
  const auto unclipped = [](const std::function<double(const Update&, std::size_t, double g)>& of) {
    return [=](const Update& u, std::size_t i) { return of(u, i, u.g()[i]); };
  };
  compare_updates(
      "m", &Update::After::m, &Update::m,
      of_element([](const Element& e) { return e.beta1 * e.m + (1 - e.beta1) * e.g; }),
      {{"the gradient is not clipped: clip * g[i]", unclipped([](const Update& u, std::size_t i, double g) {
          return u.beta1 * u.m()[i] + (1 - u.beta1) * g;
        })},
       {"gradient[i] is read: this range begins at `first`, so that g[i] is gradient[first + i]",
        [](const Update& u, std::size_t i) {
          return u.beta1 * u.m()[i] + (1 - u.beta1) * u.element(i - Update::first).g;
        }},
       {"state.mean[i] is written: this range begins at `first`, so that m[i] is state.mean[first + i]",
        [](const Update& u, std::size_t i) {
          return u.beta1 * u.m()[i] + (1 - u.beta1) * u.element(i + Update::first).g;
        },
        0},
       {"the gradient is divided by its norm, also where it is short; write clip * g[i]",
        unclipped([](const Update& u, std::size_t i, double g) {
          return u.beta1 * u.m()[i] + (1 - u.beta1) * g / u.norm;
        })},
       {"clip stands there twice: clip * clip * g[i]",
        unclipped([](const Update& u, std::size_t i, double g) {
          const double e = u.element(i).g;
          return u.beta1 * u.m()[i] + (1 - u.beta1) * e * (g == 0 ? 1 : e / g);
        })},
       {"the gradient is divided by clip", unclipped([](const Update& u, std::size_t i, double g) {
          return u.beta1 * u.m()[i] + (1 - u.beta1) * g * (u.norm > u.clip ? u.norm / u.clip : 1);
        })},
       {"the whole mean is clipped, and not the gradient alone",
        [](const Update& u, std::size_t i) {
          return (u.norm > u.clip ? u.clip / u.norm : 1) * (u.beta1 * u.m()[i] + (1 - u.beta1) * u.g()[i]);
        }},
       {"beta2 is used where beta1 should be",
        of_element([](const Element& e) { return e.beta2 * e.m + (1 - e.beta2) * e.g; })},
       {"the weights are swapped: beta1 belongs to the old mean",
        of_element([](const Element& e) { return (1 - e.beta1) * e.m + e.beta1 * e.g; })},
       {"the new gradient is not multiplied by 1 - beta1, so the mean grows to a sum",
        of_element([](const Element& e) { return e.beta1 * e.m + e.g; })},
       {"the old mean is not multiplied by beta1",
        of_element([](const Element& e) { return e.m + (1 - e.beta1) * e.g; })},
       {"the gradients are summed up", of_element([](const Element& e) { return e.m + e.g; })},
       {"the old mean is lost: only the new gradient is in it",
        of_element([](const Element& e) { return (1 - e.beta1) * e.g; })},
       {"it is the gradient of this step, no mean", of_element([](const Element& e) { return e.g; })},
       {"the new gradient is subtracted",
        of_element([](const Element& e) { return e.beta1 * e.m - (1 - e.beta1) * e.g; })},
       {"both terms are multiplied by beta1",
        of_element([](const Element& e) { return e.beta1 * e.m + e.beta1 * e.g; })},
       {"both terms are multiplied by 1 - beta1",
        of_element([](const Element& e) { return (1 - e.beta1) * (e.m + e.g); })},
       {"the gradient is squared here; that belongs to v",
        of_element([](const Element& e) { return e.beta1 * e.m + (1 - e.beta1) * e.g * e.g; })},
       {"the sign of the gradient is lost",
        of_element([](const Element& e) { return e.beta1 * e.m + (1 - e.beta1) * std::abs(e.g); })},
       {"m stays as it was", of_element([](const Element& e) { return e.m; })}},
      true);
  compare_updates(
      "v", &Update::After::v, &Update::v,
      of_element([](const Element& e) { return e.beta2 * e.v + (1 - e.beta2) * e.g * e.g; }),
      {{"the gradient in the square is not clipped", unclipped([](const Update& u, std::size_t i, double g) {
          return u.beta2 * u.v()[i] + (1 - u.beta2) * g * g;
        })},
       {"the gradient in the square is divided by its norm, also where it is short; write clip * g[i]",
        unclipped([](const Update& u, std::size_t i, double g) {
          return u.beta2 * u.v()[i] + (1 - u.beta2) * g / u.norm * g / u.norm;
        })},
       {"clip is in the square once only; the clipped gradient is squared, so it is in there twice",
        [](const Update& u, std::size_t i) {
          return u.beta2 * u.v()[i] + (1 - u.beta2) * u.element(i).g * u.g()[i];
        }},
       {"the gradient is not squared",
        of_element([](const Element& e) { return e.beta2 * e.v + (1 - e.beta2) * e.g; })},
       {"beta1 is used where beta2 should be",
        of_element([](const Element& e) { return e.beta1 * e.v + (1 - e.beta1) * e.g * e.g; })},
       {"the weights are swapped: beta2 belongs to the old value",
        of_element([](const Element& e) { return (1 - e.beta2) * e.v + e.beta2 * e.g * e.g; })},
       {"the new square is not multiplied by 1 - beta2",
        of_element([](const Element& e) { return e.beta2 * e.v + e.g * e.g; })},
       {"the old value is not multiplied by beta2",
        of_element([](const Element& e) { return e.v + (1 - e.beta2) * e.g * e.g; })},
       {"the squares are summed up, as in Adagrad",
        of_element([](const Element& e) { return e.v + e.g * e.g; })},
       {"the old value is lost: only the new square is in it",
        of_element([](const Element& e) { return (1 - e.beta2) * e.g * e.g; })},
       {"it is the square of this step, no mean", of_element([](const Element& e) { return e.g * e.g; })},
       {"the new square is subtracted",
        of_element([](const Element& e) { return e.beta2 * e.v - (1 - e.beta2) * e.g * e.g; })},
       {"1 - beta2 is squared along with the gradient", of_element([](const Element& e) {
          return e.beta2 * e.v + (1 - e.beta2) * e.g * (1 - e.beta2) * e.g;
        })},
       {"the running mean m is squared; the gradient should be", of_element([](const Element& e) {
          const double mean = e.beta1 * e.m + (1 - e.beta1) * e.g;
          return e.beta2 * e.v + (1 - e.beta2) * mean * mean;
        })},
       {"the distance of the gradient from its mean is squared, as in AdaBelief",
        of_element([](const Element& e) {
          const double mean = e.beta1 * e.m + (1 - e.beta1) * e.g;
          return e.beta2 * e.v + (1 - e.beta2) * (e.g - mean) * (e.g - mean);
        })},
       {"the size of the gradient is in it, not its square",
        of_element([](const Element& e) { return e.beta2 * e.v + (1 - e.beta2) * std::abs(e.g); })},
       {"the root is taken here already; step 3.3 does that",
        of_element([](const Element& e) { return std::sqrt(e.beta2 * e.v + (1 - e.beta2) * e.g * e.g); })},
       {"the larger one is kept, as in Adamax",
        of_element([](const Element& e) { return std::max(e.beta2 * e.v, e.g * e.g); })},
       {"v stays as it was", of_element([](const Element& e) { return e.v; })}},
      true);
}

TEST_CASE("3.3 the step: corrected, divided by the root, and the decay") {
  stop_unless_written("exercise 3.3");
  // The two parts of the update, and what they are made of.
  const auto decayed = [](const Element& e) { return e.p - e.rate * e.decay * e.p; };
  const auto m = [](const Element& e) { return e.m * e.mean_correction; };
  const auto v = [](const Element& e) { return e.v * e.square_correction; };
  const auto moved = [=](const OfElement& by) {
    return of_step([=](const Element& e) { return decayed(e) - e.rate * by(e); });
  };
  const auto keeping = [=](const OfElement& kept) {
    return of_step([=](const Element& e) { return kept(e) - e.rate * m(e) / (std::sqrt(v(e)) + e.epsilon); });
  };
  const auto corrected = [=](const OfElement& of_m, const OfElement& of_v) {
    return moved([=](const Element& e) { return e.m * of_m(e) / (std::sqrt(e.v * of_v(e)) + e.epsilon); });
  };
  // What can be wrong with a correction: of m, of v, or of both.
  struct Correction {
    const char* says;
    double (*factor)(double beta, double other, int t);
  };
  static const Correction corrections[] = {
      {"is left out: divide by 1 - beta^(step+1)", [](double, double, int) { return 1.0; }},
      {"has the exponent `step`; it counts from 0, so take step + 1",
       [](double beta, double, int t) { return 1 / (1 - std::pow(beta, t - 1)); }},
      {"is one training step ahead: the exponent is step + 2",
       [](double beta, double, int t) { return 1 / (1 - std::pow(beta, t + 1)); }},
      {"is done twice: here, and where m and v are computed or stored",
       [](double beta, double, int t) { return std::pow(1 - std::pow(beta, t), -2); }},
      {"is multiplied by 1 - beta^(step+1); divide by it",
       [](double beta, double, int t) { return 1 - std::pow(beta, t); }},
      {"has the wrong beta: beta1 is for m, beta2 for v",
       [](double, double other, int t) { return 1 / (1 - std::pow(other, t)); }},
      {"has no exponent: 1 - beta is right for the first training step only",
       [](double beta, double, int) { return 1 / (1 - beta); }},
      {"divides by beta^(step+1), and not by 1 minus that",
       [](double beta, double, int t) { return std::pow(beta, -t); }},
      {"adds 1 outside of the power: 1 - pow(beta, step) + 1 is another number than 1 - pow(beta, step + 1)",
       [](double beta, double, int t) { return 1 / (2 - std::pow(beta, t - 1)); }},
      {"multiplies beta by step + 1; the power is meant, std::pow(beta, step + 1)",
       [](double beta, double, int t) { return 1 / (1 - beta * t); }}};
  std::vector<Named> named;
  for (const Correction& wrong : corrections)
    for (const bool in_m : {true, false})
      for (const bool in_v : {true, false}) {
        if (!in_m && !in_v) continue;
        if (!in_m && std::string(wrong.says).starts_with("is done twice")) continue;  // outside of the root
        const auto factor = wrong.factor;
        const OfParameter of = corrected(
            [=](const Element& e) { return in_m ? factor(e.beta1, e.beta2, e.t) : e.mean_correction; },
            [=](const Element& e) { return in_v ? factor(e.beta2, e.beta1, e.t) : e.square_correction; });
        if (std::isnan(of(updates[0], Update::first)) && !in_m) continue;  // both have the same answers
        named.push_back({text("the correction of ",
                              in_m && in_v ? "m and of v"
                              : in_m       ? "m"
                                           : "v",
                              ' ', wrong.says),
                         of});
      }
  const std::vector<Named> others = {
      {"the correction of v is outside of the root",
       moved([=](const Element& e) { return m(e) / (std::sqrt(e.v) * e.square_correction + e.epsilon); })},
      {"epsilon is inside of the root",
       moved([=](const Element& e) { return m(e) / std::sqrt(v(e) + e.epsilon); })},
      {"epsilon is left out", moved([=](const Element& e) { return m(e) / std::sqrt(v(e)); })},
      {"epsilon is added before v is corrected", moved([=](const Element& e) {
         return m(e) / (std::sqrt(e.square_correction) * (std::sqrt(e.v) + e.epsilon));
       })},
      {"epsilon is added to the quotient; brackets around the sum are missing",
       moved([=](const Element& e) { return m(e) / std::sqrt(v(e)) + e.epsilon; })},
      {"epsilon is subtracted",
       moved([=](const Element& e) { return m(e) / (std::sqrt(v(e)) - e.epsilon); })},
      {"there is no root: m is divided by v",
       moved([=](const Element& e) { return m(e) / (v(e) + e.epsilon); })},
      {"m is multiplied by the root",
       moved([=](const Element& e) { return m(e) * (std::sqrt(v(e)) + e.epsilon); })},
      {"nothing is divided by the root of v", moved(m)},
      {"the gradient of this step moves the parameters; m should",
       moved([=](const Element& e) { return e.g / (std::sqrt(v(e)) + e.epsilon); })},
      {"the parameters move up the gradient: the step is to be subtracted",
       of_step([=](const Element& e) { return decayed(e) + e.rate * m(e) / (std::sqrt(v(e)) + e.epsilon); })},
      {"the step is not multiplied by the rate",
       of_step([=](const Element& e) { return decayed(e) - m(e) / (std::sqrt(v(e)) + e.epsilon); })},
      {"the rate is settings.learning_rate, the peak; `learning_rate` is that of this training step",
       [=](const Update& u, std::size_t i) {
         Update peak = u;
         peak.rate = u.peak;
         Element e = peak.element(i);
         Rule{}.means(e);
         return Rule{}.step(e);
       }},
      {"the step is multiplied by the peak rate, settings.learning_rate, and not by that of this training "
       "step",
       [=](const Update& u, std::size_t i) {
         Element e = u.element(i);
         Rule{}.means(e);
         return decayed(e) - u.peak * m(e) / (std::sqrt(v(e)) + e.epsilon);
       }},
      {"there is no decay", keeping([](const Element& e) { return e.p; })},
      {"the decay is not multiplied by the rate: it goes on when the rate has come down to 0",
       keeping([](const Element& e) { return e.p - e.decay * e.p; })},
      {"the decay is multiplied by the peak rate, settings.learning_rate, and not by that of this training "
       "step",
       [=](const Update& u, std::size_t i) {
         Element e = u.element(i);
         Rule{}.means(e);
         return e.p - u.peak * e.decay * e.p - e.rate * m(e) / (std::sqrt(v(e)) + e.epsilon);
       }},
      {"the decay is multiplied by the schedule, learning_rate / settings.learning_rate, as in the paper; "
       "here "
       "it is multiplied by the rate itself",
       [=](const Update& u, std::size_t i) {
         Element e = u.element(i);
         Rule{}.means(e);
         return e.p - u.rate / u.peak * e.decay * e.p - e.rate * m(e) / (std::sqrt(v(e)) + e.epsilon);
       }},
      {"the sign of the decay is turned: it makes parameters grow",
       keeping([](const Element& e) { return e.p + e.rate * e.decay * e.p; })},
      {"only rate * decay of the parameter is kept; 1 minus that should be",
       keeping([](const Element& e) { return e.rate * e.decay * e.p; })},
      {"the parameter itself is lost: there is only the step", keeping([](const Element&) { return 0.0; })},
      {"the same number is taken from every parameter; the decay is in proportion to it",
       keeping([](const Element& e) { return e.p - e.rate * e.decay; })},
      {"the decay is multiplied by the rate twice",
       keeping([](const Element& e) { return e.p - e.rate * e.rate * e.decay * e.p; })},
      {"the decay is divided by the root along with m", moved([=](const Element& e) {
         return (m(e) + e.decay * e.p) / (std::sqrt(v(e)) + e.epsilon) - e.decay * e.p;
       })},
      {"the step is decayed, too: the decay belongs to the parameter from before the step",
       of_step([=](const Element& e) {
         return (e.p - e.rate * m(e) / (std::sqrt(v(e)) + e.epsilon)) * (1 - e.rate * e.decay);
       })},
      {"p stays as it was", of_step([](const Element& e) { return e.p; })}};
  named.insert(named.end(), others.begin(), others.end());
  compare_updates("p", &Update::After::p, &Update::p, of_step(Rule{}.step), named);
  const auto kept = [](const std::string& what, Numbers Update::After::*seen,
                       Numbers (Update::*before)() const, const OfElement& right, const OfElement& wrong) {
    compare_updates("after the step, " + what, seen, before, of_step(right),
                    {{"the corrected value is stored in " + what +
                          ": the next training step would start from it. Correct it in a variable of its own",
                      of_step(wrong)}});
  };
  kept(
      "m", &Update::After::m, &Update::m, [](const Element& e) { return e.m; }, m);
  kept(
      "v", &Update::After::v, &Update::v, [](const Element& e) { return e.v; }, v);
}

// --- 3.4 and 3.5 ---

namespace {

// Counts what an order-blind model could do; with one thing about it changed.
struct Count {
  // The row of counts for the label at position i; `all`: it labels the whole order.
  std::function<int(const Bag& bag, const Bag& order, std::size_t i, bool all)> row =
      [](const Bag&, const Bag& order, std::size_t i, bool all) { return all ? 0 : order[i]; };
  double (*best)(const std::map<int, int>& counts) = [](const std::map<int, int>& counts) {
    int most = 0;
    for (const auto& [label, times] : counts) most = std::max(most, times);
    return static_cast<double>(most);
  };
  bool sorted = true, descending = false, one_order = false, skips_first = false, asks_bag = false;
  bool rows_alike = false, best_row_alone = false;
  double (*share)(double right, double labels, double orders,
                  double T) = [](double right, double labels, double, double) { return right / labels; };
};

double count_bag(const Bag& bag, const Solve& solve, const Count& how) {
  std::map<int, std::map<int, int>> counts;
  double labels = 0, orders = 0;
  Bag order = bag;
  if (how.sorted) std::ranges::sort(order);
  if (how.descending) std::ranges::sort(order, std::greater{});
  if (how.skips_first) std::ranges::next_permutation(order);
  do {
    const std::vector<int> answer = solve(how.asks_bag ? bag : order);
    for (std::size_t i = 0; i < answer.size(); ++i)
      ++counts[how.row(bag, order, i, answer.size() == 1)][answer[i]];
    labels += static_cast<double>(answer.size());
    ++orders;
  } while (!how.one_order && std::ranges::next_permutation(order).found);
  double right = 0;
  for (const auto& [row, of] : counts) {
    double all = 0;
    for (const auto& [label, times] : of) all += times;
    const double best =
        how.rows_alike ? how.best(of) / all * labels / static_cast<double>(counts.size()) : how.best(of);
    right = how.best_row_alone ? std::max(right, best) : right + best;
  }
  return how.share(right, labels, orders, static_cast<double>(bag.size()));
}

std::string words(const std::vector<int>& tokens) {
  std::vector<std::string> all;
  for (const int token : tokens) all.push_back(text(token));
  return join(all, " ");
}

// A bag, its task, and what they are called.
struct BagOf {
  std::string what;
  Bag bag;
  Solve solve;
};

// compare() of one ceiling for each bag; the message shows the labels of some orders, too.
void compare_ceilings(const std::vector<BagOf>& bags, const std::function<double(const BagOf&)>& yours,
                      const std::vector<Mistake>& mistakes, double tolerance) {
  std::vector<double> given;
  for (const BagOf& of : bags) given.push_back(yours(of));
  std::vector<std::string> inputs;
  for (const BagOf& of : bags) inputs.push_back(of.what);
  const auto right = [&](std::size_t i) { return count_bag(bags[i].bag, bags[i].solve, {}); };
  try {
    compare(
        inputs, {"ceiling"}, [&](std::size_t i) { return list({given[i]}); },
        [&](std::size_t i) { return list({right(i)}); }, mistakes, tolerance);
  } catch (const Error& error) {
    const std::string message = error.what();
    for (std::size_t i = 0; i < bags.size(); ++i) {
      if (!message.starts_with(bags[i].what + ": the shape is right")) continue;
      std::string out = text(bags[i].what, ": yours is ", significant(given[i], 4), ", right is ",
                             significant(right(i), 4), given[i] > 1 ? " (no share is above 1)" : "", '.');
      Bag order = bags[i].bag;
      std::ranges::sort(order);
      for (int shown = 0; shown < 3; ++shown, std::ranges::next_permutation(order)) {
        const std::vector<int> labels = bags[i].solve(order);
        out += text("\n  order ", words(order), labels.size() > 1 ? ": labels " : ": label ", words(labels));
      }
      out += "\n  and so on";
      const auto named = message.find("\nThis is what you get");
      throw Error(named == std::string::npos ? out : out + message.substr(named));
    }
    throw;
  }
}

// A label that depends on the token: the greater of it and the token before.
Tokens solve_greater(const Tokens& input) {
  Tokens labels = input;
  for (std::size_t i = 1; i < input.size(); ++i) labels[i] = std::max(input[i], input[i - 1]);
  return labels;
}

Solve solver(const std::string& task) {
  return [&found = find_task(task)](const std::vector<int>& order) {
    const auto target = found.target_of(order);
    if (!target)
      throw Error(
          "solve() was asked for an order that is none of this bag: it has other tokens, or more or fewer.");
    return *target;
  };
}

}  // namespace

TEST_CASE("3.4 four ceilings, counted by hand") {
  struct Question {
    const char *what, *task;
    Bag bag;
    std::vector<std::pair<std::string, double>> mistakes;
  };
  const auto gives = [](const std::string& says, double value) { return std::pair(says, value); };
  const std::string zero =
      "two whole numbers are divided: 1 / 2 is 0 in C++, so write 1.0 / 2. (If you meant 0: a model without "
      "order answers all the same, and some of its answers are right)";
  const Question questions[] = {
      {"before_a_b_x",
       "before",
       {8, 9, 3},
       {gives(zero, 0), gives("all three tokens are counted as possible answers; only A and B are", 1.0 / 3),
        gives(
            "a model that sees the order is meant, or one order alone is counted; all six orders are equally "
            "likely",
            1),
        gives("one order of six is counted", 1.0 / 6)}},
      {"previous_all_different",
       "previous",
       {1, 2, 3},
       {gives(zero, 0),
        gives("the first position is forgotten: `previous` gives it its own token, so a token's label is "
              "itself in two of six orders",
              0.5),
        gives("four of six labels of a token are another token; but these are two tokens, with two each",
              2.0 / 3),
        gives(
            "the shares of the three tokens are added up, 1/3 + 1/3 + 1/3; the share of all answers is their "
            "mean",
            1),
        gives("one order of six is counted", 1.0 / 6)}},
      {"first_two_alike",
       "first",
       {1, 1, 2},
       {gives(zero, 0),
        gives("1 and 2 are counted as first equally often; of the three orders two begin with 1", 0.5),
        gives("each token answers itself: 1 is right in 4 of 6 positions, and 2 in 1 of 3. For a 2, the "
              "answer 1 is right more often",
              5.0 / 9),
        gives("only the positions of the 1 are counted; those of the 2 are right in 2 of 3 orders, too",
              4.0 / 9),
        gives("every token gets a share of 1/3; count below which tokens each label stands", 1.0 / 3),
        gives("one order alone is counted; in each order the right answer is another", 1)}},
      {"parity_a_b_b",
       "parity",
       {0, 1, 1},
       {gives("the model is counted as one that knows nothing; it knows the bag, and so it knows the number "
              "of b",
              0),
        gives("the answer is counted as a coin toss; but the number of b is the same in all orders", 0.5),
        gives("the three orders are counted as if they had three answers; all have the same", 1.0 / 3),
        gives("the two b are counted against the a; but there is one answer for the whole input", 2.0 / 3)}}};
  const std::vector<double> yours = ceilings_by_hand();
  if (yours.size() != std::size(questions))
    throw Error(text("ceilings_by_hand() gives ", yours.size(), " numbers, and should give 4."));
  for (std::size_t q = 0; q < std::size(questions); ++q) {
    const auto is = [&](double value) { return std::abs(yours[q] - value) < 1e-3; };
    const Bag& bag = questions[q].bag;
    const Solve solve = solver(questions[q].task);
    const double right = count_bag(bag, solve, {});
    if (is(right)) continue;
    std::string message =
        text(questions[q].what, ": yours is ", significant(yours[q], 3), ", which is not right.");
    bool named = false;
    for (const auto& [says, value] : questions[q].mistakes)
      if (is(value)) message += text("\nThis is what you get when ", says, '.'), named = true;
    // Any other number is named by what it says: so many of the labels.
    double orders = 0;
    Bag order = bag;
    std::ranges::sort(order);
    do ++orders;
    while (std::ranges::next_permutation(order).found);
    const auto each = static_cast<double>(solve(order).size());
    const double labels = orders * each, counted = std::round(yours[q] * labels);
    if (!named && is(counted / labels))
      message +=
          text("\nThis is what you get when ", counted, " of all ", labels, " labels are right: ", orders,
               " orders with ", each, each > 1 ? " labels" : " label", " each. ",
               yours[q] > right ? "No answers get so many right."
                                : "With the best answers more are right; have you added up all tokens?");
    else if (!named)
      message +=
          text("\nThere are ", orders, " different orders with ", each, each > 1 ? " labels" : " label",
               " each: the right number is a whole number of ", labels, "ths.");
    throw Error(message);  // which does not give the right number away
  }
}

namespace locus {
// Taken when ceiling_of_bag.cpp has no such function.
__attribute__((weak)) double ceiling_of_bag(const Bag&, const Solve&) {
  fail("exercise 3.5", "still to be written");
}
}  // namespace locus

TEST_CASE("3.5 the ceiling of a bag, from blank") {
  const std::vector<BagOf> bags = {
      {"`previous` of the bag 2 0 1 2", {2, 0, 1, 2}, solver("previous")},
      {"`sort` of the bag 3 1 1 0 3", {3, 1, 1, 0, 3}, solver("sort")},
      {"the greater of a token and the one before, of the bag 9 1 3 1", {9, 1, 3, 1}, solve_greater},
      {"`before` of the bag 9 4 8 4 (8 is A, 9 is B)", {9, 4, 8, 4}, solver("before")},
      {"`parity` of the bag 1 0 1 1 (0 is a, 1 is b, 2 even, 3 odd)", {1, 0, 1, 1}, solver("parity")}};
  const auto with = [&](const Count& how) {
    return [&bags, how](std::size_t i) { return list({count_bag(bags[i].bag, bags[i].solve, how)}); };
  };
  compare_ceilings(
      bags, [](const BagOf& of) { return ceiling_of_bag(of.bag, of.solve); },
      {{"the bag is not sorted first: std::next_permutation goes on from the order it is given, and ends at "
        "the last",
        with({.sorted = false})},
       {"the answer may differ from position to position; a model without order knows the token, not its "
        "position",
        with({.row = [](const Bag&, const Bag&, std::size_t i,
                        bool all) { return all ? 0 : static_cast<int>(i); }})},
       {"one answer is given to all tokens of a bag; a model sees which token it labels",
        with({.row = [](const Bag&, const Bag&, std::size_t, bool) { return 0; }})},
       {"the token is looked up in `bag`; label i belongs to order[i]",
        with({.row = [](const Bag& bag, const Bag&, std::size_t i, bool all) { return all ? 0 : bag[i]; }})},
       {"a single label is counted for the first token of the order; it belongs to the whole order, so that "
        "there is one row of counts",
        with({.row = [](const Bag&, const Bag& order, std::size_t i, bool) { return order[i]; }})},
       {"`solve` is asked for the bag as it was given, again and again; ask it for each order",
        with({.asks_bag = true})},
       {"the bag is sorted downwards: std::next_permutation ends at that order, so only this one is counted",
        with({.descending = true, .one_order = true})},
       {"the sorted order is left out: std::next_permutation is called before it was counted",
        with({.skips_first = true})},
       {"two whole numbers are divided, which drops what is behind the point",
        with({.share = [](double right, double labels, double,
                          double) { return std::floor(right / labels); }})},
       {"all counts of a token are added up; the best of them should be",
        with({.best =
                  [](const std::map<int, int>& counts) {
                    double all = 0;
                    for (const auto& [label, times] : counts) all += times;
                    return all;
                  }})},
       {"only the token with the most right labels is counted; add up all tokens",
        with({.best_row_alone = true})},
       {"only one order is counted, the sorted one", with({.one_order = true})},
       {"only one order is counted, the one that is given", with({.sorted = false, .one_order = true})},
       {"the answers are chosen anew for each order; the model cannot know which order it has",
        [&bags](std::size_t i) {
          Bag order = bags[i].bag;
          std::ranges::sort(order);
          double sum = 0, orders = 0;
          do {
            sum += count_bag(order, bags[i].solve, {.sorted = false, .one_order = true});
            ++orders;
          } while (std::ranges::next_permutation(order).found);
          return list({sum / orders});
        }},
       {"the mean over the labels is taken; the model gives the most frequent one",
        with({.best =
                  [](const std::map<int, int>& counts) {
                    double all = 0;
                    for (const auto& [label, times] : counts) all += times;
                    return all / static_cast<double>(counts.size());
                  }})},
       {"the rarest label is chosen", with({.best =
                                                [](const std::map<int, int>& counts) {
                                                  int least = 1 << 30;
                                                  for (const auto& [label, times] : counts)
                                                    least = std::min(least, times);
                                                  return static_cast<double>(least);
                                                }})},
       {"the model guesses each label as often as it occurs; it does better to give the most frequent one "
        "always",
        with({.best =
                  [](const std::map<int, int>& counts) {
                    double all = 0, squares = 0;
                    for (const auto& [label, times] : counts) all += times, squares += double(times) * times;
                    return squares / all;
                  }})},
       {"the mean of the shares of the tokens is taken; a token that occurs twice has twice as many labels",
        with({.rows_alike = true})},
       {"right labels are counted, and not divided by anything",
        with({.share = [](double right, double, double, double) { return right; }})},
       {"it is divided by the number of orders only: this is the mean number of right labels, not their "
        "share",
        with({.share = [](double right, double, double orders, double) { return right / orders; }})},
       {"it is divided by the number of tokens only, and not by that of the orders",
        with({.share = [](double right, double, double, double T) { return right / T; }})},
       {"it is always divided by the number of tokens; a task with one answer has one label for each order",
        with({.share = [](double right, double, double orders, double T) { return right / orders / T; }})}},
      1e-9);
}

// --- 3.6 ---

namespace {

// Toys with one bag each, whose ceiling is known.
Tokens four(Random&, int) { return {2, 0, 1, 2}; }
Tokens other_four(Random&, int) { return {9, 2, 3, 1}; }
Tokens five(Random&, int) { return {3, 0, 0, 1, 0}; }
Tokens pair_and_two(Random&, int) { return {9, 4, 8, 4}; }
Tokens eight(Random&, int) { return {0, 1, 2, 3, 4, 5, 6, 7}; }
Tokens solve_previous(const Tokens& input) { return *find_task("previous").target_of(input); }
Tokens solve_sort(const Tokens& input) { return *find_task("sort").target_of(input); }
Tokens solve_before(const Tokens& input) { return *find_task("before").target_of(input); }
// Labels without any rule: no model, blind or not, can name more than one in ten.
Tokens solve_noise(const Tokens& input) {
  std::string bytes;
  for (const int token : input) bytes += static_cast<char>('0' + token);
  std::uint64_t number = hash(bytes);
  Tokens labels;
  for (std::size_t i = 0; i < input.size(); ++i) {
    number = number * 6364136223846793005u + 1442695040888963407u;
    labels.push_back(static_cast<int>((number >> 33) % 10));
  }
  return labels;
}

}  // namespace

TEST_CASE("3.6 the framework's own count: choose by one half, score on the other") {
  // Each answer's name is the number of a column; of `sort` the best is 0, of a 9 it is 9.
  const Toy toys[] = {{.name = "four", .draw = four, .solve = solve_previous},
                      {.name = "five", .draw = five, .solve = solve_sort},
                      {.name = "greater", .draw = other_four, .solve = solve_greater},
                      {.name = "pair",
                       .form = Form::classification,
                       .alphabet = numbers(10),
                       .draw = pair_and_two,
                       .solve = solve_before}};
  const std::vector<BagOf> bags = {
      {"`previous` of the bag 2 0 1 2", {2, 0, 1, 2}, toys[0].solve},
      {"`sort` of the bag 3 0 0 1 0", {3, 0, 0, 1, 0}, toys[1].solve},
      {"the greater of a token and the one before, of the bag 9 2 3 1", {9, 2, 3, 1}, toys[2].solve},
      {"`before` of the bag 9 4 8 4 (8 is A, 9 is B)", {9, 4, 8, 4}, toys[3].solve}};
  const auto with = [&](const Count& how) {
    return [&bags, how](std::size_t i) { return list({count_bag(bags[i].bag, bags[i].solve, how)}); };
  };
  // The counts as the framework has them: a row for each token of its alphabet.
  using Table = std::vector<std::vector<double>>;
  const auto of_table = [&](const std::function<double(const Table&)>& right) {
    return [&bags, &toys, right](std::size_t i) {
      const bool labelling = toys[i].form == Form::labelling;
      Table table(labelling ? 10 : 1, std::vector<double>(10));
      double labels = 0;
      Bag order = bags[i].bag;
      std::ranges::sort(order);
      do {
        const Tokens answer = bags[i].solve(order);
        for (std::size_t t = 0; t < answer.size(); ++t, ++labels)
          ++table[labelling ? static_cast<std::size_t>(order[t]) : 0][static_cast<std::size_t>(answer[t])];
      } while (std::ranges::next_permutation(order).found);
      return list({right(table) / labels});
    };
  };
  const auto of_rows = [&](double (*best)(const std::vector<double>& row)) {
    return of_table([=](const Table& table) {
      double sum = 0;
      for (const auto& row : table) sum += best(row);
      return sum;
    });
  };
  compare_ceilings(
      bags,
      [&](const BagOf& of) {
        const auto i = static_cast<std::size_t>(&of - bags.data());
        return order_blind_ceiling(toys[i], static_cast<int>(of.bag.size())).value;
      },
      {{"one answer is chosen for all rows together; each row has its own",
        with({.row = [](const Bag&, const Bag&, std::size_t, bool) { return 0; }})},
       {"the counts of a row are summed: that is how often the row was seen, not how often its best answer "
        "is right",
        of_rows([](const std::vector<double>& row) { return std::accumulate(row.begin(), row.end(), 0.0); })},
       {"the last answer of each row is left out: a row ends at row + alphabet_",
        of_rows(
            [](const std::vector<double>& row) { return *std::max_element(row.begin(), row.end() - 1); })},
       {"the first answer of each row is left out", of_rows([](const std::vector<double>& row) {
          return *std::max_element(row.begin() + 1, row.end());
        })},
       {"the search begins at the first of all counts in each row; begin it at the first of the row",
        of_table([](const Table& table) {
          double sum = 0;
          for (const auto& row : table) sum += std::max(table[0][0], std::ranges::max(row));
          return sum;
        })},
       {"the best of all counts is added for each row; each row has its own best answer",
        of_table([](const Table& table) {
          double most = 0;
          for (const auto& row : table) most = std::max(most, std::ranges::max(row));
          return most * static_cast<double>(table.size());
        })},
       {"the best row of each column is taken; a token has a row, and an answer a column",
        of_table([](const Table& table) {
          double sum = 0;
          for (std::size_t y = 0; y < table.size(); ++y) {  // as many columns as there are rows
            double most = 0;
            for (const auto& row : table) most = std::max(most, row[y]);
            sum += most;
          }
          return sum;
        })},
       {"only the row with the most right labels is counted: add up all rows",
        of_table([](const Table& table) {
          double most = 0;
          for (const auto& row : table) most = std::max(most, std::ranges::max(row));
          return most;
        })},
       {"the index of the answer within its row is taken for its index in all counts, so row 0 is read each "
        "time",
        of_table([](const Table& table) {
          double sum = 0;
          for (const auto& row : table)
            sum += table[0][static_cast<std::size_t>(std::ranges::max_element(row) - row.begin())];
          return sum;
        })},
       {"only the first row is counted",
        of_table([](const Table& table) { return std::ranges::max(table[0]); })},
       {"only the last row is left: the sum is assigned with =, and not added to",
        of_table([](const Table& table) { return std::ranges::max(table.back()); })},
       {"the answer's name is summed, and not how often it is right",
        of_rows([](const std::vector<double>& row) {
          return static_cast<double>(std::ranges::max_element(row) - row.begin());
        })},
       {"the sum stays 0: nothing is added, or the rarest answer is chosen, as by min_element",
        of_rows([](const std::vector<double>&) { return 0.0; })}},
      1e-6);
  const Toy noise{.name = "noise", .draw = eight, .solve = solve_noise};
  const double value = order_blind_ceiling(noise, 8).value;
  if (!(value < 0.109))
    throw Error(
        text("where all orders of a bag are counted, the ceilings are right. But for labels drawn from ten "
             "without any rule, of which the orders are sampled in two halves, yours is ",
             fixed(value, 4),
             ", and less than 0.109 is right.\nThis is what you get when the answers are scored on the same "
             "counts that chose them: take the best answer of `chosen`, and its count in `scored`."));
}

// --- 3.7 ---

namespace {

// A training as contract.h has it, with one thing about it changed.
struct Changes {
  Rule rule{};
  enum class Divisor { scored, rows, none } of_loss = Divisor::scored, of_gradient = Divisor::scored;
  bool first_rate = false, forgets = false, swapped = false, loss_after = false, logits_before = false;
};

Training training_with(const Changes& changes) {
  return [=](const Plan& plan) {
    using Divisor = Changes::Divisor;
    const std::size_t V = plan.logits.size();
    Numbers logits = plan.logits, m(V), v(V);
    std::vector<Moment> trace;
    for (std::size_t step = 0; step < plan.targets.size(); ++step) {
      const auto loss_of = [&](Numbers* gradient) {
        double sum = 0, scored = 0, loss = 0;
        const double largest = std::ranges::max(logits);
        for (const double logit : logits) sum += std::exp(logit - largest);
        for (const int target : plan.targets[step]) {
          if (target < 0) continue;
          ++scored;
          loss += largest + std::log(sum) - logits.at(static_cast<std::size_t>(target));
          for (std::size_t i = 0; i < V && gradient; ++i)
            (*gradient)[i] += std::exp(logits[i] - largest) / sum - (static_cast<int>(i) == target);
        }
        const auto divisor = [&](Changes::Divisor of) {
          const auto in_batch = static_cast<double>(plan.targets[step].size());
          return of == Divisor::scored ? scored : of == Divisor::rows ? in_batch : 1.0;
        };
        for (std::size_t i = 0; i < V && gradient; ++i) (*gradient)[i] /= divisor(changes.of_gradient);
        return loss / divisor(changes.of_loss);
      };
      Numbers g(V);
      double loss = loss_of(&g);
      if (changes.forgets) m.assign(V, 0), v.assign(V, 0);
      Element all{};
      all.rate = plan.rates[changes.first_rate ? 0 : step];
      all.beta1 = changes.swapped ? plan.beta2 : plan.beta1,
      all.beta2 = changes.swapped ? plan.beta1 : plan.beta2;
      all.epsilon = plan.epsilon, all.decay = plan.decay, all.t = static_cast<int>(step) + 1;
      const Numbers before = logits;
      update(changes.rule, all, g, logits, m, v);
      if (changes.loss_after) loss = loss_of(nullptr);
      trace.push_back({loss, changes.logits_before ? before : logits});
    }
    return trace;
  };
}

// Throws Error if contract.h does not allow this plan.
void require_allowed(const Plan& plan) {
  const auto check = [](bool holds, const std::string& otherwise) {
    if (!holds) throw Error("Your test tries a plan that contract.h does not allow: " + otherwise);
  };
  const auto V = static_cast<int>(plan.logits.size());
  check(V > 0, "it has no logits.");
  check(!plan.targets.empty(), "it has no training step.");
  check(plan.rates.size() == plan.targets.size(),
        text("it has ", plan.rates.size(), " rates for ", plan.targets.size(), " training steps."));
  for (std::size_t step = 0; step < plan.targets.size(); ++step) {
    const std::vector<int>& batch = plan.targets[step];
    for (const int target : batch)
      check(target >= not_scored && target < V,
            text("training step ", step + 1, " has the target ", target, "; with ", V,
                 " logits the targets are 0 to ", V - 1, ", or -1: not scored."));
    check(std::ranges::any_of(batch, [](int target) { return target != not_scored; }),
          text("in training step ", step + 1,
               " no target is scored, so that the loss is 0 / 0. Each batch needs a target that is not -1."));
  }
}

// The first two moments of a training, for the learner to compare with.
std::string first_moments(const std::vector<Moment>& trace) {
  std::string out;
  for (std::size_t step = 0; step < std::min<std::size_t>(2, trace.size()); ++step) {
    std::vector<std::string> logits;
    for (const double logit : trace[step].logits) logits.push_back(significant(logit, 5));
    out += text("\n  training step ", step + 1, ": loss ", significant(trace[step].loss, 5), ", logits ",
                join(logits, " "));
  }
  return out;
}

// The learner's own lines: the framework's loss and optimizer.
std::vector<Moment> learners_training(const Plan& plan) {
  const int V = static_cast<int>(plan.logits.size());
  Reals logits(plan.logits.begin(), plan.logits.end()), gradient(plan.logits.size());
  OptimizerState state{Reals(logits.size()), Reals(logits.size())};
  std::vector<Moment> trace;
  Tape tape(logits.data(), gradient.data());
  for (std::size_t step = 0; step < plan.targets.size(); ++step) {
    const std::vector<int>& targets = plan.targets[step];
    const auto scored = std::ranges::count_if(targets, [](int t) { return t != not_scored; });
    std::ranges::fill(gradient, Real{0});
    tape.reset();
    const Reals zeros(targets.size() * logits.size());
    const Tensor rows =
        tape.constant({static_cast<int>(targets.size()), V}, zeros.data()) + tape.parameter({{V}, 0});
    const Tensor loss = cross_entropy(rows, targets, static_cast<Real>(scored));
    tape.backward(loss);
    const double value = *loss.value();
    adamw_update(
        {.weight_decay = plan.decay, .beta1 = plan.beta1, .beta2 = plan.beta2, .epsilon = plan.epsilon},
        plan.rates.at(step), static_cast<int>(step), 0, gradient.data(), 0, logits.size(), logits.data(),
        state);
    trace.push_back({value, {logits.begin(), logits.end()}});
  }
  return trace;
}

}  // namespace

TEST_CASE("3.7 your test: a golden trace of the first training steps") {
  std::vector<Moment> right_trace;  // of the plan that was tried last
  const auto judged = [&right_trace](const Training& training) {
    return golden_trace([&](const Plan& plan) {
      require_allowed(plan);
      right_trace = training_with({})(plan);
      return training(plan);
    });
  };
  const auto candidate = [=](const std::string& what, bool is_right, const Changes& changes) {
    return Candidate{what, is_right, [=] { return judged(training_with(changes)); }};
  };
  const auto rule = [](const Rule& of) { return Changes{.rule = of}; };
  using Divisor = Changes::Divisor;
  const std::vector<Candidate> candidates = {
      candidate("plain loops in double", true, {}),
      candidate("the corrections multiplied into rate and epsilon, as many libraries do it", true,
                rule({.step =
                          [](const Element& e) {
                            const double root = std::sqrt(e.square_correction);
                            return e.p * (1 - e.rate * e.decay) - e.rate * e.mean_correction / root * e.m /
                                                                      (std::sqrt(e.v) + e.epsilon / root);
                          }})),
      {"your own cross_entropy() and adamw_update()", true, [=] { return judged(learners_training); }},
      candidate("neither running mean is corrected", false, rule(no_correction)),
      candidate("the mean m is not corrected", false, rule(no_mean_correction)),
      candidate("the mean of squares v is not corrected", false, rule(no_square_correction)),
      candidate("the corrections are one training step ahead", false, rule(one_step_late)),
      candidate("the corrections are those of the first training step in every step", false,
                rule({.step =
                          [](const Element& e) {
                            return e.p - e.rate * e.decay * e.p -
                                   e.rate * (e.m / (1 - e.beta1)) /
                                       (std::sqrt(e.v / (1 - e.beta2)) + e.epsilon);
                          }})),
      candidate("epsilon is inside of the root", false, rule(epsilon_inside)),
      candidate("epsilon is left out", false, rule(no_epsilon)),
      candidate("epsilon is added before v is corrected", false,
                rule({.step =
                          [](const Element& e) {
                            return e.p - e.rate * e.decay * e.p -
                                   e.rate * e.m * e.mean_correction /
                                       (std::sqrt(e.square_correction) * (std::sqrt(e.v) + e.epsilon));
                          }})),
      candidate("the loss is not divided by the number of targets, and its gradient is not either", false,
                {.of_loss = Divisor::none, .of_gradient = Divisor::none}),
      candidate("the gradient is not divided by the number of targets; the loss is", false,
                {.of_gradient = Divisor::none}),
      candidate("loss and gradient are divided by all targets of the batch, also those that are not scored",
                false, {.of_loss = Divisor::rows, .of_gradient = Divisor::rows}),
      candidate("the loss is computed after the update", false, {.loss_after = true}),
      candidate("the decay is not multiplied by the rate", false, rule(decay_alone)),
      candidate("the decay is added to the gradient", false, rule(decay_in_gradient)),
      candidate("there is no decay", false,
                rule({.step =
                          [](const Element& e) {
                            return e.p - e.rate * (e.m * e.mean_correction) /
                                             (std::sqrt(e.v * e.square_correction) + e.epsilon);
                          }})),
      candidate("the decay shrinks the step as well", false,
                rule({.step =
                          [](const Element& e) {
                            return (e.p - e.rate * (e.m * e.mean_correction) /
                                              (std::sqrt(e.v * e.square_correction) + e.epsilon)) *
                                   (1 - e.rate * e.decay);
                          }})),
      candidate("the rate is that of the first training step in every step", false, {.first_rate = true}),
      candidate("beta1 and beta2 are swapped", false, {.swapped = true}),
      candidate("m and v begin at 0 in every training step", false, {.forgets = true}),
      candidate("there is no root", false, rule(no_root)),
      candidate("the decay takes the same amount, rate * decay, from every logit, large or small", false,
                rule({.step =
                          [](const Element& e) {
                            return e.p - e.rate * e.decay -
                                   e.rate * (e.m * e.mean_correction) /
                                       (std::sqrt(e.v * e.square_correction) + e.epsilon);
                          }})),
      candidate("the logits are those from before the update", false, {.logits_before = true})};
  try {
    judge(candidates);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with("Your test passes whatever"))
      throw Error(message +
                  "\nA broken training makes the loss fall, too: compare each loss and each logit with a "
                  "number that you have worked out.");
    if (!message.starts_with("Your test fails") || right_trace.empty()) throw;
    throw Error(
        text(message, "\nOf the plan that your test tried last, this is right:", first_moments(right_trace)));
  }
}
