// Numbers as short text, the same on every machine, and text broken into lines.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace locus {

// Exactly this many decimals, never "-0.00".
std::string fixed(double value, int decimals);

// A share in percent, without decimals: 0.99 is "99".
std::string in_percent(double share);

// At most this many significant digits; 9 are enough to read back the same float.
std::string significant(double value, int digits);

// Three significant digits, or all digits of whole numbers under a million: "0.333", "12800", "1.25e+06".
std::string short_number(double value);

// "26,122"
std::string with_separators(long long value);

// The text broken at spaces into lines that fit. A word that does not is a line of its own.
std::vector<std::string> lines_that_fit(std::string_view text,
                                        const std::function<bool(std::string_view)>& fits);

// In lines of at most this many terminal columns, each with a '\n' at its end.
std::string wrapped(std::string_view text, std::size_t columns);

// Lines that are longer than this many columns, broken between words. A line goes on below what follows the last gap of
// two spaces in its first half, as in "  --steps N    steps at most". Examples, "  locus train ...", stay whole, to be
// copied, and so do lines with colours, which are those of a table.
std::string fitted(std::string_view text, std::size_t columns);

// Whether short_number prints it without an exponent.
bool reads_plainly(double value);

}  // namespace locus
