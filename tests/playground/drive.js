// Uses build/playground.html in a headless Chromium as a reader would, and says what is not as it should be.
'use strict';
const fs = require('fs');
const { start } = require('./browser.js');
const file = process.argv[2];
let checks = 0, faults = 0;
const check = (name, well, seen = '') => {
  ++checks;
  if (well) return;
  ++faults;
  console.log(`not so: ${name}${seen === '' ? '' : ` (${JSON.stringify(seen)})`}`);
};
const fault = (name) => (error) => check(name, false, error.message);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const shown = '!document.querySelector("SELECTOR").hidden';
const visible = (selector) => shown.replace('SELECTOR', selector);
const lane = (index) => `.lane[data-lane="${index}"]`;

// What a page does with helpers for its controls.
const with_page = async (browser, options, use) => {
  const page = await browser.open_page(file, options);
  const ask = (expression) => page.evaluate(expression);
  const text = (selector) => ask(`document.querySelector('${selector}').textContent.replace(/\\s+/g, ' ').trim()`);
  const click = (selector) => ask(`document.querySelector('${selector}').click()`);
  const set = (selector, value, kind) => ask(`(() => {
    const it = document.querySelector('${selector}');
    it.value = '${value}';
    it.dispatchEvent(new Event('${kind}', { bubbles: true }));
  })()`);
  const pick = (selector, value) => set(selector, value, 'change');
  const slide = (value) => set('#slider input', value, 'input');
  const type = async (words) => {
    await set('#input', words, 'input');
    await ask(`document.querySelector('#own').requestSubmit()`);
  };
  const step_of = (index) => text(`${lane(index)} .under`).then((words) => Number(words.match(/step (\d+)/)[1]));
  const number_of = (index) => text(`${lane(index)} .number b`);
  try {
    await use({ ...page, ask, text, click, pick, slide, type, step_of, number_of });
  } finally {
    check(`nothing to complain of (${JSON.stringify(options)})`, page.complaints.length === 0, page.complaints);
    await page.close();
  }
};
const says = (index, words) => `document.querySelectorAll('.under')[${index}].textContent.includes('${words}')`;
const [first, second] = [0, 1].map((index) => (words) => says(index, words));
const events = (count) => `document.querySelectorAll('${lane(1)} .curve line.event').length === ${count}`;
const started = `document.querySelectorAll('#chart .line').length === 2 &&
  document.querySelectorAll('.columns b').length > 2`;
const train_quickly = async (page) => {
  await page.click('#train');
  if (await page.ask(visible('#guess'))) await page.click('#guess .choices button:last-child');
};

