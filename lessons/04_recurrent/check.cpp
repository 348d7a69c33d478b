// Chapter 4. Cells with random parameters get random inputs and states; plain formulas say what they must come to.
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
#include <valarray>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "lessons/04_recurrent/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "model/recurrent.h"

using namespace locus;

namespace {

// One value for each channel. std::valarray's operators and functions give expressions that refer to their operands:
// what a function returns must be made a Row, by its return type or by the functions below.
using Row = std::valarray<double>;
Row tanh_of(const Row& x) { return std::tanh(x); }
Row sigmoid(const Row& x) { return 1.0 / (1.0 + std::exp(-x)); }
Row relu(Row x) {
  for (double& value : x) value = std::max(value, 0.0);
  return x;
}

Row random_row(Random& random, int count) {
  Row x(static_cast<std::size_t>(count));
  for (double& value : x) value = random.normal();
  return x;
}

enum Gate : std::size_t { New, Reset, Update };
const std::vector<std::string> gate_names = {"new", "reset", "update"};

// The learner's layer, with as many inputs as states, and its linear layers in plain loops.
struct Cell {
  Cell(ModelKind kind_, int width_, bool right_to_left = false, double larger = 2)
      : kind(kind_), width(width_), layer(table, "cell", kind, width, width, right_to_left) {
    parameters = table.draw(1);
    for (Real& value : parameters)
      value *= static_cast<Real>(larger);  // away from where tanh is a straight line
  }

  Row U(Gate gate, const Row& h) const { return through(gate_names[gate] + ".state", h); }
  Row W(Gate gate, const Row& x) const { return through(gate_names[gate] + ".input", x); }

  ModelKind kind;
  int width;
  ParameterTable table;
  DirectedLayer layer;
  Reals parameters;

 private:
  Row through(const std::string& name, const Row& x) const {
    const Parameter weight = find("cell." + name + ".weight"), bias = find("cell." + name + ".bias");
    Row y(x.size());
    for (std::size_t out = 0; out < y.size(); ++out) {
      y[out] = parameters[bias.offset + out];
      for (std::size_t in = 0; in < x.size(); ++in)
        y[out] += x[in] * parameters[weight.offset + in * y.size() + out];
    }
    return y;
  }
  Parameter find(const std::string& name) const {
    for (const auto& entry : table.entries())
      if (entry.name == name) return entry.where;
    fail("check", "there is no parameter " + name);
  }
};

// What a step of a cell has to work with: for one example W x + b of each gate, and the state before.
struct Before {
  const Cell& cell;
  Row n, r, z, h;
  Row U(Gate gate, const Row& state) const { return cell.U(gate, state); }
  Row U(Gate gate) const { return U(gate, h); }
};
using Formula = std::function<Row(const Before&)>;

struct NamedFormula {
  std::string says;
  Formula formula;
};

Array array_of(const std::vector<Row>& rows, Shape shape) {
  Array out{shape, {}};
  for (const Row& row : rows) out.values.insert(out.values.end(), std::begin(row), std::end(row));
  return out;
}

Reals reals(const std::vector<Row>& rows) {
  Reals out;
  for (const Row& row : rows) out.insert(out.end(), std::begin(row), std::end(row));
  return out;
}

// Compares one step of the learner's cell with the right formula, for two widths and batches.
void compare_steps(ModelKind kind, const Formula& right, const std::vector<NamedFormula>& mistakes) {
  struct Case {
    Cell cell;
    std::vector<Before> examples;
  };
  std::vector<std::unique_ptr<Case>> cases;
  std::vector<std::string> inputs;
  for (const auto& [B, width] : {std::pair{2, 5}, {3, 4}}) {
    cases.push_back(std::make_unique<Case>(Case{Cell(kind, width), {}}));
    inputs.push_back(text("the new state, ", B, " examples, width ", width));
    Random random(static_cast<std::uint64_t>(width), Purpose::testing);
    for (int b = 0; b < B; ++b) {
      Row drawn[4];
      for (Row& row : drawn) row = random_row(random, width);
      cases.back()->examples.push_back({cases.back()->cell, drawn[0], drawn[1], drawn[2], drawn[3]});
    }
  }
  const auto answer = [&cases](const Formula& formula) {
    return [&cases, formula](std::size_t i) {
      std::vector<Row> rows;
      for (const Before& before : cases[i]->examples) rows.push_back(formula(before));
      return array_of(rows, {static_cast<int>(rows.size()), cases[i]->cell.width});
    };
  };
  std::vector<Mistake> named;
  for (const NamedFormula& mistake : mistakes) named.push_back({mistake.says, answer(mistake.formula)});
  compare(
      inputs, {"example", "channel"},
      [&](std::size_t i) {
        const Case& at = *cases[i];
        Tape tape(at.cell.parameters.data());
        poison(tape);
        const auto tensor = [&](Row Before::*member) {
          std::vector<Row> rows;
          for (const Before& before : at.examples) rows.push_back(before.*member);
          return tape.constant({static_cast<int>(rows.size()), at.cell.width}, reals(rows).data());
        };
        Tensor from_input[DirectedLayer::most_gates] = {tensor(&Before::n)};
        if (kind == ModelKind::gru) {
          from_input[Reset] = tensor(&Before::r);
          from_input[Update] = tensor(&Before::z);
        }
        try {
          return copy(at.cell.layer.next_state(from_input, tensor(&Before::h)));
        } catch (const Error& error) {
          if (kind == ModelKind::rnn && text(error.what()).find("exercise 4.2") != std::string::npos)
            throw Error("Your lines end without a `return`: what ran after them are the lines of the gru.");
          throw;
        }
      },
      answer(right), named);
}

Row elman(const Before& e) { return tanh_of(e.n + e.U(New)); }

// A step of a gru of which parts can be exchanged.
using NewState = std::function<Row(const Before&, const Row& r, const Row& z)>;
using Blend = std::function<Row(const Row& n, const Row& z, const Row& h, const Row& r)>;
struct Gru {
  Formula reset = [](const Before& e) { return sigmoid(e.r + e.U(Reset)); };
  Formula update = [](const Before& e) { return sigmoid(e.z + e.U(Update)); };
  NewState candidate = [](const Before& e, const Row& r, const Row&) { return tanh_of(e.n + r * e.U(New)); };
  Blend blend = [](const Row& n, const Row& z, const Row& h, const Row&) -> Row {
    return (1.0 - z) * n + z * h;
  };

