// Chapter 3. Plain loops in double say what gradients, updates and ceilings must come to.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <ranges>
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

}  // namespace

TEST_CASE("3.1 backward of the cross-entropy") {
  struct Case {
    int rows, V;
    double divisor, weight;  // the loss is divided by the one and later multiplied by the other
    std::vector<int> targets;
    Numbers logits, before;  // what was in their gradient
  };
  const Case cases[] = {
      {6, 5, 7, 2.5, {3, 0, not_scored, 4, 1, 3}, random_numbers(30, 11), random_numbers(30, 12)},
      {4, 3, 9, -0.75, {1, not_scored, 2, 2}, random_numbers(12, 21), random_numbers(12, 22)}};
  compare(
      {"6 rows of 5 logits", "4 rows of 3 logits"}, {"row", "class"},
      [&](std::size_t i) {
        const Case& c = cases[i];
        const Reals logits(c.logits.begin(), c.logits.end());
        Reals gradient(c.before.begin(), c.before.end());
        Tape tape(logits.data(), gradient.data());
        poison(tape);
        const Tensor loss =
            cross_entropy(tape.parameter({{c.rows, c.V}, 0}), c.targets, static_cast<Real>(c.divisor));
        tape.backward(loss * c.weight);
        return Array{{c.rows, c.V}, {gradient.begin(), gradient.end()}};
      },
      [&](std::size_t i) {
        const Case& c = cases[i];
        Array gradient{{c.rows, c.V}, c.before};
        for (int row = 0; row < c.rows; ++row) {
          const int target = c.targets[static_cast<std::size_t>(row)];
          if (target == not_scored) continue;
          const double* logit = &c.logits[static_cast<std::size_t>(row * c.V)];
          double sum = 0;
          for (int v = 0; v < c.V; ++v) sum += std::exp(logit[v]);
          for (int v = 0; v < c.V; ++v)
            gradient.values[static_cast<std::size_t>(row * c.V + v)] +=
                c.weight / c.divisor * (std::exp(logit[v]) / sum - (v == target));
        }
        return gradient;
      });
}

// --- 3.2 and 3.3 ---

namespace {

// One call of adamw_update() on some parameters of a longer vector.
constexpr std::size_t length = 9, first = 2, count = 4;
struct Update {
  OptimizerSettings settings;
  double rate, norm;
  int step;  // from 0
  std::uint64_t seed;
};

// The first gradient is clipped, the second is not. No two numbers of one update are equal.
const std::vector<Update> updates = {
    {{.learning_rate = 0.8, .weight_decay = 0.4, .beta1 = 0.7, .beta2 = 0.9, .epsilon = 0.25, .clip = 1.5},
     0.3,
     4,
     1,
     31},
    {{.learning_rate = 0.9, .weight_decay = 0.7, .beta1 = 0.6, .beta2 = 0.8, .epsilon = 0.15, .clip = 5},
     0.2,
     2,
     4,
     41}};

Numbers gradient_of(const Update& u) { return random_numbers(length, u.seed, 0.6); }

// Parameters, and the running means of their gradient and of its square.
struct Parameters {
  Numbers p, m, v;
};

Parameters before(const Update& u) {
  Parameters x{random_numbers(length, u.seed + 1), random_numbers(length, u.seed + 2, 0.5),
               random_numbers(length, u.seed + 3, 0.5)};
  for (double& square : x.v) square = square * square + 0.1;
  return x;
}

// An Error of any other exercise than this one leaves what was done by then.
Parameters yours(const Update& u, const std::string& exercise) {
  const Numbers g = gradient_of(u);
  const auto [p, m, v] = before(u);
  const Reals gradient(g.begin(), g.end());
  Reals parameters(p.begin(), p.end());
  OptimizerState state{Reals(m.begin(), m.end()), Reals(v.begin(), v.end())};
  try {
    adamw_update(u.settings, u.rate, u.step, u.norm, gradient.data(), first, count, parameters.data(), state);
  } catch (const Error& error) {
    if (std::string(error.what()).find(exercise) != std::string::npos) throw;
  }
  return {{parameters.begin(), parameters.end()},
          {state.mean.begin(), state.mean.end()},
          {state.square.begin(), state.square.end()}};
}

Parameters right(const Update& u) {
  const auto& s = u.settings;
  const Numbers g = gradient_of(u);
  auto [p, m, v] = before(u);
  for (std::size_t i = first; i < first + count; ++i) {
    const double clipped = g[i] * (u.norm > s.clip ? s.clip / u.norm : 1);
    m[i] = s.beta1 * m[i] + (1 - s.beta1) * clipped;
    v[i] = s.beta2 * v[i] + (1 - s.beta2) * clipped * clipped;
    const double mean = m[i] / (1 - std::pow(s.beta1, u.step + 1));
    const double square = v[i] / (1 - std::pow(s.beta2, u.step + 1));
    p[i] -= u.rate * s.weight_decay * p[i] + u.rate * mean / (std::sqrt(square) + s.epsilon);
  }
  return {p, m, v};
}

void compare_updates(const std::string& exercise, const std::string& what, Numbers Parameters::*of,
                     const std::vector<Update>& cases) {
  compare(
      {what + ", a gradient to clip", what + ", a short gradient"}, {"parameter"},
      [&](std::size_t i) { return list(yours(cases[i], exercise).*of); },
      [&](std::size_t i) { return list(right(cases[i]).*of); });
}

}  // namespace

