// Chapter 4. Layers with random parameters get random inputs and states; plain loops say what they must come to.
#include "lessons/tools/check.h"

#include <memory>

#include "lessons/04_recurrent/contract.h"
#include "model/recurrent.h"

[[gnu::weak]] std::vector<double> locus::influence(const std::vector<double>&, double, double) {
  still_to_write("4.4");
}

using namespace locus;

namespace {

using Row = std::vector<double>;  // a number for each channel

Examples examples_of(const Row& values, std::size_t count, std::size_t width) {
  Examples examples;
  for (const Row& one : rows_of(values, values.size() / count)) examples.push_back(rows_of(one, width));
  return examples;
}
Examples random_examples(std::uint64_t seed, std::size_t count, std::size_t length, std::size_t width) {
  return examples_of(random_numbers(count * length * width, seed), count, width);
}

Array array(const Examples& batch) {
  Rows rows;
  for (const Rows& example : batch) rows.insert(rows.end(), example.begin(), example.end());
  const Array all = array_of(rows);
  const int B = static_cast<int>(batch.size());
  return {{B, all.shape[0] / B, all.shape[1]}, all.values};
}

Reals doubled(Reals values) {
  for (Real& value : values) value *= 2;
  return values;
}

// The learner's layer, with as many inputs as states, and its next_state() in plain loops.
struct Cell {
  ModelKind kind;
  int width;
  bool right_to_left = false;
  ParameterTable table = {};
  DirectedLayer layer{table, "cell", kind, width, width, right_to_left};
  Reals parameters = doubled(table.sample(1));  // away from where tanh is a straight line
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

// next_state() of the learner, for two widths and batches.
void compare_steps(ModelKind kind) {
  struct Step {
    const Cell& cell;
    Examples batch;  // of each example W x + b at the indices 0, 1 and 2, and the state before
    Rows part(std::size_t number) const {
      Rows rows;
      for (const Rows& example : batch) rows.push_back(example[number]);
      return rows;
    }
  };
  const Cell wide{kind, 5}, narrow{kind, 4};
  compare_cases<Step>(
      {{wide, random_examples(5, 2, 4, 5)}, {narrow, random_examples(4, 3, 4, 4)}},
      [](auto& s) { return str("the new state, ", s.batch.size(), " examples, width ", s.cell.width); },
      {"example", "channel"},
      [](auto& s) {
        return value_of(
            [&](Tape& tape) {
              Tensor from_input[DirectedLayer::most_gates + 1];  // behind the gates one without a value
              for (std::size_t gate = 0; gate < s.cell.gates; ++gate)
                from_input[gate] = constant(tape, array_of(s.part(gate)));
              return s.cell.layer.next_state(from_input, constant(tape, array_of(s.part(3))));
            },
            s.cell.parameters);
      },
      [](auto& s) {
        Rows states;
        for (const Rows& example : s.batch) states.push_back(s.cell.next_state(example, example[3]));
        return array_of(states);
      });
}

// How far two states of the learner's cell, with 5 channels, are apart: at first, and after each of 7 tokens that give the
// gates these numbers. In shades.
std::vector<std::string> apart(const Cell& cell, const Row& of_gate) {
  Array states{{2, 5}, {1, 0.4, 0.8, 0.3, 0.6, 0, 0, 0, 0, 0}};
  std::vector<std::string> lines;
  for (int t = 0; t < 8; ++t) {
    Row distance;
    for (int c = 0; c < 5; ++c) distance.push_back(std::min(std::abs(states(0, c) - states(1, c)), 1.0));
    lines.push_back(shades(distance));
    states = value_of(
        [&](Tape& tape) {
          Tensor from_input[DirectedLayer::most_gates + 1];
          for (std::size_t gate = 0; gate < cell.gates; ++gate)
            from_input[gate] = constant(tape, {{2, 5}, Row(10, of_gate[gate])});
          return cell.layer.next_state(from_input, constant(tape, states));
        },
        cell.parameters);
  }
  return lines;
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

// What the learner's layer makes of a batch; the same in lists.
Array yours(const Cell& cell, const Examples& batch) {
  return value_of([&](Tape& tape) { return cell.layer(constant(tape, array(batch))); }, cell.parameters);
}
Layer learners(const Cell& cell) {
  return [&cell](const Examples& batch) {
    return examples_of(yours(cell, batch).values, batch.size(), batch[0][0].size());
  };
}

Row sum(Row a, const Row& b, double times = 1) {
  for (std::size_t c = 0; c < a.size(); ++c) a[c] += times * b[c];
  return a;
}

// The sum of all tokens so far. This much of it is kept from token to token.
Layer sum_of_tokens(double kept) {
  return [kept](Examples batch) {
    for (Rows& rows : batch)
      for (std::size_t t = 1; t < rows.size(); ++t) rows[t] = sum(rows[t], rows[t - 1], kept);
    return batch;
  };
}

TEST_CASE("4.1 the new state of an rnn, Elman's network") {
  // The standard library aborts at an index out of range. In the lines of an rnn it is mostly that of a gate.
  on_crash(
      "A gate is used that an rnn does not have: it has gates_[0] and no other. If your lines do not name "
      "one, do they end without a `return`? Then the lines of the gru run after them.");
  try {
    compare_steps(ModelKind::rnn);
  } catch (const Error& error) {
    require(str(error.what()).find("exercise 4.2") == std::string::npos,
            "Your lines end without a `return`: what ran after them are the lines of the gru.");
    throw;
  }
  Cell rnn{ModelKind::rnn, 5};
  rnn.parameters = rnn.table.sample(1);
  show("Two states of 5 channels in your rnn, at first and after 1 to 7 tokens: dark where they still differ",
       apart(rnn, {0}));
}

// same, 1 of `const Tensor r = sigmoid(from_input[1] + gates_[1].state(h));`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `const Tensor z = sigmoid(from_input[2] + gates_[2].state(h));`: the two lines can stand in either order: neither reads what the other writes
TEST_CASE("4.2 the new state of a gru") {
  compare_steps(ModelKind::gru);

  const Cell gru{ModelKind::gru, 5};
  std::vector<std::string> lines = apart(gru, {0, 0, 9});
  const std::vector<std::string> open = apart(gru, {0, 0, -9});
  for (std::size_t t = 0; t < lines.size(); ++t) lines[t] += "      " + open[t];
  show(
      "Two states in your gru, after 0 to 7 tokens: where they differ, on the left for z near 1, right for 0",
      lines);
}

// same, 2 of `const int t = right_to_left_ ? T - 1 - step : step;`: minus true is true as well; count is T, only of another type
TEST_CASE("4.3 the loop over the tokens, in either direction") {
  const Examples examples = random_examples(1, 2, 4, 5);
  compare_cases<Cell>(
      {{ModelKind::rnn, 5}, {ModelKind::rnn, 5, true}, {ModelKind::gru, 5}, {ModelKind::gru, 5, true}},
      [](auto& cell) {
        return str("the states of the ", cell.kind, " that reads from ",
                   cell.right_to_left ? "right to left" : "left to right");
      },
      {"example", "token", "channel"}, [&](auto& cell) { return yours(cell, examples); },
      [&](auto& cell) {
        const Layer layer = plain(cell);
        return array(cell.right_to_left ? turned(layer(turned(examples))) : layer(examples));
      });

  const Examples eight = random_examples(7, 1, 8, 5);
  const auto changed = [&](const Cell& cell, std::size_t token) {  // by how much each state
    Examples other = eight;
    other[0][token] = sum(other[0][token], Row(5, 1));
    const Array before = yours(cell, eight), after = yours(cell, other);
    return shades(filled({8}, [&](int t) {
                    return std::min(
                        1.0, sum_of(5, [&](int c) { return std::abs(after(0, t, c) - before(0, t, c)); }));
                  }).values);
  };
  const Cell to_right{ModelKind::rnn, 5}, to_left{ModelKind::rnn, 5, true};
  std::vector<std::string> lines;
  for (std::size_t token = 0; token < 8; ++token)
    lines.push_back(changed(to_right, token) + "      " + changed(to_left, token));
  show(
      "Row t: token t of 8 is changed. Dark: the states that change (left: read to the right, right: to the left)",
      lines);
}

// same, 2 of `std::vector<double> of_token(x.size());`: the list is as long, and each of its numbers is written; the two lines can stand in either order: neither reads what the other writes
// same, 3 of `for (const double token : x) h.push_back(std::tanh(w * token + u * h.back()));`: the two lines can stand in either order: neither reads what the other writes; tanh is odd: all states turn their signs, and only their squares are used; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 4 of `of_token[t] = of_state * slope * w;`: the number is 0 before; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 2 of `of_state *= slope * u;`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]; of_state and w are only used as their product
// same, 1 of `for (std::size_t t = x.size(); t-- > 0;) {`: both have the same length
TEST_CASE("4.4 the influence of each token on the last state, from blank") {
  struct Network {
    std::vector<double> x;
    double w, u;
  };
  compare_cases<Network>(
      {{{0.5, -1, 0.3, 0.8}, 1.3, 0.7}, {{-0.4, 0.9, 0.2}, 0.6, -1.6}, {{0.7}, 0.8, 0.9}},
      [](auto& n) {
        return str("influence of ", n.x.size(), n.x.size() == 1 ? " token" : " tokens", ", w = ", n.w,
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

  const std::vector<double> shares = influence(std::vector<double>(8, 0.2), 1, 0.8);
  std::vector<std::string> lines;
  for (const double share : shares) lines.push_back(bar(share / *std::ranges::max_element(shares)));
  show(
      "What is left of each of 8 tokens in the last state (w = 1, u = 0.8), from the first token to the last",
      lines);
}

TEST_CASE("4.5 your test: the state is carried from token to token, and reset between examples") {
  const Cell rnn{ModelKind::rnn, 4}, gru{ModelKind::gru, 4};
  // An rnn that goes on from another state, and one that gives something else than its states.
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
       {"an rnn in plain loops", plain(rnn)},
       {"an rnn whose last digits change with the size of the batch (rounding)",
        [&](const Examples& x) {
          Examples states = plain(rnn)(x);
          for (Rows& rows : states)
            for (Row& row : rows)
              for (double& number : row) number += 1e-9 * static_cast<double>(x.size());
          return states;
        }},
       {"the sum of all tokens so far", sum_of_tokens(1)},
       {"a sum in which each token fades by a third at every later token", sum_of_tokens(0.66)},
       {"an rnn whose examples all begin with the state 0.3 in place of 0",
        plain(rnn, [](const At& at) { return at.t == 0 ? Row(4, 0.3) : at.before(); })}},
      {{"the state is not carried: each token begins with zeros", from([&](const At&) { return zeros; })},
       {"the state is carried over every second token only",
        from([&](const At& at) { return at.t % 2 == 0 ? zeros : at.before(); })},
       {"the state is reset after every fourth token",
        from([&](const At& at) { return at.t % 4 == 0 ? zeros : at.before(); })},
       {"the state holds the last two tokens, and none before them",
        [&](const Examples& x) {
          Examples states = x;
          for (std::size_t b = 0; b < x.size(); ++b)
            for (std::size_t t = 0; t < x[b].size(); ++t) {
              const auto now = x[b].begin() + static_cast<std::ptrdiff_t>(t);
              states[b][t] = plain(rnn)({Rows(t == 0 ? now : now - 1, now + 1)})[0].back();
            }
          return states;
        }},
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
       {"the second example of a batch begins with 0.3, all others with 0",
        from([](const At& at) { return at.t == 0 && at.b == 1 ? Row(4, 0.3) : at.before(); })},
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

}  // namespace
