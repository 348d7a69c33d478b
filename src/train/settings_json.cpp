// Settings as JSON, in both directions.
#include "base/error.h"
#include "train/settings.h"

namespace locus {

namespace {

// A value of any type as JSON ...
Json json_of(const auto& value) { return value; }
Json json_of(const std::string& value) { return value.empty() ? Json() : Json(value); }
Json json_of(const Spec& spec) { return json_of(to_string(spec)); }
Json json_of(ModelKind kind) { return to_string(kind); }
Json json_of(const LengthRange& range) {
  if (range.only.empty()) return Json::Array{range.low, range.high};
  Json json;
  json.set("only", Json::Array(range.only.begin(), range.only.end()));
  return json;
}
Json json_of(const std::vector<int>& lengths) { return Json::Array(lengths.begin(), lengths.end()); }

// ... and read from it.
template <class T>
T number_in(const Json& json, std::string_view where, std::string_view name, T low, T high) {
  const double number =
      std::is_integral_v<T> ? static_cast<double>(json.as_integer(where, name)) : json.as_number(where, name);
  if (!(number >= static_cast<double>(low) && number <= static_cast<double>(high)))
    fail(where, text("'", name, "' should be from ", low, " to ", high, ", is ", to_string(json)));
  return static_cast<T>(number);
}
template <class T>
void read(const NumberMember<T>& member, T& value, const Json& json, std::string_view where,
          std::string_view name) {
  value = number_in(json, where, name, member.low, member.high);
}
void read(const TextMember&, std::string& value, const Json& json, std::string_view where,
          std::string_view name) {
  value = json.is_null() ? "" : json.as_string(where, name);
}
void read(const SpecMember&, Spec& spec, const Json& json, std::string_view where, std::string_view name) {
  spec = json.is_null() ? "" : json.as_string(where, name);
}
void read(const KindMember&, ModelKind& kind, const Json& json, std::string_view where,
          std::string_view name) {
  try {
    kind = parse_model_kind(json.as_string(where, name));
  } catch (const UsageError& error) {
    fail(where, text("'", name, "' makes no sense: ", error.what()));  // a damaged file, not bad usage
  }
}
void read(const SwitchMember&, bool& value, const Json& json, std::string_view where, std::string_view name) {
  value = json.as_boolean(where, name);
}
void read(const LengthsMember&, std::vector<int>& lengths, const Json& json, std::string_view where,
          std::string_view name) {
  for (const Json& item : json.as_array(where, name))
    lengths.push_back(integer_in(item, where, name, 1, most::length));
  if (std::ssize(lengths) > most::test_lengths)
    fail(where, text("'", name, "' holds ", lengths.size(), " lengths; the most is ", most::test_lengths));
}
void read(const RangeMember&, LengthRange& range, const Json& json, std::string_view where,
          std::string_view name) {
  std::vector<int> ends;
  if (json.type() == Json::Type::object) {
    read(LengthsMember{}, ends, json.member("only", where), where, name);
    if (ends.empty()) fail(where, text("'", name, "' holds no length"));
    range = lengths_of(ends);
    return;
  }
  read(LengthsMember{}, ends, json, where, name);
  if (ends.size() != 2)
    fail(where, text("'", name, "' should hold two numbers, the shortest and the longest"));
  range = {ends[0], ends[1]};
}

}  // namespace

int integer_in(const Json& json, std::string_view where, std::string_view name, int low, int high) {
  return number_in(json, where, name, low, high);
}

Json to_json(const RunSettings& settings) {
  Json json;
  for (const Setting& setting : all_settings()) {
    if (setting.role.left_out && is_default(setting, settings)) continue;
    json.set(setting.name, applies(setting, settings)
                               ? std::visit(
                                     [&](const auto& member) {
                                       return json_of(*member.value_of(const_cast<RunSettings&>(settings)));
                                     },
                                     setting.member)
                               : Json());
  }
  return json;
}

RunSettings settings_from_json(const Json& json, std::string_view where) {
  RunSettings settings;
  for (const Setting& setting : all_settings()) {
    if (setting.role.left_out && !json.find(setting.name)) continue;
    const Json& value = json.member(setting.name, where);
    if (applies(setting, settings))
      std::visit(
          [&](const auto& member) { read(member, *member.value_of(settings), value, where, setting.name); },
          setting.member);
    else if (!value.is_null())
      fail(where, text("'", setting.name, "' should be null: the model is no transformer, but ",
                       settings.model.kind));
  }
  for (const char* name : {"task", "scheme"})
    if (json.member(name, where) == Json()) fail(where, text("'", name, "' should be a string, is null"));
  return settings;
}

}  // namespace locus
