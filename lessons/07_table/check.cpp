// Chapter 7. Small tables are looked up and rows put side by side by the learner's files, and in plain loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "autograd/ops.h"
#include "base/error.h"
#include "base/random.h"
#include "lessons/07_table/contract.h"
#include "lessons/tools/compare.h"
#include "lessons/tools/judge.h"
#include "positional/support/spec.h"

using namespace locus;

namespace {

Vector random_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Vector x(count);
  for (double& value : x) value = random.normal();
  return x;
}
Reals random_reals(std::size_t count, std::uint64_t seed) {
  const Vector x = random_numbers(count, seed);
  return {x.begin(), x.end()};
}

// What is looked up or joined stands among further numbers, as in a model's vector of parameters: what is read before
// its beginning or past its end is the same each time.
constexpr std::size_t all_numbers = 200;
Reals parameters() { return random_reals(all_numbers, 3); }

constexpr double there_before = 0.375;  // in the gradients of parameters: backward adds to them
Vector gradients_of(const std::function<Tensor(Tape&)>& op, const Reals& dy, double before = there_before) {
  const Reals values = parameters();
  Reals gradients(all_numbers, static_cast<Real>(before));
  Tape tape(values.data(), gradients.data());
  poison(tape);
  tape.backward(op(tape), dy.data());
  return {gradients.begin(), gradients.end()};
}

// --- 7.1, 7.2 ---

// No two of V, D, B and T are equal. In the first two no id is the first or the last row, in the third both occur
// twice. Each id is below the number of ids: there is an id[id[row]].
struct Lookup {
  int V, D;
  Shape shape;  // of the ids
  std::vector<int> ids;
};
const Lookup lookups[] = {{9, 3, {2, 4}, {4, 1, 6, 1, 2, 4, 4, 3}},
                          {7, 5, {6}, {2, 5, 5, 1, 2, 3}},
                          {5, 2, {7}, {3, 0, 4, 1, 0, 4, 2}}};
constexpr std::size_t table_at = 60;
Tensor table(Tape& tape, const Lookup& l) { return tape.parameter({{l.V, l.D}, table_at}); }

}  // namespace

TEST_CASE("7.1 lookup: a row of the table for each id") {
  const Reals values = parameters();
  compare(
      {"8 ids, a table of 9 rows of 3 elements", "6 ids, a table of 7 rows of 5 elements",
       "7 ids, the first and the last row among them, a table of 5 rows"},
      {"example", "token", "channel"},
      [&](std::size_t input) {
        const Lookup& l = lookups[input];
        Tape tape(values.data());
        poison(tape);
        return copy(gather_rows(table(tape, l), l.ids, l.shape));
      },
      [&](std::size_t input) {
        const Lookup& l = lookups[input];
        Vector y;
        for (const int id : l.ids) {
          const auto row = values.begin() + table_at + id * l.D;
          y.insert(y.end(), row, row + l.D);
        }
        return Array{l.shape.with_axis(l.D), y};
      });
}

TEST_CASE("7.2 backward of a lookup: each row's gradient goes back to the row it came from") {
  struct Loss {
    const Lookup& lookup;
    std::vector<int> further_ids;  // of a second lookup, which is added to the first
    bool parameter;                // or else the table is what another op made
    Reals dy() const { return random_reals(lookup.shape.with_axis(lookup.D).count(), 2); }
    double before() const { return parameter ? there_before : 0; }
    Array gradient(const Vector& all) const {
      const auto begin = all.begin() + table_at;
      return {{lookup.V, lookup.D}, {begin, begin + lookup.V * lookup.D}};
    }
  };
  const Loss losses[] = {{lookups[0], {}, true},
                         {lookups[0], {1, 2, 4, 4, 3, 4, 1, 6}, true},
                         {lookups[1], {}, false},
                         {lookups[2], {}, true}};
  compare(
      {"gradient of a table that held 0.375 before",
       "gradient of a table that is looked up twice, and held 0.375 before",
       "gradient of a table that another op computed",
       "gradient of a table of which the first and the last row are looked up, too; it held 0.375 before"},
      {"row", "channel"},
      [&](std::size_t input) {
        const auto& [l, further_ids, parameter] = losses[input];
        const auto op = [&](Tape& tape) {
          const Tensor x = parameter ? table(tape, l) : table(tape, l) * 1;
          const Tensor y = gather_rows(x, l.ids, l.shape);
          return further_ids.empty() ? y : y + gather_rows(x, further_ids, l.shape);
        };
        return losses[input].gradient(gradients_of(op, losses[input].dy(), losses[input].before()));
      },
      [&](std::size_t input) {
        const auto& [l, further_ids, parameter] = losses[input];
        const Reals dy = losses[input].dy();
        Vector gradients(all_numbers, losses[input].before());
        for (const auto& ids : {l.ids, further_ids}) {
          const Real* from = dy.data();
          for (const int id : ids)
            for (int c = 0; c < l.D; ++c) (gradients.data() + table_at)[id * l.D + c] += *from++;
        }
        return losses[input].gradient(gradients);
      });
}

