// Chapter 4. Cells with random parameters get random inputs and states; plain loops say what they must come to.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "lessons/04_recurrent/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "model/recurrent.h"

using namespace locus;

namespace {

using Row = std::vector<double>;  // a number for each channel

Row random_row(Random& random, int count) {
  Row x(static_cast<std::size_t>(count));
  for (double& value : x) value = random.normal();
  return x;
}

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& lists) {
  std::vector<T> all;
  for (const auto& one : lists) all.insert(all.end(), one.begin(), one.end());
  return all;
}

Tensor constant(Tape& tape, const Array& array) {
  return tape.constant(array.shape, Reals(array.values.begin(), array.values.end()).data());
}

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

// The learner's layer, with as many inputs as states, and its cell in plain loops.
struct Cell {
  Cell(ModelKind kind_, int width_, bool right_to_left_ = false)
      : kind(kind_),
        width(width_),
        right_to_left(right_to_left_),
        layer(table, "cell", kind, width, width, right_to_left),
        parameters(table.draw(1)) {
    if (kind == ModelKind::gru) gates = {"new", "reset", "update"};
    for (Real& value : parameters) value *= 2;  // away from where tanh is a straight line
  }

  Rows inputs(const Row& x) const { return through("input", x); }  // W x + b of each gate
  Row next_state(const Rows& from_input, const Row& h) const {
    const Rows from_state = through("state", h);
    const auto gate = [&](std::size_t number, std::size_t c) {
      return sigmoid(from_input[number][c] + from_state[number][c]);
    };
    Row next;
    for (std::size_t c = 0; c < h.size(); ++c) {  // an rnn is a gru with r = 1 and z = 0
      const double r = kind == ModelKind::gru ? gate(1, c) : 1, z = kind == ModelKind::gru ? gate(2, c) : 0;
      next.push_back((1 - z) * std::tanh(from_input[0][c] + r * from_state[0][c]) + z * h[c]);
    }
    return next;
  }

  ModelKind kind;
  int width;
  bool right_to_left;
  std::vector<std::string> gates = {"new"};
  ParameterTable table;
  DirectedLayer layer;
  Reals parameters;

 private:
  Rows through(const std::string& linear, const Row& x) const {
    Rows out;
    for (const std::string& gate : gates) {
      const Real* weight = find(text("cell.", gate, '.', linear, ".weight"));
      const Real* bias = find(text("cell.", gate, '.', linear, ".bias"));
      Row y(bias, bias + x.size());
      for (std::size_t i = 0; i < x.size() * y.size(); ++i) y[i % y.size()] += x[i / y.size()] * weight[i];
      out.push_back(y);
    }
    return out;
  }
  const Real* find(const std::string& name) const {
    for (const auto& entry : table.entries())
      if (entry.name == name) return parameters.data() + entry.where.offset;
    fail("check", "there is no parameter " + name);
  }
};

// One step of the learner's cell, for two widths and batches.
void compare_steps(ModelKind kind) {
  struct Case {
    int B;
    Cell cell;
    Rows parts[4] = {};  // of n, r and z: W x + b; and the state before: a row for each example
  };
  Case cases[] = {{2, {kind, 5}}, {3, {kind, 4}}};
  std::vector<std::string> inputs;
  for (auto& [B, cell, parts] : cases) {
    inputs.push_back(text("the new state, ", B, " examples, width ", cell.width));
    Random random(static_cast<std::uint64_t>(cell.width), Purpose::testing);
    for (int b = 0; b < B; ++b)
      for (Rows& part : parts) part.push_back(random_row(random, cell.width));
  }
  compare(
      inputs, {"example", "channel"},
      [&](std::size_t i) {
        const auto& [B, cell, parts] = cases[i];
        Tape tape(cell.parameters.data());
        poison(tape);
        Tensor from_input[DirectedLayer::most_gates];
        for (std::size_t gate = 0; gate < cell.gates.size(); ++gate)
          from_input[gate] = constant(tape, {{B, cell.width}, joined(parts[gate])});
        return copy(cell.layer.next_state(from_input, constant(tape, {{B, cell.width}, joined(parts[3])})));
      },
      [&](std::size_t i) {
        const auto& [B, cell, parts] = cases[i];
        Rows states;
        for (std::size_t b = 0; b < parts[3].size(); ++b)
          states.push_back(cell.next_state({parts[0][b], parts[1][b], parts[2][b]}, parts[3][b]));
        return Array{{B, cell.width}, joined(states)};
      });
}

