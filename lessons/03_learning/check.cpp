// Chapter 3. Plain loops in double say what gradients, updates and ceilings must come to.
#include "lessons/tools/check.h"

#include <map>

#include "lessons/03_learning/contract.h"
#include "lessons/03_learning/trainings.h"
#include "tasks/support/ceiling.h"
#include "tasks/support/registry.h"
#include "train/optimizer.h"

[[gnu::weak]] double locus::ceiling_of_bag(const Bag&, const Solve&) { still_to_write("3.5"); }

using namespace locus;

using Numbers = std::vector<double>;

// same, 2 of `if (target[row] == not_scored) continue;`: the two lines can stand in either order: neither reads what the other writes; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 2 of `const Real* p = probabilities + std::ptrdiff_t{row} * V;`: the two lines can stand in either order: neither reads what the other writes; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `Real* d = logits.gradient() + std::ptrdiff_t{row} * V;`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `for (int v = 0; v < V; ++v) d[v] += factor * (p[v] - (v == target[row] ? 1 : 0));`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
TEST_CASE("3.1 backward of the cross-entropy") {
  struct Case {
    int rows, V;
    double divisor, weight;  // the loss is divided by the one and later multiplied by the other
    std::vector<int> targets;
    Numbers logits, before;  // what was in their gradient
  };
  compare_cases<Case>(
      {{6, 5, 7, 2.5, {3, 0, not_scored, 4, 1, 3}, random_numbers(30, 11), random_numbers(30, 12)},
       {4, 3, 9, -0.75, {1, not_scored, 2, 2}, random_numbers(12, 21), random_numbers(12, 22)}},
      [](auto& c) { return str(c.rows, " rows of ", c.V, " logits"); }, {"row", "class"},
      [](auto& c) {
        std::vector<int> targets = c.targets;
        const auto loss = [&](Tape& tape) {
          const Tensor x = tape.parameter({{c.rows, c.V}, 0});
          const Tensor sum = cross_entropy(x, targets, static_cast<Real>(c.divisor));
          std::ranges::fill(targets, 1);  // as if this memory were used for something else by then
          return sum * c.weight;
        };
        return Array{{c.rows, c.V}, gradients_of(loss, reals(c.logits), c.before, {1})};
      },
      [](auto& c) {
        const Array logits{{c.rows, c.V}, c.logits}, before{{c.rows, c.V}, c.before};
        return filled({c.rows, c.V}, [&](int row, int v) {
          const int target = c.targets.data()[row];
          const auto grown = [&](int of) { return std::exp(logits(row, of)); };
          const double slope = target == not_scored ? 0 : grown(v) / sum_of(c.V, grown) - (v == target);
          return before(row, v) + c.weight / c.divisor * slope;
        });
      });

  const Numbers logits = {1, 2, 0, 3};
  const Numbers gradient = gradients_of(
      [](Tape& tape) {
        return cross_entropy(tape.parameter({{1, 4}, 0}), std::vector{1}, 1);
      },
      reals(logits), Numbers(4, 0), {1});
  std::vector<std::string> rows;
  for (std::size_t v = 0; v < 4; ++v)
    rows.push_back(str("logit ", fixed(logits[v], 0), gradient[v] < 0 ? "  pushed up    " : "  pushed down  ",
                       bar(std::abs(gradient[v])), v == 1 ? " the right class" : ""));
  show("Your gradient of one question: what the loss asks of each logit", rows);
}

// --- 3.2 and 3.3 ---