  Row operator()(const Before& e) const { return with(e, reset(e), update(e)); }
  Row with(const Before& e, const Row& r, const Row& z) const { return blend(candidate(e, r, z), z, e.h, r); }
};
NamedFormula wrong_r(const std::string& says, const Formula& reset) {
  Gru gru;
  gru.reset = reset;
  return {says, gru};
}
NamedFormula wrong_z(const std::string& says, const Formula& update) {
  Gru gru;
  gru.update = update;
  return {says, gru};
}
NamedFormula wrong_n(const std::string& says, const NewState& candidate) {
  Gru gru;
  gru.candidate = candidate;
  return {says, gru};
}
NamedFormula wrong_blend(const std::string& says, const Blend& blend) {
  Gru gru;
  gru.blend = blend;
  return {says, gru};
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
  compare_steps(
      ModelKind::rnn, elman,
      {{"the state before is left out: each token would be read as if it were the first",
        [](const Before& e) { return tanh_of(e.n); }},
       {"the token is left out: W x + b is in from_input[0]",
        [](const Before& e) { return tanh_of(e.U(New)); }},
       {"tanh is left out", [](const Before& e) -> Row { return e.n + e.U(New); }},
       {"a sigmoid takes the place of tanh", [](const Before& e) { return sigmoid(e.n + e.U(New)); }},
       {"a relu takes the place of tanh", [](const Before& e) { return relu(e.n + e.U(New)); }},
       {"h itself is added: the layer gates_[0].state, which makes U h + c of it, is left out",
        [](const Before& e) { return tanh_of(e.n + e.h); }},
       {"the two parts are multiplied; they should be added",
        [](const Before& e) { return tanh_of(e.n * e.U(New)); }},
       {"U h + c is subtracted", [](const Before& e) { return tanh_of(e.n - e.U(New)); }},
       {"tanh is taken of the token's part only",
        [](const Before& e) -> Row { return tanh_of(e.n) + e.U(New); }},
       {"tanh is taken of the state's part only",
        [](const Before& e) -> Row { return e.n + tanh_of(e.U(New)); }},
       {"tanh is taken of each part and not of their sum",
        [](const Before& e) -> Row { return tanh_of(e.n) + tanh_of(e.U(New)); }},
       {"tanh is taken twice", [](const Before& e) { return tanh_of(tanh_of(e.n + e.U(New))); }},
       {"a tanh is taken of h as well, before its layer",
        [](const Before& e) { return tanh_of(e.n + e.U(New, tanh_of(e.h))); }},
       {"the state goes through gates_[0].state twice",
        [](const Before& e) { return tanh_of(e.n + e.U(New, e.U(New))); }},
       {"the token goes through gates_[0].state as well, which is for the state only",
        [](const Before& e) { return tanh_of(e.U(New, e.n + e.h)); }},
       {"token and state change places: from_input[0] has been through its layer already, and h has not",
        [](const Before& e) { return tanh_of(e.U(New, e.n) + e.h); }},
       {"the state goes through gates_[0].input, which is for tokens",
        [](const Before& e) { return tanh_of(e.n + e.cell.W(New, e.h)); }},
       {"the token goes through gates_[0].input a second time",
        [](const Before& e) { return tanh_of(e.cell.W(New, e.n) + e.U(New)); }},
       {"the state before is added to the new one; an Elman cell replaces it",
        [](const Before& e) -> Row { return tanh_of(e.n + e.U(New)) + e.h; }},
       {"the state before is multiplied by the new one",
        [](const Before& e) -> Row { return tanh_of(e.n + e.U(New)) * e.h; }},
       {"the state before is returned as it was", [](const Before& e) { return e.h; }}});
  std::signal(SIGABRT, doctests);
}

// A gru that takes its parts of the token and its layers under other numbers than those of New, Reset and Update.
NamedFormula numbered(std::size_t n, std::size_t r, std::size_t z) {
  return {text("r, z and n are made with the numbers ", r, ", ", z, " and ", n,
               " of from_input and gates_. n has number 0, r has 1, z has 2"),
          [=](const Before& e) {
            const Row* const parts[] = {&e.n, &e.r, &e.z};
            const auto sum = [&](std::size_t gate, const Row& of_r) -> Row {
              return *parts[gate] + of_r * e.U(static_cast<Gate>(gate));
            };
            const Row one(1.0, e.h.size()), reset = sigmoid(sum(r, one)), update = sigmoid(sum(z, one));
            return Gru().blend(tanh_of(sum(n, reset)), update, e.h, reset);
          }};
}

TEST_CASE("4.2 the new state of a gru") {
  const auto sigmoid_of = [](auto part) { return [=](const Before& e) { return sigmoid(part(e)); }; };
  compare_steps(
      ModelKind::gru, Gru(),
      {// the gates
       {"r and z change places: number 1 is the reset gate r, number 2 the update gate z",
        [](const Before& e) { return Gru().with(e, Gru().update(e), Gru().reset(e)); }},
       numbered(2, 0, 1),
       numbered(1, 0, 2),
       numbered(2, 1, 0),
       numbered(1, 2, 0),
       wrong_r("r takes its token's part from the update gate: from_input[2] for from_input[1]",
               sigmoid_of([](const Before& e) -> Row { return e.z + e.U(Reset); })),
       wrong_r("r takes its state's part from the update gate: gates_[2] for gates_[1]",
               sigmoid_of([](const Before& e) -> Row { return e.r + e.U(Update); })),
       wrong_r("r is made by the layers of n: its numbers are 1, not 0",
               sigmoid_of([](const Before& e) -> Row { return e.n + e.U(New); })),
       wrong_r("r leaves out the state before", sigmoid_of([](const Before& e) { return e.r; })),
       wrong_r("r leaves out the token", sigmoid_of([](const Before& e) { return e.U(Reset); })),
       wrong_r("r adds h itself: gates_[1].state is left out",
               sigmoid_of([](const Before& e) -> Row { return e.r + e.h; })),
       wrong_r("r is a tanh; a gate is a sigmoid, from 0 to 1",
               [](const Before& e) { return tanh_of(e.r + e.U(Reset)); }),
       wrong_r("r is not squeezed: its sigmoid is left out",
               [](const Before& e) -> Row { return e.r + e.U(Reset); }),
       wrong_z("z takes its token's part from the reset gate: from_input[1] for from_input[2]",
               sigmoid_of([](const Before& e) -> Row { return e.r + e.U(Update); })),
       wrong_z("z takes its state's part from the reset gate: gates_[1] for gates_[2]",
               sigmoid_of([](const Before& e) -> Row { return e.z + e.U(Reset); })),
       wrong_z("z is made by the layers of n: its numbers are 2, not 0",
               sigmoid_of([](const Before& e) -> Row { return e.n + e.U(New); })),
       wrong_z("z leaves out the state before", sigmoid_of([](const Before& e) { return e.z; })),
       wrong_z("z leaves out the token", sigmoid_of([](const Before& e) { return e.U(Update); })),
       wrong_z("z adds h itself: gates_[2].state is left out",
               sigmoid_of([](const Before& e) -> Row { return e.z + e.h; })),
       wrong_z("z is a tanh; a gate is a sigmoid, from 0 to 1",
               [](const Before& e) { return tanh_of(e.z + e.U(Update)); }),
       wrong_z("z is not squeezed: its sigmoid is left out",
               [](const Before& e) -> Row { return e.z + e.U(Update); }),
       // the candidate
       wrong_n("r is not used: n takes all of U h + c, whatever the reset gate says",
               [](const Before& e, const Row&, const Row&) { return tanh_of(e.n + e.U(New)); }),
       wrong_n("r multiplies h before the layer gates_[0].state. So it was in the paper of Cho et al. 2014; "
               "here, as in "
               "PyTorch, r multiplies what the layer makes of h",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.n + e.U(New, r * e.h)); }),
       wrong_n("r multiplies the token's part as well; it should multiply U h + c only",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(r * (e.n + e.U(New))); }),
       wrong_n("r multiplies the token's part in place of the state's",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(r * e.n + e.U(New)); }),
       wrong_n("r multiplies n outside of its tanh",
               [](const Before& e, const Row& r, const Row&) -> Row { return r * tanh_of(e.n + e.U(New)); }),
       wrong_n("r multiplies h itself: gates_[0].state is left out",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.n + r * e.h); }),
       wrong_n("r is added to U h + c; it should multiply it",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.n + r + e.U(New)); }),
       wrong_n("1 - r takes the place of r",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.n + (1.0 - r) * e.U(New)); }),
       wrong_n("z takes the place of r in n, or r is made by the update gate",
               [](const Before& e, const Row&, const Row& z) { return tanh_of(e.n + z * e.U(New)); }),
       wrong_n("n takes its token's part from the reset gate: from_input[1] for from_input[0]",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.r + r * e.U(New)); }),
       wrong_n("n takes its token's part from the update gate: from_input[2] for from_input[0]",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.z + r * e.U(New)); }),
       wrong_n("n takes its state's part from the reset gate: gates_[1] for gates_[0]",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.n + r * e.U(Reset)); }),
       wrong_n("n takes its state's part from the update gate: gates_[2] for gates_[0]",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(e.n + r * e.U(Update)); }),
       wrong_n("n leaves out the state before",
               [](const Before& e, const Row&, const Row&) { return tanh_of(e.n); }),
       wrong_n("n leaves out the token",
               [](const Before& e, const Row& r, const Row&) { return tanh_of(r * e.U(New)); }),
       wrong_n("n has no tanh",
               [](const Before& e, const Row& r, const Row&) -> Row { return e.n + r * e.U(New); }),
       wrong_n("n is a sigmoid; gates are, n is a tanh",
               [](const Before& e, const Row& r, const Row&) { return sigmoid(e.n + r * e.U(New)); }),
       // the mix of old and new
       wrong_blend(
           "z and 1 - z change places. So it is in Chung et al. 2014, and such a cell learns as well; but "
           "recurrent.h has z keep the old state",
           [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return z * n + (1.0 - z) * h; }),
       wrong_blend("the new state is n: z and the old state are left out",
                   [](const Row& n, const Row&, const Row&, const Row&) { return n; }),
       wrong_blend("the old state is left out of the mix",
                   [](const Row& n, const Row& z, const Row&, const Row&) -> Row { return (1.0 - z) * n; }),
       wrong_blend("n is left out of the mix",
                   [](const Row&, const Row& z, const Row& h, const Row&) -> Row { return z * h; }),
       wrong_blend("n counts in full: it should be multiplied by 1 - z",
                   [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return n + z * h; }),
       wrong_blend(
           "the old state counts in full: it should be multiplied by z",
           [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return (1.0 - z) * n + h; }),
       wrong_blend(
           "the parentheses of 1 - z are missing: 1 - z * n is 1 - (z * n)",
           [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return 1.0 - z * n + z * h; }),
       wrong_blend("1 - z multiplies the whole sum; it should multiply n only",
                   [](const Row& n, const Row& z, const Row& h, const Row&) -> Row {
                     return (1.0 - z) * (n + z * h);
                   }),
       wrong_blend(
           "n is multiplied by z - 1, which is below 0; it should be multiplied by 1 - z",
           [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return (z - 1.0) * n + z * h; }),
       {"z multiplies U h + c in the mix; it should multiply h, the state before",
        [](const Before& e) -> Row {
          const Row z = Gru().update(e);
          return (1.0 - z) * Gru().candidate(e, Gru().reset(e), z) + z * e.U(New);
        }},
       wrong_blend(
           "n counts in full, and the old state is subtracted from it: n - z h in place of (1 - z) n + z h",
           [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return n - z * h; }),
       wrong_blend("both are multiplied by z; n should be multiplied by 1 - z",
                   [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return z * n + z * h; }),
       wrong_blend("both are multiplied by 1 - z; the old state should be multiplied by z",
                   [](const Row& n, const Row& z, const Row& h, const Row&) -> Row {
                     return (1.0 - z) * n + (1.0 - z) * h;
                   }),
       wrong_blend("the two are mixed half and half, whatever z says",
                   [](const Row& n, const Row&, const Row& h, const Row&) -> Row { return 0.5 * (n + h); }),
       wrong_blend("the two are added in full: z is left out",
                   [](const Row& n, const Row&, const Row& h, const Row&) -> Row { return n + h; }),
       wrong_blend(
           "the old state is subtracted",
           [](const Row& n, const Row& z, const Row& h, const Row&) -> Row { return (1.0 - z) * n - z * h; }),
       wrong_blend(
           "r takes the place of z in the mix, or z is made by the reset gate",
           [](const Row& n, const Row&, const Row& h, const Row& r) -> Row { return (1.0 - r) * n + r * h; }),
       wrong_blend("r multiplies the old state once more in the mix",
                   [](const Row& n, const Row& z, const Row& h, const Row& r) -> Row {
                     return (1.0 - z) * n + z * r * h;
                   }),
       wrong_blend("a tanh is taken of the mix", [](const Row& n, const Row& z, const Row& h,
                                                    const Row&) { return tanh_of((1.0 - z) * n + z * h); }),
       {"r multiplies h before the layer gates_[0].state, and z and 1 - z change places: the form of Chung "
        "et al. 2014. "
        "recurrent.h has another one, that of PyTorch",
        [](const Before& e) -> Row {
          const Row r = Gru().reset(e), z = Gru().update(e);
          return (1.0 - z) * e.h + z * tanh_of(e.n + e.U(New, r * e.h));
        }},
       {"the cell is Elman's: there are no gates", elman}});
}

