// The demo: its stages, its time, looking back and going on, and what ends it.
'use strict';
const { check, lane, second, visible, wait, with_page } = require('./reader.js');

const telling = `document.documentElement.classList.contains('telling')`;
const boxes = `[...document.querySelectorAll('#told button span')].map((it) => it.textContent)`;
const box = (number) => `#told li:nth-child(${number}) button`;
const at = (number) => `document.querySelector('${box(number)}').className === 'now' &&
  document.querySelector('${box(number)} span').textContent`;
const say = `document.querySelector('#say').textContent`;
const numbers = `[...document.querySelectorAll('.number b')].map((it) => it.textContent).join()`;

// Keeps when the sentence or the stage changed, and how many words there were to read.
const spy = `window.told = [];
  const words = (it) => it ? it.textContent.split(/[ \\n]+/).filter(Boolean).length : 0;
  addEventListener('DOMContentLoaded', () => setInterval(() => {
    const sentence = document.querySelector('#say'), now = document.querySelector('#told .now');
    const stage = now ? [...document.querySelectorAll('#told button')].indexOf(now) + 1 : 0, last = told.at(-1);
    if (last && last.said === sentence.textContent && last.stage === stage) return;
    told.push({ at: performance.now() / 1000, said: sentence.textContent, stage,
                words: words(sentence) + words(now && now.querySelector('span')) });
  }, 20));`;

const story = async (browser) => {
  await with_page(browser, { still: false, before: spy }, async (page) => {
    await page.until(`${say}.startsWith('Nothing is trained yet')`, 20);
    await wait(2500);
    check('the demo waits to be asked for', !(await page.ask(telling)));
    await page.click('#story');
    await page.until(telling, 20);
    await page.until(visible('#guess'));
    await page.ask(`document.querySelector('#choices button:nth-child(2)').click()`);
    await page.press('Tab');
    check('neither a guess nor Tab ends the demo', await page.ask(telling));
    const solved = '(solves it,|So far)';  // so far: where 40 seconds of training were too few
    const stages = ['train on the same', solved, 'never seen', 'taken away', 'trains on without'];
    for (const stage of stages)
      await page.until(`/${stage}/.test(${say})`, 60)
        .catch((error) => check(`the story comes to "${stage}"`, false, error.message));
    await page.until(`!${telling}`, 60);
    await wait(500);  // until the end, too, is in the log

    // Each stage after training stays as long as its words need, and the whole lasts about a minute.
    const log = await page.ask('told'), from = log.findIndex(({ said }) => /^Demo/.test(said));
    let needed = 5;
    for (const stage of [2, 3, 4, 5]) {
      // (In stage 2 the models train first: what is read begins when they have.)
      const first = log.findIndex((entry, i) => i > from && entry.stage === stage && !/train on the same|Still training/.test(entry.said));
      const { said, words } = log[first];
      const next = log.slice(first).find((entry) => entry.said !== said || entry.stage === 0);
      const need = Math.max(5, words / 3.5), lasts = next.at - log[first].at;
      check(`stage ${stage} can be read`, lasts > need - 0.1, [lasts, need, said]);
      needed += need;
    }
    const time = (words) => log.find(({ said }, i) => i >= from && said.match(words)).at;
    const training = time(solved) - time('train on the same');
    const took = log.at(-1).at - log[from].at;
    check('it lasts about a minute', took - training > 40 && took - training < 80, [took, training]);
    console.log(`the story took ${took.toFixed(1)} s: ${training.toFixed(1)} to train, ${needed.toFixed(1)} to read`);

    const told = await page.ask(boxes), outcome = await page.text('#outcome');
    check('the guess is answered', /^You guessed 25.%, the nearest: the model without positions got \d+.% at 12/.test(outcome), outcome);
    check('what was seen stays', told.length === 5 && told.every((text) => text), told);
    check('and can be seen again', await page.text('#story') === 'Replay demo');

    // Looking back from the models as they are, which wait, and coming back to them.
    await page.click(box(3));
    await page.until(`${say}.startsWith('Looking back: Now 24 tokens')`);
    await page.until(`document.querySelector('.number span').textContent.includes('24 tokens')`);
    const shown = await page.ask(`document.querySelectorAll('.number b')[1].textContent`);
    check('a box shows its numbers', (await page.ask(boxes))[2].includes(`sinusoidal: ${shown} (step `), [await page.ask(boxes), shown]);
    const finding = await page.text('#finding');
    check('its finding', finding.startsWith('sinusoidal is right at 12 tokens, and wrong already at 10 and 14'), finding);
    check('and its scheme', await page.ask(`document.querySelector('${lane(1)} .scheme').value`) === 'sinusoidal');
    check('and no controls of the models', !(await page.ask(`document.querySelector('${lane(1)} .tools')
      .checkVisibility({ visibilityProperty: true })`)));
    const then = await page.ask(numbers), step = await page.step_of(1);
    await wait(1000);
    check('nothing moves in it', await page.ask(numbers) === then && await page.step_of(1) === step);
    await page.click(box(1));
    await page.until(`${say}.includes('Nothing is trained yet') && ${second('step 0 ')}`);
    const pressed = await page.ask(`document.querySelectorAll('#told [aria-pressed=true]').length`);
    check('another box, another stage', pressed === 1, pressed);
    await page.click(box(1));
    await page.until(`document.querySelector('${lane(1)} .scheme').value === 'none'`);
    check('pressed again: the models as they are', !(await page.ask(say)).startsWith('Looking back'));
    await page.until(`document.querySelector('#train').textContent !== 'Pause'`);  // they wait, or are at their limit
    await page.click(box(2));
    await page.until(`${say}.startsWith('Looking back')`);
    await page.slide(24);
    await page.until(`document.querySelector('.number span').textContent.includes('24 tokens')`);
    const scheme = await page.ask(`document.querySelector('${lane(1)} .scheme').value`);
    check('a control is one of the models as they are', scheme === 'none' &&
      !(await page.ask(say)).startsWith('Looking back'), [scheme, await page.ask(say)]);

    await page.click('#story');
    await page.until(`${telling} && ${second('step 0 ')}`);
    await page.click('#story');
    check('the button stops it, too', !(await page.ask(telling)));
    check('the boxes of the demo stay', await page.ask(visible('#demo')));
    check('an empty one cannot be pressed', await page.ask(`document.querySelector('${box(4)}').disabled`));
    await page.pick('#task', 'sort');
    check('as long as its models do', !(await page.ask(visible('#demo'))));
  });
  await with_page(browser, { still: false }, async (page) => {
    await page.until(`${say}.startsWith('Nothing is trained yet')`, 20);
    await page.click('#story');
    await page.until(telling, 20);
    await page.press('Escape');
    check('any key hands over', await page.text('#say') === 'It is yours now.', await page.text('#say'));
    check('and the demo has ended', !(await page.ask(telling)));
    await wait(3000);
    check('for good', !(await page.ask(telling)));
  });
};

