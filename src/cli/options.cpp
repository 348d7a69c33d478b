#include "cli/options.h"

#include <algorithm>

#include "base/error.h"
#include "base/machine.h"
#include "base/pool.h"

namespace locus {

namespace {

// Reads the value of an option, by the type of the member that keeps it.
void read(const Arguments& a, const char* option, const TextMember&, std::string& value) {
  value = a.text(option);
}
void read(const Arguments& a, const char* option, const KindMember&, ModelKind& kind) {
  kind = parse_model_kind(a.text(option));
}
template <class Number>
void read(const Arguments& a, const char* option, const NumberMember<Number>& member, Number& value) {
  if constexpr (std::is_integral_v<Number>)
    value = static_cast<Number>(
        a.integer(option, 0, static_cast<int>(member.low), static_cast<int>(member.high)));
  else
    value = a.number(option, 0, member.low, member.high);
}
void read(const Arguments&, const char*, const SwitchMember& member, bool& value) {
  value = member.when_given;
}
void read(const Arguments& a, const char* option, const RangeMember&, LengthRange& range) {
  if (a.text(option).find(',') != std::string::npos) {
    range = lengths_of(a.integers(option, 1, most::length));
    return;
  }
  const auto [low, high] = a.range(option, most::length);
  range = {low, high};
}
void read(const Arguments& a, const char* option, const LengthsMember&, std::vector<int>& lengths) {
  lengths.clear();
  for (const int length : a.integers(option, 1, most::length))  // each once
    if (!std::ranges::count(lengths, length)) lengths.push_back(length);
}

}  // namespace

std::vector<OptionSpec> with_settings(Role::Command command, std::vector<OptionSpec> options,
                                      const std::vector<OptionSpec>& after) {
  for (const Setting& setting : all_settings())
    if (setting.role.command == command || setting.role.command == Role::Command::both) {
      const bool several = setting.role.axis && command == Role::Command::ablate;
      options.push_back({setting.option,
                         text(setting.value, several ? text('[', separator_of(setting), "...]") : ""),
                         setting.help});
    }
  options.insert(options.end(), after.begin(), after.end());
  return options;
}

RunSettings read_settings(const Arguments& arguments, RunSettings settings) {
  for (const Setting& setting : all_settings())
    if (arguments.given(setting.option))
      std::visit(
          [&](const auto& member) { read(arguments, setting.option, member, *member.value_of(settings)); },
          setting.member);
  if (const std::string scheme = read_scheme(arguments); !scheme.empty()) settings.model.scheme = scheme;
  return settings;
}

std::vector<std::string> read_schemes_by_layer(const Arguments& arguments) {
  std::vector<std::string> all = arguments.texts("--scheme-by-layer");
  for (const std::string& specs : all)
    if (specs.find(' ') == specs.npos)
      fail_usage("scheme", text("--scheme-by-layer '", specs, "' names one scheme"),
                 "give several, separated by spaces: \"rope none\"");
  return all;
}

std::string read_scheme(const Arguments& arguments) {
  const std::string one = arguments.text("--scheme");
  const std::vector<std::string> several = read_schemes_by_layer(arguments);
  if (!one.empty() && !several.empty())
    fail_usage("scheme", "both --scheme and --scheme-by-layer are given", "give one of them");
  if (one.find(' ') != one.npos)
    fail_usage("scheme", text("--scheme '", one, "' holds a space"),
               "a SPEC is for all layers; --scheme-by-layer takes several");
  return several.empty() ? one : several.front();
}

int read_threads(const Arguments& arguments, std::string_view option) {
  return arguments.integer(option, hardware_threads(), 1, most_threads);
}

std::string svg_path(const Arguments& arguments) {
  const std::string path = arguments.text("--svg");
  for (const char* other : {".png", ".jpg", ".jpeg", ".gif", ".pdf", ".html"})
    if (path.ends_with(other))
      fail_usage("svg", text("--svg writes SVG, and '", path, "' ends in ", other),
                 text("name it ", path.substr(0, path.rfind('.')), ".svg: any browser shows it"));
  return path;
}

}  // namespace locus
