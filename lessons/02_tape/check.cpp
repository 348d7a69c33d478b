// Chapter 2. Backwards of ops run one by one on gradients that are not empty; sums over all elements in plain loops
// say what they must come to. A small engine of its own stands beside the tape.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
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
void run_last(Tape& tape, const Reals& gradient) {
  auto& record = records_of(tape).back();
  std::ranges::copy(gradient, record.result.gradient());
  record.call(record.backward);
}

Reals random_reals(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Reals x(count);
  for (Real& value : x) value = static_cast<Real>(random.normal());
  return x;
}
constexpr std::size_t room = 128;  // for what a wrong index reads and writes behind the last element

const std::vector<std::string> of_table = {"row", "column"};

// Of + - * / and exp (e), along the two operands a and b; exp has only one.
struct Slopes {
  double x, y;
};
Slopes slopes(char op, double a, double b) {
  if (op == 'e') return {std::exp(a), 0};
  if (op == '*') return {b, a};
  if (op == '/') return {1 / b, -a / (b * b)};
  return {1, op == '-' ? -1.0 : 1.0};
}
Tensor apply(char op, Tensor x, Tensor y) {
  if (op == 'e') return exp(x);
  if (op == '*') return x * y;
  if (op == '/') return x / y;
  return op == '-' ? x - y : x + y;
}

}  // namespace

TEST_CASE("2.1 a gradient without a tape, from blank") {
  struct Case {
    std::string name;
    Function f;
    Vector x, gradient;
  };
  const std::vector<Case> cases = {
      // Its slopes are small and its curvature is large: a difference to one side only is wrong in the first digits.
      {"100000 (x0 x0 x0 + 2 x0 x1 + exp(x1) - 9.99 x0 - 4.36 x1) at (2, -1)",
       [](const Vector& x) {
         return 1e5 * (x[0] * x[0] * x[0] + 2 * x[0] * x[1] + std::exp(x[1]) - 9.99 * x[0] - 4.36 * x[1]);
       },
       {2, -1},
       {1e5 * (3 * 4 + 2 * -1 - 9.99), 1e5 * (2 * 2 + std::exp(-1) - 4.36)}},
      {"exp(x0) (1 + x1) x2 x2 at (0, 1.5, 0.5)",
       [](const Vector& x) { return std::exp(x[0]) * (1 + x[1]) * x[2] * x[2]; },
       {0, 1.5, 0.5},
       {2.5 * 0.25, 0.25, 2.5 * 2 * 0.5}}};
  const auto about_right = [](const Case& c) {
    const Vector yours = differences(c.f, c.x);
    return std::ranges::equal(yours, c.gradient,
                              [](double a, double b) { return std::abs(a / b - 1) < 0.4; });
  };
  try {
    compare(
        {cases[0].name, cases[1].name}, {"entry"},
        [&](std::size_t c) { return list(differences(cases[c].f, cases[c].x)); },
        [&](std::size_t c) { return list(cases[c].gradient); }, 3e-6);
  } catch (const Error& error) {
    if (names_a_mistake(error.what()) || !std::ranges::all_of(cases, about_right)) throw;
    throw Error(
        text(error.what(),
             "\nThis is about right: is h 1e-4? A larger h loses digits because the curve bends, a much "
             "smaller one because the two values of f are nearly equal."));
  }
}

// --- 2.2 to 2.4: ops of two tensors ---

