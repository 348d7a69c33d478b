// Reads the reference numbers of this folder. Tests run from the root of the repository.
#pragma once

#include <string>
#include <vector>

#include "base/file.h"
#include "base/json.h"

namespace locus {

inline Json read_golden(const std::string& name) {
  const std::string path = "tests/golden/" + name;
  return parse_json(read_file(path), path);
}

// An array of numbers, or of arrays of them, row after row.
inline std::vector<double> numbers(const Json& value) {
  if (value.type() == Json::Type::number) return {value.as_number("golden", "a number")};
  std::vector<double> all;
  for (const Json& part : value.as_array("golden", "numbers"))
    for (const double number : numbers(part)) all.push_back(number);
  return all;
}

inline std::vector<int> integers(const Json& value) {
  std::vector<int> all;
  for (const double number : numbers(value)) all.push_back(static_cast<int>(number));
  return all;
}

}  // namespace locus
