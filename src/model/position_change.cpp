#include "model/position_change.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/named.h"
#include "base/size.h"

namespace locus {

namespace {

using Kind = PositionChange::Kind;

struct Form {
  const char *name, *example, *values;
  Kind kind;
};

constexpr Form forms[] = {{"swap", "swap:2,7", "two positions, counted from 0", Kind::swap},
                          {"shift", "shift:100", "a number", Kind::shift},
                          {"scale", "scale:2", "a number", Kind::scale},
                          {"reversed", "reversed", "no value", Kind::reversed},
                          {"constant", "constant", "no value", Kind::constant},
                          {"shuffled", "shuffled", "no value", Kind::shuffled}};

// Angles, which are positions times speeds, keep four digits up to here. Above 2^53 neighbours would be one position.
constexpr double farthest = 1LL << 40;

// Throws UsageError when a scheme could not compute with these positions, or tell apart two that were different.
void check_told(const PositionChange& change, const Positions& before, const Positions& told) {
  for (const double position : told.all())
    if (!(std::abs(position) <= farthest))
      fail_usage("positions",
                 str("'", change.typed, "' tells the position ", position,
                     "; the farthest that schemes compute with is ", farthest),
                 "give a smaller number");
  for (int row = 0; row < told.rows; ++row)
    for (int t = 1; t < told.length; ++t)
      if (told(row, t) == told(row, t - 1) && before(row, t) != before(row, t - 1))
        fail_usage("positions",
                   str("'", change.typed, "' tells neighbours one position, ", told(row, t),
                       ": the difference is lost in rounding"),
                   "give another number, or --positions constant");
}

}  // namespace

PositionChange parse_position_change(std::string_view typed) {
  const auto colon = typed.find(':');
  const Form& form = get_named("positions", "change", forms, typed.substr(0, colon), &Form::name);
  const std::string_view values = colon == typed.npos ? "" : typed.substr(colon + 1);
  PositionChange change{.kind = form.kind, .typed = std::string(typed)};
  const auto refuse = [&] {
    fail_usage("positions", str("'", typed, "' is not understood: ", form.name, " takes ", form.values),
               str("for example --positions ", form.example));
  };
  switch (form.kind) {
    case Kind::swap: {
      const std::vector<std::string> both = split(values, ',');
      if (both.size() != 2) refuse();
      const auto first = parse_int(both[0]), second = parse_int(both[1]);
      if (!first || !second || *first < 0 || *second < 0) refuse();
      if (*first == *second)
        fail_usage("positions", str("'", typed, "' swaps a position with itself"), "name two positions");
      change.first = *first;
      change.second = *second;
      break;
    }
    case Kind::shift:
    case Kind::scale: {
      const auto by = parse_double(values);
      if (!by) refuse();
      change.by = *by;
      break;
    }
    case Kind::reversed:
    case Kind::constant:
    case Kind::shuffled:
      if (colon != typed.npos) refuse();
  }
  return change;
}

std::string to_string(const PositionChange& change) {
  if (change.layers.empty()) return change.typed;
  return str(change.typed, change.layers.size() == 1 ? " in layer " : " in layers ",
             join(change.layers, ", "));
}

void check_length(const PositionChange& change, int length) {
  if (std::max(change.first, change.second) >= length)
    fail_usage("positions",
               str("'", change.typed, "' goes beyond an input that is read as ", length, " token",
                   length == 1 ? "" : "s"),
               length == 1 ? "give a longer input" : str("its positions are 0 to ", length - 1));
}

Positions changed(Tape& tape, const PositionChange& change, const Positions& positions,
                  const Random& random) {
  const auto& [rows, T, data] = positions;
  check_length(change, T);
  std::vector<int> from(as_size(T));  // whose position each token is told
  std::iota(from.begin(), from.end(), 0);
  double factor = 1, added = 0;
  switch (change.kind) {
    case Kind::swap:
      std::swap(from[as_size(change.first)], from[as_size(change.second)]);
      break;
    case Kind::shift:
      added = change.by;
      break;
    case Kind::scale:
      factor = change.by;
      break;
    case Kind::reversed:
      std::ranges::reverse(from);
      break;
    case Kind::constant:
      std::ranges::fill(from, 0);
      break;
    case Kind::shuffled: {
      Random seed = random;  // a stream of its own, beside that of schemes that draw positions
      Random(seed.bits(), Purpose::position_changes).shuffle(std::span<int>(from));
      break;
    }
  }
  double* told = tape.arena().allocate<double>(positions.all().size());
  for (int row = 0; row < rows; ++row)
    for (int t = 0; t < T; ++t)
      told[std::ptrdiff_t{row} * T + t] = factor * positions(row, from[as_size(t)]) + added;
  const Positions result{rows, T, told};
  if (factor != 0 && (factor != 1 || added != 0)) check_told(change, positions, result);
  return result;
}

}  // namespace locus