TEST_CASE("3.2 the running means of the gradient and of its square") {
  // After so many training steps the corrections are 1: what a step 3.3 stores is not blamed on 3.2.
  std::vector<Update> late = updates;
  for (Update& update : late) update.step = 100'000;
  compare_updates("exercise 3.2", "m", &Parameters::m, late);
  compare_updates("exercise 3.2", "v", &Parameters::v, late);
}

TEST_CASE("3.3 the step: corrected, divided by the root, and the decay") {
  compare_updates("exercise 3.3", "p", &Parameters::p, updates);
  compare_updates("exercise 3.3", "after the step, m", &Parameters::m, updates);
  compare_updates("exercise 3.3", "after the step, v", &Parameters::v, updates);
}

// --- 3.4 and 3.5 ---

namespace {

std::vector<Bag> orders_of(Bag bag) {
  std::vector<Bag> orders;
  std::ranges::sort(bag);
  do orders.push_back(bag);
  while (std::ranges::next_permutation(bag).found);
  return orders;
}

// The best share of right labels, counted over all orders.
double right_ceiling(const Bag& bag, const Solve& solve) {
  std::map<int, std::map<int, double>> counts;  // token (of a single label: 0) -> label -> how often
  double labels = 0, right = 0;
  for (const Bag& order : orders_of(bag)) {
    const std::vector<int> answer = solve(order);
    for (std::size_t i = 0; i < answer.size(); ++i, ++labels)
      ++counts[answer.size() == 1 ? 0 : order[i]][answer[i]];
  }
  for (const auto& [token, of_label] : counts) right += std::ranges::max(of_label | std::views::values);
  return right / labels;
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

// What compare() says of mistakes, below the values that differ.
std::string below_values(const std::string& message) {
  const auto end = message.find('\n', message.find('\n') + 1);
  return end == std::string::npos ? "" : message.substr(end);
}

// compare() of one ceiling for each bag; the message shows the labels of some orders, too.
void compare_ceilings(const std::vector<BagOf>& bags, const std::function<double(std::size_t)>& yours,
                      double tolerance) {
  std::vector<std::string> inputs;
  for (const BagOf& of : bags) inputs.push_back(of.what);
  Numbers given(bags.size()), right;
  for (const auto& [what, bag, solve] : bags) right.push_back(right_ceiling(bag, solve));
  try {
    compare(
        inputs, {"ceiling"}, [&](std::size_t i) { return list({given[i] = yours(i)}); },
        [&](std::size_t i) { return list({right[i]}); }, tolerance);
  } catch (const Error& error) {
    const std::string message = error.what();
    for (std::size_t i = 0; i < bags.size(); ++i) {
      const auto& [what, bag, solve] = bags[i];
      if (!message.starts_with(what + ": the shape is right")) continue;
      std::string out = text(what, ": yours is ", significant(given[i], 4), ", right is ",
                             significant(right[i], 4), given[i] > 1 ? " (no share is above 1)" : "", '.');
      for (const Bag& order : orders_of(bag) | std::views::take(3)) {
        const std::vector<int> labels = solve(order);
        out += text("\n  order ", words(order), labels.size() > 1 ? ": labels " : ": label ", words(labels));
      }
      throw Error(out + "\n  and so on" + below_values(message));
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
  const BagOf questions[] = {{"before_a_b_x", {8, 9, 3}, solver("before")},
                             {"previous_all_different", {1, 2, 3}, solver("previous")},
                             {"first_two_alike", {1, 1, 2}, solver("first")},
                             {"parity_a_b_b", {0, 1, 1}, solver("parity")}};
  const std::vector<double> yours = ceilings_by_hand();
  if (yours.size() != std::size(questions))
    throw Error(text("ceilings_by_hand() gives ", yours.size(), " numbers, and should give 4."));
  for (std::size_t q = 0; q < std::size(questions); ++q) {
    const auto& [what, bag, solve] = questions[q];
    const double right = right_ceiling(bag, solve);
    try {
      compare(
          {what}, {"ceiling"}, [&](std::size_t) { return list({yours[q]}); },
          [&](std::size_t) { return list({right}); }, 1e-3);
    } catch (const Error& error) {  // its message gives the right number away
      std::string message = text(what, ": yours is ", significant(yours[q], 3), ", which is not right.",
                                 below_values(error.what()));
      // A number without a name is named by what it says: so many of the labels.
      const auto orders = static_cast<double>(orders_of(bag).size());
      const auto each = static_cast<double>(solve(bag).size());
      const double labels = orders * each, counted = std::round(yours[q] * labels);
      if (names_a_mistake(message)) throw Error(message);
      if (std::abs(yours[q] - counted / labels) < 1e-3)
        message +=
            text("\nThis is what you get when ", counted, " of all ", labels, " labels are right: ", orders,
                 " orders with ", each, each > 1 ? " labels" : " label", " each. ",
                 yours[q] > right ? "No answers get so many right."
                                  : "With the best answers more are right; have you added up all tokens?");
      else
        message +=
            text("\nThere are ", orders, " different orders with ", each, each > 1 ? " labels" : " label",
                 " each: the right number is a whole number of ", labels, "ths.");
      throw Error(message);
    }
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
  compare_ceilings(
      bags, [&](std::size_t i) { return ceiling_of_bag(bags[i].bag, bags[i].solve); }, 1e-9);
}

// --- 3.6 ---

namespace {

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
  const Toy toys[] = {{.name = "`previous` of the bag 2 0 1 2",
                       .draw = [](Random&, int) -> Tokens {
                         return {2, 0, 1, 2};
                       },
                       .solve = [](const Tokens& input) { return *find_task("previous").target_of(input); }},
                      {.name = "`sort` of the bag 3 0 0 1 0",
                       .draw = [](Random&, int) -> Tokens {
                         return {3, 0, 0, 1, 0};
                       },
                       .solve = [](const Tokens& input) { return *find_task("sort").target_of(input); }},
                      {.name = "the greater of a token and the one before, of the bag 9 2 3 1",
                       .draw = [](Random&, int) -> Tokens {
                         return {9, 2, 3, 1};
                       },
                       .solve = solve_greater},
                      {.name = "`before` of the bag 9 4 8 4 (8 is A, 9 is B)",
                       .form = Form::classification,
                       .draw = [](Random&, int) -> Tokens {
                         return {9, 4, 8, 4};
                       },
                       .solve = [](const Tokens& input) { return *find_task("before").target_of(input); }}};
  Random unused(0, Purpose::testing);
  std::vector<BagOf> bags;
  for (const Toy& toy : toys) bags.push_back({toy.name, toy.draw(unused, 0), toy.solve});
  compare_ceilings(
      bags,
      [&](std::size_t i) { return order_blind_ceiling(toys[i], static_cast<int>(bags[i].bag.size())).value; },
      1e-6);
  const Toy noise{.draw = [](Random&, int) -> Tokens { return {0, 1, 2, 3, 4, 5, 6, 7}; },
                  .solve = solve_noise};
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
  enum Divisor { scored, all, none } of_loss = scored, of_gradient = scored;
  bool first_rate = false, forgets = false, swapped = false, loss_after = false, logits_before = false;
};

struct Loss {
  double value;
  Numbers gradient;
};

Loss loss_of(const Numbers& logits, const std::vector<int>& targets, const Changes& changes) {
  const double largest = std::ranges::max(logits);
  double sum = 0, scored = 0;
  for (const double logit : logits) sum += std::exp(logit - largest);
  Loss loss{0, Numbers(logits.size())};
  for (const int target : targets) {
    if (target == not_scored) continue;
    ++scored;
    loss.value += largest + std::log(sum) - logits.at(static_cast<std::size_t>(target));
    for (std::size_t v = 0; v < logits.size(); ++v)
      loss.gradient[v] += std::exp(logits[v] - largest) / sum - (static_cast<int>(v) == target);
  }
  const double divisors[] = {scored, static_cast<double>(targets.size()), 1};
  loss.value /= divisors[changes.of_loss];
  for (double& d : loss.gradient) d /= divisors[changes.of_gradient];
  return loss;
}

Training training_with(const Changes& changes) {
  return [=](const Plan& plan) {
    Numbers logits = plan.logits, m(logits.size()), v(logits.size());
    std::vector<Moment> trace;
    for (std::size_t step = 0; step < plan.targets.size(); ++step) {
      const Numbers before = logits;
      Loss loss = loss_of(logits, plan.targets[step], changes);
      if (changes.forgets) m.assign(m.size(), 0), v.assign(v.size(), 0);
      Element e{.rate = plan.rates[changes.first_rate ? 0 : step],
                .beta1 = plan.beta1,
                .beta2 = plan.beta2,
                .epsilon = plan.epsilon,
                .decay = plan.decay,
                .t = static_cast<int>(step) + 1};
      if (changes.swapped) std::swap(e.beta1, e.beta2);
      update(changes.rule, e, loss.gradient, logits, m, v);
      if (changes.loss_after) loss = loss_of(logits, plan.targets[step], changes);
      trace.push_back({loss.value, changes.logits_before ? before : logits});
    }
    return trace;
  };
}

double decay(const Element& e) { return e.rate * e.decay * e.p; }
double step(const Element& e) {
  return e.rate * e.m * e.mean_correction / (std::sqrt(e.v * e.square_correction) + e.epsilon);
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
  const auto changed = [=](const std::string& what, bool is_right, const Changes& changes) {
    return Candidate{what, is_right, [=] { return judged(training_with(changes)); }};
  };
  const auto broken = [=](const std::string& what, const Changes& changes) {
    return changed(what, false, changes);
  };
  const auto by_step = [](double (*of)(const Element&)) { return Changes{.rule = {.step = of}}; };
  const std::vector<Candidate> candidates = {
      changed("plain loops in double", true, {}),
      changed("the corrections multiplied into rate and epsilon, as many libraries do it", true,
              by_step([](const Element& e) {
                const double root = std::sqrt(e.square_correction);
                return e.p * (1 - e.rate * e.decay) -
                       e.rate * e.mean_correction / root * e.m / (std::sqrt(e.v) + e.epsilon / root);
              })),
      {"your own cross_entropy() and adamw_update()", true, [=] { return judged(learners_training); }},
      broken("neither running mean is corrected", {no_correction}),
      broken("the mean m is not corrected", {no_mean_correction}),
      broken("the mean of squares v is not corrected", {no_square_correction}),
      broken("the corrections are one training step ahead", {one_step_late}),
      broken("the corrections are those of the first training step in every step",
             by_step([](const Element& e) {
               return e.p - decay(e) -
                      e.rate * (e.m / (1 - e.beta1)) / (std::sqrt(e.v / (1 - e.beta2)) + e.epsilon);
             })),
      broken("epsilon is inside of the root", {epsilon_inside}),
      broken("epsilon is left out", {no_epsilon}),
      broken("epsilon is added before v is corrected", by_step([](const Element& e) {
               return e.p - decay(e) -
                      e.rate * e.m * e.mean_correction /
                          (std::sqrt(e.square_correction) * (std::sqrt(e.v) + e.epsilon));
             })),
      broken("the loss is not divided by the number of targets, and its gradient is not either",
             {.of_loss = Changes::none, .of_gradient = Changes::none}),
      broken("the gradient is not divided by the number of targets; the loss is",
             {.of_gradient = Changes::none}),
      broken("loss and gradient are divided by all targets of the batch, also those that are not scored",
             {.of_loss = Changes::all, .of_gradient = Changes::all}),
      broken("the loss is computed after the update", {.loss_after = true}),
      broken("the decay is not multiplied by the rate", {decay_alone}),
      broken("the decay is added to the gradient", {decay_in_gradient}),
      broken("there is no decay", by_step([](const Element& e) { return e.p - step(e); })),
      broken("the decay shrinks the step as well",
             by_step([](const Element& e) { return (e.p - step(e)) * (1 - e.rate * e.decay); })),
      broken("the rate is that of the first training step in every step", {.first_rate = true}),
      broken("beta1 and beta2 are swapped", {.swapped = true}),
      broken("m and v begin at 0 in every training step", {.forgets = true}),
      broken("there is no root", {no_root}),
      broken("the decay takes the same amount, rate * decay, from every logit, large or small",
             by_step([](const Element& e) { return e.p - e.rate * e.decay - step(e); })),
      broken("the logits are those from before the update", {.logits_before = true})};
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
