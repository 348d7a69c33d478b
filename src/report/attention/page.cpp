// The attention of one input as a page: a figure that needs no scripts, and with scripts rows of tokens to explore.
#include <cmath>

#include "base/size.h"
#include "base/text.h"
#include "io/format.h"
#include "report/attention/attention.h"
#include "report/page/parts.h"

namespace locus {

namespace {

Json json_of(const InputReading& reading, const Run& run) {
  const auto name_of = [&](int token) { return run.batcher().names()[as_size(token)]; };
  const Answer& answer = reading.answer;
  Json::Array read, said, maps;
  for (const int token : answer.read) read.push_back(name_of(token));
  const std::vector<bool> wrong = answer.wrong();
  for (std::size_t i = 0; i < answer.tokens.size(); ++i) {
    Json one = Json::Object{{"token", name_of(answer.tokens[i].token)},
                            {"probability", std::round(1000 * answer.tokens[i].probability) / 1000}};
    if (answer.target && wrong[i])
      one.set("target", i < answer.target->size() ? name_of((*answer.target)[i]) : std::string("nothing"));
    said.push_back(one);
  }
  for (const AttentionMap& map : reading.maps) {
    Json::Array percents;  // of whole numbers, row by row: short, and all that is shown
    for (const double weight : map.weights) percents.push_back(std::round(100 * weight));
    maps.push_back(percents);
  }
  Json json = Json::Object{{"change", reading.change},
                           {"note", reading.note},
                           {"read", read},
                           {"answer", said},
                           {"known", answer.target.has_value()}};
  if (reading.right) json.set("right", fixed(*reading.right, 2));
  json.set("maps", maps);
  return json;
}

constexpr std::string_view style =
#include "report/attention/attention.css.h"
    ;
constexpr std::string_view script =
#include "report/attention/attention.js.h"
    ;

}  // namespace

std::string attention_page(const std::string& title, const std::vector<InputReading>& readings,
                           const Run& run, const Figure& figure, const std::string& command) {
  Json::Array heads, each, input;
  for (const AttentionMap& map : readings.front().maps) heads.push_back(to_string(map.head));
  for (const InputReading& reading : readings) each.push_back(json_of(reading, run));
  for (const int token : readings.front().answer.input) input.push_back(run.task().alphabet[as_size(token)]);
  const Json scene = Json::Object{
      {"heads", heads}, {"input", input}, {"generates", run.batcher().generates()}, {"readings", each}};
  const Html body = element(
      "main", {},
      {element("h1", {}, {title}), element("div", {{"id", "explorer"}, {"data-scene", to_string(scene)}}, {}),
       element(
           "p", {},
           {"Each token makes a query (what it looks for) and a key (how others find it). The better a key fits a "
            "query, the more of that token's value the query's token takes: a row shows these shares. They show "
            "what a head reads; what the model needs of it shows when the head is silenced."}),
       element("h2", {}, {"All maps"}), element("div", scrolling("All maps"), {figure_element(figure)}),
       element("h2", {}, {"Another input"}), element("p", {}, {"This page was made by"}),
       element("pre", {}, {element("code", {}, {command})})});
  const std::string at_most_a_little_smaller =
      str("@media screen { .scroll > svg { width: 100%; height: auto; min-width: ", 0.85 * figure.width,
          "px; max-width: ", figure.width, "px; } }\n");
  return html_document({.title = title,
                        .style = str(page_style(), style, at_most_a_little_smaller),
                        .script = script,
                        .body = body});
}

}  // namespace locus
