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

constexpr double there_before = 0.375;  // in the gradients of parameters: backward adds to them

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

// --- 7.1, 7.2 ---

// No two of V, D, B and T are equal. In the first two no id is the first or the last row, in the third both occur
// twice. Each id is below the number of ids: there is an id[id[row]].
struct Lookup {
  int V, D;
  Shape ids_shape;
  std::vector<int> ids;
  std::size_t elements() const { return ids.size() * static_cast<std::size_t>(D); }
};
const std::vector<Lookup> lookups = {{9, 3, {2, 4}, {4, 1, 6, 1, 2, 4, 4, 3}},
                                     {7, 5, {6}, {2, 5, 5, 1, 2, 3}},
                                     {5, 2, {7}, {3, 0, 4, 1, 0, 4, 2}}};
constexpr std::size_t table_at = 60;
Parameter table_of(const Lookup& l) { return {{l.V, l.D}, table_at}; }

}  // namespace

TEST_CASE("7.1 lookup: a row of the table for each id") {
  compare(
      {"8 ids, a table of 9 rows of 3 elements", "6 ids, a table of 7 rows of 5 elements",
       "7 ids, the first and the last row among them, a table of 5 rows"},
      {"example", "token", "channel"},
      [](std::size_t input) {
        const Lookup& l = lookups[input];
        const Reals values = parameters();
        Tape tape(values.data());
        poison(tape);
        return copy(gather_rows(tape.parameter(table_of(l)), l.ids, l.ids_shape));
      },
      [](std::size_t input) {
        const Lookup& l = lookups[input];
        const Reals values = parameters();
        Vector y;
        for (const int id : l.ids) {
          const auto row = values.begin() + table_at + id * l.D;
          y.insert(y.end(), row, row + l.D);
        }
        return Array{l.ids_shape.with_axis(l.D), y};
      });
}

namespace {

// A table whose gradient is asked for: a parameter that is looked up once, or twice, and a tensor that an op made.
struct Loss {
  const char* what;
  std::size_t input;  // of `lookups`
  int lookups;        // added up; the second with other ids
  bool parameter;
};
constexpr Loss losses[] = {
    {"gradient of a table that held 0.375 before", 0, 1, true},
    {"gradient of a table that is looked up twice, and held 0.375 before", 0, 2, true},
    {"gradient of a table that another op computed", 1, 1, false},
    {"gradient of a table of which the first and the last row are looked up, too; it held 0.375 before", 2, 1,
     true}};

Lookup looked_up_by(const Loss& loss, int which) {
  Lookup l = lookups[loss.input];
  if (which == 1) std::rotate(l.ids.begin(), l.ids.begin() + 3, l.ids.end());
  return l;
}
template <class Numbers>
Array gradient_of_table(const Lookup& l, const Numbers& all) {
  const auto begin = all.begin() + table_at;
  return {{l.V, l.D}, {begin, begin + l.V * l.D}};
}

}  // namespace

TEST_CASE("7.2 backward of a lookup: each row's gradient goes back to the row it came from") {
  std::vector<std::string> inputs;
  for (const Loss& loss : losses) inputs.push_back(loss.what);
  const auto dy_of = [](const Lookup& l) { return random_reals(l.elements(), 2); };
  const auto before = [](const Loss& loss) { return loss.parameter ? there_before : 0; };
  compare(
      inputs, {"row", "channel"},
      [&](std::size_t input) {
        const Loss& loss = losses[input];
        const Lookup first = looked_up_by(loss, 0), second = looked_up_by(loss, 1);
        const Reals values = parameters(), dy = dy_of(first);
        Reals gradients(all_numbers, static_cast<Real>(before(loss)));
        Tape tape(values.data(), gradients.data());
        poison(tape);
        const Tensor parameter = tape.parameter(table_of(first));
        const Tensor table = loss.parameter ? parameter : parameter * 1;
        Tensor y = gather_rows(table, first.ids, first.ids_shape);
        if (loss.lookups == 2) y = y + gather_rows(table, second.ids, second.ids_shape);
        tape.backward(y, dy.data());
        return gradient_of_table(first, gradients);
      },
      [&](std::size_t input) {
        const Loss& loss = losses[input];
        Vector gradient(all_numbers, before(loss));
        for (int which = 0; which < loss.lookups; ++which) {
          const Lookup l = looked_up_by(loss, which);
          const Reals dy = dy_of(l);
          const Real* from = dy.data();
          for (const int id : l.ids)
            for (int c = 0; c < l.D; ++c) (gradient.data() + table_at)[id * l.D + c] += *from++;
        }
        return gradient_of_table(looked_up_by(loss, 0), gradient);
      });
}

