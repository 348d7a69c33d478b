// Chapter 7. Small tables are looked up and rows put side by side by the learner's files, and in plain loops.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
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

const double nothing = std::nan("");    // what memory holds that was never written (compare.h: poison)
constexpr double there_before = 0.375;  // in the gradients of parameters: backward adds to them

Vector random_numbers(std::size_t count, std::uint64_t seed) {
  Random random(seed, Purpose::testing);
  Vector x(count);
  for (double& value : x) value = random.normal();
  return x;
}
Reals reals(const Vector& x) { return {x.begin(), x.end()}; }

// --- 7.1, 7.2 ---

// No two of V, D, B and T are equal. In the first two no id is the first or the last row, in the third both occur
// twice. Each id is below the number of ids, so that what a mistake reads is there.
struct Lookup {
  int V, D;
  Shape ids_shape;
  std::vector<int> ids;
  int count() const { return static_cast<int>(ids.size()); }
  std::size_t elements() const { return ids.size() * static_cast<std::size_t>(D); }
};
const std::vector<Lookup> lookups = {{9, 3, {2, 4}, {4, 1, 6, 1, 2, 4, 4, 3}},
                                     {7, 5, {6}, {2, 5, 5, 1, 2, 3}},
                                     {5, 2, {7}, {3, 0, 4, 1, 0, 4, 2}}};
const std::vector<std::string> of_lookups = {
    "8 ids, a table of 9 rows of 3 elements", "6 ids, a table of 7 rows of 5 elements",
    "7 ids, the first and the last row among them, a table of 5 rows"};

// The table stands among further numbers, as in a model's vector of parameters: what a mistake reads before its
// beginning or past its end is the same each time.
constexpr std::size_t all_numbers = 200, table_at = 60;
Vector numbers() { return random_numbers(all_numbers, 3); }
Parameter table_of(const Lookup& l) { return {{l.V, l.D}, table_at}; }

// The elements that come out: as many as `right` writes, where `copies` writes others.
using Copies = std::function<void(const Lookup&, const double* table, double* y)>;
Answer looked_up(const Copies& copies) {
  return [copies](std::size_t input) {
    const Lookup& l = lookups[input];
    const Vector all = numbers();
    Vector y(l.elements(), nothing);
    copies(l, all.data() + table_at, y.data());
    return Array{l.ids_shape.with_axis(l.D), y};
  };
}
// Element c of row `row` comes from this element of the table, or is not written.
constexpr int not_written = -1000;
Answer each_from(const std::function<int(const Lookup&, int row, int c)>& from) {
  return looked_up([from](const Lookup& l, const double* table, double* y) {
    for (int row = 0; row < l.count(); ++row)
      for (int c = 0; c < l.D; ++c)
        if (const int element = from(l, row, c); element != not_written) y[row * l.D + c] = table[element];
  });
}
Answer row_from(const std::function<int(const Lookup&, int row)>& from) {
  return each_from([from](const Lookup& l, int row, int c) { return from(l, row) * l.D + c; });
}
int id(const Lookup& l, int row) { return l.ids[static_cast<std::size_t>(row)]; }
// Some of the elements are copied, and rightly.
Answer copied_if(const std::function<bool(const Lookup&, int row, int c)>& is_copied) {
  return each_from([is_copied](const Lookup& l, int row, int c) {
    return is_copied(l, row, c) ? id(l, row) * l.D + c : not_written;
  });
}

}  // namespace

