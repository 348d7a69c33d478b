// Chapter 9. Slopes of any number of heads, biases, ceilings, and one head of attention in double.
#include "lessons/tools/check.h"

#include <numeric>

#include "lessons/09_alibi/contract.h"
#include "positional/support/alibi_slope.h"
#include "tasks/support/registry.h"

[[gnu::weak]] double locus::best_share(const Tokens&, const Solve&) { still_to_write("9.5"); }
[[gnu::weak]] double locus::two_sided_bias(int, int, double, double, double) { still_to_write("9.7"); }

using namespace locus;

namespace {

// 2^(-8 (head + 1) / heads), counted in roots: the ratio of two slopes is the root of 2^-8 that belongs to `heads`.
double right_slope(int head, int heads) {
  int lower = 1;
  while (2 * lower <= heads) lower *= 2;
  const double ratio = std::pow(256.0, -1.0 / lower);
  if (head < lower) return std::pow(ratio, head + 1);
  return std::pow(std::sqrt(ratio), 2 * (head - lower) + 1);  // the root of it belongs to twice as many heads
}

using Slope = double (*)(int head, int heads);
void compare_slopes(const std::vector<int>& counts, Slope slope) {
  std::vector<std::string> inputs;
  for (const int heads : counts) inputs.push_back(str("slopes of ", heads, heads == 1 ? " head" : " heads"));
  const auto all_of = [&](Slope of) {
    return [&counts, of](std::size_t i) {
      std::vector<double> slopes;
      for (int head = 0; head < counts[i]; ++head) slopes.push_back(of(head, counts[i]));
      return list(slopes);
    };
  };
  compare(inputs, {"head"}, all_of(slope), all_of(right_slope), 1e-9);
}

const std::vector<double> positions = {0, 1, 2.5, 4, 9};
constexpr int heads_of_bias = 3;

// The biases of all heads (3,5,5) between these positions, of the scheme in this direction.
Array biases(const std::string& direction) {
  const SchemeAlone scheme("alibi:direction=" + direction, 12, heads_of_bias);
  return filled({heads_of_bias, 5, 5}, [&](int head, int i, int j) {
    const double query = positions.data()[i], key = positions.data()[j];
    const auto bias = scheme->bias(head, query, key);
    require(bias.has_value(), "direction ", direction, ", query at ", query, ", key at ", key,
            ": bias() gives no number (std::nullopt). A key that gets nothing gets 0.");
    return *bias;
  });
}

Array right_biases(const std::function<double(double query, double key)>& without_slope) {
  return filled({heads_of_bias, 5, 5}, [&](int head, int i, int j) {
    return right_slope(head, heads_of_bias) * without_slope(positions.data()[i], positions.data()[j]);
  });
}

const std::vector<std::string> bias_axes = {"head", "query number", "key number"};

}  // namespace

TEST_CASE("9.1 the slopes of 2, 4, 8, 16 heads") {
  compare_slopes({8, 4, 16, 2, 1, 32}, slope_of_power_of_two);
}

TEST_CASE("9.2 the slopes of any number of heads") {
  compare_slopes({6, 12, 8, 3, 7, 20, 1}, alibi_slope);

  std::vector<std::string> lines;
  for (int head = 0; head < 8; ++head)
    lines.push_back(str(fixed(alibi_slope(head, 8), 4), "  ", bar(2 * alibi_slope(head, 8))));
  show("Your slopes of 8 heads, from the one that sees near to the one that sees far", lines);
}

// same, 1 of `if (direction_ == "causal" && key > query) return 0;`: the bias of a key at the query's own position is 0 by either line, and a distance is the same from both ends
// same, 1 of `return -m * std::abs(query - key);`: the bias of a key at the query's own position is 0 by either line, and a distance is the same from both ends
TEST_CASE("9.3 the bias: symmetric in an encoder, causal in a decoder") {
  const std::vector<std::string> directions = {"symmetric", "causal"};
  compare(
      {"direction symmetric, positions 0, 1, 2.5, 4 and 9", "direction causal, positions 0, 1, 2.5, 4 and 9"},
      bias_axes, [&](std::size_t i) { return biases(directions[i]); },
      [&](std::size_t i) {
        return right_biases([i](double query, double key) {
          if (i == 1 && key > query) return 0.0;
          return key > query ? query - key : key - query;
        });
      },
      1e-9, {{"in the symmetric direction", {0}}, {"in the causal direction", {1}}});

  const SchemeAlone scheme("alibi:direction=symmetric", 12, heads_of_bias);
  std::vector<std::string> rows;
  for (int query = 0; query < 8; ++query)
    rows.push_back(
        shades(filled({8}, [&](int key) { return std::exp(60 * *scheme->bias(1, query, key)); }).values));
  show("Your bias: what a key gets, for each query a row; dark is near", rows);
}