// The standard library aborts at an index out of range. In the lines of an rnn it is mostly that of a gate.
void rnn_aborts(int) {  // only calls that are allowed in a signal handler
  const std::string_view words =
      "  4.1  not yet  Elman's cell: the new state of an rnn\n\n"
      "A gate is used that an rnn does not have: it has gates_[0] and no other. If your lines do not name "
      "one, do "
      "they end without a `return`? Then the lines of the gru run after them.\n";
  std::_Exit(::write(STDOUT_FILENO, words.data(), words.size()) < 0 ? 2 : 1);
}

}  // namespace

TEST_CASE("4.1 Elman's cell: the new state of an rnn") {
  const auto doctests = std::signal(SIGABRT, rnn_aborts);
  try {
    compare_steps(ModelKind::rnn);
  } catch (const Error& error) {
    if (text(error.what()).find("exercise 4.2") != std::string::npos)
      throw Error("Your lines end without a `return`: what ran after them are the lines of the gru.");
    throw;
  }
  std::signal(SIGABRT, doctests);
}

TEST_CASE("4.2 the new state of a gru") { compare_steps(ModelKind::gru); }

namespace {

// Where a layer is: the states that it made in this call and in the one before, the example and the token.
struct At {
  const Examples &states, &earlier;
  std::size_t b, t;
  Row carried() const { return t == 0 ? Row(states[b][t].size()) : states[b][t - 1]; }
};

// A layer in plain loops, from left to right. `from`: the state from which it goes on.
Layer plain(const Cell& cell, const std::function<Row(const At&)>& from = &At::carried) {
  return [&cell, from, earlier = std::make_shared<Examples>()](const Examples& x) {
    Examples states = x;
    for (std::size_t b = 0; b < x.size(); ++b)
      for (std::size_t t = 0; t < x[b].size(); ++t)
        states[b][t] = cell.next_state(cell.inputs(x[b][t]), from({states, *earlier, b, t}));
    *earlier = states;
    return states;
  };
}

Array array(const Examples& batch) {
  const std::size_t B = batch.size(), T = batch[0].size(), D = batch[0][0].size();
  return {{static_cast<int>(B), static_cast<int>(T), static_cast<int>(D)}, joined(joined(batch))};
}

// What the learner's layer makes of a batch.
Array yours(const Cell& cell, const Examples& batch) {
  Tape tape(cell.parameters.data());
  poison(tape);
  return copy(cell.layer(constant(tape, array(batch))));
}

Examples turned(Examples batch) {
  for (Rows& rows : batch) std::ranges::reverse(rows);
  return batch;
}

}  // namespace

