// Chapter 5. The codes of each scheme against those of plain loops, and what it brings into a model against
// the long way round.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "lessons/05_index/properties.h"
#include "lessons/tools/compare.h"
#include "model/transformer.h"
#include "report/format.h"

using namespace locus;

namespace {

using Entry = std::function<double(int position, int number)>;

Array array(int positions, int numbers, const Entry& entry) {
  Array out{{positions, numbers}, {}};
  for (int position = 0; position < positions; ++position)
    for (int number = 0; number < numbers; ++number) out.values.push_back(entry(position, number));
  return out;
}

struct Wrong {
  std::string says;
  Entry entry;
};

// The learner's codes of positions 0 .. count-1 in an input as long.
void check_codes(const std::string& spec, int count, int numbers, const Entry& right,
                 const std::vector<Wrong>& mistakes) {
  const std::vector<Code> codes = codes_of(spec, count, count);
  Array yours{{count, static_cast<int>(codes[0].size())}, {}};
  for (const Code& code : codes) yours.values.insert(yours.values.end(), code.begin(), code.end());
  std::vector<Mistake> named;
  for (const Wrong& wrong : mistakes)
    named.push_back({wrong.says, array(count, numbers, wrong.entry).values});
  compare(text(spec, ", ", count, count == 1 ? " token" : " tokens"), {"position", "number"}, yours,
          array(count, numbers, right), named, 1e-9);
}

// --- one-hot, the long way: x and the code side by side, times one matrix ---

constexpr int B = 2, T = 4, D = 3, capacity = 6;
const double positions[T] = {0, 3, 1, 5};

struct Joined {
  Joined() {
    parameters = table.draw(1);
    Random random(1, Purpose::testing);
    for (double& value : x) value = random.normal();
    for (Real& value : parameters) value = static_cast<Real>(random.normal());
  }

  Array yours() const {
    Tape tape(parameters.data());
    const Reals values(x.begin(), x.end());
    const std::vector<int> no_tokens;
    const Inputs inputs{.tokens = no_tokens, .length = T, .positions = {1, T, positions}};
    return copy(scheme->embedding(tape.constant({B, T, D}, values.data()), inputs));
  }

  double parameter(const std::string& name, int row, int column) const {
    for (const auto& entry : table.entries())
      if (entry.name == name)
        return parameters[entry.where.offset + static_cast<std::size_t>(row * D + column)];
    fail("check", "there is no parameter " + name);
  }

  // `row_of`: which row of the table a position takes; none when negative.
  Array right(const std::function<int(int t)>& row_of, bool joins = true) const {
    Array out{{B, T, D}, {}};
    for (int b = 0; b < B; ++b)
      for (int t = 0; t < T; ++t)
        for (int c = 0; c < D; ++c) {
          const double* from = x.data() + (b * T + t) * D;
          double sum = joins ? parameter("position.join.bias", 0, c) : from[c];
          for (int in = 0; in < D && joins; ++in) sum += from[in] * parameter("position.join.weight", in, c);
          for (int channel = 0; channel < capacity; ++channel)
            sum += (channel == row_of(t)) * parameter("position.rows", channel, c);
          out.values.push_back(sum);
        }
    return out;
  }

