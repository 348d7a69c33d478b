#include "io/json.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.h"
#include "base/size.h"
#include "io/utf8.h"

namespace locus {

namespace {

std::string_view name_of(Json::Type type) {
  constexpr std::array<std::string_view, 6> names = {"null",     "a boolean", "a number",
                                                     "a string", "an array",  "an object"};
  return names[as_size(type)];
}

bool is_whole(double value) {
  return std::trunc(value) == value && std::abs(value) <= static_cast<double>(Json::largest_integer);
}

struct Writer {
  std::string operator()(std::nullptr_t) const { return "null"; }
  std::string operator()(bool value) const { return value ? "true" : "false"; }
  std::string operator()(double value) const {
    if (!std::isfinite(value))
      fail("json", str("the number ", value, " cannot be written"), "null stands for no number");
    // The shortest form of 100000 would be 1e+05, and no integer is -0.
    return is_whole(value) && value != 0 ? str(static_cast<long long>(value)) : str(value);
  }
  std::string operator()(const std::string& value) const {
    if (find_invalid_utf8(value) != value.npos) fail("json", "a string to write is not valid UTF-8");
    constexpr std::string_view escaped = "\"\\\n\r\t", letters = "\"\\nrt", hex = "0123456789abcdef";
    std::string out = "\"";
    for (std::size_t i = 0, bytes = 1; i < value.size(); i += bytes) {
      const Utf8Character character = utf8_character(value, i);
      bytes = character.bytes;
      const std::string_view c = std::string_view(value).substr(i, bytes);
      if (const auto at = escaped.find(c); at != escaped.npos)
        out += {'\\', letters[at]};
      else if (c == "?" || printable(c) != "?")
        out += c;
      else  // all of these are below 0x10000
        for (out += "\\u"; const int shift : {12, 8, 4, 0}) out += hex[(character.code >> shift) & 0xF];
    }
    return out + '"';
  }
  std::string operator()(const Json::Array& elements) const { return str('[', join(elements, ","), ']'); }
  std::string operator()(const Json::Object& members) const {
    std::vector<std::string> parts;
    for (const auto& [key, value] : members) parts.push_back(str((*this)(key), ':', value));
    return str('{', join(parts, ","), '}');
  }
};

}  // namespace

void Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object{};
  if (type() != Type::object)
    fail("json", str("the key '", key, "' cannot be set: this is ", name_of(type())));
  auto& members = std::get<Object>(value_);
  const auto found = std::ranges::find(members, key, &Object::value_type::first);
  if (found == members.end())
    members.emplace_back(key, std::move(value));
  else
    found->second = std::move(value);
}

template <class T>
const T& Json::as(std::string_view where, std::string_view name, std::string_view wanted) const {
  if (const T* value = std::get_if<T>(&value_)) return *value;
  fail(where, str("'", printable(name), "' should be ", wanted, ", is ", name_of(type())));
}

bool Json::as_boolean(std::string_view where, std::string_view name) const {
  return as<bool>(where, name, "true or false");
}
double Json::as_number(std::string_view where, std::string_view name) const {
  return as<double>(where, name, "a number");
}
long long Json::as_integer(std::string_view where, std::string_view name) const {
  const double value = as_number(where, name);
  if (!is_whole(value)) fail(where, str("'", name, "' should be a whole number, is ", value));
  return static_cast<long long>(value);
}
const std::string& Json::as_string(std::string_view where, std::string_view name) const {
  return as<std::string>(where, name, "a string");
}
const Json::Array& Json::as_array(std::string_view where, std::string_view name) const {
  return as<Array>(where, name, "an array");
}
const Json::Object& Json::as_object(std::string_view where, std::string_view name) const {
  return as<Object>(where, name, "an object");
}

const Json* Json::find(std::string_view key) const {
  const auto* members = std::get_if<Object>(&value_);
  if (!members) return nullptr;
  const auto found = std::ranges::find(*members, key, &Object::value_type::first);
  return found == members->end() ? nullptr : &found->second;
}

const Json& Json::member(std::string_view key, std::string_view where) const {
  if (type() != Type::object)
    fail(where, str("expected an object with the key '", key, "', found ", name_of(type())));
  if (const Json* found = find(key)) return *found;
  fail(where, str("the key '", key, "' is missing"));
}

bool Json::boolean(std::string_view key, std::string_view where) const {
  return member(key, where).as_boolean(where, key);
}
double Json::number(std::string_view key, std::string_view where) const {
  return member(key, where).as_number(where, key);
}
long long Json::integer(std::string_view key, std::string_view where) const {
  return member(key, where).as_integer(where, key);
}
const std::string& Json::string(std::string_view key, std::string_view where) const {
  return member(key, where).as_string(where, key);
}
const Json::Array& Json::array(std::string_view key, std::string_view where) const {
  return member(key, where).as_array(where, key);
}

std::string to_string(const Json& value) { return std::visit(Writer{}, value.value_); }

}  // namespace locus
