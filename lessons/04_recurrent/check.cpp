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
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "lessons/04_recurrent/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "model/recurrent.h"

using namespace locus;

namespace locus {
// Taken when influence.cpp has no such function.
__attribute__((weak)) std::vector<double> influence(const std::vector<double>&, double, double) {
  fail("exercise 4.4", "still to be written");
}
}  // namespace locus

namespace {

using Row = std::vector<double>;  // a number for each channel

Rows random_rows(Random& random, int count, int width) {
  Rows rows(static_cast<std::size_t>(count), Row(static_cast<std::size_t>(width)));
  for (Row& row : rows)
    for (double& value : row) value = random.normal();
  return rows;
}

template <class T>
std::vector<T> joined(const std::vector<std::vector<T>>& lists) {
  std::vector<T> all;
  for (const auto& one : lists) all.insert(all.end(), one.begin(), one.end());
  return all;
}

Array array(const Rows& rows) {
  return {{static_cast<int>(rows.size()), static_cast<int>(rows[0].size())}, joined(rows)};
}
Array array(const Examples& batch) {
  const Array rows = array(joined(batch));
  const int B = static_cast<int>(batch.size());
  return {{B, rows.shape[0] / B, rows.shape[1]}, rows.values};
}

Tensor constant(Tape& tape, const Array& x) {
  return tape.constant(x.shape, Reals(x.values.begin(), x.values.end()).data());
}

Reals doubled(Reals values) {
  for (Real& value : values) value *= 2;
  return values;
}

// The learner's layer, with as many inputs as states, and its cell in plain loops.
struct Cell {
  ModelKind kind;
  int width;
  bool right_to_left = false;
  ParameterTable table = {};
  DirectedLayer layer{table, "cell", kind, width, width, right_to_left};
  Reals parameters = doubled(table.draw(1));  // away from where tanh is a straight line
  std::size_t gates = kind == ModelKind::rnn ? 1 : 3;

  Rows inputs(const Row& x) const { return through("input", x); }  // W x + b of each gate
  Row next_state(const Rows& from_input, const Row& h) const {
    const Rows from_state = through("state", h);
    const auto gate = [&](std::size_t number, std::size_t c) {
      return 1 / (1 + std::exp(-from_input[number][c] - from_state[number][c]));
    };
    Row next;
    for (std::size_t c = 0; c < h.size(); ++c) {  // an rnn is a gru with r = 1 and z = 0
      const double r = gates == 1 ? 1 : gate(1, c), z = gates == 1 ? 0 : gate(2, c);
      next.push_back((1 - z) * std::tanh(from_input[0][c] + r * from_state[0][c]) + z * h[c]);
    }
    return next;
  }

