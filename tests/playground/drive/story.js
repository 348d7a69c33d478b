// The demo: its stages, its time, and what ends it.
'use strict';
const { check, second, visible, wait, with_page } = require('./reader.js');

const telling = `document.documentElement.classList.contains('telling')`;
const boxes = `[...document.querySelectorAll('#told li span')].map((it) => it.textContent)`;
const story = async (browser) => {
  await with_page(browser, { still: false }, async (page) => {
    await page.until(`document.querySelector('#say').textContent.startsWith('A demo of 11 seconds')`, 20);
    await page.until(telling, 20);
    const begun = Date.now();
    await page.until(visible('#guess'));
    await page.ask(`document.querySelector('#choices button:nth-child(2)').click()`);
    await page.press('Tab');
    check('neither a guess nor Tab ends the demo', await page.ask(telling));
    const stages = ['train on the same', 'right from step', 'never seen', 'taken away', 'trains on without'];
    for (const stage of stages)
      await page.until(`/${stage}/.test(document.querySelector('#say').textContent)`, 60)
        .catch((error) => check(`the story comes to "${stage}"`, false, error.message));
    await page.until(`!${telling}`, 60);
    console.log(`the story took ${((Date.now() - begun) / 1000).toFixed(1)} s`);
    const told = await page.ask(boxes), outcome = await page.text('#outcome');
    check('the guess is answered', /^You guessed a quarter: right. none gets 0.2/.test(outcome), outcome);
    check('what was seen stays', told.length === 5 && told.every((text) => text), told);
    check('and can be seen again', await page.text('#story') === 'Replay the demo');
    await page.until(`!document.querySelector('#train').disabled && ${second('step ')}`);
    await page.click('#story');
    await page.until(`${telling} && ${second('step 0 ')}`);
    await page.click('#story');
    check('the button stops it, too', !(await page.ask(telling)));
    check('the boxes of the demo stay', await page.ask(visible('#told')));
    await page.pick('#task', 'sort');
    check('as long as its models do', !(await page.ask(visible('#told'))));
  });
  await with_page(browser, { still: false }, async (page) => {
    await page.until(telling, 20);
    await page.press('Escape');
    check('any key hands over', await page.text('#say') === 'It is yours now.', await page.text('#say'));
    check('and the demo has ended', !(await page.ask(telling)));
    await wait(3000);
    check('for good', !(await page.ask(telling)));
  });
};

module.exports = { story };
