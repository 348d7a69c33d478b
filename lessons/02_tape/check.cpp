// Chapter 2. Backwards of ops run one by one on gradients that are not empty; sums over all elements in plain loops
// say what they must come to. A small engine of its own, right or with one flaw, stands beside the tape.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "lessons/02_tape/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"

// A blank file has no such function; the learner's takes the place of this one.
__attribute__((weak)) locus::Vector locus::differences(const Function&, const Vector&) {
  fail("exercise 2.1", "still to be written");
}

using namespace locus;

namespace {

// The records of a tape are private. An explicit instantiation may name them all the same: so that a step about one
// op can run its backward without the walk of step 2.6.
auto& records_of(Tape& tape);
template <auto Records>
struct Open {
  friend auto& records_of(Tape& tape) { return tape.*Records; }
};
template struct Open<&Tape::records_>;

// Runs the backward of the tape's last record on this gradient of its result.
void run_last(Tape& tape, const Vector& gradient) {
  auto& record = records_of(tape).back();
  std::copy(gradient.begin(), gradient.end(), record.result.gradient());
  record.call(record.backward);
}

Vector random_vector(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Vector x(count);
  for (double& value : x) value = random.normal();
  return x;
}
Reals reals(const Vector& x) { return {x.begin(), x.end()}; }
constexpr double nan_value = std::numeric_limits<double>::quiet_NaN();

// True if compare() would not tell the two apart.
bool same(const Array& a, const Array& b) {
  if (!(a.shape == b.shape)) return false;
  for (std::size_t i = 0; i < a.values.size(); ++i) {
    const double x = a.values[i], y = b.values[i];
    if (std::isfinite(x) && std::isfinite(y) ? std::abs(x - y) > 1e-4 * (1 + std::abs(y))
                                             : !(x == y || (std::isnan(x) && std::isnan(y))))
      return false;
  }
  return true;
}

// Inputs that a mistake may concern alone: "in the gradient of y".
struct Group {
  std::string where;
  std::vector<std::size_t> inputs;
};
bool is_named(const Error& error) {
  return std::string(error.what()).find("This is what you get when") != std::string::npos;
}

// compare(), and if no mistake explains all inputs, the first group of inputs that one explains. So a mistake in one
// of two lines is named, and so is each of two different mistakes.
void compare_in_groups(const std::vector<std::string>& inputs, const std::vector<std::string>& axes,
                       const Answer& yours, const Answer& right, const std::vector<Mistake>& mistakes,
                       const std::vector<Group>& groups) {
  try {
    return compare(inputs, axes, yours, right, mistakes);
  } catch (const Error& error) {
    if (is_named(error) || std::string(error.what()).starts_with("[check]")) throw;
  }
  for (const Group& group : groups) {
    const auto of_group = [&](const Answer& answer) -> Answer {
      return [&answer, &group](std::size_t i) { return answer(group.inputs[i]); };
    };
    const auto equal = [&](const Answer& a, const Answer& b) {
      return std::ranges::all_of(group.inputs, [&](std::size_t i) { return same(a(i), b(i)); });
    };
    std::vector<Mistake> distinct;  // those that differ here from the right answer and from each other
    std::vector<const Answer*> taken = {&right};
    for (const Mistake& mistake : mistakes) {
      if (std::ranges::any_of(taken, [&](const Answer* other) { return equal(mistake.answer, *other); }))
        continue;
      taken.push_back(&mistake.answer);
      distinct.push_back({text(group.where, ", ", mistake.says), of_group(mistake.answer)});
    }
    std::vector<std::string> names;
    for (const std::size_t input : group.inputs) names.push_back(inputs[input]);
    try {
      compare(names, axes, of_group(yours), of_group(right), distinct);
    } catch (const Error& error) {
      if (is_named(error)) throw;
    }
  }
  compare(inputs, axes, yours, right, mistakes);
}

// Of the inputs of Pairs and Products: two of each case.
std::vector<Group> groups_of(const std::string& first, const std::string& second, std::size_t cases) {
  std::vector<Group> groups = {{"in the gradient of " + first, {}}, {"in the gradient of " + second, {}}};
  for (std::size_t i = 0; i < 2 * cases; ++i) groups[i % 2].inputs.push_back(i);
  return groups;
}

}  // namespace

// --- 2.1 ---

namespace {

struct Slope {
  std::string name;
  Function f;
  Vector x;
};
const std::vector<Slope> slopes = {
    // Its slopes are small and its curvature is large: a difference to one side only is wrong in the first digits.
    {"100000 (x0 x0 x0 + 2 x0 x1 + exp(x1) - 9.99 x0 - 4.36 x1) at (2, -1)",
     [](const Vector& x) {
       return 1e5 * (x[0] * x[0] * x[0] + 2 * x[0] * x[1] + std::exp(x[1]) - 9.99 * x[0] - 4.36 * x[1]);
     },
     {2, -1}},
    {"exp(x0) (1 + x1) x2 x2 at (0, 1.5, 0.5)",
     [](const Vector& x) { return std::exp(x[0]) * (1 + x[1]) * x[2] * x[2]; },
     {0, 1.5, 0.5}}};

// The entry i of a gradient, from f and x.
using Entry = std::function<double(const Function& f, const Vector& x, std::size_t i)>;
Answer entries(const Entry& entry) {
  return [entry](std::size_t s) {
    Vector out;
    for (std::size_t i = 0; i < slopes[s].x.size(); ++i) out.push_back(entry(slopes[s].f, slopes[s].x, i));
    return list(out);
  };
}
double moved(const Function& f, Vector x, std::size_t i, double by) {
  x[i] += by;
  return f(x);
}
double central(const Function& f, const Vector& x, std::size_t i, double h = 1e-4) {
  return (moved(f, x, i, h) - moved(f, x, i, -h)) / (2 * h);
}

}  // namespace