// --- 4.3 ---

namespace {

// A walk through the tokens of one example in plain loops: which token is read in each step, where the state after
// it is stored, and how the state changes.
struct Walk {
  using AtStep = std::function<int(int step, int T, bool right_to_left)>;
  static int right_token(int step, int T, bool right_to_left) { return right_to_left ? T - 1 - step : step; }

  AtStep read = right_token, stored = right_token;
  bool carried = true, kept = true, tokens_pass_layer = true, one_slice = false;
  int times = 1;               // the cell runs for each token
  bool from_the_left = false;  // the state before is that of token t - 1, in both directions
  AtStep skipped = [](int, int, bool) { return 0; };  // 1: the cell does not run in this step
  double of_old = 0;                                  // how much of the state before is added to the new one

  std::vector<Row> operator()(const Cell& cell, const std::vector<Row>& tokens, bool right_to_left) const {
    const int T = static_cast<int>(tokens.size());
    const Row zero(0.0, static_cast<std::size_t>(cell.width));
    std::vector<Row> states(tokens.size(), zero);
    Row h = zero;
    const auto from = [&](Gate gate, const Row& x) { return tokens_pass_layer ? cell.W(gate, x) : x; };
    for (int step = 0; step < T; ++step) {
      const Row& x = tokens[static_cast<std::size_t>(read(step, T, right_to_left))];
      const bool gru = cell.kind == ModelKind::gru;
      const Row n = from(New, x),
                r = !gru        ? zero
                    : one_slice ? n
                                : from(Reset, x),
                z = !gru        ? zero
                    : one_slice ? n
                                : from(Update, x);
      for (int time = 0; time < times; ++time) {
        const int left = stored(step, T, right_to_left) - 1;
        const Row& old = from_the_left && left >= 0 ? states[static_cast<std::size_t>(left)] : h;
        const Before before{cell, n, r, z, carried ? old : zero};
        const Row next = gru ? Gru()(before) : elman(before);
        if (kept && skipped(step, T, right_to_left) == 0) h = next + of_old * h;
      }
      states[static_cast<std::size_t>(stored(step, T, right_to_left))] = h;
    }
    return states;
  }
};

}  // namespace