  // What the layers of tokens ("input") or states make of x, for each gate.
  Rows through(const std::string& linear, const Row& x) const {
    Rows out;
    for (const auto& [name, where, initial] : table.entries()) {  // of each gate a weight and then a bias
      const Real* values = parameters.data() + where.offset;
      if (name.ends_with(linear + ".weight")) {
        out.emplace_back(x.size());
        for (const double from : x)
          for (double& y : out.back()) y += from * *values++;
      }
      if (name.ends_with(linear + ".bias"))
        for (double& y : out.back()) y += *values++;
    }
    return out;
  }
};

// One step of the learner's cell, for two widths and batches.
void compare_steps(ModelKind kind) {
  const Cell cells[] = {{kind, 5}, {kind, 4}};
  // Of each example W x + b of n, r and z, and the state before.
  Examples batches[] = {Examples(2), Examples(3)};
  std::vector<std::string> inputs;
  for (std::size_t i = 0; i < 2; ++i) {
    inputs.push_back(text("the new state, ", batches[i].size(), " examples, width ", cells[i].width));
    Random random(static_cast<std::uint64_t>(cells[i].width), Purpose::testing);
    for (Rows& example : batches[i]) example = random_rows(random, 4, cells[i].width);
  }
  compare(
      inputs, {"example", "channel"},
      [&](std::size_t i) {
        Tape tape(cells[i].parameters.data());
        poison(tape);
        const auto part = [&](std::size_t number) {
          Rows rows;
          for (const Rows& example : batches[i]) rows.push_back(example[number]);
          return constant(tape, array(rows));
        };
        Tensor from_input[DirectedLayer::most_gates];
        for (std::size_t gate = 0; gate < cells[i].gates; ++gate) from_input[gate] = part(gate);
        return copy(cells[i].layer.next_state(from_input, part(3)));
      },
      [&](std::size_t i) {
        Rows states;
        for (const Rows& example : batches[i]) states.push_back(cells[i].next_state(example, example[3]));
        return array(states);
      });
}

// Where a layer is: the states that it made in this call and in the last one, the example and the token.
struct At {
  const Examples &states, &last;
  std::size_t b, t;
  const Rows& rows() const { return states[b]; }
  Row before() const { return t == 0 ? Row(states[b][t].size()) : states[b][t - 1]; }
};
using Made = std::function<Row(const At&)>;

// A layer in plain loops, from left to right. `from`: the state from which it goes on.
Layer plain(const Cell& cell, const Made& from = &At::before) {
  return [&cell, from, last = std::make_shared<Examples>()](const Examples& x) {
    Examples states = x;
    for (std::size_t b = 0; b < x.size(); ++b)
      for (std::size_t t = 0; t < x[b].size(); ++t)
        states[b][t] = cell.next_state(cell.inputs(x[b][t]), from({states, *last, b, t}));
    *last = states;
    return states;
  };
}

Examples turned(Examples batch) {
  for (Rows& rows : batch) std::ranges::reverse(rows);
  return batch;
}

// What the learner's layer makes of a batch.
Array yours(const Cell& cell, const Examples& batch) {
  Tape tape(cell.parameters.data());
  poison(tape);
  return copy(cell.layer(constant(tape, array(batch))));
}

// The same in lists.
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

Row sum(Row a, const Row& b, double times = 1) {
  for (std::size_t c = 0; c < a.size(); ++c) a[c] += times * b[c];
  return a;
}

// The sum of all tokens so far. This much of it is kept from step to step.
Layer sum_of_tokens(double kept) {
  return [kept](Examples batch) {
    for (Rows& rows : batch)
      for (std::size_t t = 1; t < rows.size(); ++t) rows[t] = sum(rows[t], rows[t - 1], kept);
    return batch;
  };
}

}  // namespace

TEST_CASE("4.1 Elman's cell: the new state of an rnn") {
  // The standard library aborts at an index out of range. In the lines of an rnn it is mostly that of a gate.
  const auto doctests = std::signal(SIGABRT, [](int) {  // only calls that are allowed in a signal handler
    constexpr char words[] =
        "  4.1  not yet  Elman's cell: the new state of an rnn\n\n"
        "A gate is used that an rnn does not have: it has gates_[0] and no other. If your lines do not name "
        "one, do they end without a `return`? Then the lines of the gru run after them.\n";
    std::_Exit(::write(STDOUT_FILENO, words, sizeof words - 1) < 0 ? 2 : 1);
  });
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

TEST_CASE("4.3 from token to token, in either direction") {
  const Cell cells[] = {
      {ModelKind::rnn, 5}, {ModelKind::rnn, 5, true}, {ModelKind::gru, 5}, {ModelKind::gru, 5, true}};
  std::vector<std::string> inputs;
  for (const Cell& cell : cells)
    inputs.push_back(text("the states of the ", cell.kind, " that reads from ",
                          cell.right_to_left ? "right to left" : "left to right"));
  Random random(1, Purpose::testing);
  const Examples examples = {random_rows(random, 4, 5), random_rows(random, 4, 5)};
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
                             cell.gates, ". The loop must run while gate < gates_.size()."));
          if (said.starts_with("[tensor]"))
            throw Error(
                text("A tensor is used that never got a value. Either at_t was not filled for each gate: "
                     "the loop must run while gate < gates_.size(), and the ",
                     cell.kind, " has ", cell.gates, ". Or h is declared again inside the loop."));
          throw;
        }
      },
      [&](std::size_t i) {
        const Layer layer = plain(cells[i]);
        return array(cells[i].right_to_left ? turned(layer(turned(examples))) : layer(examples));
      });
}

