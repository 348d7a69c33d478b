// Settings as JSON, in both directions.
#include "base/error.h"
#include "train/settings.h"

namespace locus {

namespace {

// The text of a value as JSON ...
Json json_of(ValueType type, const std::string& value) {
  const auto numbers = [&](char separator) {
    Json::Array all;
    for (const std::string& number : split(value, separator)) all.emplace_back(parse_double(number).value());
    return all;
  };
  switch (type) {
    case ValueType::word:
      return value.empty() ? Json() : Json(value);
    case ValueType::whole:
    case ValueType::number:
      return parse_double(value).value();
    case ValueType::yes_no:
      return value == "yes";
    case ValueType::lengths:
      return value.empty() ? Json::Array() : numbers(',');
    case ValueType::range:
      break;
  }
  if (value.find(',') == std::string::npos) {
    const Json::Array ends = numbers('-');
    return Json::Array{ends.front(), ends.back()};
  }
  Json only;
  only.set("only", numbers(','));
  return only;
}

// ... and read from it.
std::string text_in(const Json& json, ValueType type, std::string_view where, std::string_view name) {
  const auto numbers = [&](const Json& array) {
    std::vector<std::string> all;
    for (const Json& number : array.as_array(where, name)) all.push_back(str(number.as_integer(where, name)));
    return all;
  };
  switch (type) {
    case ValueType::word:
      return json.is_null() ? "" : json.as_string(where, name);
    case ValueType::whole:
      return str(json.as_integer(where, name));
    case ValueType::number:
      return str(json.as_number(where, name));
    case ValueType::yes_no:
      return json.as_boolean(where, name) ? "yes" : "no";
    case ValueType::lengths:
      return join(numbers(json), ",");
    case ValueType::range:
      break;
  }
  if (json.type() == Json::Type::object) return join(numbers(json.member("only", where)), ",");
  const std::vector<std::string> ends = numbers(json);
  if (ends.size() != 2)
    fail(where, str("'", name, "' should hold two numbers, the shortest and the longest"));
  return join(ends, "-");
}

}  // namespace

int integer_in(const Json& json, std::string_view where, std::string_view name, int low, int high) {
  const long long number = json.as_integer(where, name);
  if (number < low || number > high)
    fail(where, str("'", name, "' should be from ", low, " to ", high, ", is ", number));
  return static_cast<int>(number);
}

Json to_json(const RunSettings& settings) {
  Json json;
  for (const Setting& setting : all_settings()) {
    if (setting.role.omitted_at_default && is_default(setting, settings)) continue;
    json.set(setting.name,
             applies(setting, settings) ? json_of(setting.type, setting.print(settings)) : Json());
  }
  return json;
}

RunSettings settings_from_json(const Json& json, std::string_view where) try {
  RunSettings settings;
  for (const Setting& setting : all_settings()) {
    if (setting.role.omitted_at_default && !json.find(setting.name)) continue;
    const Json& value = json.member(setting.name, where);
    if (applies(setting, settings))
      setting.parse(settings, {.value = text_in(value, setting.type, where, setting.name),
                               .where = where,
                               .name = str("'", setting.name, "'"),
                               .limits = setting.limits});
    else if (!value.is_null())
      fail(where, str("'", setting.name, "' should be null: the model is a ", settings.model.kind));
  }
  for (const char* name : {"task", "scheme"})
    if (json.member(name, where) == Json()) fail(where, str("'", name, "' should be a string, is null"));
  return settings;
} catch (const UsageError& error) {
  throw Error(error.what());  // a damaged file, not bad usage
}

}  // namespace locus