// --- 7.3, 7.4 ---

namespace {

// x is the first of all parameters, and y follows it. After every z the tape leaves at least D - E elements unused, up
// to the next cache line.
struct Joined {
  Shape x, y;
  bool x_needs = true, y_needs = true;  // a gradient
  int D() const { return x.last(); }
  int E() const { return y.last(); }
  std::size_t y_at() const { return x.count(); }
  Shape shape() const { return x.with_last(D() + E()); }
  Tensor learners(Tape& tape) const {
    const auto tensor = [&](const Parameter& p, bool needs_gradient) {
      const Tensor parameter = tape.parameter(p);
      return needs_gradient ? parameter : tape.constant(p.shape, parameter.value());
    };
    return concat(tensor({x, 0}, x_needs), tensor({y, y_at()}, y_needs));
  }
};

}  // namespace

TEST_CASE("7.3 concat: two rows side by side") {
  const Joined all[] = {{{2, 3, 5}, {3, 4}}, {{2, 4, 8}, {2, 4, 3}}};
  const Reals values = parameters();
  bool past_the_end = false;
  compare(
      {"x (2,3,5) and y (3,4)", "x (2,4,8) and y (2,4,3)"}, {"example", "token", "channel"},
      [&](std::size_t input) {
        Tape tape(values.data());
        poison(tape);
        const Tensor z = all[input].learners(tape);
        past_the_end |= !std::isnan(z.value()[z.count()]);
        return copy(z);
      },
      [&](std::size_t input) {
        const Joined& j = all[input];
        Vector z;
        for (int row = 0; row < j.x.rows(); ++row) {
          const Real* x = values.data() + row * j.D();
          const Real* y = values.data() + j.y_at() + row % j.y.rows() * j.E();
          z.insert(z.end(), x, x + j.D());
          z.insert(z.end(), y, y + j.E());
        }
        return Array{j.shape(), z};
      });
  if (past_the_end)
    throw Error(
        "All elements of z are right, but your lines write past its end, into memory that belongs to others. "
        "Does the loop over y go up to D? A row of y has E elements.");
}

