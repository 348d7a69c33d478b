// Chapter 7. Small tables are looked up and rows put side by side by the learner's files, and in plain loops.
#include "lessons/tools/check.h"

#include <memory>
#include <numeric>

#include "lessons/07_table/backwards.h"
#include "lessons/07_table/contract.h"

[[gnu::weak]] locus::Parts locus::four_parts(const Token&, const Token&, const Rows&, const Rows&) {
  still_to_write("7.6");
}

using namespace locus;

namespace {

const std::vector<std::string> axes = {"example", "token", "channel"};

// What is looked up or joined stands among further numbers, as in a model's vector of parameters. Backward adds to
// gradients that hold something.
const Reals parameters = reals(random_numbers(200, 3));
Vector before(const Reals& of) { return Vector(of.size(), 0.375); }

Array part(const Parameter& where, const Vector& all) {
  const double* first = all.data() + where.offset;
  return {where.shape, {first, first + where.shape.count()}};
}

// Ops of this chapter copy parameters. The elements that come out are those with these numbers; -1: of a constant.
struct Copying {
  Shape shape;
  Vector from;
  Ops learners;
  Vector given(std::uint64_t seed) const { return random_numbers(shape.count(), seed); }  // the gradient

  // What comes out, in plain loops.
  Array copies(const Reals& of) const {
    Array y{shape, {}};
    for (const double number : from) y.values.push_back(of[static_cast<std::size_t>(number)]);
    return y;
  }
  // The gradient of these parameters after backward; in plain loops the gradients of the copies are added. Of two
  // lookups the sum comes out: each of them gets dy.
  Array gradient(const Parameter& where, std::uint64_t seed, const Reals& of = parameters) const {
    return part(where, gradients_of(learners, of, before(of), given(seed)));
  }
  Array right_gradient(const Parameter& where, std::uint64_t seed, const Reals& of = parameters) const {
    const Vector dy = given(seed);
    Vector gradients = before(of);
    for (std::size_t i = 0; i < from.size(); ++i)
      if (from[i] >= 0) gradients[static_cast<std::size_t>(from[i])] += dy[i % dy.size()];
    return part(where, gradients);
  }
};

// --- 7.1, 7.2 ---

struct Lookup {
  Parameter table;
  Copying op;
};
// `further_ids`: of a second lookup, which is added to the first. `computed`: the table is what another op made.
Lookup lookup(int V, int D, const Shape& ids_shape, const Ids& ids, const Ids& further_ids = {},
              bool computed = false) {
  const Parameter table{{V, D}, 60};
  Vector from;
  for (const Ids& some : {ids, further_ids})
    for (const int id : some)
      for (int c = 0; c < D; ++c) from.push_back(60 + id * D + c);
  const auto learners = [=](Tape& tape) {
    const Tensor parameter = tape.parameter(table);
    keep_distance(tape);
    const Tensor rows = computed ? parameter * 1 : parameter;
    const Tensor y = gather_rows(rows, ids, ids_shape);
    return further_ids.empty() ? y : y + gather_rows(rows, further_ids, ids_shape);
  };
  return {table, {ids_shape.with_axis(D), from, learners}};
}
// No two of V, D, B and T are equal. In the first two no id is the first or the last row, in the third both occur
// twice. Each id is below the number of ids: there is an id[id[row]]. The fourth is for step 7.2 alone.
const Lookup lookups[] = {lookup(9, 3, {2, 4}, {4, 1, 6, 1, 2, 4, 4, 3}),
                          lookup(7, 5, {6}, {2, 5, 5, 1, 2, 3}, {}, true),
                          lookup(5, 2, {7}, {3, 0, 4, 1, 0, 4, 2}),
                          lookup(9, 3, {2, 4}, {4, 1, 6, 1, 2, 4, 4, 3}, {1, 2, 4, 4, 3, 4, 1, 6})};

void compare_values(const std::vector<std::string>& inputs, const std::function<Copying(std::size_t)>& op) {
  compare(
      inputs, axes, [&](std::size_t i) { return value_of(op(i).learners, parameters); },
      [&](std::size_t i) { return op(i).copies(parameters); });
}

// same, 1 of `std::copy_n(table.value() + std::ptrdiff_t{id[row]} * D, D, y.value() + std::ptrdiff_t{row} * D);`: ids and id hold the same numbers
TEST_CASE("7.1 lookup: a row of the table for each id") {
  on_crash(
      "Your lines of this step read or write outside of their memory. y has `rows` rows, and `id` as many numbers; "
      "the table has V rows. Does the loop go over V where `rows` belongs, or is an index outside?");
  compare_values({"8 ids, a table of 9 rows of 3 elements", "6 ids, a table of 7 rows of 5 elements",
                  "7 ids, the first and the last row among them, a table of 5 rows"},
                 [](std::size_t i) { return lookups[i].op; });
  compare_values({"4 ids, a table of 3 rows of 5 elements"}, [](std::size_t) {
    return lookup(3, 5, {4}, {2, 0, 1, 2}).op;
  });

  const Ids by_turns = {0, 1, 0, 1, 0, 1, 0, 1};
  const Reals two_rows = {0, 1, 0, 1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1, 0};
  const auto board = [&](Tape& tape) { return gather_rows(tape.parameter({{2, 8}, 0}), by_turns, {8}); };
  std::vector<std::string> lines;
  for (const Vector& row : rows_of(value_of(board, two_rows).values, 8)) lines.push_back(shades(row));
  show("A table of two rows, each looked up four times by your line", lines);
}

// same, 2 of `Real* __restrict to = table.gradient() + std::ptrdiff_t{id[row]} * D;`: the two lines can stand in either order: neither reads what the other writes; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `const Real* __restrict from = y.gradient() + std::ptrdiff_t{row} * D;`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
TEST_CASE("7.2 backward of a lookup: each row's gradient goes back to the row it came from") {
  compare(
      {"gradient of a table that held 0.375 before", "gradient of a table that another op computed",
       "gradient of a table of which the first and the last row are looked up, too; it held 0.375 before",
       "gradient of a table that is looked up twice, and held 0.375 before"},
      {"row", "channel"}, [](std::size_t i) { return lookups[i].op.gradient(lookups[i].table, 2); },
      [](std::size_t i) { return lookups[i].op.right_gradient(lookups[i].table, 2); });

  const std::string letters = "benort", text = "tobeornottobe";
  Ids ids;
  for (const char letter : text) ids.push_back(static_cast<int>(letters.find(letter)));
  const auto looked_up = [&](Tape& tape) {
    return gather_rows(tape.parameter({{6, 1}, 0}), ids, {static_cast<int>(ids.size())});
  };
  const Vector counts = gradients_of(looked_up, Reals(6), Vector(6), Vector(ids.size(), 1));
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < counts.size(); ++i)
    lines.push_back(str(letters[i], "  ", fixed(counts[i], 0), "  ", bar(counts[i] / 4, 20)));
  show("\"to be or not to be\": each copy of a letter has the gradient 1, and your line adds them up", lines);
}

