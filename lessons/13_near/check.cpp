// Chapter 13. Chains that are right and wrong, the fairness of a draw, the nearest and the farthest digit, and solvers of
// which most are broken.
#include "lessons/tools/check.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/format.h"
#include "lessons/13_near/contract.h"
#include "lessons/tools/judge.h"

using namespace locus;

namespace locus {
// Taken when the learner's files have no such function.
__attribute__((weak)) bool accepts_chain(const Tokens&) { fail("exercise 13.1", "still to be written"); }
__attribute__((weak)) Tokens draw_chain(Random&, int) { fail("exercise 13.2", "still to be written"); }
__attribute__((weak)) int partner(const Tokens&, bool) { fail("exercise 13.3", "still to be written"); }
__attribute__((weak)) std::vector<double> right_by_distance(const std::vector<std::vector<bool>>&) {
  fail("exercise 13.5", "still to be written");
}
}  // namespace locus

namespace {

std::string spelled(const Tokens& chain) {
  std::string words;
  for (const int token : chain)
    words += str(words.empty() ? "" : " ", token == hay ? "." : token == mark ? "!" : str(token));
  return words;
}

Tokens read(const std::string& words) {
  Tokens tokens;
  for (const char letter : words)
    if (letter != ' ') tokens.push_back(letter == '.' ? hay : letter == '!' ? mark : letter - '0');
  return tokens;
}

int distance(const Tokens& chain, std::size_t i) {
  const auto at = static_cast<std::size_t>(std::ranges::find(chain, mark) - chain.begin());
  return static_cast<int>(i > at ? i - at : at - i);
}

// The digits, by their distance from the mark, ascending.
std::vector<std::pair<int, int>> by_distance(const Tokens& chain) {
  std::vector<std::pair<int, int>> found;
  for (std::size_t i = 0; i < chain.size(); ++i)
    if (chain[i] < hay) found.emplace_back(distance(chain, i), chain[i]);
  std::ranges::sort(found);
  return found;
}

int right_partner(const Tokens& chain, bool far) {
  const auto found = by_distance(chain);
  return far ? found.back().second : found.front().second;
}

// Why these tokens are no chain; empty if they are one.
std::string no_chain(const Tokens& tokens) {
  const auto marks = std::ranges::count(tokens, mark);
  if (marks != 1) return str("it has ", marks, " marks");
  auto found = by_distance(tokens);
  if (found.size() != 3) return str("it has ", found.size(), " digits");
  if (found[0].first == found[1].first || found[1].first == found[2].first)
    return "two digits are at the same distance from the mark";
  if (found[0].second == found[1].second || found[1].second == found[2].second ||
      found[0].second == found[2].second)
    return "a digit is there twice";
  return "";
}

Tokens right_draw(Random& random, int length) {
  Tokens chain(static_cast<std::size_t>(length));
  do {
    for (int& token : chain) token = random.below(4) == 0 ? random.below(10) : hay;
    chain[static_cast<std::size_t>(random.below(length))] = mark;
  } while (!no_chain(chain).empty());
  return chain;
}

}  // namespace

