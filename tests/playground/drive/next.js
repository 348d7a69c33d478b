// What the page suggests once something has been learned.
'use strict';
const { check, events, first, lane, second, started, training, visible, with_page } = require('./reader.js');

const ideas = `[...document.querySelectorAll('#ideas button')].map((it) => it.textContent)`;
const idea = (name) => `[...document.querySelectorAll('#ideas button')].find((it) => it.textContent === '${name}')`;
const setup = `[...document.querySelectorAll('#task, #model, .scheme')].map((it) => it.value).join()`;
const suggestions = async (browser) => with_page(browser, {}, async (page) => {
  const press = async (name) => {
    await page.until(`!document.querySelector('#next').hidden && ${idea(name)}`, 20);
    await page.ask(`${idea(name)}.click()`);
  };
  const solved = `document.querySelectorAll('.under')[1].textContent.includes('solved at step')`;
  const train_until = async (condition) => {
    await page.click('#train');
    await page.until(condition, 240);
    await page.click('#train');
    await page.until(`document.querySelector('#train').textContent === 'Train'`);
  };
  await page.until(started);
  check('nothing is suggested at the start', !(await page.ask(visible('#next'))));
  await train_until(training());
  check('nor before anything is learned', !(await page.ask(visible('#next'))));
  await train_until(solved);
  await page.until(visible('#next'));
  const offered = await page.ask(ideas);
  check('three things to try', offered.length === 3 && offered[0] === 'Take positions away', offered);

  await page.slide(24);
  await page.until(`document.querySelector('.number span').textContent.includes('24 tokens')`);

  await press('Take positions away');
  await page.until(events(1));
  await press('Put positions back');
  await page.until(events(2));
  const left = (await page.ask(ideas)).join();
  check('what was tried is not suggested again', !/positions (away|back)/.test(left), left);

  await press('Which digit is the commonest?');
  await page.until(`${started} && ${second('step 0 ')} && location.hash.includes('task=majority')`);
  await train_until(first('solved at step'));
  await press('Sort 12 digits');
  await page.until(`${started} && ${second('step 0 ')} && location.hash.includes('task=sort')`);
  check('it sets the controls', await page.ask(setup) === 'sort,encoder,sinusoidal,rope', await page.ask(setup));
  check('and goes', !(await page.ask(visible('#next'))));
  check('the focus is at Train', await page.ask('document.activeElement.id') === 'train');
  const chart = await page.ask(`document.querySelector('#chart').ariaLabel`);
  check('longer inputs wait for the guess', / at 12/.test(chart) && !/ at 24/.test(chart), chart);
  check('which is about them', await page.ask(visible('#choices')) &&
    (await page.text('#question')).startsWith('Guess: how much will rope get right at 24'));
  await page.click('#choices button:nth-child(2)');
  check('and shows them when the task is solved', await page.text('#slider output') === '12');
  await page.click('#train');
  await page.until(`/^You guessed 25.%.* rope got \\d+.% at 24 tokens/.test(document.querySelector('#outcome')
    .textContent)`, 240).catch((error) => check('the guess about sort is answered', false, error.message));
  check('at their length', await page.text('#slider output') === '24');

  await page.pick('#task', 'previous');
  await page.until(`${started} && ${second('step 0 ')} && location.hash.includes('task=previous')`);
  await train_until(solved);
  await press('A or B: which came first?');
  await page.until(`${started} && ${second('step 0 ')} && location.hash.includes('task=before')`);
  check('one thing at a time', await page.ask(setup) === 'before,encoder,none,rope', await page.ask(setup));
  await train_until(solved);
  await press('The same task for a decoder');
  await page.until(`${started} && ${first('step 0 ')} && location.hash.includes('model=decoder')`);
  check('a decoder', await page.ask(setup) === 'before,decoder,none,rope', await page.ask(setup));
  const question = `document.querySelector('#question').textContent.startsWith('Guess: how many answers')`;
  await page.until(question);
  check('with a guess first', await page.ask(visible('#choices')));
  const lines = await page.ask(`document.querySelectorAll('${lane(0)} .rows').length`);
  check('an untrained answer stays on the line of its input', lines === 1, lines);
  check('of inputs of up to 12 tokens', (await page.text('#only')).startsWith('Only inputs of 2 to 12 tokens'),
        await page.text('#only'));
  await page.click('#choices button:last-child');
  await train_until(first('solved at step'));
  await page.until(`/^You guessed 100.%, the nearest: the model without positions got (9\\d|100).% at 12/.test(
    document.querySelector('#outcome').textContent +
    document.querySelector('#before').textContent)`);
  check('and it is right without positions', parseInt(await page.number_of(0)) > 90, await page.number_of(0));
  // Needles without positions first, then RoPE with two clocks stopped, then the control.
  for (const [name, schemes] of [['Find the digit after !', 'none,rope'], ['RoPE with two clocks stopped', 'rope,rope:still=1/2'],
                                 ['With two others stopped', 'rope:still=3/4,rope:still=1/2']]) {
    await press(name);
    await page.until(`${started} && ${first('step 0 ')} && location.hash.includes('task=needle&schemes=${schemes}&')`);
    check(name, await page.ask(setup) === `needle,decoder,${schemes}`, await page.ask(setup));
    await train_until(first('solved at step'));
  }
  await press('Which digit is the commonest? (encoder)');
  await page.until(`${started} && ${first('step 0 ')} && location.hash.includes('task=majority')`);
  check('majority in an encoder', await page.ask(setup) === 'majority,encoder,none,sinusoidal', await page.ask(setup));
});

module.exports = { suggestions };