TEST_CASE("2.1 a gradient without a tape, from blank") {
  constexpr double h = 1e-4;
  const Answer right = [](std::size_t s) {
    const Vector& x = slopes[s].x;
    const double e = std::exp(s == 0 ? x[1] : x[0]);
    return list(s == 0 ? Vector{1e5 * (3 * x[0] * x[0] + 2 * x[1] - 9.99), 1e5 * (2 * x[0] + e - 4.36)}
                       : Vector{e * (1 + x[1]) * x[2] * x[2], e * x[2] * x[2], e * (1 + x[1]) * 2 * x[2]});
  };
  const Answer yours = [](std::size_t s) { return list(differences(slopes[s].f, slopes[s].x)); };
  // The right gradient with entries missing or more of them.
  const auto resized = [&](auto change) -> Answer {
    return [right, change](std::size_t s) {
      Vector values = right(s).values;
      change(values);
      return list(values);
    };
  };
  const std::vector<Mistake> mistakes = {
      {"the difference is forward, (f(x + h) - f(x)) / h",
       entries([](auto& f, auto& x, auto i) { return (moved(f, x, i, h) - f(x)) / h; })},
      {"the difference is backward, (f(x) - f(x - h)) / h",
       entries([](auto& f, auto& x, auto i) { return (f(x) - moved(f, x, i, -h)) / h; })},
      {"the difference is divided by h, although its two points are 2 h apart",
       entries([](auto& f, auto& x, auto i) { return 2 * central(f, x, i); })},
      {"the difference is not divided by anything",
       entries([](auto& f, auto& x, auto i) { return 2 * h * central(f, x, i); })},
      {"the difference is multiplied by h: / 2 * h divides by 2 only; write / (2 * h)",
       entries([](auto& f, auto& x, auto i) { return h * h * central(f, x, i); })},
      {"the difference is divided by h h",
       entries([](auto& f, auto& x, auto i) { return 2 / h * central(f, x, i); })},
      {"the two points have changed places, so the sign is wrong",
       entries([](auto& f, auto& x, auto i) { return -central(f, x, i); })},
      {"h is added twice: the two points are x + 2 h and x",
       entries([](auto& f, auto& x, auto i) { return (moved(f, x, i, 2 * h) - f(x)) / (2 * h); })},
      {"an entry is not put back before the next one moves: it stays at x - h",
       entries([](auto& f, auto x, auto i) {
         for (std::size_t earlier = 0; earlier < i; ++earlier) x[earlier] -= h;
         return central(f, x, i);
       })},
      {"an entry is not put back before the next one moves: it stays at x + h",
       entries([](auto& f, auto x, auto i) {
         for (std::size_t earlier = 0; earlier < i; ++earlier) x[earlier] += h;
         return central(f, x, i);
       })},
      {"all entries move at once", entries([](auto& f, auto& x, auto) {
         Vector above = x, below = x;
         for (double& value : above) value += h;
         for (double& value : below) value -= h;
         return (f(above) - f(below)) / (2 * h);
       })},
      {"only entry 0 moves, each time", entries([](auto& f, auto& x, auto) { return central(f, x, 0); })},
      {"h is 0.01, too large: the curve bends between the two points",
       entries([](auto& f, auto& x, auto i) { return central(f, x, i, 0.01); })},
      {"the entry is multiplied by 1 + h, so an entry of 0 does not move",
       entries([](auto& f, auto& x, auto i) {
         return x[i] * central(f, x, i, h * std::abs(x[i]) + 1e-30 * (x[i] == 0));
       })},
      {"h is multiplied by the entry: 0 / 0 where it is 0",
       entries([](auto& f, auto& x, auto i) { return x[i] == 0 ? nan_value : central(f, x, i, h * x[i]); })},
      {"the gradient is 0, as it is where 1 / 2 is a division of two whole numbers",
       entries([](auto&, auto&, auto) { return 0; })},
      {"the mean over the entries is taken",
       entries([](auto& f, auto& x, auto i) { return central(f, x, i) / static_cast<double>(x.size()); })},
      {"the second point is x, not x - h: after += h, the entry must move by 2 h to get there",
       entries([](auto& f, auto& x, auto i) { return (moved(f, x, i, h) - f(x)) / (2 * h); })},
      {"h is 0.1, much too large: the curve bends between the two points",
       entries([](auto& f, auto& x, auto i) { return central(f, x, i, 0.1); })},
      {"the values of f are kept in float, which has 7 digits: their difference has hardly any",
       entries([](auto& f, auto& x, auto i) {
         const auto above = static_cast<float>(moved(f, x, i, h)),
                    below = static_cast<float>(moved(f, x, i, -h));
         return static_cast<double>(above - below) / (2 * h);
       })},
      {"the gradient has no entries: each slope must be appended to it",
       resized([](Vector& g) { g.clear(); })},
      {"the loop ends after entry 0, as it does when return stands inside it",
       resized([](Vector& g) { g.resize(1); })},
      {"the last entry is missing: the loop ends one too early", resized([](Vector& g) { g.pop_back(); })},
      {"the gradient was given its size, and the slopes were then appended behind the zeros",
       resized([](Vector& g) { g.insert(g.begin(), g.size(), 0); })}};
  try {
    compare({slopes[0].name, slopes[1].name}, {"entry"}, yours, right, mistakes, 3e-6);
  } catch (const Error& error) {
    for (std::size_t s = 0; s < slopes.size(); ++s) {
      const Array got = yours(s), of_right = right(s);
      if (is_named(error) || !(got.shape == of_right.shape)) throw;
      for (std::size_t i = 0; i < got.values.size(); ++i)
        if (!(std::abs(got.values[i] / of_right.values[i] - 1) < 0.4)) throw;
    }
    throw Error(
        text(error.what(),
             "\nThis is about right: is h 1e-4? A larger h loses digits because the curve bends, a much "
             "smaller one because the two values of f are nearly equal."));
  }
}

// --- 2.2 and 2.3 ---

namespace {

// z = op(x, y) with broadcasting, on gradients that already hold something. What backward makes of them is computed
// in a flat copy of the gradients: x, then y, then room for what is written behind them.
struct Pairwise {
  std::string name;
  char op;
  Shape x_shape, y_shape;
  bool y_constant = false;
  bool first =
      false;  // x and y are results of other ops, whose gradients are asked for here for the first time
};
constexpr std::size_t room = 32;

struct Term {
  std::size_t i, j, k;          // the elements of z, x and y
  double a, b;                  // of x and y
  double dx, dy;                // the slopes, of a and b
  const Vector *z, *dz;         // all of z, and of its gradient
  double dx_turned, dy_turned;  // the slopes, of b and a
  // The slopes of element number a of x and number b of y, of which there may be none: then what is stored behind.
  std::function<double(std::size_t a, std::size_t b)> dx_of, dy_of;
};
// How a backward goes about it; as it is: right.
struct Chain {
  std::function<double(const Term&)> to_x = [](const Term& t) { return (*t.dz)[t.i] * t.dx; };
  std::function<double(const Term&)> to_y = [](const Term& t) { return (*t.dz)[t.i] * t.dy; };
  std::size_t (*x_at)(const Term&) = [](const Term& t) { return t.j; };
  std::size_t (*y_at)(const Term&) = [](const Term& t) { return t.k; };
  bool assign = false, clear = false, conditions_swapped = false;
  bool added_unset = false;  // also where the memory was never set
};

double slope_x(char op, double a, double b) { return op == '*' ? b : op == '/' ? 1 / b : 1 + 0 * a; }
double slope_y(char op, double a, double b) {
  return op == '*' ? a : op == '/' ? -a / (b * b) : op == '-' ? -1 : 1;
}
double result_of(char op, double a, double b) {
  return op == '*' ? a * b : op == '/' ? a / b : op == '-' ? a - b : a + b;
}

// Two of each case: the gradient of x, then that of y.
class Pairs {
 public:
  explicit Pairs(std::vector<Pairwise> cases) : cases_(std::move(cases)) {}

  std::vector<std::string> inputs() const {
    std::vector<std::string> out;
    for (const Pairwise& c : cases_)
      for (const char* of : {"x", "y"}) out.push_back(text("the gradient of ", of, " in ", c.name));
    return out;
  }

  // The name of the op that the record of case c has.
  std::string op(std::size_t c) const {
    Setting s(cases_[c]);
    s.z();
    return s.tape->ops().back()->name;
  }
  // The learner's.
  Array yours(std::size_t input) const {
    Setting s(cases_[input / 2]);
    s.run();
    Vector all(s.gradients.begin(), s.gradients.end());
    if (s.c.first) {
      std::copy_n(s.x.gradient(), s.nx(), all.begin());
      std::copy_n(s.y.gradient(), s.ny(), all.begin() + static_cast<std::ptrdiff_t>(s.nx()));
    }
    return pick(s, input, all);
  }
  Array value(std::size_t c) const {
    Setting s(cases_[c]);
    return copy(s.z());
  }
  Array right_value(std::size_t c, double (*f)(char, double, double) = result_of) const {
    Setting s(cases_[c]);
    Vector z;
    s.each([&](std::size_t, std::size_t j, std::size_t k) { z.push_back(f(cases_[c].op, s.a(j), s.b(k))); });
    return {s.z_shape, z};
  }

  Answer by(const Chain& chain) const {
    return [this, chain](std::size_t input) {
      const Pairwise& c = cases_[input / 2];
      Setting s(c);
      Vector g(s.gradients.begin(), s.gradients.end()), z;
      s.each([&](auto, std::size_t j, std::size_t k) { z.push_back(result_of(c.op, s.a(j), s.b(k))); });
      if (c.first) std::ranges::fill(g, chain.added_unset ? nan_value : 0);
      if (chain.clear) std::fill_n(g.begin(), s.nx() + (c.y_constant ? 0 : s.ny()), 0);
      const auto give = [&](bool to_y) {
        s.each([&](std::size_t i, std::size_t j, std::size_t k) {
          const double a = s.a(j), b = s.b(k);
          const Term t{i,
                       j,
                       k,
                       a,
                       b,
                       slope_x(c.op, a, b),
                       slope_y(c.op, a, b),
                       &z,
                       &s.dz,
                       slope_x(c.op, b, a),
                       slope_y(c.op, b, a),
                       [&](std::size_t m, std::size_t n) { return slope_x(c.op, s.a(m), s.b(n)); },
                       [&](std::size_t m, std::size_t n) { return slope_y(c.op, s.a(m), s.b(n)); }};
          double& to = g.at(to_y ? s.nx() + chain.y_at(t) : chain.x_at(t));
          const double more = to_y ? chain.to_y(t) : chain.to_x(t);
          to = chain.assign ? more : to + more;
        });
      };
      if (!c.y_constant || !chain.conditions_swapped) give(false);
      if (!c.y_constant) give(true);
      return pick(s, input, g);
    };
  }

 private:
  struct Setting {
    explicit Setting(const Pairwise& which) : c(which), z_shape(*broadcast(c.x_shape, c.y_shape)) {
      parameters = reals(random_vector(nx() + ny() + room, 3));
      for (Real& value : parameters)
        value += value < 0 ? Real(-0.5) : Real(0.5);  // nothing is divided by almost 0
      gradients = reals(random_vector(nx() + ny() + room, 4));
      dz = random_vector(z_shape.count(), 5);
    }
    std::size_t nx() const { return c.x_shape.count(); }
    std::size_t ny() const { return c.y_shape.count(); }
    double a(std::size_t j) const { return parameters[j]; }
    double b(std::size_t k) const { return parameters[nx() + k]; }