// --- 7.3, 7.4 ---

// y follows x in the vector of parameters.
struct Joined {
  Parameter x, y;
  Copying op;
  std::string name;
};
Joined joined(const Shape& x, const Shape& y, bool x_needs = true, bool y_needs = true) {  // a gradient
  const int D = x.last(), E = y.last(), y_start = static_cast<int>(x.count());
  const Array from = filled({x.rows(), D + E}, [&](int row, int c) {
    if (c < D) return x_needs ? row * D + c : -1;
    return y_needs ? y_start + row % y.rows() * E + c - D : -1;
  });
  const auto learners = [=](Tape& tape) {
    const auto tensor = [&](const Parameter& p, bool needs_gradient) {
      const Tensor parameter = tape.parameter(p);
      return needs_gradient ? parameter : tape.constant(p.shape, parameter.value());
    };
    return concat(tensor({x, 0}, x_needs), tensor({y, x.count()}, y_needs));
  };
  const std::string none = " and needs no gradient";
  return {{x, 0},
          {y, x.count()},
          {x.with_last(D + E), from.values, learners},
          str(" of concat(x, y), where x is ", x, x_needs ? "" : none, ", y is ", y, y_needs ? "" : none,
              ", and all gradients held 0.375")};
}
// The last two are for step 7.4 alone. After every z the tape leaves at least D - E elements unused, up to the next
// cache line.
const Joined all_joined[] = {joined({2, 3, 5}, {3, 4}), joined({2, 3, 7}, {2, 3, 5}),
                             joined({2, 3, 5}, {3, 4}, false, true), joined({2, 3, 5}, {3, 4}, true, false)};

