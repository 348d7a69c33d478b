// Writes the playground: build/playground-page FOLDER ENGINE STUDY TAKEN... > playground.html
//
// FOLDER is src/playground/page, with the page's frame and words, its style and its scripts; ENGINE the program as
// WebAssembly, packed by gzip. STUDY is an ablation of tasks and schemes, TAKEN are ablations in which trained models
// are read without their positions, at once and after more training. What the page says about them are findings of the
// report.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>

#include "ablation/results.h"
#include "base/error.h"
#include "base/text.h"
#include "draw/charts.h"
#include "draw/colour.h"
#include "draw/html.h"
#include "io/file.h"
#include "io/json.h"
#include "positional/support/registry.h"
#include "positional/support/spec.h"
#include "report/page/findings.h"
#include "report/page/parts.h"
#include "report/scheme_style.h"
#include "tasks/support/registry.h"
#include "train/settings.h"

namespace {

using namespace locus;

constexpr int recalibrated = 300;  // steps, in the recorded study

// The records of one task, and of some schemes, with so many steps of recalibration.
Records part_of(const Records& all, const std::string& task, const std::vector<std::string>& schemes,
                int recalibrate) {
  Records part;
  const auto wanted = [&](const RunSettings& s) {
    return s.task == task && std::ranges::count(schemes, to_string(s.model.scheme)) > 0 &&
           s.recalibrate == recalibrate;
  };
  for (const Result& result : all.results)
    if (wanted(result.settings)) part.results.push_back(result);
  return part;
}

// The first finding with one of these leads; none where the results do not support one.
std::optional<Finding> finding_of(const Study& study, const std::vector<std::string>& leads) {
  const std::vector<Finding> found = findings(study);
  for (const std::string& lead : leads)
    if (const auto one = std::ranges::find(found, lead, &Finding::lead); one != found.end()) return *one;
  return {};
}

// Which findings belong to a stage, the best first.
const std::vector<std::string> trained{"Without order, the ceiling holds", "In training",
                                       "Positions that do not help"},
    longer{"Right is not the same as understood", "Positions that were never trained",
           "Below reading nothing", "On the longest inputs"},
    taken{"Positions taken away"};

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
  Json tasks, schemes;
  for (const Task* task : all_tasks()) {
    const auto ceiling = task->order_blind_ceiling(task->length_from(8).value_or(8));
    tasks.set(task->name,
              Json::Object{{"summary", task->summary},
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
  const RunSettings encoder = defaults(ModelKind::encoder, "none"),
                    decoder = defaults(ModelKind::decoder, "none");
  return Json::Object{
      {"layers", encoder.model.layers},
      {"heads", encoder.model.heads},
      {"tasks", tasks},
      {"schemes", schemes},
      {"steps", Json::Object{{"encoder", encoder.train.steps}, {"decoder", decoder.train.steps}}},
      {"diverging", palette(diverging_colour)},
      {"sequential", palette(sequential_colour)}};
}

std::string options(const std::vector<std::string>& names) {
  std::string markup;
  for (const std::string& name : names) markup += element("option", {{"value", name}}, {name}).markup();
  return markup;
}

// What a list begins with; the others follow it.
const std::vector<std::string> first_tasks{"reverse", "sort", "previous", "before", "needle", "majority"},
    first_schemes{"none", "sinusoidal", "learned", "alibi", "rope", stopped};

std::vector<std::string> others(const std::vector<std::string>& first, std::vector<std::string> names) {
  std::erase_if(names, [&](const std::string& name) { return std::ranges::count(first, name) > 0; });
  return names;
}

// --- the recorded run, as pictures ---

// Accuracy by length of each scheme, mean over seeds, under the ceiling of models that see no order.
Figure lengths_chart(const std::string& title,
                     const std::vector<std::pair<std::string, const ResultRow*>>& rows) {
  LineChart chart{.title = title, .x_label = "length (tokens)", .y_label = "token accuracy"};
  Series ceiling{.name = "order-blind ceiling", .style = ceiling_style()};
  std::map<std::string, std::size_t> alike;  // lines of one scheme
  for (const auto& [name, row] : rows) {
    const RunSettings& s = row->settings;
    const Spec& scheme = s.trained_as.empty() ? s.model.scheme : s.trained_as;
    Series series{.name = name, .style = scheme_style(scheme, alike[scheme]++)};
    for (const RowAtLength& at : row->by_length) {
      series.samples.push_back({static_cast<double>(at.length), mean(at.token_accuracy)});
      if (series.samples.size() > ceiling.samples.size() && at.order_blind_ceiling)
        ceiling.samples.push_back({static_cast<double>(at.length), *at.order_blind_ceiling});
    }
    chart.series.push_back(std::move(series));
  }
  chart.series.insert(chart.series.begin(), std::move(ceiling));
  chart.y_range = Range{0, 1};
  chart.vertical_line = VerticalLine{12, "trained"};
  return line_chart(chart);
}

Figure curves_chart(const Study& study) {
  LineChart chart{.title = "reverse: right on fresh inputs of 12 tokens, while training",
                  .x_label = "step",
                  .y_label = "token accuracy"};
  for (const ResultRow& row : study.rows) {
    Series series{.name = row.name(), .style = scheme_style(row.settings.model.scheme), .marked = false};
    for (int step = 50; step <= 1000; step += 50)
      series.samples.push_back({static_cast<double>(step), mean_accuracy(row.curves, step)});
    chart.series.push_back(std::move(series));
  }
  chart.y_range = Range{0, 1};
  return line_chart(chart);
}

Html recorded(const Records& all, const Records& read_without) {
  const Study study(part_of(all, "reverse", {"none", "sinusoidal"}, 0));
  Html html;
  std::string last_lead;
  const auto sentences = [&](const Study& part, const std::vector<std::string>& leads) {
    const auto found = finding_of(part, leads);
    if (!found) return;
    if (found->lead != last_lead) html += element("h2", {}, {last_lead = found->lead});
    html += paragraph(found->text);
  };
  sentences(study, trained);
  html += element("figure", {}, {figure_element(curves_chart(study))});
  sentences(study, longer);
  std::vector<std::pair<std::string, const ResultRow*>> rows;
  for (const ResultRow& row : study.rows) rows.emplace_back(row.name(), &row);
  html += element("figure", {}, {figure_element(lengths_chart("reverse: accuracy by length", rows))});
  Records bare;
  for (const Result& result : read_without.results)
    if (result.settings.trained_as == "sinusoidal") bare.results.push_back(result);
  const Study at_once(part_of(bare, "reverse", {"none"}, 0)),
      after(part_of(bare, "reverse", {"none"}, recalibrated));
  sentences(at_once, taken);
  const Figure chart = lengths_chart("reverse: sinusoidal, with its positions taken away",
                                     {{"with positions", &study.rows.back()},
                                      {"taken away", &at_once.rows.front()},
                                      {str(recalibrated, " steps later"), &after.rows.front()}});
  html += element("figure", {}, {figure_element(chart)});
  sentences(after, taken);
  return html;
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
                           "stages", "controls", "address", "story"})
    script += read_file(str(folder, "/", part, ".js")) + "\n";
  return script;
}

std::string page(const std::string& folder, const std::string& engine, const std::string& study_folder,
                 const std::vector<std::string>& taken_folders) {
  const Records study = read_records({study_folder}), read_without = read_records(taken_folders);
  std::vector<std::string> schemes;
  std::map<Form, std::vector<std::string>> tasks;
  for (const Task* task : all_tasks()) tasks[task->form].push_back(task->name);
  const auto tasks_of = [&](Form form) { return options(others(first_tasks, tasks[form])); };
  for (const SchemeInfo* scheme : offered()) schemes.push_back(scheme->name);
  const auto lane = [&](const char* number, const char* which) {
    return filled(read_file(folder + "/lane.html"), {{"number", number},
                                                     {"which", which},
                                                     {"first-schemes", options(first_schemes)},
                                                     {"schemes", options(others(first_schemes, schemes))}});
  };
  return filled(read_file(folder + "/page.html"), {{"style", page_style() + read_file(folder + "/page.css")},
                                                   {"script", script_of(folder)},
                                                   {"worker", read_file(folder + "/worker.js")},
                                                   {"engine", base64(read_file(engine))},
                                                   {"first-tasks", options(first_tasks)},
                                                   {"classification", tasks_of(Form::classification)},
                                                   {"labelling", tasks_of(Form::labelling)},
                                                   {"generation", tasks_of(Form::generation)},
                                                   {"first", lane("0", "first")},
                                                   {"second", lane("1", "second")},
                                                   {"facts", for_script(to_string(facts_of()))},
                                                   {"recorded", recorded(study, read_without).markup()}});
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> given(arguments + 1, arguments + count);
  if (given.size() < 4) {
    std::fputs("usage: playground-page FOLDER ENGINE.wasm.gz STUDY TAKEN...\n", stderr);
    return 2;
  }
  try {
    const std::string html = page(given[0], given[1], given[2], {given.begin() + 3, given.end()});
    std::fwrite(html.data(), 1, html.size(), stdout);
    return std::fflush(stdout) == 0 ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