// --- 7.3, 7.4 ---

namespace {

// x is the first of all parameters, and y comes after it.
struct Sizes {
  int B, T, D, E;
  bool own_codes;                       // y is (B,T,E), not (T,E)
  bool x_needs = true, y_needs = true;  // a gradient
  int rows() const { return B * T; }
  int y_rows() const { return own_codes ? B * T : T; }
  int y_at() const { return rows() * D; }
  int y_end() const { return y_at() + y_rows() * E; }
  std::size_t z_count() const { return static_cast<std::size_t>(rows() * (D + E)); }
  Shape x_shape() const { return {B, T, D}; }
  Shape y_shape() const { return own_codes ? Shape{B, T, E} : Shape{T, E}; }
};
// In the last two one of x and y is a constant, which needs no gradient: for step 7.4 alone. After every z the tape
// leaves at least D - E elements unused, up to the next cache line.
constexpr Sizes sizes[] = {
    {2, 3, 5, 4, false}, {2, 4, 8, 3, true}, {2, 3, 5, 4, false, false}, {2, 3, 5, 4, false, true, false}};

Tensor learners_concat(Tape& tape, const Sizes& s) {
  const auto tensor = [&](const Parameter& p, bool needs_gradient) {
    const Tensor parameter = tape.parameter(p);
    return needs_gradient ? parameter : tape.constant(p.shape, parameter.value());
  };
  return concat(tensor({s.x_shape(), 0}, s.x_needs),
                tensor({s.y_shape(), static_cast<std::size_t>(s.y_at())}, s.y_needs));
}

}  // namespace

TEST_CASE("7.3 concat: two rows side by side") {
  const Reals values = parameters();
  bool past_the_end = false;
  compare(
      {"x (2,3,5) and y (3,4)", "x (2,4,8) and y (2,4,3)"}, {"example", "token", "channel"},
      [&](std::size_t input) {
        Tape tape(values.data());
        poison(tape);
        const Tensor z = learners_concat(tape, sizes[input]);
        past_the_end |= !std::isnan(z.value()[z.count()]);
        return copy(z);
      },
      [&](std::size_t input) {
        const Sizes& s = sizes[input];
        Vector z;
        for (int row = 0; row < s.rows(); ++row) {
          const auto x = values.begin() + row * s.D, y = values.begin() + s.y_at() + row % s.y_rows() * s.E;
          z.insert(z.end(), x, x + s.D);
          z.insert(z.end(), y, y + s.E);
        }
        return Array{{s.B, s.T, s.D + s.E}, z};
      });
  if (past_the_end)
    throw Error(
        "All elements of z are right, but your lines write past its end, into memory that belongs to others. "
        "Does the loop over y go up to D? A row of y has E elements.");
}

namespace {

// For each of `sizes` the gradient of x, of y, and of the numbers after it, which belong to others.
constexpr std::size_t parts_of_gradient = 3;
template <class Numbers>
Array part_of_gradient(std::size_t input, const Numbers& all) {
  const Sizes& s = sizes[input / parts_of_gradient];
  const int ends[] = {0, s.y_at(), s.y_end(), static_cast<int>(all_numbers)};
  const Shape shapes[] = {s.x_shape(), {s.own_codes ? s.B : 1, s.T, s.E}, {1, 1, ends[3] - ends[2]}};
  const std::size_t part = input % parts_of_gradient;
  return {shapes[part], {all.begin() + ends[part], all.begin() + ends[part + 1]}};
}
std::vector<std::string> of_splits() {
  std::vector<std::string> all;
  for (const Sizes& s : sizes) {
    const std::string with = text(
        " of concat(x, y), where x is ", s.x_shape(), s.x_needs ? "" : " and needs no gradient", ", y is ",
        s.y_shape(), s.y_needs ? "" : " and needs no gradient", ", and all gradients held 0.375");
    for (const char* part :
         {"gradient of x", "gradient of y", "gradients of others, stored after that of y,"})
      all.push_back(part + with);
  }
  return all;
}

}  // namespace