const controls = async (browser) => with_page(browser, {}, async (page) => {
  await page.until(started);
  check('reduced motion: no story', (await page.text('#say')).startsWith('Nothing is trained yet'));
  const recorded = await page.ask(`document.querySelector('#recorded').checkVisibility()`);
  check('the pictures are not shown beside the models', !recorded);

  await page.click('#step');
  await page.until(first('step 1 '));
  check('Step takes one step in both lanes', await page.step_of(1) === 1);

  await page.pick('#task', 'previous');
  await page.until(`location.hash.includes('task=previous') && ${first('step 0')}`);
  await page.click('#train');
  check('a guess is asked for before none is trained', await page.ask(visible('#guess')));
  check('no step before the guess', await page.step_of(0) === 0);
  await page.click('#guess .choices button:nth-child(2)');
  await page.until(`/step [1-9]\\d+/.test(document.querySelector('.under').textContent)`);
  check('it trains after the guess', await page.text('#train') === 'Pause');
  await page.click('#train');
  await page.until(`document.querySelector('#train').textContent === 'Train'`);
  const paused = await page.step_of(0);
  await wait(400);
  check('Pause stops both lanes', await page.step_of(0) === paused && await page.step_of(1) === paused);

  // The address holds where it is, and brings it back, to the bit of what is shown.
  await wait(700);
  await page.click('#another');
  await wait(500);
  const hash = await page.ask('location.hash');
  check('the address has task and steps', hash.includes('task=previous') && hash.includes(`a=${paused}`), hash);
  const before = await page.ask(`[...document.querySelectorAll('.number b')].map((b) => b.textContent).join()`);
  await with_page(browser, { hash }, async (again) => {
    await again.until(`${started} && document.querySelector('.under').textContent.includes('step ${paused} ')`);
    const after = await again.ask(`[...document.querySelectorAll('.number b')].map((b) => b.textContent).join()`);
    check('a link gives the same numbers', before === after, [before, after]);
  });
  await page.ask('history.back()');
  await page.until(`document.querySelector('#task').value === 'reverse'`);
  check('Back goes to the task before', (await page.ask('location.hash')).includes('previous') === false);
  await page.ask('history.forward()');
  await page.until(`document.querySelector('#task').value === 'previous' && ${started}`);

  // Train to the end of the second lane, look further, take positions away, put them back.
  await page.pick('#task', 'reverse');
  await page.until(`document.querySelector('.under').textContent.includes('step 0') && ${started}`);
  await train_quickly(page);
  await page.until(second('right from step'), 120);
  await page.until(`!document.querySelectorAll('.under')[1].textContent.includes('step 29')`, 120);
  await page.until(second('step 300 '), 120);
  check('solved: all right', await page.number_of(1) === '100 %', await page.number_of(1));
  await page.slide(24);
  check('a guess is asked for before the first longer input', await page.ask(visible('#guess')));
  check('the length waits for the guess', await page.text('#slider output') === '24' || await page.ask(
    `document.querySelector('#slider input').value`) === '12');
  await page.click('#guess .choices button:nth-child(4)');
  await page.until(`document.querySelector('.number span').textContent.includes('24 tokens')`);
  check('longer inputs are wrong', parseInt(await page.number_of(1)) < 40, await page.number_of(1));
  check('the guess is answered', (await page.text('#say')).includes('You guessed nearly all'));
  check('a finding is shown', (await page.text('#finding')).includes('recorded seeds'));
  await page.slide(12);
  await page.until(`document.querySelector('.number span').textContent.includes('12 tokens')`);
  await page.click(`${lane(1)} .once`);
  await page.until(`document.querySelectorAll('.number b')[1].textContent !== '100 %'`);
  check('this answer alone: less is right', parseInt(await page.number_of(1)) < 40, await page.number_of(1));
  const pressed = await page.ask(`document.querySelector('${lane(1)} .once').ariaPressed`);
  check('and the button is pressed', pressed === 'true');
  await page.click(`${lane(1)} .once`);
  await page.until(`document.querySelectorAll('.number b')[1].textContent === '100 %'`);
  check('nothing was trained meanwhile', await page.step_of(1) === 300);
  await page.click(`${lane(1)} .away`);
  await page.until(events(1));
  check('the curve is marked', await page.text(`${lane(1)} .curve text.event`) === 'taken away');
  check('the focus goes to the button that undoes it', await page.ask(`document.activeElement.className`) === 'back');
  if (await page.text('#train') === 'Train') await page.click('#train');
  await page.until(`/step (3[5-9]|[4-9])\\d/.test(document.querySelectorAll('.under')[1].textContent)`);
  await page.click(`${lane(1)} .back`);
  await page.until(events(2));
  await page.click('#copy');
  const command = await page.text('#command');
  const parts = ['--task reverse --scheme sinusoidal', '--from runs/playground/reverse-b --scheme none',
                 '--from runs/playground/reverse-b-1 --scheme sinusoidal'];
  check('the command names each training', parts.every((part) => command.includes(part)), command);

  // An input of one's own; one that is no input.
  await page.type('1 2 x');
  const refused = await page.text('#refused');
  check('what is no token is refused by name', refused.includes('“x” is no token of reverse'), refused);
  await page.type('1 2 3 4 5');
  await page.until(`document.querySelectorAll('${lane(0)} .columns button').length === 5`);
  check('and the refusal goes', await page.text('#refused') === '');

  // Attention, by keyboard.
  await page.ask(`document.querySelector('${lane(1)} .columns button').focus()`);
  await page.press('ArrowRight');
  const look = 'Layer 0, head 0: “2” at 1 looks at';
  await page.until(`document.querySelector('${lane(1)} .look').textContent.startsWith('${look}')`);
  const shades = await page.ask(`[...document.querySelectorAll('${lane(1)} .columns button')].map((it) =>
    Number(it.style.getPropertyValue('--seen')))`);
  check('the weights of a head shade the input', shades.reduce((a, b) => a + b) > 0.99, shades);
});

