// The demo: its stages, which wait for "Next", and what ends it.
'use strict';
const { check, second, visible, wait, with_page } = require('./reader.js');

const telling = `document.documentElement.classList.contains('telling')`;
const boxes = `[...document.querySelectorAll('#told span')].map((it) => it.textContent)`;
const at = (number) => `document.querySelector('#told li:nth-child(${number})').className === 'now'`;
const say = `document.querySelector('#say').textContent`;
const says = (words) => `/${words}/.test(${say})`;

const story = async (browser) => with_page(browser, { still: false }, async (page) => {
  const next = async () => {  // with keys
    await page.ask(`document.querySelector('#train').focus()`);
    await page.press('Enter');
  };
  await page.until(says('^Nothing is trained yet'), 20);
  await wait(2500);
  check('the demo waits to be asked for', !(await page.ask(telling)));
  await page.click('#story');
  await page.until(`${at(1)} && ${visible('#choices')} && document.querySelector('#train').textContent === 'Next'`, 20);
  check('nothing else of Train is there', !(await page.ask(visible('#step'))) && !(await page.ask(visible('#anew'))));
  await page.click('#choices button:nth-child(2)');
  await page.press('Tab');
  check('neither a guess nor Tab ends the demo', await page.ask(telling));
  await page.until(says('^sinusoidal solves it'), 90);
  await page.until(`document.querySelector('#finding').textContent.startsWith('Without positions, the most is 27')`, 10)
    .catch(async () => check('what it shows is said', false, await page.text('#finding')));
  const outcome = await page.text('#outcome');
  check('the guess is answered', /^You guessed 25.%, the nearest: the model without positions got \d+.% at 12/.test(outcome), outcome);
  const [told] = await page.ask(boxes);
  const shown = (await page.ask(`document.querySelector('#chart').ariaLabel`)).match(/none .*; sinusoidal .*/)[0];
  const [none, other] = [...shown.matchAll(/([\d]+\u00a0%) at 12/g)].map((found) => found[1]);
  check('the picture has the numbers of its box', told === `none: ${none}, sinusoidal: ${other}`, [told, shown]);
  const steps = await page.step_of(1);
  await wait(3000);
  check('a stage waits', await page.ask(says('^sinusoidal solves it')) && await page.step_of(1) === steps);

  const come_to = async (number, words) => {
    await next();
    await page.until(`${at(number)} && ${says(words)}`, 60)
      .catch(async (error) => check(`Next leads to stage ${number}`, false, [await page.text('#say'), error.message]));
    await page.until(`document.querySelector('#told .now span').textContent`, 30);
    await wait(300);
  };
  await come_to(2, '^Now 24 tokens');
  const finding = await page.text('#finding');
  check('longer inputs: a rule for 12 places', finding.startsWith('sinusoidal is right at 12 tokens, and wrong already at 10 and 14'), finding);
  await come_to(3, '^Positions taken away');
  await come_to(4, '^Another task');
  await page.until(`${second('step 0 ')} && ${visible('#choices')}`, 20);
  await page.click('#choices button:nth-child(3)');
  await page.until(says('^rope solves it'), 90);
  await page.until(`/the most is 50.% on average/.test(document.querySelector('#finding').textContent)`, 10)
    .catch(async () => check('a coin, and what a small test may be wrong by', false, await page.text('#finding')));
  await page.click('.lane .columns button');
  check('a touched answer does not end the demo', await page.ask(telling));
  await come_to(5, '^The same task for a decoder');
  await page.until(`${second('step 0 ')} && ${visible('#choices')}`, 20);
  await page.click('#choices button:last-child');
  await page.until(says('solves? it'), 90);
  await page.until(`document.querySelector('#finding').textContent.startsWith('Solved without positions!')`, 10)
    .catch(async () => check('the last finding is about the decoder', false, await page.text('#finding')));
  await next();
  await page.until(`!${telling}`, 30);
  check('to its end', (await page.text('#say')).startsWith('That was the demo'), await page.text('#say'));
  check('where Train is Train again', /^Train/.test(await page.text('#train')), await page.text('#train'));
  const all = await page.ask(boxes);
  check('what was seen stays', all.length === 5 && all.every((text) => text), all);
  check('and can be seen again', await page.text('#story') === 'Replay demo');

  await page.click('#story');
  await page.until(`${telling} && ${second('step 0 ')}`);
  await page.click('#story');
  check('the button stops it, too', !(await page.ask(telling)));
  check('the boxes of the demo stay', await page.ask(visible('#demo')));
  await page.pick('#task', 'sort');
  check('as long as its models do', !(await page.ask(visible('#demo'))));
  await page.click('#story');
  await page.until(`${telling} && ${second('step 0 ')}`, 20);
  await page.press('Escape');
  check('any key hands over', await page.text('#say') === 'It is yours now.', await page.text('#say'));
  await wait(2000);
  check('for good', !(await page.ask(telling)));
});

module.exports = { story };
