// Every control, used as a reader would.
'use strict';
const { check, events, first, lane, second, started, visible, wait, with_page } = require('./reader.js');

const controls = async (browser) => with_page(browser, {}, async (page) => {
  await page.until(started);
  check('reduced motion: no story', (await page.text('#say')).startsWith('Nothing is trained yet'));
  const without = await page.ask(`document.querySelector('#no-engine').checkVisibility()`);
  check('what a browser needs is not said to one that has it', !without);
  const described = await page.ask(`document.getElementById(document.querySelector('#model')
    .getAttribute('aria-describedby')).checkVisibility()`);
  const models = await page.text('#models');
  check('encoder and decoder are explained where one is chosen',
        described && /Encoder: .* sees all .* Decoder \(as in ChatGPT\): .* before/.test(models), models);
  const parts = await page.text('#parts');
  check('and a head and a layer', /Head: .* read. Layer: .* results/.test(parts), parts);
  check('and a channel', /a channel, one of the numbers/.test(await page.text(`${lane(1)} .codes figcaption`)));
  check('and which lengths were trained, under the chart', (await page.text('#only'))
    .startsWith('Only inputs of 12 tokens were trained'), await page.text('#only'));

  await page.click('#step');
  await page.until(first('step 1 '));
  check('Step takes one step in both lanes', await page.step_of(1) === 1);

  await page.pick('#task', 'previous');
  await page.until(`location.hash.includes('task=previous') && ${first('step 0')}`);
  await page.click('#train');
  await page.until(`/step [1-9]\\d+/.test(document.querySelector('.under').textContent)`);
  check('it trains at the first press, with the guess beside', await page.ask(visible('#guess')));
  check('and can be paused', await page.text('#train') === 'Pause');
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
  await page.click('#train');
  await page.until(second('solved at step'), 120);
  await page.until(`!document.querySelectorAll('.under')[1].textContent.includes('step 29')`, 120);
  await page.until(second('step 300 '), 120);
  check('solved: all right', await page.number_of(1) === '100 %', await page.number_of(1));
  await page.slide(24);
  await page.until(`document.querySelector('.number span').textContent.includes('24 tokens')`);
  check('longer inputs are wrong', parseInt(await page.number_of(1)) < 40, await page.number_of(1));
  check('what it shows is said', (await page.text('#finding')).includes('wrong already at'), await page.text('#finding'));
  await page.slide(12);
  await page.until(`document.querySelector('.number span').textContent.includes('12 tokens')`);
  await page.click(`${lane(1)} .away`);
  await page.until(events(1));
  await page.until(`document.querySelectorAll('.number b')[1].textContent !== '100\u00a0%'`);
  check('without positions: less is right', parseInt(await page.number_of(1)) < 40, await page.number_of(1));
  check('nothing was trained meanwhile', await page.step_of(1) === 300);
  check('the curve is marked', await page.text(`${lane(1)} .curve text.event`) === 'taken away');
  check('the focus goes to the button that undoes it', await page.ask(`document.activeElement.className`) === 'back');
  if (await page.text('#train') === 'Train') await page.click('#train');
  await page.until(`/step (3[5-9]|[4-9])\\d/.test(document.querySelectorAll('.under')[1].textContent)`);
  await page.click(`${lane(1)} .back`);
  await page.until(events(2));
  await page.click('#copy');
  const command = await page.text('#command');
  const trainings = ['--task reverse --scheme sinusoidal', '--from runs/playground/reverse-b --scheme none',
                 '--from runs/playground/reverse-b-1 --scheme sinusoidal'];
  check('the command names each training', trainings.every((part) => command.includes(part)), command);

  // An input of one's own; one that is no input.
  await page.type('1 2 x');
  const refused = await page.text('#refused');
  check('what is no token is refused by name', refused.includes('“x” is not a token here'), refused);
  await page.type('1 2 3 4 5');
  await page.until(`document.querySelectorAll('${lane(0)} .columns button').length === 5`);
  check('and the refusal goes', await page.text('#refused') === '');
  await page.type('314,15');
  await page.until(`document.querySelectorAll('${lane(0)} .columns button').length === 5 &&
    document.querySelector('#input').value === '3 1 4 1 5'`);
  check('digits without spaces are split', await page.text('#refused') === '');

  // Attention, by keyboard.
  await page.pick('#head', '0');
  await page.ask(`document.querySelector('${lane(1)} .columns button').focus()`);
  await page.press('ArrowRight');
  const look = 'Head 0.0: “1” at place 2 reads';
  await page.until(`document.querySelector('${lane(1)} .look').textContent.startsWith('${look}')`);
  const shades = await page.ask(`[...document.querySelectorAll('${lane(1)} .columns button')].map((it) =>
    Number(it.style.getPropertyValue('--seen')))`);
  check('the weights of a head shade the input', shades.reduce((a, b) => a + b) > 0.99, shades);
});


module.exports = { controls };