namespace {

// Parameters, whose gradients already hold something; or results of other ops, whose gradients are asked for here for
// the first time; or one of them a constant, which gets no gradient.
enum class Operands { parameters, results, x_constant, y_constant };

struct Term {
  int i, j, k;
};
// Every element i of z is a sum of terms; each is made of an element j of x and an element k of y.
struct Operation {
  std::string name;
  Shape x, y;
  Operands operands;
  std::function<Tensor(Tensor x, Tensor y)> op;
  std::vector<Term> terms;
  std::function<Slopes(double a, double b)> slopes;  // of a term
  Reals values, gradients, dz;                       // of x, then of y, then room; and the gradient of z
};

// z = x op y, with broadcasting.
Operation elementwise(const std::string& name, char op, Shape x, Shape y,
                      Operands operands = Operands::parameters) {
  const auto element = [](const Shape& shape, int row, int column) {
    return row % shape.from_last(1) * shape.last() + column % shape.last();
  };
  const Shape z = *broadcast(x, y);
  std::vector<Term> terms;
  for (int row = 0; row < z.from_last(1); ++row)
    for (int column = 0; column < z.last(); ++column)
      terms.push_back({row * z.last() + column, element(x, row, column), element(y, row, column)});
  const std::size_t count = x.count() + y.count() + room;
  Reals values = random_reals(count, 3);
  for (Real& value : values) value += value < 0 ? Real(-0.5) : Real(0.5);  // nothing is divided by almost 0
  return {name,
          x,
          y,
          operands,
          [=](Tensor a, Tensor b) { return apply(op, a, b); },
          terms,
          [=](double a, double b) { return slopes(op, a, b); },
          values,
          random_reals(count, 4),
          random_reals(z.count(), 5)};
}

struct Sizes {
  int M, K, N, batch = 1;
};
// c = factor a b, or factor a b^T, for `batch` matrices a (M,K); c is (M,N).
Operation product(const std::string& name, Sizes sizes, bool transposed = false, double factor = 1,
                  Operands operands = Operands::parameters) {
  const auto [M, K, N, batch] = sizes;
  const Shape a{batch, M, K}, b = transposed ? Shape{batch, N, K} : Shape{batch, K, N};
  std::vector<Term> terms;
  for (int m = 0; m < batch; ++m)
    for (int i = 0; i < M; ++i)
      for (int j = 0; j < N; ++j)
        for (int k = 0; k < K; ++k)
          terms.push_back({(m * M + i) * N + j, (m * M + i) * K + k,
                           transposed ? (m * N + j) * K + k : (m * K + k) * N + j});
  const std::size_t count = a.count() + b.count() + room;
  return {
      name,
      a,
      b,
      operands,
      [=](Tensor x, Tensor y) { return transposed ? matmul(x, transpose(y), factor) : matmul(x, y, factor); },
      terms,
      [=](double x, double y) {
        return Slopes{factor * y, factor * x};
      },
      random_reals(count, 6),
      random_reals(count, 7),
      random_reals(Shape{batch, M, N}.count(), 8)};
}

// An operation on the learner's tape.
struct Run {
  explicit Run(const Operation& o) : gradients(o.gradients), tape(o.values.data(), gradients.data()) {
    poison(tape);
    const std::size_t nx = o.x.count();
    x = o.operands == Operands::x_constant ? tape.constant(o.x, o.values.data()) : tape.parameter({o.x, 0});
    y = o.operands == Operands::y_constant ? tape.constant(o.y, o.values.data() + nx)
                                           : tape.parameter({o.y, nx});
    if (o.operands == Operands::results) {
      x = x * 1.0;
      y = y * 1.0;
    }
    z = o.op(x, y);
  }
  Reals gradients;
  Tape tape;
  Tensor x, y, z;
};

Array as_table(const Shape& shape, const Real* values) {
  return {shape.rank() == 1 ? Shape{1, shape.last()} : shape, {values, values + shape.count()}};
}

Array your_gradient(const Operation& o, bool of_y) {
  Run run(o);
  run_last(run.tape, o.dz);
  const Tensor operand = of_y ? run.y : run.x;
  return as_table(operand.shape(), o.operands == Operands::results
                                       ? operand.gradient()
                                       : run.gradients.data() + (of_y ? o.x.count() : 0));
}

Array right_gradient(const Operation& o, bool of_y) {
  Array gradient = as_table(of_y ? o.y : o.x, o.gradients.data() + (of_y ? o.x.count() : 0));
  if (o.operands == (of_y ? Operands::y_constant : Operands::x_constant)) return gradient;
  if (o.operands == Operands::results) std::ranges::fill(gradient.values, 0);
  const Real *x = o.values.data(), *y = x + o.x.count();
  for (const auto& [i, j, k] : o.terms) {
    const Slopes slope = o.slopes(x[j], y[k]);
    gradient.values.data()[of_y ? k : j] += o.dz.data()[i] * (of_y ? slope.y : slope.x);
  }
  return gradient;
}

// Two inputs for each operation: the gradient of x, then that of y.
void compare_gradients(const std::vector<Operation>& operations, const std::string& x, const std::string& y,
                       const std::vector<std::string>& axes, const std::vector<Group>& groups) {
  std::vector<std::string> inputs;
  for (const Operation& o : operations)
    for (const std::string& of : {x, y}) inputs.push_back(text("the gradient of ", of, " in ", o.name));
  compare(
      inputs, axes, [&](std::size_t i) { return your_gradient(operations[i / 2], i % 2); },
      [&](std::size_t i) { return right_gradient(operations[i / 2], i % 2); }, 1e-4, groups);
}

}  // namespace

