#include "base/text.h"
#include "report/colour.h"
#include "report/page/parts.h"

namespace locus {

// The style sheet of the page: one column of text, wide charts; for paper and phones, light and dark.

namespace {

constexpr std::string_view look = R"css(
:root { color-scheme: light dark; --paper: #ffffff; --ink: #1c1b1a; --pale: #5c5c5c; --rule: #dedbd5; --wash: #f6f4f0;
  --accent: #a3341f; --text: Charter, "Bitstream Charter", "Iowan Old Style", "Source Serif 4", Georgia, serif;
  --plain: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
@media screen and (prefers-color-scheme: dark) { :root { --paper: #15171a; --ink: #eceae6; --pale: #b0aea9;
  --rule: #34373c; --wash: #1e2125; --accent: #ff9d7d; } }
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.55 var(--text); }
main { max-width: 71rem; margin: 0 auto; padding: 3rem 1.25rem 5rem; }
h1, h2, h3 { line-height: 1.2; text-wrap: balance; }
h1 { font-size: clamp(1.9rem, 5vw, 3rem); margin: 0.2rem 0 0.6rem; letter-spacing: -0.015em; }
h2 { font-size: 1.5rem; margin: 0 0 0.75rem; padding-top: 0.9rem; border-top: 2px solid var(--ink); }
h3 { font: 600 0.95rem/1.3 var(--plain); margin: 0 0 0.25rem; color: var(--accent); }
p { margin: 0 0 0.9rem; max-width: 42rem; }
.kicker { font: 600 0.8rem/1.4 var(--plain); letter-spacing: 0.04em; color: var(--pale); margin: 0; }
.facts { color: var(--pale); font-size: 1.15rem; margin-bottom: 2rem; }
.contents ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.2rem 1.4rem; margin: 2rem 0 0; padding: 0;
  font: 0.9rem/1.6 var(--plain); }
a { color: inherit; text-decoration-color: var(--accent); text-underline-offset: 0.2em; }
header h2 { margin-top: 1.5rem; }
section { margin-top: 3.25rem; }
.findings { list-style: none; margin: 0; padding: 0; columns: 2 22rem; column-gap: 3rem; }
.findings li { break-inside: avoid; margin: 0 0 1.3rem; }
.findings p { margin: 0; }
svg { display: block; max-width: 100%; height: auto; font-family: var(--plain); }
figure { margin: 0; min-width: 0; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1rem 0.5rem;
  margin: 0 -0.75rem 1rem; }
#map svg { width: 100%; max-width: 31rem; }
.wide { grid-column: 1 / -1; }
.wide svg, #map .wide svg { width: auto; max-width: none; }
#map .charts { grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); }
.legend { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--rule);
  margin-top: 2.5rem; padding: 0.5rem 0; }
.legend ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.1rem 0.35rem; margin: 0; padding: 0; }
.legend li, .legend button { font: 0.85rem/1.3 var(--plain); color: inherit; }
.legend li:not(:has(button)), .legend button { display: flex; align-items: center; gap: 0.4rem; padding: 0.3rem 0.5rem; }
.legend button { background: none; border: 1px solid transparent; border-radius: 0.4rem; cursor: pointer; min-height: 2rem; }
.legend button:hover { border-color: var(--rule); }
.legend button[aria-pressed=true] { background: var(--wash); border-color: var(--ink); }
.name { overflow-wrap: anywhere; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.scroll { overflow-x: auto; margin: 0 0 1.5rem; max-width: 100%; }
table { border-collapse: collapse; font: 0.85rem/1.35 var(--plain); font-variant-numeric: tabular-nums; }
caption { text-align: left; color: var(--pale); padding: 0.5rem 0; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; text-align: left; vertical-align: top; font-weight: 400; white-space: nowrap; }
thead th { color: var(--pale); border-bottom: 1px solid var(--ink); vertical-align: bottom; }
tbody tr { border-bottom: 1px solid var(--rule); }
.number { text-align: right; }
td small { display: block; color: var(--pale); font-size: 0.75rem; }
details { margin: 0 0 1rem; }
summary { cursor: pointer; font: 0.9rem/1.5 var(--plain); color: var(--pale); width: max-content; padding: 0.2rem 0.4rem 0.2rem 0; }
dl { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.6rem 1.5rem; margin: 0 0 1.5rem; }
dl.terms { grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr)); gap: 1rem 2rem; }
dt { font: 0.85rem/1.3 var(--plain); color: var(--pale); }
dd { margin: 0; overflow-wrap: anywhere; }
.terms dt { font-weight: 600; color: var(--ink); }
.terms dd { color: var(--pale); font-size: 0.95rem; }
pre { font: 0.85rem/1.6 ui-monospace, "SF Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace; background: var(--wash);
  border: 1px solid var(--rule); border-radius: 0.4rem; padding: 0.9rem 1rem; white-space: pre-wrap; overflow-wrap: anywhere;
  margin: 0 0 1rem; }
