// What the page gains when scripts run. It is whole without them: everything here adds to what is there.
#include "report/page/page.h"

namespace locus {

std::string_view page_script() {
  return R"js('use strict';
(() => {
  const root = document.documentElement, all = (selector, from = document) => [...from.querySelectorAll(selector)];
  root.classList.add('interactive');

  // One scheme brought forward, everywhere: whatever carries the name of another fades.
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

  // The value nearest to the pointer. What browsers show themselves comes late, and not on a phone.
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