TEST_CASE("7.1 lookup: a row of the table for each id") {
  compare(
      of_lookups, {"example", "token", "channel"},
      [](std::size_t input) {
        const Lookup& l = lookups[input];
        const Reals parameters = reals(numbers());
        Tape tape(parameters.data());
        poison(tape);
        return copy(gather_rows(tape.parameter(table_of(l)), l.ids, l.ids_shape));
      },
      row_from(id),
      {{"the id is left out: row 0 of y is row 0 of the table, row 1 is row 1, and so on",
        row_from([](const Lookup&, int row) { return row; })},
       {"every row of y is that of the first id", row_from([](const Lookup& l, int) { return id(l, 0); })},
       {"ids count from 1: each row comes from the row above the right one",
        row_from([](const Lookup& l, int row) { return id(l, row) - 1; })},
       {"each row comes from the row below the right one",
        row_from([](const Lookup& l, int row) { return id(l, row) + 1; })},
       {"the rows of y are in the opposite order",
        row_from([](const Lookup& l, int row) { return id(l, l.count() - 1 - row); })},
       {"the id is looked up twice: id[id[row]]",
        row_from([](const Lookup& l, int row) { return id(l, id(l, row)); })},
       {"row id[row] is taken to begin at element id[row] of the table; it begins at element id[row] * D",
        each_from([](const Lookup& l, int row, int c) { return id(l, row) + c; })},
       {"row id[row] is taken to begin at element id[row] * V of the table; a row has D elements, so that it "
        "begins at element id[row] * D",
        each_from([](const Lookup& l, int row, int c) { return id(l, row) * l.V + c; })},
       {"the table is read as if it were stored column after column (c * V + id[row]); it is stored row "
        "after row",
        each_from([](const Lookup& l, int row, int c) { return c * l.V + id(l, row); })},
       {"the first element of the table's row goes to all D elements: + c is missing on the right",
        each_from([](const Lookup& l, int row, int) { return id(l, row) * l.D; })},
       {"the elements of each row are in the opposite order",
        each_from([](const Lookup& l, int row, int c) { return id(l, row) * l.D + l.D - 1 - c; })},
       {"row `row` of y is taken to begin at element `row`; it begins at element row * D",
        looked_up([](const Lookup& l, const double* table, double* y) {
          for (int row = 0; row < l.count(); ++row) std::copy_n(table + id(l, row) * l.D, l.D, y + row);
        })},
       {"all rows are written to the first row of y",
        looked_up([](const Lookup& l, const double* table, double* y) {
          std::copy_n(table + l.ids.back() * l.D, l.D, y);
        })},
       {"row `row` of the table is copied to row id[row] of y. They have changed places: row id[row] of the "
        "table is copied to row `row` of y",
        looked_up([](const Lookup& l, const double* table, double* y) {
          for (int row = 0; row < l.count(); ++row) std::copy_n(table + row * l.D, l.D, y + id(l, row) * l.D);
        })},
       {"only the first element of each row is copied",
        copied_if([](const Lookup&, int, int c) { return c == 0; })},
       {"the first element of each row is not copied",
        copied_if([](const Lookup&, int, int c) { return c > 0; })},
       {"the last element of each row is not copied: a row has D of them",
        copied_if([](const Lookup& l, int, int c) { return c + 1 < l.D; })},
       {"the last row is not copied",
        copied_if([](const Lookup& l, int row, int) { return row + 1 < l.count(); })},
       {"the first row is not copied", copied_if([](const Lookup&, int row, int) { return row > 0; })},
       {"id 0 is left out, as if it were padding: its row of y is never written",
        copied_if([](const Lookup& l, int row, int) { return id(l, row) != 0; })},
       {"y is filled with zeros",
        looked_up([](const Lookup& l, const double*, double* y) { std::fill_n(y, l.elements(), 0.0); })},
       {"nothing is assigned to y. Its memory is not initialised, so it cannot be added to (+=); std::copy_n "
        "takes the source first, then the count, then the destination",
        looked_up([](const Lookup&, const double*, double*) {})}});
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
constexpr int dy_seed = 2;

// What one backward makes of the gradient of the table. `values` are those of y.
using Adds = std::function<void(const Lookup&, const double* dy, const double* values, double* gradient)>;

Lookup looked_up_by(const Loss& loss, int which) {
  Lookup l = lookups[loss.input];
  if (which == 1) std::rotate(l.ids.begin(), l.ids.begin() + 3, l.ids.end());
  return l;
}
Array gradient_of_table(const Lookup& l, const Vector& all) {
  const auto begin = all.begin() + table_at;
  return {{l.V, l.D}, {begin, begin + l.V * l.D}};
}

Answer gradient_by(const Adds& adds) {
  return [adds](std::size_t input) {
    const Loss& loss = losses[input];
    const Vector all = numbers();
    Vector gradient(all_numbers, loss.parameter ? there_before : 0.0);
    for (int which = loss.lookups - 1; which >= 0; --which) {  // backward: the last lookup first
      const Lookup l = looked_up_by(loss, which);
      const auto table = all.begin() + table_at;
      Vector values;
      for (const int row : l.ids) values.insert(values.end(), table + row * l.D, table + (row + 1) * l.D);
      adds(l, random_numbers(l.elements(), dy_seed).data(), values.data(), gradient.data() + table_at);
    }
    return gradient_of_table(looked_up_by(loss, 0), gradient);
  };
}
// Row id of the gradient is made from itself and row `row` of dy, element by element.
using Change = std::function<double(double is, double dy)>;
Answer each_row(
    const Change& change, const std::function<int(const Lookup&, int row)>& to = id,
    const std::function<int(const Lookup&, int row)>& from = [](const Lookup&, int row) { return row; }) {
  return gradient_by([=](const Lookup& l, const double* dy, const double*, double* gradient) {
    for (int row = 0; row < l.count(); ++row)
      for (int c = 0; c < l.D; ++c) {
        double& at = gradient[to(l, row) * l.D + c];
        at = change(at, dy[from(l, row) * l.D + c]);
      }
  });
}
double add(double is, double dy) { return is + dy; }
// Element c of row `row` of dy is added here, from there.
using Element = std::function<int(const Lookup&, int row, int c)>;
Answer each_element(const Element& to, const Element& from) {
  return gradient_by([=](const Lookup& l, const double* dy, const double*, double* gradient) {
    for (int row = 0; row < l.count(); ++row)
      for (int c = 0; c < l.D; ++c) gradient[to(l, row, c)] += dy[from(l, row, c)];
  });
}
int in_table(const Lookup& l, int row, int c) { return id(l, row) * l.D + c; }
int in_y(const Lookup& l, int row, int c) { return row * l.D + c; }

// With a factor that depends on how often the id occurs, before this row and in all.
Answer weighted(const std::function<double(const Lookup&, int row, int before, int all)>& weight) {
  return gradient_by([=](const Lookup& l, const double* dy, const double*, double* gradient) {
    for (int row = 0; row < l.count(); ++row) {
      const auto here = l.ids.begin() + row;
      const auto before = static_cast<int>(std::count(l.ids.begin(), here, *here));
      const auto all = static_cast<int>(std::ranges::count(l.ids, *here));
      for (int c = 0; c < l.D; ++c)
        gradient[*here * l.D + c] += weight(l, row, before, all) * dy[row * l.D + c];
    }
  });
}
// Some of the elements are added, and rightly.
Answer added_if(const std::function<bool(const Lookup&, int row, int c)>& is_added) {
  return gradient_by([=](const Lookup& l, const double* dy, const double*, double* gradient) {
    for (int row = 0; row < l.count(); ++row)
      for (int c = 0; c < l.D; ++c)
        if (is_added(l, row, c)) gradient[id(l, row) * l.D + c] += dy[row * l.D + c];
  });
}

// Tensor::contribution() in place of gradient(): memory for the gradient of a tensor that is no parameter, which holds
// NaN here. It makes no difference for the gradients of parameters.
Answer by_contribution(const Change& first) {
  return [first](std::size_t input) {
    if (losses[input].parameter) return each_row(add)(input);
    const Lookup& l = lookups[losses[input].input];
    const Vector dy = random_numbers(l.elements(), dy_seed);
    Vector gradient(all_numbers, nothing);
    for (int row = 0; row < l.count(); ++row)
      for (int c = 0; c < l.D; ++c) {
        double& at = gradient[table_at + static_cast<std::size_t>(in_table(l, row, c))];
        at = first(at, dy[static_cast<std::size_t>(in_y(l, row, c))]);
      }
    return gradient_of_table(l, gradient);
  };
}

}  // namespace

