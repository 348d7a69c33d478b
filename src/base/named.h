// Things that users call by name: the one of a name, or an error that suggests the nearest.
#pragma once

#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace locus {

// The first thing with this name; nullptr when there is none. `name_of`: &Thing::name, or a function.
template <class Things, class NameOf>
auto find_named(Things& things, std::string_view name, NameOf name_of) -> decltype(&*std::begin(things)) {
  for (auto& thing : things)
    if (std::invoke(name_of, thing) == name) return &thing;
  return nullptr;
}

// The same; throws UsageError "[where] there is no KIND 'name'. Hint: did you mean ...?" when there is none.
template <class Things, class NameOf>
auto& get_named(std::string_view where, std::string_view kind, Things& things, std::string_view name,
                NameOf name_of) {
  if (auto* found = find_named(things, name, name_of)) return *found;
  std::vector<std::string> names;
  for (const auto& thing : things) names.emplace_back(std::invoke(name_of, thing));
  fail_usage(where, str("there is no ", kind, " '", name, "'"), nearest_names(name, names));
}

}  // namespace locus