TEST_CASE("4.3 from token to token, in either direction") {
  const Cell cells[] = {{ModelKind::rnn, 5, false},
                        {ModelKind::rnn, 5, true},
                        {ModelKind::gru, 5, false},
                        {ModelKind::gru, 5, true}};
  std::vector<std::string> inputs;
  for (const Cell& cell : cells)
    inputs.push_back(text("the states of the ", cell.kind, " that reads from ",
                          cell.right_to_left ? "right to left" : "left to right"));
  Examples examples(2, Rows(4));
  Random random(1, Purpose::testing);
  for (Rows& tokens : examples)
    for (Row& token : tokens) token = random_row(random, 5);
  compare(
      inputs, {"example", "token", "channel"},
      [&](std::size_t i) {
        const Cell& cell = cells[i];
        try {
          return yours(cell, examples);
        } catch (const Error& error) {
          // Operations do not know which of the tensors they were given; here it is known.
          const std::string said = error.what();
          if (said.starts_with("[time_slice] x is ()"))
            throw Error(text("from_input is read for a gate that the ", cell.kind, " does not have: it has ",
                             cell.gates.size(), ". The loop must run while gate < gates_.size()."));
          if (said.starts_with("[tensor]"))
            throw Error(
                text("A tensor is used that never got a value. Either at_t was not filled for each gate: the "
                     "loop must "
                     "run while gate < gates_.size(), and the ",
                     cell.kind, " has ", cell.gates.size(), ". Or h is declared again inside the loop."));
          throw;
        }
      },
      [&](std::size_t i) {
        const Layer layer = plain(cells[i]);
        return array(cells[i].right_to_left ? turned(layer(turned(examples))) : layer(examples));
      });
}

// --- 4.4 and 4.5 ---

namespace locus {
// Taken when influence.cpp has no such function.
__attribute__((weak)) std::vector<double> influence(const std::vector<double>&, double, double) {
  fail("exercise 4.4", "still to be written");
}
}  // namespace locus

TEST_CASE("4.4 how much each token counts at the end, from blank") {
  struct Network {
    std::vector<double> x;
    double w, u;
  };
  const std::vector<Network> networks = {
      {{0.5, -1, 0.3, 0.8}, 1.3, 0.7}, {{-0.4, 0.9, 0.2}, 0.6, -1.6}, {{0.7}, 0.8, 0.9}};
  std::vector<std::string> inputs;
  for (const auto& [x, w, u] : networks)
    inputs.push_back(
        text("influence of ", x.size(), x.size() == 1 ? " token" : " tokens", ", w = ", w, ", u = ", u));
  compare(
      inputs, {"token"},
      [&](std::size_t i) { return list(influence(networks[i].x, networks[i].w, networks[i].u)); },
      [&](std::size_t i) {
        const auto& [x, w, u] = networks[i];
        std::vector<double> derivatives;  // of the state h, with respect to each token so far
        double h = 0;
        for (const double token : x) {
          h = std::tanh(w * token + u * h);
          const double slope = 1 - h * h;
          for (double& derivative : derivatives) derivative *= slope * u;
          derivatives.push_back(slope * w);
        }
        return list(derivatives);
      });
}

namespace {

Layer learners(const Cell& cell) {
  return [&cell](Examples batch) {
    const Array states = yours(cell, batch);
    auto value = states.values.begin();
    for (Rows& rows : batch)
      for (Row& state : rows)
        for (double& number : state) number = *value++;
    return batch;
  };
}

void add(Rows& to, const Rows& from, double times) {
  for (std::size_t t = 0; t < to.size(); ++t)
    for (std::size_t c = 0; c < to[t].size(); ++c) to[t][c] += times * from[t][c];
}

// The sum of all tokens so far. This much of it is kept from step to step.
Layer sum(double kept) {
  return [kept](Examples states) {
    for (Rows& rows : states)
      for (std::size_t t = 1; t < rows.size(); ++t)
        for (std::size_t c = 0; c < rows[t].size(); ++c) rows[t][c] += kept * rows[t - 1][c];
    return states;
  };
}

// (B,T) as (T,B), as if the examples stood one after the other in time.
Examples exchanged(const Examples& batch) {
  Examples out(batch.front().size());
  for (const Rows& rows : batch)
    for (std::size_t t = 0; t < rows.size(); ++t) out[t].push_back(rows[t]);
  return out;
}

}  // namespace