// --- 9.4 and 9.5 ---

namespace {

Solve solver(const std::string& task) {
  return [&found = find_task(task)](const Tokens& input) {
    return found.target_of(input).value_or(std::vector<int>());
  };
}

// Whether `labels` of the input and those of its mirror image ask for the same at each token.
double right_share(const Tokens& input, const Solve& solve) {
  const Tokens mirror(input.rbegin(), input.rend());
  const std::vector<int> labels = solve(input), others = solve(mirror);
  if (others.empty()) return 1;
  int right = 0;  // of all labels of both
  for (std::size_t i = 0; i < labels.size(); ++i) right += labels[i] == others[others.size() - 1 - i] ? 2 : 1;
  return right / (2.0 * static_cast<double>(labels.size()));
}

struct Question {
  std::string task, input;  // the input as it is spelled
  std::string what() const { return str('`', task, "` of ", input); }
};

std::string spelled(const Task& task, const std::vector<int>& labels) {
  return labels.empty() ? "none: it is no input of the task" : spell(task, labels);
}

}  // namespace

// same, 1 of `double previous_of_one_input = 5.0 / 8;`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `double previous = 11.0 / 20;`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `double needle = 2.0 / 3;`: the two lines can stand in either order: neither reads what the other writes
TEST_CASE("9.4 four mirror-blind ceilings, counted by hand") {
  const std::vector<std::pair<std::string, double>> questions = {
      {"previous_of_one_input", right_share({1, 1, 2, 3}, solver("previous"))},
      {"previous", 0.1 * 1 + 0.9 * 0.5},  // the neighbours are equal, or not
      {"needle", (1 + 0.5 + 0.5) / 3},    // the mark is the first of the four tokens, the second, the third
      {"reverse", 1}};
  const std::vector<double> yours = mirror_blind_by_hand();
  compare_by_hand("mirror_blind_by_hand()", yours, questions, [&](std::size_t q) -> std::string {
    if (yours[q] > 1) return "No share is above 1.";
    if (yours[q] == 0) return "Is a fraction of whole numbers cut to 0? 3 / 7 is 0, and 3.0 / 7 is not.";
    if (yours[q] < 0.5)
      return "No share is below 0.5: of the two labels of a token, in the input and in its mirror image, one can always be right.";
    return "Write down an input and its mirror image, with the right labels of both, and compare token by token: "
           "where the labels are the same, both can be right; where they differ, one of two.";
  });
}

// same, 1 of `if (of_mirror.empty()) return 1;`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `sum += labels[i] == of_mirror[labels.size() - 1 - i] ? 1 : 0.5;`: both lists are equally long, and each pair of a position and its mirror image is met from both ends
// same, 1 of `for (std::size_t i = 0; i < labels.size(); ++i)`: both lists are equally long, and each pair of a position and its mirror image is met from both ends
// same, 1 of `return sum / static_cast<double>(labels.size());`: both lists are equally long, and each pair of a position and its mirror image is met from both ends
TEST_CASE("9.5 the mirror-blind ceiling of one input, from blank") {
  const std::vector<Question> questions = {
      {"previous", "1 1 2 3"}, {"previous", "4 7 4 7 2"}, {"sort", "3 1 2 1 0"},  {"needle", ". 4 ! . 7 2"},
      {"needle", "! 4 . 7 2"}, {"before", "3 B 1 A 2"},   {"parity", "a b b"},    {"first", "5"},
      {"previous", "1 2 1"},   {"reverse", "2 7 1"},      {"last", "6 0 6 2 6 6"}};
  std::vector<std::string> inputs;
  std::vector<Tokens> tokens;
  for (const Question& question : questions) {
    inputs.push_back(question.what());
    tokens.push_back(read_tokens(find_task(question.task), question.input));
  }
  on_crash(
      "Your lines of this step end the program: an index is out of range. How many labels does solve() give? "
      "For `needle` it is one, for what is no input of the task none.");
  const auto right = [&](std::size_t i) { return right_share(tokens[i], solver(questions[i].task)); };
  const auto wrong = [&](std::size_t i, const std::vector<Array>& yours) {
    const Task& task = find_task(questions[i].task);
    const Tokens mirror(tokens[i].rbegin(), tokens[i].rend());
    const auto labels = [&](const Tokens& of) { return spelled(task, solver(questions[i].task)(of)); };
    const double share = yours[i].values[0];
    return str("yours is ", significant(share, 4), ", right is ", significant(right(i), 4),
               share > 1 ? " (no share is above 1)." : ".", "\n  input ", questions[i].input, ": labels ",
               labels(tokens[i]), "\n  mirror image ", spell(task, mirror), ": labels ", labels(mirror));
  };
  compare_in_words(
      inputs, {"share"},
      [&](std::size_t i) {
        const Solve solve = [&, i](const Tokens& asked) {
          require(std::ranges::is_permutation(asked, tokens[i]),
                  "solve() was asked for tokens that are not those of the input, in any order.");
          return solver(questions[i].task)(asked);
        };
        return list({best_share(tokens[i], solve)});
      },
      [&](std::size_t i) { return list({right(i)}); }, 1e-9, {wrong});
}