    Tensor z() {
      tape = std::make_unique<Tape>(parameters.data(), gradients.data());
      poison(*tape);
      x = tape->parameter({c.x_shape, 0});
      y = c.y_constant ? tape->constant(c.y_shape, parameters.data() + nx())
                       : tape->parameter({c.y_shape, nx()});
      if (c.first) {
        x = x * 1.0;  // ops of their own
        y = y * 1.0;
      }
      return c.op == '*' ? x * y : c.op == '/' ? x / y : c.op == '-' ? x - y : x + y;
    }
    void run() {
      z();
      run_last(*tape, dz);
    }

    template <class F>
    void each(F f) const {
      std::size_t i = 0;
      for (int row = 0; row < z_shape.from_last(1); ++row)
        for (int column = 0; column < z_shape.last(); ++column, ++i)
          f(i, element(c.x_shape, row, column), element(c.y_shape, row, column));
    }
    static std::size_t element(const Shape& shape, int row, int column) {
      return static_cast<std::size_t>((row % shape.from_last(1)) * shape.last() + column % shape.last());
    }

    Pairwise c;
    Shape z_shape;
    Reals parameters, gradients;
    Vector dz;
    std::unique_ptr<Tape> tape;
    Tensor x, y;
  };

  Array pick(const Setting& s, std::size_t input, const Vector& all) const {
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(input % 2 ? s.nx() : 0);
    const Shape& shape = input % 2 ? s.c.y_shape : s.c.x_shape;
    return {shape.rank() == 1 ? Shape{1, shape.last()} : shape,
            Vector(from, from + static_cast<std::ptrdiff_t>(shape.count()))};
  }

  std::vector<Pairwise> cases_;
};

const std::vector<std::string> of_table = {"row", "column"};

}  // namespace

TEST_CASE("2.2 the chain rule, element by element") {
  const Pairs pairs(
      {{"x / y, both (2,3)", '/', {2, 3}, {2, 3}},
       {"x - y, y (3) repeated in both rows of x (2,3)", '-', {2, 3}, {3}},
       {"x / y, x (2,1) repeated along each row, y (3) in each row", '/', {2, 1}, {3}},
       {"x - y, x (2,3), y a constant (3), which gets no gradient", '-', {2, 3}, {3}, true},
       {"x - y, both (2,3), where neither had a gradient yet", '-', {2, 3}, {2, 3}, false, true}});
  const auto dz = [](const Term& t) { return (*t.dz)[t.i]; };
  const auto both = [&](const std::function<double(const Term&)>& x,
                        const std::function<double(const Term&)>& y) {
    Chain chain;
    chain.to_x = x;
    chain.to_y = y;
    return pairs.by(chain);
  };
  const auto nothing = [](const Term&) { return 0.0; };
  const auto right_x = Chain().to_x, right_y = Chain().to_y;
  const auto with = [&](auto change) {
    Chain chain;
    change(chain);
    return pairs.by(chain);
  };
  compare_in_groups(
      pairs.inputs(), of_table, [&](std::size_t i) { return pairs.yours(i); }, pairs.by({}),
      {{"each contribution takes the place of what was there: = where += is meant",
        with([](Chain& c) { c.assign = true; })},
       {"the gradients are set to 0 first: they may already hold the contributions of other ops",
        with([](Chain& c) { c.clear = true; })},
       {"dz is added without the slope", both(dz, dz)},
       {"the slope is added without dz: how z changes, not how the loss does",
        both([](const Term& t) { return t.dx; }, [](const Term& t) { return t.dy; })},
       {"the slopes are swapped: slope_y goes to x and slope_x to y",
        both([=](const Term& t) { return dz(t) * t.dy; }, [=](const Term& t) { return dz(t) * t.dx; })},
       {"both x and y get slope_x", both(right_x, [=](const Term& t) { return dz(t) * t.dx; })},
       {"both x and y get slope_y", both([=](const Term& t) { return dz(t) * t.dy; }, right_y)},
       {"the slopes are asked for (b, a) in place of (a, b)",
        both([=](const Term& t) { return dz(t) * t.dx_turned; },
             [=](const Term& t) { return dz(t) * t.dy_turned; })},
       {"the contributions are subtracted",
        both([=](const Term& t) { return -right_x(t); }, [=](const Term& t) { return -right_y(t); })},
       {"x gets no gradient", both(nothing, right_y)},
       {"y gets no gradient", both(right_x, nothing)},
       {"neither x nor y gets a gradient", both(nothing, nothing)},
       {"the values of z are taken for its gradient", both([](const Term& t) { return (*t.z)[t.i] * t.dx; },
                                                           [](const Term& t) { return (*t.z)[t.i] * t.dy; })},
       {"dz + slope is added, where dz times slope is meant",
        both([=](const Term& t) { return dz(t) + t.dx; }, [=](const Term& t) { return dz(t) + t.dy; })},
       {"dz is divided by the slope",
        both([=](const Term& t) { return dz(t) / t.dx; }, [=](const Term& t) { return dz(t) / t.dy; })},
       {"each contribution is also multiplied by the element itself",
        both([=](const Term& t) { return right_x(t) * t.a; },
             [=](const Term& t) { return right_y(t) * t.b; })},
       {"each contribution is multiplied by the element of the other tensor",
        both([=](const Term& t) { return right_x(t) * t.b; },
             [=](const Term& t) { return right_y(t) * t.a; })},
       {"the gradients are indexed by i, the element of z: dx[i] where dx[j] is meant, and dy[i] for dy[k]",
        with([](Chain& c) {
          c.x_at = [](const Term& t) { return t.i; };
          c.y_at = [](const Term& t) { return t.i; };
        })},
       {"the gradient of y is indexed by i: dy[i] where dy[k] is meant",
        with([](Chain& c) { c.y_at = [](const Term& t) { return t.i; }; })},
       {"the gradient of x is indexed by i: dx[i] where dx[j] is meant",
        with([](Chain& c) { c.x_at = [](const Term& t) { return t.i; }; })},
       {"j and k are swapped: dx[k] and dy[j]", with([](Chain& c) {
          c.x_at = [](const Term& t) { return t.k; };
          c.y_at = [](const Term& t) { return t.j; };
        })},
       {"dz is indexed by j and k, the elements of x and y: dz[i] is meant",
        both([](const Term& t) { return (*t.dz)[t.j] * t.dx; },
             [](const Term& t) { return (*t.dz)[t.k] * t.dy; })},
       {"x gets its gradient only if y needs one, and the other way round",
        with([](Chain& c) { c.conditions_swapped = true; })},
       {"the slopes are those of the elements a[i] and b[i]: a[j] and b[k] are meant",
        both([=](const Term& t) { return dz(t) * t.dx_of(t.i, t.i); },
             [=](const Term& t) { return dz(t) * t.dy_of(t.i, t.i); })},
       {"element i of x, of y and of z are taken together: with broadcasting an element is repeated, and "
        "for_each "
        "knows which one belongs to which",
        with([=](Chain& c) {
          c.to_x = [=](const Term& t) { return dz(t) * t.dx_of(t.i, t.i); };
          c.to_y = [=](const Term& t) { return dz(t) * t.dy_of(t.i, t.i); };
          c.x_at = c.y_at = [](const Term& t) { return t.i; };
        })},
       {"the function takes (j, i, k): for_each calls it with i, of z, first", with([=](Chain& c) {
          c.to_x = [=](const Term& t) { return (*t.dz)[t.j] * t.dx_of(t.i, t.k); };
          c.to_y = [=](const Term& t) { return (*t.dz)[t.j] * t.dy_of(t.i, t.k); };
          c.x_at = [](const Term& t) { return t.i; };
        })},
       {"contribution() gives memory that was never set, and it is added to: gradient() sets it to 0 first",
        with([](Chain& c) { c.added_unset = true; })}},
      groups_of("x", "y", 5));
}

