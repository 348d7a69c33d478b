// locus schemes: the positional schemes, their claims and their keys, on the terminal and as a page of cards.
#include <algorithm>

#include "base/error.h"
#include "cli/command.h"
#include "cli/inspect/view.h"
#include "cli/options.h"
#include "cli/output.h"
#include "io/format.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"
#include "report/page/parts.h"

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

struct Group {
  std::string name;
  std::vector<const SchemeInfo*> schemes;
};

// By the hook at which they enter.
std::vector<Group> groups() {
  std::vector<Group> all;
  for (const Stage stage :
       {Stage::nowhere, Stage::positions, Stage::embedding, Stage::query_and_key, Stage::scores}) {
    all.push_back({to_string(stage), {}});
    for (const SchemeInfo& info : all_schemes())
      if (info.stage == stage) all.back().schemes.push_back(&info);
  }
  return all;
}

void print_list() {
  constexpr std::string_view famous[] = {"none", "sinusoidal", "learned", "rope", "alibi"};
  const auto is_famous = [&](const SchemeInfo* info) { return std::ranges::count(famous, info->name) > 0; };
  std::vector<Group> all = groups();
  for (Group& group : all) {
    std::erase_if(group.schemes, is_famous);
    group.name = "enters at: " + group.name;
  }
  all.insert(all.begin(), {"to begin with", {}});
  for (const std::string_view name : famous) all.front().schemes.push_back(&find_scheme(name));
  TextTable table({{"scheme"}, {"what it is"}});
  for (const Group& group : all) {
    if (!group.schemes.empty()) table.add_heading({group.name, Ink::bold});
    for (const SchemeInfo* info : group.schemes) table.add_row({"  " + info->name, info->summary});
  }
  print(shown(table));
  print_fitted(
      as_called("\n`locus schemes NAME` shows a scheme with its claims, keys and traps; --long lists the "
                "claims of all,\nand --html FILE.html writes a page of them, with pictures.\n"));
}

void print_long_list() {
  TextTable table({{"scheme"}, {"enters at"}, {"what it is"}, {"claims"}, {"parameters", Align::right}});
  for (const SchemeInfo& info : all_schemes()) {
    const Claims claims = claims_of(info);
    table.add_row(
        {info.name, to_string(info.stage), info.summary, claims_text(claims), str(claims.parameters)});
  }
  print(shown(table));
  print_fitted(as_called(
      str("\nClaims are for the default keys in an encoder of width ", width, " with ", heads,
          " heads (a decoder for schemes that only look back).\nThe tests try to refute each. `locus "
          "schemes NAME` shows "
          "a scheme with its keys and traps.\nSpecs: rope, rope:base=100,layout=half, sinusoidal+alibi\n")));
}

// A row of the card: its name, and lines below each other. Empty when there are none.
std::string row(std::string name, const std::vector<std::string>& lines) {
  constexpr std::size_t indent = 12;
  if (lines.empty() || lines.front().empty()) return "";
  name.resize(indent, ' ');
  return str("  ", name, join(lines, "\n" + std::string(indent + 2, ' ')), "\n");
}

