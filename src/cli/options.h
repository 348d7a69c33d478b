// Options that several commands take, and what they stand for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/arguments.h"
#include "train/settings.h"

namespace locus {

// The options of a command: its own, and between them those of the table of settings.
std::vector<OptionSpec> with_settings(Role::Command command, std::vector<OptionSpec> before,
                                      const std::vector<OptionSpec>& after = {});
// The settings that are given; all others are as in `like`.
RunSettings read_settings(const Arguments& arguments, RunSettings like = {});

// The value of --scheme or --scheme-by-layer, as ModelSettings has it; "" when neither is given.
std::string read_scheme(const Arguments& arguments);
std::vector<std::string> read_schemes_by_layer(const Arguments& arguments);  // where several are allowed
inline constexpr int most_threads = 1024;
int read_threads(const Arguments& arguments, std::string_view option);  // default: all of the machine's

// The values of --svg and of an option that names a page; "" and `otherwise` without it. Throws as require_savable.
std::string svg_path(const Arguments& arguments);
std::string page_path(const Arguments& arguments, const std::string& option,
                      const std::string& otherwise = "");

}  // namespace locus