// --- 9.6 ---

namespace {

// What is added to the score of the key in row j for the query in row i of an input.
using Bias = std::function<double(int i, int j, const Tokens& input)>;

// One head of attention in double, over tokens whose query, key and value are three numbers made of the token; what it
// mixes, plus a number for the token itself.
Read attention(const Bias& bias, const std::function<double(int token, int i)>& embedding = {}) {
  return [=](const Tokens& input) {
    const int T = static_cast<int>(input.size());
    const auto x = [&](int i) {
      const int token = input[static_cast<std::size_t>(i)];
      return embedding ? embedding(token, i) : static_cast<double>(token);
    };
    std::vector<double> out;
    for (int i = 0; i < T; ++i) {
      double sum = 0, total = 0;
      for (int j = 0; j < T; ++j) {
        const double weight = std::exp(std::sin(1.3 * x(i) + 0.4) * std::cos(0.8 * x(j)) + bias(i, j, input));
        sum += weight * std::sin(2.1 * x(j) + 1);
        total += weight;
      }
      out.push_back(sum / total + 0.1 * x(i));
    }
    return out;
  };
}

Bias by_distance(const std::function<double(int j_minus_i)>& bias) {
  return [=](int i, int j, const Tokens&) { return bias(j - i); };
}

constexpr double hidden = -1e9;  // the score of a key that is masked

}  // namespace

