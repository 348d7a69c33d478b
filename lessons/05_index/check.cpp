// Chapter 5. Plain loops say what the codes of each scheme must be, and what they bring into a model.
#include "lessons/tools/check.h"

#include <bit>
#include <cstring>
#include <numbers>
#include <set>
#include <sstream>

#include "lessons/05_index/contract.h"
#include "lessons/05_index/properties.h"
#include "model/transformer.h"

[[gnu::weak]] std::string locus::lacks(const std::string&) { still_to_write("5.6"); }
[[gnu::weak]] std::vector<double> locus::gray_code(int, int) { still_to_write("5.8"); }

using namespace locus;

namespace {

// Codes of positions 0 .. length-1 in an input as long, with so many numbers in each.
struct Input {
  std::string spec;
  int length, numbers;
};

void check_codes(const std::vector<Input>& inputs,
                 const std::function<double(int position, int number, int length)>& right) {
  compare_cases<Input>(
      inputs,
      [](auto& input) {
        return str(input.spec, ", ", input.length, input.length == 1 ? " token" : " tokens");
      },
      {"position", "number"},
      [](auto& input) { return array_of(codes_of(input.spec, input.length, input.length)); },
      [&](auto& input) {
        return filled({input.length, input.numbers}, [&](int p, int n) { return right(p, n, input.length); });
      },
      1e-9);
}

// A column for each position, as high as the number that is its code; 24 is the highest for an index, 1 for a fraction.
std::string bars_of(const std::string& spec, int length) {
  const char* const heights[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  std::string line;
  for (const Code& code : codes_of(spec, length, length))
    line += heights[std::clamp(static_cast<int>(7.99 * code[0] / (spec == "index" ? 24 : 1)), 0, 7)];
  return line;
}

int bit(int number, int which) { return number >> which & 1; }

// How much the answers of an untrained model change when its input is reversed, beyond being reversed, too.
double change_when_reversed(const std::string& scheme) {
  constexpr int vocabulary = 5, length = 12;
  const Transformer model({.scheme = scheme, .d_ff = 64}, {.vocabulary = vocabulary});
  const Reals parameters = model.parameters().sample(1);
  const auto logits = [&](const std::vector<int>& tokens) {
    const auto of_tokens = [&](Tape& tape) {
      return model.logits(tape, {tokens, length, count_up(tape, length)});
    };
    return value_of(of_tokens, parameters);
  };
  std::vector<int> tokens;
  Random random(1, Purpose::testing);
  for (int t = 0; t < length; ++t) tokens.push_back(random.below(vocabulary));
  const Array before = logits(tokens);
  std::ranges::reverse(tokens);
  const Array moved = filled(before.shape, [&](int b, int t, int v) { return before(b, length - 1 - t, v); });
  return largest_difference(logits(tokens).values, moved.values);
}

TEST_CASE("5.1 index: the position as one number") {
  check_codes({{"index", 12, 1}, {"index", 5, 1}}, [](int p, int, int) { return p; });
  show(
      "Your index of 12 positions, trained, and of 24: what is past the first line never occurred in training",
      {bars_of("index", 12), bars_of("index", 24)});
}

TEST_CASE("5.2 fraction: how far along the input") {
  std::vector<Input> inputs;
  for (const int length : {12, 24, 3, 2, 1}) inputs.push_back({"fraction", length, 1});
  check_codes(inputs, [](int p, int, int length) { return length > 1 ? p / (length - 1.0) : 0; });
  show("Your fraction of 12 positions and of 24: the same height, but smaller steps",
       {bars_of("fraction", 12), bars_of("fraction", 24)});
}

TEST_CASE("5.3 one-hot times a matrix is a row of the matrix") {
  constexpr int T = 4, D = 3;
  struct Case {
    std::string what;
    int rows;  // of positions
    std::vector<double> positions;
  };
  const std::vector<Case> cases = {
      {"for the positions 0 3 1 5", 1, {0, 3, 1, 5}},
      {"for the positions 0 3 1 5 of one example, 4 0 2 3 of another", 2, {0, 3, 1, 5, 4, 0, 2, 3}}};
  const SchemeAlone scheme("onehot:capacity=6", D);
  const std::vector<double> numbers = random_numbers(24 + scheme.table.count(), 1);
  const Array x{{2, T, D}, {&numbers[0], &numbers[24]}};
  const Reals parameters(numbers.begin() + 24, numbers.end());
  compare_cases<Case>(
      cases, [](auto& c) { return "x and one-hot codes through a linear layer, " + c.what; },
      {"example", "token", "channel"},
      [&](auto& c) {
        const auto embedding = [&](Tape& tape) {
          return scheme->embedding(constant(tape, x),
                                   {.tokens = {}, .length = T, .positions = {c.rows, T, c.positions.data()}});
        };
        return value_of(embedding, parameters);
      },
      [&](auto& of) {
        const auto called = [&](const char* name) {
          return parameter_called(name, scheme.table, parameters);
        };
        const Array weight = called("position.join.weight"), bias = called("position.join.bias"),
                    rows = called("position.rows");
        return filled(x.shape, [&](int b, int t, int c) {
          return bias(c) + rows(of.positions[static_cast<std::size_t>(b % of.rows * T + t)], c) +
                 sum_of(D, [&](int in) { return x(b, t, in) * weight(in, c); });
        });
      });

  const double positions[] = {0, 3, 1, 3, 5, 0};
  const Array added = value_of(
      [&](Tape& tape) {
        return scheme->embedding(constant(tape, {{1, 6, D}, std::vector<double>(6 * D)}),
                                 {.tokens = {}, .length = 6, .positions = {1, 6, positions}});
      },
      parameters);
  std::vector<std::string> lines;
  for (const Code& row : rows_of(added.values, D)) {
    const double position = positions[lines.size()];
    lines.push_back(str("position ", position, "  ",
                        shades(filled({D}, [&](int c) {
                                 return std::clamp(0.5 + row[static_cast<std::size_t>(c)] / 4, 0.0, 1.0);
                               }).values)));
  }
  show("What your line brings to six words that are all 0: equal positions, equal rows", lines);
}

TEST_CASE("5.4 binary: how many bits") {
  const std::vector<int> capacities = {5, 9, 24, 4, 16, 2, 3, 512, 513, 1000};
  std::vector<std::string> inputs;
  for (const int capacity : capacities) inputs.push_back(str("bits for the capacity ", capacity));
  compare(
      inputs, {"number"},
      [&](std::size_t i) {  // the layer joins 8 channels and the bits
        const SchemeAlone scheme(str("binary:capacity=", capacities[i]), 8);
        return list({parameter_called("position.join.weight", scheme.table).shape[0] - 8.0});
      },
      [&](std::size_t i) { return list({1.0 * std::bit_width(static_cast<unsigned>(capacities[i] - 1))}); },
      1e-9);

  std::vector<std::string> lines;
  for (const int capacity : {12, 24, 512, 4096}) {
    const SchemeAlone scheme(str("binary:capacity=", capacity), 8);
    const int bits = parameter_called("position.join.weight", scheme.table).shape[0] - 8;
    lines.push_back(str(bar(bits / 12.0, 12), "  ", bits, " for ", capacity, " positions"));
  }
  show("Numbers in your binary code (one-hot needs as many as there are positions)", lines);
}

TEST_CASE("5.5 binary: the bits of the position") {
  check_codes({{"binary:capacity=16", 16, 4}, {"binary:capacity=32", 32, 5}},
              [](int p, int n, int) { return bit(p, n); });
}

// same, 1 of `if (code == "index") return "small known";`: the two lines can stand in either order
TEST_CASE("5.6 your prediction: what each of the four codes lacks") {
  for (const int length : {12, 24}) {
    const double last = length - 1;
    const std::pair<std::string, Properties> rows[] = {
        {"index", {1, last, 1, true, true, false}},
        {"fraction", {1, 1, 1 / last, false, true, true}},
        {"onehot:capacity=24", {24, 1, std::sqrt(2), true, false, false}},
        {"binary:capacity=24", {5, 1, 1, true, false, false}}};
    for (const auto& row : rows) {
      const Properties yours = properties_of(row.first, length), right = row.second;
      const auto same = [&](const char* what, double a, double b) {
        require(std::abs(a - b) < 1e-9, row.first, ", ", length, " tokens: ", what, " is ", significant(a, 4),
                ", should be ", significant(b, 4), ".");
      };
      same("how many numbers make a code", yours.numbers, right.numbers);
      same("the largest number", yours.largest, right.largest);
      same("the distance between the two closest codes", yours.closest, right.closest);
      same("whether positions keep their codes in a longer input", yours.same_when_longer,
           right.same_when_longer);
      same("whether nearer positions have closer codes", yours.nearer_is_closer, right.nearer_is_closer);
    }
  }
  for (const char* spec : {"onehot:capacity=24", "binary:capacity=24"})
    require(
        refuses([&] { codes_of(spec, 25, 25); }), spec,
        ": position 24 got a code, but the capacity is 24: only 0 to 23 have codes. It must be an error, as "
        "otherwise a model reads a wrong code without any error.");

  std::vector<std::string> lines = {"            small      apart    lasting    ordered      known"};
  for (const auto& [name, spec] : {std::pair{"index", "index"},
                                   {"fraction", "fraction"},
                                   {"one-hot", "onehot:capacity=24"},
                                   {"binary", "binary:capacity=24"}}) {
    const Properties found = properties_of(spec, 24);
    const std::pair<std::string, bool> has[] = {{"small", found.largest <= 1},
                                                {"apart", found.closest >= 0.5},
                                                {"lasting", found.same_when_longer},
                                                {"ordered", found.nearer_is_closer},
                                                {"known", found.known}};
    std::istringstream words(lacks(name));
    std::set<std::string> lacking;
    for (std::string word; words >> word;) {
      require(std::ranges::any_of(has, [&](auto& property) { return property.first == word; }), name, ": \"",
              word, "\" is none of the five words: small, apart, lasting, ordered, known.");
      lacking.insert(word);
    }
    int wrong = 0;
    std::string line = str(name, std::string(8 - std::strlen(name), ' '));
    for (const auto& [word, true_of_code] : has) {
      wrong += lacking.contains(word) == true_of_code;
      line += true_of_code ? "        yes" : "         no";
    }
    require(wrong == 0, name, ": for ", wrong,
            " of the five words your prediction is wrong. Write its codes of the ",
            "positions 7, 8, 11, 12 and 16 of 24 down, and try each word on them.");
    lines.push_back(line);
  }
  show("You predicted it all. What your codes have", lines);
}

TEST_CASE("5.7 an index added to every channel is gone after the layer norm") {
  const double none = change_when_reversed("none"), fill = change_when_reversed("index:join=fill"),
               append = change_when_reversed("index");
  require(none < 1e-4,
          "without positions an encoder cannot see order, yet reversing the input changes the answers by ",
          significant(none, 3), ".");
  require(
      fill < 1e-3,
      "index:join=fill adds one number to all channels, and a layer norm subtracts it again; yet reversing "
      "the input changes the answers by ",
      significant(fill, 3), ". Do all channels get the same, and is there a layer norm before attention?");
  require(append > 0.01,
          "index has a channel of its own and must get through the layer norm; yet reversing the input "
          "changes the answers by ",
          significant(append, 3), " only.");
}

// same, 1 of `std::vector<double> code;`: neither line reads what the other writes
TEST_CASE("5.8 a Gray code, from blank") {
  bool plain_binary = true;
  for (int p = 0; p < 32; ++p)
    plain_binary &= gray_code(p, 5) == filled({5}, [&](int n) { return bit(p, n); }).values;
  for (const int bits : {1, 2, 3, 5}) {
    std::vector<Code> codes;
    for (int p = 0; p < 1 << bits; ++p) {
      const Code code = gray_code(p, bits);
      std::string written = str("position ", p, " of ", bits, " bits: the code ");
      require(code.size() == static_cast<std::size_t>(bits), written, "has ", code.size(), " numbers.");
      written += "is";
      for (const double number : code) written += str(' ', number);
      for (const double number : code)
        require(number == 0 || number == 1, written, "; only 0 and 1 are allowed.");
      require(p > 0 || code == Code(code.size()), written, "; it should have zeros only.");
      for (std::size_t q = 0; q < codes.size(); ++q)
        require(codes[q] != code, written, ", which position ", q, " has already.");
      const double changed =
          p == 0 ? 0 : sum_of(code.size(), [&](std::size_t n) { return code[n] != codes.back()[n]; });
      require(changed <= 1, written, "; ", changed, " numbers change from position ", p - 1,
              ", and only one may", plain_binary ? ": this is plain binary." : ".");
      codes.push_back(code);
    }
  }

  std::vector<std::string> rows;
  for (int n = 0; n < 4; ++n) rows.push_back(shades(filled({16}, [&](int p) { return bit(p, n); }).values));
  rows.push_back("");
  for (int n = 0; n < 4; ++n)
    rows.push_back(shades(filled({16}, [&](int p) { return gray_code(p, 4)[n]; }).values));
  show("Bits of the positions 0 to 15: binary, and your Gray code, in which one row changes at a time", rows);
}

TEST_CASE("5.9 your test: no two positions share a code") {
  // The learner's code, of this position or of another.
  const auto scheme = [](const std::string& spec, const std::function<int(int p)>& at = std::identity()) {
    return [=](int p, int length) { return SchemeAlone(spec, 8)->code(at(p), length, nullptr); };
  };
  const auto number = [](const std::function<double(int p, int last)>& f) {
    return [=](int p, int length) { return Code{f(p, std::max(length - 1, 1))}; };
  };
  const auto circle = [](int p, int period) {
    const double angle = 2 * std::numbers::pi * p / period;
    return Code{std::sin(angle), std::cos(angle)};
  };
  judge<PositionCode>(
      tells_apart,
      {{"your index", scheme("index")},
       {"your fraction", scheme("fraction")},
       {"your one-hot", scheme("onehot:capacity=40")},
       {"your binary", scheme("binary:capacity=40")},
       {"a point on a circle (sine and cosine) that repeats after 41 positions",
        [=](int p, int) { return circle(p, 41); }},
       {"a code whose first number is always 0",
        [](int p, int) -> Code {
          return {0, double(p)};
        }},
       {"a millionth of the index", number([](int p, int) { return 1e-6 * p; })}},
      {{"the same code everywhere", number([](int, int) { return 1; })},
       {"0 for even positions, 1 for odd ones", number([](int p, int) { return p % 2; })},
       {"binary with 4 bits, which repeats after 16 positions",
        scheme("binary:capacity=16", [](int p) { return p % 16; })},
       {"binary with 5 bits, which repeats after 32 positions",
        scheme("binary:capacity=32", [](int p) { return p % 32; })},
       {"binary in which the bit worth 1 is always 0",
        scheme("binary:capacity=40", [](int p) { return p / 2 * 2; })},
       {"one-hot that gives the last channel to all positions from 15 on",
        scheme("onehot:capacity=16", [](int p) { return std::min(p, 15); })},
       {"a fraction rounded down to a whole number", number([](int p, int last) { return p / last; })},
       {"a fraction rounded to tenths", number([](int p, int last) { return std::round(10.0 * p / last); })},
       {"the distance to the middle", number([](int p, int last) { return std::abs(p - last / 2.0); })},
       {"an index whose last two positions are alike, but for an input of 40",
        number([](int p, int last) { return last < 39 && last > 1 ? std::min(p, last - 1) : p; })},
       {"an index that stops at 38", number([](int p, int) { return std::min(p, 38); })},
       {"a point on a circle (sine and cosine) that repeats after 12 positions",
        [=](int p, int) { return circle(p, 12); }},
       {"a point on a circle with the same code for the first and the last position",
        [=](int p, int length) { return circle(p, std::max(length - 1, 1)); }},
       {"the sine of an angle without its cosine", number([=](int p, int) { return circle(p, 38)[0]; })},
       {"the remainder of the position after division by 4", number([](int p, int) { return p % 4; })}});
}

}  // namespace