TEST_CASE("2.3 backward of multiply") {
  const Pairs pairs({{"x y, both (2,3)", '*', {2, 3}, {2, 3}},
                     {"x y, y (3) repeated in both rows of x (2,3)", '*', {2, 3}, {3}},
                     {"x y, x (2,1) repeated along each row, y (3) in each row", '*', {2, 1}, {3}}});
  const auto value = [&](double (*f)(char, double, double)) {
    return [&pairs, f](std::size_t c) { return pairs.right_value(c, f); };
  };
  compare({"z of x and y (2,3)", "z of x (2,3) and y (3)", "z of x (2,1) and y (3)"}, of_table,
          [&](std::size_t c) { return pairs.value(c); }, value(result_of),
          {{"z is the sum", value([](char, double a, double b) { return a + b; })},
           {"z is the difference", value([](char, double a, double b) { return a - b; })},
           {"z is the quotient", value([](char, double a, double b) { return a / b; })},
           {"z is x", value([](char, double a, double) { return a; })}});
  using F = double (*)(double a, double b);
  const auto slopes_are = [&](F x, F y) {
    Chain chain;
    chain.to_x = [x](const Term& t) { return (*t.dz)[t.i] * x(t.a, t.b); };
    chain.to_y = [y](const Term& t) { return (*t.dz)[t.i] * y(t.a, t.b); };
    return pairs.by(chain);
  };
  const F a = [](double x, double) { return x; }, b = [](double, double y) { return y; };
  const F one = [](double, double) { return 1.0; }, zero = [](double, double) { return 0.0; };
  const F product = [](double x, double y) { return x * y; },
          total = [](double x, double y) { return x + y; };
  compare_in_groups(
      pairs.inputs(), of_table, [&](std::size_t i) { return pairs.yours(i); }, pairs.by({}),
      {{"the slopes have changed places, x for x and y for y: z grows by y for each 1 that x grows",
        slopes_are(a, b)},
       {"both slopes are y", slopes_are(b, b)},
       {"both slopes are x", slopes_are(a, a)},
       {"the slopes are those of a sum, 1 and 1", slopes_are(one, one)},
       {"the slopes are those of a difference, 1 and -1",
        slopes_are(one, [](double, double) { return -1.0; })},
       {"both slopes are the product x y", slopes_are(product, product)},
       {"both slopes are x + y, the derivative of x y along both at once", slopes_are(total, total)},
       {"the slope along y is 0, as if y were a constant", slopes_are(b, zero)},
       {"the slope along x is 0, as if x were a constant", slopes_are(zero, a)},
       {"the slope along y has a minus", slopes_are(b, [](double x, double) { return -x; })},
       {"both slopes have a minus",
        slopes_are([](double, double y) { return -y; }, [](double x, double) { return -x; })},
       {"the slopes are those of a quotient, 1 / y and -x / y^2",
        slopes_are([](double, double y) { return 1 / y; }, [](double x, double y) { return -x / (y * y); })},
       {"the slopes are 2 x and 2 y, those of squares",
        slopes_are([](double x, double) { return 2 * x; }, [](double, double y) { return 2 * y; })},
       {"the slopes are 1 / x and 1 / y, those of logarithms",
        slopes_are([](double x, double) { return 1 / x; }, [](double, double y) { return 1 / y; })},
       {"the slopes are 1 / y and 1 / x: z is a product, not a quotient",
        slopes_are([](double, double y) { return 1 / y; }, [](double x, double) { return 1 / x; })},
       {"the slopes are cut to whole numbers, as those of int are: the arguments are Real",
        slopes_are([](double, double y) { return std::trunc(y); },
                   [](double x, double) { return std::trunc(x); })},
       {"the slopes are 2 y and 2 x, twice what is right",
        slopes_are([](double, double y) { return 2 * y; }, [](double x, double) { return 2 * x; })}},
      groups_of("x", "y", 3));
  if (const std::string op = pairs.op(0); op != "multiply")
    throw Error(
        text("the record of x y has the name of another op, ", op,
             ", under which a profile would count it: the first argument of combine() is op_multiply"));
}

// --- 2.4 ---

namespace {

// Plain matrices.
struct Table {
  int rows, columns;
  Vector values;
  double at(int i, int j) const { return values[static_cast<std::size_t>(i * columns + j)]; }
};
Table turned(const Table& x) {
  Table out{x.columns, x.rows, {}};
  for (int j = 0; j < x.columns; ++j)
    for (int i = 0; i < x.rows; ++i) out.values.push_back(x.at(i, j));
  return out;
}
Table times(const Table& x, const Table& y, double factor = 1) {
  Table out{x.rows, y.columns, {}};
  for (int i = 0; i < x.rows; ++i)
    for (int j = 0; j < y.columns; ++j) {
      double sum = 0;
      for (int k = 0; k < x.columns; ++k) sum += x.at(i, k) * y.at(k, j);
      out.values.push_back(factor * sum);
    }
  return out;
}

// c = factor a b, or factor a b^T, for `batch` matrices. `first`: a and b are results of other ops, whose gradients are
// asked for here for the first time.
struct Product {
  std::string name;
  int M, K, N, batch = 1;
  bool transposed = false, first = false;
  double factor = 1;
  char constant = ' ';  // a or b: this one needs no gradient
};

class Products {
 public:
  explicit Products(std::vector<Product> cases) : cases_(std::move(cases)) {}
  std::vector<std::string> inputs() const {
    std::vector<std::string> out;
    for (const Product& c : cases_)
      for (const char* of : {"a", "b"}) out.push_back(text("the gradient of ", of, " in ", c.name));
    return out;
  }

  Array yours(std::size_t input) const {
    const Product& c = cases_[input / 2];
    Held h(c);
    Tape tape(h.parameters.data(), h.gradients.data());
    poison(tape);
    const Shape a_shape{c.batch, c.M, c.K};
    Tensor a = c.constant == 'a' ? tape.constant(a_shape, h.parameters.data()) : tape.parameter({a_shape, 0});
    if (c.first) a = a * 1.0;  // an op of its own
    Tensor b = c.constant == 'b' ? tape.constant(h.b_shape, h.parameters.data() + h.na)
                                 : tape.parameter({h.b_shape, h.na});
    if (c.first) b = b * 1.0;
    if (c.transposed)
      matmul(a, transpose(b), c.factor);
    else
      matmul(a, b, c.factor);
    run_last(tape, h.dc);
    const Real* from = h.gradients.data() + (input % 2 ? h.na : 0);
    if (c.first) from = input % 2 ? b.gradient() : a.gradient();
    return shaped(h, input, Vector(from, from + (input % 2 ? h.nb : h.na)));
  }

  // What one matrix of the batch contributes to da and db.
  struct Seen {
    const Product& c;
    Table a, b, dc, value;  // b as it is stored
  };
  using Contribution = std::function<Table(const Seen&)>;
  struct Way {
    Contribution to_a = [](const Seen& s) {
      return times(s.dc, s.c.transposed ? s.b : turned(s.b), s.c.factor);
    };
    Contribution to_b = [](const Seen& s) {
      return s.c.transposed ? times(turned(s.dc), s.a, s.c.factor) : times(turned(s.a), s.dc, s.c.factor);
    };
    enum class Kept { as_is, overwritten, added } kept_a = Kept::as_is, kept_b = Kept::as_is;
    bool a_needs_b = false, b_needs_a = false;  // one gets its gradient only if the other needs one
  };
  Answer by(const Way& way) const {
    return [this, way](std::size_t input) {
      const Product& c = cases_[input / 2];
      const Held h(c);
      const bool of_b = input % 2;
      const auto kept = of_b ? way.kept_b : way.kept_a;
      Vector out;
      for (int m = 0; m < c.batch; ++m) {
        const Seen seen{c,
                        h.matrix(h.parameters, 0, c.M, c.K, m),
                        h.matrix(h.parameters, h.na, h.b_rows, h.b_columns, m),
                        {c.M, c.N, h.part(h.dc, c.M * c.N, m)},
                        {c.M, c.N, {}}};
        Seen full = seen;
        full.value = times(seen.a, c.transposed ? turned(seen.b) : seen.b, c.factor);
        Table more = of_b ? way.to_b(full) : way.to_a(full);
        if (c.constant == (of_b ? 'b' : 'a') ||
            (c.constant == (of_b ? 'a' : 'b') && (of_b ? way.b_needs_a : way.a_needs_b)))
          std::ranges::fill(more.values, 0);
        for (std::size_t i = 0; i < more.values.size(); ++i) {
          double before =
              h.gradients[(of_b ? h.na : 0) + static_cast<std::size_t>(m) * more.values.size() + i];
          if (c.first) before = kept == Way::Kept::added ? nan_value : 0;
          if (kept == Way::Kept::overwritten) before = 0;
          out.push_back(before + more.values[i]);
        }
      }
      return shaped(h, input, out);
    };
  }

