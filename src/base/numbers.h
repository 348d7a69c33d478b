// Numbers that a user wrote, checked. `name` is what the error calls them: "--steps".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace locus {

// Throw UsageError "[where] --steps 0 is out of range. Hint: give a whole number from 1 to 100" when the value is no
// such number or outside [low, high].
int read_integer(std::string_view where, std::string_view name, const std::string& value, int low, int high);
double read_number(std::string_view where, std::string_view name, const std::string& value, double low,
                   double high);
std::vector<int> read_integers(std::string_view where, std::string_view name, const std::string& values,
                               int low, int high);  // "12,18,24"
std::pair<int, int> read_range(std::string_view where, std::string_view name, const std::string& value,
                               int most, std::string_view what = "lengths");  // "2-12", or "12": from 1 to `most`
// Lengths from 1 to `most`, each once: "12,18,24", "2-12" or "2-12,24". 1000 at most.
std::vector<int> read_lengths(std::string_view where, std::string_view name, const std::string& values,
                              int most);

}  // namespace locus