// same, 1 of `const long at = std::ranges::find(tokens, mark) - tokens.begin();`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `long marks = 0, count = 0;`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `++count;`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `digits.insert(token);`: the two lines can stand in either order: neither reads what the other writes; a set holds as many different numbers when all have another sign
// same, 2 of `distances.insert(std::abs(i - at));`: a set holds as many different numbers when all have another sign; equality and conjunction are symmetric, and so is the absolute value
// same, 1 of `if (token == mark) ++marks;`: equality and conjunction are symmetric, and so is the absolute value
// same, 1 of `return marks == 1 && count == 3 && digits.size() == 3 && distances.size() == 3;`: equality and conjunction are symmetric, and so is the absolute value
TEST_CASE("13.1 what is a chain, and what is not") {
  std::vector<std::string> inputs;
  std::vector<Tokens> all;
  for (const char* words : {". 4 ! . . 7 2", "! 1 2 3",
                            "9 . 0 . 5 !",   "4 . . ! 7 . . . 2 .",
                            "0 5 ! . 3",     ". . . . 8 ! . 6 . . . 1 . .",
                            "4 . ! . 7 2",   "5 . . 3 ! . . 6",
                            ". ! 4 2 . .",   "! 4 2 7 1",
                            "4 2 . 7 .",     "4 ! 2 . 7 ! .",
                            "! . 4 4 7",     "4 . . ! . 4 7",
                            "4 2 ! 4 . . 7", ". . . .",
                            "! . . .",       "",
                            "2 ! 2 .",       "4 ! 2 . 7 . . 1",
                            "! ! 1 2 3",     "0 ! . 0 . . 1",
                            "0 0 ! . . . 5", "1 2 3",
                            "3 3 3 !",       "! ! 4 . 4 . . 4",
                            "5 ! 5 5",       "0 . ! 4 . . 7",
                            "9 ! . . 4 7",   "4 . 2 ! . . . 4",
                            "5 . 3 ! 6",     "! 1 . 2 3"}) {
    all.push_back(read(words));
    inputs.push_back(str("accepts_chain() of `", words, "` (1: yes, 0: no)"));
  }
  compare(
      inputs, {"answer"}, [&](std::size_t i) { return list({accepts_chain(all[i]) ? 1.0 : 0.0}); },
      [&](std::size_t i) { return list({no_chain(all[i]).empty() ? 1.0 : 0.0}); }, 1e-9);
}

