// How a spec becomes a scheme:
//
//   SPEC = PART { "+" PART }                           sinusoidal+alibi
//   PART = NAME [ ":" OPTION "=" VALUE { "," ... } ]   rope:base=100,layout=half
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "positional/support/registry.h"

namespace locus {

// The scheme a spec describes, its parameters reserved in `table`. Throws UsageError when the spec is
// malformed, names something unknown, gives a bad value, or asks for two parts in one place.
std::unique_ptr<Scheme> make_scheme(std::string_view spec, const SchemeContext& context,
                                    ParameterTable& table);

// The summaries of the parts of a spec, as their options have it (SchemeInfo::variants).
std::vector<std::string> summaries_of(std::string_view spec);
// Of those parts only whose options make a variant.
std::vector<std::string> variants_of(std::string_view spec);
// Whether inputs longer than any trained on meet parameters that no step has trained.
bool has_untrained_positions(std::string_view spec);

// Whether any part of the spec looks at positions; or any that enters inside attention.
enum class Where { anywhere, attention };
bool reads_positions(std::string_view spec, Where where);

// Where the parts of a spec enter, in its order. Throws as make_scheme does when it is malformed.
std::vector<Stage> stages_of(std::string_view spec);

// Whether each part of the spec is a scheme that is here, with options that it takes.
bool is_known(std::string_view spec);

}  // namespace locus