TEST_CASE("4.3 from token to token, in either direction") {
  constexpr int B = 2, T = 4, width = 5;
  struct Case {
    ModelKind kind;
    bool right_to_left;
  };
  static const std::vector<Case> cases = {
      {ModelKind::rnn, false}, {ModelKind::rnn, true}, {ModelKind::gru, false}, {ModelKind::gru, true}};
  std::vector<std::vector<Row>> examples(B);
  Random random(1, Purpose::testing);
  for (auto& tokens : examples)
    for (int t = 0; t < T; ++t) tokens.push_back(random_row(random, width));
  std::vector<std::string> inputs;
  for (const Case& c : cases)
    inputs.push_back(
        text("the states of the ", c.kind,
             c.right_to_left ? " that reads from right to left" : " that reads from left to right"));
  const auto answer = [&examples](const Walk& walk) {
    return [&examples, walk](std::size_t i) {
      const Cell cell(cases[i].kind, width, cases[i].right_to_left);
      std::vector<Row> rows;
      for (const auto& tokens : examples)
        for (const Row& state : walk(cell, tokens, cases[i].right_to_left)) rows.push_back(state);
      return array_of(rows, {B, T, width});
    };
  };
  const auto with = [&answer](const std::string& says, const std::function<void(Walk&)>& change) {
    Walk walk;
    change(walk);
    return Mistake{says, answer(walk)};
  };
  const auto always = [](auto token) {
    return [=](int step, int tokens, bool) { return token(step, tokens); };
  };
  const auto forwards = always([](int step, int) { return step; });
  const auto backwards = always([](int step, int tokens) { return tokens - 1 - step; });
  const auto turned = [](int step, int tokens, bool right_to_left) {
    return Walk::right_token(step, tokens, !right_to_left);
  };
  const auto first = always([](int, int) { return 0; });
  compare(
      inputs, {"example", "token", "channel"},
      [&](std::size_t i) {
        const Cell cell(cases[i].kind, width, cases[i].right_to_left);
        Tape tape(cell.parameters.data());
        poison(tape);
        std::vector<Row> rows;
        for (const auto& tokens : examples) rows.insert(rows.end(), tokens.begin(), tokens.end());
        const Tensor x = tape.constant({B, T, width}, reals(rows).data());
        try {
          return copy(cell.layer(x));
        } catch (const Error& error) {
          // Operations do not know which of the tensors they were given; here it is known.
          const std::string said = error.what();
          const int gates = cases[i].kind == ModelKind::rnn ? 1 : 3;
          if (said.starts_with("[time_slice] x is ()"))
            throw Error(text("from_input is read for a gate that the ", cases[i].kind,
                             " does not have: it has ", gates,
                             ". The loop must run while gate < gates_.size()."));
          if (said.starts_with("[tensor]"))
            throw Error(
                text("A tensor is used that never got a value. Either at_t was not filled for each gate: "
                     "the loop must run while gate < gates_.size(), and the ",
                     cases[i].kind, " has ", gates, ". Or h is declared again inside the loop."));
          throw;
        }
      },
      answer(Walk()),
      {with("t is always step: a layer with right_to_left_ should begin with the last token",
            [&](Walk& w) { w.read = w.stored = forwards; }),
       with("t is always T - 1 - step: a layer without right_to_left_ should begin with the first token",
            [&](Walk& w) { w.read = w.stored = backwards; }),
       with("the directions are exchanged", [&](Walk& w) { w.read = w.stored = turned; }),
       with("the slices are those of time `step`, while t counts down from right to left",
            [&](Walk& w) { w.read = forwards; }),
       with("the slices are those of T - 1 - step, while t counts up from left to right",
            [&](Walk& w) { w.read = backwards; }),
       with("t keeps the value 0: each step reads the first token, and stores its state there",
            [&](Walk& w) { w.read = w.stored = first; }),
       with("each step reads the slices of time 0", [&](Walk& w) { w.read = first; }),
       with("the state is not carried: each step begins with zeros again",
            [](Walk& w) { w.carried = false; }),
       with("all states are 0: what next_state() returns is not kept in h", [](Walk& w) { w.kept = false; }),
       with("each token is read twice: next_state() runs twice in a step", [](Walk& w) { w.times = 2; }),
       with("the state before is added to the new one", [](Walk& w) { w.of_old = 1; }),
       with("from right to left it begins with token T - 2: the first step should read token T - 1",
            [&](Walk& w) {
              w.read = w.stored = [](int step, int tokens, bool right_to_left) {
                return right_to_left ? std::max(0, tokens - 2 - step) : step;
              };
            }),
       with("the state before is always that of token t - 1; from right to left it is that of token t + 1. "
            "In both "
            "directions h holds it",
            [](Walk& w) { w.from_the_left = true; }),
       with("the last step does not change the state",
            [](Walk& w) { w.skipped = [](int step, int tokens, bool) { return int{step == tokens - 1}; }; }),
       with("the first step does not change the state",
            [](Walk& w) { w.skipped = [](int step, int, bool) { return int{step == 0}; }; }),
       with("the slices are cut from x: it should be from_input, which holds W x + b",
            [](Walk& w) { w.tokens_pass_layer = false; }),
       with("all gates get the slice of from_input[0]; each has its own",
            [](Walk& w) { w.one_slice = true; })});
}