 private:
  struct Held {
    explicit Held(const Product& product)
        : c(product),
          b_rows(c.transposed ? c.N : c.K),
          b_columns(c.transposed ? c.K : c.N),
          b_shape{c.batch, b_rows, b_columns},
          na(Shape{c.batch, c.M, c.K}.count()),
          nb(b_shape.count()) {
      parameters = reals(random_vector(na + nb, 6));
      gradients = reals(random_vector(na + nb + 4 * room, 7));
      dc = random_vector(Shape{c.batch, c.M, c.N}.count(), 8);
    }
    template <class Values>
    static Vector part(const Values& from, int count, int m, std::size_t start = 0) {
      const auto at = from.begin() + static_cast<std::ptrdiff_t>(start) + std::ptrdiff_t{m} * count;
      return Vector(at, at + count);
    }
    static Table matrix(const Reals& from, std::size_t start, int rows, int columns, int m) {
      return {rows, columns, part(from, rows * columns, m, start)};
    }
    Product c;
    int b_rows, b_columns;
    Shape b_shape;
    std::size_t na, nb;
    Reals parameters, gradients;
    Vector dc;
  };
  Array shaped(const Held& h, std::size_t input, const Vector& values) const {
    return {input % 2 ? h.b_shape : Shape{h.c.batch, h.c.M, h.c.K}, values};
  }

  std::vector<Product> cases_;
};

}  // namespace

TEST_CASE("2.4 backward of matmul") {
  // Square at first, so that a factor that is transposed by mistake fits all the same.
  const Products square({{"a b, both (3,3)", 3, 3, 3},
                         {"2 a b^T, both (4,4)", 4, 4, 4, 1, true, false, 2},
                         {"3 a b, two matrices (2,2) each", 2, 2, 2, 2, false, false, 3},
                         {"a b, both (3,3), where neither had a gradient yet", 3, 3, 3, 1, false, true},
                         {"a b, both (3,3), a being a constant", 3, 3, 3, 1, false, false, 1, 'a'},
                         {"a b, both (3,3), b being a constant", 3, 3, 3, 1, false, false, 1, 'b'}});
  using Seen = Products::Seen;
  using Way = Products::Way;
  const auto way = [&](auto change) {
    Way changed;
    change(changed);
    return square.by(changed);
  };
  const auto to_a = [&](const Products::Contribution& f) { return way([&](Way& w) { w.to_a = f; }); };
  const auto to_b = [&](const Products::Contribution& f) { return way([&](Way& w) { w.to_b = f; }); };
  const Products::Contribution right_a = Way().to_a, right_b = Way().to_b;
  const auto scaled = [](const Products::Contribution& f, double (*by)(double)) {
    return [=](const Seen& s) {
      Table out = f(s);
      for (double& value : out.values) value *= by(s.c.factor);
      return out;
    };
  };
  const auto none = [](const Seen& s) { return times(s.a, s.a, 0); };
  const auto over = [](double f) { return 1 / f; };
  compare_in_groups(
      square.inputs(), {"matrix", "row", "column"}, [&](std::size_t i) { return square.yours(i); },
      square.by({}),
      {{"da is made with b where b^T is meant, and the other way round",
        to_a([](const Seen& s) { return times(s.dc, s.c.transposed ? turned(s.b) : s.b, s.c.factor); })},
       {"da is dc b^T also where b is read transposed: there c = a b^T, and da is dc b",
        to_a([](const Seen& s) { return times(s.dc, turned(s.b), s.c.factor); })},
       {"da is dc b, never transposed", to_a([](const Seen& s) { return times(s.dc, s.b, s.c.factor); })},
       {"the two factors of da have changed places: b^T dc",
        to_a([](const Seen& s) { return times(s.c.transposed ? s.b : turned(s.b), s.dc, s.c.factor); })},
       {"dc is transposed in da", to_a([](const Seen& s) {
          return times(turned(s.dc), s.c.transposed ? s.b : turned(s.b), s.c.factor);
        })},
       {"the values of c are taken for its gradient, in da",
        to_a([](const Seen& s) { return times(s.value, s.c.transposed ? s.b : turned(s.b), s.c.factor); })},
       {"da is made of a: it should be made of b",
        to_a([](const Seen& s) { return times(s.dc, s.c.transposed ? s.a : turned(s.a), s.c.factor); })},
       {"a is not transposed in db", to_b([](const Seen& s) {
          return s.c.transposed ? times(turned(s.dc), s.a, s.c.factor) : times(s.a, s.dc, s.c.factor);
        })},
       {"the two factors of db have changed places: dc a^T", to_b([](const Seen& s) {
          return s.c.transposed ? times(turned(s.dc), s.a, s.c.factor) : times(s.dc, turned(s.a), s.c.factor);
        })},
       {"db is a^T dc also where b is read transposed: there it is dc^T a",
        to_b([](const Seen& s) { return times(turned(s.a), s.dc, s.c.factor); })},
       {"dc is not transposed in db, where b is read transposed", to_b([](const Seen& s) {
          return s.c.transposed ? times(s.dc, s.a, s.c.factor) : times(turned(s.a), s.dc, s.c.factor);
        })},
       {"db is dc^T a in both cases: without the transpose of b it is a^T dc",
        to_b([](const Seen& s) { return times(turned(s.dc), s.a, s.c.factor); })},
       {"the values of c are taken for its gradient, in db", to_b([](const Seen& s) {
          return s.c.transposed ? times(turned(s.value), s.a, s.c.factor)
                                : times(turned(s.a), s.value, s.c.factor);
        })},
       {"db is made of b: it should be made of a", to_b([](const Seen& s) {
          return s.c.transposed ? times(turned(s.dc), s.b, s.c.factor) : times(turned(s.b), s.dc, s.c.factor);
        })},
       {"the factor is left out of da", to_a(scaled(right_a, over))},
       {"the factor is left out of db", to_b(scaled(right_b, over))},
       {"the factor is left out of da and db", way([&](Way& w) {
          w.to_a = scaled(right_a, over);
          w.to_b = scaled(right_b, over);
        })},
       {"da and db have the sign turned", way([&](Way& w) {
          w.to_a = scaled(right_a, [](double) { return -1.0; });
          w.to_b = scaled(right_b, [](double) { return -1.0; });
        })},
       {"a gets no gradient", way([&](Way& w) { w.to_a = none; })},
       {"b gets no gradient", to_b(none)},
       {"da takes the place of what was there: accumulate is always false",
        way([](Way& w) { w.kept_a = Way::Kept::overwritten; })},
       {"da is added even where contribution() says that nothing is there yet: accumulate is always true",
        way([](Way& w) { w.kept_a = Way::Kept::added; })},
       {"db is added even where contribution() says that nothing is there yet: accumulate is always true",
        way([](Way& w) { w.kept_b = Way::Kept::added; })},
       {"da and db are added even where contribution() says that nothing is there yet", way([](Way& w) {
          w.kept_a = Way::Kept::added;
          w.kept_b = Way::Kept::added;
        })},
       {"db takes the place of what was there: accumulate is always false",
        way([](Way& w) { w.kept_b = Way::Kept::overwritten; })},
       {"da and db take the place of what was there: they must be added", way([](Way& w) {
          w.kept_a = Way::Kept::overwritten;
          w.kept_b = Way::Kept::overwritten;
        })},
       {"a and b have changed places: what belongs to b is added to the gradient of a, and the other way "
        "round",
        way([&](Way& w) {
          w.to_a = right_b;
          w.to_b = right_a;
        })},
       {"the factor is multiplied in twice", way([&](Way& w) {
          w.to_a = scaled(right_a, [](double f) { return f; });
          w.to_b = scaled(right_b, [](double f) { return f; });
        })},
       {"b gets no gradient where a is a constant: a.needs_gradient() decides about a alone",
        way([](Way& w) { w.b_needs_a = true; })},
       {"a gets no gradient where b is a constant: b.needs_gradient() decides about b alone",
        way([](Way& w) { w.a_needs_b = true; })},
       {"neither gets a gradient where one of them is a constant: the other still needs its own",
        way([](Way& w) { w.a_needs_b = w.b_needs_a = true; })}},
      {{"in the gradient of a", {0, 2, 4, 6, 8, 10}},
       {"in the gradient of b", {1, 3, 5, 7, 9, 11}},
       {"in the gradient of a, where b is not transposed", {0, 4, 6, 8, 10}},
       {"in the gradient of a, where b is transposed", {2}},
       {"in the gradient of b, where b is not transposed", {1, 5, 7, 9, 11}},
       {"in the gradient of b, where b is transposed", {3}}});
  const Products rectangular(
      {{"a b, a (2,4), b (4,3)", 2, 4, 3}, {"a b^T, two matrices: a (2,5), b (3,5)", 2, 5, 3, 2, true}});
  compare(
      rectangular.inputs(), {"matrix", "row", "column"}, [&](std::size_t i) { return rectangular.yours(i); },
      rectangular.by({}));
}

// --- 2.5 ---