namespace {

// One call of adamw_update() on some parameters of a longer vector.
struct Update {
  OptimizerSettings settings;
  double norm, rate;
  int step;  // from 0
  std::uint64_t seed;
};
constexpr std::size_t length = 9, first = 2, count = 4;

// The first gradient is clipped, the second is not. No two numbers of one update are equal.
const OptimizerSettings clipping{
    .learning_rate = 0.8, .weight_decay = 0.4, .beta1 = 0.7, .beta2 = 0.9, .epsilon = 0.25, .clip = 1.5};
const OptimizerSettings lenient{
    .learning_rate = 0.9, .weight_decay = 0.7, .beta1 = 0.6, .beta2 = 0.8, .epsilon = 0.15, .clip = 5};
const std::vector<Update> updates = {{clipping, 4, 0.3, 1, 31}, {lenient, 2, 0.2, 4, 41}};

// What there is of each parameter: its gradient, itself, and the running means of the gradient and of its square.
struct Parameters {
  Numbers g, p, m, v;
};

Parameters before(const Update& u) {
  Parameters x{random_numbers(length, u.seed), random_numbers(length, u.seed + 1),
               random_numbers(length, u.seed + 2), random_numbers(length, u.seed + 3)};
  for (double& gradient : x.g) gradient *= 1.8;  // some beyond 1: each is scaled, none is cut off
  for (double& mean : x.m) mean *= 0.5;
  for (double& square : x.v) square = 0.25 * square * square + 0.1;
  return x;
}

// What the learner's lines make of it: those of 3.2 alone, or the whole update.
enum class Lines { means, update };
Parameters yours(const Update& u, Lines lines) {
  const auto [g, p, m, v] = before(u);
  const Reals gradient = reals(g);
  Reals parameters = reals(p);
  OptimizerState state{reals(m), reals(v)};
  if (lines == Lines::means) update_means(u.settings, u.norm, gradient.data(), first, count, state);
  if (lines == Lines::update)
    adamw_update(u.settings, u.rate, u.step, u.norm, gradient.data(), first, count, parameters.data(), state);
  const auto numbers = [](const Reals& reals) { return Numbers(reals.begin(), reals.end()); };
  return {g, numbers(parameters), numbers(state.mean), numbers(state.square)};
}

Parameters right(const Update& u) {
  const auto& s = u.settings;
  auto [g, p, m, v] = before(u);
  for (std::size_t i = first; i < first + count; ++i) {
    const double clipped = g[i] * (u.norm > s.clip ? s.clip / u.norm : 1);
    m[i] = s.beta1 * m[i] + (1 - s.beta1) * clipped;
    v[i] = s.beta2 * v[i] + (1 - s.beta2) * clipped * clipped;
    const double mean = m[i] / (1 - std::pow(s.beta1, u.step + 1));
    const double square = v[i] / (1 - std::pow(s.beta2, u.step + 1));
    p[i] -= u.rate * s.weight_decay * p[i] + u.rate * mean / (std::sqrt(square) + s.epsilon);
  }
  return {g, p, m, v};
}

void compare_updates(Lines lines, const std::string& what, Numbers Parameters::*of) {
  const char* longer = lines == Lines::means ? ", a gradient to clip" : ", a long gradient";
  compare(
      {what + longer, what + ", a short gradient"}, {"parameter"},
      [&](std::size_t i) { return list(yours(updates[i], lines).*of); },
      [&](std::size_t i) { return list(right(updates[i]).*of); });
}

// same, 2 of `m[i] = beta1 * m[i] + (1 - beta1) * gi;`: the two lines can stand in either order: neither reads what the other writes; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `const Real gi = clip * g[i];`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `v[i] = beta2 * v[i] + (1 - beta2) * gi * gi;`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
TEST_CASE("3.2 the running means of the gradient and of its square") {
  compare_updates(Lines::means, "m", &Parameters::m);
  compare_updates(Lines::means, "v", &Parameters::v);

  const OptimizerSettings usual;
  OptimizerState state{Reals(1), Reals(1)};
  std::vector<std::string> rows;
  for (int step = 0; step < 8; ++step) {
    const Real gradient = step < 4 ? Real(0.1) : step % 2 == 0 ? Real(-0.1) : Real(0.1);
    update_means(usual, 0.1, &gradient, 0, 1, state);
    rows.push_back(str("gradient ", gradient > 0 ? " 0.1" : "-0.1", "  m ", fixed(state.mean[0], 3), "  ",
                       bar(state.mean[0] / 0.1)));
  }
  show("Your m: it grows while the gradients agree", rows);
}

// same, 1 of `const Real mean_correction = static_cast<Real>(1 / (1 - std::pow(settings.beta1, step + 1)));`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `const Real square_correction = static_cast<Real>(1 / (1 - std::pow(settings.beta2, step + 1)));`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `p[i] = keep * p[i] - rate * (m[i] * mean_correction) / (std::sqrt(v[i] * square_correction) + epsilon);`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]; both are the learning rate, one of them as a Real
// same, 1 of `const Real keep = static_cast<Real>(1 - learning_rate * settings.weight_decay);`: both are the learning rate, one of them as a Real
TEST_CASE("3.3 the step: corrected, divided by the root, and the decay") {
  compare_updates(Lines::update, "p", &Parameters::p);
  compare_updates(Lines::update, "after the step, m", &Parameters::m);
  compare_updates(Lines::update, "after the step, v", &Parameters::v);

  OptimizerSettings usual;
  usual.weight_decay = 0;
  Reals p = {3};
  OptimizerState state{Reals(1), Reals(1)};
  std::vector<std::string> rows;
  for (int step = 0; step < 70; ++step) {
    if (step % 10 == 0)
      rows.push_back(str("after ", step < 10 ? " " : "", step, " steps  p ", fixed(p[0], 2), "  ",
                         bar(std::abs(p[0]) / 3)));
    const Real gradient = p[0];  // of the loss p^2 / 2
    adamw_update(usual, 0.06, step, std::abs(p[0]), &gradient, 0, 1, p.data(), state);
  }
  show("Your step rolls p from 3 down to the lowest point of p * p / 2, at 0", rows);
}

// --- 3.4 and 3.5 ---

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
  for (const auto& [token, of_label] : counts)
    right += std::ranges::max_element(of_label, {}, &std::pair<const int, double>::second)->second;
  return right / labels;
}