// --- 4.4 ---

namespace locus {
// Taken when influence.cpp has no such function.
__attribute__((weak)) std::vector<double> influence(const std::vector<double>&, double, double) {
  fail("exercise 4.4", "still to be written");
}
}  // namespace locus

namespace {

struct Single {
  std::vector<double> x;
  double w, u;
};

// The derivatives with one thing about them changed. h[t] is the state before token t, h[t + 1] the one after it.
struct Chain {
  struct At {
    double before, h, sum, token;  // the states before and after it, w x + u h, and the token itself
  };
  std::function<double(const At&)> slope = [](const At& at) { return 1 - at.h * at.h; };
  bool carried = true, squeezed = true;
  enum class Between { all, none, last } slopes = Between::all;  // those of the states after the token
  int power = 0;                                                 // of u, beside the distance
  int own_slopes = 1;                                            // how often that of the token itself counts
  bool to_w = true, to_u = true, exchanged = false, reversed = false, of_all_states = false;
  bool u_once = false, w_each_step = false, exchanged_in_states = false;
  double begins_with = 0;

  std::vector<double> operator()(const Single& net) const {
    std::vector<double> h = {begins_with}, sums;
    for (const double token : net.x) {
      const double of_token = exchanged_in_states ? net.u : net.w, of_state = net.w + net.u - of_token;
      sums.push_back(of_token * token + (carried ? of_state * h.back() : 0));
      h.push_back(squeezed ? std::tanh(sums.back()) : sums.back());
    }
    const std::size_t T = net.x.size();
    const auto slope_at = [&](std::size_t t) { return slope({h[t], h[t + 1], sums[t], net.x[t]}); };
    const auto of_state = [&](std::size_t t, std::size_t last) {  // of the state after `last`, to token t
      double product = std::pow(slope_at(t), own_slopes);
      if (exchanged ? to_u : to_w) product *= exchanged ? net.u : net.w;
      const double again = exchanged ? net.w : net.u;
      for (std::size_t after = t + 1; after <= last; ++after) {
        if (slopes == Between::all || (slopes == Between::last && after == last)) product *= slope_at(after);
        if (to_u && (!u_once || after == last)) product *= again;
        if (w_each_step) product *= net.w;
      }
      return product * std::pow(net.u, power);
    };
    std::vector<double> out;
    for (std::size_t t = 0; t < T; ++t) {
      double sum = 0;
      for (std::size_t last = of_all_states ? t : T - 1; last < T; ++last) sum += of_state(t, last);
      out.push_back(sum);
    }
    if (reversed) std::reverse(out.begin(), out.end());
    return out;
  }
};

}  // namespace