// By hand, with keys: back while the demo waits, and on before its time.
const story_by_hand = async (browser) => with_page(browser, { still: false }, async (page) => {
  const press = async (number) => {
    await page.ask(`document.querySelector('${box(number)}').focus()`);
    await page.press('Enter');
  };
  await page.until(`${say}.startsWith('Nothing is trained yet')`, 20);
  await page.click('#story');
  await page.until(at(2), 90);
  const told = (await page.ask(boxes))[1];
  await page.until(at(3), 30);
  await press(2);
  await page.until(`${say}.startsWith('Looking back: sinusoidal solves')`);
  await wait(5000);
  check('the demo waits while the reader looks back', await page.ask(telling) && (await page.ask(boxes))[3] === '');
  const shown = (await page.ask(`document.querySelector('#chart').ariaLabel`)).match(/none .*; sinusoidal .*/)[0];
  const [none, other] = [...shown.matchAll(/([\d]+\u00a0%) at 12/g)].map((found) => found[1]);
  check('the picture has the numbers of its box', told === `none: ${none}, sinusoidal: ${other}`, [told, shown]);
  await press(3);
  await page.until(`${say}.startsWith('Now 24 tokens')`);
  check('it goes on where it was', await page.ask(at(3)));
  const begun = Date.now();
  await press(5);
  await page.until(at(5), 30);
  check('and on, by hand', (await page.ask(boxes))[3].includes('is left'), await page.ask(boxes));
  check('at once', Date.now() - begun < 5000, Date.now() - begun);
  await page.until(`!${telling}`, 30);
  check('to its end', (await page.text('#say')).startsWith('That was the demo'), await page.text('#say'));
});

module.exports = { story, story_by_hand };