// same, 1 of `random.shuffle(std::span(digits));`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `std::copy_n(digits.begin(), 3, chain.begin());`: the two lines can stand in either order: neither reads what the other writes; the fourth digit is overwritten by the mark
TEST_CASE("13.2 a draw: every chain equally likely") {
  static constexpr int draws = 40'000, length = 9;
  for (int tokens = 4; tokens <= 16; ++tokens) {
    on_timeout(
        tokens <= 5
            ? "still running when time was up, with 4 or 5 tokens. Does what you draw hold one mark, three "
              "different digits, and hay at all other positions, and is all of it drawn again that can be wrong? "
              "(No chain of 4 tokens has its mark at position 1 or 2, and none of 5 tokens at position 2: "
              "a mark that stays there never becomes a chain.)"
            : nullptr);
    Random random(5, Purpose::testing, static_cast<std::uint64_t>(tokens)), again = random;
    for (int n = 0; n < 100; ++n) {
      const Tokens chain = draw_chain(random, tokens);
      if (std::ssize(chain) != tokens)
        throw Error(
            str("draw_chain() of length ", tokens, " gives ", chain.size(), " tokens: ", spelled(chain)));
      for (const int token : chain)
        if (token < 0 || token > mark)
          throw Error(str("draw_chain() of length ", tokens, " gives the token ", token,
                          ". Tokens are from 0 to 9, 10 (hay) and 11 (mark)."));
      const std::string why = no_chain(chain);
      if (!why.empty())
        throw Error(str("draw_chain() of length ", tokens, " gives `", spelled(chain), "`: ", why, '.'));
      if (draw_chain(again, tokens) != chain)
        throw Error(
            "Two generators in the same state give different chains: something is random besides `random`.");
    }
  }
  // What each of many draws holds, as shares, beside the shares of a draw that is right.
  struct Shares {
    double digit[10]{}, partner[10]{}, position[length]{}, ascending = 0, rising = 0, left = 0, same = 0,
                                                           next = 0;
  };
  const auto shares = [](const std::function<Tokens(Random&)>& draw) {
    Shares of;
    Random random(7, Purpose::testing);
    Tokens last;
    for (int n = 0; n < draws; ++n) {
      const Tokens chain = draw(random);
      const auto found = by_distance(chain);
      for (const auto& [apart, digit] : found) of.digit[digit] += 1.0 / draws;
      of.partner[found.back().second] += 1.0 / draws;
      of.position[std::ranges::find(chain, mark) - chain.begin()] += 1.0 / draws;
      of.ascending += (found[0].second < found[2].second ? 1.0 : 0.0) / draws;
      Tokens digits = chain;
      std::erase_if(digits, [](int token) { return token >= hay; });
      of.rising += (std::ranges::is_sorted(digits) ? 1.0 : 0.0) / draws;
      of.left +=
          (std::ranges::find(chain, found[2].second) < std::ranges::find(chain, mark) ? 1.0 : 0.0) / draws;
      of.next +=
          (std::ranges::any_of(
               digits, [&](int digit) { return std::ranges::find(digits, (digit + 1) % 10) != digits.end(); })
               ? 1.0
               : 0.0) /
          draws;
      of.same += (chain == last ? 1.0 : 0.0) / draws;
      last = chain;
    }
    return of;
  };
  const Shares yours = shares([](Random&random) { return draw_chain(random, length); }),
               right = shares([](Random&random) { return right_draw(random, length); });
  std::string unfair;   // what differs most
  double most = 0.012;  // about five standard errors
  const auto count = [&](const std::string& what, double is, double should) {
    const double apart = std::abs(is - should);
    if (apart <= most) return;
    most = apart;
    const int digits = apart < 0.02 ? 1 : 0;
    unfair = str("of ", draws, " chains of ", length, " tokens, ", what, " in ", fixed(100 * is, digits),
                 " %; right are ", fixed(100 * should, digits), " %. Not all chains are equally likely.");
  };
  count("two in a row are the same", yours.same, right.same);
  double from_right = 0, from_equal = 0;
  for (int i = 0; i < length; ++i) {
    from_right += std::pow(yours.position[i] - right.position[i], 2);
    from_equal += std::pow(yours.position[i] - 1.0 / length, 2);
  }
  if (from_equal < 1e-3 && from_equal < from_right)
    throw Error(str(
        "of ", draws, " chains of ", length, " tokens, as many have the mark in the middle (",
        fixed(100 * yours.position[length / 2], 0), " %) as at an end (", fixed(100 * yours.position[0], 0),
        " %); right are ", fixed(100 * right.position[length / 2], 0), " and ",
        fixed(100 * right.position[0], 0),
        " %.\nLikely cause: the mark is chosen first and stays while the digits are drawn again and "
        "again: there are fewer chains with the mark in the middle, since two digits are then more often at "
        "the same distance."));
  for (int i = 0; i < length; ++i)
    count(str("the mark is at position ", i), yours.position[i], right.position[i]);
  for (int digit = 0; digit < 10; ++digit) {
    count(str("the digit ", digit, " is there"), yours.digit[digit], 0.3);
    count(str("the digit ", digit, " is the farthest"), yours.partner[digit], 0.1);
  }
  count("the farthest digit is greater than the nearest", yours.ascending, 0.5);
  count("the digits rise from left to right", yours.rising, 1.0 / 6);
  count("two of the digits follow each other, as 3 and 4, or 9 and 0,", yours.next, 70.0 / 120);
  count("the farthest digit is on the left of the mark", yours.left, 0.5);
  if (!unfair.empty()) throw Error(unfair);

  Random random(1, Purpose::testing);
  std::vector<std::string> chains;
  for (int i = 0; i < 4; ++i) chains.push_back(spelled(draw_chain(random, 12)));
  show("Four chains that you drew", chains);
}