// Every scheme and every task can be begun, trained a little and have its positions taken away.
const everything = async (browser) => with_page(browser, {}, async (page) => {
  await page.until(started);
  const schemes = await page.ask(`[...document.querySelectorAll('${lane(1)} .scheme option')].map((o) => o.value)`);
  check('many schemes are offered', schemes.length > 20, schemes.length);
  for (const scheme of schemes) {
    await page.click('#anew');
    await page.until(second('step 0 '));
    await page.pick(`${lane(1)} .scheme`, scheme);
    await page.until(`${started} && document.querySelector('${lane(1)} .scheme').value === '${scheme}' && document.querySelectorAll('.under')[1].textContent.includes('step 0')`);
    await page.click('#step');
    await page.until(second('step 1 ')).catch(fault(scheme));
    if (scheme === 'none') continue;
    await page.click(`${lane(1)} .once`);
    await page.click(`${lane(1)} .away`);
    await page.until(events(1)).catch(fault(`${scheme} taken away`));
  }
  await page.click('#anew');
  await page.until(second('step 0 '));
  await page.pick(`${lane(1)} .scheme`, 'sinusoidal');
  for (const task of await page.ask(`[...document.querySelectorAll('#task option')].map((o) => o.value)`)) {
    await page.pick('#task', task);
    await page.until(`location.hash.includes('task=${task}') && ${second('step 0')}`).catch(fault(task));
    await page.click('#step');
    await page.until(second('step 1 '), 30).catch(fault(task));
  }
});

// Another scheme for a lane: what becomes of it, and of the other.
const schemes = async (browser) => with_page(browser, {}, async (page) => {
  const has_pixels = `(() => {
    const canvas = document.querySelector('${lane(1)} canvas');
    return canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data.join();
  })()`;
  const caption = (words) => `document.querySelector('${lane(1)} figcaption').textContent.includes('${words}')`;
  await page.until(started);
  for (const [scheme, words] of [['t5', 'learned'], ['kerple', 'learned'], ['fire', 'learned'], ['alibi', 'same always'],
                                 ['rope', 'turned'], ['sinusoidal', 'added at each position']]) {
    await page.pick(`${lane(1)} .scheme`, scheme);
    await page.until(caption(words)).catch(fault(`${scheme} is drawn`));
  }
  await page.pick(`${lane(1)} .scheme`, 't5');
  await page.until(caption('learned'));
  await train_quickly(page);
  await page.until(`/step [2-9]\\d/.test(document.querySelectorAll('.under')[1].textContent)`);
  const before = await page.ask(has_pixels);
  await page.until(`/step [6-9]\\d/.test(document.querySelectorAll('.under')[1].textContent)`);
  check('learned biases are drawn while they are learned', before !== await page.ask(has_pixels));
  await page.click('#train');
  await page.until(`document.querySelector('#train').textContent === 'Train'`);
  await wait(300);
  const step = await page.step_of(0);
  await page.pick(`${lane(1)} .scheme`, 'rope');
  await page.until(events(1));
  check('a scheme that is changed is marked', await page.text(`${lane(1)} .curve text.event`) === 'now rope');
  check('both lanes keep their steps', await page.step_of(0) === step && await page.step_of(1) === step);
  await page.pick(`${lane(1)} .scheme`, 'index');
  await page.until(events(2));
  await page.pick(`${lane(1)} .scheme`, 'onehot');
  await page.until(second('step 0 '));
  check('weights that do not fit: said', (await page.text('#say')).includes('onehot begins untrained'),
        await page.text('#say'));
  check('and the other lane is as it was', await page.step_of(0) === step);
  await page.click('#anew');
  await page.until(first('step 0 '));
  check('Start again keeps the schemes', await page.ask(`document.querySelector('${lane(1)} .scheme').value`) ===
    'onehot');
});

const addresses = async (browser) => {
  for (const what of ['task=nothing', 'schemes=none', 'schemes=rope,__proto__', 'length=9999', 'b=5:nothing'])
    await with_page(browser, { hash: `#${what}` }, async (page) => {
      await page.until(started);
      check(`a broken address is named: ${what}`, (await page.text('#say')).includes(what), await page.text('#say'));
      check('and the usual start is there', await page.ask(`document.querySelector('#task').value`) === 'reverse');
    });
  await with_page(browser, { hash: '#task=sort&schemes=rope,alibi&model=decoder&seed=3&length=8' }, async (page) => {
    await page.until(started);
    const set = await page.ask(`[...document.querySelectorAll('#task, #model, .scheme')]
      .map((it) => it.value).sort().join()`);
    check('an address sets everything', set === 'alibi,decoder,rope,sort', set);
  });
};

