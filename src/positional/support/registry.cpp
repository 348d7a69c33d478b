#include "positional/support/registry.h"

#include <algorithm>

#include "base/named.h"

namespace locus {

namespace {

std::vector<SchemeInfo>& registered() {
  static std::vector<SchemeInfo> schemes;  // made at first use: schemes register before main, in any order
  return schemes;
}

}  // namespace

std::string to_string(Stage stage) {
  switch (stage) {
    case Stage::nowhere:
      return "nowhere";
    case Stage::positions:
      return "positions";
    case Stage::embedding:
      return "embedding";
    case Stage::query_and_key:
      return "query and key";
    case Stage::scores:
      return "scores";
  }
  return "";
}

RegisterScheme::RegisterScheme(SchemeInfo info) {
  auto& all = registered();
  all.insert(std::ranges::upper_bound(all, info.name, {}, &SchemeInfo::name), std::move(info));
}

const std::vector<SchemeInfo>& all_schemes() { return registered(); }

const SchemeInfo& find_scheme(std::string_view name) {
  if (name.find(',') != name.npos)
    fail_usage("scheme", text("there is no scheme '", name, "'"),
               "in a list, put spaces before and after a scheme with settings");
  return get_named("scheme", "scheme", registered(), name, &SchemeInfo::name);
}

}  // namespace locus
