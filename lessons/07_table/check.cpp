// Chapter 7. Small tables are looked up and rows put side by side by the learner's files, and in plain loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "lessons/07_table/backwards.h"
#include "lessons/07_table/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

// The elements that come out of an op of this chapter are copies of parameters: of those with these numbers, or of a
// constant, which is number -1.
Vector copies(const Ids& from, const Reals& parameters) {
  Vector y;
  for (const int number : from) y.push_back(parameters.data()[number]);
  return y;
}

// The gradients of the parameters, to which those of their copies are added. Of two lookups the sum comes out: each of
// them gets dy.
Vector sums(const Ids& from, const Reals& dy, Vector gradients) {
  for (std::size_t i = 0; i < from.size(); ++i)
    if (from[i] >= 0) gradients.data()[from[i]] += dy[i % dy.size()];
  return gradients;
}

constexpr double there_before = 0.375;  // in the gradients of parameters: backward adds to them

// What is looked up or joined stands among further numbers, as in a model's vector of parameters: what is read before
// its beginning or past its end is the same each time.
constexpr std::size_t all_numbers = 200;
const Reals parameters = reals(random_numbers(all_numbers, 3));

// What the learner's backward makes of them.
template <class Op>
Vector gradients_of(const Op& op, const Reals& dy, double before) {
  Reals gradients(all_numbers, static_cast<Real>(before));
  Tape tape(parameters.data(), gradients.data());
  poison(tape);
  tape.backward(op.learners(tape), dy.data());
  return {gradients.begin(), gradients.end()};
}

// --- 7.1, 7.2 ---

struct Lookup {
  int V, D;
  Shape ids_shape;
  Ids ids, further_ids = {};  // of a second lookup, which is added to the first
  bool parameter = true;      // or else the table is what another op made
  static constexpr int table_at = 60;

  Shape shape() const { return ids_shape.with_axis(D); }
  Reals dy() const { return reals(random_numbers(shape().count(), 2)); }
  double before() const { return parameter ? there_before : 0; }
  Ids from() const {
    Ids all;
    for (const Ids& some : {ids, further_ids})
      for (const int id : some)
        for (int c = 0; c < D; ++c) all.push_back(table_at + id * D + c);
    return all;
  }
  Tensor learners(Tape& tape) const {
    Tensor table = tape.parameter({{V, D}, table_at});
    if (!parameter) table = table * 1;
    const Tensor y = gather_rows(table, ids, ids_shape);
    return further_ids.empty() ? y : y + gather_rows(table, further_ids, ids_shape);
  }
};
// No two of V, D, B and T are equal. In the first two no id is the first or the last row, in the third both occur
// twice. Each id is below the number of ids: there is an id[id[row]]. The last is for step 7.2 alone.
const Lookup lookups[] = {{9, 3, {2, 4}, {4, 1, 6, 1, 2, 4, 4, 3}},
                          {7, 5, {6}, {2, 5, 5, 1, 2, 3}, {}, false},
                          {5, 2, {7}, {3, 0, 4, 1, 0, 4, 2}},
                          {9, 3, {2, 4}, {4, 1, 6, 1, 2, 4, 4, 3}, {1, 2, 4, 4, 3, 4, 1, 6}}};

}  // namespace

TEST_CASE("7.1 lookup: a row of the table for each id") {
  const auto yours = [](const Lookup& l) {
    Tape tape(parameters.data());
    poison(tape);
    return copy(l.learners(tape));
  };
  const auto right = [](const Lookup& l) { return Array{l.shape(), copies(l.from(), parameters)}; };
  compare(
      {"8 ids, a table of 9 rows of 3 elements", "6 ids, a table of 7 rows of 5 elements",
       "7 ids, the first and the last row among them, a table of 5 rows"},
      {"example", "token", "channel"}, [&](std::size_t input) { return yours(lookups[input]); },
      [&](std::size_t input) { return right(lookups[input]); });
  compare_cases<Lookup>(
      {{3, 5, {4}, {2, 0, 1, 2}}}, [](auto&) { return "4 ids, a table of 3 rows of 5 elements"; },
      {"example", "token", "channel"}, yours, right);
}

