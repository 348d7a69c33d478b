// Every scheme and task; and what becomes of a lane whose scheme is changed.
'use strict';
const { check, events, fault, first, lane, second, started, wait, with_page } = require('./reader.js');

// Every scheme and every task can be begun, trained a little and have its positions taken away.
const everything = async (browser) => with_page(browser, {}, async (page) => {
  await page.until(started);
  const items = (menu) => page.ask(`[...document.querySelectorAll('${menu} option')].map((o) => o.value)`);
  // A menu is short until "more …" is chosen, which chooses nothing.
  const all_items = async (menu, most) => {
    const short = await items(menu), chosen = await page.ask(`document.querySelector('${menu}').value`);
    check(`${menu} begins short`, short.length < 9 && short.at(-1) === 'more', short);
    await page.pick(menu, 'more');
    const whole = await items(menu);
    check(`${menu} has all`, whole.length > most && !whole.includes('more'), whole);
    check(`${menu} keeps what was chosen`, await page.ask(`document.querySelector('${menu}').value`) === chosen);
    return whole;
  };
  const schemes = await all_items(`${lane(1)} .scheme`, 20);
  for (const scheme of schemes) {
    await page.click('#anew');
    await page.until(second('step 0 '));
    await page.pick(`${lane(1)} .scheme`, scheme);
    const chosen = `document.querySelector('${lane(1)} .scheme').value === '${scheme}'`;
    await page.until(`${started} && ${chosen} && ${second('step 0')}`);
    await page.click('#step');
    await page.until(second('step 1 ')).catch(fault(scheme));
    if (scheme === 'none') continue;
    await page.click(`${lane(1)} .away`);
    await page.until(events(1)).catch(fault(`${scheme} taken away`));
  }
  await page.click('#anew');
  await page.until(second('step 0 '));
  await page.pick(`${lane(1)} .scheme`, 'sinusoidal');
  for (const task of await all_items('#task', 20)) {
    await page.pick('#task', task);
    await page.until(`location.hash.includes('task=${task}') && ${second('step 0')}`).catch(fault(task));
    await page.click('#step');
    await page.until(second('step 1 '), 30).catch(fault(task));
  }
});

// Another scheme for a lane: what becomes of it, and of the other.
const schemes = async (browser) => with_page(browser, {}, async (page) => {
  const has_pixels = `(() => {
    const canvas = document.querySelector('${lane(1)} .codes canvas');
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.join();
  })()`;
  const caption = (words) => `document.querySelector('${lane(1)} .codes figcaption').textContent.includes('${words}')`;
  await page.until(started);
  for (const [scheme, words] of [['t5', 'learned'], ['kerple', 'learned'], ['fire', 'learned'],
                                 ['alibi', 'same always'], ['sinusoidal', 'added at each']]) {
    await page.pick(`${lane(1)} .scheme`, scheme);
    await page.until(caption(words)).catch(fault(`${scheme} is drawn`));
  }
  // RoPE's clocks stop and go on when they are pressed.
  const clock = (number) => `document.querySelectorAll('${lane(1)} .clocks button')[${number}]`;
  const scheme = () => page.ask(`document.querySelector('${lane(1)} .scheme').value`);
  await page.pick(`${lane(1)} .scheme`, 'rope');
  await page.until(`${clock(7)}?.checkVisibility()`).catch(fault('clocks'));
  for (const [press, value] of [[2, 'rope:still=2'], [1, 'rope:still=1/2'], [2, 'rope:still=1'], [1, 'rope']]) {
    await page.ask(`${clock(press)}.click()`);
    await page.until(`${clock(press)}.ariaPressed === '${value.includes(press)}'`).catch(fault(`clock ${press}`));
    check('the scheme says which clocks stand still', await scheme() === value, [await scheme(), value]);
  }
  await page.pick(`${lane(1)} .scheme`, 'sinusoidal');
  await page.until(caption('added at each'));
  const scale = () => page.ask(`[...document.querySelectorAll('${lane(1)} .scale span')].map((it) => it.textContent)`);
  check('the colours of codes have a scale', (await scale()).join() === '−1,1', await scale());
  await page.pick(`${lane(1)} .scheme`, 'alibi');
  await page.until(caption('same always'));
  check('and those of biases', /^−[\d.]+,0$/.test((await scale()).join()), await scale());
  await page.pick('#task', 'needle');
  await page.until(`${started} && document.querySelector('#task').value === 'needle' &&
    document.querySelector('#choices').checkVisibility()`);
  check('limits wait for the guess', !(await page.ask(`Boolean(document.querySelector('#chart .mirror'))`)));
  await page.pick(`${lane(0)} .scheme`, 'rope');  // nothing is guessed of it
  await page.until(`document.querySelector('#chart .mirror')`);
  const dashes = await page.ask(`[...document.querySelectorAll('#chart .ceiling')]
    .map((it) => getComputedStyle(it).strokeDasharray)`);
  check('two ceilings, two kinds of dashes', dashes.length === 2 && dashes[0] !== dashes[1], dashes);
  await page.pick('#task', 'reverse');
  await page.until(`${started} && !document.querySelector('#chart .mirror')`);
  await page.pick(`${lane(1)} .scheme`, 't5');
  await page.until(caption('learned'));
  await page.click('#train');
  await page.until(`/step [2-9]\\d/.test(document.querySelectorAll('.under')[1].textContent)`);
  const before = await page.ask(has_pixels);
  await page.until(`/step [6-9]\\d/.test(document.querySelectorAll('.under')[1].textContent)`);
  check('learned biases are drawn while they are learned', before !== await page.ask(has_pixels));
  await page.click('#train');
  await page.until(`document.querySelector('#train').textContent === 'Train'`);
  await wait(300);
  const step = await page.step_of(0);
  await page.pick(`${lane(1)} .scheme`, 'rope');
  await page.until(second('step 0 '));
  check('the menu begins a new model: said', (await page.text('#say')).startsWith('A new model with rope'),
        await page.text('#say'));
  check('and the other lane is as it was', await page.step_of(0) === step);
  await page.click('#train');
  await page.until(`/step [1-9]\\d/.test(document.querySelectorAll('.under')[1].textContent)`);
  await page.click('#train');
  await page.until(`document.querySelector('#train').textContent === 'Train'`);
  await wait(300);
  const both = [await page.step_of(0), await page.step_of(1)];
  await page.ask(`${clock(2)}.click()`);
  await page.until(events(1));
  check('a clock that is stopped is marked', await page.text(`${lane(1)} .curve text.event`) === 'clock 2 stopped',
        await page.text(`${lane(1)} .curve text.event`));
  const cost = await page.text(`${lane(1)} .clocks .cost`);
  check('what it costs is said, beside what was', /^With clock 2 stopped: \d+.% at 12 tokens(, as before| \(before: \d+.%\))\.$/
    .test(cost), cost);
  check('its name tells it from one that was trained so', await page.ask(
    `document.querySelector('${lane(1)} .scheme').selectedOptions[0].textContent`) === 'rope, clock 2 stopped');
  check('and both lanes keep their steps', (await page.step_of(0)) === both[0] && (await page.step_of(1)) === both[1]);
  await page.click('#anew');
  await page.until(first('step 0 '));
  check('Start again keeps the schemes', await page.ask(`document.querySelector('${lane(1)} .scheme').value`) ===
    'rope:still=2');
});


module.exports = { schemes, everything };