TEST_CASE("7.2 backward of a lookup: each row's gradient goes back to the row it came from") {
  std::vector<std::string> inputs;
  for (const Loss& loss : losses) inputs.push_back(loss.what);
  const std::string no_contribution =
      "the gradient comes from table.contribution(), which may be memory that was never initialised: it is "
      "for an op "
      "that assigns all elements, and a lookup does not reach the rows that no id names. table.gradient() is "
      "set to "
      "zero first. Here ";
  compare(
      inputs, {"row", "channel"},
      [](std::size_t input) {
        const Loss& loss = losses[input];
        const Lookup first = looked_up_by(loss, 0), second = looked_up_by(loss, 1);
        const Reals values = reals(numbers()), dy = reals(random_numbers(first.elements(), dy_seed));
        Reals gradients(all_numbers, static_cast<Real>(loss.parameter ? there_before : 0));
        Tape tape(values.data(), gradients.data());
        poison(tape);
        const Tensor parameter = tape.parameter(table_of(first));
        const Tensor table = loss.parameter ? parameter : parameter * 1;
        Tensor y = gather_rows(table, first.ids, first.ids_shape);
        if (loss.lookups == 2) y = y + gather_rows(table, second.ids, second.ids_shape);
        tape.backward(y, dy.data());
        return gradient_of_table(first, {gradients.begin(), gradients.end()});
      },
      each_row(add),
      {{"the gradient is assigned (=), not added (+=): of an id that occurs twice only the last row "
        "counts, and what was there before is lost",
        each_row([](double, double dy) { return dy; })},
       {"the gradient is set to zero first: it may hold the contribution of another op",
        gradient_by([](const Lookup& l, const double* dy, const double*, double* gradient) {
          std::fill_n(gradient, l.V * l.D, 0.0);
          for (int row = 0; row < l.count(); ++row)
            for (int c = 0; c < l.D; ++c) gradient[in_table(l, row, c)] += dy[in_y(l, row, c)];
        })},
       {no_contribution + "elements are assigned the first time",
        by_contribution([](double, double dy) { return dy; })},
       {no_contribution + "elements are added to it", by_contribution(add)},
       {"the id is left out: the gradient of row 0 of y goes to row 0 of the table, and so on",
        each_row(add, [](const Lookup&, int row) { return row; })},
       {"row id[row] of y's gradient is added to row `row` of the table's: they have changed places",
        each_row(
            add, [](const Lookup&, int row) { return row; }, id)},
       {"the gradient of y is read at row id[row]; the gradient of row `row` of y is at row `row`",
        each_row(add, id, id)},
       {"ids count from 1: each gradient goes to the row above the right one",
        each_row(add, [](const Lookup& l, int row) { return id(l, row) - 1; })},
       {"each gradient goes to the row below the right one",
        each_row(add, [](const Lookup& l, int row) { return id(l, row) + 1; })},
       {"every gradient goes to the row of the first id",
        each_row(add, [](const Lookup& l, int) { return id(l, 0); })},
       {"the gradients come from y in the opposite order",
        each_row(add, id, [](const Lookup& l, int row) { return l.count() - 1 - row; })},
       {"only the first row of y's gradient is read",
        each_row(add, id, [](const Lookup&, int) { return 0; })},
       {"the gradient is subtracted; the optimizer subtracts",
        each_row([](double is, double dy) { return is - dy; })},
       {"the gradient is added twice", each_row([](double is, double dy) { return is + 2 * dy; })},
       {"the gradient is multiplied by the value of the table: y is a copy, and the slope of a copy is 1",
        gradient_by([](const Lookup& l, const double* dy, const double* values, double* gradient) {
          for (int row = 0; row < l.count(); ++row)
            for (int c = 0; c < l.D; ++c)
              gradient[in_table(l, row, c)] += dy[in_y(l, row, c)] * values[in_y(l, row, c)];
        })},
       {"the row of an id that occurs n times gets the mean of its n gradients; it should get their sum",
        weighted([](const Lookup&, int, int, int all) { return 1.0 / all; })},
       {"the gradients are divided by the number of ids",
        weighted([](const Lookup& l, int, int, int) { return 1.0 / l.count(); })},
       {"an id that occurs again is skipped: only its first row counts",
        weighted([](const Lookup&, int, int before, int) { return before == 0; })},
       {"of an id that occurs again only the last row counts",
        weighted([](const Lookup&, int, int before, int all) { return before + 1 == all; })},
       {"an id is skipped if the one before it is the same: each row of y counts",
        added_if([](const Lookup& l, int row, int) { return row == 0 || id(l, row) != id(l, row - 1); })},
       {"id 0 gets nothing, as if it were padding: it is a row like all others",
        added_if([](const Lookup& l, int row, int) { return id(l, row) != 0; })},
       {"the last row of the table gets nothing",
        added_if([](const Lookup& l, int row, int) { return id(l, row) + 1 < l.V; })},
       {"nothing more is added after the first id 0", added_if([](const Lookup& l, int row, int) {
          const auto zero = std::ranges::find(l.ids, 0);
          return row <= zero - l.ids.begin();
        })},
       {"the last row of y's gradient is left out",
        added_if([](const Lookup& l, int row, int) { return row + 1 < l.count(); })},
       {"the first row of y's gradient is left out",
        added_if([](const Lookup&, int row, int) { return row > 0; })},
       {"only the first element of each row is added",
        added_if([](const Lookup&, int, int c) { return c == 0; })},
       {"the first element of each row is left out",
        added_if([](const Lookup&, int, int c) { return c > 0; })},
       {"the last element of each row is left out: a row has D of them",
        added_if([](const Lookup& l, int, int c) { return c + 1 < l.D; })},
       {"row id[row] of the table is taken to begin at element id[row]; it begins at element id[row] * D",
        each_element([](const Lookup& l, int row, int c) { return id(l, row) + c; }, in_y)},
       {"row id[row] of the table is taken to begin at element id[row] * V; a row has D elements, so that it "
        "begins at element id[row] * D",
        each_element([](const Lookup& l, int row, int c) { return id(l, row) * l.V + c; }, in_y)},
       {"all goes to the first element of the table's row: + c is missing on the left",
        each_element([](const Lookup& l, int row, int) { return id(l, row) * l.D; }, in_y)},
       {"the first element of y's row is added to all D elements: + c is missing on the right",
        each_element(in_table, [](const Lookup& l, int row, int) { return row * l.D; })},
       {"row `row` of y is taken to begin at element `row`; it begins at element row * D",
        each_element(in_table, [](const Lookup&, int row, int c) { return row + c; })},
       {"the values of y are added, not its gradient",
        gradient_by([](const Lookup& l, const double*, const double* values, double* gradient) {
          for (int row = 0; row < l.count(); ++row)
            for (int c = 0; c < l.D; ++c) gradient[in_table(l, row, c)] += values[in_y(l, row, c)];
        })},
       {"no gradient arrives at the table. Is it added to the table's value, or to the gradient of y? It "
        "belongs in table.gradient()",
        gradient_by([](const Lookup&, const double*, const double*, double*) {})}});
}

// --- 7.3, 7.4 ---

namespace {

struct Sizes {
  int B, T, D, E;
  bool own_codes;                       // y is (B,T,E), not (T,E)
  bool x_needs = true, y_needs = true;  // a gradient
  int rows() const { return B * T; }
  int y_rows() const { return own_codes ? B * T : T; }
  int width() const { return D + E; }
  Shape y_shape() const { return own_codes ? Shape{B, T, E} : Shape{T, E}; }
};
// In the last two one of x and y is a constant, which needs no gradient: for step 7.4 alone. After every z the tape
// leaves at least D - E elements unused, up to the next cache line.
constexpr Sizes sizes[] = {
    {2, 3, 5, 4, false}, {2, 4, 8, 3, true}, {2, 3, 5, 4, false, false}, {2, 3, 5, 4, false, true, false}};
const std::vector<std::string> of_sizes = {"x (2,3,5) and y (3,4)", "x (2,4,8) and y (2,4,3)"};

// x, y and further numbers one after another, as in a model's vector of parameters: what reads past the end of y finds
// the numbers that come next.
constexpr std::size_t x_at = 0;
std::size_t y_at(const Sizes& s) { return static_cast<std::size_t>(s.rows() * s.D); }

using Joins = std::function<void(const Sizes&, const Vector& from, Vector& z)>;
Answer joined(const Joins& joins) {
  return [joins](std::size_t input) {
    const Sizes& s = sizes[input];
    Vector z(static_cast<std::size_t>(s.rows() * s.width()), nothing);
    joins(s, numbers(), z);
    return Array{{s.B, s.T, s.width()}, z};
  };
}
// Where things begin: in row `row` of z, of x and of y.
using At = std::function<int(const Sizes&, int row)>;
struct Ways {
  At z_row = [](const Sizes& s, int row) { return row * s.width(); };
  At x_row = [](const Sizes& s, int row) { return row * s.D; };
  At y_row = [](const Sizes& s, int row) { return row % s.y_rows() * s.E; };
  At x_in_z = [](const Sizes&, int) { return 0; };
  At y_in_z = [](const Sizes& s, int) { return s.D; };
  bool x = true, y = true;            // whether it is copied
  bool first_rows_of_y_only = false;  // as many as y has
  std::function<int(const Sizes&)> x_count = [](const Sizes& s) { return s.D; };
  std::function<int(const Sizes&)> y_count = [](const Sizes& s) { return s.E; };
};
Answer joined_by(const Ways& w) {
  return joined([w](const Sizes& s, const Vector& from, Vector& z) {
    const auto copy_row = [&](std::size_t first, int count, int to) {
      for (int c = 0; c < count; ++c)
        if (const auto at = static_cast<std::size_t>(to + c); at < z.size())
          z[at] = from[first + static_cast<std::size_t>(c)];
    };
    for (int row = 0; row < s.rows(); ++row) {
      const int to = w.z_row(s, row);
      if (w.x)
        copy_row(x_at + static_cast<std::size_t>(w.x_row(s, row)), w.x_count(s), to + w.x_in_z(s, row));
      if (w.y && !(w.first_rows_of_y_only && row >= s.y_rows()))
        copy_row(y_at(s) + static_cast<std::size_t>(w.y_row(s, row)), w.y_count(s), to + w.y_in_z(s, row));
    }
  });
}

Tensor learners_concat(Tape& tape, const Sizes& s) {
  const auto tensor = [&](const Parameter& p, bool needs_gradient) {
    const Tensor parameter = tape.parameter(p);
    return needs_gradient ? parameter : tape.constant(p.shape, parameter.value());
  };
  return concat(tensor({{s.B, s.T, s.D}, x_at}, s.x_needs), tensor({s.y_shape(), y_at(s)}, s.y_needs));
}

}  // namespace