template <class Number>
std::string words(const std::vector<Number>& numbers) {
  std::vector<std::string> all;
  for (const Number number : numbers) all.push_back(significant(number, 5));
  return join(all, " ");
}

// A bag, its task, and what they are called.
struct BagOf {
  std::string what;
  Bag bag;
  Solve solve;
};

// compare() of one ceiling for each bag; the message shows the labels of some orders, too.
void compare_ceilings(const std::vector<BagOf>& bags, const std::function<double(std::size_t)>& yours,
                      double tolerance) {
  std::vector<std::string> inputs;
  for (const BagOf& one : bags) inputs.push_back(one.what);
  const auto right = [&](std::size_t i) { return right_ceiling(bags[i].bag, bags[i].solve); };
  const auto wrong = [&](std::size_t i, const std::vector<Array>& given) {
    const double ceiling = given[i].values[0];
    std::string out = str("yours is ", significant(ceiling, 4), ", right is ", significant(right(i), 4),
                          ceiling > 1 ? " (no share is above 1)." : ".");
    std::vector<Bag> orders = orders_of(bags[i].bag);
    orders.resize(std::min(orders.size(), std::size_t{3}));
    for (const Bag& order : orders) {
      const std::vector<int> labels = bags[i].solve(order);
      out += str("\n  order ", words(order), labels.size() > 1 ? ": labels " : ": label ", words(labels));
    }
    return out + "\n  and so on";
  };
  compare_in_words(
      inputs, {"ceiling"}, [&](std::size_t i) { return list({yours(i)}); },
      [&](std::size_t i) { return list({right(i)}); }, tolerance, {wrong});
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

// same, 1 of `double before_a_b_x = 1.0 / 2;`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `double previous_all_different = 1.0 / 3;`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `double first_two_alike = 2.0 / 3;`: the two lines can stand in either order: neither reads what the other writes
TEST_CASE("3.4 four ceilings, counted by hand") {
  const std::vector<BagOf> questions = {{"before_a_b_x", {8, 9, 3}, solver("before")},
                                        {"previous_all_different", {1, 2, 3}, solver("previous")},
                                        {"first_two_alike", {1, 1, 2}, solver("first")},
                                        {"parity_a_b_b", {0, 1, 1}, solver("parity")}};
  const std::vector<double> yours = ceilings_by_hand();
  std::vector<std::pair<std::string, double>> right;
  for (const auto& [what, bag, solve] : questions) right.emplace_back(what, right_ceiling(bag, solve));
  // A number that has no name is named by what it says: so many of the labels.
  const auto unexplained = [&](std::size_t q) {
    const std::size_t orders = orders_of(questions[q].bag).size(),
                      each = questions[q].solve(questions[q].bag).size();
    const auto labels = static_cast<double>(orders * each), counted = std::round(yours[q] * labels);
    const std::string of_each = str(" orders with ", each, each > 1 ? " labels each" : " label each");
    if (std::abs(yours[q] - counted / labels) > 1e-3)
      return str("There are ", orders, " different", of_each, ": the right number is a whole number of ",
                 labels, "ths.");
    return str("Likely cause: ", counted, " of all ", labels, " labels are right: ", orders, of_each, ". ",
               yours[q] > right[q].second ? "No answers get so many right."
               : each > 1 ? "With the best answers more are right; have you added up all tokens?"
                          : "With the best answer more are right: count how many orders have each label.");
  };
  compare_by_hand("ceilings_by_hand()", yours, right, unexplained);
}

// same, 1 of `for (const auto& [label, times] : count) most = std::max(most, times);`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `std::map<int, std::map<int, int>> counts;  // token (of a whole input: 0) -> label -> how often`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `double labels_in_all = 0;`: the two lines can stand in either order: neither reads what the other writes
// same, 4 of `for (std::size_t i = 0; i < labels.size(); ++i) ++counts[labels.size() == 1 ? 0 : order[i]][labels[i]];`: the two lines can stand in either order: neither reads what the other writes; tokens only tell the counts apart, and do so with another sign as well; a whole input has one row of counts, whatever it is called
// same, 2 of `int most = 0;`: every token has at least one label, so that most is 1 or more in the end
TEST_CASE("3.5 the ceiling of a bag, from blank") {
  const std::vector<BagOf> bags = {
      {"`previous` of the bag 2 0 1 2", {2, 0, 1, 2}, solver("previous")},
      {"`sort` of the bag 3 1 1 0 3", {3, 1, 1, 0, 3}, solver("sort")},
      {"the greater of a token and the one before, of the bag 9 1 3 1", {9, 1, 3, 1}, solve_greater},
      {"`before` of the bag 9 4 8 4 (8 is A, 9 is B)", {9, 4, 8, 4}, solver("before")},
      {"`parity` of the bag 1 0 1 1 (0 is a, 1 is b, 2 even, 3 odd)", {1, 0, 1, 1}, solver("parity")}};
  const auto yours = [&](std::size_t i) { return ceiling_of_bag(bags[i].bag, bags[i].solve); };
  compare_ceilings(bags, yours, 1e-9);
  std::vector<std::string> rows;
  for (const char* task : {"reverse", "previous", "first", "sort"})
    for (const std::vector<int>& bag : {std::vector{1, 1, 2}, std::vector{1, 2, 3}}) {
      const double ceiling = ceiling_of_bag(bag, solver(task));
      rows.push_back(str(task, std::string(10 - std::string(task).size(), ' '), "bag ", join(bag, " "), "  ",
                         bar(ceiling), " ", fixed(ceiling, 2)));
    }
  show("Your ceilings: the best of any model that sees the bag alone", rows);
}

// --- 3.6 ---

template <int... tokens>
Tokens draw_bag(Random&, int) {
  return {tokens...};
}

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

TEST_CASE("3.6 the framework's own count: choose by one half, score on the other") {
  const auto toy = [](const char* name, auto draw, auto solve, Form form = Form::labelling) {
    return Toy{.name = name, .form = form, .sample = draw, .solve = solve};
  };
  // Each answer's name is the number of a column; of `sort` the best is 0, of a 9 it is 9.
  const Toy toys[] = {
      toy("`previous` of the bag 2 0 1 2", draw_bag<2, 0, 1, 2>,
          [](const Tokens& input) { return *find_task("previous").target_of(input); }),
      toy("`sort` of the bag 3 0 0 1 0", draw_bag<3, 0, 0, 1, 0>,
          [](const Tokens& input) { return *find_task("sort").target_of(input); }),
      toy("the greater of a token and the one before, of the bag 9 2 3 1", draw_bag<9, 2, 3, 1>,
          solve_greater),
      toy(
          "`before` of the bag 9 4 8 4 (8 is A, 9 is B)", draw_bag<9, 4, 8, 4>,
          [](const Tokens& input) { return *find_task("before").target_of(input); }, Form::classification)};
  std::vector<BagOf> bags;
  Random unused(0, Purpose::testing);
  for (const Toy& one : toys) bags.push_back({one.name, one.sample(unused, 0), one.solve});
  const auto yours = [&](std::size_t i) {
    return order_blind_ceiling(toys[i], static_cast<int>(bags[i].bag.size())).value;
  };
  compare_ceilings(bags, yours, 1e-6);
  const Toy noise{.sample = draw_bag<0, 1, 2, 3, 4, 5, 6, 7>, .solve = solve_noise};
  const double value = order_blind_ceiling(noise, 8).value;
  require(
      value < 0.109,
      "where all orders of a bag are counted, the ceilings are right. But for labels drawn from ten without any "
      "rule, of which the orders are sampled in two halves, yours is ",
      fixed(value, 4),
      ", and less than 0.109 is right.\nLikely cause: the answers are scored on the same counts that "
      "chose them.");
  std::vector<std::string> rows;
  for (const char* task : {"reverse", "sort", "previous", "before", "majority"}) {
    const double ceiling = find_task(task).order_blind_ceiling(12)->value;
    rows.push_back(
        str(task, std::string(10 - std::string(task).size(), ' '), bar(ceiling), " ", fixed(ceiling, 2)));
  }
  show("Your count at 12 tokens: what order adds is what is missing to 1", rows);
}

// --- 3.7 ---

// The first two moments of a training, for the learner to compare with.
std::string first_moments(const std::vector<Moment>& trace) {
  std::string out;
  for (std::size_t step = 0; step < std::min<std::size_t>(2, trace.size()); ++step) {
    const auto& [loss, logits] = trace[step];
    out += str("\n  training step ", step + 1, ": loss ", significant(loss, 5), ", logits ", words(logits));
  }
  return out;
}

TEST_CASE("3.7 your test: a golden trace of the first training steps") {
  std::vector<Moment> right_trace;  // of the plan that was tried last
  const auto judged = [&right_trace](const Training& training) {
    return golden_trace([&](const Plan& plan) {
      require_allowed(plan);
      right_trace = training_with({})(plan);
      return training(plan);
    });
  };
  const auto by_step = [](double (*of)(const Element&)) { return training_with({.rule = {.step = of}}); };
  const auto with = training_with;
  const auto altered = [with](void (*change)(std::vector<Moment>&)) {
    return [=](const Plan& plan) {
      std::vector<Moment> trace = with({})(plan);
      change(trace);
      return trace;
    };
  };
  // Of more than one logit, only the first is updated, or all but the last.
  const auto one_logit = [with](bool only_first) {
    return [=](const Plan& plan) {
      std::vector<Moment> trace = with({})(plan);
      for (Moment& moment : trace)
        for (std::size_t v = only_first ? 1 : plan.logits.size() - 1; v < plan.logits.size(); ++v)
          moment.logits[v] = plan.logits[v];
      return trace;
    };
  };
  const Named<Training> right = {
      {"plain loops in double", with({})},
      {"the corrections multiplied into rate and epsilon, as many libraries do it",
       by_step([](const Element& e) {
         const double root = std::sqrt(e.square_correction), rate = e.rate * e.mean_correction / root;
         return e.p * (1 - e.rate * e.decay) - rate * e.m / (std::sqrt(e.v) + e.epsilon / root);
       })},
      {"your own cross_entropy() and adamw_update()", learners_training}};
  const Named<Training> broken = {
      {"neither running mean is corrected", with({no_correction})},
      {"the mean m is not corrected", with({no_mean_correction})},
      {"the mean of squares v is not corrected", with({no_square_correction})},
      {"the corrections are one training step ahead", with({one_step_late})},
      {"the corrections are those of the first training step in every step", by_step([](const Element& e) {
         return moved(e, e.m / (1 - e.beta1), std::sqrt(e.v / (1 - e.beta2)) + e.epsilon);
       })},
      {"epsilon is inside of the root", with({epsilon_inside})},
      {"epsilon is left out", with({no_epsilon})},
      {"epsilon is added before v is corrected", by_step([](const Element& e) {
         return moved(e, corrected_mean(e), std::sqrt(e.square_correction) * (std::sqrt(e.v) + e.epsilon));
       })},
      {"the loss is not divided by the number of targets, and its gradient is not either",
       with({.of_loss = Changes::none, .of_gradient = Changes::none})},
      {"the gradient is not divided by the number of targets; the loss is",
       with({.of_gradient = Changes::none})},
      {"loss and gradient are divided by all targets of the batch, also those that are not scored",
       with({.of_loss = Changes::all, .of_gradient = Changes::all})},
      {"the loss is computed after the update", with({.loss_after = true})},
      {"the decay is not multiplied by the rate", with({decay_alone})},
      {"the decay is added to the gradient", with({decay_in_gradient})},
      {"there is no decay", by_step([](const Element& e) { return e.p - step_of(e); })},
      {"the decay shrinks the step as well",
       by_step([](const Element& e) { return (e.p - step_of(e)) * (1 - e.rate * e.decay); })},
      {"the rate is that of the first training step in every step", with({.first_rate = true})},
      {"beta1 and beta2 are swapped", with({.swapped = true})},
      {"m and v begin at 0 in every training step", with({.forgets = true})},
      {"there is no root", with({no_root})},
      {"the decay takes the same amount, rate * decay, from every logit, large or small",
       by_step([](const Element& e) { return e.p - e.rate * e.decay - step_of(e); })},
      {"the logits are those from before the update", with({.logits_before = true})},
      {"all losses and logits are too low", altered([](std::vector<Moment>& trace) {
         for (Moment& moment : trace) {
           moment.loss -= 0.5;
           for (double& logit : moment.logits) logit -= 0.5;
         }
       })},
      {"only the first logit is updated", one_logit(true)},
      {"the last logit is not updated", one_logit(false)},
      {"all losses and logits are NaN", altered([](std::vector<Moment>& trace) {
         for (Moment& moment : trace) {
           moment.loss = std::nan("");
           for (double& logit : moment.logits) logit = std::nan("");
         }
       })},
      {"the logits are those of the last training step in every step", [with](const Plan& plan) {
         std::vector<Moment> trace = with({})(plan);
         for (Moment& moment : trace) moment.logits = trace.back().logits;
         return trace;
       }}};
  try {
    judge(judged, right, broken);
  } catch (const Error& error) {
    const std::string message = error.what();
    if (message.starts_with("Your test passes whatever"))
      throw Error(message +
                  "\nA broken training makes the loss fall, too: compare each loss and each logit with a "
                  "number that you have worked out.");
    if (!message.starts_with("Your test fails") || right_trace.empty()) throw;
    throw Error(message +
                "\nOf the plan that your test tried last, this is right:" + first_moments(right_trace));
  }
}

}  // namespace