TEST_CASE("4.4 how much each token counts at the end, from blank") {
  static const std::vector<Single> nets = {
      {{0.5, -1, 0.3, 0.8}, 1.3, 0.7}, {{-0.4, 0.9, 0.2}, 0.6, -1.6}, {{0.7}, 0.8, 0.9}};
  const auto answer = [](const Chain& chain) {
    return [chain](std::size_t i) { return list(chain(nets[i])); };
  };
  const auto with = [&](const std::string& says, const std::function<void(Chain&)>& change) {
    Chain chain;
    change(chain);
    return Mistake{says, answer(chain)};
  };
  // What becomes of the right derivatives.
  const auto then = [&](const std::string& says,
                        const std::function<std::vector<double>(std::vector<double>)>& change) {
    return Mistake{says, [change](std::size_t i) { return list(change(Chain()(nets[i]))); }};
  };
  const auto states = [](std::size_t i, bool with_first) {
    std::vector<double> h = {0};
    for (const double token : nets[i].x) h.push_back(std::tanh(nets[i].w * token + nets[i].u * h.back()));
    if (!with_first) h.erase(h.begin());
    return list(h);
  };
  using Values = std::vector<double>;
  const auto slope = [&](const std::string& says, const decltype(Chain::slope)& of) {
    return with(says, [&](Chain& c) { c.slope = of; });
  };
  std::vector<std::string> inputs;
  for (const Single& net : nets)
    inputs.push_back(text("influence of ", net.x.size(), net.x.size() == 1 ? " token" : " tokens",
                          ", w = ", net.w, ", u = ", net.u));
  compare(
      inputs, {"token"}, [](std::size_t i) { return list(influence(nets[i].x, nets[i].w, nets[i].u)); },
      answer(Chain()),
      {slope("the slope of tanh is left out, 1 - h^2 at each step", [](const Chain::At&) { return 1; }),
       slope("the slope is taken as 1 - h, without the square", [](const Chain::At& at) { return 1 - at.h; }),
       slope("the slope is taken as 1 + h^2", [](const Chain::At& at) { return 1 + at.h * at.h; }),
       slope("the slope is taken as h^2", [](const Chain::At& at) { return at.h * at.h; }),
       slope("the slope has the sign turned, h^2 - 1", [](const Chain::At& at) { return at.h * at.h - 1; }),
       slope("the slope is taken at the state before the token, not after it",
             [](const Chain::At& at) { return 1 - at.before * at.before; }),
       slope("the slope is taken at the token, 1 - x^2; it should be taken at the state after it, 1 - h^2",
             [](const Chain::At& at) { return 1 - at.token * at.token; }),
       slope("the slope is 1 - (w x + u h)^2: tanh was not taken before the square",
             [](const Chain::At& at) { return 1 - at.sum * at.sum; }),
       slope("tanh is taken twice in the slope, 1 - tanh(h)^2",
             [](const Chain::At& at) { return 1 - std::tanh(at.h) * std::tanh(at.h); }),
       slope("the slope is that of a sigmoid, h (1 - h)",
             [](const Chain::At& at) { return at.h * (1 - at.h); }),
       slope("the slope is squared",
             [](const Chain::At& at) { return (1 - at.h * at.h) * (1 - at.h * at.h); }),
       with("the slopes of the states between are left out: only that at the token itself counts",
            [](Chain& c) { c.slopes = Chain::Between::none; }),
       with("the slopes count at the token and at the last state, and not between them",
            [](Chain& c) { c.slopes = Chain::Between::last; }),
       with("the slope at the token itself is left out", [](Chain& c) { c.own_slopes = 0; }),
       with("the slope at the token itself counts twice", [](Chain& c) { c.own_slopes = 2; }),
       with("w counts at each step back; it counts once, for the token itself",
            [](Chain& c) { c.w_each_step = true; }),
       with("w and u change places in the states: h_t is tanh(w x_t + u h_(t-1))",
            [](Chain& c) { c.exchanged_in_states = true; }),
       with("w is left out", [](Chain& c) { c.to_w = false; }),
       with("u is left out: each step back should multiply by it", [](Chain& c) { c.to_u = false; }),
       with("u counts once, however many steps it is back", [](Chain& c) { c.u_once = true; }),
       with("u counts once too often: the last token is not multiplied by it", [](Chain& c) { c.power = 1; }),
       with("w and u change places: w once for the token, u once for each step back",
            [](Chain& c) { c.exchanged = true; }),
       with("the results are in the wrong order: number 0 belongs to the first token",
            [](Chain& c) { c.reversed = true; }),
       with("the derivatives are those of the sum of all states; they should be of the last state",
            [](Chain& c) { c.of_all_states = true; }),
       with("the states leave out u h: each is that of its token alone", [](Chain& c) { c.carried = false; }),
       with("the states have no tanh, and the slopes are taken at such states",
            [](Chain& c) { c.squeezed = false; }),
       then("the first token is left out: its result is still 0. Does the loop end before token 0?",
            [](Values d) {
              d.front() = 0;
              return d;
            }),
       then("only the last token has a result. Is the loop left after its first step, or the product kept in "
            "an int, which drops what comes after the point?",
            [](Values d) {
              std::fill(d.begin(), d.end() - 1, 0);
              return d;
            }),
       then("all results are 0. Are they stored in the list that is returned? Is the product kept in a "
            "double, not in an int?",
            [](const Values& d) { return Values(d.size()); }),
       then("the signs are lost: a derivative may be below 0",
            [](Values d) {
              for (double& value : d) value = std::abs(value);
              return d;
            }),
       then("the signs are turned",
            [](Values d) {
              for (double& value : d) value = -value;
              return d;
            }),
       then("each derivative is divided by the number of tokens; nothing asks for a mean",
            [](Values d) {
              for (double& value : d) value /= static_cast<double>(d.size());
              return d;
            }),
       then("nothing is returned for the only token of an input: it is the last token, with the derivative "
            "slope * w",
            [](const Values& d) { return d.size() == 1 ? Values() : d; }),
       Mistake{"the states are returned; the derivatives are asked for",
               [=](std::size_t i) { return states(i, false); }},
       Mistake{"the states are returned, with the 0 before the first token; the derivatives are asked for",
               [=](std::size_t i) { return states(i, true); }},
       with("the state before the first token is 1; it should be 0", [](Chain& c) { c.begins_with = 1; })});
}

