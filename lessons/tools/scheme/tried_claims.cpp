#include "lessons/tools/scheme/tried_claims.h"

#include <algorithm>

#include "base/error.h"
#include "io/format.h"
#include "io/terminal.h"
#include "positional/support/registry.h"
#include "tests/positional/refute.h"
#include "tests/support/specs.h"

namespace locus {

namespace {

constexpr std::uint64_t models = 8;  // random ones, of each spec and kind

// The scheme with its default options, and with each choice of each option.
std::vector<std::string> specs_of(const SchemeInfo& scheme, ModelKind kind) {
  std::vector<std::string> specs = every_spec(table_rows, kind == ModelKind::decoder);
  std::erase_if(specs,
                [&](const std::string& spec) { return spec.substr(0, spec.find(':')) != scheme.name; });
  return specs;
}

// "in the decoder, width 16 with 4 heads": models small enough to be searched for a counterexample.
std::string model_of(const Subject& subject) {
  const ModelSettings& settings = subject.model().settings();
  return str("in the ", to_string(settings.kind), ", width ", settings.d_model, " with ", settings.heads,
             settings.heads == 1 ? " head" : " heads");
}

void try_claim(const Refuter& refuter, const std::string& spec, ModelKind kind, bool Claims::*holds,
               TriedClaim& claim) {
  for (std::uint64_t seed = 1; seed <= models && !claim.is_false(); ++seed) {
    const Subject subject(spec, kind, seed);
    const bool made = subject.scheme().claims().*holds;
    if (claim.made && !made) continue;  // with these options it is not claimed
    if (const auto found = refuter.refute(subject)) {
      claim.made = claim.made || made;
      claim.counterexample =
          str(spec.find(':') == spec.npos ? "" : spec + ", ", model_of(subject), ": ", *found);
    } else if (made) {
      claim.made = true;
      claim.counterexample.reset();
    }
  }
}

TriedClaim try_parameters(const SchemeInfo& scheme, const std::vector<ModelKind>& kinds) {
  TriedClaim claim{"parameters", "the scheme adds exactly so many", true};
  for (const ModelKind kind : kinds)
    for (const std::string& spec : specs_of(scheme, kind))
      for (std::uint64_t seed = 1; seed <= 3 && !claim.counterexample; ++seed) {
        const Subject subject(spec, kind, seed);
        (kind == ModelKind::encoder ? claim.in_encoder : claim.in_decoder) = true;
        if (const auto found = refute_parameters(subject, subject.scheme().claims().parameters))
          claim.counterexample = str(model_of(subject), ": ", *found);
      }
  return claim;
}

}  // namespace

std::vector<TriedClaim> try_claims(const std::string& name) {
  const SchemeInfo& scheme = find_scheme(name);
  std::vector<ModelKind> kinds = {ModelKind::decoder};
  if (!scheme.causal_only) kinds.insert(kinds.begin(), ModelKind::encoder);
  std::vector<TriedClaim> all;
  for (const ClaimInfo& info : all_claims) {
    const Refuter& refuter = refuter_of(info);
    TriedClaim claim{info.name, info.promise, false};
    for (const ModelKind kind : kinds) {
      if (refuter.only && refuter.only != kind) continue;
      (kind == ModelKind::encoder ? claim.in_encoder : claim.in_decoder) = true;
      for (const std::string& spec : specs_of(scheme, kind))
        if (!claim.is_false()) try_claim(refuter, spec, kind, info.holds, claim);
    }
    if (claim.in_encoder || claim.in_decoder) all.push_back(claim);
  }
  all.push_back(try_parameters(scheme, kinds));
  return all;
}

std::string claims_report(const std::string& scheme, const std::vector<TriedClaim>& tried) {
  TextTable table({{"claim"}, {"made"}, {"tried on random models"}});
  std::vector<std::string> wrong, silent;
  for (const TriedClaim& claim : tried) {
    table.add_row({claim.name, claim.made ? "yes" : "no",
                   claim.is_false()       ? "REFUTED"
                   : claim.made           ? "not refuted"
                   : claim.counterexample ? "refuted, rightly not made"
                                          : "not refuted: it may hold"});
    if (claim.is_false())
      wrong.push_back(
          str(scheme, " claims '", claim.name, "' (", claim.promise, "), but ", *claim.counterexample));
  }
  std::string out = table.to_text(false);
  for (const std::string& line : wrong) out += "\n" + wrapped(line, 100);
  return out;
}

}  // namespace locus
