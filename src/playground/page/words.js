// The words of the page, which page.html holds, and what is trained, which the address holds.

const one = (selector, from = document) => from.querySelector(selector);
const all = (selector, from = document) => [...from.querySelectorAll(selector)];
const make = (name, properties = {}, children = []) => {
  const element = Object.assign(document.createElement(name), properties);
  element.append(...children);
  return element;
};
// Sets a text; whether it was another before.
const put = (element, text) => element.textContent !== String(text) && Boolean(element.textContent = text);
const facts = JSON.parse(one('#facts').textContent);

const templates = {};
for (const item of all('[data-word]', one('#words').content))
  templates[item.dataset.word] = item.textContent.replace(/\s+/g, ' ').trim();
// A summary that needs words that a newcomer has not met has a plainer one here.
for (const [kind, list] of [['as', facts.schemes], ['task', facts.tasks]])
  for (const [name, about] of Object.entries(list)) about.summary = templates[`${kind}-${name}`] || about.summary;
const word = (name, values = {}) => templates[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '');
// 100 % is all of them, and no less.
const percent = (value) =>
  Number.isFinite(value) ? `${value < 1 ? Math.min(99, Math.round(value * 100)) : 100}\u00a0%` : '–';
const code = (name) => '`' + title(name) + '`';
// Text in which schemes stand between backquotes.
const prose = (element, text) => element.replaceChildren(
    ...text.split('`').map((part, i) => i % 2 ? make('b', { textContent: part }) : part));
let said = '';
const say = (text) => {
  if (text === said) return;
  said = text;
  prose(one('#say'), text);
};
// A scheme by its name in the address. RoPE with clocks that stand still is told from it by their numbers.
const stopped_in = (scheme) => (/^rope:still=([0-7](?:\/[0-7])*)$/.exec(scheme) || [])[1];
const scheme_of = (scheme) => !stopped_in(scheme) ? facts.schemes[scheme] : { ...facts.schemes.rope, ...facts.stopped,
  summary: word('stopped-summary', { clocks: clocks_in(scheme) }) };
// 1/2 as "1, 2" and 0/1/2/3 as "0–3".
const numbers_in = (scheme) => stopped_in(scheme).split('/').map(Number).reduce((runs, clock) => {
  const last = runs[runs.length - 1];
  if (last && last[1] === clock - 1) last[1] = clock;
  else runs.push([clock, clock]);
  return runs;
}, []).map(([from, to]) => to - from > 1 ? `${from}–${to}` : from < to ? `${from}, ${to}` : from).join(', ');
const clocks_in = (scheme) =>
  word(stopped_in(scheme).includes('/') ? 'clocks-named' : 'clock-named', { clocks: numbers_in(scheme) });
const is_scheme = (scheme) => Object.hasOwn(facts.schemes, scheme) || Boolean(stopped_in(scheme));
const title = (scheme, clocks = clocks_in) =>
  stopped_in(scheme) ? word('stopped', { clocks: clocks(scheme) }) : scheme;
// Where there is little room.
const short = (scheme) => title(scheme, numbers_in);
// A model whose clocks were changed after a part of its training keeps the name that it had.
const name_of_lane = (lane, form = title, scheme = lane.scheme) => {
  const change = lane.events.findLast(({ to }) => to === scheme);
  if (!change || !stopped_in(scheme) || change.back) return form(scheme);
  return form === short ? name_of(lane, change, numbers_in) : `${form(lane.first)}, ${name_of(lane, change)}`;
};
const name_before = (lane) => name_of_lane(lane, title, lane.last);  // before its positions were taken away

const usual = { task: 'reverse', schemes: ['none', 'sinusoidal'], model: 'encoder', seed: 1, length: 12 };
let setup = { ...usual };
const task = () => facts.tasks[setup.task], model = () => facts.models[setup.model];
const has_one_answer = () => task().form === 'classification';  // for all of the input
