// Links that are broken or long, and an engine that ends.
'use strict';
const { check, first, sentence, started, training, visible, with_page } = require('./reader.js');

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
  // A link with steps says what it is doing, and can be left.
  await with_page(browser, { hash: '#task=sort&schemes=none,sinusoidal&a=900&b=900' }, async (page) => {
    await page.until(sentence('trained again, up to step 900'));
    await page.until(visible('#again'));
    await page.pick('#task', 'previous');
    await page.until(`${started} && ${first('step 0 ')} && ${sentence('Nothing is trained yet')}`, 10);
    check('the sign has gone', !(await page.ask(visible('#again'))));
  });
};

// The engine's thread ends without a word, or with an error; a browser without WebAssembly.
const failures = async (browser) => {
  const spy = `window.workers = [];
    const real = Worker;
    window.Worker = function (...given) {
      workers.push(new real(...given));
      return workers.at(-1);
    };`;
  await with_page(browser, { before: spy }, async (page) => {
    await page.until(started);
    await page.click('#train');
    await page.until(training());
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
    await page.until(`document.querySelector('#no-engine').checkVisibility()`);
    check('without WebAssembly: what is needed', (await page.text('#no-engine')).includes('WebAssembly'));
    check('and no controls', !(await page.ask(`document.querySelector('#train').checkVisibility()`)));
  });
};


module.exports = { addresses, failures };