TEST_CASE("2.2 the chain rule, element by element") {
  compare_gradients(
      {elementwise("x / y, both (2,3)", '/', {2, 3}, {2, 3}),
       elementwise("x - y, y (3) repeated in both rows of x (2,3)", '-', {2, 3}, {3}),
       elementwise("x / y, x (2,1) repeated along each row, y (3) in each row", '/', {2, 1}, {3}),
       elementwise("x - y, x (2,3), y a constant (3), which gets no gradient", '-', {2, 3}, {3},
                   Operands::y_constant),
       elementwise("x - y, both (2,3), where neither had a gradient yet", '-', {2, 3}, {2, 3},
                   Operands::results)},
      "x", "y", of_table,
      {{"in the gradient of x", {0, 2, 4, 6, 8}}, {"in the gradient of y", {1, 3, 5, 7, 9}}});
}

TEST_CASE("2.3 backward of multiply") {
  const std::vector<Operation> operations = {
      elementwise("x y, both (2,3)", '*', {2, 3}, {2, 3}),
      elementwise("x y, y (3) repeated in both rows of x (2,3)", '*', {2, 3}, {3}),
      elementwise("x y, x (2,1) repeated along each row, y (3) in each row", '*', {2, 1}, {3})};
  compare(
      {"z of x and y (2,3)", "z of x (2,3) and y (3)", "z of x (2,1) and y (3)"}, of_table,
      [&](std::size_t c) { return copy(Run(operations[c]).z); },
      [&](std::size_t c) {
        const Operation& o = operations[c];
        const Real *x = o.values.data(), *y = x + o.x.count();
        Array z{{2, 3}, {}};
        for (const Term& term : o.terms) z.values.push_back(x[term.j] * y[term.k]);
        return z;
      });
  compare_gradients(operations, "x", "y", of_table,
                    {{"in the gradient of x", {0, 2, 4}}, {"in the gradient of y", {1, 3, 5}}});
  if (const std::string op = Run(operations[0]).tape.ops().back()->name; op != "multiply")
    throw Error(
        text("the record of x y has the name of another op, ", op,
             ", under which a profile would count it: the first argument of combine() is op_multiply"));
}

TEST_CASE("2.4 backward of matmul") {
  const std::vector<std::string> axes = {"matrix", "row", "column"};
  // Square at first, so that a factor that is transposed by mistake fits all the same.
  compare_gradients(
      {product("a b, both (3,3)", {3, 3, 3}),  //
       product("2 a b^T, both (4,4)", {4, 4, 4}, true, 2),
       product("3 a b, two matrices (2,2) each", {2, 2, 2, 2}, false, 3),
       product("a b, both (3,3), where neither had a gradient yet", {3, 3, 3}, false, 1, Operands::results),
       product("a b, both (3,3), a being a constant", {3, 3, 3}, false, 1, Operands::x_constant),
       product("a b, both (3,3), b being a constant", {3, 3, 3}, false, 1, Operands::y_constant)},
      "a", "b", axes,
      {{"in the gradient of a, where b is not transposed", {0, 4, 6, 8, 10}},
       {"in the gradient of a, where b is transposed", {2}},
       {"in the gradient of b, where b is not transposed", {1, 5, 7, 9, 11}},
       {"in the gradient of b, where b is transposed", {3}}});
  compare_gradients({product("a b, a (2,4), b (4,3)", {2, 4, 3}),
                     product("a b^T, two matrices: a (2,5), b (3,5)", {2, 5, 3, 2}, true)},
                    "a", "b", axes, {});
}