TEST_CASE("7.3 concat: two rows side by side") {
  const Reals parameters = reals(numbers());
  bool past_the_end = false;
  compare(
      of_sizes, {"example", "token", "channel"},
      [&](std::size_t input) {
        Tape tape(parameters.data());
        poison(tape);
        const Tensor z = learners_concat(tape, sizes[input]);
        past_the_end |= !std::isnan(z.value()[z.count()]);
        return copy(z);
      },
      joined_by({}),
      {{"y comes first and x after it", joined_by({.x_in_z = [](const Sizes& s, int) { return s.E; },
                                                   .y_in_z = [](const Sizes&, int) { return 0; }})},
       {"row `row` of y is read though y has only y_rows rows: after the last one the first comes again",
        joined_by({.y_row = [](const Sizes& s, int row) { return row * s.E; }})},
       {"y is always taken to have one row per position; it may have rows of its own for each example",
        joined_by({.y_row = [](const Sizes& s, int row) { return row % s.T * s.E; }})},
       {"row / y_rows is read of y: the remainder, row % y_rows, is needed",
        joined_by({.y_row = [](const Sizes& s, int row) { return row / s.y_rows() * s.E; }})},
       {"each row of y is read rows / y_rows times in a row; its rows take turns: row % y_rows",
        joined_by({.y_row = [](const Sizes& s, int row) { return row / (s.rows() / s.y_rows()) * s.E; }})},
       {"row % (y_rows - 1) is read of y: its last row never comes",
        joined_by({.y_row = [](const Sizes& s, int row) { return row % (s.y_rows() - 1) * s.E; }})},
       {"y is read from element `row` on, as row % (y_rows * E) does; (row % y_rows) * E is where its row "
        "begins",
        joined_by({.y_row = [](const Sizes&, int row) { return row; }})},
       {"y is copied to its first y_rows rows of z only: it is needed in all of them",
        joined_by({.first_rows_of_y_only = true})},
       {"only the first E elements of a row of x are copied; it has D of them",
        joined_by({.x_count = [](const Sizes& s) { return s.E; }})},
       {"the last element of a row of y is not copied; it has E of them",
        joined_by({.y_count = [](const Sizes& s) { return s.E - 1; }})},
       {"the last element of a row of x is not copied; it has D of them",
        joined_by({.x_count = [](const Sizes& s) { return s.D - 1; }})},
       {"row 0 of y is read each time", joined_by({.y_row = [](const Sizes&, int) { return 0; }})},
       {"row `row % y_rows` of y is taken to begin at that element; a row of y has E elements",
        joined_by({.y_row = [](const Sizes& s, int row) { return row % s.y_rows(); }})},
       {"rows of y are taken to be D elements long; they have E",
        joined_by({.y_row = [](const Sizes& s, int row) { return row % s.y_rows() * s.D; }})},
       {"x is read as if its rows came again after y_rows of them",
        joined_by({.x_row = [](const Sizes& s, int row) { return row % s.T * s.D; }})},
       {"row 0 of x is read each time", joined_by({.x_row = [](const Sizes&, int) { return 0; }})},
       {"rows of x are taken to be E elements long; they have D",
        joined_by({.x_row = [](const Sizes& s, int row) { return row * s.E; }})},
       {"rows of z are taken to be D elements long; they have D + E",
        joined_by({.z_row = [](const Sizes& s, int row) { return row * s.D; }})},
       {"rows of z are taken to be E elements long; they have D + E",
        joined_by({.z_row = [](const Sizes& s, int row) { return row * s.E; }})},
       {"y is written over the beginning of x: it belongs D elements further on",
        joined_by({.y_in_z = [](const Sizes&, int) { return 0; }})},
       {"y begins at element E of a row of z; it begins at element D",
        joined_by({.y_in_z = [](const Sizes& s, int) { return s.E; }})},
       {"y begins one element too early", joined_by({.y_in_z = [](const Sizes& s, int) { return s.D - 1; }})},
       {"y begins one element too late", joined_by({.y_in_z = [](const Sizes& s, int) { return s.D + 1; }})},
       {"only x is copied", joined_by({.y = false})},
       {"only y is copied", joined_by({.x = false})},
       {"all rows of x come first, and all of y after them: x and y should alternate, row by row",
        joined([](const Sizes& s, const Vector& from, Vector& z) {
          const int all_x = s.rows() * s.D;
          for (int i = 0; i < all_x; ++i) z[static_cast<std::size_t>(i)] = from[static_cast<std::size_t>(i)];
          for (int row = 0; row < s.rows(); ++row)
            for (int c = 0; c < s.E; ++c)
              z[static_cast<std::size_t>(all_x + row * s.E + c)] =
                  from[y_at(s) + static_cast<std::size_t>(row % s.y_rows() * s.E + c)];
        })},
       {"nothing is assigned to z. Its memory is not initialised, so it cannot be added to (+=)",
        joined([](const Sizes&, const Vector&, Vector&) {})}});
  if (past_the_end)
    throw Error(
        "All elements of z are right, but your lines write past its end, into memory that belongs to others. "
        "Does the loop over y go up to D? A row of y has E elements.");
}

namespace {

// What backward makes of the gradient of x, of y, or of the numbers after it, which belong to others.
constexpr std::size_t parts_of_gradient = 3;
Array part_of_gradient(const Sizes& s, std::size_t part, const Vector& all) {
  const std::size_t y_end = y_at(s) + static_cast<std::size_t>(s.y_rows() * s.E);
  const std::size_t first = part == 0 ? x_at : part == 1 ? y_at(s) : y_end;
  const std::size_t end = part == 0 ? y_at(s) : part == 1 ? y_end : all_numbers;
  const Shape shapes[] = {
      {s.B, s.T, s.D}, {s.own_codes ? s.B : 1, s.T, s.E}, {1, 1, static_cast<int>(all_numbers - y_end)}};
  return {shapes[part],
          {all.begin() + static_cast<std::ptrdiff_t>(first), all.begin() + static_cast<std::ptrdiff_t>(end)}};
}
std::vector<std::string> of_splits() {
  std::vector<std::string> all;
  for (const Sizes& s : sizes) {
    const std::string with = text(
        " of concat(x, y), where x is ", Shape{s.B, s.T, s.D}, s.x_needs ? "" : " and needs no gradient",
        ", y is ", s.y_shape(), s.y_needs ? "" : " and needs no gradient", ", and all gradients held 0.375");
    for (const char* part :
         {"gradient of x", "gradient of y", "gradients of others, stored after that of y,"})
      all.push_back(part + with);
  }
  return all;
}
using Splits = std::function<void(const Sizes&, const Vector& dz, Vector& gradient)>;
Answer split(const Splits& splits) {
  return [splits](std::size_t input) {
    const Sizes& s = sizes[input / parts_of_gradient];
    Vector gradient(all_numbers, there_before);
    splits(s, random_numbers(static_cast<std::size_t>(s.rows() * s.width()), 4), gradient);
    // What needs no gradient gets memory of its own.
    if (!s.x_needs) std::fill_n(gradient.begin(), y_at(s), there_before);
    if (!s.y_needs)
      std::fill(gradient.begin() + static_cast<std::ptrdiff_t>(y_at(s)), gradient.end(), there_before);
    return part_of_gradient(s, input % parts_of_gradient, gradient);
  };
}
struct Backs {
  At z_row = [](const Sizes& s, int row) { return row * s.width(); };
  At x_in_z = [](const Sizes&, int) { return 0; };
  At y_in_z = [](const Sizes& s, int) { return s.D; };
  At y_row = [](const Sizes& s, int row) { return row % s.y_rows() * s.E; };
  At x_row = [](const Sizes& s, int row) { return row * s.D; };
  Change x = add, y = add;
  bool first_rows_of_y_only = false, x_needs_y = false,
       y_needs_x = false;  // needs_gradient() of the other is asked
  std::function<double(const Sizes&)> y_share = [](const Sizes&) { return 1.0; };  // of dz, for y
};
Answer split_by(const Backs& b) {
  return split([b](const Sizes& s, const Vector& dz, Vector& gradient) {
    const auto row_back = [&](const Change& change, double share, int from, int count, std::size_t to) {
      for (int c = 0; c < count; ++c)
        if (const auto at = static_cast<std::size_t>(from + c); at < dz.size())
          gradient[to + static_cast<std::size_t>(c)] =
              change(gradient[to + static_cast<std::size_t>(c)], share * dz[at]);
    };
    const bool x = s.y_needs || !b.x_needs_y, y = s.x_needs || !b.y_needs_x;
    for (int row = 0; row < s.rows(); ++row) {
      const int from = b.z_row(s, row);
      if (x) row_back(b.x, 1, from + b.x_in_z(s, row), s.D, x_at + static_cast<std::size_t>(b.x_row(s, row)));
      if (!y || (b.first_rows_of_y_only && row >= s.y_rows())) continue;
      row_back(b.y, b.y_share(s), from + b.y_in_z(s, row), s.E,
               y_at(s) + static_cast<std::size_t>(b.y_row(s, row)));
    }
  });
}
double keep(double is, double) { return is; }
double overwrite(double, double dz) { return dz; }
double subtract(double is, double dz) { return is - dz; }
double add_twice(double is, double dz) { return is + 2 * dz; }

}  // namespace

