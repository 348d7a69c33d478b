#include "positional/support/spec.h"

#include <algorithm>
#include <functional>

#include "base/error.h"
#include "positional/support/composite.h"

namespace locus {

namespace {

struct Part {
  const SchemeInfo* info;
  Options options;
};

Part parse_part(const std::string& part, std::string_view spec) {
  const auto colon = part.find(':');
  const std::string name = part.substr(0, colon);
  if (name.empty())
    fail_usage("scheme", text("a name is missing in '", spec, "'"),
               "for example sinusoidal+alibi or rope:base=100");
  const SchemeInfo& info = find_scheme(name);
  std::vector<std::pair<std::string, std::string>> given;
  if (colon != std::string::npos)
    for (const std::string& setting : split(part.substr(colon + 1), ',')) {
      const auto equals = setting.find('=');
      if (equals == std::string::npos || equals == 0)
        fail_usage(name, text("'", setting, "' in '", spec, "' is not of the form key=value"),
                   "for example rope:base=100,layout=half");
      given.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
  return {&info, Options(name, info.options, given)};
}

std::vector<Part> parse_parts(std::string_view spec) {
  std::vector<Part> parts;
  for (const std::string& part : split(spec, '+')) parts.push_back(parse_part(part, spec));
  return parts;
}

const SchemeInfo::Variant* variant_of(const Part& part) {
  const auto chosen = [&](const SchemeInfo::Variant& variant) {
    return part.options.text(variant.option) == variant.value;
  };
  const auto found = std::ranges::find_if(part.info->variants, chosen);
  return found == part.info->variants.end() ? nullptr : &*found;
}

// Throws UsageError unless these parts can serve one model.
void check_together(const std::vector<Part>& parts, std::string_view spec, bool causal) {
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const SchemeInfo &a = *parts[j].info, &b = *parts[i].info;
      if (a.name == b.name)
        fail_usage("scheme", text("'", spec, "' names ", a.name, " twice"), "name it once");
      if (a.stage == Stage::nowhere || b.stage == Stage::nowhere)
        fail_usage("scheme", text("'", spec, "' combines ", a.name, " with ", b.name), "none stands alone");
      if (a.stage == b.stage && a.stage != Stage::scores)
        fail_usage(
            "scheme",
            text("in '", spec, "' both ", a.name, " and ", b.name, " enter at the ", a.stage, " stage"),
            "combine schemes of different stages; `locus schemes` shows them");
    }
  for (const Part& part : parts)
    if (part.info->causal_only && !causal)
      fail_usage("scheme", text(part.info->name, " looks back only, but an encoder sees both ways"),
                 "give it to a decoder: --model decoder");
}

}  // namespace

std::unique_ptr<Scheme> make_scheme(std::string_view spec, const SchemeContext& context,
                                    ParameterTable& table) {
  std::vector<Part> parts = parse_parts(spec);
  check_together(parts, spec, context.causal);
  // Whoever chooses positions is made last, when it is known how many the others can tell apart.
  const auto chooses = [](const Part& part) { return part.info->stage == Stage::positions; };
  std::stable_partition(parts.begin(), parts.end(), std::not_fn(chooses));
  SchemeContext room = context;
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const Part& part : parts) {
    schemes.push_back(part.info->make(part.options, room, table));
    room.capacity = std::min(room.capacity, schemes.back()->capacity());
  }
  if (schemes.size() == 1) return std::move(schemes.front());
  const Scheme* placing = chooses(parts.back()) ? schemes.back().get() : nullptr;
  return composite(std::move(schemes), placing);
}

std::vector<std::string> summaries_of(std::string_view spec) {
  std::vector<std::string> summaries;
  for (const Part& part : parse_parts(spec)) {
    const SchemeInfo::Variant* variant = variant_of(part);
    summaries.push_back(variant ? variant->summary : part.info->summary);
  }
  return summaries;
}

std::vector<std::string> variants_of(std::string_view spec) {
  std::vector<std::string> summaries;
  for (const Part& part : parse_parts(spec))
    if (const SchemeInfo::Variant* variant = variant_of(part)) summaries.push_back(variant->summary);
  return summaries;
}

bool has_untrained_positions(std::string_view spec) {
  const std::vector<Part> parts = parse_parts(spec);
  return std::ranges::any_of(parts, [](const Part& part) { return part.info->trains_each_position; }) &&
         std::ranges::none_of(parts, [](const Part& part) { return part.info->stage == Stage::positions; });
}

bool reads_positions(std::string_view spec, Where where) {
  const std::vector<Part> parts = parse_parts(spec);
  return std::ranges::any_of(parts, [&](const Part& part) {
    const Stage stage = part.info->stage;
    return part.info->reads_positions &&
           (where == Where::anywhere || stage == Stage::query_and_key || stage == Stage::scores);
  });
}

std::vector<Stage> stages_of(std::string_view spec) {
  std::vector<Stage> stages;
  for (const Part& part : parse_parts(spec)) stages.push_back(part.info->stage);
  return stages;
}

bool is_known(std::string_view spec) {
  try {
    parse_parts(spec);
    return true;
  } catch (const UsageError&) {
    return false;
  }
}

}  // namespace locus