TEST_CASE("2.5 backward of softmax") {
  struct Case {
    int rows, columns;
    Mask mask;
    std::size_t count = Shape{rows, columns}.count();
    Reals values = random_reals(count, 9), gradients = random_reals(count + room, 10),
          dy = random_reals(count, 11);
  };
  const std::vector<Case> cases = {{2, 4, Mask::none}, {3, 3, Mask::causal}};
  compare(
      {"the gradient of x (2,4)", "the gradient of x (3,3), with a causal mask"}, of_table,
      [&](std::size_t input) {
        const Case& c = cases[input];
        Reals gradients = c.gradients;
        Tape tape(c.values.data(), gradients.data());
        poison(tape);
        softmax(tape.parameter({{c.rows, c.columns}, 0}), c.mask);
        run_last(tape, c.dy);
        return as_table({c.rows, c.columns}, gradients.data());
      },
      [&](std::size_t input) {
        const Case& c = cases[input];
        Array dx = as_table({c.rows, c.columns}, c.gradients.data());
        for (int row = 0; row < c.rows; ++row) {
          const int start = row * c.columns,
                    end = c.mask == Mask::causal ? start + row + 1 : start + c.columns;
          double total = 0, mean = 0;  // of exp(x); of dy, weighted by y
          for (int k = start; k < end; ++k) total += std::exp(c.values.data()[k]);
          const auto y = [&](int k) { return std::exp(c.values.data()[k]) / total; };
          for (int k = start; k < end; ++k) mean += y(k) * c.dy.data()[k];
          for (int j = start; j < end; ++j) dx.values.data()[j] += y(j) * (c.dy.data()[j] - mean);
        }
        return dx;
      });
}

// --- 2.6 and 2.7: a small engine ---

namespace {

struct Recorded {
  std::vector<Number::Node> nodes;  // the entries of x come first
  std::size_t result;
};
Recorded record(const Expression& expression, const Vector& x) {
  Recorded out;
  std::vector<Number> numbers;
  for (const double value : x) {
    out.nodes.push_back({'x', 0, 0, value});
    numbers.push_back({&out.nodes, static_cast<int>(numbers.size())});
  }
  out.result = static_cast<std::size_t>(expression(numbers).node);
  return out;
}

// Each number carries its slope along one entry of x.
Vector gradient_forwards(const Expression& expression, const Vector& x) {
  const auto [nodes, result] = record(expression, x);
  Vector gradient;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vector along;
    for (const auto& [op, node_x, node_y, value] : nodes) {
      const auto a = static_cast<std::size_t>(node_x), b = static_cast<std::size_t>(node_y);
      const Slopes slope = slopes(op, nodes[a].value, nodes[b].value);
      along.push_back(op == 'x' ? along.size() == i : slope.x * along[a] + slope.y * along[b]);
    }
    gradient.push_back(along[result]);
  }
  return gradient;
}

// As it is: right.
struct Flaw {
  bool assign = false;        // = where += is meant
  bool once_if_same = false;  // an op with the same operand twice contributes once
  bool forwards = false;      // walks from the first op to the last
  bool skip_first = false;
  int at_most = 1 << 20;  // ops
  std::function<Slopes(char op, double a, double b)> slopes = ::slopes;
};
// A walk back through what was recorded.
Vector gradient_with(const Flaw& flaw, const Expression& expression, const Vector& x) {
  const auto [nodes, result] = record(expression, x);
  Vector g(nodes.size());
  g[result] = 1;
  const auto give = [&](std::size_t to, double more) { g[to] = flaw.assign ? more : g[to] + more; };
  const std::size_t first = x.size() + flaw.skip_first, last = nodes.size() - 1;
  int done = 0;
  for (std::size_t step = 0; first + step <= last && done < flaw.at_most; ++step) {
    const std::size_t n = flaw.forwards ? first + step : last - step;
    if (g[n] == 0) continue;
    ++done;
    const auto a = static_cast<std::size_t>(nodes[n].x), b = static_cast<std::size_t>(nodes[n].y);
    const Slopes slope = flaw.slopes(nodes[n].op, nodes[a].value, nodes[b].value);
    give(a, g[n] * slope.x);
    if (nodes[n].op != 'e' && !(flaw.once_if_same && a == b)) give(b, g[n] * slope.y);
  }
  g.resize(x.size());
  return g;
}