TEST_CASE("7.2 backward of a lookup: each row's gradient goes back to the row it came from") {
  const auto of_table = [](const Lookup& l, const Vector& gradients) {
    const double* table = gradients.data() + l.table_at;
    return Array{{l.V, l.D}, {table, table + l.V * l.D}};
  };
  compare(
      {"gradient of a table that held 0.375 before", "gradient of a table that another op computed",
       "gradient of a table of which the first and the last row are looked up, too; it held 0.375 before",
       "gradient of a table that is looked up twice, and held 0.375 before"},
      {"row", "channel"},
      [&](std::size_t input) {
        const Lookup& l = lookups[input];
        return of_table(l, gradients_of(l, l.dy(), l.before()));
      },
      [&](std::size_t input) {
        const Lookup& l = lookups[input];
        return of_table(l, sums(l.from(), l.dy(), Vector(all_numbers, l.before())));
      });
}

// --- 7.3, 7.4 ---

namespace {

// y follows x in the vector of parameters.
struct Joined {
  static constexpr std::size_t x_at = 0;
  Shape x, y;
  bool x_needs = true, y_needs = true;  // a gradient; a constant needs none

  Shape shape() const { return x.with_last(x.last() + y.last()); }
  Reals dz() const { return reals(random_numbers(shape().count(), 4)); }
  Ids from() const {
    Ids all;
    for (int row = 0; row < x.rows(); ++row) {
      const int from_x = static_cast<int>(x_at) + row * x.last();
      const int from_y = static_cast<int>(x_at + x.count()) + row % y.rows() * y.last();
      for (int c = 0; c < x.last(); ++c) all.push_back(x_needs ? from_x + c : -1);
      for (int c = 0; c < y.last(); ++c) all.push_back(y_needs ? from_y + c : -1);
    }
    return all;
  }
  Tensor learners(Tape& tape) const {
    const auto tensor = [&](const Parameter& p, bool needs_gradient) {
      const Tensor parameter = tape.parameter(p);
      return needs_gradient ? parameter : tape.constant(p.shape, parameter.value());
    };
    return concat(tensor({x, x_at}, x_needs), tensor({y, x_at + x.count()}, y_needs));
  }
};
// The last two are for step 7.4 alone. After every z the tape leaves at least D - E elements unused, up to the next
// cache line.
const Joined joined[] = {{{2, 3, 5}, {3, 4}},
                         {{2, 3, 7}, {2, 3, 5}},
                         {{2, 3, 5}, {3, 4}, false, true},
                         {{2, 3, 5}, {3, 4}, true, false}};

}  // namespace

TEST_CASE("7.3 concat: two rows side by side") {
  bool past_the_end = false;
  compare(
      {"x (2,3,5) and y (3,4)", "x (2,3,7) and y (2,3,5)"}, {"example", "token", "channel"},
      [&](std::size_t input) {
        Tape tape(parameters.data());
        poison(tape);
        const Tensor z = joined[input].learners(tape);
        past_the_end |= !std::isnan(z.value()[z.count()]);
        return copy(z);
      },
      [](std::size_t input) {
        return Array{joined[input].shape(), copies(joined[input].from(), parameters)};
      });
  if (past_the_end)
    throw Error(
        "All elements of z are right, but your lines write past its end, into memory that belongs to others. "
        "Does the loop over y go up to D? A row of y has E elements.");
}

TEST_CASE("7.4 backward of concat: each part of the gradient goes back to where it came from") {
  std::vector<std::string> inputs;
  for (const Joined& j : joined)
    for (const char* part :
         {"gradient of x", "gradient of y", "gradients of others, stored after that of y,"})
      inputs.push_back(text(part, " of concat(x, y), where x is ", j.x,
                            j.x_needs ? "" : " and needs no gradient", ", y is ", j.y,
                            j.y_needs ? "" : " and needs no gradient", ", and all gradients held 0.375"));
  const auto part_of = [](std::size_t input, const Vector& gradients) {
    const Joined& j = joined[input / 3];
    const auto& [x, y, x_needs, y_needs] = j;
    const std::size_t y_at = j.x_at + x.count(), part = input % 3;
    const std::size_t ends[] = {j.x_at, y_at, y_at + y.count(), all_numbers};
    const int others = static_cast<int>(ends[3] - ends[2]);
    const Shape shapes[] = {x, {y.rows() / x[1], x[1], y.last()}, {1, 1, others}};
    return Array{shapes[part], {gradients.data() + ends[part], gradients.data() + ends[part + 1]}};
  };
  compare(
      inputs, {"example", "token", "channel"},
      [&](std::size_t input) {
        const Joined& j = joined[input / 3];
        return part_of(input, gradients_of(j, j.dz(), there_before));
      },
      [&](std::size_t input) {
        const Joined& j = joined[input / 3];
        return part_of(input, sums(j.from(), j.dz(), Vector(all_numbers, there_before)));
      });
}