TEST_CASE("7.4 backward of concat: each part of the gradient goes back to where it came from") {
  compare(
      of_splits(), {"example", "token", "channel"},
      [](std::size_t input) {
        const Sizes& s = sizes[input / parts_of_gradient];
        const Reals parameters = reals(numbers()),
                    dz = reals(random_numbers(static_cast<std::size_t>(s.rows() * s.width()), 4));
        Reals gradients(all_numbers, static_cast<Real>(there_before));
        Tape tape(parameters.data(), gradients.data());
        poison(tape);
        tape.backward(learners_concat(tape, s), dz.data());
        return part_of_gradient(s, input % parts_of_gradient, {gradients.begin(), gradients.end()});
      },
      split_by({}),
      {{"y gets a gradient only if x needs one. x and y are asked one by one: y.needs_gradient() decides "
        "about y",
        split_by({.y_needs_x = true})},
       {"x gets a gradient only if y needs one. x and y are asked one by one: x.needs_gradient() decides "
        "about x",
        split_by({.x_needs_y = true})},
       {"y gets the gradients of the first example only: all examples that share a row of y add to it",
        split_by({.first_rows_of_y_only = true})},
       {"each row of y gets the gradients of rows / y_rows neighbouring rows of z; its rows take turns: row "
        "% y_rows",
        split_by({.y_row = [](const Sizes& s, int row) { return row / (s.rows() / s.y_rows()) * s.E; }})},
       {"row % (y_rows - 1) of y gets the gradient: its last row gets nothing",
        split_by({.y_row = [](const Sizes& s, int row) { return row % (s.y_rows() - 1) * s.E; }})},
       {"y's row is taken to begin at element `row`, as row % (y_rows * E) does; it begins at (row % y_rows) "
        "* E",
        split_by({.y_row = [](const Sizes&, int row) { return row; }})},
       {"y's gradient is subtracted; the optimizer subtracts", split_by({.y = subtract})},
       {"x's gradient is subtracted; the optimizer subtracts", split_by({.x = subtract})},
       {"y's elements are read one element too early; they begin at element D of a row of z",
        split_by({.y_in_z = [](const Sizes& s, int) { return s.D - 1; }})},
       {"y's gradient is divided by the number of examples that share a row: it is a sum, not a mean",
        split_by({.y_share = [](const Sizes& s) { return 1.0 * s.y_rows() / s.rows(); }})},
       {"y's gradient is assigned (=), not added (+=): of the examples that share a row of y only the last "
        "counts",
        split_by({.y = overwrite})},
       {"x's gradient is assigned (=), not added (+=): what was there before is lost",
        split_by({.x = overwrite})},
       {"both gradients are assigned (=), not added (+=)", split_by({.x = overwrite, .y = overwrite})},
       {"y gets the elements that belong to x: its own begin D elements further on",
        split_by({.y_in_z = [](const Sizes&, int) { return 0; }})},
       {"y's elements are taken to begin at element E of a row of z; they begin at element D",
        split_by({.y_in_z = [](const Sizes& s, int) { return s.E; }})},
       {"x gets the last D elements of each row of z, and y the first E: they have changed places",
        split_by({.x_in_z = [](const Sizes& s, int) { return s.E; },
                  .y_in_z = [](const Sizes&, int) { return 0; }})},
       {"row `row` of y's gradient is written though y has only y_rows rows: those after it belong to others",
        split_by({.y_row = [](const Sizes& s, int row) { return row * s.E; }})},
       {"y is always taken to have one row per position; it may have rows of its own for each example",
        split_by({.y_row = [](const Sizes& s, int row) { return row % s.T * s.E; }})},
       {"row / y_rows of y gets the gradient: the remainder, row % y_rows, is needed",
        split_by({.y_row = [](const Sizes& s, int row) { return row / s.y_rows() * s.E; }})},
       {"all of y's gradient goes to its row 0", split_by({.y_row = [](const Sizes&, int) { return 0; }})},
       {"rows of y are taken to be D elements long; they have E",
        split_by({.y_row = [](const Sizes& s, int row) { return row % s.y_rows() * s.D; }})},
       {"rows of x are taken to be E elements long; they have D",
        split_by({.x_row = [](const Sizes& s, int row) { return row * s.E; }})},
       {"all of x's gradient goes to its row 0", split_by({.x_row = [](const Sizes&, int) { return 0; }})},
       {"rows of z are taken to be D elements long; they have D + E",
        split_by({.z_row = [](const Sizes& s, int row) { return row * s.D; }})},
       {"rows of z are taken to be E elements long; they have D + E",
        split_by({.z_row = [](const Sizes& s, int row) { return row * s.E; }})},
       {"row 0 of z's gradient is read each time", split_by({.z_row = [](const Sizes&, int) { return 0; }})},
       {"x gets no gradient", split_by({.x = keep})},
       {"y gets no gradient", split_by({.y = keep})},
       {"no gradient arrives at all: is it added to x.gradient() and y.gradient()?",
        split_by({.x = keep, .y = keep})},
       {"both gradients are subtracted; the optimizer subtracts", split_by({.x = subtract, .y = subtract})},
       {"both gradients are added twice", split_by({.x = add_twice, .y = add_twice})},
       {"y's gradient is divided by the number of examples: it is a sum, not a mean",
        split_by({.y_share = [](const Sizes& s) { return 1.0 / s.B; }})},
       {"the values of z are added, not its gradient",
        split([](const Sizes& s, const Vector&, Vector& gradient) {
          const Vector from = numbers();
          for (int row = 0; row < s.rows(); ++row) {
            for (int c = 0; c < s.D; ++c) {
              const auto at = static_cast<std::size_t>(row * s.D + c);
              gradient[at] += from[at];
            }
            for (int c = 0; c < s.E; ++c) {
              const std::size_t at = y_at(s) + static_cast<std::size_t>(row % s.y_rows() * s.E + c);
              gradient[at] += from[at];
            }
          }
        })}});
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
    const std::size_t count = static_cast<std::size_t>(2 * p.length() * width);
    const Reals zeros(count), dy = reals(random_numbers(count, 5));
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

// Token t of example b gets row `row` of the table, times `factor`; `gradient`: whether the table gets a gradient.
using RowOf = std::function<int(const Places&, int b, int t)>;
Answer coded(const RowOf& row_of, double factor = 1, bool gradient = true) {
  return [=](std::size_t input) {
    const Places& p = places[input / 2];
    const Embedded made;
    const Vector dy = random_numbers(static_cast<std::size_t>(2 * p.length() * width), 5);
    Vector y, gradients(made.parameters.size(), there_before);
    for (int b = 0; b < 2; ++b)
      for (int t = 0; t < p.length(); ++t)
        for (int c = 0; c < width; ++c) {
          const auto at = static_cast<std::size_t>(row_of(p, b, t) * width + c);
          if (gradient) gradients[at] += factor * dy[y.size()];
          y.push_back(factor * made.parameters[at]);
        }
    if (input % 2 == 1) return Array{{capacity, width}, gradients};
    return Array{{2, p.length(), width}, y};
  };
}
int position(const Places& p, int b, int t) {
  return static_cast<int>(p.positions[static_cast<std::size_t>((p.rows == 1 ? 0 : b) * p.length() + t)]);
}

}  // namespace