TEST_CASE("4.4 how much each token counts at the end, from blank") {
  struct Network {
    std::vector<double> x;
    double w, u;
  };
  compare_cases<Network>(
      {{{0.5, -1, 0.3, 0.8}, 1.3, 0.7}, {{-0.4, 0.9, 0.2}, 0.6, -1.6}, {{0.7}, 0.8, 0.9}},
      [](auto& n) {
        return text("influence of ", n.x.size(), n.x.size() == 1 ? " token" : " tokens", ", w = ", n.w,
                    ", u = ", n.u);
      },
      {"token"}, [](auto& n) { return list(influence(n.x, n.w, n.u)); },
      [](auto& n) {
        std::vector<double> derivatives;  // of the state h, with respect to each token so far
        double h = 0;
        for (const double token : n.x) {
          h = std::tanh(n.w * token + n.u * h);
          const double slope = 1 - h * h;
          for (double& derivative : derivatives) derivative *= slope * n.u;
          derivatives.push_back(slope * n.w);
        }
        return list(derivatives);
      });
}

TEST_CASE("4.5 your test: the state is carried from token to token, and reset between examples") {
  const Cell rnn{ModelKind::rnn, 4}, gru{ModelKind::gru, 4};
  // An Elman layer that goes on from another state, and one that gives something else than its states.
  const auto from = [&](const Made& before) { return plain(rnn, before); };
  const auto gives = [&](const Made& instead) -> Layer {
    return [&rnn, instead](const Examples& x) {
      const Examples states = plain(rnn)(x);
      Examples given = states;
      for (std::size_t b = 0; b < x.size(); ++b)
        for (std::size_t t = 0; t < x[b].size(); ++t) given[b][t] = instead({states, states, b, t});
      return given;
    };
  };
  const Row zeros(4);
  judge<Layer>(
      carried_and_reset,
      {{"your own rnn", learners(rnn)},
       {"your own gru", learners(gru)},
       {"an Elman layer in plain loops", plain(rnn)},
       {"the sum of all tokens so far", sum_of_tokens(1)},
       {"a sum in which each token fades by a third in every step", sum_of_tokens(0.66)},
       {"an Elman layer whose examples all begin with the state 0.3 in place of 0",
        plain(rnn, [](const At& at) { return at.t == 0 ? Row(4, 0.3) : at.before(); })}},
      {{"the state is not carried: each token begins with zeros", from([&](const At&) { return zeros; })},
       {"the state is carried over every second token only",
        from([&](const At& at) { return at.t % 2 == 0 ? zeros : at.before(); })},
       {"the state is reset after every fourth token",
        from([&](const At& at) { return at.t % 4 == 0 ? zeros : at.before(); })},
       {"the first token is not carried on",
        from([&](const At& at) { return at.t == 1 ? zeros : at.before(); })},
       {"it reads from right to left", [&](const Examples& x) { return turned(plain(rnn)(turned(x))); }},
       {"it reads both ways: to the state, that of the token's mirror image is added",
        gives([](const At& at) { return sum(at.rows()[at.t], at.rows()[at.rows().size() - 1 - at.t]); })},
       {"every token gets the last state", gives([](const At& at) { return at.rows().back(); })},
       {"each token gets the state before it, not after it", gives(&At::before)},
       {"each token gets the state after the next token",
        gives([](const At& at) { return at.rows()[std::min(at.t + 1, at.rows().size() - 1)]; })},
       {"all states are 0", gives([&](const At&) { return zeros; })},
       {"each example begins where the one before it in the batch has ended",
        from([](const At& at) { return at.t == 0 && at.b > 0 ? at.states[at.b - 1].back() : at.before(); })},
       {"the third example of a batch begins where the second has ended",
        from([](const At& at) { return at.t == 0 && at.b == 2 ? at.states[1].back() : at.before(); })},
       {"each call goes on from the last state of the call before", from([](const At& at) {
          return at.t == 0 && !at.last.empty() ? at.last.back().back() : at.before();
        })},
       {"states are kept from call to call, unless the number of examples changes", from([](const At& at) {
          const bool kept = at.t == 0 && at.last.size() == at.states.size();
          return kept ? at.last[at.b].back() : at.before();
        })},
       {"examples and tokens are exchanged: the state goes from example to example",
        from([&](const At& at) { return at.b == 0 ? zeros : at.states[at.b - 1][at.t]; })},
       {"all examples share the state of the first one",
        from([&](const At& at) { return at.t == 0 ? zeros : at.states[0][at.t - 1]; })},
       {"the mean over the batch is subtracted from the states", gives([](const At& at) {
          Row left = at.rows()[at.t];
          const double share = at.states.size() > 1 ? 1 / static_cast<double>(at.states.size()) : 0;
          for (const Rows& rows : at.states) left = sum(left, rows[at.t], -share);
          return left;
        })}});
}