TEST_CASE("7.4 backward of concat: each part of the gradient goes back to where it came from") {
  const auto dz_of = [](const Sizes& s) { return random_reals(s.z_count(), 4); };
  compare(
      of_splits(), {"example", "token", "channel"},
      [&](std::size_t input) {
        const Sizes& s = sizes[input / parts_of_gradient];
        const Reals values = parameters(), dz = dz_of(s);
        Reals gradients(all_numbers, static_cast<Real>(there_before));
        Tape tape(values.data(), gradients.data());
        poison(tape);
        tape.backward(learners_concat(tape, s), dz.data());
        return part_of_gradient(input, gradients);
      },
      [&](std::size_t input) {
        const Sizes& s = sizes[input / parts_of_gradient];
        const Reals dz = dz_of(s);
        Vector gradients(all_numbers, there_before);
        const Real* from = dz.data();
        for (int row = 0; row < s.rows(); ++row) {
          double* const x = gradients.data() + row * s.D;
          double* const y = gradients.data() + s.y_at() + row % s.y_rows() * s.E;
          for (int c = 0; c < s.D; ++c, ++from) x[c] += s.x_needs ? *from : 0;
          for (int c = 0; c < s.E; ++c, ++from) y[c] += s.y_needs ? *from : 0;
        }
        return part_of_gradient(input, gradients);
      });
}

// --- 7.5 ---

namespace {

constexpr int capacity = 20, width = 4;
struct Places {
  int rows;
  Vector positions;  // of each of the rows, 3 tokens
  int length() const { return static_cast<int>(positions.size()) / rows; }
};
const std::vector<Places> places = {{1, {4, 2, 17}}, {2, {5, 1, 3, 2, 15, 6}}};

// The gradient of what comes out for these, (2,T,D).
Reals dy_of(const Places& p) { return random_reals(static_cast<std::size_t>(2 * p.length() * width), 5); }

struct Embedded {
  explicit Embedded(const std::string& join = "add")
      : scheme(make_scheme(text("learned:capacity=", capacity, ",join=", join),
                           {.d_model = width, .heads = 1, .causal = false}, table)) {}
  Vector y, gradient;
  ParameterTable table;
  std::unique_ptr<Scheme> scheme;
  Reals parameters = table.draw(1);

  // What the scheme adds to words that are all zeros, (2,T,D), and the gradient of its table.
  void embed(const Places& p) {
    const Reals dy = dy_of(p), zeros(dy.size());
    Reals gradients(parameters.size(), static_cast<Real>(there_before));
    Tape tape(parameters.data(), gradients.data());
    poison(tape);
    const Tensor out = scheme->embedding(
        tape.constant({2, p.length(), width}, zeros.data()),
        {.tokens = {}, .length = p.length(), .positions = {p.rows, p.length(), p.positions.data()}});
    y = copy(out).values;
    if (out.needs_gradient()) tape.backward(out, dy.data());
    gradient.assign(gradients.begin(), gradients.end());
  }
};

}  // namespace