// same, 1 of `std::copy_n(x.value() + row * D, D, to);`: the two lines can stand in either order: neither reads what the other writes
// same, 1 of `Real* to = z.value() + row * (D + E);`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `std::copy_n(y.value() + row % y_rows * E, E, to + D);`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
TEST_CASE("7.3 concat: two rows side by side") {
  bool past_the_end = false;
  compare_values({"x (2,3,5) and y (3,4)", "x (2,3,7) and y (2,3,5)"}, [&](std::size_t i) {
    Copying op = all_joined[i].op;
    op.learners = [&past_the_end, learners = op.learners](Tape& tape) {
      const Tensor z = learners(tape);
      past_the_end |= !std::isnan(z.value()[z.count()]);
      return z;
    };
    return op;
  });
  require(
      !past_the_end,
      "All elements of z are right, but your lines write past its end, into memory that belongs to others. "
      "Does the loop over y go up to D? A row of y has E elements.");

  const auto joins = [](Tape& tape) {
    return concat(tape.parameter({{2, 4, 4}, 16}), tape.parameter({{4, 4}, 0}));
  };
  Reals numbers = reals(random_numbers(48, 5));
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = i < 16 ? static_cast<Real>(i % 5 == 0) : std::abs(numbers[i]) / 2;
  std::vector<std::string> lines;
  for (const Vector& row : rows_of(value_of(joins, numbers).values, 8)) lines.push_back(shades(row));
  show("Two inputs of 4 tokens: words on the left; beside them the positions, the same for both inputs",
       lines);
}

// same, 4 of `if (x.needs_gradient()) add_row(dz, x.gradient() + row * D, D);`: the gradient of what needs none is scratch memory, which may be written; the two lines can stand in either order: neither reads what the other writes
// same, 4 of `if (y.needs_gradient()) add_row(dz + D, y.gradient() + row % y_rows * E, E);`: the gradient of what needs none is scratch memory, which may be written; a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `const Real* dz = z.gradient() + row * (D + E);`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
TEST_CASE("7.4 backward of concat: each part of the gradient goes back to where it came from") {
  struct Part {
    std::string name;
    const Copying* op;
    Parameter where;
  };
  std::vector<Part> parts;
  for (const auto& [x, y, op, name] : all_joined) {
    const std::size_t end = y.offset + y.shape.count();
    const int T = x.shape[1], others = static_cast<int>(parameters.size() - end);
    parts.push_back({"gradient of x" + name, &op, x});
    parts.push_back({"gradient of y" + name, &op, {{y.shape.rows() / T, T, y.shape.last()}, y.offset}});
    parts.push_back({"gradients of others, stored after that of y," + name, &op, {{1, 1, others}, end}});
  }
  compare_cases<Part>(
      parts, &Part::name, axes, [](auto& p) { return p.op->gradient(p.where, 4); },
      [](auto& p) { return p.op->right_gradient(p.where, 4); });

  const auto joins = [](Tape& tape) {
    return concat(tape.parameter({{2, 3, 1}, 3}), tape.parameter({{3, 1}, 0}));
  };
  const Vector counts = gradients_of(joins, Reals(9), Vector(9), Vector(12, 1));
  const auto list_of = [&](std::size_t first, std::size_t last) {
    std::string words;
    for (std::size_t i = first; i < last; ++i) words += str(' ', short_number(counts[i]));
    return words;
  };
  show("Two inputs of 3 tokens; each element of z has the gradient 1. By your lines come back",
       {str("to the words:    ", list_of(3, 9)), str("to the positions:", list_of(0, 3))});
}

// --- 7.5 ---

constexpr int capacity = 20, width = 4;

// What learned positions add to words that are all zeros: rows of their table.
struct Learned {
  int rows;
  Vector positions;  // of each of the rows
  std::string join = "add";
  SchemeAlone scheme{str("learned:capacity=", capacity, ",join=", join), width};
  Reals table = scheme.table.sample(1);

  Copying op() const {
    const int T = static_cast<int>(positions.size()) / rows;
    const Shape words{2, T, width};
    const Array from =
        filled(words, [&](int b, int t, int c) { return positions.data()[b % rows * T + t] * width + c; });
    return {words, from.values, [=, this](Tape& tape) {
              return scheme->embedding(constant(tape, {words, Vector(words.count())}),
                                       {.tokens = {}, .length = T, .positions = {rows, T, positions.data()}});
            }};
  }
};
Array added(const Learned& learned) { return value_of(learned.op().learners, learned.table); }

