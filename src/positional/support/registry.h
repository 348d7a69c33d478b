// All schemes there are. (spec.h makes one of what a user writes.)
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "nn/parameters.h"
#include "positional/scheme.h"
#include "positional/support/options.h"

namespace locus {

// Where a scheme enters; `scores` stands for the three hooks inside attention: scores, weights and mixed. Two
// parts of a spec may not enter at the same stage, unless it is that of the scores, where they are applied in
// the order of the spec.
enum class Stage { nowhere, positions, embedding, query_and_key, scores };
std::string to_string(Stage);

struct SchemeInfo {
  std::string name;
  std::string summary;  // one line
  std::string source;   // authors and year
  Stage stage;
  std::vector<SchemeOption> options = {};
  bool causal_only = false;     // makes sense in decoders only, and is refused elsewhere
  bool reads_positions = true;  // false: it follows from the tokens or the mask, whatever the positions
  bool needs_digits = false;    // it counts them, and a task without any is refused
  std::string formula = "";     // for the card of `locus schemes NAME`: lines of plain text
  std::vector<std::string> traps = {};  // what goes wrong with it, one sentence each
  // What it does instead of the summary when an option has a certain value.
  struct Variant {
    std::string option, value, summary;
  };
  std::vector<Variant> variants = {};
  bool trains_each_position =
      false;  // each has parameters of its own: past the longest trained input, untrained ones
  // Where it differs from its source, and why, one sentence each.
  std::vector<std::string> differs = {};
  int lesson = 0;  // the chapter about it, written or planned; 0: none
  std::unique_ptr<Scheme> (*make)(const Options&, const SchemeContext&, ParameterTable&);
};

// A static object of this type at the end of a scheme's file puts it everywhere: the command line, the claim
// tests, the gradient checks, the ablation. Not a constructor but two braces take the fields,
// `registered{{.name = ...}}`: then the compiler names a field that SchemeInfo does not have.
struct RegisterScheme {
  SchemeInfo info;
  bool added = add(info);

  static bool add(const SchemeInfo& info);  // true
};

// Throws Error that names the field when one is missing or cannot be as it is. Every scheme is looked at when
// the list is first asked for: an error thrown before main() could not be reported.
void require_complete(const SchemeInfo& info);

const std::vector<SchemeInfo>& all_schemes();          // by name
const SchemeInfo& find_scheme(std::string_view name);  // unknown: UsageError with the nearest names

// `make` for a class whose constructor takes these three.
template <class T>
std::unique_ptr<Scheme> make(const Options& options, const SchemeContext& context, ParameterTable& table) {
  return std::make_unique<T>(options, context, table);
}

}  // namespace locus