TEST_CASE("9.6 your test: is a model mirror-blind?") {
  const auto candidate = [](const std::string& what, bool is_right, const Read& read) {
    const Read asked = [read](const Tokens& input) {
      require(!input.empty() && input.size() <= 16, "Your test asks what is read in ", input.size(),
              " tokens. An input has 1 to 16.");
      return read(input);
    };
    return Candidate{what, is_right, [=] { return mirror_blind(asked); }};
  };
  const auto bias = [&](const std::string& what, bool is_right, const std::function<double(int)>& of) {
    return candidate(what, is_right, attention(by_distance(of)));
  };
  const auto embedded = [&](const std::string& what, bool is_right,
                            const std::function<double(int, int)>& of) {
    return candidate(what, is_right, attention(by_distance([](int) { return 0; }), of));
  };
  const auto looks_left = [&](const std::string& what,
                              const std::function<bool(int i, const Tokens&)>& where) {
    return candidate(what, false, attention([where](int i, int j, const Tokens& input) {
                       return j > i && where(i, input) ? hidden : 0;
                     }));
  };
  judge({
      bias("no positions at all", true, [](int) { return 0; }),
      bias("symmetric ALiBi, slope 1/2", true, [](int d) { return -0.5 * std::abs(d); }),
      bias("symmetric ALiBi, slope 1/256", true, [](int d) { return -std::abs(d) / 256.0; }),
      bias("KERPLE, which falls with the logarithm of the distance", true,
           [](int d) { return -2 * std::log1p(3.0 * std::abs(d)); }),
      bias("Sandwich, cosines of the distance", true, [](int d) { return std::cos(d) + std::cos(0.1 * d); }),
      bias("a window: keys more than 2 away are masked", true,
           [](int d) { return std::abs(d) > 2 ? hidden : 0; }),
      candidate("positions counted from the middle, the same on both sides", true,
                attention([](int i, int j, const Tokens& input) {
                  const int T = static_cast<int>(input.size());
                  return 0.3 * std::abs(2 * i - T + 1) - 0.2 * std::abs(2 * j - T + 1);
                })),
      candidate("each token as it is, unread", true,
                [](const Tokens& input) { return std::vector<double>(input.begin(), input.end()); }),
      candidate("the sum of all tokens, everywhere", true,
                [](const Tokens& input) {
                  return std::vector<double>(input.size(), std::accumulate(input.begin(), input.end(), 0.0));
                }),
      candidate("of equal keys the left one is preferred, which nothing shows: they have one value", true,
                attention([](int, int j, const Tokens& input) {
                  const int token = input[static_cast<std::size_t>(j)];
                  return std::find(input.begin(), input.begin() + j, token) == input.begin() + j ? 0.5 : 0;
                })),

      bias("a causal mask", false, [](int d) { return d > 0 ? hidden : 0; }),
      bias("ALiBi without the absolute value: it rises to the left", false, [](int d) { return -0.5 * d; }),
      bias("asymmetric ALiBi, slope 1/2", false,
           [](int d) { return -0.5 * (std::abs(d) - (d < 0 ? 0.5 : 0)); }),
      bias("asymmetric ALiBi, slope 1/256", false,
           [](int d) { return -(std::abs(d) - (d < 0 ? 0.5 : 0)) / 256; }),
      bias("only the key just before differs from the key just after", false,
           [](int d) { return d == -1 ? 1 : 0; }),
      bias("only keys 8 or more away differ from left to right", false,
           [](int d) { return d <= -8 ? 1 : 0; }),
      bias("only keys 15 away differ from left to right", false, [](int d) { return d == 15 ? 1 : 0; }),
      bias("T5's buckets, which are others on the left", false,
           [](int d) { return std::sin(std::min(std::abs(d), 4) + (d > 0 ? 5 : 0)); }),
      embedded("sinusoids added", false, [](int token, int i) { return token + std::sin(i); }),
      embedded("the index added", false, [](int token, int i) { return token + 0.01 * i; }),
      candidate("every query prefers the first key, as with a CLS token", false,
                attention([](int, int j, const Tokens&) { return j == 0 ? 1 : 0; })),
      looks_left("only inputs of odd length are read from left to right",
                 [](int, auto& in) { return in.size() % 2 == 1; }),
      looks_left("only inputs of even length are read from left to right",
                 [](int, auto& in) { return in.size() % 2 == 0; }),
      looks_left("only inputs of two tokens are read from left to right",
                 [](int, auto& in) { return in.size() == 2; }),
      looks_left("only inputs in which an 8 follows a 3 are read from left to right",
                 [](int, auto& in) {
                   const Tokens pair = {3, 8};
                   return std::search(in.begin(), in.end(), pair.begin(), pair.end()) != in.end();
                 }),
      looks_left("only the query 0 looks left", [](int i, auto& in) { return in.data()[i] == 0; }),
      looks_left("only the query 7 looks left", [](int i, auto& in) { return in.data()[i] == 7; }),
      looks_left("only the query 9 looks left", [](int i, auto& in) { return in.data()[i] == 9; }),
      looks_left("only queries between the first and the last token look left",
                 [](int i, auto& in) { return i > 0 && i + 1 < static_cast<int>(in.size()); }),
      looks_left("only the token in the middle looks left",
                 [](int i, auto& in) { return 2 * i + 1 == static_cast<int>(in.size()); }),
      looks_left("only a token that stands twice in a row looks left",
                 [](int i, auto& in) { return i > 0 && in.data()[i] == in.data()[i - 1]; }),
      bias("keys on the left get 0.00000002 more", false, [](int d) { return d < 0 ? 2e-8 : 0; }),
      candidate("the running sum from the left", false,
                [](const Tokens& input) {
                  std::vector<double> sums(input.begin(), input.end());
                  std::partial_sum(sums.begin(), sums.end(), sums.begin());
                  return sums;
                }),
      candidate("the tokens in ascending order, so that the reversed input gives the same, not the reverse",
                false,
                [](const Tokens& input) {
                  std::vector<double> sorted(input.begin(), input.end());
                  std::sort(sorted.begin(), sorted.end());
                  return sorted;
                }),
  });
}