// --- 4.5 ---

namespace {

// An Elman layer of width 4 in plain loops, of which parts can be exchanged.
struct Plain {
  // The state from which example b goes on at token t. `states` are those already made, of this call and of the last.
  using From = std::function<std::vector<double>(const Examples& states, const Examples& earlier,
                                                 std::size_t b, std::size_t t)>;
  static std::vector<double> carried(const Examples& states, const Examples&, std::size_t b, std::size_t t) {
    return t == 0 ? std::vector<double>(4) : states[b][t - 1];
  }
  From before = carried;
  std::function<void(Examples& tokens)> tokens = [](Examples&) {};  // is done to a copy of what comes in
  std::function<void(Examples& states)> after = [](Examples&) {};
  double fading = 0;  // above 0: h = fading h + x, without tanh or matrices

  Layer layer() const {
    auto earlier = std::make_shared<Examples>();
    return [how = *this, earlier](const Examples& given) {
      Examples x = given;
      how.tokens(x);
      Examples states = x;
      Random random(1, Purpose::testing);
      double W[4][4], U[4][4];
      for (auto* matrix : {&W, &U})
        for (auto& row : *matrix)
          for (double& value : row) value = 0.5 * random.normal();
      for (std::size_t b = 0; b < x.size(); ++b)
        for (std::size_t t = 0; t < x[b].size(); ++t) {
          const std::vector<double> h = how.before(states, *earlier, b, t);
          for (std::size_t c = 0; c < 4; ++c) {
            double sum = 0;
            for (std::size_t in = 0; in < 4; ++in) sum += x[b][t][in] * W[in][c] + h[in] * U[in][c];
            states[b][t][c] = how.fading > 0 ? how.fading * h[c] + x[b][t][c] : std::tanh(sum);
          }
        }
      how.after(states);
      *earlier = states;
      return states;
    };
  }
};

Examples turned(Examples batch) {
  for (Rows& rows : batch) std::reverse(rows.begin(), rows.end());
  return batch;
}

// (B,T) as (T,B), as if the examples stood one after the other in time.
Examples exchanged(const Examples& batch) {
  Examples out(batch.front().size(), Rows(batch.size()));
  for (std::size_t b = 0; b < batch.size(); ++b)
    for (std::size_t t = 0; t < batch[b].size(); ++t) out[t][b] = batch[b][t];
  return out;
}

// The learner's own cell, from left to right.
Layer learners(ModelKind kind) {
  return [kind](const Examples& batch) {
    const int B = static_cast<int>(batch.size()), T = static_cast<int>(batch.front().size());
    const Cell cell(kind, 4);
    Reals values;
    for (const Rows& rows : batch)
      for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
    Tape tape(cell.parameters.data());
    const Array y = copy(cell.layer(tape.constant({B, T, 4}, values.data())));
    Examples out;
    auto from = y.values.begin();
    for (int b = 0; b < B; ++b) {
      out.emplace_back();
      for (int t = 0; t < T; ++t, from += 4) out.back().emplace_back(from, from + 4);
    }
    return out;
  };
}

}  // namespace

