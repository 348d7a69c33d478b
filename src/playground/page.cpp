// Writes the playground: build/playground-page FOLDER ENGINE > playground.html
//
// FOLDER is src/playground/page, with the page's frame and words, its style and its scripts; ENGINE the program as
// WebAssembly, packed by gzip.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "base/text.h"
#include "draw/colour.h"
#include "draw/html.h"
#include "io/file.h"
#include "io/json.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"
#include "report/page/parts.h"
#include "report/scheme_style.h"
#include "tasks/support/registry.h"
#include "train/settings.h"

namespace {

using namespace locus;

std::string on_dark(const std::string& colour) {
  const auto found = std::ranges::find(screen_colours(), colour, &ScreenColour::light);
  return std::string(found == screen_colours().end() ? std::string_view(colour) : found->dark);
}

// The chapter of a scheme, if it is there: "06_clocks".
std::string chapter_of(int lesson) {
  if (lesson == 0) return "";
  const std::string number = str(lesson < 10 ? "0" : "", lesson, "_");
  for (const std::string& path : paths_in("lessons"))
    if (const auto at = path.rfind('/'); path.substr(at + 1).starts_with(number)) return path.substr(at + 1);
  return "";
}

// Schemes that a lane can have by themselves, in an encoder. (A part that chooses positions says nothing alone.)
std::vector<const SchemeInfo*> offered() {
  std::vector<const SchemeInfo*> schemes;
  for (const SchemeInfo& scheme : all_schemes())
    if (scheme.stage != Stage::positions && !scheme.causal_only) schemes.push_back(&scheme);
  return schemes;
}

// RoPE without the two clocks that cost it longer inputs (lessons/results, the study of clocks).
constexpr const char* stopped = "rope:still=1/2";

RunSettings defaults(ModelKind kind, const std::string& scheme) {
  RunSettings settings;
  settings.task = "reverse";
  settings.model.kind = kind;
  settings.model.scheme = scheme;
  return complete(settings);
}

bool has_parameters(const std::string& scheme) {
  const auto count = [](const std::string& spec) {
    return Run(defaults(ModelKind::encoder, spec)).model().parameters().count();
  };
  return count(scheme) != count("none");
}

Json palette(Colour (*colour)(double)) {
  Json::Array steps;
  for (int i = 0; i <= 64; ++i) {
    const Colour c = colour(i / 64.0);
    steps.push_back(
        Json::Array{std::round(255 * c.red), std::round(255 * c.green), std::round(255 * c.blue)});
  }
  return steps;
}

// What the script needs to know before the engine has started.
Json facts_of() {
  Json tasks, schemes, models;
  for (const Task* task : all_tasks()) {
    const auto ceiling = task->order_blind_ceiling(task->length_from(8).value_or(8));
    tasks.set(task->name,
              Json::Object{{"summary", task->summary},
                           {"layout", task->layout},
                           {"form", to_string(task->form)},
                           {"needs_order", !ceiling || ceiling->value < 0.98},
                           {"alphabet", Json::Array(task->alphabet.begin(), task->alphabet.end())}});
  }
  for (const SchemeInfo* scheme : offered()) {
    const std::string colour = scheme_style(scheme->name).colour;
    Json json = Json::Object{{"light", colour},
                             {"dark", on_dark(colour)},
                             {"summary", scheme->summary},
                             {"parameters", has_parameters(scheme->name)}};
    if (const std::string chapter = chapter_of(scheme->lesson); !chapter.empty()) json.set("lesson", chapter);
    schemes.set(scheme->name, json);
  }
  for (const ModelKind kind : {ModelKind::encoder, ModelKind::decoder}) {
    const RunSettings settings = defaults(kind, "none");
    models.set(to_string(kind), Json::Object{{"layers", settings.model.layers},
                                             {"heads", settings.model.heads},
                                             {"steps", settings.train.steps}});
  }
  return Json::Object{{"models", models},
                      {"tasks", tasks},
                      {"schemes", schemes},
                      {"stopped", Json::Object{{"light", petrol_ink}, {"dark", on_dark(petrol_ink)}}},
                      {"diverging", palette(diverging_colour)},
                      {"sequential", palette(sequential_colour)}};
}

Html options(const std::vector<std::string>& names) {
  Html items;
  for (const std::string& name : names) items += element("option", {{"value", name}}, {name});
  return items;
}

// What a list begins with; the others follow it.
const std::vector<std::string> first_tasks{"reverse", "sort", "previous", "before", "needle", "majority"},
    first_schemes{"none", "sinusoidal", "learned", "alibi", "rope", stopped};

std::vector<std::string> others(const std::vector<std::string>& first, std::vector<std::string> names) {
  std::erase_if(names, [&](const std::string& name) { return std::ranges::count(first, name) > 0; });
  return names;
}

// --- putting it together ---

std::string base64(const std::string& bytes) {
  constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string words;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    unsigned three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      words += i + k > bytes.size() ? '=' : digits[three >> (18 - 6 * k) & 63];
  }
  return words;
}

