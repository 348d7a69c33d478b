// The sentence at the top says what is so, whatever was done to come there; a guess is asked, said back and answered.
'use strict';
const { check, events, first, lane, second, sentence, started, training, visible, wait, with_page } =
  require('./reader.js');

const paused = `document.querySelector('#train').textContent === 'Train'`;
const sentences = async (browser) => with_page(browser, {}, async (page) => {
  const says = async (name, words) => {
    await page.until(sentence(words), 20).catch(async () =>
      check(`the sentence ${name}`, false, [words, await page.text('#say')]));
    check(`the sentence ${name}`, true);
  };
  const finding = () => page.text('#finding');
  await page.until(started);
  await says('of the start', 'Nothing is trained yet');

  for (const step of [1, 2, 3]) {
    await page.click('#step');
    await page.until(first(`step ${step} `));
  }
  await says('of single steps', 'Paused at step 3.');
  await page.click('#train');
  await says('of training', 'Training on reverse');
  await page.until(`/step [3-9]\\d/.test(document.querySelector('.under').textContent)`);
  await page.click('#train');
  await page.until(paused);
  await wait(300);
  const step = await page.step_of(0);
  await says('of a pause', `Paused at step ${step}.`);
  await page.slide(24);
  await page.until(`document.querySelector('.number span').textContent.includes('24 tokens')`);
  await page.click('#train');
  await says('of training while other inputs are shown', 'what you see are inputs of 24');
  await page.slide(12);
  await says('of the length trained on', 'Training on reverse');
  await page.until(second('solved at step'), 240);
  await says('of a solved task', 'sinusoidal got at least 99 % of whole answers right on fresh inputs: solved');
  check('what it shows waits for the guess', (await finding()).startsWith('The task reverse'), await finding());
  await page.click('#train');
  await page.until(paused);
  await page.until(`document.querySelector('#finding').textContent.startsWith('Without positions, the most is 27')`, 10)
    .catch(() => {});
  check('with what it shows', /^Without positions, the most is 27.% on average. Here it is 2\d.%.* of the others/
    .test(await finding()), await finding());
  const caption = () => page.text(`${lane(1)} .read figcaption`);
  await page.until(`document.querySelector('${lane(1)} .read figcaption')?.textContent.match(/[Ww]ithout head/)`, 20)
    .catch(() => {});
  const [, left, whole] = /Without head 1\.1: (\d+).% at 12 tokens, not (\d+)/
    .exec(await caption()) || [];
  check('what a head is worth', left < whole - 3, await caption());
  await page.slide(18);
  await says('of another length', 'At 18 tokens, not seen in training, none: ');
  check('with what longer inputs show', (await finding()).includes('wrong already at 10 and 14'), await finding());
  await page.slide(12);
  await says('of the pause', 'Paused at step');
  await page.click(`${lane(1)} .away`);
  await page.until(events(1));
  await says('of positions taken away', 'Positions are taken away from sinusoidal: at 12 tokens, 1');
  check('with what it shows', /its weights were made for positions\.( It even says “\d”, which the input does not have\.)?$/
    .test(await finding()), await finding());
  await page.click('#train');
  await says('of training without', 'sinusoidal trains on without positions');
  const taken_at = await page.step_of(1);
  const now_at = `document.querySelectorAll('.under')[1].textContent.match(/step (\\d+)/)[1]`;
  await page.until(`${now_at} >= ${taken_at + 60}`, 120);
  const map = `document.querySelector('${lane(1)} .read.past figcaption')?.textContent.startsWith('At step ')`;
  check('the last map stays while it trains', await page.ask(map), await page.text(`${lane(1)} .read figcaption`));
  await page.click('#train');
  await page.until(paused);
  await says('of a pause without', 'sinusoidal without positions: ');
  await page.click(`${lane(1)} .back`);
  await says('of positions put back', 'Positions are back');
  await page.click('#train');
  await says('and of training with them', 'sinusoidal trains on; none has stopped, at step');

  // In how many steps its accuracy came back: as the curve has it.
  await page.until(`document.querySelector('#finding').textContent.startsWith('sinusoidal solved it again')`, 120);
  const words = /^sinusoidal solved it again (\d+) steps after .* It had (\d+).% then; from nothing it took (\d+) /;
  const came = words.exec(await finding()) || [];
  const back_at = Number((await page.ask('location.hash')).match(/b=.*?(\d+):sinusoidal/)?.[1]);
  check('how fast accuracy came back', came[1] > 0 && came[2] < 99 && came[3] > 0 &&
    (!back_at || await page.step_of(1) >= back_at + Number(came[1])), [await finding(), back_at]);
  await page.click('#train');
  await page.until(paused);
  await page.slide(24);
  await page.click(`${lane(1)} .away`);
  await says('of longer inputs without positions', 'Positions are taken away from sinusoidal: at 24 tokens');
});

// Shorter inputs have no new place: where they fail, too, new places are not the reason.
const shorter = async (browser) => with_page(browser, { hash: '#task=sort&schemes=none,sinusoidal' }, async (page) => {
  await page.until(started);
  await page.click('#train');
  await page.until(second('solved at step'), 240);
  await page.click('#train');
  await page.until(paused);
  await page.slide(24);
  const finding = () => page.text('#finding');
  const words = /Trained on 12 tokens only, sinusoidal is not right at (\d+) tokens either/;
  await page.until(`${words}.test(document.querySelector('#finding').textContent)`, 20).catch(() => {});
  check('what fails at shorter lengths, too, is not laid to new places', words.exec(await finding())?.[1] < 12 &&
    !(await finding()).includes('never occurred'), await finding());
});