  ParameterTable table;
  std::unique_ptr<Scheme> scheme =
      make_scheme(text("onehot:capacity=", capacity), {.d_model = D, .heads = 1, .causal = false}, table);
  Reals parameters;
  std::vector<double> x = std::vector<double>(B * T * D);
};

// --- binary ---

int bits_of(int of_capacity) {  // those that the framework makes room for
  constexpr int width = 8;
  ParameterTable table;
  make_scheme(text("binary:capacity=", of_capacity), {.d_model = width, .heads = 1, .causal = false}, table);
  for (const auto& entry : table.entries())
    if (entry.name == "position.join.weight") return entry.where.shape[0] - width;
  fail("check", "there is no parameter position.join.weight");
}

int bit(int number, int which) { return number / (1 << which) % 2; }

// --- models ---

// How far the answers of an untrained model move when its input is turned round, beyond moving along.
double change_when_turned(const std::string& scheme) {
  constexpr int vocabulary = 5, length = 12;
  const Transformer model({.scheme = scheme, .vocabulary = vocabulary, .d_ff = 64});
  const Reals parameters = model.parameters().draw(1);
  const auto logits = [&](const std::vector<int>& tokens) {
    Tape tape(parameters.data());
    return copy(model.logits(tape, {tokens, length, count_up(tape, length)})).values;
  };
  std::vector<int> tokens;
  Random random(1, Purpose::testing);
  for (int t = 0; t < length; ++t) tokens.push_back(random.below(vocabulary));
  const std::vector<double> before = logits(tokens);
  std::reverse(tokens.begin(), tokens.end());
  const std::vector<double> after = logits(tokens);
  std::vector<double> moved(before.size());
  for (std::size_t i = 0; i < moved.size(); ++i)
    moved[i] = before[(length - 1 - i / vocabulary) * vocabulary + i % vocabulary];
  return largest_difference(after, moved);
}

}  // namespace

TEST_CASE("5.1 index: the position itself") {
  check_codes("index", 12, 1, [](int p, int) { return p; },
              {{"positions are counted from 1; the first token is at 0", [](int p, int) { return p + 1; }},
               {"positions are counted from 2, as in a table whose first rows are for padding",
                [](int p, int) { return p + 2; }},
               {"positions are counted from the end", [](int p, int) { return 11 - p; }}});
}

TEST_CASE("5.2 fraction: how far along the input") {
  for (const int length : {12, 24, 2, 1})
    check_codes(
        "fraction", length, 1, [&](int p, int) { return length > 1 ? p / (length - 1.0) : 0; },
        {{"the length divides: the last token gets (L-1)/L, not 1",
          [&](int p, int) { return p * 1.0 / length; }},
         {"positions are counted from 1: the first token gets 1/L, not 0",
          [&](int p, int) { return (p + 1.0) / length; }},
         {"the range is -1 to 1", [&](int p, int) { return 2 * p / std::max(length - 1.0, 1.0) - 1; }},
         {"the division is one of whole numbers, which leaves 0 and 1 only",
          [&](int p, int) { return length > 1 ? p / (length - 1) : 0; }},
         {"the length is always taken to be 12", [&](int p, int) { return p / 11.0; }}});
}

TEST_CASE("5.3 one-hot: a number for every position, 1 at its own") {
  check_codes(
      "onehot:capacity=6", 6, 6, [](int p, int n) { return p == n; },
      {{"the 1 stands one place too far on", [](int p, int n) { return (p + 1) % 6 == n; }},
       {"all numbers up to the position's own are 1: a thermometer", [](int p, int n) { return n <= p; }},
       {"the position itself stands where a 1 should", [](int p, int n) { return p == n ? p : 0; }},
       {"the other numbers are 1, too", [](int, int) { return 1; }}});
}

TEST_CASE("5.4 one-hot times a matrix is a row of the matrix") {
  const Joined joined;
  const auto position = [](int t) { return static_cast<int>(positions[t]); };
  compare("x and one-hot codes through a linear layer, for positions 0 3 1 5",
          {"example", "token", "channel"}, joined.yours(), joined.right(position),
          {{"x passes by the linear layer: it goes through join_, too", joined.right(position, false).values},
           {"the codes are left out", joined.right([](int) { return -1; }).values},
           {"token 0, 1, 2 ... takes row 0, 1, 2 ..., wherever it stands: `rows` knows better",
            joined.right([](int t) { return t; }).values},
           {"only the codes get through: x is left out", [&] {
              Joined without_x;
              std::fill(without_x.x.begin(), without_x.x.end(), 0);
              Array rows = without_x.right(position);
              for (std::size_t i = 0; i < rows.values.size(); ++i)
                rows.values[i] -= joined.parameter("position.join.bias", 0, static_cast<int>(i % D));
              return rows.values;
            }()}});
}

