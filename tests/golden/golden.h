// Reads the reference numbers of this folder, and compares with them. Tests run from the root of the
// repository.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "base/error.h"
#include "io/file.h"
#include "io/json.h"

namespace locus {

inline Json read_golden(const std::string& name) {
  const std::string path = "tests/golden/" + name;
  return parse_json(read_file(path), path);
}

// What schemes.json holds about one scheme.
inline Json golden_scheme(const std::string& key) {
  return read_golden("schemes.json").member(key, "golden");
}

// A number, or an array of numbers or of arrays of them, row after row.
inline std::vector<double> numbers(const Json& value) {
  if (value.type() == Json::Type::number) return {value.as_number("golden", "a number")};
  std::vector<double> all;
  for (const Json& part : value.as_array("golden", "a list of numbers"))
    for (const double number : numbers(part)) all.push_back(number);
  return all;
}

inline std::vector<int> integers(const Json& value) {
  std::vector<int> all;
  for (const double number : numbers(value)) all.push_back(static_cast<int>(number));
  return all;
}

// Those of one member of an object.
inline std::vector<double> numbers(const Json& object, const std::string& key) {
  return numbers(object.member(key, "golden"));
}
inline std::vector<int> integers(const Json& object, const std::string& key) {
  return integers(object.member(key, "golden"));
}

// "" when there are as many numbers and all agree to `tolerance`, absolutely or relatively; else what differs
// first.
inline std::string difference(const std::vector<double>& ours, const std::vector<double>& golden,
                              double tolerance) {
  if (ours.size() != golden.size()) return str(ours.size(), " numbers instead of ", golden.size());
  for (std::size_t i = 0; i < ours.size(); ++i)
    if (!(std::abs(ours[i] - golden[i]) <= tolerance * (1 + std::abs(golden[i]))))
      return str("number ", i, " is ", ours[i], " instead of ", golden[i]);
  return "";
}

}  // namespace locus
