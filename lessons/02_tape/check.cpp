// Chapter 2. Backwards of ops run one by one on gradients that are not empty; sums over all elements in plain loops
// say what they must come to. The engines of engines.h stand beside the tape.
#include "lessons/tools/check.h"

#include "lessons/02_tape/contract.h"
#include "lessons/02_tape/engines.h"

[[gnu::weak]] locus::Vector locus::differences(const Function&, const Vector&) { still_to_write("2.1"); }

using namespace locus;

namespace {

// More than an op has elements: there is room for what a wrong index reads and writes behind the last one.
Reals many_reals(std::uint64_t seed) { return reals(random_numbers(128, seed)); }

Tensor apply(char op, Tensor x, Tensor y) {
  return op == 'e' ? exp(x) : op == '*' ? x * y : op == '/' ? x / y : op == '-' ? x - y : x + y;
}

// same, 2 of `const double h = 1e-4;`: the two lines can stand in either order: neither reads what the other writes; above and below change places, and so does the sign of 2 h
// same, 1 of `above[i] += h;`: the two lines can stand in either order: neither reads what the other writes
TEST_CASE("2.1 a gradient without a tape, from blank") {
  struct Case {
    Function f;
    Vector x, gradient;
  };
  const std::vector<Case> cases = {
      // Its slopes are small and its curvature is large: a difference to one side only is wrong in the first digits.
      {[](const Vector& x) {
         return 1e5 * (x[0] * x[0] * x[0] + 2 * x[0] * x[1] + std::exp(x[1]) - 9.99 * x[0] - 4.36 * x[1]);
       },
       {2, -1},
       {1e5 * (3 * 4 + 2 * -1 - 9.99), 1e5 * (2 * 2 + std::exp(-1) - 4.36)}},
      {[](const Vector& x) { return std::exp(x[0]) * (1 + x[1]) * x[2] * x[2]; },
       {0, 1.5, 0.5},
       {2.5 * 0.25, 0.25, 2.5 * 2 * 0.5}}};
  const auto yours = [&](std::size_t c) {
    if (c < 2) return list(differences(cases[c].f, cases[c].x));
    return list({sum_of(
        2, [&](std::size_t f) { return std::ranges::count(differences(cases[f].f, cases[f].x), 0); })});
  };
  const auto unexplained = [&](std::size_t, const std::vector<Array>& given) -> std::string {
    const auto near = [](double a, double b) { return std::abs(a / b - 1) < 0.4; };
    for (std::size_t c = 0; c < 2; ++c)
      if (!std::ranges::equal(given[c].values, cases[c].gradient, near)) return "";
    return "\nThis is about right: is h 1e-4? A larger h loses digits because the curve "
           "bends, a much smaller one because the two values of f are nearly equal.";
  };
  compare_in_words({"100000 (x0 x0 x0 + 2 x0 x1 + exp(x1) - 9.99 x0 - 4.36 x1) at (2, -1)",
                    "exp(x0) (1 + x1) x2 x2 at (0, 1.5, 0.5)", "how many slopes are 0"},
                   {"entry"}, yours,
                   [&](std::size_t c) { return list(c < 2 ? cases[c].gradient : Vector(1)); }, 3e-6,
                   {.unexplained = unexplained});

  std::vector<std::string> lines;
  for (int x = 0; x <= 5; ++x) {
    const double slope = differences([](const Vector& of) { return of[0] * of[0]; }, {double(x)}).at(0);
    lines.push_back(str("x = ", x, "  ", fixed(slope, 2), "  ", bar(slope / 10)));
  }
  show("Your slopes of x x", lines);
}

// --- 2.2 to 2.4 ---

// Parameters, whose gradients already hold something; or results of other ops, whose gradients are asked for here for
// the first time; or one of them a constant, which gets no gradient.
enum class Operands { parameters, results, x_constant, y_constant };

struct Operation {
  std::string name;
  char op;     // + - * / element by element; m: matrices x y, t: matrices x y^T
  Shape x, y;  // (2,3) or repeated to be so; of matrices (count, rows, columns)
  Operands operands = Operands::parameters;
  double factor = 1;
  bool of_matrices() const { return op == 'm' || op == 't'; }
};

// Element i of the result is a sum of terms; this one is made of element j of x and element k of y.
struct Term {
  int i, j, k;
};
std::vector<Term> terms(const Operation& o) {
  std::vector<Term> all;
  if (!o.of_matrices()) {
    for (int i = 0; i < 6; ++i) all.push_back({i, o.x.last() == 1 ? i / 3 : i, o.y.rank() == 1 ? i % 3 : i});
    return all;
  }
  const int M = o.x[1], K = o.x[2], N = o.op == 't' ? o.y[1] : o.y[2];
  for (int row = 0; row < o.x[0] * M; ++row)
    for (int j = 0; j < N; ++j)
      for (int k = 0; k < K; ++k)
        all.push_back({row * N + j, row * K + k, row / M * N * K + (o.op == 't' ? j * K + k : k * N + j)});
  return all;
}

Array as_table(const Shape& shape, const Real* values) {
  return {shape.rank() == 1 ? Shape{1, shape.last()} : shape, {values, values + shape.count()}};
}

// An operation on the learner's tape, on some of many numbers: in memory y comes right after x.
struct Run {
  explicit Run(const Operation& o) : y_start(o.x.count()), seed(o.of_matrices() ? 6 : 3) {
    for (Real& value : values)
      if (!o.of_matrices()) value += value < 0 ? Real(-0.5) : Real(0.5);  // nothing is divided by almost 0
    poison(tape);
    const auto operand = [&](const Parameter& p, Operands constant) {
      if (o.operands == constant) return tape.constant(p.shape, &values[p.offset]);
      const Tensor parameter = tape.parameter(p);
      return o.operands == Operands::results ? parameter * 1.0 : parameter;
    };
    x = operand({o.x, 0}, Operands::x_constant);
    y = operand({o.y, y_start}, Operands::y_constant);
    z = o.op == 'm'   ? matmul(x, y, o.factor)
        : o.op == 't' ? matmul(x, transpose(y), o.factor)
                      : apply(o.op, x, y);
  }
  // The gradient of one operand, as it is now.
  Array gradient(const Operation& o, bool of_y) const {
    return as_table(of_y ? o.y : o.x, o.operands == Operands::results ? (of_y ? y : x).gradient()
                                                                      : &gradients[of_y ? y_start : 0]);
  }
  std::size_t y_start;
  std::uint64_t seed;
  Reals values = many_reals(seed), gradients = many_reals(seed + 1), dz = many_reals(seed + 2);
  Tape tape{values.data(), gradients.data()};
  Tensor x, y, z;
};

Array right_gradient(const Operation& o, bool of_y) {
  const Run run(o);
  Array gradient = run.gradient(o, of_y);
  if (o.operands == (of_y ? Operands::y_constant : Operands::x_constant)) return gradient;
  const Real *x = &run.values[0], *y = &run.values[run.y_start];
  for (const auto& [i, j, k] : terms(o)) {
    const auto [along_x, along_y] = slopes(o.of_matrices() ? '*' : o.op, x[j], y[k]);
    gradient.values.data()[of_y ? k : j] += run.dz.data()[i] * o.factor * (of_y ? along_y : along_x);
  }
  return gradient;
}

const std::vector<std::string> of_table = {"row", "column"}, of_matrices = {"matrix", "row", "column"};

// Two inputs for each operation: the gradient of x, then that of y.
void compare_gradients(const std::vector<Operation>& operations, const std::string& x, const std::string& y,
                       const std::vector<std::string>& axes, const std::vector<Group>& groups) {
  std::vector<std::string> inputs;
  for (const Operation& o : operations)
    for (const std::string& of : {x, y}) inputs.push_back(str("the gradient of ", of, " in ", o.name));
  compare(
      inputs, axes,
      [&](std::size_t i) {
        Run run(operations[i / 2]);
        run_last_backward(run.tape, run.dz);
        return run.gradient(operations[i / 2], i % 2);
      },
      [&](std::size_t i) { return right_gradient(operations[i / 2], i % 2); }, 1e-4, groups);
}

// same, 4 of `if (x.needs_gradient())`: the gradient of what needs none is scratch memory, which may be written; the two lines can stand in either order: neither reads what the other writes
// same, 3 of `if (y.needs_gradient())`: the gradient of what needs none is scratch memory, which may be written
// same, 8 of `[=, dx = x.gradient()](auto i, auto j, auto k) { dx[j] += dz[i] * slope_x(a[j], b[k]); });`: the slope of this op with respect to x does not depend on x; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 3 of `[=, dy = y.gradient()](auto i, auto j, auto k) { dy[k] += dz[i] * slope_y(a[j], b[k]); });`: the slope of this op with respect to x does not depend on x; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
TEST_CASE("2.2 the chain rule, element by element") {
  compare_gradients(
      {{"x / y, both (2,3)", '/', {2, 3}, {2, 3}},
       {"x - y, y (3) repeated in both rows of x (2,3)", '-', {2, 3}, {3}},
       {"x / y, x (2,1) repeated along each row, y (3) in each row", '/', {2, 1}, {3}},
       {"x - y, x (2,3), y a constant (3), which gets no gradient", '-', {2, 3}, {3}, Operands::y_constant},
       {"x - y, both (2,3), where neither had a gradient yet", '-', {2, 3}, {2, 3}, Operands::results}},
      "x", "y", of_table,
      {{"in the gradient of x", {0, 2, 4, 6, 8}}, {"in the gradient of y", {1, 3, 5, 7, 9}}});
  compare_gradients(
      {{"x / y, x a constant (2,1), which gets no gradient", '/', {2, 1}, {3}, Operands::x_constant}}, "x",
      "y", of_table, {});
  const Reals pair = {1.5, -2}, of_pair = {3, 5};
  compare(
      {"the gradient of x (2) in x + x, one tensor twice"}, {"element"},
      [&](std::size_t) {
        Reals gradients = {10, 20};
        Tape tape(pair.data(), gradients.data());
        const Tensor x = tape.parameter({{2}, 0});
        x + x;
        run_last_backward(tape, of_pair);
        return list({gradients[0], gradients[1]});
      },
      [](std::size_t) {
        return list({10 + 3 + 3, 20 + 5 + 5});
      });

  std::vector<std::string> lines;
  for (const std::size_t uses : {1, 2, 4, 8}) {
    const Reals values(uses + 1), dz(uses, 1);
    Reals gradients(uses + 1);
    Tape tape(values.data(), gradients.data());
    tape.parameter({{static_cast<int>(uses), 1}, 0}) + tape.parameter({{1}, uses});
    run_last_backward(tape, dz);
    lines.push_back(str(uses, " uses: gradient ", static_cast<double>(gradients[uses])));
  }
  show("Your gradient of a number that is added to several others: each use counts", lines);
}

// same, 2 of `op_multiply, x, y, [](Real a, Real b) { return a * b; }, [](Real, Real b) { return b; },`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
TEST_CASE("2.3 backward of multiply") {
  const std::vector<Operation> operations = {
      {"x y, both (2,3)", '*', {2, 3}, {2, 3}},
      {"x y, y (3) repeated in both rows of x (2,3)", '*', {2, 3}, {3}},
      {"x y, x (2,1) repeated along each row, y (3) in each row", '*', {2, 1}, {3}}};
  compare(
      {"z of x and y (2,3)", "z of x (2,3) and y (3)", "z of x (2,1) and y (3)"}, of_table,
      [&](std::size_t c) { return copy(Run(operations[c]).z); },
      [&](std::size_t c) {
        const Run run(operations[c]);
        const Real *x = &run.values[0], *y = &run.values[run.y_start];
        Array z{{2, 3}, {}};
        for (const auto& [i, j, k] : terms(operations[c])) z.values.push_back(x[j] * y[k]);
        return z;
      });
  compare_gradients(operations, "x", "y", of_table,
                    {{"in the gradient of x", {0, 2, 4}}, {"in the gradient of y", {1, 3, 5}}});
  const std::string op = Run(operations[0]).tape.ops().back()->name;
  require(op == "multiply", "the record of x y has the name of another op, ", op,
          ", under which a profile would count it: the first argument of combine() is op_multiply");

  const Reals values = {3, -2}, dz = {1};
  Reals gradients(2);
  Tape tape(values.data(), gradients.data());
  tape.parameter({{1}, 0}) * tape.parameter({{1}, 1});
  run_last_backward(tape, dz);
  show("Your slopes of x y at x = 3, y = -2: each gets the other number",
       {"along x  " + short_number(static_cast<double>(gradients[0])),
        "along y  " + short_number(static_cast<double>(gradients[1]))});
}

// same, 3 of `if (a.needs_gradient()) {  // da += dc b^T; or dc b when b is read transposed`: the gradient of what needs none is scratch memory, which may be written; the two lines can stand in either order: neither reads what the other writes
// same, 2 of `if (b.needs_gradient()) {  // db += a^T dc; or dc^T a when b is read transposed`: the gradient of what needs none is scratch memory, which may be written
// same, 3 of `multiply(dc, b_transposed ? value(b) : flip(value(b)), matrices(a, da), factor, accumulate);`: minus true is true as well; matrices() takes only the shape of its first argument; `accumulate` is true, and so is every number and pointer but 0
// same, 6 of `multiply(flip(dc), value(a), matrices(b, db), factor, accumulate);`: matrices() takes only the shape of its first argument; minus true is true as well; `accumulate` is true, and so is every number and pointer but 0
// same, 2 of `multiply(flip(value(a)), dc, matrices(b, db), factor, accumulate);`: matrices() takes only the shape of its first argument; minus true is true as well; `accumulate` is true, and so is every number and pointer but 0
TEST_CASE("2.4 backward of matmul") {
  const Shape square = {1, 3, 3};  // so that a factor that is transposed by mistake fits all the same
  compare_gradients(
      {{"a b, both (3,3)", 'm', square, square},
       {"2 a b^T, both (4,4)", 't', {1, 4, 4}, {1, 4, 4}, Operands::parameters, 2},
       {"3 a b, two matrices (2,2) each", 'm', {2, 2, 2}, {2, 2, 2}, Operands::parameters, 3},
       {"a b, both (3,3), where neither had a gradient yet", 'm', square, square, Operands::results},
       {"a b, both (3,3), a being a constant", 'm', square, square, Operands::x_constant},
       {"a b, both (3,3), b being a constant", 'm', square, square, Operands::y_constant}},
      "a", "b", of_matrices,
      {{"in the gradient of a, where b is not transposed", {0, 4, 6, 8, 10}},
       {"in the gradient of a, where b is transposed", {2}},
       {"in the gradient of b, where b is not transposed", {1, 5, 7, 9, 11}},
       {"in the gradient of b, where b is transposed", {3}}});
  compare_gradients({{"a b, a (2,4), b (4,3)", 'm', {1, 2, 4}, {1, 4, 3}},
                     {"a b^T, two matrices: a (2,5), b (3,5)", 't', {2, 2, 5}, {2, 3, 5}}},
                    "a", "b", of_matrices, {});

  const Reals values(20, 1), dc = {0, 1, 0, 0, 0, 0};
  Reals gradients(20);
  Tape tape(values.data(), gradients.data());
  matmul(tape.parameter({{1, 2, 4}, 0}), tape.parameter({{1, 4, 3}, 8}));
  run_last_backward(tape, dc);
  std::vector<std::string> rows;
  for (int row = 0; row < 4; ++row) {
    const auto shaded = [&](int first, int columns) {
      return shades(filled({columns}, [&](int column) {
                      return static_cast<double>(gradients.data()[first + columns * row + column]);
                    }).values);
    };
    rows.push_back("|" + (row < 2 ? shaded(0, 4) : std::string(8, ' ')) + "|  |" + shaded(8, 3) + "|");
  }
  show("One element of c changes the loss, in row 0 and column 1. Your da, and your db", rows);
}

// same, 5 of `softmax_backward(y.value(), y.gradient(), rows, columns, causal, dx, accumulate);`: minus true is true as well; `accumulate` is true, and so is every number and pointer but 0
TEST_CASE("2.5 backward of softmax") {
  struct Case {
    Shape shape;
    Mask mask;
  };
  const Reals x = many_reals(9), before = many_reals(10), dy = many_reals(11);
  const auto name = [](const Case& c) {
    return str("the gradient of x ", c.shape, c.mask == Mask::causal ? ", with a causal mask" : "");
  };
  const auto yours = [&](const Case& c) {
    Reals dx = before;
    Tape tape(x.data(), dx.data());
    poison(tape);
    softmax(tape.parameter({c.shape, 0}), c.mask);
    run_last_backward(tape, dy);
    return as_table(c.shape, dx.data());
  };
  const auto right = [&](const Case& c) {
    const Array logits = as_table(c.shape, x.data()), held = as_table(c.shape, before.data()),
                given = as_table(c.shape, dy.data());
    return filled(c.shape, [&](int row, int j) {
      const int seen = c.mask == Mask::causal ? row + 1 : c.shape.last();
      const auto grown = [&](int k) { return k < seen ? std::exp(logits(row, k)) : 0; };
      const double total = sum_of(seen, grown);
      const double mean = sum_of(seen, [&](int k) { return grown(k) / total * given(row, k); });
      return held(row, j) + grown(j) / total * (given(row, j) - mean);
    });
  };
  compare_cases<Case>({{{2, 4}, Mask::none}, {{3, 3}, Mask::causal}}, name, of_table, yours, right);
  compare_cases<Case>({{{4, 3}, Mask::none}}, name, of_table, yours, right);

  const Reals scores(5), one = {0, 0, 1, 0, 0};
  Reals dx(5);
  Tape tape(scores.data(), dx.data());
  softmax(tape.parameter({{1, 5}, 0}));
  run_last_backward(tape, one);
  std::vector<std::string> lines;
  for (const Real slope : dx)
    lines.push_back(str(slope < 0 ? "down " : "up   ", bar(5 * std::abs(static_cast<double>(slope)))));
  show("Five equal scores, and the loss rises with weight 2 alone. Your slopes: they sum to 0", lines);
}

// --- 2.6 and 2.7 ---

// An expression on the learner's tape, where each entry of x has `count` elements.
Tensor on_tape(Tape& tape, const Expression& expression, const Vector& x, std::size_t count) {
  Vector first;  // element of each entry
  for (std::size_t i = 0; i < x.size(); i += count) first.push_back(x[i]);
  const auto [nodes, result] = record(expression, first);
  std::vector<Tensor> tensors;
  for (const auto& [op, i, j, value] : nodes)
    tensors.push_back(op == 'x' ? tape.parameter({{static_cast<int>(count)}, tensors.size() * count})
                                : apply(op, tensors.data()[i], tensors.data()[j]));
  return tensors[result];
}
Vector gradient_by_tape(const Expression& expression, const Vector& x, const Vector& cotangent) {
  return gradients_of([&](Tape& tape) { return on_tape(tape, expression, x, cotangent.size()); }, reals(x),
                      Vector(x.size()), cotangent);
}

TEST_CASE("2.6 the walk through the records") {
  const Named<Expression> cases = {
      {"the gradients of x0 and x1 in exp(x0 x1)", [](const Numbers& x) { return exp(x[0] * x[1]); }},
      {"the gradients of x0 and x1 in a a + a with a = x0 x1",
       [](const Numbers& x) {
         const Number a = x[0] * x[1];
         return a * a + a;
       }},
      {"the gradients of x0 and x1 in a - x0 with a = x0 / x1, where exp(a) and a a are computed in between and "
       "not used",
       [](const Numbers& x) {
         const Number a = x[0] / x[1], result = a - x[0];
         return exp(a), a * a, result;
       }},
      {"the gradients of x0 and x1 in exp(a) a with a = exp(x0) - x1, where a x1 is computed in between and not used",
       [](const Numbers& x) {
         const Number a = exp(x[0]) - x[1];
         return a * x[1], exp(a) * a;
       }},
      {"the gradients of x0 and x1 in x0 x1, where an exp that overflows is computed in between and not used",
       [](const Numbers& x) { return exp(exp(exp(exp(x[0] + x[0])))), x[0] * x[1]; }},
      {"what can still be read of the gradient of this x0 x1 after the walk, which releases it", {}}};
  const Vector x = {0.8f, -0.4f, -0.6f, 1.1f};  // two elements of x0, two of x1
  const Vector cotangent = {1.5, -0.5};
  const auto left_after_walk = [&](const Expression& expression) {
    const Reals values = reals(x), dz = reals(cotangent);
    Reals gradients(x.size());
    Tape tape(values.data(), gradients.data());
    poison(tape);
    const Tensor z = on_tape(tape, expression, x, 2);
    tape.backward(z, dz.data());
    return refuses([&] { z.gradient(); }) ? list({}) : list({z.gradient()[0], z.gradient()[1]});
  };
  std::vector<std::string> inputs;
  for (const auto& [what, expression] : cases) inputs.push_back(what);
  compare(
      inputs, {"x", "element"},
      [&](std::size_t c) {
        if (c == 5) return left_after_walk(cases[4].second);
        return Array{{2, 2}, gradient_by_tape(cases[c].second, x, cotangent)};
      },
      [&](std::size_t c) {
        if (c == 5) return list({});
        return filled({2, 2}, [&](int i, int e) {
          const Vector of_element = {x.data()[e], x.data()[2 + e]};
          return gradient_forwards(cases[c].second, of_element).data()[i] * cotangent.data()[e];
        });
      },
      1e-4, {{"", {0, 1, 2, 3, 4}}, {"", {5}}});

  const auto from_itself = [&](const Vector& dx) {
    const auto walk = [](Tape& tape) {
      const Tensor parameter = tape.parameter({{2}, 0});
      exp(parameter);  // recorded, not used
      return parameter;
    };
    return gradients_of(walk, reals(x), {0.25, -1, 3}, dx);
  };
  compare(
      {"the gradient of x, which held (0.25, -1), after a walk from x itself, a parameter"}, {"element"},
      [&](std::size_t) {
        const Vector gradients = from_itself(cotangent);
        return list({gradients[0], gradients[1]});
      },
      [](std::size_t) {
        return list({0.25 + 1.5, -1 - 0.5});
      });
  compare(
      {"the gradient of another parameter, stored behind that of x, which held 3"}, {"element"},
      [&](std::size_t) { return list({from_itself(x)[2]}); }, [](std::size_t) { return list({3}); });

  const auto loss = [](Tape& tape) {
    const Tensor a = tape.parameter({{1}, 0}), d = a * tape.parameter({{1}, 1}) + a;
    return d * d;
  };
  const std::vector<double> walked = gradients_of(loss, {3, -2}, {0, 0}, {1});
  show("Your tape: the gradients of (a b + a) squared, at a = 3 and b = -2",
       {"of a  " + short_number(walked[0]), "of b  " + short_number(walked[1])});
}

TEST_CASE("2.7 your test of engines that compute gradients") {
  const auto on_your_tape = [](const Expression& f, const Vector& x) { return gradient_by_tape(f, x, {1}); };
  judge<Engine>(computes_gradients,
                {{"an engine that walks back", with_flaw({})},
                 {"your own tape, in float", on_your_tape},
                 {"an engine that walks forward, once for each entry of x", gradient_forwards}},
                broken_engines());
}

}  // namespace
