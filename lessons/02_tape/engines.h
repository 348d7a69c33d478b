// Small engines of chapter 2 that compute the gradient of an expression: right ones, by a walk forwards or back through
// the list of its numbers, and broken ones, each with one flaw. It holds the answers of steps 2.6 and 2.7.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "lessons/02_tape/contract.h"

namespace locus {

using Numbers = std::vector<Number>;

// The slopes along the operands of + - * / and exp (e), which has only one.
using Slopes = std::pair<double, double>;
inline Slopes slopes(char op, double a, double b) {
  if (op == 'e') return {std::exp(a), 0};
  if (op == '*') return {b, a};
  if (op == '/') return {1 / b, -a / (b * b)};
  return {1, op == '-' ? -1 : 1};
}
struct Recorded {
  std::vector<Number::Node> nodes;  // the entries of x come first
  std::size_t result;
};
inline Recorded record(const Expression& expression, const Vector& x) {
  Recorded out;
  Numbers numbers;
  for (const double value : x) {
    out.nodes.push_back({'x', 0, 0, value});
    numbers.push_back({&out.nodes, static_cast<int>(numbers.size())});
  }
  out.result = static_cast<std::size_t>(expression(numbers).node);
  return out;
}

// Each number carries its slope along one entry of x.
inline Vector gradient_forwards(const Expression& expression, const Vector& x) {
  const auto [nodes, result] = record(expression, x);
  Vector gradient;
  for (std::size_t i = 0; i < x.size(); ++i) {
    Vector along;
    for (const auto& [op, x_node, y_node, value] : nodes) {
      const auto a = static_cast<std::size_t>(x_node), b = static_cast<std::size_t>(y_node);
      const auto [along_a, along_b] = slopes(op, nodes[a].value, nodes[b].value);
      along.push_back(op == 'x' ? along.size() == i : along_a * along[a] + along_b * along[b]);
    }
    gradient.push_back(along[result]);
  }
  return gradient;
}

using Rule = std::function<Slopes(char op, double a, double b)>;
struct Flaw {
  Rule rule = slopes;
  bool assign = false;         // = where += is meant
  bool once_if_same = false;   // an op with the same operand twice contributes once
  bool forwards = false;       // walks from the first op to the last
  int omitted_at_default = 0;  // so many of the first ops
  int at_most = 1 << 20;       // ops
  double start = 1;            // the gradient of the result
  bool start_with_value = false;
};
// By a walk back through the list.
inline Vector gradient_backwards(const Expression& expression, const Vector& x, const Flaw& flaw = {}) {
  const auto [nodes, result] = record(expression, x);
  Vector g(nodes.size());
  g[result] = flaw.start_with_value ? nodes[result].value : flaw.start;
  const int first = static_cast<int>(x.size()) + flaw.omitted_at_default,
            last = static_cast<int>(nodes.size()) - 1;
  int done = 0;
  for (int step = 0; first + step <= last && done < flaw.at_most; ++step) {
    const auto n = static_cast<std::size_t>(flaw.forwards ? first + step : last - step);
    if (g[n] == 0) continue;
    ++done;
    const auto i = static_cast<std::size_t>(nodes[n].x), j = static_cast<std::size_t>(nodes[n].y);
    const auto [along_a, along_b] = flaw.rule(nodes[n].op, nodes[i].value, nodes[j].value);
    g[i] = g[n] * along_a + (flaw.assign ? 0 : g[i]);
    if (nodes[n].op == 'e' || (flaw.once_if_same && i == j)) continue;
    g[j] = g[n] * along_b + (flaw.assign ? 0 : g[j]);
  }
  g.resize(x.size());
  return g;
}

inline Engine with_flaw(const Flaw& flaw) {
  return [=](const Expression& f, const Vector& x) { return gradient_backwards(f, x, flaw); };
}
inline Engine with_slopes(const Rule& rule) { return with_flaw({.rule = rule}); }
inline Engine with_slopes(char wrong, Slopes (*rule)(double a, double b)) {  // of this op
  return with_slopes(
      [=](char op, double a, double b) { return op == wrong ? rule(a, b) : slopes(op, a, b); });
}

inline std::vector<std::pair<std::string, Engine>> broken_engines() {
  const auto add_up = [sum = std::make_shared<Vector>()](const Expression& f, const Vector& x) {
    Vector gradient = gradient_backwards(f, x);
    for (std::size_t i = 0; i < std::min(x.size(), sum->size()); ++i) gradient[i] += (*sum)[i];
    return *sum = gradient;
  };
  return {
      {"all gradients are 0", with_flaw({.start = 0})},
      {"a second contribution takes the place of the first: a + a gets 1", with_flaw({.assign = true})},
      {"an op with the same operand twice contributes once: a + a gets 1", with_flaw({.once_if_same = true})},
      {"the walk goes forwards", with_flaw({.forwards = true})},
      {"the first op is left out", with_flaw({.omitted_at_default = 1})},
      {"the walk gives up after 20 ops", with_flaw({.at_most = 20})},
      {"each backward runs twice", with_slopes([](char op, double a, double b) {
         const auto [along_a, along_b] = slopes(op, a, b);
         return Slopes(2 * along_a, 2 * along_b);
       })},
      {"the walk starts with the value of the result", with_flaw({.start_with_value = true})},
      {"the walk starts with 2", with_flaw({.start = 2})},
      {"all signs are turned", with_flaw({.start = -1})},
      {"all gradients are 2 percent too large", with_flaw({.start = 1.02})},
      {"the slopes of x y have changed places",
       with_slopes('*', [](double a, double b) { return Slopes(a, b); })},
      {"the slope of x - y along y is 1", with_slopes('-', [](double, double) { return Slopes(1, 1); })},
      {"the slope of x / y along y is -1 / y",
       with_slopes('/', [](double, double b) { return Slopes(1 / b, -1 / b); })},
      {"the slope of x / y along y has a plus",
       with_slopes('/', [](double a, double b) { return Slopes(1 / b, a / (b * b)); })},
      {"the slope of exp(x) is x", with_slopes('e', [](double a, double) { return Slopes(a, 0); })},
      {"the slope of x + y along y is 0", with_slopes('+', [](double, double) { return Slopes(1, 0); })},
      {"the slope along the second operand is right only where the first operand is positive",
       with_slopes([](char op, double a, double b) {
         return Slopes(slopes(op, a, b).first, slopes(op, std::abs(a), b).second);
       })},
      {"all gradients are NaN", with_flaw({.start = std::nan("")})},
      {"2 percent of its size is taken from each gradient, so that none is too large",
       [](const Expression& f, const Vector& x) {
         Vector gradient = gradient_backwards(f, x);
         for (double& g : gradient) g -= 0.02 * std::abs(g);
         return gradient;
       }},
      {"gradients of earlier calls are still there", add_up}};
}

}  // namespace locus