// "<" cannot end a script early as "\u003c".
std::string for_script(std::string json) {
  std::string safe;
  for (const char c : json) safe += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return safe;
}

std::string filled(const std::string& form, const std::map<std::string, std::string>& slots) {
  std::string page;
  for (std::size_t at = 0;;) {
    const std::size_t open = form.find("{{", at);
    page += form.substr(at, open - at);
    if (open == form.npos) return page;
    const std::size_t close = form.find("}}", open);
    const auto slot = slots.find(form.substr(open + 2, close - open - 2));
    if (slot == slots.end()) fail("playground", str("there is nothing for '", form.substr(open, 30), "'"));
    page += slot->second;
    at = close + 2;
  }
}

// The parts of the script, in the order in which they run, in one scope.
std::string script_of(const std::string& folder) {
  std::string script;
  for (const char* part : {"words", "engine", "charts", "answer", "insight", "headline", "guess", "next",
                           "seen", "controls", "address", "story"})
    script += read_file(str(folder, "/", part, ".js")) + "\n";
  return script;
}

std::string page(const std::string& folder, const std::string& engine) {
  std::map<Form, std::vector<std::string>> tasks;
  for (const Task* task : all_tasks()) tasks[task->form].push_back(task->name);
  const auto tasks_of = [&](Form form) { return options(others(first_tasks, tasks[form])).markup(); };
  std::string schemes;  // by what they act on
  for (const auto& [stage, label] : {std::pair{Stage::embedding, "added to each token"},
                                     {Stage::query_and_key, "on what tokens compare"},
                                     {Stage::scores, "on how well they match"}}) {
    std::vector<std::string> names;
    for (const SchemeInfo* scheme : offered())
      if (scheme->stage == stage) names.push_back(scheme->name);
    schemes += element("optgroup", {{"label", label}}, {options(others(first_schemes, names))}).markup();
  }
  const auto lane = [&](const char* number, const char* which) {
    return filled(read_file(folder + "/lane.html"), {{"number", number},
                                                     {"which", which},
                                                     {"first-schemes", options(first_schemes).markup()},
                                                     {"schemes", schemes}});
  };
  return filled(read_file(folder + "/page.html"), {{"style", page_style() + read_file(folder + "/page.css")},
                                                   {"script", script_of(folder)},
                                                   {"worker", read_file(folder + "/worker.js")},
                                                   {"engine", base64(read_file(engine))},
                                                   {"first-tasks", options(first_tasks).markup()},
                                                   {"classification", tasks_of(Form::classification)},
                                                   {"labelling", tasks_of(Form::labelling)},
                                                   {"generation", tasks_of(Form::generation)},
                                                   {"first", lane("0", "first")},
                                                   {"second", lane("1", "second")},
                                                   {"facts", for_script(to_string(facts_of()))}});
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + count);
  if (given.size() != 2) {
    std::fputs("usage: playground-page FOLDER ENGINE.wasm.gz\n", stderr);
    return 2;
  }
  try {
    const std::string html = page(given[0], given[1]);
    std::fwrite(html.data(), 1, html.size(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
