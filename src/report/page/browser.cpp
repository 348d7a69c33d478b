#include "base/text.h"
#include "report/colour.h"
#include "report/page/parts.h"

namespace locus {

// The style sheet of the page, for paper and phones, light and dark.

namespace {

constexpr std::string_view look = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c1b1a; --pale: #5c5c5c; --rule: #dedbd5; --wash: #f6f4f0;
  --accent: #a3341f; --above: #0f5499; --below: #b03a0c; --text: Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Georgia, serif;
  --plain: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #15171a; --ink: #eceae6; --pale: #b0aea9;
  --rule: #34373c; --wash: #1e2125; --accent: #ff9d7d; --above: #6cb4ff; --below: #ff9868; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 var(--text); }
main { max-width: 76rem; margin: 0 auto; padding: 1.25rem 1.25rem 2rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(1.5rem, 4vw, 2.4rem); margin: 0 0 0.4rem; letter-spacing: -0.015em; }
h2 { font-size: 1.3rem; margin: 0 0 0.5rem; padding-top: 0.6rem; border-top: 2px solid var(--ink); }
h3 { font: 600 0.9rem/1.3 var(--plain); margin: 0; }
p { margin: 0 0 0.6rem; max-width: 54rem; }
.asked { font-size: 1.05rem; margin-bottom: 0.75rem; max-width: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
section { margin-top: 1.5rem; }
.findings { list-style: none; margin: 0 0 0.75rem; padding: 0; display: grid; gap: 0.75rem 2rem;
  grid-template-columns: repeat(auto-fit, minmax(min(100%, 18rem), 1fr)); }
.findings p { margin: 0; font-size: 0.95rem; line-height: 1.4; }
.reading, #training > p, #control > p { font: 0.8rem/1.4 var(--plain); color: var(--pale); }
.reading { margin: 0 0 0.3rem; max-width: none; } .scroll + .reading { margin-top: 1.5rem; }
svg { display: block; font-family: var(--plain); }
figure { margin: 0; min-width: 0; }
figure svg { max-width: 100%; height: auto; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 19rem), 1fr)); gap: 0.75rem 1rem; margin: 0 0 0.75rem; }
.scroll { overflow-x: auto; margin: 0 0 0.75rem; max-width: 100%; }
table { border-collapse: collapse; font: 0.85rem/1.35 var(--plain); font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--pale); padding: 0.5rem 0; max-width: calc(100vw - 2.5rem); position: sticky; left: 0; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; text-align: left; vertical-align: top; font-weight: 400; white-space: nowrap; }
thead th { color: var(--pale); border-bottom: 1px solid var(--ink); vertical-align: bottom; }
tbody tr { border-bottom: 1px solid var(--rule); } tbody th { position: sticky; left: 0; z-index: 1; background: var(--paper); }
.number { text-align: right; }
td u { font-weight: 700; color: var(--below); text-decoration: underline 2px; text-underline-offset: 0.15em; }
td small { display: block; color: var(--pale); font-size: 0.75rem; }
.grid caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
:is(#accuracy, #training):has(> .scroll ~ .scroll) > .scroll caption { position: static; width: auto; height: auto; clip-path: none; padding: 0.2rem 0; color: var(--ink); font-weight: 600; }
.grid th, .grid td { padding: 0.15rem 0.9rem 0.15rem 0; vertical-align: middle; }
.grid thead th { min-width: 6em; color: var(--ink); font-weight: 600; white-space: normal; vertical-align: top; } .grid thead span { display: inline-block; }
.grid thead th.more { white-space: nowrap; }
.grid small { display: block; font-weight: 400; font-size: 0.72rem; line-height: 1.25; color: var(--pale); white-space: normal; }
.grid th div { width: 16.5rem; display: grid; grid-template-columns: 1.2rem minmax(0, 1fr); align-items: center; }
.grid th div small { grid-column: 2; line-height: 1.15; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
#training .grid th div { width: 11rem; } @media print, (min-width: 76.01rem) { #training .grid td { padding: 0 0.7rem 0 0; } } @media screen and (min-width: 76.01rem) { #training .grid td svg { width: 4.75rem; height: auto; } #accuracy .grid tbody tr:first-child td { padding-top: 0.35rem; }
  .scroll:has(> .grid) { width: max-content; max-width: calc(50vw + 35.5rem); } }
td.more { white-space: normal; color: var(--pale); }
.grid td svg { display: inline-block; vertical-align: middle; }
.grid td b { margin-left: 0.3rem; font-weight: 400; color: var(--pale); }
.grid .above b { font-weight: 700; color: var(--above); } .grid .below b { color: var(--below); }
.grid tr.guessed, .grid tr.furthest { background: var(--wash); } .guessed th, .furthest th { outline: 1px solid var(--ink); outline-offset: -1px; }
@media screen { .hidden td svg, .hidden-findings .findings { visibility: hidden; } }
b[data-series] { overflow-wrap: anywhere; }
button { font: inherit; color: inherit; text-align: left; background: none; border: 0; padding: 0; cursor: pointer; }
button.name { font-weight: 700; text-decoration: underline dotted 1px; text-underline-offset: 0.2em; overflow-wrap: anywhere; }
button[aria-pressed=true] { background: var(--ink); color: var(--paper); }
.tools { display: flex; flex-wrap: wrap; align-items: center; gap: 0.4rem 1rem; font: 0.85rem/1.4 var(--plain); min-height: 2.2rem; }
.tools label { display: flex; align-items: center; gap: 0.5rem; } .tools input { width: 9rem; accent-color: var(--ink); }
.tools > button, .copy { border: 1px solid var(--pale); border-radius: 0.4rem; padding: 0.3rem 0.7rem; font: 0.85rem/1.2 var(--plain); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
details { margin: 0 0 0.5rem; }
summary { cursor: pointer; font: 0.85rem/1.5 var(--plain); color: var(--pale); width: fit-content; padding: 0.2rem 0.4rem 0.2rem 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.6rem 1.5rem; margin: 0 0 1rem; }
dl.terms { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem 2rem; }
dt { font: 0.85rem/1.3 var(--plain); color: var(--pale); }
dd { margin: 0; overflow-wrap: anywhere; }
pre { font: 0.8rem/1.5 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; background: var(--wash);
  border: 1px solid var(--rule); border-radius: 0.4rem; padding: 0.7rem 0.9rem; white-space: pre-wrap; overflow-wrap: anywhere; margin: 0 0 0.6rem; }
pre code { display: block; padding-left: 2ch; text-indent: -2ch; }
.faded { opacity: 0.25; }
.tip { position: fixed; z-index: 2; pointer-events: none; max-width: min(22rem, 90vw); background: var(--ink);
  color: var(--paper); font: 0.8rem/1.35 var(--plain); padding: 0.3rem 0.55rem; border-radius: 0.3rem; overflow-wrap: anywhere; }
@media screen and (max-width: 50rem) { main { padding: 0.6rem 1rem 2rem; } .tools { min-height: 2rem; } .asked { font-size: 0.9rem; line-height: 1.35; margin-bottom: 0.5rem; }
  .findings { gap: 0.5rem 1.5rem; margin-bottom: 0.5rem; } .findings li { font-size: 0.85rem; line-height: 1.35; } .findings h3, .findings p { display: inline; font-size: inherit; line-height: inherit; } .findings h3::after { content: ". "; }
  .reading { font-size: 0.72rem; line-height: 1.35; } table:not(.grid) tbody th { max-width: 10rem; white-space: normal; overflow-wrap: break-word; } .grid thead th { font-size: 0.65rem; line-height: 1.2; padding-right: 0.3rem; } .grid td b { font-size: 0.8rem; } }
@media screen and (max-width: 76rem) {
  .grid { min-width: 100%; } .grid tr { position: relative; }
  .grid tbody th { width: 0; max-width: 0; padding: 0; background: none; }
  .grid th div { position: absolute; top: 0.2rem; width: max-content; max-width: 85vw; grid-template-columns: 1.2rem auto minmax(0, 1fr); column-gap: 0.3rem; }
  .grid th div small { grid-column: 3; -webkit-line-clamp: 1; }
  .grid tbody td { padding: 1.7rem 0.35rem 0.2rem 0; } .grid thead small { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; }
  .grid thead td { padding: 0; } .grid thead th { min-width: 5.6em; }
  .grid td svg { display: block; width: max(3.1rem, min(5.5rem, 13vw)); height: auto; } .grid td b { margin: 0; }
  .grid:has(.more) tbody td { padding-bottom: 1.3rem; } .grid thead .more { position: absolute; left: 0; width: 1px; min-width: 0; height: 1px; padding: 0; overflow: hidden; clip-path: inset(50%); }
  .grid tbody td.more { position: absolute; left: 0; bottom: 0; padding: 0 0 0.2rem; font-size: 0.75rem; white-space: nowrap; } td.more + td.more { margin-left: 13.5rem; }
  td.more::after { content: " " attr(data-name); } }
@media (prefers-reduced-motion: no-preference) { [data-series] { transition: opacity 0.12s; } }
@media print { main { max-width: none; padding: 0; } body { font-size: 9pt; } .copy, .tip, .tools { display: none; }
  thead { display: table-header-group; } figure, tr, .findings li { break-inside: avoid; } h2 { break-after: avoid; }
  .scroll { overflow: visible; } .charts { grid-template-columns: repeat(3, 1fr); } .grid { font-size: 7pt; } .grid td svg { width: 2cm; height: auto; } .grid th div { width: 4cm; }
  .grid:has(thead th:nth-child(10)) { table-layout: fixed; width: 100%; td, th { padding-right: 0.5mm; white-space: normal; }
    thead td { width: 4.2cm; } thead th { min-width: 0; writing-mode: vertical-rl; } thead small { display: none; } td svg { width: 100%; } } }
)css";

}  // namespace

