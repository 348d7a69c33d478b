#include "base/json.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/utf8.h"

namespace locus {

namespace {

std::string_view name_of(Json::Type type) {
  constexpr std::array<std::string_view, 6> names = {"null",     "a boolean", "a number",
                                                     "a string", "an array",  "an object"};
  return names[static_cast<std::size_t>(type)];
}

[[noreturn]] void fail_type(std::string_view where, std::string_view name, std::string_view wanted,
                            Json::Type type) {
  fail(where, text("'", printable(name), "' should be ", wanted, ", is ", name_of(type)));
}

void write_string(std::string& out, std::string_view value) {
  if (find_invalid_utf8(value) != std::string_view::npos)
    fail("json", "a string to write is not valid UTF-8");
  constexpr std::string_view hex = "0123456789abcdef";
  out += '"';
  for (const char c : value) {
    switch (c) {
      case '"':
        out += "\\\"";
        break;
      case '\\':
        out += "\\\\";
        break;
      case '\n':
        out += "\\n";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\t':
        out += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += text("\\u00", c < 0x10 ? '0' : '1', hex[c & 0xF]);
        else
          out += c;
    }
  }
  out += '"';
}

void write_number(std::string& out, double value) {
  if (!std::isfinite(value))
    fail("json", text("the number ", value, " cannot be written"), "null stands for no number");
  char buffer[32];
  auto end = std::to_chars(buffer, buffer + sizeof buffer, value).ptr;
  // The shortest form of 100000 would be 1e+05.
  const bool whole =
      std::trunc(value) == value && std::abs(value) <= static_cast<double>(Json::largest_integer);
  if (whole && value != 0)
    end = std::to_chars(buffer, buffer + sizeof buffer, static_cast<long long>(value)).ptr;
  out.append(buffer, end);
}

struct Writer {
  std::string& out;

  void operator()(std::nullptr_t) { out += "null"; }
  void operator()(bool value) { out += value ? "true" : "false"; }
  void operator()(double value) { write_number(out, value); }
  void operator()(const std::string& value) { write_string(out, value); }
  void operator()(const Json::Array& elements) {
    out += '[';
    for (const Json& element : elements) {
      if (&element != &elements.front()) out += ',';
      out += to_string(element);
    }
    out += ']';
  }
  void operator()(const Json::Object& members) {
    out += '{';
    for (const auto& member : members) {
      if (&member != &members.front()) out += ',';
      write_string(out, member.first);
      out += ':';
      out += to_string(member.second);
    }
    out += '}';
  }
};

}  // namespace

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

void Json::refuse_integer() { fail("json", "a whole number past 2^53 cannot be kept exactly"); }

bool Json::operator==(const Json& other) const { return value_ == other.value_; }

void Json::set(std::string_view key, Json value) {
  if (is_null()) value_ = Object{};
  if (type() != Type::object)
    fail("json", text("the key '", key, "' cannot be set: this is ", name_of(type())));
  auto& members = std::get<Object>(value_);
  for (auto& member : members) {
    if (member.first == key) {
      member.second = std::move(value);
      return;
    }
  }
  members.emplace_back(key, std::move(value));
}

bool Json::as_boolean(std::string_view where, std::string_view name) const {
  if (const auto* value = std::get_if<bool>(&value_)) return *value;
  fail_type(where, name, "true or false", type());
}

double Json::as_number(std::string_view where, std::string_view name) const {
  if (const auto* value = std::get_if<double>(&value_)) return *value;
  fail_type(where, name, "a number", type());
}

long long Json::as_integer(std::string_view where, std::string_view name) const {
  const double value = as_number(where, name);
  const bool whole = std::trunc(value) == value && std::abs(value) <= static_cast<double>(largest_integer);
  if (!whole) fail(where, text("'", name, "' should be a whole number, is ", value));
  return static_cast<long long>(value);
}

const std::string& Json::as_string(std::string_view where, std::string_view name) const {
  if (const auto* value = std::get_if<std::string>(&value_)) return *value;
  fail_type(where, name, "a string", type());
}

const Json::Array& Json::as_array(std::string_view where, std::string_view name) const {
  if (const auto* value = std::get_if<Array>(&value_)) return *value;
  fail_type(where, name, "an array", type());
}

const Json::Object& Json::as_object(std::string_view where, std::string_view name) const {
  if (const auto* value = std::get_if<Object>(&value_)) return *value;
  fail_type(where, name, "an object", type());
}

const Json* Json::find(std::string_view key) const {
  const auto* members = std::get_if<Object>(&value_);
  if (!members) return nullptr;
  const auto found =
      std::find_if(members->begin(), members->end(), [&](const auto& m) { return m.first == key; });
  return found == members->end() ? nullptr : &found->second;
}

const Json& Json::member(std::string_view key, std::string_view where) const {
  if (type() != Type::object)
    fail(where, text("expected an object with the key '", key, "', found ", name_of(type())));
  if (const Json* found = find(key)) return *found;
  fail(where, text("the key '", key, "' is missing"));
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

std::string to_string(const Json& value) {
  std::string out;
  std::visit(Writer{out}, value.value_);
  return out;
}

}  // namespace locus