TEST_CASE("7.5 learned positions: a lookup in a table that training changes") {
  compare(
      {"what is added to the words at the positions 4 2 17",
       "the gradient of the table, which held 0.375 before",
       "what is added to the words at the positions 5 1 3 of one example, 2 15 6 of another",
       "the gradient of the table after that"},
      {"example", "token", "channel"},
      [](std::size_t input) {
        Embedded made;
        made.embed(places[input / 2]);
        if (input % 2 == 1) return Array{{capacity, width}, made.gradient};
        return Array{{2, places[input / 2].length(), width}, made.y};
      },
      coded(position),
      {{"the rows are right, but no gradient gets to the table: it is on the tape as a constant, and stays "
        "as it was "
        "drawn. tape.parameter(table_) is the table that training changes",
        coded(position, 1, false)},
       {"the positions are left out: token t gets row t", coded([](const Places&, int, int t) { return t; })},
       {"every token gets row 0", coded([](const Places&, int, int) { return 0; })},
       {"every token gets the row of the first position",
        coded([](const Places& p, int, int) { return position(p, 0, 0); })},
       {"the positions of the first example serve all of them",
        coded([](const Places& p, int, int t) { return position(p, 0, t); })},
       {"rows count from 1: position 0 gets row 1",
        coded([](const Places& p, int b, int t) { return position(p, b, t) + 1; })},
       {"position 1 gets row 0", coded([](const Places& p, int b, int t) { return position(p, b, t) - 1; })},
       {"the table is read from its end",
        coded([](const Places& p, int b, int t) { return capacity - 1 - position(p, b, t); })},
       {"every position past 11 gets row 11; the table has a row for each position up to its end",
        coded([](const Places& p, int b, int t) { return std::min(position(p, b, t), 11); })},
       {"row p - p0 is read for position p, p0 being the first position of the example",
        coded([](const Places& p, int b, int t) {
          return std::max(0, position(p, b, t) - position(p, b, 0));
        })},
       {"the rows are multiplied by the root of the width; here they are large enough",
        coded(position, std::sqrt(width))},
       {"the rows are divided by the root of the width", coded(position, 1 / std::sqrt(width))}});

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
Vector times(const Vector& x, const Rows& matrix) {
  Vector y(matrix[0].size());
  for (std::size_t in = 0; in < x.size(); ++in)
    for (std::size_t out = 0; out < y.size(); ++out) y[out] += x[in] * matrix[in][out];
  return y;
}
double dot(const Vector& a, const Vector& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}
Vector sum(const Vector& a, const Vector& b) {
  Vector c = a;
  for (std::size_t i = 0; i < c.size(); ++i) c[i] += b[i];
  return c;
}
Rows random_rows(std::size_t rows, std::size_t columns, std::uint64_t seed) {
  Rows all;
  for (std::size_t r = 0; r < rows; ++r) all.push_back(random_numbers(columns, 100 * seed + r));
  return all;
}

struct Pair {
  Token query, key;
  Rows Q, K;
};
std::vector<Pair> pairs() {
  std::vector<Pair> all;
  for (const auto& [D, d] : {std::pair<std::size_t, std::size_t>{5, 2}, {3, 4}})
    all.push_back({{random_numbers(D, D), random_numbers(D, 20 + D)},
                   {random_numbers(D, 40 + D), random_numbers(D, 60 + D)},
                   random_rows(D, d, D),
                   random_rows(D, d, 20 + D)});
  return all;
}
Array as_list(const Parts& p) {
  return list({p.word_word, p.word_position, p.position_word, p.position_position});
}

}  // namespace

