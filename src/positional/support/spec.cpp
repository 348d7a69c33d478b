#include "positional/support/spec.h"

#include <algorithm>
#include <functional>
#include <optional>

#include "base/error.h"
#include "positional/support/composite.h"

namespace locus {

namespace {

Spec::Part parse_part(const std::string& part, std::string_view spec) {
  const auto colon = part.find(':');
  const std::string name = part.substr(0, colon);
  if (name.empty())
    fail_usage("scheme", str("a name is missing in '", spec, "'"),
               "for example sinusoidal+alibi or rope:base=100");
  const SchemeInfo& info = find_scheme(name);
  std::vector<std::pair<std::string, std::string>> given;
  if (colon != std::string::npos)
    for (const std::string& setting : split(part.substr(colon + 1), ',')) {
      const auto equals = setting.find('=');
      if (equals == std::string::npos || equals == 0)
        fail_usage(name, str("'", setting, "' in '", spec, "' is not of the form key=value"),
                   "for example rope:base=100,layout=half");
      given.emplace_back(setting.substr(0, equals), setting.substr(equals + 1));
    }
  return {&info, Options(name, info.options, given)};
}

// Throws UsageError unless these parts can serve one model.
void check_together(const Spec::Combination& combination, bool causal) {
  const auto& [spec, parts] = combination;
  for (std::size_t i = 0; i < parts.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const SchemeInfo &a = *parts[j].info, &b = *parts[i].info;
      if (a.name == b.name)
        fail_usage("scheme", str("'", spec, "' names ", a.name, " twice"), "name it once");
      if (a.stage == Stage::nowhere || b.stage == Stage::nowhere)
        fail_usage("scheme", str("'", spec, "' combines ", a.name, " with ", b.name), "none stands alone");
      if (a.stage == b.stage && a.stage != Stage::scores)
        fail_usage("scheme",
                   str("in '", spec, "' both ", a.name, " and ", b.name, " enter at the ", a.stage, " stage"),
                   "combine schemes of different stages; `locus schemes` shows them");
    }
  for (const Spec::Part& part : parts)
    if (part.info->causal_only && !causal)
      fail_usage("scheme", str(part.info->name, " looks back only, but an encoder sees both ways"),
                 "give it to a decoder: --model decoder");
}

}  // namespace

struct Spec::Parsed {
  std::string text;
  std::vector<Combination> by_layer{};
  std::optional<UsageError> refusal{};  // why by_layer is empty
};

std::shared_ptr<const Spec::Parsed> Spec::parse(std::string spec) {
  Parsed parsed{std::move(spec)};
  try {
    for (const std::string& turn : split(parsed.text, ' ')) {
      if (turn.empty() && !parsed.text.empty())
        fail_usage("scheme", str("'", parsed.text, "' holds a space too many"),
                   "one space separates the schemes of the layers: rope none");
      parsed.by_layer.push_back({turn, {}});
      for (const std::string& part : split(turn, '+'))
        parsed.by_layer.back().parts.push_back(parse_part(part, parsed.text));
    }
  } catch (const UsageError& refusal) {
    parsed.by_layer.clear();
    parsed.refusal = refusal;
  }
  return std::make_shared<const Parsed>(std::move(parsed));
}

Spec::Spec(std::string text) {
  // What settings hold before one is given. (Not parsed: in a browser, what is thrown cannot be caught.)
  static const auto nothing = std::make_shared<const Parsed>(
      Parsed{"",
             {},
             UsageError(error_line("scheme", "a name is missing in ''",
                                   "for example sinusoidal+alibi or rope:base=100"))});
  parsed_ = text.empty() ? nothing : parse(std::move(text));
}

Spec::operator const std::string&() const { return parsed_->text; }

bool Spec::is_by_layer() const { return parsed_->text.find(' ') != std::string::npos; }

const std::vector<Spec::Combination>& Spec::by_layer() const {
  if (parsed_->refusal) throw UsageError(*parsed_->refusal);
  return parsed_->by_layer;
}

const Spec::Combination& Spec::only() const {
  const std::vector<Combination>& all = by_layer();
  if (all.size() > 1)
    fail_usage("scheme", str("'", *this, "' names several schemes, for the layers in turn"),
               "give one SPEC; '+' combines schemes: sinusoidal+alibi");
  return all.front();
}

std::span<const Spec::Part> Spec::known_parts() const {
  if (is_by_layer() || parsed_->refusal) return {};
  return only().parts;
}

const SchemeInfo::Variant* Spec::Part::variant() const {
  for (const SchemeInfo::Variant& variant : info->variants)
    if (options.text(variant.option) == variant.value) return &variant;
  return nullptr;
}

const std::string& Spec::Part::summary() const { return variant() ? variant()->summary : info->summary; }

bool Spec::Combination::reads_positions(Where where) const {
  return std::ranges::any_of(parts, [where](const Part& part) {
    const Stage stage = part.info->stage;
    return part.info->reads_positions &&
           (where == Where::anywhere || stage == Stage::query_and_key || stage == Stage::scores);
  });
}

std::unique_ptr<Scheme> make_scheme(const Spec::Combination& combination, const SchemeContext& context,
                                    ParameterTable& table) {
  check_together(combination, context.causal);
  // Whoever chooses positions is made last, when it is known how many the others can tell apart.
  const auto chooses = [](const Spec::Part* part) { return part->info->stage == Stage::positions; };
  std::vector<const Spec::Part*> parts;
  for (const Spec::Part& part : combination.parts) parts.push_back(&part);
  std::stable_partition(parts.begin(), parts.end(), std::not_fn(chooses));
  SchemeContext room = context;
  std::vector<std::unique_ptr<Scheme>> schemes;
  for (const Spec::Part* part : parts) {
    schemes.push_back(part->info->make(part->options, room, table));
    room.capacity = std::min(room.capacity, schemes.back()->capacity());
  }
  if (schemes.size() == 1) return std::move(schemes.front());
  const Scheme* placing = chooses(parts.back()) ? schemes.back().get() : nullptr;
  return composite(std::move(schemes), placing);
}

std::unique_ptr<Scheme> make_scheme(const Spec& spec, const SchemeContext& context, ParameterTable& table) {
  return make_scheme(spec.only(), context, table);
}

}  // namespace locus