// --- 7.5 ---

namespace {

constexpr int capacity = 20, width = 4;

struct Places {
  int rows;
  Vector positions;  // of each of the rows
  int length() const { return static_cast<int>(positions.size()) / rows; }
  Shape shape() const { return {2, length(), width}; }  // of the words
};

struct Learned {
  explicit Learned(const std::string& join = "add")
      : scheme(make_scheme(text("learned:capacity=", capacity, ",join=", join),
                           {.d_model = width, .heads = 1, .causal = false}, table)) {}
  ParameterTable table;
  std::unique_ptr<Scheme> scheme;
  Reals parameters = table.draw(1);
  Reals gradients = Reals(parameters.size(), static_cast<Real>(there_before));

  // What the scheme adds to words that are all zeros; backward adds to the gradients.
  Vector embed(const Places& p) {
    const Reals zeros(p.shape().count()), dy = reals(random_numbers(zeros.size(), 5));
    Tape tape(parameters.data(), gradients.data());
    poison(tape);
    const Tensor y = scheme->embedding(
        tape.constant(p.shape(), zeros.data()),
        {.tokens = {}, .length = p.length(), .positions = {p.rows, p.length(), p.positions.data()}});
    const Array out = copy(y);
    if (y.needs_gradient()) tape.backward(y, dy.data());
    return out.values;
  }
};

}  // namespace

TEST_CASE("7.5 learned positions: a lookup in a table that training changes") {
  const Places places[] = {{1, {4, 2, 17}}, {2, {5, 1, 3, 2, 15, 6}}};
  const auto array = [&](std::size_t input, const Vector& values) {
    return Array{input % 2 == 0 ? places[input / 2].shape() : Shape{capacity, width}, values};
  };
  compare(
      {"what is added to the words at the positions 4 2 17",
       "the gradient of the table, which held 0.375 before",
       "what is added to the words at the positions 5 1 3 of one example, 2 15 6 of another",
       "the gradient of the table after that"},
      {"example", "token", "channel"},
      [&](std::size_t input) {
        Learned learned;
        const Vector y = learned.embed(places[input / 2]);
        return array(input, input % 2 == 0 ? y : Vector(learned.gradients.begin(), learned.gradients.end()));
      },
      [&](std::size_t input) {
        const Places& p = places[input / 2];
        const Reals table = Learned().parameters, dy = reals(random_numbers(p.shape().count(), 5));
        Ids from;
        for (int token = 0; token < 2 * p.length(); ++token)
          for (int c = 0; c < width; ++c)
            from.push_back(static_cast<int>(p.positions.begin()[token % (p.rows * p.length())]) * width + c);
        if (input % 2 == 0) return array(input, copies(from, table));
        return array(input, sums(from, dy, Vector(table.size(), there_before)));
      });

  // The codes beside the words, not added to them: only then a shape (1,T,D) in place of (T,D) does not fit.
  try {
    Learned("concat").embed(places[0]);
  } catch (const Error& error) {
    throw Error(
        text("The rows are right, but with join=concat they do not fit beside the words: ", error.what(),
             "\nThis is what you get when the codes have the shape (1,T,D) where one row of positions serves "
             "all examples: it must be (T,D), and positions.shape() is (T) there, (B,T) elsewhere."));
  }

  // What has no row.
  const auto embedded = [](double position) { return Learned().embed({1, {position}}); };
  const Vector last = embedded(capacity - 1), first = embedded(0), second = embedded(1), third = embedded(2);
  for (const double at : {double{capacity}, 1.5}) {
    Vector got;
    try {
      got = embedded(at);
    } catch (const Error&) {
      continue;
    }
    throw Error(text(
        at == capacity ? text("position ", capacity, " is past the table, whose rows are 0 to ", capacity - 1)
                       : text("position 1.5 has no row in the table"),
        ": that must be an error, and table_rows() throws one "
        "(src/positional/support/table_rows.h). Here it gets ",
        got == last     ? text("the last row, as if it were position ", capacity - 1, '.')
        : got == first  ? "row 0: the positions begin again at the end of the table."
        : got == second ? "row 1: a cast to int drops what is after the decimal point."
        : got == third  ? "row 2."
                        : "some row."));
  }
}