TEST_CASE("4.5 your test: the state is carried from token to token, and reset between examples") {
  const auto candidate = [](const std::string& what, bool is_right, const Layer& layer) {
    return Candidate{what, is_right, [=] { return carried_and_reset(layer); }};
  };
  const auto with = [&](const std::string& what, bool is_right, const std::function<void(Plain&)>& change) {
    Plain plain;
    change(plain);
    return candidate(what, is_right, plain.layer());
  };
  const auto wrong = [&](const std::string& what, const Plain::From& before) {
    return with(what, false, [&](Plain& p) { p.before = before; });
  };
  const std::vector<double> zeros(4);
  using State = std::vector<double>;
  judge({candidate("your own rnn", true, learners(ModelKind::rnn)),
         candidate("your own gru", true, learners(ModelKind::gru)),
         with("an Elman layer in plain loops", true, [](Plain&) {}),
         with("the sum of all tokens so far", true, [](Plain& p) { p.fading = 1; }),
         with("a sum in which each token fades by a third in every step", true,
              [](Plain& p) { p.fading = 0.66; }),
         with("an Elman layer whose examples all begin with the state 0.3 in place of 0", true,
              [](Plain& p) {
                p.before = [](const Examples& states, const Examples& earlier, std::size_t b, std::size_t t) {
                  return t == 0 ? State(4, 0.3) : Plain::carried(states, earlier, b, t);
                };
              }),
         wrong("the state is not carried: each token begins with zeros",
               [=](const Examples&, const Examples&, std::size_t, std::size_t) { return zeros; }),
         wrong("the state is carried over every second token only",
               [=](const Examples& s, const Examples& e, std::size_t b, std::size_t t) {
                 return t % 2 == 0 ? zeros : Plain::carried(s, e, b, t);
               }),
         wrong("the state is reset after every fourth token",
               [=](const Examples& s, const Examples& e, std::size_t b, std::size_t t) {
                 return t % 4 == 0 ? zeros : Plain::carried(s, e, b, t);
               }),
         wrong("the first token is not carried on",
               [=](const Examples& s, const Examples& e, std::size_t b, std::size_t t) {
                 return t == 1 ? zeros : Plain::carried(s, e, b, t);
               }),
         with("it reads from right to left", false,
              [](Plain& p) {
                p.tokens = [](Examples& x) { x = turned(x); };
                p.after = p.tokens;
              }),
         with("it reads both ways: to the state, that of the token's mirror image is added", false,
              [](Plain& p) {
                p.after = [](Examples& states) {
                  const Examples other = turned(states);
                  for (std::size_t b = 0; b < states.size(); ++b)
                    for (std::size_t t = 0; t < states[b].size(); ++t)
                      for (std::size_t c = 0; c < 4; ++c) states[b][t][c] += other[b][t][c];
                };
              }),
         with("every token gets the last state", false,
              [](Plain& p) {
                p.after = [](Examples& states) {
                  for (Rows& rows : states)
                    for (auto& state : rows) state = rows.back();
                };
              }),
         with("each token gets the state before it, not after it", false,
              [](Plain& p) {
                p.after = [](Examples& states) {
                  for (Rows& rows : states) {
                    rows.insert(rows.begin(), State(4));
                    rows.pop_back();
                  }
                };
              }),
         with("each token gets the state after the next token", false,
              [](Plain& p) {
                p.after = [](Examples& states) {
                  for (Rows& rows : states) {
                    rows.push_back(rows.back());
                    rows.erase(rows.begin());
                  }
                };
              }),
         with("all states are 0", false,
              [](Plain& p) {
                p.after = [](Examples& states) {
                  for (Rows& rows : states) rows.assign(rows.size(), State(4));
                };
              }),
         wrong("each example begins where the one before it in the batch has ended",
               [=](const Examples& s, const Examples& e, std::size_t b, std::size_t t) {
                 return t == 0 && b > 0 ? s[b - 1].back() : Plain::carried(s, e, b, t);
               }),
         wrong("the third example of a batch begins where the second has ended",
               [=](const Examples& s, const Examples& e, std::size_t b, std::size_t t) {
                 return t == 0 && b == 2 ? s[1].back() : Plain::carried(s, e, b, t);
               }),
         wrong("each call goes on from the last state of the call before",
               [=](const Examples& s, const Examples& e, std::size_t b, std::size_t t) {
                 return t == 0 && !e.empty() ? e.back().back() : Plain::carried(s, e, b, t);
               }),
         wrong("states are kept from call to call, unless the number of examples changes",
               [=](const Examples& s, const Examples& e, std::size_t b, std::size_t t) {
                 return t == 0 && e.size() == s.size() ? e[b].back() : Plain::carried(s, e, b, t);
               }),
         with("examples and tokens are exchanged: the state goes from example to example", false,
              [](Plain& p) {
                p.tokens = [](Examples& x) { x = exchanged(x); };
                p.after = p.tokens;
              }),
         wrong("all examples share the state of the first one",
               [=](const Examples& s, const Examples& e, std::size_t, std::size_t t) {
                 return Plain::carried(s, e, 0, t);
               }),
         with("the mean over the batch is subtracted from the states", false, [](Plain& p) {
           p.after = [](Examples& states) {
             for (std::size_t t = 0; t < states.front().size(); ++t)
               for (std::size_t c = 0; c < 4; ++c) {
                 double mean = 0;
                 for (const Rows& rows : states) mean += rows[t][c] / static_cast<double>(states.size());
                 if (states.size() > 1)
                   for (Rows& rows : states) rows[t][c] -= mean;
               }
           };
         })});
}