// --- 9.7 ---

namespace {

// The bias of a learner's head, for a query at this position; the key is `relative` positions after it.
struct Head {
  int head, heads;
  double at(int relative, int query = 100) const {
    const double bias = two_sided_bias(head, heads, m(), query, query + relative);
    if (!std::isfinite(bias))
      throw Error(
          str(name(), ": the bias of the key ", side(relative), " is ", bias, ", which is not finite."));
    return bias;
  }
  double m() const { return right_slope(head, heads); }
  std::string name() const { return str("head ", head, " of ", heads, ", slope ", significant(m(), 4)); }
  static std::string side(int relative) {
    if (relative == 0) return "at the query's own position";
    return str(std::abs(relative), relative < 0 ? " before the query" : " after the query");
  }
};

constexpr int farthest = 64;

void require_shift_invariant(const Head& of) {
  for (const int relative : {0, -1, 1, -2, 3, -17, 30})
    for (const int query : {40, 101, 700, 5000})
      if (!(std::abs(of.at(relative, query) - of.at(relative)) < 1e-6))
        throw Error(str(of.name(), ": the key ", Head::side(relative), " gets ",
                        significant(of.at(relative), 6), " when the query is at 100, and ",
                        significant(of.at(relative, query), 6), " when it is at ", query,
                        ". The bias must depend on key - query only."));
}

void require_recency(const Head& of) {
  bool falls = false;
  for (const int side : {-1, 1}) {
    bool all_less = true;
    for (int distance = 2; distance <= farthest; ++distance) {
      const double near = of.at(side * (distance - 1)), far = of.at(side * distance);
      if (far > near + 1e-9)
        throw Error(str(of.name(), ": the key ", Head::side(side * distance), " gets ", significant(far, 4),
                        ", more than the nearer key ", Head::side(side * (distance - 1)), ", which gets ",
                        significant(near, 4), ". A farther key on the same side must not get more."));
      all_less &= far < near;
    }
    falls |= all_less;
  }
  if (!falls)
    throw Error(str(of.name(), ": on neither side does the bias fall all the way to the distance ", farthest,
                    ". On at least one side each key must get less than the one before it."));
}

// The smallest distance at which no head gives the left and the right another number.
void require_two_sides(int heads) {
  std::vector<int> blind;
  for (int distance = 1; distance <= farthest; ++distance) {
    bool told_apart = false;
    for (int head = 0; head < heads; ++head) {
      const Head of{head, heads};
      told_apart |= std::abs(of.at(-distance) - of.at(distance)) > 1e-6;
    }
    if (!told_apart) blind.push_back(distance);
  }
  if (blind.size() == farthest)
    throw Error(
        str("with ", heads, heads == 1 ? " head" : " heads",
            ", every head gives a key on the left as much as the key as far on the right, at every distance: "
            "that is still mirror-blind."));
  if (!blind.empty())
    throw Error(str("with ", heads, heads == 1 ? " head" : " heads", ", no head tells the key ",
                    Head::side(-blind.front()), " from the key ", Head::side(blind.front()),
                    ". Some head must, at every distance up to ", farthest, '.'));
}

}  // namespace

TEST_CASE("9.7 your own bias: it falls with distance, and tells left from right") {
  for (const int heads : {8, 2, 1, 6}) {
    for (int head = 0; head < heads; ++head) {
      require_shift_invariant({head, heads});
      require_recency({head, heads});
    }
    require_two_sides(heads);
  }
  std::vector<std::string> rows;
  for (int head = 0; head < 8; ++head) {
    std::vector<double> shares;
    for (int key = -12; key <= 12; ++key)
      shares.push_back(0.999 * std::exp(two_sided_bias(head, 8, std::exp2(-1.0 - head), 0, key)));
    rows.push_back(shades(shares));
  }
  show("What your bias leaves of the keys at the left and right of a query in the middle, by head", rows);
}

TEST_CASE("9.8 the asymmetric bias, as published") {
  compare(
      {"direction asymmetric, positions 0, 1, 2.5, 4 and 9"}, bias_axes,
      [](std::size_t) { return biases("asymmetric"); },
      [](std::size_t) {
        return right_biases([](double query, double key) {
          if (key < query) return 0.5 - (query - key);
          return query - key;
        });
      },
      1e-9);
}
