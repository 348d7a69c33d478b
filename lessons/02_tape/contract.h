// What chapter 2 asks for that src/ does not have: one function written from blank, and one test.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

namespace locus {

using Vector = std::vector<double>;
using Function = std::function<double(const Vector& x)>;

// Step 2.1, differences.cpp: the gradient of f at x by central differences, with h = 1e-4. Entry i is
// (f at x with h added to entry i, minus f at x with h subtracted from entry i) / (2 h); the other entries of x are
// as they were.
Vector differences(const Function& f, const Vector& x);

// An entry of x, or what an expression computed from such entries. Every operation is kept in a list, together with
// the indices of its two operands x and y in the same list.
struct Number {
  struct Node {
    char op;  // + - * / or e (exp); x: an entry of x
    int x, y;
    double value;
  };
  std::vector<Node>* nodes;
  int node;
  double value() const { return (*nodes)[static_cast<std::size_t>(node)].value; }
};
inline Number keep(char op, Number x, Number y, double value) {
  x.nodes->push_back({op, x.node, y.node, value});
  return {x.nodes, static_cast<int>(x.nodes->size()) - 1};
}
inline Number operator+(Number x, Number y) { return keep('+', x, y, x.value() + y.value()); }
inline Number operator-(Number x, Number y) { return keep('-', x, y, x.value() - y.value()); }
inline Number operator*(Number x, Number y) { return keep('*', x, y, x.value() * y.value()); }
inline Number operator/(Number x, Number y) { return keep('/', x, y, x.value() / y.value()); }
inline Number exp(Number x) { return keep('e', x, x, std::exp(x.value())); }

// An expression of the entries of x, as in [](const std::vector<Number>& x) { return x[0] + x[0]; }
using Expression = std::function<Number(const std::vector<Number>& x)>;
inline double value(const Expression& expression, const Vector& x) {
  std::vector<Number::Node> nodes;
  std::vector<Number> numbers;
  for (const double entry : x) {
    nodes.push_back({'x', 0, 0, entry});
    numbers.push_back({&nodes, static_cast<int>(numbers.size())});
  }
  return expression(numbers).value();
}

// Step 2.7, computes_gradients.cpp: a test. An engine takes an expression and x, and gives the gradient of the
// expression's value at x, one entry for each entry of x. True if the engine is right for every expression of
// + - * / and exp. Engines may compute in float: a relative difference below 1e-3 is rounding.
using Engine = std::function<Vector(const Expression& expression, const Vector& x)>;
bool computes_gradients(const Engine& engine);

}  // namespace locus
