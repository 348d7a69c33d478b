// What the page looks like: sizes, contrast, what axe finds; the first frame; a tab that was hidden.
'use strict';
const fs = require('fs');
const { check, lane, started, training, wait, with_page } = require('./reader.js');

const sizes = async (browser) => {
  for (const width of [320, 390, 768, 1280, 2560])
    await with_page(browser, { width, dark: width === 390, height: 844 }, async (page) => {
      await page.until(started);
      await wait(300);
      const wide = await page.ask('document.documentElement.scrollWidth');
      check(`nothing is wider than ${width}`, wide <= width, wide);
      const with_table = await page.ask(`(() => {
        const seen = document.querySelector('#seen'), row = document.createElement('tr');
        for (const cell of ['needle', 'decoder', '1', 'rope (1,000), clocks 1, 2 stopped', '+ 1,000', '100 → 100 %', '100 → 100 %'])
          row.append(Object.assign(document.createElement('td'), { textContent: cell }));
        seen.querySelector('tbody').append(row);
        seen.hidden = false;
        const wide = document.documentElement.scrollWidth;
        seen.hidden = true;
        row.remove();
        return wide;
      })()`);
      check(`nor is the table of what was seen wider than ${width}`, with_table <= width, with_table);
      const small = await page.ask(`[...document.querySelectorAll('#live :is(button, select, input)')]
        .filter((it) => it.checkVisibility() && !it.closest('.columns') && it.getBoundingClientRect().height < 43.5)
        .map((it) => it.id || it.className)`);
      check(`targets of 44 px at ${width}`, small.length === 0, small);
      const train_at = `document.querySelector('#train').getBoundingClientRect().top`;
      const answers = `document.querySelector('${lane(1)} .columns').getBoundingClientRect().bottom`;
      const before = await page.ask(train_at), answers_end = await page.ask(answers);
      if (width === 390)
        check('a phone shows both answers on one screen with Train', answers_end - before < 844, answers_end - before);
      await page.ask(`document.querySelector('#guess').hidden = !(document.querySelector('#next').hidden = false)`);
      check(`Train does not move at ${width}`, await page.ask(train_at) === before);
    });
};

// Contrast of all words that are seen, and a name for whatever can be used: computed in the page.
const readable = `(() => {
  const seen = (it) => it.checkVisibility({ visibilityProperty: true }) && it.getClientRects().length > 0;
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const rgb = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
  };
  const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a));
  const ground = (it) => {
    if (!it) return [1, 1, 1];
    const colour = rgb(getComputedStyle(it).backgroundColor);
    return colour[3] === 1 ? colour.slice(0, 3) : over(colour, ground(it.parentElement));
  };
  const light = (parts) => [0.2126, 0.7152, 0.0722].reduce((sum, share, i) =>
    sum + share * (parts[i] <= 0.04045 ? parts[i] / 12.92 : ((parts[i] + 0.055) / 1.055) ** 2.4), 0);
  const faults = [];
  for (const it of document.querySelectorAll('#live *')) {
    const words = [...it.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
    if (!words || !seen(it) || it.closest(':disabled, option, .unseen')) continue;
    const style = getComputedStyle(it), below = ground(it);
    const own = rgb(it.closest('svg') ? style.fill : style.color);
    for (let at = it; at; at = at.parentElement) own[3] *= Number(getComputedStyle(at).opacity);
    const [a, b] = [light(over(own, below)), light(below)].sort((x, y) => y - x), ratio = (a + 0.05) / (b + 0.05);
    const size = parseFloat(style.fontSize), large = size >= 24 || (size >= 18.6 && Number(style.fontWeight) >= 700);
    if (ratio < (large ? 3 : 4.5))
      faults.push(ratio.toFixed(1) + ' ' + (it.id || it.className.baseVal || it.className || it.tagName) + ': ' +
        it.textContent.slice(0, 30));
  }
  for (const it of document.querySelectorAll('#live :is(button, select, input, a, [role=img])'))
    if (seen(it) && !(it.textContent.trim() || it.ariaLabel || (it.labels && it.labels[0]?.textContent.trim())))
      faults.push('no name: ' + it.outerHTML.slice(0, 80));
  return faults;
})()`;
const contrast = async (browser) => {
  for (const dark of [false, true])
    await with_page(browser, { dark }, async (page) => {
      const look = async (stage) => {
        const faults = await page.ask(readable);
        const name = `words can be read and controls have names, ${dark ? 'dark' : 'light'}, ${stage}`;
        check(name, faults.length === 0, faults);
      };
      await page.until(started);
      await look('start');
      await page.click('#choices button:last-child');
      await page.click('#train');
      await page.until(training());
      await look('training');
      const { x, y } = await page.ask(`(() => {
        const box = document.querySelector('${lane(1)} .away').getBoundingClientRect();
        return { x: box.x + 20, y: box.y + 20 };
      })()`);
      for (const type of ['mouseMoved', 'mousePressed', 'mouseReleased'])
        await page.call('Input.dispatchMouseEvent', { type, x, y, button: 'left', clickCount: 1 });
      const back = `document.querySelector('${lane(1)} .back')`;
      await page.until(`${back}.checkVisibility()`);
      await page.until(`${back}.matches(':hover')`, 5).catch(() => check('the pointer is over what undoes it', false));
      await look('pressed, the pointer over it');
      await page.click('#copy');
      await wait(500);
      await look('taken away');
    });
};