TEST_CASE("4.5 your test: the state is carried from token to token, and reset between examples") {
  const Cell rnn(ModelKind::rnn, 4), gru(ModelKind::gru, 4);
  const auto right = [](const std::string& what, const Layer& layer) {
    return Candidate{what, true, [=] { return carried_and_reset(layer); }};
  };
  const auto wrong = [](const std::string& what, const Layer& layer) {
    return Candidate{what, false, [=] { return carried_and_reset(layer); }};
  };
  const auto elman = [&](const std::function<Row(const At&)>& from) { return plain(rnn, from); };
  // Something else is made of the right states of each example.
  const auto then = [&](const std::string& what, const std::function<void(Rows & states)>& change) {
    return wrong(what, [&rnn, change](const Examples& x) {
      Examples states = plain(rnn)(x);
      for (Rows& rows : states) change(rows);
      return states;
    });
  };
  judge(
      {right("your own rnn", learners(rnn)),
       right("your own gru", learners(gru)),
       right("an Elman layer in plain loops", plain(rnn)),
       right("the sum of all tokens so far", sum(1)),
       right("a sum in which each token fades by a third in every step", sum(0.66)),
       right("an Elman layer whose examples all begin with the state 0.3 in place of 0",
             elman([](const At& at) { return at.t == 0 ? Row(4, 0.3) : at.carried(); })),
       wrong("the state is not carried: each token begins with zeros",
             elman([](const At&) { return Row(4); })),
       wrong("the state is carried over every second token only",
             elman([](const At& at) { return at.t % 2 == 0 ? Row(4) : at.carried(); })),
       wrong("the state is reset after every fourth token",
             elman([](const At& at) { return at.t % 4 == 0 ? Row(4) : at.carried(); })),
       wrong("the first token is not carried on",
             elman([](const At& at) { return at.t == 1 ? Row(4) : at.carried(); })),
       wrong("it reads from right to left", [&](const Examples& x) { return turned(plain(rnn)(turned(x))); }),
       then("it reads both ways: to the state, that of the token's mirror image is added",
            [](Rows& rows) {
              add(rows, {rows.rbegin(), rows.rend()}, 1);
            }),
       then("every token gets the last state", [](Rows& rows) { rows = Rows(rows.size(), rows.back()); }),
       then("each token gets the state before it, not after it",
            [](Rows& rows) {
              rows.insert(rows.begin(), Row(4));
              rows.pop_back();
            }),
       then("each token gets the state after the next token",
            [](Rows& rows) {
              rows.push_back(rows.back());
              rows.erase(rows.begin());
            }),
       then("all states are 0", [](Rows& rows) { rows = Rows(rows.size(), Row(4)); }),
       wrong("each example begins where the one before it in the batch has ended", elman([](const At& at) {
               return at.t == 0 && at.b > 0 ? at.states[at.b - 1].back() : at.carried();
             })),
       wrong("the third example of a batch begins where the second has ended",
             elman([](const At& at) { return at.t == 0 && at.b == 2 ? at.states[1].back() : at.carried(); })),
       wrong("each call goes on from the last state of the call before", elman([](const At& at) {
               return at.t == 0 && !at.earlier.empty() ? at.earlier.back().back() : at.carried();
             })),
       wrong("states are kept from call to call, unless the number of examples changes",
             elman([](const At& at) {
               const bool kept = at.t == 0 && at.earlier.size() == at.states.size();
               return kept ? at.earlier[at.b].back() : at.carried();
             })),
       wrong("examples and tokens are exchanged: the state goes from example to example",
             [&](const Examples& x) { return exchanged(plain(rnn)(exchanged(x))); }),
       wrong("all examples share the state of the first one",
             elman([](const At& at) { return at.t == 0 ? Row(4) : at.states[0][at.t - 1]; })),
       wrong("the mean over the batch is subtracted from the states", [&](const Examples& x) {
         const Examples states = plain(rnn)(x);
         Examples left = states;
         if (states.size() > 1)
           for (Rows& rows : left)
             for (const Rows& each : states) add(rows, each, -1.0 / static_cast<double>(states.size()));
         return left;
       })});
}