TEST_CASE("5.5 binary: as many bits as the last position needs") {
  for (const int of_capacity : {5, 9, 24, 4, 16, 2, 3, 512, 513}) {
    int right = 1;
    while (1 << right < of_capacity) ++right;
    const int yours = bits_of(of_capacity);
    if (yours < right)
      throw Error(text("binary:capacity=", of_capacity, ": ", yours, " bits write 0 to ", (1 << yours) - 1,
                       ", but the last position is ", of_capacity - 1, "; ", right, " would do."));
    if (yours > right)
      throw Error(text("binary:capacity=", of_capacity, ": of ", yours, " bits the last ", yours - right,
                       " would be 0 at every position from 0 to ", of_capacity - 1, "; ", right,
                       " will do."));
  }
}

TEST_CASE("5.6 binary: the bits of the position") {
  constexpr int numbers = 4;
  check_codes("binary:capacity=16", 16, numbers, [](int p, int n) { return bit(p, n); },
              {{"the most significant bit comes first", [](int p, int n) { return bit(p, numbers - 1 - n); }},
               {"bits are picked out and left in their places, worth 1, 2, 4, 8",
                [](int p, int n) { return bit(p, n) << n; }},
               {"the position is shifted and not cut: bits from the next on are still there",
                [](int p, int n) { return p >> n; }},
               {"0 and 1 have changed places", [](int p, int n) { return 1 - bit(p, n); }},
               {"0 is written as -1", [](int p, int n) { return 2 * bit(p, n) - 1; }}});
}

TEST_CASE("5.7 what each of the four promises, and at what price") {
  struct Row {
    std::string spec;
    Properties at_12, at_24;
  };
  const Row rows[] = {
      {"index", {1, 11, 1, true, true}, {1, 23, 1, true, true}},
      {"fraction", {1, 1, 1 / 11.0, false, true}, {1, 1, 1 / 23.0, false, true}},
      {"onehot:capacity=24", {24, 1, std::sqrt(2), true, false}, {24, 1, std::sqrt(2), true, false}},
      {"binary:capacity=24", {5, 1, 1, true, false}, {5, 1, 1, true, false}}};
  for (const Row& row : rows)
    for (const int length : {12, 24}) {
      const Properties yours = properties_of(row.spec, length), right = length == 12 ? row.at_12 : row.at_24;
      const auto expect = [&](const char* what, double a, double b) {
        if (!(std::abs(a - b) < 1e-9))
          throw Error(text(row.spec, ", ", length, " tokens: ", what, " is ", significant(a, 4),
                           ", should be ", significant(b, 4), "."));
      };
      expect("how many numbers make a code", yours.numbers, right.numbers);
      expect("the largest number", yours.largest, right.largest);
      expect("the distance of the two closest codes", yours.closest, right.closest);
      expect("whether codes stay in a longer input", yours.same_when_longer, right.same_when_longer);
      expect("whether nearer positions have closer codes", yours.nearer_is_closer, right.nearer_is_closer);
    }
  for (const char* spec : {"onehot:capacity=24", "binary:capacity=24"}) {
    bool refused = false;
    try {
      codes_of(spec, 25, 25);
    } catch (const Error&) {
      refused = true;
    }
    if (!refused)
      throw Error(text(spec,
                       ": position 24 got a code, though 0 to 23 is all that can be told apart. It must "
                       "be an error: a model that reads nonsense without a word is worse than none."));
  }
}

TEST_CASE("5.8 an index added to every channel is gone after the layer norm") {
  const double none = change_when_turned("none"), fill = change_when_turned("index:join=fill"),
               append = change_when_turned("index");
  if (!(none < 1e-4))
    throw Error(
        text("without positions an encoder cannot see order, yet turning its input round moves its "
             "answers by ",
             significant(none, 3), "."));
  if (!(fill < 1e-3))
    throw Error(text(
        "index:join=fill adds one number to all channels, which a layer norm takes off again; yet "
        "turning the input round moves the answers by ",
        significant(fill, 3), ". Do all channels get the same, and is there a layer norm before attention?"));
  if (!(append > 0.01))
    throw Error(
        text("index has a channel of its own and must get through the layer norm; yet turning the "
             "input round moves the answers by ",
             significant(append, 3), " only."));
}