TEST_CASE("7.5 learned positions: a lookup in a table that training changes") {
  const auto result = [](std::size_t input, const Vector& y, const Vector& gradient) {
    if (input % 2 == 1) return Array{{capacity, width}, gradient};
    return Array{{2, places[input / 2].length(), width}, y};
  };
  compare(
      {"what is added to the words at the positions 4 2 17",
       "the gradient of the table, which held 0.375 before",
       "what is added to the words at the positions 5 1 3 of one example, 2 15 6 of another",
       "the gradient of the table after that"},
      {"example", "token", "channel"},
      [&](std::size_t input) {
        Embedded made;
        made.embed(places[input / 2]);
        return result(input, made.y, made.gradient);
      },
      [&](std::size_t input) {
        const Places& p = places[input / 2];
        const Embedded made;
        const Reals dy = dy_of(p);
        Vector y, gradient(made.parameters.size(), there_before);
        for (std::size_t token = 0; y.size() < dy.size(); ++token) {
          const auto row = static_cast<std::size_t>(p.positions[token % p.positions.size()]);
          for (std::size_t at = row * width; at < (row + 1) * width; ++at) {
            gradient[at] += dy[y.size()];
            y.push_back(made.parameters[at]);
          }
        }
        return result(input, y, gradient);
      });

  // The codes beside the words, not added to them: only then a shape (1,T,D) in place of (T,D) does not fit.
  try {
    Embedded("concat").embed(places[0]);
  } catch (const Error& error) {
    throw Error(
        text("The rows are right, but with join=concat they do not fit beside the words: ", error.what(),
             "\nThis is what you get when the codes have the shape (1,T,D) where one row of positions serves "
             "all examples: it must be (T,D), and positions.shape() is (T) there, (B,T) elsewhere."));
  }

  // What has no row.
  const auto embedded = [](double position) {
    Embedded made;
    made.embed({1, {position}});
    return made.y;
  };
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

namespace {

struct Pair {
  Token query, key;
  Rows Q, K;
};
Pair pair_of(std::size_t D, std::size_t d) {
  const auto matrix = [&](std::uint64_t seed) {
    Rows all;
    for (std::size_t row = 0; row < D; ++row) all.push_back(random_numbers(d, 100 * seed + row));
    return all;
  };
  return {{random_numbers(D, D), random_numbers(D, 20 + D)},
          {random_numbers(D, 40 + D), random_numbers(D, 60 + D)},
          matrix(D),
          matrix(20 + D)};
}
Array as_list(const Parts& p) {
  return list({p.word_word, p.word_position, p.position_word, p.position_position});
}

}  // namespace

TEST_CASE("7.6 a score in four parts, from blank") {
  const Pair pairs[] = {pair_of(5, 2), pair_of(3, 4)};
  const std::string numbers_of_parts =
      "; part 0 is word_word, 1 word_position, 2 position_word, 3 position_position";
  compare(
      {"D = 5, d = 2" + numbers_of_parts, "D = 3, d = 4" + numbers_of_parts}, {"part"},
      [&](std::size_t i) {
        return as_list(four_parts(pairs[i].query, pairs[i].key, pairs[i].Q, pairs[i].K));
      },
      [&](std::size_t i) {
        const auto& [query, key, Q, K] = pairs[i];
        const auto part = [&](const Vector& q, const Vector& k) {
          double sum = 0;
          for (std::size_t a = 0; a < q.size(); ++a)
            for (std::size_t b = 0; b < k.size(); ++b)
              sum += q[a] * k[b] * std::inner_product(Q[a].begin(), Q[a].end(), K[b].begin(), 0.0);
          return sum;
        };
        return as_list({part(query.word, key.word), part(query.word, key.position),
                        part(query.position, key.word), part(query.position, key.position)});
      },
      1e-9);
}

// --- 7.7 ---

namespace {

using Ids = std::vector<int>;
std::size_t row_of(int id) { return static_cast<std::size_t>(id); }

// Channel c of row ids[i], to which dy[i][c] should be added.
struct Place {
  const Ids& ids;
  const Rows &dy, &gradient;
  std::size_t i, c;
  double right() const { return dy[i][c]; }
  double there() const { return gradient[row_of(ids[i])][c]; }
  auto times_before() const {
    return std::count(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i), ids[i]);
  }
  bool as_before() const { return i > 0 && ids[i - 1] == ids[i]; }
};
Backward adding(const std::function<double(const Place&)>& what) {
  return [what](const Ids& ids, const Rows& dy, Rows& gradient) {
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t c = 0; c < dy[i].size(); ++c)
        gradient[row_of(ids[i])][c] += what({ids, dy, gradient, i, c});
  };
}
Backward adding_if(const std::function<bool(const Place&)>& is_added) {
  return adding([is_added](const Place& p) { return is_added(p) ? p.right() : 0; });
}
const Backward right_way = adding(&Place::right);

// The right way, after these ids, rows or gradients were changed.
Backward right_after(const std::function<void(Ids& ids, Rows& dy, Rows& gradient)>& change) {
  return [change](Ids ids, Rows dy, Rows& gradient) {
    change(ids, dy, gradient);
    right_way(ids, dy, gradient);
  };
}
// This for each row that no id names.
Backward right_but_for_others(const std::function<void(Vector& row, const Vector& first_dy)>& change) {
  return right_after([change](Ids& ids, Rows& dy, Rows& gradient) {
    for (std::size_t row = 0; row < gradient.size(); ++row)
      if (std::ranges::count(ids, static_cast<int>(row)) == 0) change(gradient[row], dy[0]);
  });
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

}  // namespace

