// Chapter 5. The codes of each scheme against those of plain loops, and what it brings into a model against
// the long way round.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/random.h"
#include "io/format.h"
#include "lessons/05_index/contract.h"
#include "lessons/05_index/properties.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "model/transformer.h"

using namespace locus;

namespace {

using Entry = std::function<double(int position, int number)>;

Array array(int positions, int numbers, const Entry& entry) {
  Array out{{positions, numbers}, {}};
  for (int position = 0; position < positions; ++position)
    for (int number = 0; number < numbers; ++number) out.values.push_back(entry(position, number));
  return out;
}

// Codes of positions 0 .. length-1 in an input as long, with so many numbers in each.
struct Wrong {
  std::string says;
  std::function<double(int position, int number, int length)> entry;
  int more_numbers = 0;  // than are right
};
struct Input {
  std::string spec;
  int length, numbers;
};

void check_codes(const std::vector<Input>& inputs,
                 const std::function<double(int position, int number, int length)>& right,
                 const std::vector<Wrong>& mistakes) {
  const auto answer = [&](const auto& entry, int more) {
    return [&inputs, entry, more](std::size_t i) {
      const int L = inputs[i].length;
      return array(L, inputs[i].numbers + more, [&](int p, int n) { return entry(p, n, L); });
    };
  };
  const auto yours = [&](std::size_t i) {
    const std::vector<Code> codes = codes_of(inputs[i].spec, inputs[i].length, inputs[i].length);
    Array out{{inputs[i].length, static_cast<int>(codes[0].size())}, {}};
    for (const Code& code : codes) out.values.insert(out.values.end(), code.begin(), code.end());
    return out;
  };
  std::vector<std::string> names;
  for (const Input& input : inputs)
    names.push_back(text(input.spec, ", ", input.length, input.length == 1 ? " token" : " tokens"));
  std::vector<Mistake> named;
  for (const Wrong& wrong : mistakes) named.push_back({wrong.says, answer(wrong.entry, wrong.more_numbers)});
  compare(names, {"position", "number"}, yours, answer(right, 0), named, 1e-9);
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
    poison(tape);
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
  Array rows(const std::function<int(int t)>& row_of) const {
    return array(
        [&](int, int t, int c) { return row_of(t) < 0 ? 0 : parameter("position.rows", row_of(t), c); });
  }
  Array through_join(const std::vector<double>& from, bool with_bias = true) const {
    return array([&](int b, int t, int c) {
      double sum = with_bias ? parameter("position.join.bias", 0, c) : 0;
      for (int in = 0; in < D; ++in)
        sum +=
            from[static_cast<std::size_t>((b * T + t) * D + in)] * parameter("position.join.weight", in, c);
      return sum;
    });
  }
  static Array array(const std::function<double(int b, int t, int c)>& entry) {
    Array out{{B, T, D}, {}};
    for (int b = 0; b < B; ++b)
      for (int t = 0; t < T; ++t)
        for (int c = 0; c < D; ++c) out.values.push_back(entry(b, t, c));
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
  check_codes(
      {{"index", 12, 1}, {"index", 5, 1}}, [](int p, int, int) { return p; },
      {{"positions are counted from 1; the first token is at 0", [](int p, int, int) { return p + 1; }},
       {"positions are counted from 2, as in a table whose first rows are for padding",
        [](int p, int, int) { return p + 2; }},
       {"positions are counted from -1", [](int p, int, int) { return p - 1; }},
       {"positions are counted from the end", [](int p, int, int L) { return L - 1 - p; }},
       {"positions get a minus", [](int p, int, int) { return -p; }},
       {"the code is 0 at every position", [](int, int, int) { return 0; }},
       {"the code is 1 at every position", [](int, int, int) { return 1; }},
       {"the code is the length, at every position", [](int, int, int L) { return L; }},
       {"the index is divided by the length", [](int p, int, int L) { return 1.0 * p / L; }},
       {"the index is divided by 100: smaller numbers, but not the index",
        [](int p, int, int) { return p / 100.0; }},
       {"the index is squared", [](int p, int, int) { return p * p; }},
       {"the square root of the index is taken", [](int p, int, int) { return std::sqrt(p); }},
       {"the logarithm of the index + 1 is taken", [](int p, int, int) { return std::log1p(p); }},
       {"the index stands there twice; one number is enough", [](int p, int, int) { return p; }, 1},
       {"the list is empty: no number says where the token is", [](int, int, int) { return 0; }, -1}});
}

TEST_CASE("5.2 fraction: how far along the input") {
  std::vector<Input> inputs;
  for (const int length : {12, 24, 3, 2, 1}) inputs.push_back({"fraction", length, 1});
  const auto last = [](int L) { return std::max(L - 1.0, 1.0); };
  check_codes(
      inputs, [=](int p, int, int L) { return p / last(L); },
      {{"the length divides: the last token gets (L-1)/L, not 1",
        [](int p, int, int L) { return 1.0 * p / L; }},
       {"L + 1 divides: the last token gets (L-1)/(L+1), not 1",
        [](int p, int, int L) { return p / (L + 1.0); }},
       {"positions are counted from 1: the first token gets 1/L, not 0",
        [](int p, int, int L) { return (p + 1.0) / L; }},
       {"positions are counted from 1, and so the last token gets L/(L-1), more than 1",
        [=](int p, int, int L) { return (p + 1) / last(L); }},
       {"the middles of L equal pieces are taken: (p + 1/2) / L",
        [](int p, int, int L) { return (p + 0.5) / L; }},
       {"it is counted from the end: the first token gets 1, the last 0",
        [=](int p, int, int L) { return L > 1 ? 1 - p / last(L) : 0; }},
       {"it is counted from the end, and a single token gets 1",
        [=](int p, int, int L) { return 1 - p / last(L); }},
       {"the range is -1 to 1", [=](int p, int, int L) { return L > 1 ? 2 * p / last(L) - 1 : 0; }},
       {"the range is -1/2 to 1/2", [=](int p, int, int L) { return L > 1 ? p / last(L) - 0.5 : 0; }},
       {"the range is 0 to 100: that is percent", [=](int p, int, int L) { return 100 * p / last(L); }},
       {"the division is one of whole numbers, which leaves 0 and 1 only",
        [=](int p, int, int L) { return std::floor(p / last(L)); }},
       {"the length is always taken to be 12", [](int p, int, int) { return p / 11.0; }},
       {"the division is turned round: L - 1 by the position",
        [](int p, int, int L) { return p > 0 ? (L - 1.0) / p : 0; }},
       {"a single token gets 1; it is the first one, so 0",
        [=](int p, int, int L) { return L > 1 ? p / last(L) : 1; }},
       {"a single token gets 1/2; it is the first one, so 0",
        [=](int p, int, int L) { return L > 1 ? p / last(L) : 0.5; }},
       {"an input of a single token divides 0 by 0", [](int p, int, int L) { return p / (L - 1.0); }},
       {"the position is not divided at all", [](int p, int, int) { return p; }},
       {"the square of the fraction is taken",
        [=](int p, int, int L) { return p / last(L) * p / last(L); }}});
}

TEST_CASE("5.3 one-hot: a number for every position, 1 at its own") {
  check_codes(
      {{"onehot:capacity=6", 6, 6}, {"onehot:capacity=9", 9, 9}}, [](int p, int n, int) { return p == n; },
      {{"the 1 stands one position too far on (the last one wraps round)",
        [](int p, int n, int L) { return (p + 1) % L == n; }},
       {"the 1 stands one position too early (the first one wraps round)",
        [](int p, int n, int L) { return (p + L - 1) % L == n; }},
       {"the 1 stands one position too early, and position 0 shares that of 1",
        [](int p, int n, int) { return std::max(p - 1, 0) == n; }},
       {"it is counted from the end", [](int p, int n, int L) { return L - 1 - p == n; }},
       {"all numbers up to the position's own are 1: a thermometer",
        [](int p, int n, int) { return n <= p; }},
       {"all numbers before the position's own are 1, and its own is not",
        [](int p, int n, int) { return n < p; }},
       {"the position itself stands where a 1 should", [](int p, int n, int) { return p == n ? p : 0; }},
       {"the other numbers are 1, too", [](int, int, int) { return 1; }},
       {"0 and 1 have changed places: 0 at its own position, 1 elsewhere",
        [](int p, int n, int) { return p != n; }},
       {"the other numbers are -1", [](int p, int n, int) { return p == n ? 1 : -1; }},
       {"all numbers are 0: none is set", [](int, int, int) { return 0; }},
       {"all codes have their 1 first, whatever the position is", [](int, int n, int) { return n == 0; }},
       {"the 1 is divided by the capacity", [](int p, int n, int L) { return p == n ? 1.0 / L : 0; }},
       {"there is one number more than capacity_", [](int p, int n, int) { return p == n; }, 1}});
}

TEST_CASE("5.4 one-hot times a matrix is a row of the matrix") {
  const Joined joined;
  const auto position = [](int t) { return static_cast<int>(positions[t]); };
  const Array x = joined.through_join(joined.x), rows = joined.rows(position);
  const auto sum = [](const Array& a, const Array& b, double times = 1) {
    Array out = a;
    for (std::size_t i = 0; i < a.values.size(); ++i) out.values[i] += times * b.values[i];
    return out;
  };
  const auto always = [](const Array& array) { return [=](std::size_t) { return array; }; };
  const Array plain{{B, T, D}, joined.x};
  compare(
      {"x and one-hot codes through a linear layer, for positions 0 3 1 5"}, {"example", "token", "channel"},
      [&](std::size_t) { return joined.yours(); }, always(sum(x, rows)),
      {{"x passes by the linear layer: it goes through join_, too", always(sum(plain, rows))},
       {"the codes are left out", always(x)},
       {"the codes are left out, and x passes by join_", always(plain)},
       {"token 0, 1, 2 ... takes row 0, 1, 2 ..., whatever its position: `rows` has the right row numbers",
        always(sum(x, joined.rows([](int t) { return t; })))},
       {"every token takes row 0", always(sum(x, joined.rows([](int) { return 0; })))},
       {"only the codes get through: x is left out", always(rows)},
       {"the rows go through join_ as well: join_(x + rows)",
        always(joined.through_join(sum(plain, rows).values))},
       {"the rows go through join_ as well: join_(x) + join_(rows)",
        always(sum(x, joined.through_join(rows.values)))},
       {"the rows are subtracted", always(sum(x, rows, -1))},
       {"the rows are added twice", always(sum(x, rows, 2))},
       {"x itself is added once more", always(sum(sum(x, rows), plain))},
       {"x is multiplied by the rows; they are to be added", [&](std::size_t) {
          Array out = x;
          for (std::size_t i = 0; i < out.values.size(); ++i) out.values[i] *= rows.values[i];
          return out;
        }}});
}

TEST_CASE("5.5 binary: as many bits as the last position needs") {
  std::vector<double> capacities = {5, 9, 24, 4, 16, 2, 3, 512, 513, 1000};
  const auto answer = [&](const std::function<double(int of_capacity)>& bits) {
    return [&capacities, bits](std::size_t) {
      std::vector<double> all;
      for (const double one : capacities) all.push_back(bits(static_cast<int>(one)));
      return list(all);
    };
  };
  const auto right = [](int of_capacity) {
    int bits = 1;
    while (1 << bits < of_capacity) ++bits;
    return bits;
  };
  const auto width = [](int number) { return std::bit_width(static_cast<unsigned>(number)); };
  std::vector<std::string> names;
  for (const double one : capacities) names.push_back(text(one));
  compare({"bits for the capacities " + join(names, " ")}, {"capacity number"}, answer(bits_of),
          answer(right),
          {{"there is one bit too few: the last position cannot be written",
            answer([=](int c) { return right(c) - 1; })},
           {"there is one bit more than any position sets", answer([=](int c) { return right(c) + 1; })},
           {"the bits of the capacity itself are counted, which is no position: the last one is capacity - 1",
            answer([=](int c) { return width(c); })},
           {"the base-2 logarithm of the capacity is cut down to a whole number; it must be rounded up",
            answer([=](int c) { return width(c) - 1; })},
           {"the base-2 logarithm is rounded to the nearest whole number; it must be rounded up",
            answer([](int c) { return static_cast<int>(std::lround(std::log2(c))); })},
           {"the ones of capacity - 1 are counted (popcount), not its bits",
            answer([](int c) { return std::popcount(static_cast<unsigned>(c - 1)); })},
           {"the ones of the capacity are counted (popcount), not its bits",
            answer([](int c) { return std::popcount(static_cast<unsigned>(c)); })},
           {"there are as many bits as positions: that is one-hot", answer([](int c) { return c; })},
           {"the number of bits is half of the capacity", answer([](int c) { return c / 2; })},
           {"the natural logarithm is taken; bits need that of base 2",
            answer([](int c) { return static_cast<int>(std::ceil(std::log(c))); })},
           {"the decimal digits are counted",
            answer([](int c) { return static_cast<int>(std::to_string(c - 1).size()); })},
           {"there always are 32 bits, whatever the capacity", answer([](int) { return 32; })},
           {"there always are 8 bits, whatever the capacity", answer([](int) { return 8; })},
           {"the capacity is rounded up to a power of two, and that is returned, not its exponent",
            answer([=](int c) { return 1 << right(c); })}},
          0);
}

TEST_CASE("5.6 binary: the bits of the position") {
  const auto bits = [](int L) { return static_cast<int>(std::bit_width(static_cast<unsigned>(L - 1))); };
  check_codes(
      {{"binary:capacity=16", 16, 4}, {"binary:capacity=32", 32, 5}},
      [](int p, int n, int) { return bit(p, n); },
      {{"the most significant bit comes first", [=](int p, int n, int L) { return bit(p, bits(L) - 1 - n); }},
       {"bits are picked out and left where they are, worth 1, 2, 4, 8",
        [](int p, int n, int) { return bit(p, n) << n; }},
       {"the position is shifted and not cut: bits from the next on are still there",
        [](int p, int n, int) { return p >> n; }},
       {"bit 0 is skipped: it begins with the bit worth 2", [](int p, int n, int) { return bit(p, n + 1); }},
       {"positions are counted from 1: the bits are those of row + 1",
        [](int p, int n, int) { return bit(p + 1, n); }},
       {"0 and 1 have changed places", [](int p, int n, int) { return 1 - bit(p, n); }},
       {"0 is written as -1", [](int p, int n, int) { return 2 * bit(p, n) - 1; }},
       {"1 is written as -1", [](int p, int n, int) { return -bit(p, n); }},
       {"all numbers are bit 0: the row is never shifted", [](int p, int, int) { return bit(p, 0); }},
       {"the row is compared with 2^n, not its bit picked", [](int p, int n, int) { return p >= 1 << n; }},
       {"the bits are those of row XOR row/2: a Gray code",
        [](int p, int n, int) { return bit(p ^ (p >> 1), n); }},
       {"the shift goes to the left", [](int p, int n, int) { return bit(p << n, 0); }},
       {"the row is divided by n + 1, not by 2^n", [](int p, int n, int) { return p / (n + 1) % 2; }},
       {"the row's remainder by 2^(n+1) is passed on whole", [](int p, int n, int) { return p % (2 << n); }},
       {"the row itself stands there, once for each bit", [](int p, int, int) { return p; }},
       {"the last bit is left out", [](int p, int n, int) { return bit(p, n); }, -1},
       {"there is one bit more than bits(capacity_) says", [](int p, int n, int) { return bit(p, n); }, 1}});
}

TEST_CASE("5.7 which properties each of the four codes has") {
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

// --- 5.9 ---

namespace locus {
// Taken when gray_code.cpp has no such function.
__attribute__((weak)) std::vector<double> gray_code(int, int) { fail("exercise 5.9", "still to be written"); }
}  // namespace locus

TEST_CASE("5.9 a Gray code, from blank") {
  const auto is_plain_binary = [] {
    bool same = true;
    for (int p = 0; p < 32; ++p)
      for (int n = 0; n < 5; ++n) same = same && gray_code(p, 5)[static_cast<std::size_t>(n)] == bit(p, n);
    return same;
  };
  for (const int bits : {1, 2, 3, 5}) {
    std::vector<Code> codes;
    for (int p = 0; p < 1 << bits; ++p) {
      codes.push_back(gray_code(p, bits));
      const Code& code = codes.back();
      const std::string where = text("position ", p, " of ", bits, " bits: ");
      if (code.size() != static_cast<std::size_t>(bits))
        throw Error(text(where, "the code has ", code.size(), " numbers."));
      std::string written;
      for (const double number : code) written += text(' ', number);
      for (const double number : code)
        if (number != 0 && number != 1)
          throw Error(text(where, "the code is", written, "; only 0 and 1 are allowed."));
      if (p == 0 && written.find('1') != std::string::npos)
        throw Error(text(where, "the code is", written, "; it should have zeros only."));
      for (int q = 0; q < p; ++q)
        if (codes[static_cast<std::size_t>(q)] == code)
          throw Error(text(where, "the code is", written, ", which position ", q, " has already."));
      int changed = 0;
      for (std::size_t n = 0; p > 0 && n < code.size(); ++n)
        changed += code[n] != codes[static_cast<std::size_t>(p - 1)][n];
      if (changed > 1)
        throw Error(text(where, "the code is", written, "; ", changed, " numbers change from position ",
                         p - 1, ", and only one may", is_plain_binary() ? ": this is plain binary." : "."));
    }
  }
}

TEST_CASE("5.10 your test: no two positions share a code") {
  const auto candidate = [](const std::string& what, bool is_right, const PositionCode& code) {
    return Candidate{what, is_right, [=] { return tells_apart(code); }};
  };
  const auto scheme = [](const std::string& spec) {
    return [=](int p, int length) {
      ParameterTable table;
      return make_scheme(spec, {.d_model = 8, .heads = 1, .causal = false}, table)->code(p, length, nullptr);
    };
  };
  const auto number = [](const std::function<double(double p, double last)>& f) {
    return [=](int p, int length) { return Code{f(p, std::max(length - 1, 1))}; };
  };
  const auto bits = [](int count, const std::function<int(int p)>& of) {
    return [=](int p, int) {
      Code code;
      for (int n = 0; n < count; ++n) code.push_back(bit(of(p), n));
      return code;
    };
  };
  const auto wave = [](double period, bool both) {
    return [=](int p, int length) {
      const double angle = 2 * std::acos(-1) * p / (period > 0 ? period : std::max(length - 1, 1));
      return both ? Code{std::sin(angle), std::cos(angle)} : Code{std::sin(angle)};
    };
  };
  judge({candidate("your index", true, scheme("index")),
         candidate("your fraction", true, scheme("fraction")),
         candidate("your one-hot", true, scheme("onehot:capacity=40")),
         candidate("your binary", true, scheme("binary:capacity=40")),
         candidate("one clock that comes round after 41 positions", true, wave(41, true)),
         candidate("a code whose first number is always 0", true,
                   [](int p, int) {
                     return Code{0, double(p)};
                   }),
         candidate("the same code everywhere", false, number([](double, double) { return 1; })),
         candidate("even and odd", false, bits(1, [](int p) { return p; })),
         candidate("binary with 4 bits, which comes round after 16 positions", false,
                   bits(4, [](int p) { return p; })),
         candidate("binary with 5 bits, which comes round after 32 positions", false,
                   bits(5, [](int p) { return p; })),
         candidate("binary without its last bit", false, bits(6, [](int p) { return p / 2 * 2; })),
         candidate("one-hot that gives the last channel to all positions from 15 on", false,
                   [](int p, int) {
                     Code code(16);
                     code[static_cast<std::size_t>(std::min(p, 15))] = 1;
                     return code;
                   }),
         candidate("a fraction in whole numbers", false,
                   number([](double p, double last) { return std::floor(p / last); })),
         candidate("a fraction rounded to tenths", false,
                   number([](double p, double last) { return std::round(10 * p / last); })),
         candidate("the distance to the middle", false,
                   number([](double p, double last) { return std::abs(p - last / 2); })),
         candidate("an index that stops at 38", false,
                   number([](double p, double) { return std::min(p, 38.0); })),
         candidate("one clock that comes round after 12 positions", false, wave(12, true)),
         candidate("one clock that comes round at the last position: first and last are alike", false,
                   wave(0, true)),
         candidate("the sine of a clock without its cosine", false, wave(38, false)),
         candidate("a code that says where in a row of four, and forgets the row", false,
                   number([](double p, double) { return std::fmod(p, 4); }))});
}