namespace {

struct Softmaxed {
  int rows, columns;
  bool causal;
};
constexpr Softmaxed softmaxed[] = {{2, 4, false}, {3, 3, true}};

struct Row {
  Vector x, y, dy;
  std::size_t number = 0, rows = 0;
  Vector all_y, all_dy;  // of all rows
  // The element that is k times the number of rows after the row's first; NaN beyond the end.
  double down(const Vector& all, std::size_t k) const {
    const std::size_t at = number * y.size() + k * rows;
    return at < all.size() ? all[at] : nan_value;
  }
};
struct SoftmaxRun {
  explicit SoftmaxRun(const Softmaxed& size) : s(size), count(static_cast<std::size_t>(s.rows * s.columns)) {
    parameters = reals(random_vector(count, 9));
    gradients = reals(random_vector(count + room, 10));
    dy = random_vector(count, 11);
  }
  Row row(int r) const {
    Row out;
    double sum = 0;
    for (int j = 0; j < s.columns; ++j) {
      const auto at = static_cast<std::size_t>(r * s.columns + j);
      out.x.push_back(parameters[at]);
      out.y.push_back(s.causal && j > r ? 0 : std::exp(out.x.back()));
      out.dy.push_back(dy[at]);
      sum += out.y.back();
    }
    for (double& y : out.y) y /= sum;
    out.number = static_cast<std::size_t>(r);
    out.rows = static_cast<std::size_t>(s.rows);
    out.all_dy = dy;
    return out;
  }
  Softmaxed s;
  std::size_t count;
  Reals parameters, gradients;
  Vector dy;
};

// The contribution to dx_j, from a row and the sum over its k of dy_k y_k.
using OfRow = std::function<double(const Row& row, std::size_t j, double sum)>;
Answer softmax_by(const OfRow& f, bool assign = false, bool sum_goes_on = false, int only_row = -1) {
  return [=](std::size_t input) {
    const SoftmaxRun run(softmaxed[input]);
    Vector out;
    double sum = 0;
    for (int r = 0; r < run.s.rows; ++r) {
      Row row = run.row(r);
      for (int other = 0; other < run.s.rows; ++other)
        std::ranges::copy(run.row(other).y, std::back_inserter(row.all_y));
      if (!sum_goes_on) sum = 0;
      for (std::size_t k = 0; k < row.y.size(); ++k) sum += row.dy[k] * row.y[k];
      for (std::size_t j = 0; j < row.y.size(); ++j) {
        const double before = run.gradients[out.size()],
                     more = only_row >= 0 && r != only_row ? 0 : f(row, j, sum);
        out.push_back(assign ? more : before + more);
      }
    }
    return Array{{run.s.rows, run.s.columns}, out};
  };
}
double mean_of(const Vector& x) {
  double sum = 0;
  for (const double value : x) sum += value;
  return sum / static_cast<double>(x.size());
}

}  // namespace

TEST_CASE("2.5 backward of softmax") {
  const OfRow right = [](const Row& r, std::size_t j, double sum) { return r.y[j] * (r.dy[j] - sum); };
  compare(
      {"the gradient of x (2,4)", "the gradient of x (3,3), with a causal mask"}, of_table,
      [](std::size_t input) {
        SoftmaxRun run(softmaxed[input]);
        Tape tape(run.parameters.data(), run.gradients.data());
        poison(tape);
        softmax(tape.parameter({{run.s.rows, run.s.columns}, 0}), run.s.causal ? Mask::causal : Mask::none);
        run_last(tape, run.dy);
        return Array{
            {run.s.rows, run.s.columns},
            Vector(run.gradients.begin(), run.gradients.begin() + static_cast<std::ptrdiff_t>(run.count))};
      },
      softmax_by(right),
      {{"the sum is left out, y_j dy_j: a larger x_j also makes all other y_k of the row smaller",
        softmax_by([](const Row& r, std::size_t j, double) { return r.y[j] * r.dy[j]; })},
       {"dy is passed on as it is", softmax_by([](const Row& r, std::size_t j, double) { return r.dy[j]; })},
       {"only y_j is looked at: y_j (1 - y_j) dy_j, as for a sigmoid",
        softmax_by([](const Row& r, std::size_t j, double) { return r.y[j] * (1 - r.y[j]) * r.dy[j]; })},
       {"the plain mean of dy is subtracted: each dy_k should count y_k",
        softmax_by([](const Row& r, std::size_t j, double) { return r.y[j] * (r.dy[j] - mean_of(r.dy)); })},
       {"the sum of dy is subtracted: each dy_k should count y_k",
        softmax_by([](const Row& r, std::size_t j, double) {
          return r.y[j] * (r.dy[j] - mean_of(r.dy) * static_cast<double>(r.dy.size()));
        })},
       {"the sum of dy_k y_k is divided by the number of columns",
        softmax_by([](const Row& r, std::size_t j, double sum) {
          return r.y[j] * (r.dy[j] - sum / static_cast<double>(r.y.size()));
        })},
       {"the factor y_j before the bracket is left out",
        softmax_by([](const Row& r, std::size_t j, double sum) { return r.dy[j] - sum; })},
       {"the factor y_j is on the first part only: y_j dy_j - sum",
        softmax_by([](const Row& r, std::size_t j, double sum) { return r.y[j] * r.dy[j] - sum; })},
       {"the sum has a plus",
        softmax_by([](const Row& r, std::size_t j, double sum) { return r.y[j] * (r.dy[j] + sum); })},
       {"the sign is turned",
        softmax_by([](const Row& r, std::size_t j, double sum) { return r.y[j] * (sum - r.dy[j]); })},
       {"the sum is not set to 0 at the start of each row", softmax_by(right, false, true)},
       {"the sum leaves out k = j", softmax_by([](const Row& r, std::size_t j, double sum) {
          return r.y[j] * (r.dy[j] - (sum - r.dy[j] * r.y[j]));
        })},
       {"the sum is over x_k dy_k: its weights should be y_k",
        softmax_by([](const Row& r, std::size_t j, double) {
          double sum = 0;
          for (std::size_t k = 0; k < r.x.size(); ++k) sum += r.x[k] * r.dy[k];
          return r.y[j] * (r.dy[j] - sum);
        })},
       {"the sum is over y_k y_k, without dy", softmax_by([](const Row& r, std::size_t j, double) {
          double sum = 0;
          for (const double y : r.y) sum += y * y;
          return r.y[j] * (r.dy[j] - sum);
        })},
       {"x_j, the score, stands where y_j, the weight, is meant: x_j (dy_j - sum x_k dy_k)",
        softmax_by([](const Row& r, std::size_t j, double) {
          double sum = 0;
          for (std::size_t k = 0; k < r.x.size(); ++k) sum += r.x[k] * r.dy[k];
          return r.x[j] * (r.dy[j] - sum);
        })},
       {"dx takes the place of what was there: = where += is meant", softmax_by(right, true)},
       {"only row 0 gets a gradient", softmax_by(right, false, false, 0)},
       {"no row gets a gradient", softmax_by([](const Row&, std::size_t, double) { return 0.0; })},
       {"the gradient is divided by y_j: the logarithm of a softmax has the factor 1, not 1 / y_j",
        softmax_by([](const Row& r, std::size_t j, double sum) {
          return r.y[j] > 0 ? (r.dy[j] - sum) / r.y[j] : 0;
        })},
       {"the sum leaves out the last column", softmax_by([](const Row& r, std::size_t j, double sum) {
          return r.y[j] * (r.dy[j] - (sum - r.y.back() * r.dy.back()));
        })},
       {"the sum leaves out the first column", softmax_by([](const Row& r, std::size_t j, double sum) {
          return r.y[j] * (r.dy[j] - (sum - r.y[0] * r.dy[0]));
        })},
       {"the sum stops at column number `row`: it goes over all columns, as y is 0 where a mask hides a key",
        softmax_by([](const Row& r, std::size_t j, double) {
          double sum = 0;
          for (std::size_t k = 0; k <= r.number % r.y.size(); ++k) sum += r.dy[k] * r.y[k];
          return r.y[j] * (r.dy[j] - sum);
        })},
       {"the terms with k = j and the others have the same sign: that of the others is minus",
        softmax_by([](const Row& r, std::size_t j, double sum) {
          return r.y[j] * (r.dy[j] - 2 * r.y[j] * r.dy[j] + sum);
        })},
       {"the sum counts y_k twice, y_k y_k dy_k", softmax_by([](const Row& r, std::size_t j, double) {
          double sum = 0;
          for (std::size_t k = 0; k < r.y.size(); ++k) sum += r.y[k] * r.y[k] * r.dy[k];
          return r.y[j] * (r.dy[j] - sum);
        })},
       {"all rows are added to row 0 of dx: its pointer or its index stays there",
        [=](std::size_t input) {
          const SoftmaxRun run(softmaxed[input]);
          const Array sums = softmax_by(right)(input);
          Array out = sums;
          const auto columns = static_cast<std::size_t>(run.s.columns);
          for (std::size_t i = columns; i < run.count; ++i) {
            out.values[i % columns] += sums.values[i] - run.gradients[i];
            out.values[i] = run.gradients[i];
          }
          return out;
        }},
       {"the sum goes down a column and beyond the end: element k of a row is k elements after its first",
        softmax_by([](const Row& r, std::size_t j, double) {
          double sum = 0;
          for (std::size_t k = 0; k < r.y.size(); ++k) sum += r.down(r.all_y, k) * r.down(r.all_dy, k);
          return r.y[j] * (r.dy[j] - sum);
        })}});
}