// same, 1 of `const long at = std::ranges::find(chain, mark) - chain.begin();`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `int best = -1;`: the two lines can stand in either order: neither reads what the other writes; any number below 0 says that there is no digit yet
// same, 1 of `const int token = chain[static_cast<std::size_t>(i)];`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `const long distance = std::abs(i - at);`: the two lines can stand in either order: neither reads what the other writes; equality and conjunction are symmetric, and so is the absolute value
// same, 1 of `best = token;`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `if (best < 0 || (far ? distance > best_distance : distance < best_distance)) {`: no two digits of a chain are equally far from the mark; minus true is true as well
// same, 2 of `long best_distance = 0;`: the first digit sets it before it is read
TEST_CASE("13.3 the solver: the nearest digit, and the farthest") {
  const std::vector<std::string> chains = {". 4 ! . . 7 2",
                                           "! 3 1 2",
                                           "2 1 3 !",
                                           "9 . . ! 0 . 5 .",
                                           "5 . 0 ! . . . 9",
                                           ". . 6 . 7 8 ! . .",
                                           "1 ! . 9 . . 4",
                                           "8 . . . 2 ! . 5",
                                           "0 7 ! . . 3 .",
                                           ". ! . . 9 0 1",
                                           "3 . . . 6 . ! 4",
                                           "6 . 4 . . ! 0",
                                           ". . . 3 . ! 1 . . 7",
                                           "! . . . . . . . . . . . 3 . 5 7"};
  std::vector<std::string> inputs;
  for (const bool far : {false, true})
    for (const std::string& chain : chains)
      inputs.push_back(str("the ", far ? "farthest" : "nearest", " digit of `", chain, "`"));
  const auto is_far = [&](std::size_t i) { return i >= chains.size(); };
  const auto chain = [&](std::size_t i) { return read(chains[i % chains.size()]); };
  std::vector<std::size_t> near(chains.size()), far(chains.size());
  for (std::size_t i = 0; i < chains.size(); ++i) near[i] = i, far[i] = i + chains.size();
  compare(
      inputs, {"answer"},
      [&](std::size_t i) { return list({static_cast<double>(partner(chain(i), is_far(i)))}); },
      [&](std::size_t i) { return list({static_cast<double>(right_partner(chain(i), is_far(i)))}); }, 1e-9,
      {{"for the nearest digit", near}, {"for the farthest digit", far}});

  std::vector<std::string> solved;
  for (std::size_t i = 0; i < 3; ++i)
    solved.push_back(str(chains[i], std::string(13 - chains[i].size(), ' '), "  nearest ",
                         partner(chain(i), false), ", farthest ", partner(chain(i), true)));
  show("Three chains, answered by your solver", solved);
}

TEST_CASE("13.4 your test: a solver that is right for every chain") {
  std::vector<Candidate> candidates;
  for (const bool far : {false, true}) {
    const auto candidate = [&](const std::string& what, bool is_right, const Solver& solve) {
      candidates.push_back({str(far ? "farthest" : "nearest", ": ", what), is_right,
                            [=] { return finds_partner(solve, far); }});
    };
    // Right, but for chains of which this is true: there it gives the digit in the middle.
    const auto unless = [&](const std::string& what, const std::function<bool(const Tokens&)>& wrong) {
      candidate(str("wrong where ", what), false, [=](const Tokens& chain) {
        return wrong(chain) ? by_distance(chain)[1].second : right_partner(chain, far);
      });
    };
    const auto place = [](const Tokens& chain, int token) {
      return std::ranges::find(chain, token) - chain.begin();
    };
    const auto digits = [](const Tokens& chain) {
      Tokens found = chain;
      std::erase_if(found, [](int token) { return token >= hay; });
      return found;
    };
    candidate("digits sorted by distance", true,
              [=](const Tokens& chain) { return right_partner(chain, far); });
    candidate("a walk outwards from the mark", true, [=](const Tokens& chain) {
      int found = -1;
      const auto at = place(chain, mark), end = std::ssize(chain);
      for (std::ptrdiff_t step = 1; step < end; ++step)
        for (const std::ptrdiff_t i : {at - step, at + step})
          if (i >= 0 && i < end && chain[static_cast<std::size_t>(i)] < hay && (far || found < 0))
            found = chain[static_cast<std::size_t>(i)];
      return found;
    });
    candidate("the other question", false, [=](const Tokens& chain) { return right_partner(chain, !far); });
    candidate("always the digit in the middle", false,
              [](const Tokens& chain) { return by_distance(chain)[1].second; });
    candidate("the first digit", false, [=](const Tokens& chain) { return digits(chain).front(); });
    candidate("the last digit", false, [=](const Tokens& chain) { return digits(chain).back(); });
    candidate("the smallest digit", false,
              [=](const Tokens& chain) { return std::ranges::min(digits(chain)); });
    candidate("the mark itself", false, [](const Tokens&) { return mark; });
    candidate("always 7", false, [](const Tokens&) { return 7; });
    unless("the answer is on the left",
           [=](const Tokens& chain) { return place(chain, right_partner(chain, far)) < place(chain, mark); });
    unless("the answer is on the right",
           [=](const Tokens& chain) { return place(chain, right_partner(chain, far)) > place(chain, mark); });
    unless("the number of tokens is odd", [](const Tokens& chain) { return chain.size() % 2 == 1; });
    unless("there are 16 tokens", [](const Tokens& chain) { return chain.size() == 16; });
    unless("there are 4 tokens", [](const Tokens& chain) { return chain.size() == 4; });
    unless("the mark is the first token", [](const Tokens& chain) { return chain.front() == mark; });
    unless("the mark is the last token", [](const Tokens& chain) { return chain.back() == mark; });
    unless("the answer is the digit 0", [=](const Tokens& chain) { return right_partner(chain, far) == 0; });
    unless("the digits are 0, 1 and 2",
           [=](const Tokens& chain) { return std::ranges::max(digits(chain)) == 2; });
    unless("a digit is 12 or more away",
           [](const Tokens& chain) { return by_distance(chain)[2].first >= 12; });
    unless("the three distances are consecutive numbers", [](const Tokens& chain) {
      const auto found = by_distance(chain);
      return found[2].first - found[1].first == 1 && found[1].first - found[0].first == 1;
    });
  }
  judge(candidates);
}