TEST_CASE("7.6 a score in four parts, from blank") {
  const std::vector<Pair> of = pairs();
  const auto score = [](const Vector& q, const Vector& k, const Rows& Q, const Rows& K) {
    return dot(times(q, Q), times(k, K));
  };
  using Makes = std::function<Parts(const Pair&)>;
  const auto by = [&](const Makes& makes) {
    return [&of, makes](std::size_t i) { return as_list(makes(of[i])); };
  };
  const auto parts = [score](const Token& q, const Token& k, const Rows& Q, const Rows& K) {
    return Parts{score(q.word, k.word, Q, K), score(q.word, k.position, Q, K),
                 score(q.position, k.word, Q, K), score(q.position, k.position, Q, K)};
  };
  const auto changed = [&](const std::function<void(Parts&, const Pair&)>& change) {
    return by([=](const Pair& p) {
      Parts made = parts(p.query, p.key, p.Q, p.K);
      change(made, p);
      return made;
    });
  };
  // One of the four vectors that are multiplied is another.
  using Four = std::array<Vector,
                          4>;  // the query's word and position, the key's word and position: times Q, times K
  static const char* const names[] = {"query.word", "query.position", "key.word", "key.position"};
  const auto token_part = [](const Pair& p, std::size_t which) {
    return which == 0   ? p.query.word
           : which == 1 ? p.query.position
           : which == 2 ? p.key.word
                        : p.key.position;
  };
  const auto from_four = [](const Four& v) {
    return Parts{dot(v[0], v[2]), dot(v[0], v[3]), dot(v[1], v[2]), dot(v[1], v[3])};
  };
  const auto four = [=](const Pair& p) {
    Four v;
    for (std::size_t i = 0; i < 4; ++i) v[i] = times(token_part(p, i), i < 2 ? p.Q : p.K);
    return v;
  };
  const auto parts_of = [&](const std::function<double(const Vector&, const Vector&)>& product) {
    return by([=](const Pair& p) {
      const Four v = four(p);
      return Parts{product(v[0], v[2]), product(v[0], v[3]), product(v[1], v[2]), product(v[1], v[3])};
    });
  };
  const auto without = [&](std::size_t i) {  // number i of each word and position
    return by([=](const Pair& p) {
      Pair all_but_one = p;
      for (Vector* x : {&all_but_one.query.word, &all_but_one.query.position, &all_but_one.key.word,
                        &all_but_one.key.position})
        (*x)[i == 0 ? 0 : x->size() - 1] = 0;
      return from_four(four(all_but_one));
    });
  };
  const auto scaled = [&](const std::function<double(double D, double d)>& factor) {
    return changed([=](Parts& made, const Pair& p) {
      const double f = factor(static_cast<double>(p.Q.size()), static_cast<double>(p.Q[0].size()));
      for (double* part :
           {&made.word_word, &made.word_position, &made.position_word, &made.position_position})
        *part *= f;
    });
  };
  std::vector<Mistake> mistakes;
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t instead = 0; instead < 4; ++instead)
      for (const char matrix : {'Q', 'K'}) {
        const char right = i < 2 ? 'Q' : 'K';
        if (instead == i && matrix == right) continue;
        mistakes.push_back(
            {text(names[instead], ' ', matrix, " stands where ", names[i], ' ', right, " should be"),
             by([=](const Pair& p) {
               Four v = four(p);
               v[i] = times(token_part(p, instead), matrix == 'Q' ? p.Q : p.K);
               return from_four(v);
             })});
      }
  const std::vector<Mistake> more = {
      {"word_position and position_word have changed places: the query's part is named first",
       changed([](Parts& made, const Pair&) { std::swap(made.word_position, made.position_word); })},
      {"word_word and position_position have changed places",
       changed([](Parts& made, const Pair&) { std::swap(made.word_word, made.position_position); })},
      {"Q and K have changed places: Q makes the query, K the key",
       by([&](const Pair& p) { return parts(p.query, p.key, p.K, p.Q); })},
      {"query and key have changed places",
       by([&](const Pair& p) { return parts(p.key, p.query, p.Q, p.K); })},
      {"both go through Q", by([&](const Pair& p) { return parts(p.query, p.key, p.Q, p.Q); })},
      {"both go through K", by([&](const Pair& p) { return parts(p.query, p.key, p.K, p.K); })},
      {"Q and K are left out: these are products of words and positions themselves", by([](const Pair& p) {
         return Parts{dot(p.query.word, p.key.word), dot(p.query.word, p.key.position),
                      dot(p.query.position, p.key.word), dot(p.query.position, p.key.position)};
       })},
      {"the two crossing parts are left at 0",
       changed([](Parts& made, const Pair&) { made.word_position = made.position_word = 0; })},
      {"position_word is left at 0", changed([](Parts& made, const Pair&) { made.position_word = 0; })},
      {"word_position is left at 0", changed([](Parts& made, const Pair&) { made.word_position = 0; })},
      {"word_word is left at 0", changed([](Parts& made, const Pair&) { made.word_word = 0; })},
      {"position_position is left at 0",
       changed([](Parts& made, const Pair&) { made.position_position = 0; })},
      {"position_position is the whole score", changed([score](Parts& made, const Pair& p) {
         made.position_position =
             score(sum(p.query.word, p.query.position), sum(p.key.word, p.key.position), p.Q, p.K);
       })},
      {"the sum over the D numbers of a word or position begins at the second of them", without(0)},
      {"the sum over the D numbers of a word or position leaves out the last of them", without(1)},
      {"the dot product leaves out the first of the d numbers",
       parts_of([](const Vector& a, const Vector& b) { return dot(a, b) - a[0] * b[0]; })},
      {"the dot product leaves out the last of the d numbers",
       parts_of([](const Vector& a, const Vector& b) { return dot(a, b) - a.back() * b.back(); })},
      {"the dot product takes only the last of the d numbers: `=` in place of `+=`",
       parts_of([](const Vector& a, const Vector& b) { return a.back() * b.back(); })},
      {"the dot product is summed in an int, which drops what is after the decimal point",
       parts_of([](const Vector& a, const Vector& b) {
         double whole = 0;
         for (std::size_t i = 0; i < a.size(); ++i) whole = std::trunc(whole + a[i] * b[i]);
         return whole;
       })},
      {"the parts are divided by d: a dot product is a sum, not a mean",
       scaled([](double, double d) { return 1 / d; })},
      {"word_word is the whole score", changed([score](Parts& made, const Pair& p) {
         made.word_word =
             score(sum(p.query.word, p.query.position), sum(p.key.word, p.key.position), p.Q, p.K);
       })},
      {"word_position and position_word are both set to their mean", changed([](Parts& made, const Pair&) {
         made.word_position = made.position_word = (made.word_position + made.position_word) / 2;
       })},
      {"both crossing parts are word_position",
       changed([](Parts& made, const Pair&) { made.position_word = made.word_position; })},
      {"both crossing parts are position_word",
       changed([](Parts& made, const Pair&) { made.word_position = made.position_word; })},
      {"position_position takes the query's position for both", changed([score](Parts& made, const Pair& p) {
         made.position_position = score(p.query.position, p.query.position, p.Q, p.K);
       })},
      {"position_position takes the key's position for both", changed([score](Parts& made, const Pair& p) {
         made.position_position = score(p.key.position, p.key.position, p.Q, p.K);
       })},
      {"word_word takes the query's word for both", changed([score](Parts& made, const Pair& p) {
         made.word_word = score(p.query.word, p.query.word, p.Q, p.K);
       })},
      {"the parts are divided by the root of d; contract.h leaves that out",
       scaled([](double, double d) { return 1 / std::sqrt(d); })},
      {"the parts are divided by the root of D", scaled([](double D, double) { return 1 / std::sqrt(D); })},
      {"only the first of the d numbers of query and key is multiplied: the dot product is a sum over all "
       "of them",
       by([&](const Pair& p) {
         const auto first = [](const Rows& matrix) {
           Rows column;
           for (const Vector& row : matrix) column.push_back({row[0]});
           return column;
         };
         return parts(p.query, p.key, first(p.Q), first(p.K));
       })},
      {"the sum over the D numbers of a word or position takes only the last of them: `=` in place of `+=`",
       by([&](const Pair& p) {
         const auto last = [](const Vector& x) {
           Vector only(x.size());
           only.back() = x.back();
           return only;
         };
         return parts({last(p.query.word), last(p.query.position)}, {last(p.key.word), last(p.key.position)},
                      p.Q, p.K);
       })},
      {"the parts are all 0", scaled([](double, double) { return 0; })}};
  mistakes.insert(mistakes.end(), more.begin(), more.end());
  const std::string numbers_of_parts =
      "; part 0 is word_word, 1 word_position, 2 position_word, 3 position_position";
  compare(
      {"D = 5, d = 2" + numbers_of_parts, "D = 3, d = 4" + numbers_of_parts}, {"part"},
      [&](std::size_t i) { return as_list(four_parts(of[i].query, of[i].key, of[i].Q, of[i].K)); },
      by([&](const Pair& p) { return parts(p.query, p.key, p.Q, p.K); }), mistakes, 1e-9);
}

// --- 7.7 ---

namespace {
using Ids = std::vector<int>;
std::size_t row_of(int id) { return static_cast<std::size_t>(id); }
// Adds the gradients of those i for which `counts` says so, times a factor.
Backward adding(const std::function<double(const Ids& ids, std::size_t i, const Rows& gradient)>& factor) {
  return [factor](const Ids& ids, const Rows& dy, Rows& gradient) {
    Vector factors;
    for (std::size_t i = 0; i < ids.size(); ++i) factors.push_back(factor(ids, i, gradient));
    for (std::size_t i = 0; i < ids.size(); ++i)
      for (std::size_t c = 0; c < dy[i].size(); ++c) gradient[row_of(ids[i])][c] += factors[i] * dy[i][c];
  };
}
auto times_before(const Ids& ids, std::size_t i) {
  return std::count(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i), ids[i]);
}
const Backward right_way = adding([](const auto&...) { return 1.0; });

