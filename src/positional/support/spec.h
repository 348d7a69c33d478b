// A spec: what a user writes to choose positional schemes.
//
//   SPEC        = COMBINATION { " " COMBINATION }           rope none: by layer, which take them in turn
//   COMBINATION = PART { "+" PART }                         sinusoidal+alibi
//   PART        = NAME [ ":" OPTION "=" VALUE { "," ... } ] rope:base=100,layout=half
#pragma once

#include <concepts>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "positional/support/registry.h"

namespace locus {

// A spec is taken apart once, where its text enters the program. A result may name a scheme that this build does not
// have: then the text is kept, and asking for the parts throws the UsageError that says why.
class Spec {
 public:
  struct Part {
    const SchemeInfo* info;
    Options options;
    const SchemeInfo::Variant* variant() const;  // what its options make of it; nullptr: the usual scheme
    const std::string& summary() const;          // that of the variant, if it is one
  };
  enum class Where { anywhere, attention };
  struct Combination {
    std::string spec;
    std::vector<Part> parts;
    // Whether any part looks at positions; or any that enters inside attention.
    bool reads_positions(Where where) const;
  };

  Spec(std::string text = "");  // implicit, so that .scheme = "rope" can be written
  Spec(std::string_view text) : Spec(std::string(text)) {}
  Spec(const char* text) : Spec(std::string(text)) {}
  operator const std::string&() const;
  friend const std::string& to_string(const Spec& spec) { return spec; }
  bool operator==(const Spec& other) const { return to_string(*this) == to_string(other); }
  template <std::convertible_to<std::string_view> Text>
  bool operator==(const Text& text) const {
    return to_string(*this) == std::string_view(text);
  }

  bool empty() const { return to_string(*this).empty(); }
  bool is_by_layer() const;  // whether it names several combinations

  // These throw UsageError when the spec is malformed, names something unknown or gives a bad value.
  const std::vector<Combination>& by_layer() const;  // one, or several that the layers take in turn
  const Combination& only() const;                   // throws, too, when there are several
  // The parts of the only combination; none when the two above would throw.
  std::span<const Part> known_parts() const;

 private:
  struct Parsed;
  static std::shared_ptr<const Parsed> parse(std::string spec);
  std::shared_ptr<const Parsed> parsed_;  // shared by all copies
};

// The scheme of a combination, its parameters reserved in `table`. Throws UsageError when two parts enter in one
// place, or a part does not suit the model.
std::unique_ptr<Scheme> make_scheme(const Spec::Combination& combination, const SchemeContext& context,
                                    ParameterTable& table);
// For the only combination of a spec.
std::unique_ptr<Scheme> make_scheme(const Spec& spec, const SchemeContext& context, ParameterTable& table);

}  // namespace locus