// An expression of parameters of E elements each on the learner's tape.
Tensor on_tape(Tape& tape, const Recorded& recorded, int E) {
  std::vector<Tensor> tensors;
  for (const auto& [op, x, y, value] : recorded.nodes)
    tensors.push_back(
        op == 'x' ? tape.parameter({{E}, tensors.size() * static_cast<std::size_t>(E)})
                  : apply(op, tensors[static_cast<std::size_t>(x)], tensors[static_cast<std::size_t>(y)]));
  return tensors[recorded.result];
}

Vector gradient_by_tape(const Expression& expression, const Vector& x) {
  const Reals parameters(x.begin(), x.end());
  Reals gradients(x.size());
  Tape tape(parameters.data(), gradients.data());
  tape.backward(on_tape(tape, record(expression, x), 1));
  return {gradients.begin(), gradients.end()};
}

}  // namespace

TEST_CASE("2.6 the walk through the records") {
  using Numbers = std::vector<Number>;
  const std::vector<std::pair<std::string, Expression>> expressions = {
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
  std::vector<std::string> names;
  for (const auto& [name, expression] : expressions) names.push_back("the gradients of x0 and x1 in " + name);

  constexpr int E = 2;
  const Reals parameters = {0.8, -0.4, -0.6, 1.1};  // two elements of x0, then of x1
  const Reals cotangent = {1.5, -0.5};
  bool arrived = false;      // a gradient at a parameter
  std::optional<Real> left;  // in the gradient of the result; nothing once it was released
  const auto yours = [&](std::size_t c) {
    Reals gradients(parameters.size());
    Tape tape(parameters.data(), gradients.data());
    poison(tape);
    const Tensor result = on_tape(tape, record(expressions[c].second, {0.8, -0.6}), E);
    tape.backward(result, cotangent.data());
    arrived |= std::ranges::any_of(gradients, [](Real slope) { return slope != 0; });
    try {
      left = *result.gradient();
    } catch (const Error&) {
      left.reset();
    }
    return Array{{2, E}, {gradients.begin(), gradients.end()}};
  };
  try {
    compare(names, {"x", "element"}, yours, [&](std::size_t c) {
      Array out{{2, E}, Vector(2 * E)};
      for (std::size_t e = 0; e < E; ++e) {
        const Vector slopes = gradient_forwards(expressions[c].second, {parameters[e], parameters[E + e]});
        for (std::size_t i = 0; i < 2; ++i) out.values[i * E + e] = slopes[i] * cotangent[e];
      }
      return out;
    });
  } catch (const Error& error) {
    if (arrived || names_a_mistake(error.what())) throw;
    throw Error(
        text(error.what(), "\nThis is what you get when no parameter gets a gradient, ",
             !left ? "although the records were released: record->call(record->backward) is missing."
             : *left == 0
                 ? "and neither does the result: the cotangent must be added to it."
                 : "and the cotangent is still in the gradient of the result: no record has read it. It must "
                   "be added before the walk, and the records to be left out are those whose gradient is "
                   "null, not the others."));
  }
  if (left)
    throw Error(
        "the gradient of the result can still be read after the walk: does each record get its "
        "release(*record)?");

  compare(
      {"the gradient of x, which held (0.25, -1), after a walk from x itself, a parameter"}, {"element"},
      [&](std::size_t) {
        Reals gradients = {0.25, -1};
        Tape tape(parameters.data(), gradients.data());
        const Tensor x = tape.parameter({{E}, 0});
        exp(x);  // recorded, not used
        tape.backward(x, cotangent.data());
        return list({gradients.begin(), gradients.end()});
      },
      [&](std::size_t) {
        return list({0.25 + cotangent[0], -1 + cotangent[1]});
      });
}

TEST_CASE("2.7 your test of engines that compute gradients") {
  const auto engine = [](const std::string& what, bool is_right, const Engine& e) {
    return Candidate{what, is_right, [=] { return computes_gradients(e); }};
  };
  const auto broken = [&](const std::string& what, const Flaw& flaw) {
    return engine(what, false,
                  [=](const Expression& f, const Vector& x) { return gradient_with(flaw, f, x); });
  };
  // The right gradient, multiplied by a function of the value.
  const auto multiplied = [&](const std::string& what, double (*by)(double value)) {
    return engine(what, false, [=](const Expression& f, const Vector& x) {
      Vector gradient = gradient_with({}, f, x);
      for (double& slope : gradient) slope *= by(value(f, x));
      return gradient;
    });
  };
  const auto wrong_slopes = [&](const std::string& what, char of, Slopes (*wrong)(double a, double b)) {
    return broken(what, {.slopes = [=](char op, double a, double b) {
                    return op == of ? wrong(a, b) : slopes(op, a, b);
                  }});
  };
  const auto left_over = std::make_shared<Vector>();
  judge({engine("an engine that walks back", true,
                [](const Expression& f, const Vector& x) { return gradient_with({}, f, x); }),
         engine("your own tape, in float", true, gradient_by_tape),
         engine("an engine that walks forward, once for each entry of x", true, gradient_forwards),
         multiplied("all gradients are 0", [](double) { return 0.0; }),
         broken("a second contribution takes the place of the first: a + a gets 1", {.assign = true}),
         broken("an op with the same operand twice contributes once: a + a gets 1", {.once_if_same = true}),
         broken("the walk goes forwards", {.forwards = true}),
         broken("the first op is left out", {.skip_first = true}),
         broken("the walk gives up after 20 ops", {.at_most = 20}),
         broken("each backward runs twice", {.slopes =
                                                 [](char op, double a, double b) {
                                                   const Slopes once = slopes(op, a, b);
                                                   return Slopes{2 * once.x, 2 * once.y};
                                                 }}),
         multiplied("the walk starts with the value of the result", [](double value) { return value; }),
         multiplied("the walk starts with 2", [](double) { return 2.0; }),
         multiplied("all signs are turned", [](double) { return -1.0; }),
         multiplied("all gradients are 2 percent too large", [](double) { return 1.02; }),
         wrong_slopes("the slopes of x y have changed places", '*',
                      [](double a, double b) {
                        return Slopes{a, b};
                      }),
         wrong_slopes("the slope of x - y along y is 1", '-',
                      [](double, double) {
                        return Slopes{1, 1};
                      }),
         wrong_slopes("the slope of x / y along y is -1 / y", '/',
                      [](double, double b) {
                        return Slopes{1 / b, -1 / b};
                      }),
         wrong_slopes("the slope of x / y along y has a plus", '/',
                      [](double a, double b) {
                        return Slopes{1 / b, a / (b * b)};
                      }),
         wrong_slopes("the slope of exp(x) is x", 'e',
                      [](double a, double) {
                        return Slopes{a, 0};
                      }),
         wrong_slopes("the slope of x + y along y is 0", '+',
                      [](double, double) {
                        return Slopes{1, 0};
                      }),
         broken("the slope along the second operand is right only where the first operand is positive",
                {.slopes =
                     [](char op, double a, double b) {
                       return Slopes{slopes(op, a, b).x, slopes(op, std::abs(a), b).y};
                     }}),
         engine("gradients of earlier calls are still there", false,
                [left_over](const Expression& f, const Vector& x) {
                  Vector g = gradient_with({}, f, x);
                  for (std::size_t i = 0; i < g.size() && i < left_over->size(); ++i) g[i] += (*left_over)[i];
                  return *left_over = g;
                })});
}