// The engine's thread ends without a word, or with an error; a browser without WebAssembly; a page without scripts.
const failures = async (browser) => {
  const spy = `window.workers = [];
    const real = Worker;
    window.Worker = function (...given) {
      workers.push(new real(...given));
      return workers.at(-1);
    };`;
  await with_page(browser, { before: spy }, async (page) => {
    await page.until(started);
    await train_quickly(page);
    await page.until(`/step [1-9]/.test(document.querySelector('.under').textContent)`);
    await page.ask('workers[0].terminate()');
    await page.until(`document.querySelector('#say').textContent.includes('ended without a word')`, 20);
    await page.click('#train');
    await page.until(first('step 0'));
    check('Train begins again', await page.ask('workers.length') === 2);
    await page.ask(`workers[1].postMessage({ do: 'change', index: 0, to: 'rope:base=x' })`);
    await page.until(`document.querySelector('#say').textContent.includes('rope')`);
    const words = await page.text('#say');
    check('an error of the engine is shown with its text', words.startsWith('The engine stopped: ['), words);
  });
  await with_page(browser, { before: 'delete window.WebAssembly;' }, async (page) => {
    await page.until(`document.querySelector('#recorded').checkVisibility()`);
    const pictures = await page.ask(`document.querySelectorAll('#recorded svg').length`);
    check('without WebAssembly: pictures and sentences', pictures === 3, pictures);
    check('and why', (await page.text('#why')).includes('no WebAssembly'));
    check('and no controls', !(await page.ask(`document.querySelector('#train').checkVisibility()`)));
  });
};

const sizes = async (browser) => {
  for (const width of [320, 390, 768, 1280, 2560])
    await with_page(browser, { width, dark: width === 390, height: 844 }, async (page) => {
      await page.until(started);
      await wait(300);
      const wide = await page.ask('document.documentElement.scrollWidth');
      check(`nothing is wider than ${width}`, wide <= width, wide);
      const small = await page.ask(`[...document.querySelectorAll('#live :is(button, select, input)')]
        .filter((it) => it.checkVisibility() && !it.closest('.columns') && it.getBoundingClientRect().height < 43.5)
        .map((it) => it.id || it.className)`);
      check(`targets of 44 px at ${width}`, small.length === 0, small);
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
          if (stage === 'guess') await page.click('#train');
          if (stage === 'away') {
            await page.click('#guess .choices button:last-child');
            await page.until(`/step [1-9]\\d/.test(document.querySelector('.under').textContent)`);
            await page.click(`${lane(1)} .once`);
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
  await train_quickly(page);
  await page.until(`/step [1-9]/.test(document.querySelector('.under').textContent)`);
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

// The story without a click: its stages, and how long it takes.
const story = async (browser) => {
  await with_page(browser, { still: false }, async (page) => {
    await page.until(`document.documentElement.classList.contains('telling')`, 20);
    const begun = Date.now();
    const stages = ['answers 99 %|So far', 'longer inputs', 'taken away', 'What remains', 'trains on without'];
    for (const stage of stages)
      await page.until(`/${stage}/.test(document.querySelector('#say').textContent)`, 20)
        .catch((error) => check(`the story comes to "${stage}"`, false, error.message));
    await page.until(`!document.documentElement.classList.contains('telling')`, 60);
    console.log(`the story took ${((Date.now() - begun) / 1000).toFixed(1)} s`);
  });
  await with_page(browser, { still: false }, async (page) => {
    await page.until(`document.documentElement.classList.contains('telling')`, 20);
    await page.press('Escape');
    check('any key hands over', await page.text('#say') === 'It is yours now.', await page.text('#say'));
    check('and the story has ended', !(await page.ask(`document.documentElement.classList.contains('telling')`)));
  });
};

(async () => {
  const browser = await start();
  const parts = { controls, schemes, addresses, failures, sizes, hidden, first_frame, axe, story, everything };
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (process.argv[3] && !process.argv[3].split(',').includes(name)) continue;
      await part(browser).catch((error) => check(name, false, error.stack));
    }
  } finally {
    await browser.stop();
  }
  console.log(`[playground] ${checks - faults} passed | ${faults} failed`);
  process.exit(faults ? 1 : 0);
})();