.copy { font: 0.85rem/1 var(--plain); color: inherit; background: none; border: 1px solid var(--rule); border-radius: 0.4rem;
  padding: 0.5rem 0.8rem; cursor: pointer; }
.interactive [data-series]:not(tr, li) { cursor: pointer; }
.faded { opacity: 0.13; }
.legend .faded, header .faded, tr.faded { opacity: 0.45; }
.tip { position: fixed; z-index: 2; pointer-events: none; max-width: min(22rem, 90vw); background: var(--ink);
  color: var(--paper); font: 0.8rem/1.35 var(--plain); padding: 0.3rem 0.55rem; border-radius: 0.3rem; overflow-wrap: anywhere; }
@media (max-width: 40rem) { main { padding-top: 1.75rem; } .legend { position: static; } .facts { margin-bottom: 1.5rem; }
  section { margin-top: 2.5rem; } .legend button { min-height: 2.4rem; } }
@media (prefers-reduced-motion: no-preference) { [data-series] { transition: opacity 0.12s; } }
@media print { main { max-width: none; padding: 0; } body { font-size: 10pt; } .legend { position: static; } .contents, .copy, .tip { display: none; }
  figure, tr, .findings li { break-inside: avoid; } h2 { break-after: avoid; } .scroll { overflow: visible; }
  .charts, #map .charts { grid-template-columns: repeat(2, 1fr); } }
)css";

}  // namespace

std::string page_style() { return text(look, dark_style(), "\n"); }

// The script of the page. Without scripts the page lacks nothing but highlighting and the quick tooltips.

std::string_view page_script() {
  return R"js('use strict';
(() => {
  const root = document.documentElement, all = (selector, from = document) => [...from.querySelectorAll(selector)];
  root.classList.add('interactive');

  // Highlights one scheme in the whole page: every element of another scheme fades.
  let chosen = null;
  const choose = (name) => {
    chosen = name === chosen ? null : name;
    for (const one of all('[data-series]'))
      one.classList.toggle('faded', chosen !== null && names.has(one.dataset.series) && one.dataset.series !== chosen);
    for (const button of all('.legend button')) button.setAttribute('aria-pressed', button.dataset.name === chosen);
  };
  const names = new Set();
  for (const item of all('.schemes li')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.name = item.dataset.series;
    button.setAttribute('aria-pressed', 'false');
    button.append(...item.childNodes);
    item.append(button);
    names.add(item.dataset.series);
  }
  document.addEventListener('click', (event) => {
    const one = event.target.closest('[data-series]');
    if (one && names.has(one.dataset.series)) choose(one.dataset.series);
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && chosen !== null) choose(chosen);
  });

  // Shows the value nearest to the pointer. The browser's own tooltips come late, and not at all on a phone.
  const tip = document.createElement('div');
  tip.className = 'tip';
  tip.hidden = true;
  document.body.append(tip);
  for (const title of all('svg title')) {
    title.parentNode.dataset.tip = title.textContent;
    title.remove();
  }
  const reach = 24;
  const nearest = (svg, x, y) => {
    let best = null, least = reach;
    for (const one of all('[data-tip]', svg)) {
      if (one.closest('.faded')) continue;
      const box = one.getBoundingClientRect();
      const dx = Math.max(box.left - x, 0, x - box.right), dy = Math.max(box.top - y, 0, y - box.bottom);
      const distance = Math.hypot(dx, dy);
      if (distance < least) [best, least] = [one, distance];
    }
    return best;
  };
  const show = (event) => {
    const svg = event.target.closest('figure svg');
    const one = svg && nearest(svg, event.clientX, event.clientY);
    tip.hidden = !one;
    if (!one) return;
    tip.textContent = one.dataset.tip;
    const box = one.getBoundingClientRect(), size = tip.getBoundingClientRect();
    const left = Math.min(Math.max((box.left + box.right - size.width) / 2, 4), innerWidth - size.width - 4);
    tip.style.left = left + 'px';
    tip.style.top = (box.top - size.height - 8 > 0 ? box.top - size.height - 8 : box.bottom + 8) + 'px';
  };
  document.addEventListener('pointermove', show);
  document.addEventListener('pointerdown', show);
  document.addEventListener('scroll', () => { tip.hidden = true; }, { passive: true });

  for (const block of all('pre')) {
    const copy = document.createElement('button');
    copy.type = 'button';
    copy.className = 'copy';
    copy.textContent = 'Copy';
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
  addEventListener('beforeprint', () => all('details').forEach((one) => { one.open = true; }));
})();
)js";
}

}  // namespace locus