// AXE=path/to/axe.min.js: what axe finds, light and dark, before training and after.
const axe = async (browser) => {
  if (!process.env.AXE) return;
  const source = fs.readFileSync(process.env.AXE, 'utf8');
  for (const dark of [false, true])
    for (const width of [1280, 390])
      await with_page(browser, { dark, width, height: 844 }, async (page) => {
        await page.until(started);
        await page.ask(source + ';0');
        for (const stage of ['start', 'guess', 'away']) {
          if (stage === 'guess') await page.click('#choices button:last-child');
          if (stage === 'away') {
            await page.click('#train');
            await page.until(`/step [1-9]\\d/.test(document.querySelector('.under').textContent)`);
            await page.click(`${lane(1)} .away`);
            await page.click('#train');
            await page.click('#copy');
            await wait(500);
          }
          const found = await page.ask(`axe.run().then(({ violations }) => violations.map((v) =>
            v.id + ': ' + v.nodes.map((n) => n.target.join(' ')).slice(0, 3).join(', ')))`);
          check(`axe, ${width}, ${dark ? 'dark' : 'light'}, ${stage}`, found.length === 0, found);
        }
      });
};

// A tab that is frozen for a while goes on where it was.
const hidden = async (browser) => with_page(browser, {}, async (page) => {
  await page.until(started);
  await page.click('#train');
  await page.until(training());
  await page.call('Page.setWebLifecycleState', { state: 'frozen' });
  await wait(1000 * Number(process.env.FROZEN || 12));
  await page.call('Page.setWebLifecycleState', { state: 'active' });
  await page.call('Emulation.setFocusEmulationEnabled', { enabled: true });  // visible again
  const before = await page.step_of(0);
  await wait(3000);
  const now = await page.step_of(0);
  check('after it was hidden, the page goes on', now > before || now === 1000, [before, now]);
  check('and says nothing of an end', !(await page.text('#say')).includes('without a word'), await page.text('#say'));
});

// From the opening of the file to the first picture of both lanes; LIMIT in milliseconds, where the machine is quiet.
const first_frame = async (browser) => with_page(browser, {}, async (page) => {
  await page.until(started);
  const paint = await page.ask(`performance.getEntriesByName('first-contentful-paint')[0].startTime`);
  console.log(`first frame after ${paint.toFixed(0)} ms`);
  if (process.env.LIMIT) check('the first frame is in time', paint < Number(process.env.LIMIT), paint);
});


module.exports = { sizes, contrast, axe, hidden, first_frame };