// The right way, and then something else.
using Further = std::function<void(const Ids& ids, const Rows& dy, Rows& gradient)>;
Backward and_then(const Further& further) {
  return [further](const Ids& ids, const Rows& dy, Rows& gradient) {
    right_way(ids, dy, gradient);
    further(ids, dy, gradient);
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

}  // namespace

TEST_CASE("7.7 your test: an id that occurs twice adds twice, and nothing else changes") {
  const auto candidate = [](const std::string& what, bool is_right, const Backward& backward) {
    return Candidate{what, is_right, [=] { return adds_up(backward); }};
  };
  const auto broken = [&](const std::string& what, const Backward& backward) {
    return candidate(what, false, backward);
  };
  const auto each = [](const std::function<double(double is, double dy)>& change) {
    return [change](const Ids& ids, const Rows& dy, Rows& gradient) {
      for (std::size_t i = 0; i < ids.size(); ++i)
        for (std::size_t c = 0; c < dy[i].size(); ++c) {
          double& at = gradient[row_of(ids[i])][c];
          at = change(at, dy[i][c]);
        }
    };
  };
  const auto is_read = [](const Ids& ids, std::size_t row) {
    return std::ranges::find(ids, static_cast<int>(row)) != ids.end();
  };
  judge(
      {candidate("a loop that adds each dy[i] to row ids[i]", true, right_way),
       candidate("the same loop, from the last id to the first", true,
                 [](const Ids& ids, const Rows& dy, Rows& gradient) {
                   for (std::size_t i = ids.size(); i-- > 0;)
                     for (std::size_t c = 0; c < dy[i].size(); ++c) gradient[row_of(ids[i])][c] += dy[i][c];
                 }),
       candidate("first the sum for each id, and then one addition to its row", true,
                 [](const Ids& ids, const Rows& dy, Rows& gradient) {
                   std::map<int, Vector> sums;
                   for (std::size_t i = 0; i < ids.size(); ++i) {
                     Vector& of = sums[ids[i]];
                     of.resize(dy[i].size());
                     for (std::size_t c = 0; c < of.size(); ++c) of[c] += dy[i][c];
                   }
                   for (const auto& [id, of] : sums)
                     for (std::size_t c = 0; c < of.size(); ++c) gradient[row_of(id)][c] += of[c];
                 }),
       candidate("your own lines of steps 7.1 and 7.2, in float", true, learners_backward),
       broken("the gradient is assigned: an id that occurs again overwrites",
              each([](double, double dy) { return dy; })),
       broken("the gradient is set to zero before it is added to",
              [](const Ids& ids, const Rows& dy, Rows& gradient) {
                for (Vector& row : gradient) std::ranges::fill(row, 0.0);
                right_way(ids, dy, gradient);
              }),
       broken("rows that are read are set to zero before they are added to",
              [](const Ids& ids, const Rows& dy, Rows& gradient) {
                for (const int id : ids) std::ranges::fill(gradient[row_of(id)], 0.0);
                right_way(ids, dy, gradient);
              }),
       broken("an id that occurs again is skipped",
              adding([](const Ids& ids, std::size_t i, const Rows&) { return times_before(ids, i) == 0; })),
       broken("an id that occurs a third time is skipped",
              adding([](const Ids& ids, std::size_t i, const Rows&) { return times_before(ids, i) < 2; })),
       broken(
           "an id is skipped if the one before it is the same",
           adding([](const Ids& ids, std::size_t i, const Rows&) { return i == 0 || ids[i - 1] != ids[i]; })),
       broken("an id that occurs again is skipped, unless the one before it is the same",
              adding([](const Ids& ids, std::size_t i, const Rows&) {
                return times_before(ids, i) == 0 || ids[i - 1] == ids[i];
              })),
       broken("the gradients of one id are averaged", adding([](const Ids& ids, std::size_t i, const Rows&) {
                return 1.0 / static_cast<double>(std::ranges::count(ids, ids[i]));
              })),
       broken("the gradients are divided by the number of ids",
              adding([](const Ids& ids, std::size_t, const Rows&) {
                return 1.0 / static_cast<double>(ids.size());
              })),
       broken("nothing is added", adding([](const auto&...) { return 0.0; })),
       broken("everything is subtracted", adding([](const auto&...) { return -1.0; })),
       broken("id 0 gets nothing, as if it were padding",
              adding([](const Ids& ids, std::size_t i, const Rows&) { return ids[i] != 0; })),
       broken("the last row of the table gets nothing",
              adding([](const Ids& ids, std::size_t i, const Rows& gradient) {
                return row_of(ids[i]) + 1 < gradient.size();
              })),
       broken("the first of the ids is left out",
              adding([](const Ids&, std::size_t i, const Rows&) { return i > 0; })),
       broken("the last of the ids is left out",
              adding([](const Ids& ids, std::size_t i, const Rows&) { return i + 1 < ids.size(); })),
       broken("each gradient goes to the row of its number, not of its id",
              [](const Ids&, const Rows& dy, Rows& gradient) {
                for (std::size_t i = 0; i < dy.size() && i < gradient.size(); ++i)
                  for (std::size_t c = 0; c < dy[i].size(); ++c) gradient[i][c] += dy[i][c];
              }),
       broken("the gradients come in the opposite order",
              [](const Ids& ids, const Rows& dy, Rows& gradient) {
                right_way(ids, {dy.rbegin(), dy.rend()}, gradient);
              }),
       broken("only the first channel is added",
              [](const Ids& ids, const Rows& dy, Rows& gradient) {
                for (std::size_t i = 0; i < ids.size(); ++i) gradient[row_of(ids[i])][0] += dy[i][0];
              }),
       broken("the last channel is left out",
              [](const Ids& ids, const Rows& dy, Rows& gradient) {
                for (std::size_t i = 0; i < ids.size(); ++i)
                  for (std::size_t c = 0; c + 1 < dy[i].size(); ++c) gradient[row_of(ids[i])][c] += dy[i][c];
              }),
       broken("the channels come in the opposite order",
              [](const Ids& ids, const Rows& dy, Rows& gradient) {
                for (std::size_t i = 0; i < ids.size(); ++i)
                  for (std::size_t c = 0; c < dy[i].size(); ++c)
                    gradient[row_of(ids[i])][c] += dy[i][dy[i].size() - 1 - c];
              }),
       broken("each gradient goes to the row after its id's, that of the last row to row 0",
              [](const Ids& ids, const Rows& dy, Rows& gradient) {
                for (std::size_t i = 0; i < ids.size(); ++i)
                  for (std::size_t c = 0; c < dy[i].size(); ++c)
                    gradient[(row_of(ids[i]) + 1) % gradient.size()][c] += dy[i][c];
              }),
       broken("rows that are read become NaN", each([](double, double) { return nothing; })),
       broken("rows that no id names are set to zero",
              and_then([is_read](const Ids& ids, const Rows&, Rows& gradient) {
                for (std::size_t row = 0; row < gradient.size(); ++row)
                  if (!is_read(ids, row)) std::ranges::fill(gradient[row], 0.0);
              })),
       broken("rows that no id names get a hundredth of the first gradient",
              and_then([is_read](const Ids& ids, const Rows& dy, Rows& gradient) {
                for (std::size_t row = 0; row < gradient.size(); ++row)
                  for (std::size_t c = 0; c < dy[0].size() && !is_read(ids, row); ++c)
                    gradient[row][c] += 0.01 * dy[0][c];
              })),
       broken("the signs are lost: sizes are added",
              each([](double is, double dy) { return is + std::abs(dy); }))});
}
