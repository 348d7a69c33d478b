// The demo: its stages, its time, going on by hand, and what ends it.
'use strict';
const { check, second, visible, wait, with_page } = require('./reader.js');

const telling = `document.documentElement.classList.contains('telling')`;
const boxes = `[...document.querySelectorAll('#told span')].map((it) => it.textContent)`;
const at = (number) => `document.querySelector('#told li:nth-child(${number})').className === 'now'`;
const say = `document.querySelector('#say').textContent`;

// Keeps when the sentence or the stage changed, and how many words there were to read.
const spy = `window.told = [];
  const words = (it) => it ? it.textContent.split(/[ \\n]+/).filter(Boolean).length : 0;
  addEventListener('DOMContentLoaded', () => setInterval(() => {
    const sentence = document.querySelector('#say'), now = document.querySelector('#told .now');
    const stage = now ? [...document.querySelectorAll('#told li')].indexOf(now) + 1 : 0, last = told.at(-1);
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
    const stages = ['train on the same', solved, 'never seen', 'taken away', 'Another task', solved, 'a decoder'];
    for (const stage of stages) {
      await page.until(`/${stage}/.test(${say})`, 60)
        .catch((error) => check(`the story comes to "${stage}"`, false, error.message));
      if (stage !== 'never seen') continue;
      const outcome = await page.text('#outcome');
      check('the guess is answered', /^You guessed 25.%, the nearest: the model without positions got \d+.% at 12/.test(outcome), outcome);
    }
    await page.until(`${second('step 0 ')} && ${visible('#choices')} && ${at(5)}`, 20);
    await page.click('#choices button:last-child');
    await page.until(`!${telling}`, 60);
    await wait(500);  // until the end, too, is in the log

    // Each stage after training stays as long as its words need, and the whole lasts about a minute.
    const log = await page.ask('told'), from = log.findIndex(({ said }) => /^Demo/.test(said));
    let needed = 5;
    for (const stage of [1, 2, 3, 4, 5]) {
      // (In some the models train first: what is read begins when they have.)
      const first = log.findIndex((entry, i) => i > from && entry.stage === stage &&
        !/^Demo|train on the same|Still training|Another task|The same task/.test(entry.said));
      const { said, words } = log[first];
      const next = log.slice(first).find((entry) => entry.said !== said || entry.stage === 0);
      const need = Math.max(5, words / 3.5), lasts = next.at - log[first].at;
      check(`stage ${stage} can be read`, lasts > need - 0.1, [lasts, need, said]);
      needed += need;
    }
    const lasting = log.slice(from, -1).map(({ at, said }, i) => ({ said, lasts: log[from + i + 1].at - at }));
    const training = lasting.filter(({ said }) => /train on the same|Still training/.test(said))
      .reduce((sum, { lasts }) => sum + lasts, 0);
    const took = log.at(-1).at - log[from].at;
    check('it lasts about a minute', took - training > 40 && took - training < 80, [took, training]);
    console.log(`the story took ${took.toFixed(1)} s: ${training.toFixed(1)} to train, ${needed.toFixed(1)} to read`);

    const told = await page.ask(boxes);
    check('what was seen stays', told.length === 5 && told.every((text) => text), told);
    check('and can be seen again', await page.text('#story') === 'Replay demo');

    await page.click('#story');
    await page.until(`${telling} && ${second('step 0 ')}`);
    await page.click('#story');
    check('the button stops it, too', !(await page.ask(telling)));
    check('the boxes of the demo stay', await page.ask(visible('#demo')));
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

// By hand, with keys: "Next", which stands where Train is, ends each stage before its time.
const story_by_hand = async (browser) => with_page(browser, { still: false }, async (page) => {
  const next = async () => {
    await page.ask(`document.querySelector('#train').focus()`);
    await page.press('Enter');
  };
  await page.until(`${say}.startsWith('Nothing is trained yet')`, 20);
  await page.click('#story');
  await page.until(`${at(1)} && document.querySelector('#train').textContent === 'Next'`, 20);
  check('nothing else of Train is there', !(await page.ask(visible('#step'))) && !(await page.ask(visible('#anew'))));
  await next();
  await page.until(`${say}.startsWith('sinusoidal solves')`, 90);
  const [told] = await page.ask(boxes);
  const shown = (await page.ask(`document.querySelector('#chart').ariaLabel`)).match(/none .*; sinusoidal .*/)[0];
  const [none, other] = [...shown.matchAll(/([\d]+\u00a0%) at 12/g)].map((found) => found[1]);
  check('the picture has the numbers of its box', told === `none: ${none}, sinusoidal: ${other}`, [told, shown]);
  for (const [number, words] of [[2, 'Now 24 tokens'], [3, 'Positions taken away'], [4, 'rope solves'], [5, 'The same task']]) {
    const begun = Date.now();
    await next();
    if (number === 4) await page.until(`${say}.startsWith('rope solves')`, 90);
    await page.until(`${at(number)} && ${say}.startsWith('${words}')`, 30);
    check(`Next leads to stage ${number} at once`, number === 4 || Date.now() - begun < 5000, Date.now() - begun);
    await page.until(`document.querySelector('#told .now span').textContent`, 30);
    await wait(300);
  }
  await page.click('#choices button:last-child');
  await page.until(`/solves? it/.test(${say})`, 90);
  await page.until(`document.querySelector('#finding').textContent.startsWith('Solved without positions!')`, 10)
    .catch(async () => check('the last finding is about the decoder', false, await page.text('#finding')));
  await next();
  await page.until(`!${telling}`, 30);
  check('to its end', (await page.text('#say')).startsWith('That was the demo'), await page.text('#say'));
  check('where Train is Train again', /^Train/.test(await page.text('#train')), await page.text('#train'));
});

module.exports = { story, story_by_hand };