void print_card(const SchemeInfo& info) {
  const Claims claims = claims_of(info);
  print_fitted(
      str(info.name, ": ", info.summary, "\n\n", row("formula", split(info.formula, '\n')),
          row("source", {info.source}),
          row("enters at", {to_string(info.stage) + (info.causal_only ? ", in decoders only" : "")}),
          row("claims", {claims_text(claims)}),
          row("parameters", {str(claims.parameters, " at width ", width, " with ", heads, " heads")}),
          row("traps", info.traps), row("differs", info.differs),
          row("lesson", {info.lesson ? str(info.lesson) : ""})));
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

// --- the page ---

constexpr std::string_view style =
#include "report/page/schemes.css.h"
    ;

// The codes, clocks or biases of the untrained scheme, or else the scores that it makes.
Html picture_of(const SchemeInfo& info) {
  if (info.stage == Stage::nowhere || info.stage == Stage::positions) return {};
  const bool has_capacity = std::ranges::count(info.options, "capacity", &SchemeOption::name) > 0;
  Inspected subject{.spec = info.name + (has_capacity ? ":capacity=32" : ""),
                    .shape = {.d_model = width, .heads = heads, .causal = info.causal_only},
                    .length = 16};
  subject.scheme = make_scheme(subject.spec, subject.shape, subject.table);
  subject.parameters = subject.values(subject.table);
  for (const View& view : {embedding_view(), clocks_view(), bias_view(), buckets_view(), scores_view()})
    if (view.shows(subject))
      return element("figure", {}, {figure_element(figure_of(view, subject, view.rows(subject)))});
  return {};
}

Html card_of(const SchemeInfo& info) {
  std::vector<Html> terms;
  const auto add = [&](const char* term, const std::vector<std::string>& lines) {
    if (!lines.empty()) terms.push_back(element("dt", {}, {term}));
    for (const std::string& line : lines) terms.push_back(element("dd", {}, {line}));
  };
  const Claims claims = claims_of(info);
  add("promises", {str(claims_text(claims), "; ", claims.parameters, " parameters",
                       info.causal_only ? "; in decoders only" : "")});
  add("traps", info.traps);
  add("source", {info.source});
  if (info.lesson) add("chapter", {str(info.lesson, " of lessons/README.md")});
  return element("article", {{"class", "card"}, {"id", info.name}},
                 {element("h3", {}, {info.name}), element("p", {}, {info.summary}),
                  info.formula.empty() ? Html() : element("pre", {}, {info.formula}), picture_of(info),
                  element("dl", {}, terms)});
}

std::string page() {
  std::vector<Html> promises, links, sections;
  for (const ClaimInfo& claim : all_claims)
    promises.push_back(
        element("div", {}, {element("dt", {}, {claim.name}), element("dd", {}, {claim.promise})}));
  for (const Group& group : groups()) {
    std::vector<Html> names{element("b", {}, {group.name}), ":"}, cards;
    for (const SchemeInfo* info : group.schemes) {
      names.insert(names.end(), {" ", element("a", {{"href", "#" + info->name}}, {info->name})});
      cards.push_back(card_of(*info));
    }
    links.push_back(element("p", {}, names));
    sections.push_back(element(
        "section", {},
        {element("h2", {}, {"Enters at: ", group.name}), element("div", {{"class", "cards"}}, cards)}));
  }
  std::vector<Html> parts = {
      element("h1", {}, {str(all_schemes().size(), " ways to tell a transformer where a token stands")}),
      element("p", {},
              {str("Promises are for the default keys in an encoder of width ", width, " with ", heads,
                   " heads, and the tests try to refute each. Pictures show the schemes before any training. "
                   "Schemes are grouped by where they enter the model:")}),
      element("nav", {}, links),
      folded("What the promises mean", element("dl", {{"class", "terms"}}, promises))};
  parts.insert(parts.end(), sections.begin(), sections.end());
  const std::string styles = str(page_style(), style);
  return html_document({.title = "Locus: positional schemes",
                        .style = styles,
                        .script = "",
                        .body = element("main", {}, parts)});
}

int run(const Arguments& arguments) {
  if (!arguments.positional().empty()) {
    arguments.refuse({"--long", "--html"}, "with the name of a scheme");
    print_cards(arguments.positional()[0]);
  } else if (const std::string path = page_path(arguments, "--html"); !path.empty()) {
    save(path, page());
    print(str("page in ", path, "\n"));
  } else {
    arguments.given("--long") ? print_long_list() : print_list();
  }
  return 0;
}

const RegisterCommand registered{{
    .name = "schemes",
    .summary = "List the positional schemes, or show one with its claims and keys",
    .usage = "[NAME | SPEC] [--long] [--html FILE]",
    .details = "",
    .options = {{"--long", "", "list all with their claims and parameters"},
                {"--html", "FILE",
                 "write a page with a card for each: formula, picture, promises, traps, source"}},
    .most_positional = 1,
    .run = run,
}};

}  // namespace locus::commands::schemes