TEST_CASE("7.5 learned positions: a lookup in a table that training changes") {
  const Learned all[] = {{1, {4, 2, 17}}, {2, {5, 1, 3, 2, 15, 6}}};
  const Parameter table{{capacity, width}, 0};
  compare(
      {"what is added to the words at the positions 4 2 17",
       "what is added to the words at the positions 5 1 3 of one example, 2 15 6 of another"},
      axes, [&](std::size_t i) { return added(all[i]); },
      [&](std::size_t i) { return all[i].op().copies(all[0].table); });
  compare(
      {"the gradient of the table, which held 0.375 before, at the positions 4 2 17",
       "the gradient of the table, which held 0.375 before, at the positions 5 1 3 of one example, 2 15 6 of another"},
      {"row", "channel"}, [&](std::size_t i) { return all[i].op().gradient(table, 5, all[0].table); },
      [&](std::size_t i) { return all[i].op().right_gradient(table, 5, all[0].table); });

  // The codes beside the words, not added to them: only then a shape (1,T,D) in place of (T,D) does not fit.
  try {
    added({1, {4, 2, 17}, "concat"});
  } catch (const Error& error) {
    throw Error(
        str("The rows are right, but with join=concat they do not fit beside the words: ", error.what(),
            "\nLikely cause: the codes have the shape (1,T,D) where one row of positions serves "
            "all examples: it must be (T,D), and positions.shape() is (T) there, (B,T) elsewhere."));
  }

  const auto row_at = [&](double position) {  // -1: it is refused
    Vector got;
    if (refuses([&] { got = added({1, {position}}).values; })) return -1;
    int row = 0;
    const auto gets = [&](double of) { return got == Learned{1, {of}}.op().copies(all[0].table).values; };
    while (row < capacity && !gets(row)) ++row;
    return row;
  };
  const std::string must =
      ": that must be an error, and table_rows() throws one (src/positional/support/table_rows.h). Here it "
      "gets row ";
  const int last = capacity - 1, past = row_at(capacity), between = row_at(1.5);
  require(row_at(last) >= 0, "position ", last,
          ": the last row of the table is refused: the table has capacity_ rows, 0 to ", last, '.');
  require(past < 0, "position ", capacity, " is past the table, whose rows are 0 to ", last, must, past,
          past == last ? str(", the last row, as if it were position ", last)
          : past == 0  ? ": the positions begin again at the end of the table"
                       : "",
          '.');
  require(between < 0, "position 1.5 has no row in the table", must, between,
          between == 1 ? ": a cast to int drops what is after the decimal point." : ".");

  const Learned twelve{1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}};
  Vector trained;
  for (const Vector& row : rows_of(twelve.op().gradient(table, 5, twelve.table).values, width))
    trained.push_back(row != Vector(width, 0.375));
  show("Your table of 20 rows, from row 0 on, after an input of 12 tokens: dark where a gradient arrived",
       {shades(trained)});
}

// --- 7.6 ---