// --- A small engine, right or with one flaw, for 2.6 and 2.7 ---

namespace {

struct Recorded {
  std::vector<Number::Node> nodes;
  std::size_t inputs;
  int result;
};
Recorded record(const Expression& expression, const Vector& x) {
  Recorded out{{}, x.size(), 0};
  std::vector<Number> numbers;
  for (const double value : x) {
    out.nodes.push_back({'x', 0, 0, value});
    numbers.push_back({&out.nodes, static_cast<int>(out.nodes.size()) - 1});
  }
  out.result = expression(numbers).node;
  return out;
}

struct Flaw {
  bool assign = false;        // = where += is meant
  bool once_if_same = false;  // an op with the same operand twice contributes once
  bool forwards = false;      // walks from the first op to the last
  bool skip_first = false, skip_last = false, stop_at_unused = false, each_twice = false;
  bool breadth = false;  // passes on what arrived each time something arrives: no order
  bool seed_is_value = false, seed_is_one = false;
  bool first_seed_only = false, same_seed = false;  // of the cotangent's elements
  bool seed_at_last = false;                        // at the last record, which need not be the result
  bool unreached_too = false;                       // runs records whose result has no gradient
  double seed = 1, scale = 1;
  int at_most = 1 << 20;  // ops
  double (*slope_x)(char, double a, double b) = [](char op, double a, double b) {
    return op == 'e' ? std::exp(a) : slope_x_of(op, a, b);
  };
  double (*slope_y)(char, double a, double b) = [](char op, double a, double b) {
    return op == 'e' ? 0 : slope_y_of(op, a, b);
  };
  static double slope_x_of(char op, double a, double b) { return ::slope_x(op, a, b); }
  static double slope_y_of(char op, double a, double b) { return ::slope_y(op, a, b); }
};

Vector gradient_with(const Flaw& flaw, const Recorded& r) {
  Vector g(r.nodes.size());
  std::vector<bool> reached(r.nodes.size());
  const auto result = static_cast<std::size_t>(r.result);
  const std::size_t seeded = flaw.seed_at_last ? r.nodes.size() - 1 : result;
  g[seeded] = flaw.seed_is_value ? r.nodes[result].value : flaw.seed;
  reached[seeded] = true;
  if (flaw.unreached_too) reached.assign(r.nodes.size(), true);
  const std::function<void(std::size_t, double)> run = [&](std::size_t n, double dz) {
    const auto& node = r.nodes[n];
    if (node.op == 'x') return;
    const auto x = static_cast<std::size_t>(node.x), y = static_cast<std::size_t>(node.y);
    const double a = r.nodes[x].value, b = r.nodes[y].value;
    const auto give = [&](std::size_t to, double more) {
      g[to] = flaw.assign ? more : g[to] + more;
      reached[to] = true;
      if (flaw.breadth) run(to, more);
    };
    give(x, dz * flaw.slope_x(node.op, a, b));
    if (node.op != 'e' && !(flaw.once_if_same && x == y)) give(y, dz * flaw.slope_y(node.op, a, b));
  };
  if (flaw.breadth) {
    run(result, g[result]);
  } else {
    const std::size_t first = r.inputs + flaw.skip_first, end = r.nodes.size() - flaw.skip_last;
    int done = 0;
    for (std::size_t step = 0; first + step < end && done < flaw.at_most; ++step) {
      const std::size_t n = flaw.forwards ? first + step : end - 1 - step;
      if (!reached[n]) {
        if (flaw.stop_at_unused) break;
        continue;
      }
      run(n, g[n]);
      if (flaw.each_twice) run(n, g[n]);
      ++done;
    }
  }
  g.resize(r.inputs);
  for (double& value : g) value *= flaw.scale;
  return g;
}
Engine engine_with(const Flaw& flaw) {
  return [flaw](const Expression& expression, const Vector& x) {
    return gradient_with(flaw, record(expression, x));
  };
}

// An expression on the learner's tape: element e of every tensor (E) computes it for xs[e].
std::vector<Tensor> on_tape(Tape& tape, const Recorded& r, int E) {
  std::vector<Tensor> tensors;
  for (std::size_t n = 0; n < r.nodes.size(); ++n) {
    const auto& node = r.nodes[n];
    if (node.op == 'x') {
      tensors.push_back(tape.parameter({{E}, n * static_cast<std::size_t>(E)}));
      continue;
    }
    const Tensor x = tensors[static_cast<std::size_t>(node.x)], y = tensors[static_cast<std::size_t>(node.y)];
    tensors.push_back(node.op == 'e'   ? exp(x)
                      : node.op == '*' ? x * y
                      : node.op == '/' ? x / y
                      : node.op == '-' ? x - y
                                       : x + y);
  }
  return tensors;
}

// The learner's tape.
Vector gradient_by_tape(const Expression& expression, const Vector& x) {
  const Recorded r = record(expression, x);
  Reals parameters = reals(x), gradients(x.size());
  Tape tape(parameters.data(), gradients.data());
  const auto tensors = on_tape(tape, r, 1);
  tape.backward(tensors[static_cast<std::size_t>(r.result)]);
  return Vector(gradients.begin(), gradients.end());
}

// Right as well, and without a walk through records: each number carries its slope along one entry of x.
Vector gradient_forwards(const Expression& expression, const Vector& x) {
  const Recorded r = record(expression, x);
  Vector gradient;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vector slope;
    for (std::size_t n = 0; n < r.nodes.size(); ++n) {
      const auto& node = r.nodes[n];
      const auto a = static_cast<std::size_t>(node.x), b = static_cast<std::size_t>(node.y);
      const double va = r.nodes[a].value, vb = r.nodes[b].value;
      slope.push_back(node.op == 'x' ? n == i
                      : node.op == 'e'
                          ? slope[a] * std::exp(va)
                          : slope[a] * ::slope_x(node.op, va, vb) + slope[b] * ::slope_y(node.op, va, vb));
    }
    gradient.push_back(slope[static_cast<std::size_t>(r.result)]);
  }
  return gradient;
}

using Numbers = std::vector<Number>;
const std::vector<std::pair<std::string, Expression>> walked = {
    {"exp(x0 x1)", [](const Numbers& x) { return exp(x[0] * x[1]); }},
    {"a a + a with a = x0 x1",
     [](const Numbers& x) {
       const Number a = x[0] * x[1];
       return a * a + a;
     }},
    {"a - x0 with a = x0 / x1, where exp(a) and a a are computed in between and not used",
     [](const Numbers& x) {
       const Number a = x[0] / x[1], result = a - x[0];
       exp(a);
       a* a;
       return result;
     }},
    {"exp(a) a with a = exp(x0) - x1, where a x1 is computed in between and not used",
     [](const Numbers& x) {
       const Number a = exp(x[0]) - x[1];
       a* x[1];
       return exp(a) * a;
     }},
    {"x0 x1, where an exp that overflows is computed in between and not used", [](const Numbers& x) {
       exp(exp(exp(exp(x[0] + x[0]))));
       return x[0] * x[1];
     }}};
constexpr int E = 2;
const std::vector<Vector> walked_at = {{0.8, -0.6}, {-0.4, 1.1}};  // element 0 of all tensors, element 1
constexpr double cotangent[E] = {1.5, -0.5};

Answer walked_with(const Flaw& flaw) {
  return [flaw](std::size_t c) {
    Array out{{2, E}, Vector(4)};
    for (std::size_t e = 0; e < E; ++e) {
      Flaw seeded = flaw;
      if (!flaw.seed_is_one) seeded.seed = cotangent[flaw.same_seed ? 0 : e];
      if (flaw.first_seed_only && e > 0) seeded.seed = 0;
      const Vector g = gradient_with(seeded, record(walked[c].second, walked_at[e]));
      for (std::size_t i = 0; i < 2; ++i) out.values[i * E + e] = g[i];
    }
    return out;
  };
}

}  // namespace

