#include "report/format.h"

#include <charconv>

namespace locus {

namespace {
std::string written(double value, std::chars_format format, int precision) {
  char buffer[512];
  return {buffer, std::to_chars(buffer, buffer + sizeof buffer, value, format, precision).ptr};
}
}  // namespace

std::string fixed(double value, int decimals) { return written(value, std::chars_format::fixed, decimals); }
std::string significant(double value, int digits) { return written(value, std::chars_format::general, digits); }

}  // namespace locus
