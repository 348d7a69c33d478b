// The claims of one scheme, each tried on random models: encoders, unless the scheme is for decoders only, and decoders.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "positional/scheme.h"

namespace locus {

struct TriedClaim {
  std::string name, promise;
  bool made;                                    // the scheme makes it
  bool in_encoder = false, in_decoder = false;  // where it was tried; some are about one kind of model only
  std::optional<std::string> counterexample{};  // "in the encoder: positions 0 and 3 share the code (1 0 0)"

  bool is_false() const { return made && counterexample; }
  // Where nothing was found against a claim that is not made. It may be true, or random models do not show it.
  bool seems_to_hold() const { return !made && !counterexample; }
};

// Throws UsageError when there is no such scheme. The last entry is the number of parameters, which is always claimed.
// Of each option every choice is tried. What a scheme claims in one kind of model and not in the other is not made for
// the other.
std::vector<TriedClaim> try_claims(const std::string& scheme);

// As a table, then in words what follows.
std::string claims_report(const std::string& scheme, const std::vector<TriedClaim>& tried);

}  // namespace locus
