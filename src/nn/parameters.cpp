#include "nn/parameters.h"

#include <algorithm>

#include "base/error.h"
#include "base/random.h"

namespace locus {

Parameter ParameterTable::add(std::string name, Shape shape, Initial initial) {
  name = prefix_ + name;
  if (std::ranges::any_of(entries_, [&](const Entry& entry) { return entry.name == name; }))
    fail("parameters", str("the name '", name, "' is taken"));
  const Parameter where{shape, count_};
  entries_.push_back({std::move(name), where, initial});
  count_ += shape.count();
  return where;
}

Reals ParameterTable::sample(std::uint64_t seed) const {
  Reals values(count_);
  for (const auto& [name, where, initial] : entries_) {
    Random random(seed, Purpose::initialisation, hash(name));
    for (std::size_t i = 0; i < where.shape.count(); ++i) {
      double value = initial.size;
      if (initial.kind == Initial::Kind::uniform) value = initial.centre + value * (2 * random.uniform() - 1);
      if (initial.kind == Initial::Kind::normal) value *= random.normal();
      values[where.offset + i] = static_cast<Real>(value);
    }
  }
  return values;
}

}  // namespace locus
