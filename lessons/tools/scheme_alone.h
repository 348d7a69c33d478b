// A positional scheme without a model around it.
#pragma once

#include <memory>
#include <string>

#include "base/error.h"
#include "lessons/tools/array.h"
#include "positional/support/spec.h"

namespace locus {

inline Parameter parameter_called(const std::string& name, const ParameterTable& table) {
  for (const auto& entry : table.entries())
    if (entry.name == name) return entry.where;
  fail("check", "there is no parameter " + name);
}

inline Array parameter_called(const std::string& name, const ParameterTable& table, const Reals& parameters) {
  const auto& [shape, offset] = parameter_called(name, table);
  return {shape, {&parameters[offset], &parameters[offset] + shape.count()}};
}

struct SchemeAlone {
  SchemeAlone(const std::string& spec, int width, int heads = 1, bool causal = false)
      : scheme(make_scheme(spec, {.d_model = width, .heads = heads, .causal = causal}, table)) {}
  const Scheme* operator->() const { return scheme.get(); }

  ParameterTable table;
  std::unique_ptr<Scheme> scheme;
};

}  // namespace locus