TEST_CASE("2.6 the walk through the records") {
  std::string kept, no_gradient;
  const auto yours = [&](std::size_t c) {
    const Recorded r = record(walked[c].second, walked_at[0]);
    Reals parameters(4), gradients(4);
    for (std::size_t i = 0; i < 2; ++i)
      for (std::size_t e = 0; e < E; ++e) parameters[i * E + e] = static_cast<Real>(walked_at[e][i]);
    Tape tape(parameters.data(), gradients.data());
    poison(tape);
    const std::vector<Tensor> tensors = on_tape(tape, r, E);
    const Tensor result = tensors[static_cast<std::size_t>(r.result)];
    const Real cotangents[E] = {static_cast<Real>(cotangent[0]), static_cast<Real>(cotangent[1])};
    tape.backward(result, cotangents);
    // Why there may be no gradient at all shows in the gradient of the result.
    try {
      no_gradient =
          *result.gradient() == 0
              ? "no parameter gets a gradient, and neither does the result: the cotangent must be added to it"
              : "no parameter gets a gradient, and the cotangent is still in the gradient of the result: no "
                "record has read it. It must be added before the walk, and the records to be left out are "
                "those whose gradient is null, not the others";
      kept =
          "the gradient of the result can still be read after the walk: does each record get its "
          "release(*record)?";
    } catch (const Error&) {
      no_gradient =
          "no parameter gets a gradient, although the records were released: record->call(record->backward) "
          "is missing";
    }
    return Array{{2, E}, Vector(gradients.begin(), gradients.end())};
  };
  const auto flaw = [](auto change) {
    Flaw changed;
    change(changed);
    return walked_with(changed);
  };
  std::vector<std::string> names;
  for (const auto& [name, expression] : walked) names.push_back("the gradients of x0 and x1 in " + name);
  try {
    yours(0);
  } catch (const Error& error) {
    if (std::string(error.what()).find("is gone") == std::string::npos) throw;
    throw Error(text(
        "a record's backward finds no gradient of its result: release(*record) comes after the call, as it "
        "gives that gradient's memory away\n",
        error.what()));
  }
  compare(
      names, {"x", "element"}, yours, walked_with({}),
      {{no_gradient, flaw([](Flaw& f) { f.scale = 0; })},
       {"only the record of the result itself runs. If the walk goes from the first record to the last, no "
        "other result has a gradient when its turn comes",
        flaw([](Flaw& f) { f.forwards = true; })},
       {"the walk starts with ones: the cotangent is left out", flaw([](Flaw& f) { f.seed_is_one = true; })},
       {"the signs of all gradients are turned", flaw([](Flaw& f) { f.scale = -1; })},
       {"the cotangent is added twice", flaw([](Flaw& f) { f.scale = 2; })},
       {"the first record is left out: the walk ends one too early",
        flaw([](Flaw& f) { f.skip_first = true; })},
       {"the walk begins one record before the last", flaw([](Flaw& f) { f.skip_last = true; })},
       {"the walk ends at the first record without a gradient: continue is meant, not break",
        flaw([](Flaw& f) { f.stop_at_unused = true; })},
       {"each backward runs twice", flaw([](Flaw& f) { f.each_twice = true; })},
       {"the walk starts with the value of the result, not with the cotangent",
        flaw([](Flaw& f) { f.seed_is_value = true; })},
       {"only element 0 of the cotangent is added: it has as many elements as the result",
        flaw([](Flaw& f) { f.first_seed_only = true; })},
       {"element 0 of the cotangent is added to all elements: cotangent[i] belongs to element i",
        flaw([](Flaw& f) { f.same_seed = true; })},
       {"the cotangent is added to the last record's result, which need not be the tensor `result`",
        flaw([](Flaw& f) { f.seed_at_last = true; })},
       {"records run whose result has no gradient: nothing depends on them, and 0 times infinity is not a "
        "number",
        flaw([](Flaw& f) { f.unreached_too = true; })}});
  if (!kept.empty()) throw Error(kept);
  const auto from_a_parameter = [](std::size_t) {
    const Reals parameters = {1, 2};
    Reals gradients = {0.25, -1};
    Tape tape(parameters.data(), gradients.data());
    const Tensor x = tape.parameter({{E}, 0});
    exp(x);  // recorded, not used
    const Real cotangents[E] = {static_cast<Real>(cotangent[0]), static_cast<Real>(cotangent[1])};
    tape.backward(x, cotangents);
    return list({gradients.begin(), gradients.end()});
  };
  compare({"the gradient of x, which held (0.25, -1), after a walk from x itself, a parameter"}, {"element"},
          from_a_parameter,
          [](std::size_t) {
            return list({0.25 + cotangent[0], -1 + cotangent[1]});
          },
          {{"the cotangent takes the place of what the gradient of the result held: = where += is meant",
            [](std::size_t) {
              return list({cotangent[0], cotangent[1]});
            }}});
}

TEST_CASE("2.7 your test of engines that compute gradients") {
  const auto engine = [](const std::string& what, bool is_right, const Engine& e) {
    return Candidate{what, is_right, [=] { return computes_gradients(e); }};
  };
  const auto broken = [&](const std::string& what, auto change) {
    Flaw flaw;
    change(flaw);
    return engine(what, false, engine_with(flaw));
  };
  const auto left_over = std::make_shared<Vector>();
  judge({engine("an engine that walks back", true, engine_with({})),
         engine("your own tape, in float", true, gradient_by_tape),
         engine("an engine that walks forward, once for each entry of x", true, gradient_forwards),
         broken("all gradients are 0", [](Flaw& f) { f.scale = 0; }),
         broken("a second contribution takes the place of the first: a + a gets 1",
                [](Flaw& f) { f.assign = true; }),
         broken("an op with the same operand twice contributes once: a + a gets 1",
                [](Flaw& f) { f.once_if_same = true; }),
         broken("the walk goes forwards", [](Flaw& f) { f.forwards = true; }),
         broken("the first op is left out", [](Flaw& f) { f.skip_first = true; }),
         broken("the walk gives up after 20 ops", [](Flaw& f) { f.at_most = 20; }),
         broken("each backward runs twice", [](Flaw& f) { f.each_twice = true; }),
         broken("the walk starts with the value of the result", [](Flaw& f) { f.seed_is_value = true; }),
         broken("the walk starts with 2", [](Flaw& f) { f.seed = 2; }),
         broken("all signs are turned", [](Flaw& f) { f.scale = -1; }),
         broken("all gradients are 2 percent too large", [](Flaw& f) { f.scale = 1.02; }),
         broken("the slopes of x y have changed places",
                [](Flaw& f) {
                  f.slope_x = [](char op, double a, double b) {
                    return op == '*' ? a : op == 'e' ? std::exp(a) : slope_x(op, a, b);
                  };
                  f.slope_y = [](char op, double a, double b) {
                    return op == '*' ? b : op == 'e' ? 0 : slope_y(op, a, b);
                  };
                }),
         broken("the slope of x - y along y is 1",
                [](Flaw& f) {
                  f.slope_y = [](char op, double a, double b) {
                    return op == '-' ? 1 : op == 'e' ? 0 : slope_y(op, a, b);
                  };
                }),
         broken("the slope of x / y along y is -1 / y",
                [](Flaw& f) {
                  f.slope_y = [](char op, double a, double b) {
                    return op == '/' ? -1 / b : op == 'e' ? 0 : slope_y(op, a, b);
                  };
                }),
         broken("the slope of x / y along y has a plus",
                [](Flaw& f) {
                  f.slope_y = [](char op, double a, double b) {
                    return op == '/' ? a / (b * b) : op == 'e' ? 0 : slope_y(op, a, b);
                  };
                }),
         broken("the slope of exp(x) is x",
                [](Flaw& f) {
                  f.slope_x = [](char op, double a, double b) { return op == 'e' ? a : slope_x(op, a, b); };
                }),
         broken("the slope of x + y along y is 0",
                [](Flaw& f) {
                  f.slope_y = [](char op, double a, double b) {
                    return op == '+' || op == 'e' ? 0 : slope_y(op, a, b);
                  };
                }),
         broken("the slope along the second operand is right only where the first operand is positive",
                [](Flaw& f) {
                  f.slope_y = [](char op, double a, double b) {
                    return op == 'e' ? 0 : slope_y(op, std::abs(a), b);
                  };
                }),
         engine("gradients of earlier calls are still there", false,
                [left_over](const Expression& expression, const Vector& x) {
                  Vector g = engine_with({})(expression, x);
                  for (std::size_t i = 0; i < g.size() && i < left_over->size(); ++i) g[i] += (*left_over)[i];
                  return *left_over = g;
                })});
}
