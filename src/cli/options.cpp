#include "cli/options.h"

#include "base/error.h"
#include "base/machine.h"
#include "base/pool.h"
#include "cli/output.h"

namespace locus {

std::vector<OptionSpec> with_settings(Role::Command command, std::vector<OptionSpec> options,
                                      const std::vector<OptionSpec>& after) {
  for (const Setting& setting : all_settings())
    if (setting.role.command == command || setting.role.command == Role::Command::both) {
      const bool several = setting.role.axis && command == Role::Command::ablate;
      options.push_back({setting.option,
                         str(setting.value, several ? str('[', separator_of(setting), "...]") : ""),
                         setting.help, false, setting.role.group});
    }
  options.insert(options.end(), after.begin(), after.end());
  return options;
}

RunSettings read_settings(const Arguments& arguments, RunSettings settings) {
  for (const Setting& setting : all_settings())
    if (arguments.given(setting.option))
      setting.parse(settings, {.value = *setting.value ? arguments.text(setting.option) : setting.when_given,
                               .where = arguments.command(),
                               .name = setting.option,
                               .limits = setting.limits});
  if (const std::string scheme = read_scheme(arguments); !scheme.empty()) settings.model.scheme = scheme;
  return settings;
}

std::vector<std::string> read_schemes_by_layer(const Arguments& arguments) {
  std::vector<std::string> all = arguments.texts("--scheme-by-layer");
  for (const std::string& specs : all)
    if (specs.find(' ') == specs.npos)
      fail_usage("scheme", str("--scheme-by-layer '", specs, "' names one scheme"),
                 "give several, separated by spaces: \"rope none\"");
  return all;
}

std::string read_scheme(const Arguments& arguments) {
  const std::string one = arguments.text("--scheme");
  const std::vector<std::string> several = read_schemes_by_layer(arguments);
  if (!one.empty() && !several.empty())
    fail_usage("scheme", "both --scheme and --scheme-by-layer are given", "give one of them");
  if (one.find(' ') != one.npos)
    fail_usage("scheme", str("--scheme '", one, "' holds a space"),
               "a SPEC is for all layers; --scheme-by-layer takes several");
  return several.empty() ? one : several.front();
}

int read_threads(const Arguments& arguments, std::string_view option) {
  return arguments.integer(option, hardware_threads(), 1, most_threads);
}

namespace {

// The name without an ending such as .png; a folder's "." is none.
std::string without_ending(const std::string& path) {
  const std::size_t dot = path.rfind('.');
  return dot == path.npos || dot == 0 || path[dot - 1] == '/' || path.find('/', dot) != path.npos
             ? path
             : path.substr(0, dot);
}

std::string path_ending_in(const char* ending, const std::string& option, const std::string& path) {
  if (path.empty()) return path;
  if (!path.ends_with(ending))
    fail_usage(option.substr(2),
               str(option, " writes ", ending, " files, and '", path, "' has another ending"),
               str("name it ", without_ending(path), ending, ": any browser shows it"));
  require_savable(path);
  return path;
}

}  // namespace

std::string svg_path(const Arguments& arguments) {
  return path_ending_in(".svg", "--svg", arguments.text("--svg"));
}

std::string page_path(const Arguments& arguments, const std::string& option, const std::string& otherwise) {
  return path_ending_in(".html", option, arguments.text(option, otherwise));
}

}  // namespace locus
