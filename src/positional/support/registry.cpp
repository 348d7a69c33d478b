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

bool RegisterScheme::add(const SchemeInfo& info) {
  auto& all = registered();
  all.insert(std::ranges::upper_bound(all, info.name, {}, &SchemeInfo::name), info);
  return true;
}

void require_complete(const SchemeInfo& info) {
  const auto require = [&](bool holds, const std::string& what, const std::string& hint) {
    if (!holds) fail("schemes", str("the scheme '", info.name, "' ", what), hint);
  };
  require(is_plain_name(info.name), "has no name that a spec can hold", "in .name: a to z, 0 to 9, - and _");
  require(!info.summary.empty(), "has no summary", "in .summary: what it does, on one line");
  require(!info.source.empty(), "has no source", "in .source: authors and year, or your name");
  require(info.make != nullptr, "cannot be made", ".make = make<YourClass>");
  for (const SchemeInfo::Variant& variant : info.variants)
    require(std::ranges::count(info.options, variant.option, &SchemeOption::name) > 0,
            str("has in .variants the option '", variant.option, "', which is not in .options"),
            "the names must be equal");
}

const std::vector<SchemeInfo>& all_schemes() {
  static const bool complete = [] {
    for (const SchemeInfo& info : registered()) require_complete(info);
    return true;
  }();
  static_cast<void>(complete);
  return registered();
}

const SchemeInfo& find_scheme(std::string_view name) {
  if (name.find(',') != name.npos)
    fail_usage("scheme", str("there is no scheme '", name, "'"),
               "in a list, put spaces before and after a scheme with settings");
  return get_named("scheme", "scheme", all_schemes(), name, &SchemeInfo::name);
}

}  // namespace locus