TEST_CASE("7.7 your test: an id that occurs twice adds twice, and nothing else changes") {
  const auto candidate = [](const std::string& what, bool is_right, const Backward& backward) {
    return Candidate{what, is_right, [=] { return adds_up(backward); }};
  };
  const auto broken = [&](const std::string& what, const Backward& backward) {
    return candidate(what, false, backward);
  };
  judge({candidate("a loop that adds each dy[i] to row ids[i]", true, right_way),
         candidate("the same loop, from the last id to the first", true,
                   right_after([](Ids& ids, Rows& dy, Rows&) {
                     std::ranges::reverse(ids);
                     std::ranges::reverse(dy);
                   })),
         candidate("first the sum for each id, and then one addition to its row", true,
                   [](const Ids& ids, const Rows& dy, Rows& gradient) {
                     std::map<int, Vector> sums;
                     for (std::size_t i = 0; i < ids.size(); ++i) {
                       Vector& sum = sums[ids[i]];
                       sum.resize(dy[i].size());
                       for (std::size_t c = 0; c < sum.size(); ++c) sum[c] += dy[i][c];
                     }
                     for (const auto& [id, sum] : sums) right_way({id}, {sum}, gradient);
                   }),
         candidate("your own lines of steps 7.1 and 7.2, in float", true, learners_backward),
         broken("the gradient is assigned: an id that occurs again overwrites",
                adding([](const Place& p) { return p.right() - p.there(); })),
         broken("the gradient is set to zero before it is added to",
                right_after([](Ids&, Rows&, Rows& gradient) {
                  for (Vector& row : gradient) std::ranges::fill(row, 0.0);
                })),
         broken("rows that are read are set to zero before they are added to",
                right_after([](Ids& ids, Rows&, Rows& gradient) {
                  for (const int id : ids) std::ranges::fill(gradient[row_of(id)], 0.0);
                })),
         broken("an id that occurs again is skipped",
                adding_if([](const Place& p) { return p.times_before() == 0; })),
         broken("an id that occurs a third time is skipped",
                adding_if([](const Place& p) { return p.times_before() < 2; })),
         broken("an id is skipped if the one before it is the same",
                adding_if([](const Place& p) { return !p.as_before(); })),
         broken("an id that occurs again is skipped, unless the one before it is the same",
                adding_if([](const Place& p) { return p.times_before() == 0 || p.as_before(); })),
         broken("the gradients of one id are averaged", adding([](const Place& p) {
                  return p.right() / static_cast<double>(std::ranges::count(p.ids, p.ids[p.i]));
                })),
         broken("the gradients are divided by the number of ids",
                adding([](const Place& p) { return p.right() / static_cast<double>(p.ids.size()); })),
         broken("nothing is added", adding([](const Place&) { return 0; })),
         broken("everything is subtracted", adding([](const Place& p) { return -p.right(); })),
         broken("id 0 gets nothing, as if it were padding",
                adding_if([](const Place& p) { return p.ids[p.i] != 0; })),
         broken("the last row of the table gets nothing",
                adding_if([](const Place& p) { return row_of(p.ids[p.i]) + 1 < p.gradient.size(); })),
         broken("the first of the ids is left out", adding_if([](const Place& p) { return p.i > 0; })),
         broken("the last of the ids is left out",
                adding_if([](const Place& p) { return p.i + 1 < p.ids.size(); })),
         broken("each gradient goes to the row of its number, not of its id",
                right_after([](Ids& ids, Rows&, Rows& gradient) {
                  ids.resize(std::min(ids.size(), gradient.size()));
                  std::iota(ids.begin(), ids.end(), 0);
                })),
         broken("the gradients come in the opposite order",
                right_after([](Ids&, Rows& dy, Rows&) { std::ranges::reverse(dy); })),
         broken("only the first channel is added", adding_if([](const Place& p) { return p.c == 0; })),
         broken("the last channel is left out",
                adding_if([](const Place& p) { return p.c + 1 < p.dy[p.i].size(); })),
         broken("the channels come in the opposite order",
                adding([](const Place& p) { return p.dy[p.i][p.dy[p.i].size() - 1 - p.c]; })),
         broken("each gradient goes to the row after its id's, that of the last row to row 0",
                right_after([](Ids& ids, Rows&, Rows& gradient) {
                  for (int& id : ids) id = (id + 1) % static_cast<int>(gradient.size());
                })),
         broken("rows that are read become NaN", adding([](const Place&) { return std::nan(""); })),
         broken("rows that no id names are set to zero",
                right_but_for_others([](Vector& row, const Vector&) { std::ranges::fill(row, 0.0); })),
         broken("rows that no id names get a hundredth of the first gradient",
                right_but_for_others([](Vector& row, const Vector& first_dy) {
                  for (std::size_t c = 0; c < row.size(); ++c) row[c] += 0.01 * first_dy[c];
                })),
         broken("the signs are lost: sizes are added",
                adding([](const Place& p) { return std::abs(p.right()); }))});
}