TEST_CASE("7.4 backward of concat: each part of the gradient goes back to where it came from") {
  const Joined all[] = {{{2, 3, 5}, {3, 4}},
                        {{2, 4, 8}, {2, 4, 3}},
                        {{2, 3, 5}, {3, 4}, false, true},
                        {{2, 3, 5}, {3, 4}, true, false}};
  const char* const parts[] = {"gradient of x", "gradient of y",
                               "gradients of others, stored after that of y,"};
  std::vector<std::string> inputs;
  for (const Joined& j : all)
    for (const char* part : parts)
      inputs.push_back(text(part, " of concat(x, y), where x is ", j.x,
                            j.x_needs ? "" : " and needs no gradient", ", y is ", j.y,
                            j.y_needs ? "" : " and needs no gradient", ", and all gradients held 0.375"));
  const auto part_of = [&](std::size_t input, const Vector& gradients) {
    const auto& [x, y, x_needs, y_needs] = all[input / 3];
    const std::size_t begin[] = {0, x.count(), x.count() + y.count(), all_numbers}, part = input % 3;
    const int others = static_cast<int>(begin[3] - begin[2]);
    const Shape shapes[] = {x, {y.rows() / x[1], x[1], y.last()}, {1, 1, others}};
    return Array{shapes[part], {gradients.data() + begin[part], gradients.data() + begin[part + 1]}};
  };
  const auto dz_of = [](const Joined& j) { return random_reals(j.shape().count(), 4); };
  compare(
      inputs, {"example", "token", "channel"},
      [&](std::size_t input) {
        const Joined& j = all[input / 3];
        return part_of(input, gradients_of([&](Tape& tape) { return j.learners(tape); }, dz_of(j)));
      },
      [&](std::size_t input) {
        const Joined& j = all[input / 3];
        const Reals dz = dz_of(j);
        Vector gradients(all_numbers, there_before);
        const Real* from = dz.data();
        for (int row = 0; row < j.x.rows(); ++row) {
          double* x = gradients.data() + row * j.D();
          double* y = gradients.data() + j.y_at() + row % j.y.rows() * j.E();
          for (int c = 0; c < j.D(); ++c, ++from) x[c] += j.x_needs ? *from : 0;
          for (int c = 0; c < j.E(); ++c, ++from) y[c] += j.y_needs ? *from : 0;
        }
        return part_of(input, gradients);
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
  Reals dy() const { return random_reals(shape().count(), 5); }
};

struct Learned {
  explicit Learned(const std::string& join = "add")
      : scheme(make_scheme(text("learned:capacity=", capacity, ",join=", join),
                           {.d_model = width, .heads = 1, .causal = false}, table)) {}
  ParameterTable table;
  std::unique_ptr<Scheme> scheme;
  Reals parameters = table.draw(1);
  Reals gradients = Reals(parameters.size(), static_cast<Real>(there_before));

  // What the scheme adds to words that are all zeros; its gradients are added to.
  Array embed(const Places& p) {
    const Reals zeros(p.shape().count()), dy = p.dy();
    Tape tape(parameters.data(), gradients.data());
    poison(tape);
    const Tensor y = scheme->embedding(
        tape.constant(p.shape(), zeros.data()),
        {.tokens = {}, .length = p.length(), .positions = {p.rows, p.length(), p.positions.data()}});
    const Array out = copy(y);
    if (y.needs_gradient()) tape.backward(y, dy.data());
    return out;
  }
};

}  // namespace

TEST_CASE("7.5 learned positions: a lookup in a table that training changes") {
  const Places places[] = {{1, {4, 2, 17}}, {2, {5, 1, 3, 2, 15, 6}}};
  compare(
      {"what is added to the words at the positions 4 2 17",
       "the gradient of the table, which held 0.375 before",
       "what is added to the words at the positions 5 1 3 of one example, 2 15 6 of another",
       "the gradient of the table after that"},
      {"example", "token", "channel"},
      [&](std::size_t input) {
        Learned learned;
        const Array y = learned.embed(places[input / 2]);
        if (input % 2 == 0) return y;
        return Array{{capacity, width}, {learned.gradients.begin(), learned.gradients.end()}};
      },
      [&](std::size_t input) {
        const Places& p = places[input / 2];
        const Reals table = Learned().parameters, dy = p.dy();
        Vector y, gradient(table.size(), there_before);
        for (std::size_t token = 0; y.size() < dy.size(); ++token) {
          const auto row = static_cast<std::size_t>(p.positions[token % p.positions.size()]);
          for (std::size_t at = row * width; at < (row + 1) * width; ++at) {
            gradient[at] += dy[y.size()];
            y.push_back(table[at]);
          }
        }
        return input % 2 == 0 ? Array{p.shape(), y} : Array{{capacity, width}, gradient};
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
  const auto embedded = [](double position) { return Learned().embed({1, {position}}).values; };
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
    Token query{part(0), part(20)}, key{part(40), part(60)};
    Rows matrix(std::uint64_t seed) const {
      Rows rows;
      for (std::size_t row = 0; row < D; ++row) rows.push_back(random_numbers(d, 100 * (seed + D) + row));
      return rows;
    }
    Rows Q = matrix(0), K = matrix(20);
  };
  const Case cases[] = {{5, 2}, {3, 4}};
  const auto as_list = [](const Parts& p) {
    return list({p.word_word, p.word_position, p.position_word, p.position_position});
  };
  const std::string numbers = "; part 0 is word_word, 1 word_position, 2 position_word, 3 position_position";
  compare(
      {"D = 5, d = 2" + numbers, "D = 3, d = 4" + numbers}, {"part"},
      [&](std::size_t i) {
        return as_list(four_parts(cases[i].query, cases[i].key, cases[i].Q, cases[i].K));
      },
      [&](std::size_t i) {
        const auto& [D, d, query, key, Q, K] = cases[i];
        Vector parts;
        for (const Vector& q : {query.word, query.position})
          for (const Vector& k : {key.word, key.position}) {
            double sum = 0;
            for (std::size_t a = 0; a < D; ++a)
              for (std::size_t b = 0; b < D; ++b)
                for (std::size_t n = 0; n < d; ++n) sum += q[a] * Q[a][n] * k[b] * K[b][n];
            parts.push_back(sum);
          }
        return list(parts);
      },
      1e-9);
}

// --- 7.7 ---

namespace {

using Ids = std::vector<int>;
std::size_t row_of(int id) { return static_cast<std::size_t>(id); }

// dy[i][c], which should be added to gradient[ids[i]][c].
struct Element {
  const Ids& ids;
  const Rows &dy, &gradient;
  std::size_t i, c;
  int id() const { return ids[i]; }
  auto before() const { return std::count(ids.data(), ids.data() + i, id()); }  // how often the id came
  bool again() const { return i > 0 && ids[i - 1] == id(); }
};
using Factor = std::function<double(const Element&)>;
Backward adding(const Factor& factor) {
  return [factor](const Ids& ids, const Rows& dy, Rows& gradient) {
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t c = 0; c < dy[i].size(); ++c)
        gradient[row_of(ids[i])][c] += factor({ids, dy, gradient, i, c}) * dy[i][c];
  };
}
const Backward right_way = adding([](auto&) { return 1; });

// The right way, after a change.
using Change = std::function<void(Ids& ids, Rows& dy, Rows& gradient)>;
Backward after(const Change& change) {
  return [change](Ids ids, Rows dy, Rows& gradient) {
    change(ids, dy, gradient);
    right_way(ids, dy, gradient);
  };
}

// The framework's gather_rows with the learner's lines of 7.1 and 7.2.
void learners_backward(const Ids& ids, const Rows& dy, Rows& gradient) {
  const int V = static_cast<int>(gradient.size()), D = static_cast<int>(gradient[0].size());
  const Reals values(static_cast<std::size_t>(V * D));
  Reals gradients, cotangent;
  for (const Vector& row : gradient) gradients.insert(gradients.end(), row.begin(), row.end());
  for (const Vector& row : dy) cotangent.insert(cotangent.end(), row.begin(), row.end());
  Tape tape(values.data(), gradients.data());
  tape.backward(gather_rows(tape.parameter({{V, D}, 0}), ids, {static_cast<int>(ids.size())}),
                cotangent.data());
  auto from = gradients.begin();
  for (Vector& row : gradient)
    for (double& value : row) value = *from++;
}

void sums_first(const Ids& ids, const Rows& dy, Rows& gradient) {
  std::map<int, Rows> sums;  // each a single row
  for (std::size_t i = 0; i < ids.size(); ++i) {
    Rows& sum = sums.try_emplace(ids[i], 1, Vector(dy[i].size())).first->second;
    right_way({0}, {dy[i]}, sum);
  }
  for (const auto& [id, sum] : sums) right_way({id}, sum, gradient);
}

}  // namespace

TEST_CASE("7.7 your test: an id that occurs twice adds twice, and nothing else changes") {
  const auto right = [](const std::string& what, const Backward& backward) {
    return Candidate{what, true, [=] { return adds_up(backward); }};
  };
  const auto broken = [](const std::string& what, const Backward& backward) {
    return Candidate{what, false, [=] { return adds_up(backward); }};
  };
  const auto scaled = [&](const std::string& what, const Factor& f) { return broken(what, adding(f)); };
  const auto changed = [&](const std::string& what, const Change& c) { return broken(what, after(c)); };
  judge({right("a loop that adds each dy[i] to row ids[i]", right_way),
         right("the same loop, from the last id to the first", after([](Ids& ids, Rows& dy, Rows&) {
                 std::ranges::reverse(ids);
                 std::ranges::reverse(dy);
               })),
         right("first the sum for each id, and then one addition to its row", sums_first),
         right("your own lines of steps 7.1 and 7.2, in float", learners_backward),
         broken("the gradient is assigned: an id that occurs again overwrites",
                [](const Ids& ids, const Rows& dy, Rows& gradient) {
                  for (std::size_t i = 0; i < ids.size(); ++i) gradient[row_of(ids[i])] = dy[i];
                }),
         changed("the gradient is set to zero before it is added to",
                 [](Ids&, Rows&, Rows& gradient) {
                   for (Vector& row : gradient) std::ranges::fill(row, 0.0);
                 }),
         changed("rows that are read are set to zero before they are added to",
                 [](Ids& ids, Rows&, Rows& gradient) {
                   for (const int id : ids) std::ranges::fill(gradient[row_of(id)], 0.0);
                 }),
         scaled("an id that occurs again is skipped", [](auto& e) { return e.before() == 0; }),
         scaled("an id that occurs a third time is skipped", [](auto& e) { return e.before() < 2; }),
         scaled("an id is skipped if the one before it is the same", [](auto& e) { return !e.again(); }),
         scaled("an id that occurs again is skipped, unless the one before it is the same",
                [](auto& e) { return e.before() == 0 || e.again(); }),
         scaled("the gradients of one id are averaged",
                [](auto& e) { return 1.0 / static_cast<double>(std::ranges::count(e.ids, e.id())); }),
         scaled("the gradients are divided by the number of ids",
                [](auto& e) { return 1.0 / static_cast<double>(e.ids.size()); }),
         scaled("nothing is added", [](auto&) { return 0; }),
         scaled("everything is subtracted", [](auto&) { return -1; }),
         scaled("id 0 gets nothing, as if it were padding", [](auto& e) { return e.id() != 0; }),
         scaled("the last row of the table gets nothing",
                [](auto& e) { return row_of(e.id()) + 1 < e.gradient.size(); }),
         scaled("the first of the ids is left out", [](auto& e) { return e.i > 0; }),
         scaled("the last of the ids is left out", [](auto& e) { return e.i + 1 < e.ids.size(); }),
         changed("each gradient goes to the row of its number, not of its id",
                 [](Ids& ids, Rows&, Rows& gradient) {
                   ids.resize(std::min(ids.size(), gradient.size()));
                   std::iota(ids.begin(), ids.end(), 0);
                 }),
         changed("the gradients come in the opposite order",
                 [](Ids&, Rows& dy, Rows&) { std::ranges::reverse(dy); }),
         scaled("only the first channel is added", [](auto& e) { return e.c == 0; }),
         scaled("the last channel is left out", [](auto& e) { return e.c + 1 < e.dy[e.i].size(); }),
         changed("the channels come in the opposite order",
                 [](Ids&, Rows& dy, Rows&) {
                   for (Vector& row : dy) std::ranges::reverse(row);
                 }),
         changed("each gradient goes to the row after its id's, that of the last row to row 0",
                 [](Ids& ids, Rows&, Rows& gradient) {
                   for (int& id : ids) id = (id + 1) % static_cast<int>(gradient.size());
                 }),
         scaled("rows that are read become NaN", [](auto&) { return std::nan(""); }),
         changed("rows that no id names are set to zero",
                 [](Ids& ids, Rows&, Rows& gradient) {
                   for (std::size_t row = 0; row < gradient.size(); ++row)
                     if (!std::ranges::count(ids, static_cast<int>(row)))
                       std::ranges::fill(gradient[row], 0.0);
                 }),
         changed("rows that no id names get a hundredth of the first gradient",
                 [](Ids& ids, Rows& dy, Rows& gradient) {
                   for (std::size_t row = 0; row < gradient.size(); ++row)
                     for (std::size_t c = 0;
                          c < dy[0].size() && !std::ranges::count(ids, static_cast<int>(row)); ++c)
                       gradient[row][c] += 0.01 * dy[0][c];
                 }),
         scaled("the signs are lost: sizes are added", [](auto& e) { return e.dy[e.i][e.c] < 0 ? -1 : 1; })});
}