// same, 2 of `if (row[i]) share[distance] += 1;`: the two lines can stand in either order: neither reads what the other writes; the two positions of a pair have the same distance, and both are counted
// same, 2 of `const std::size_t distance = i > other ? i - other : other - i;`: where both are equal, the distance is 0 either way; equality and conjunction are symmetric, and so is the absolute value
// same, 2 of `if (count[d] > 0) share[d] /= count[d];`: a sum of one answer is divided by 1; a share of 0 stays 0 without the division, and a share above 0 has a count above 0
TEST_CASE("13.5 the share of right answers by the distance of the pair") {
  const std::vector<std::pair<int, int>> sizes = {{5, 6},  {4, 7}, {1, 3},
                                                  {9, 12}, {2, 2}, {3, 1}};  // inputs, tokens
  std::vector<std::string> inputs;
  std::vector<std::vector<std::vector<bool>>> all;
  Random random(3, Purpose::testing);
  for (const auto& [count, length] : sizes) {
    inputs.push_back(str(count, " inputs of ", length, " tokens"));
    auto& rows = all.emplace_back();
    rows.reserve(static_cast<std::size_t>(count));
    for (int n = 0; n < count; ++n) {
      std::vector<bool> row(64);  // what is read past its end is then the same each time
      for (std::size_t i = 0; i < row.size(); ++i) row[i] = i % 3 == 0;
      row.resize(static_cast<std::size_t>(length));
      for (int i = 0; i < length; ++i) row[static_cast<std::size_t>(i)] = random.below(6) > i % 4;
      rows.push_back(std::move(row));
    }
  }
  const auto right = [&](std::size_t n) {
    const int length = sizes[n].second;
    std::vector<double> shares;
    for (int d = 0; d < length; ++d) {
      double sum = 0, count = 0;
      for (const auto& row : all[n])
        for (int i = 0; i < length; ++i)
          if (std::abs(length - 1 - 2 * i) == d) sum += row[static_cast<std::size_t>(i)], ++count;
      shares.push_back(count > 0 ? sum / count : 0);
    }
    return list(shares);
  };
  compare(
      inputs, {"distance"}, [&](std::size_t n) { return list(right_by_distance(all[n])); }, right, 1e-9);
}