// same, 1 of `return {.word_word = dot(query_word, key_word),`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `.word_position = dot(query_word, key_position),`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `.position_word = dot(query_position, key_word),`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `.position_position = dot(query_position, key_position)};`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]
// same, 1 of `const Vector query_word = times(query.word, Q), query_position = times(query.position, Q);`: the two lines can stand in either order: neither reads what the other writes
// same, 2 of `for (std::size_t out = 0; out < y.size(); ++out) y[out] += x[in] * matrix[in][out];`: each of the four results is a product of two such vectors, so that their signs cancel
// same, 2 of `for (std::size_t c = 0; c < a.size(); ++c) sum += a[c] * b[c];`: a product, a sum, a dot product or the larger of two is the same in either order, and so is a[i] as i[a]; both have the same length
// same, 1 of `Vector y(matrix[0].size());`: all rows of a matrix are equally long, and the matrices of the step have two rows or more
// same, 1 of `for (std::size_t in = 0; in < x.size(); ++in)`: both have the same length
TEST_CASE("7.6 a score in four parts, from blank") {
  on_crash(
      "Your lines of this step use an index that is out of range. Words and positions have D numbers, Q and K have D "
      "rows of d numbers, and queries and keys have d numbers.");
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
  const auto parts_of = [](const Token& query, const Token& key, const Rows& Q, const Rows& K) {
    const Parts p = four_parts(query, key, Q, K);
    return std::vector{p.word_word, p.word_position, p.position_word, p.position_position};
  };

  // Two mistakes that a crash would hide, were Q and K not square.
  const Case square{3, 3};
  const auto& [query, key, Q, K] = std::tie(square.query, square.key, square.Q, square.K);
  const Vector theirs = parts_of(query, key, Q, K);
  const auto is = [&](const Vector& query_word, const Vector& query_position, const Vector& key_word,
                      const Vector& key_position) {
    const Vector wrong = {dot(query_word, key_word), dot(query_word, key_position),
                          dot(query_position, key_word), dot(query_position, key_position)};
    return std::ranges::equal(theirs, wrong, [](double a, double b) { return std::abs(a - b) < 1e-9; });
  };
  const auto from_the_right = [](const Vector& x, const Rows& matrix) {
    Vector y;
    for (const Vector& row : matrix) y.push_back(dot(row, x));
    return y;
  };
  require(!is(from_the_right(query.word, Q), from_the_right(query.position, Q), from_the_right(key.word, K),
              from_the_right(key.position, K)),
          "A vector is multiplied with the matrix from the wrong side: number `out` of x Q is the sum over "
          "`in` of x[in] * Q[in][out], and not of Q[out][in] * x[in].");
  require(!is(times(query.word, Q), query.position, times(key.word, K), key.position),
          "Positions are not multiplied with Q and K: the query is (word + position) Q, the key is (word + "
          "position) K.");

  compare_cases<Case>(
      {{5, 2}, {3, 4}},
      [](auto& c) {
        return str("D = ", c.D, ", d = ", c.d,
                   "; part 0 is word_word, 1 word_position, 2 position_word, 3 position_position");
      },
      {"part"}, [&](auto& c) { return list(parts_of(c.query, c.key, c.Q, c.K)); },
      [](auto& c) {
        Vector parts;
        for (const Vector& q : {c.query.word, c.query.position})
          for (const Vector& k : {c.key.word, c.key.position})
            parts.push_back(dot(times(q, c.Q), times(k, c.K)));
        return list(parts);
      },
      1e-9);

  const Parts p = four_parts({{2}, {1}}, {{3}, {5}}, {{1}}, {{1}});
  std::vector<std::string> lines;
  for (const auto& [name, part] : {std::pair{"word-word          ", p.word_word},
                                   {"word-position     ", p.word_position},
                                   {"position-word      ", p.position_word},
                                   {"position-position  ", p.position_position}})
    lines.push_back(str(name, fixed(part, 0), "  ", bar(part / 10, 20)));
  show("(2 + 1) (3 + 5) = 24, in your four parts", lines);
}

// --- 7.7 ---

TEST_CASE("7.7 your test: whether a backward of a lookup is right") {
  const auto learners = [](const Ids& ids, const Rows& dy, Rows& gradient) {
    const Array old = array_of(gradient);
    const auto rows = [&](Tape& tape) {
      return gather_rows(tape.parameter({old.shape, 0}), ids, {static_cast<int>(ids.size())});
    };
    const Vector now = gradients_of(rows, Reals(old.values.size()), old.values, array_of(dy).values);
    gradient = rows_of(now, gradient[0].size());
  };
  // What a backward is called with must be a lookup that there can be.
  const auto test = [](const Backward& backward) {
    return adds_up([&](const Ids& ids, const Rows& dy, Rows& gradient) {
      require(
          !ids.empty() && !gradient.empty() && !gradient[0].empty(),
          "Your test calls `backward` with no ids, no rows or no elements: there must be 1 of each at least.");
      require(dy.size() == ids.size(), "Your test calls `backward` with ", ids.size(), " ids and ", dy.size(),
              " rows in dy: dy[i] belongs to ids[i], so there must be as many.");
      for (const Rows* rows : {&dy, static_cast<const Rows*>(&gradient)})
        for (const Vector& row : *rows)
          require(row.size() == gradient[0].size(), "Your test calls `backward` with rows of ", row.size(),
                  " and of ", gradient[0].size(),
                  " elements: all rows of dy and of the gradient have the width of the table.");
      for (const int id : ids)
        require(id >= 0 && row_of(id) < gradient.size(), "Your test calls `backward` with the id ", id,
                ", and with a gradient of ", gradient.size(), " rows: the ids go from 0 to ",
                gradient.size() - 1, '.');
      backward(ids, dy, gradient);
    });
  };
  judge<Backward>(test,
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
                   {"your own lines of steps 7.1 and 7.2, in float", learners}},
                  broken_backwards());
}

}  // namespace