// Training that ends by itself leaves no length untested, and the table has what it came to.
const finished = async (browser) => with_page(browser, { hash: '#task=majority&schemes=none,sinusoidal' }, async (page) => {
  await page.until(started);
  await page.slide(24);
  await page.until(`document.querySelector('.number span').textContent.includes('24 tokens')`);
  await page.click('#train');
  await page.until(`document.querySelector('#train').textContent === 'Trained'`, 120);
  for (const index of [0, 1])
    await page.until(`document.querySelectorAll('#chart .lane${index} circle').length === 13`, 20)
      .catch((error) => check(`all lengths of model ${index} are tested`, false, error.message));
  const steps = `document.querySelectorAll('.under')[1].textContent.match(/step (\\d+)/)[1]`;
  check('both models are in the table of what was seen', await page.ask(`[...document.querySelectorAll('#seen tr')]
    .some((row) => row.textContent.startsWith('majorityencoder1sinusoidal' + ${steps}))`), await page.text('#seen tbody'));
});

// Long answers take long to make and to test: training goes on all the same.
const long_answers = async (browser) => with_page(browser, {
  hash: '#task=reverse&schemes=none,sinusoidal&model=decoder&length=48' }, async (page) => {
  await page.until(started, 60);
  await page.click('#train');
  const step = `Number(document.querySelectorAll('.under')[1].textContent.match(/step (\\d+)/)[1])`;
  await page.until(`${step} >= 10`, 30)
    .catch(async (error) => check('it trains beside long answers', false, [await page.ask(step), error.message]));
});

// A test of 128 inputs may lie beside the limit of a model that has reached it.
const luck = async (browser) => with_page(browser, { hash: '#task=before&schemes=none,rope' }, async (page) => {
  await page.until(started);
  await page.click('#train');
  await page.until(`document.querySelector('#finding').textContent.includes('a test of 128 inputs is right to')`, 120)
    .catch(() => {});
  const finding = await page.text('#finding');
  check('a test beside the limit says what it may be wrong by',
    /the most is 50.% on average. Here it is \d+.%: a test of 128 inputs is right to about ± 9 points. /.test(finding), finding);
});

// Where Train and the first model stand: nothing that comes and goes moves them.
const train_at = `['#train', '#lanes'].map((it) => document.querySelector(it).getBoundingClientRect().top).join()`;
const guesses = async (browser) => with_page(browser, {}, async (page) => {
  await page.until(`${started} && ${visible('#guess')}`);
  const at_first = await page.ask(train_at);
  const chart = await page.ask(`document.querySelector('#chart').ariaLabel`);
  check('longer inputs are not shown yet', / at 12/.test(chart) && !/ at 24/.test(chart), chart);
  check('nor the limit', !(await page.ask(`Boolean(document.querySelector('.ceiling'))`)));
  await page.click('#choices button:nth-child(3)');
  const given = await page.text('#outcome');
  check('a guess is said back, and what to press', /^You guessed 50.%\. Now press Train\.$/.test(given), given);
  check('and trains nothing', await page.step_of(0) === 0);
  await page.pick('#task', 'previous');
  await page.until(`${started} && ${visible('#choices')}`);
  check('another task, another guess', await page.text('#outcome') === '');
  await page.click('#train');
  await page.until(training());
  check('the first press trains', await page.text('#train') === 'Pause');
  check('and the guess is open', await page.ask(visible('#choices')));
  await page.click('#choices button:last-child');
  await page.until(`document.querySelector('#question').textContent.includes('Guess: how much')`, 240);
  const before = await page.text('#before');
  const verdict = /^You guessed 100.%; the model without positions got (\d+).% at 12 tokens \(step \d+\)\. Nearest: (\d+).%\.$/
    .exec(before) || [];
  const nearest = [10, 25, 50, 75, 100].sort((a, b) => Math.abs(a - verdict[1]) - Math.abs(b - verdict[1]))[0];
  check('it is answered, with what came and the nearest', Number(verdict[2]) === nearest, before);
  check('with the number on the page', await page.number_of(0) === `${verdict[1]} %`, before);
  check('Train is where it was', await page.ask(train_at) === at_first, await page.ask(train_at));
  await page.click('#train');
  await page.until(visible('#next'));
  check('and so it is when there are things to try', await page.ask(train_at) === at_first);
  await page.click('#choices button:nth-child(2)');
  await page.until(`/^You guessed 25.%; sinusoidal got \\d+.% at 24 tokens/.test(
    document.querySelector('#outcome').textContent)`);
  await page.until(`document.querySelector('#slider output').textContent === '24'`, 10)
    .catch(() => check('the second guess shows the longer inputs', false));
  await page.pick('#task', 'copy');
  await page.until(`${started} && ${first('step 0 ')}`);
  check('a guess about a task that needs no order, too', await page.ask(visible('#guess')));
});

module.exports = { sentences, shorter, finished, long_answers, luck, guesses };
