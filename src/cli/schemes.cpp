// locus schemes: the positional schemes, their claims and their keys.
#include "base/error.h"
#include "cli/command.h"
#include "cli/output.h"
#include "io/format.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"

namespace locus::commands::schemes {

constexpr int width = 32, heads = 2;

// The claims of a scheme with its default keys, in an encoder if it can have one.
Claims claims_of(const SchemeInfo& info) {
  ParameterTable table;
  return make_scheme(info.name, {.d_model = width, .heads = heads, .causal = info.causal_only}, table)
      ->claims();
}

std::string claims_text(const Claims& claims) {
  std::vector<std::string> said;
  for (const ClaimInfo& claim : all_claims)
    if (claims.*claim.holds) said.push_back(claim.name);
  return join(said, ", ");
}

std::string values_text(const SchemeOption& key) {
  if (!key.choices.empty()) return join(key.choices, " or ");
  return range_text(key) + (key.list ? ", several with / between" : "");
}

void print_list() {
  TextTable table({{"scheme"}, {"enters at"}, {"what it is"}, {"claims"}, {"parameters", Align::right}});
  for (const SchemeInfo& info : all_schemes()) {
    const Claims claims = claims_of(info);
    table.add_row(
        {info.name, to_string(info.stage), info.summary, claims_text(claims), text(claims.parameters)});
  }
  print(shown(table));
  print_fitted(as_called(
      text("\nClaims are for the default keys in an encoder of width ", width, " with ", heads,
           " heads (a decoder for schemes that only look back).\nThe tests try to refute each. `locus "
           "schemes NAME` shows "
           "a scheme with its keys and traps.\nSpecs: rope, rope:base=100,layout=half, sinusoidal+alibi\n")));
}

// A row of the card: its name, and lines below each other. Empty when there are none.
std::string row(std::string name, const std::vector<std::string>& lines) {
  constexpr std::size_t indent = 12;
  if (lines.empty() || lines.front().empty()) return "";
  name.resize(indent, ' ');
  return text("  ", name, join(lines, "\n" + std::string(indent + 2, ' ')), "\n");
}

void print_card(const SchemeInfo& info) {
  const Claims claims = claims_of(info);
  print_fitted(
      text(info.name, ": ", info.summary, "\n\n", row("formula", split(info.formula, '\n')),
           row("source", {info.source}),
           row("enters at", {to_string(info.stage) + (info.causal_only ? ", in decoders only" : "")}),
           row("claims", {claims_text(claims)}),
           row("parameters", {text(claims.parameters, " at width ", width, " with ", heads, " heads")}),
           row("traps", info.traps), row("differs", info.differs),
           row("lesson", {info.lesson ? text(info.lesson) : ""})));
  if (info.options.empty()) return;
  TextTable table({{"option"}, {"default"}, {"values"}, {"meaning"}});
  for (const SchemeOption& option : info.options)
    table.add_row({option.name, option.fallback, values_text(option), option.help});
  print("\n" + shown(table));
}

// The cards of the parts of a SPEC, once all of it is understood.
void print_cards(const Spec& spec) {
  const std::vector<Spec::Part>& parts = spec.only().parts;
  for (const Spec::Part& part : parts) {
    if (&part != &parts.front()) print("\n");
    print_card(*part.info);
  }
}

int run(const Arguments& arguments) {
  if (arguments.positional().empty())
    print_list();
  else
    print_cards(arguments.positional()[0]);
  return 0;
}

const RegisterCommand registered{{
    .name = "schemes",
    .summary = "List the positional schemes, or show one with its claims and keys",
    .usage = "[NAME | SPEC]",
    .details = "",
    .options = {},
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::schemes
