// A small JSON value (RFC 8259), written the same way every time.
//
//   const Json cell = parse_json(line, "results.jsonl:12");
//   cell.number("seed", "results.jsonl:12");
//   -> [results.jsonl:12] 'seed' should be a number, is a string
//
// Refused when reading: trailing commas, comments, NaN, invalid UTF-8, numbers too large for a double, nesting deeper
// than 100. Objects keep the order in which keys were inserted, so that equal values give equal bytes.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace locus {

class Json {
 public:
  using Array = std::vector<Json>;
  using Object = std::vector<std::pair<std::string, Json>>;
  enum class Type { null, boolean, number, string, array, object };

  // 2^53: a double holds every whole number up to this one.
  static constexpr long long largest_integer = 1LL << 53;

  Json() = default;  // null
  Json(std::nullptr_t) {}
  Json(std::same_as<bool> auto value) : value_(value) {}  // not `bool`, to which pointers convert
  Json(double value) : value_(value) {}
  template <std::integral Integer>
  requires(!std::same_as<Integer, bool>) Json(Integer value)
      : value_(static_cast<double>(value)) {}  // exact up to largest_integer
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  Json(Object value) : value_(std::move(value)) {}

  Type type() const { return static_cast<Type>(value_.index()); }
  bool is_null() const { return type() == Type::null; }
  bool operator==(const Json&) const = default;

  // Appends the key to an object, or replaces the value of a key that it has. A null becomes an object first.
  void set(std::string_view key, Json value);

  // The value itself. Throws Error "[where] 'NAME' should be a number, is a string".
  bool as_boolean(std::string_view where, std::string_view name) const;
  double as_number(std::string_view where, std::string_view name) const;
  long long as_integer(std::string_view where, std::string_view name) const;  // up to largest_integer
  const std::string& as_string(std::string_view where, std::string_view name) const;
  const Array& as_array(std::string_view where, std::string_view name) const;
  const Object& as_object(std::string_view where, std::string_view name) const;

  // A member of this object, of that type. Throws Error naming the key when it is missing or of another type.
  const Json& member(std::string_view key, std::string_view where) const;
  bool boolean(std::string_view key, std::string_view where) const;
  double number(std::string_view key, std::string_view where) const;
  long long integer(std::string_view key, std::string_view where) const;
  const std::string& string(std::string_view key, std::string_view where) const;
  const Array& array(std::string_view key, std::string_view where) const;

  // The member with this key; nullptr if there is none or this is no object.
  const Json* find(std::string_view key) const;

 private:
  template <class T>
  const T& as(std::string_view where, std::string_view name, std::string_view wanted) const;

  std::variant<std::nullptr_t, bool, double, std::string, Array, Object> value_;  // in the order of Type
  friend std::string to_string(const Json&);
};

// The text must be one value. Throws Error with the byte (from 1) and what was expected there.
Json parse_json(std::string_view text, std::string_view where);

// Compact: no spaces. Doubles in the shortest form that reads back exactly, whole numbers without ".0".
// Throws Error for infinities, NaN and strings that are not UTF-8, which JSON cannot express.
std::string to_string(const Json& value);

}  // namespace locus