// --- 7.6 ---

namespace locus {
// Taken when four_parts.cpp has no such function.
__attribute__((weak)) Parts four_parts(const Token&, const Token&, const Rows&, const Rows&) {
  fail("exercise 7.6", "still to be written");
}
}  // namespace locus

TEST_CASE("7.6 a score in four parts, from blank") {
  struct Case {
    std::size_t D, d;
    Vector part(std::uint64_t seed) const { return random_numbers(D, seed + D); }
    Rows matrix(std::uint64_t seed) const {
      Rows all;
      for (std::size_t row = 0; row < D; ++row) all.push_back(random_numbers(d, 100 * (seed + D) + row));
      return all;
    }
    Token query{part(0), part(20)}, key{part(40), part(60)};
    Rows Q = matrix(0), K = matrix(20);
  };
  const Case cases[] = {{5, 2}, {3, 4}};
  const std::string numbers = "; part 0 is word_word, 1 word_position, 2 position_word, 3 position_position";
  compare(
      {"D = 5, d = 2" + numbers, "D = 3, d = 4" + numbers}, {"part"},
      [&](std::size_t i) {
        const Parts p = four_parts(cases[i].query, cases[i].key, cases[i].Q, cases[i].K);
        return list({p.word_word, p.word_position, p.position_word, p.position_position});
      },
      [&](std::size_t i) {
        const auto& [D, d, query, key, Q, K] = cases[i];
        Vector parts;
        for (const Vector& q : {query.word, query.position})
          for (const Vector& k : {key.word, key.position}) {
            parts.push_back(0);
            for (std::size_t a = 0; a < D; ++a)
              for (std::size_t b = 0; b < D; ++b)
                for (std::size_t n = 0; n < d; ++n) parts.back() += q[a] * Q[a][n] * k[b] * K[b][n];
          }
        return list(parts);
      },
      1e-9);
}

// --- 7.7 ---

namespace {

// The framework's gather_rows with the learner's lines of 7.1 and 7.2.
void learners_backward(const Ids& ids, const Rows& dy, Rows& gradient) {
  const auto in_a_row = [](const Rows& rows) {
    Reals all;
    for (const Vector& row : rows) all.insert(all.end(), row.begin(), row.end());
    return all;
  };
  Reals gradients = in_a_row(gradient);
  const Reals values(gradients.size()), cotangent = in_a_row(dy);
  const Shape table{static_cast<int>(gradient.size()), static_cast<int>(gradient[0].size())};
  Tape tape(values.data(), gradients.data());
  tape.backward(gather_rows(tape.parameter({table, 0}), ids, {static_cast<int>(ids.size())}),
                cotangent.data());
  for (int id = 0; id < table[0]; ++id)
    std::copy_n(gradients.data() + id * table[1], table[1], gradient[row_of(id)].begin());
}

}  // namespace

TEST_CASE("7.7 your test: an id that occurs twice adds twice, and nothing else changes") {
  judge<Backward>(adds_up,
                  {{"a loop that adds each dy[i] to row ids[i]", right_way},
                   {"the same loop, from the last id to the first", after([](auto& g) {
                      std::ranges::reverse(g.ids);
                      std::ranges::reverse(g.dy);
                    })},
                   {"first the sum for each id, and then one addition to its row", after([](auto& g) {
                      Rows sums(g.gradient.size(), Vector(g.dy[0].size()));
                      right_way(g.ids, g.dy, sums);
                      g.dy = sums;
                      g.ids.resize(sums.size());
                      std::iota(g.ids.begin(), g.ids.end(), 0);
                    })},
                   {"your own lines of steps 7.1 and 7.2, in float", learners_backward}},
                  broken_backwards());
}
