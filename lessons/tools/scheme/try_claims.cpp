// The first part of `make try-scheme NAME=wheel`: the claims of this scheme, each tried.
//
//   try-claims wheel         prints the table; the exit status is 1 when a claim is refuted, 2 when there is no such scheme
//   try-claims wheel --kind  prints the kind of model to train it in: encoder, or decoder when it is for decoders only
#include <iostream>

#include "base/error.h"
#include "lessons/tools/scheme/tried_claims.h"
#include "positional/support/registry.h"

int main(int count, char** words) try {
  using namespace locus;
  const std::string name = count > 1 ? words[1] : "", what = count > 2 ? words[2] : "";
  if (name.empty())
    fail_usage("try-scheme", "there is no NAME",
               "make try-scheme NAME=rope; `build/locus schemes` lists all");
  const SchemeInfo& scheme = find_scheme(name);
  if (what == "--kind") {
    std::cout << (scheme.causal_only ? "decoder" : "encoder") << '\n';
    return 0;
  }
  const std::vector<TriedClaim> tried = try_claims(name);
  std::cout << claims_report(name, tried);
  for (const TriedClaim& claim : tried)
    if (claim.is_false()) return 1;
  return 0;
} catch (const locus::UsageError& error) {
  std::cerr << "locus: " << error.what() << '\n';
  return 2;
} catch (const locus::Error& error) {
  std::cerr << "locus: " << error.what() << '\n';
  return 1;
}
