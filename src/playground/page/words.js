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
const word = (name, values = {}) => templates[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '');
// 100 % is all of them, and no less.
const percent = (value) =>
  Number.isFinite(value) ? `${value < 1 ? Math.min(99, Math.round(value * 100)) : 100}\u00a0%` : '–';
const code = (scheme) => '`' + scheme + '`';
// Text in which schemes stand between backquotes.
const prose = (element, text) => element.replaceChildren(
    ...text.split('`').map((part, i) => i % 2 ? make('b', { textContent: part }) : part));
let said = '';
const say = (text) => {
  if (text === said) return;
  said = text;
  prose(one('#say'), text);
};
// The finding of a stage, about this scheme or the first that tells positions; there being none, what the task is.
let found_for = '';
const find = (stage, about) => {
  const schemes = state ? state.lanes.map((lane) => lane.last) : setup.schemes;
  const scheme = about || schemes.find((name) => name && name !== 'none') || 'none';
  const key = [setup.task, setup.model, scheme, stage].join();
  if (key === found_for) return;
  found_for = key;
  const found = ((facts.findings[setup.task] || {})[scheme] || {})[stage];
  const place = one('#finding');
  if (!found || setup.model !== 'encoder')
    return prose(place, word('task', { task: code(setup.task), summary: facts.tasks[setup.task].summary }));
  prose(place, found.text);
  place.prepend(make('strong', { textContent: found.lead + '. ' }));
  place.append(make('small', { textContent: ' ' + word('recorded', { seeds: facts.seeds }) }));
};

const usual = { task: 'reverse', schemes: ['none', 'sinusoidal'], model: 'encoder', seed: 1, length: 12 };
let setup = { ...usual };
const task = () => facts.tasks[setup.task];