std::string page_style() { return text(look, dark_style(), "\n"); }

// The script of the page. Without scripts the page lacks the choice of a length, the guess, highlighting and tooltips.

std::string_view page_script() {
  return R"js('use strict';
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (name, from, properties) => from.appendChild(Object.assign(document.createElement(name), properties));

  // Highlights one scheme in the whole page: every element of another scheme fades.
  let chosen = null;
  const choose = (name) => {
    chosen = name === chosen ? null : name;
    for (const one of all('[data-series]:not(button)'))
      one.classList.toggle('faded', chosen !== null && one.dataset.series !== chosen);
    for (const button of all('button.name')) button.setAttribute('aria-pressed', button.dataset.series === chosen);
  };
  let clicked = choose;  // what a click on a scheme does; null ends a guess without one
  const names = new Set(all('.grid tbody tr').map((row) => row.dataset.series));
  for (const one of all('b[data-series]')) {
    if (!names.has(one.dataset.series)) continue;
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', className: 'name', textContent: one.textContent });
    button.dataset.series = one.dataset.series;
    button.setAttribute('aria-pressed', 'false');
    button.addEventListener('click', () => clicked(button.dataset.series));
    one.replaceWith(button);
  }
  document.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    if (clicked !== choose) clicked(null);
    else if (chosen !== null) choose(chosen);
  });

  // What is nearest to the pointer: a tooltip names it, a click chooses its scheme. A cell of a grid is one thing.
  const tip = make('div', document.body, { className: 'tip', hidden: true });
  for (const title of all('svg title')) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  for (const svg of all('td svg')) svg.dataset.tip = svg.getAttribute('aria-label');
  const nearest = (event) => {
    const svg = event.target.closest('td svg, figure svg');
    let best = svg && svg.dataset.tip ? svg : null, least = 24;
    for (const one of svg ? all('[data-tip]', svg) : []) {
      const box = one.getBoundingClientRect();
      const distance = Math.hypot(Math.max(box.left - event.clientX, 0, event.clientX - box.right),
                                  Math.max(box.top - event.clientY, 0, event.clientY - box.bottom));
      if (distance < least) [best, least] = [one, distance];
    }
    return best;
  };
  let named = null;
  const show = (event) => {
    const one = named = nearest(event);
    tip.hidden = !one;
    if (!one) return;
    tip.textContent = one.dataset.tip;
    const box = one.getBoundingClientRect(), size = tip.getBoundingClientRect();
    tip.style.left = Math.min(Math.max((box.left + box.right - size.width) / 2, 4), innerWidth - size.width - 4) + 'px';
    tip.style.top = (box.top - size.height - 8 > 0 ? box.top - size.height - 8 : box.bottom + 8) + 'px';
  };
  document.addEventListener('pointermove', show);
  document.addEventListener('pointerdown', show);
  document.addEventListener('scroll', () => { tip.hidden = true; }, { passive: true });
  document.addEventListener('click', (event) => {
    const series = event.target.closest('svg') && named && named.closest('[data-series]');
    if (series && getSelection().isCollapsed) clicked(series.dataset.series);
  });

  // The length at which a grid shows its numbers, colours and the order of its rows; and the guess.
  const standings = ['below', 'at', 'above'], inks = ['#b03a0c', '#5c5c5c', '#0f5499'];
  for (const grid of all('.grid[data-lengths]')) {
    const lengths = grid.dataset.lengths.split(' '), last = lengths.length - 1, body = grid.tBodies[0];
    const box = grid.parentNode, reading = box.previousElementSibling.querySelector('span'), rows = [...body.rows];
    const gain = (row, at) => {
      const gains = all('td', row).flatMap((cell) => cell.dataset.at ? [cell.dataset.at.split('|')[at].split(' ')[2]] : []);
      const known = gains.filter((one) => one !== '-').map(Number);
      return known.reduce((sum, one) => sum + one, 0) / Math.max(known.length, 1);
    };
    const draw = (at) => {
      reading.textContent = `at ${lengths[at]} tokens`;
      for (const cell of all('td[data-at]', body)) {
        const [x, value, , standing] = cell.dataset.at.split('|')[at].split(' ');
        const svg = cell.firstElementChild, ink = inks[standing];
        cell.className = standings[standing];
        cell.lastElementChild.textContent = value;
        const lines = all('polyline, path', svg);
        for (const one of lines.slice(lines.length > 2 ? 1 : 0)) one.setAttribute('stroke', ink);
        const line = svg.querySelector('.here') || svg.appendChild(document.createElementNS(svg.namespaceURI, 'line'));
        line.setAttribute('class', 'here');
        for (const [key, number] of [['x1', x], ['x2', x], ['y1', 0], ['y2', svg.viewBox.baseVal.height]]) line.setAttribute(key, number);
        line.setAttribute('stroke', at === last ? 'none' : '#5c5c5c');
      }
      const [control, ...others] = rows;  // as they are at the last length
      body.append(control, ...(at === last ? others : others.sort((a, b) => gain(b, at) - gain(a, at))));
    };
    const tools = document.createElement('div');
    tools.className = 'tools';
    box.before(tools);
    const label = make('label', tools, { textContent: 'Length ' });
    const slider = make('input', label, { type: 'range', min: 0, max: last, value: last });
    const shown = make('output', label, { textContent: lengths[last] });
    const move = (at) => {
      slider.value = at;
      shown.textContent = lengths[at];
      slider.setAttribute('aria-valuetext', lengths[at] + ' tokens');
      draw(at);
    };
    slider.addEventListener('input', () => move(+slider.value));
    if (rows.length < 3) continue;

    const guess = make('button', tools, { type: 'button', textContent: 'Guess first' });
    const said = make('span', tools, {});
    said.setAttribute('role', 'status');
    const hide = (hidden) => {
      slider.disabled = hidden;
      grid.classList.toggle('hidden', hidden);
      document.body.classList.toggle('hidden-findings', hidden);
    };
    guess.addEventListener('click', () => {
      if (clicked !== choose) clicked(null);
      for (const row of rows) row.classList.remove('guessed', 'furthest');
      if (chosen !== null) choose(chosen);
      move(0);
      hide(true);
      said.textContent = `Numbers at ${lengths[0]} tokens. Click the scheme that will do best at ${lengths[last]}, or press Escape.`;
      clicked = (name) => {
        clicked = choose;
        hide(false);
        move(last);
        said.textContent = '';
        if (name === null) return;
        const furthest = [...rows].sort((a, b) => gain(b, last) - gain(a, last))[0];
        const mine = rows.find((row) => row.dataset.series === name) || furthest;
        mine.classList.add('guessed');
        furthest.classList.add('furthest');
        const percent = (row) => String(Math.round(100 * gain(row, last))).replace('-', '\u2212') + ' %';
        said.textContent = `Your guess: ${mine.dataset.series}, ${percent(mine)} of what order is worth at ${lengths[last]} tokens. `
          + (mine === furthest ? 'No other scheme has more.' : `Furthest: ${furthest.dataset.series}, ${percent(furthest)}.`);
      };
    });
  }

  for (const block of all('pre')) {
    const copy = document.createElement('button');
    Object.assign(copy, { type: 'button', className: 'copy', textContent: 'Copy' });
    copy.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.innerText);
        copy.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(block);
        copy.textContent = 'Selected';
      }
    });
    block.after(copy);
  }
})();
)js";
}

}  // namespace locus
