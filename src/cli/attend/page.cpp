// The attention of one input as a page: a figure that needs no scripts, and with scripts rows of tokens to explore.
#include <cmath>

#include "base/format.h"
#include "base/text.h"
#include "cli/attend/figures.h"
#include "report/page/parts.h"

namespace locus {

namespace {

// Each weight in two characters, 0 to 4095, row by row.
std::string packed(const AttentionMap& map) {
  constexpr std::string_view digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
  std::string out;
  for (const double weight : map.weights) {
    const auto number = static_cast<std::size_t>(weight * 4095 + 0.5);
    out += {digits[number / 64], digits[number % 64]};
  }
  return out;
}

Json json_of(const InputReading& reading, const Run& run) {
  const auto name_of = [&](int token) { return run.batcher().names()[static_cast<std::size_t>(token)]; };
  const Answer& answer = reading.answer;
  Json::Array read, said, maps;
  for (const int token : answer.read) read.push_back(name_of(token));
  const std::vector<bool> wrong = answer.wrong();
  for (std::size_t i = 0; i < answer.tokens.size(); ++i) {
    Json one;
    one.set("token", name_of(answer.tokens[i].token));
    one.set("probability", std::round(1000 * answer.tokens[i].probability) / 1000);
    if (answer.target && wrong[i])
      one.set("target", i < answer.target->size() ? name_of((*answer.target)[i]) : std::string("nothing"));
    said.push_back(one);
  }
  for (const AttentionMap& map : reading.maps) maps.push_back(packed(map));
  Json json;
  json.set("change", reading.change);
  json.set("note", reading.note);
  json.set("read", read);
  json.set("answer", said);
  json.set("known", answer.target.has_value());
  json.set("maps", maps);
  return json;
}

// Added to the style of the page of an ablation.
constexpr std::string_view style = R"css(
#explorer table { border-collapse: separate; border-spacing: 2px; } #explorer tr { border: 0; }
#explorer th { color: var(--pale); padding-right: 0.6rem; vertical-align: middle; position: sticky; left: 0; z-index: 1; background: var(--paper); }
#explorer td { min-width: 2.2rem; height: 2rem; padding: 0; position: relative; text-align: center; vertical-align: middle; }
select, #explorer button { border: 1px solid var(--pale); border-radius: 0.3rem; padding: 0.25rem 0.5rem; font: inherit; color: inherit; background: var(--paper); max-width: 100%; }
#explorer td button { width: 100%; min-height: 2rem; padding: 0 0.2rem; text-align: center; }
#explorer button[aria-pressed=true] { background: var(--ink); color: var(--paper); }
.heads td { outline: 1px solid var(--rule); } .heads i { position: absolute; inset: 0; background: var(--above); }
.heads span { position: relative; font-size: 0.75rem; background: var(--paper); border-radius: 0.2rem; padding: 0 0.15rem; }
.heads span:empty { padding: 0; }
.wrong { color: var(--below); text-decoration: underline 2px; }
@media screen and (max-width: 50rem) { #explorer table { border-spacing: 1px; } #explorer th { width: 4.2rem; padding-right: 0.3rem; font-size: 0.75rem; white-space: normal; } #explorer th button { padding: 0.25rem 0.2rem; }
  #explorer td { min-width: 1.4rem; white-space: normal; } #explorer small { line-height: 1.1; } }
@media print { #explorer { display: none; } .scroll > svg { max-width: 100%; max-height: 22cm; height: auto; } }
)css";

constexpr std::string_view script = R"js('use strict';
(() => {
  const place = document.getElementById('explorer'), scene = JSON.parse(place.dataset.scene);
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';
  const make = (name, from, properties) => from.appendChild(Object.assign(document.createElement(name), properties));
  let reading = 0, query = scene.readings[0].read.length - 1;
  const label = make('label', place, { textContent: 'The model and its input: ' });
  const select = make('select', label, {});
  scene.readings.forEach((one, i) => make('option', select, { value: i, textContent: one.change }));
  const note = make('p', place, {});
  note.setAttribute('role', 'status');
  const box = make('div', place, { className: 'scroll', tabIndex: 0 });
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', 'Where each head looks from the chosen token');
  const table = make('table', box, {}), said = make('p', place, {});

  const weight = (map, length, key) => {
    const at = 2 * (query * length + key);
    return (64 * digits.indexOf(map[at]) + digits.indexOf(map[at + 1])) / 4095;
  };
  // Colours and numbers of the chosen query; the table stays.
  const shade = () => {
    const now = scene.readings[reading], length = now.read.length;
    table.querySelectorAll('.query button').forEach((one, i) => one.setAttribute('aria-pressed', i === query));
    table.querySelectorAll('.heads').forEach((row, head) => row.querySelectorAll('td').forEach((cell, key) => {
      const share = weight(now.maps[head], length, key);
      cell.firstChild.style.opacity = share;
      cell.lastChild.textContent = share >= 0.095 ? Math.round(100 * share) : '';
      cell.setAttribute('aria-label', `${Math.round(100 * share)} % on ${now.read[key]}`);
    }));
    said.textContent = `From ${now.read[query]} at position ${query}, in percent of each head's attention. Press a head to silence it.`;
  };
  const draw = () => {
    const now = scene.readings[reading];
    query = Math.min(query, now.read.length - 1);
    select.value = reading;
    note.textContent = now.note;
    table.replaceChildren();
    const row = (name, kind) => {
      const line = make('tr', table, { className: kind });
      const head = make('th', line, { textContent: name });
      head.setAttribute('scope', 'row');
      return [line, head];
    };
    const [tokens] = row('query: choose a token', 'query');
    now.read.forEach((token, i) => {
      const button = make('button', make('td', tokens, {}), { type: 'button', textContent: token });
      button.setAttribute('aria-label', `${token}, position ${i}`);
      const choose = () => { query = i; shade(); };
      for (const event of ['pointerenter', 'focus', 'click']) button.addEventListener(event, choose);
      button.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key], next = tokens.querySelectorAll('button')[i + step];
        if (next) next.focus();
      });
    });
    scene.heads.forEach((name) => {
      const [line, head] = row('', 'heads'), without = scene.readings.findIndex((one) => one.change === `without head ${name}`);
      const button = make('button', head, { type: 'button', textContent: `head ${name}` });
      button.setAttribute('aria-pressed', without === reading);
      button.setAttribute('aria-label', `head ${name}: silence it`);
      button.addEventListener('click', () => { go(without === reading ? 0 : without); document.querySelectorAll('.heads button')[scene.heads.indexOf(name)].focus(); });
      for (let key = 0; key < now.read.length; ++key) {
        const cell = make('td', line, {});
        make('i', cell, {});
        make('span', cell, {});
      }
    });
    const [answers] = row(now.known ? 'answer (wrong: underlined)' : 'answer', 'answers');
    const first = scene.generates ? now.read.length - now.answer.length : 0;
    if (first > 0) make('td', answers, { colSpan: first });
    now.answer.forEach((one) => {
      const cell = make('td', answers, { title: `probability ${one.probability}` });
      make('b', cell, { textContent: one.token, className: one.target === undefined ? '' : 'wrong' });
      make('small', cell, { textContent: one.target === undefined ? Math.round(100 * one.probability) + ' %' : `not ${one.target}` });
    });
    shade();
  };
  const go = (next) => { reading = next; draw(); };
  select.addEventListener('change', () => go(+select.value));
  draw();
})();
)js";

}  // namespace

std::string attention_page(const std::string& title, const std::vector<InputReading>& readings,
                           const Run& run, const Figure& figure) {
  Json scene;
  Json::Array heads, each;
  for (const AttentionMap& map : readings.front().maps) heads.push_back(to_string(map.head));
  for (const InputReading& reading : readings) each.push_back(json_of(reading, run));
  scene.set("heads", heads);
  scene.set("generates", run.batcher().generates());
  scene.set("readings", each);
  const Html body = element(
      "main", {},
      {element("h1", {}, {title}), element("div", {{"id", "explorer"}, {"data-scene", to_string(scene)}}, {}),
       element("h2", {}, {"All maps"}),
       element(
           "p", {},
           {"A map shows what a head reads, not what the model needs of it: silencing a head shows that."}),
       element("div", scrolling("All maps"), {figure_element(figure)})});
  const std::string at_most_a_little_smaller =
      text("@media screen { .scroll > svg { width: 100%; height: auto; min-width: ", 0.85 * figure.width,
           "px; max-width: ", figure.width, "px; } }\n");
  return html_document({.title = title,
                        .style = text(page_style(), style, at_most_a_little_smaller),
                        .script = script,
                        .body = body});
}

}  // namespace locus
