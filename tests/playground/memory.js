// Memory of lessons/playground.html while it trains, in a headless Chromium: each minute, that of WebAssembly and the
// script's heap of the page, after a collection. Models are trained, changed and begun again all the time.
//   node tests/playground/memory.js [MINUTES]
'use strict';
const { start } = require('./browser.js');
const minutes = Number(process.argv[2] || 10);
const spy = `const real = Worker;
  window.Worker = function (...given) {
    const worker = new real(...given);
    worker.addEventListener('message', ({ data }) => { if (data.memory) window.wasm_bytes = data.memory; });
    return worker;
  };`;
// What a tireless reader does: train to the end, take positions away, put them back, begin again.
const reader = `setInterval(() => {
    const press = (selector) => document.querySelector(selector).click();
    if (document.querySelector('#train').textContent === 'Train' && !document.querySelector('#train').disabled)
      return press('#train');
    const events = document.querySelectorAll('.lane[data-lane="1"] .curve line.event').length;
    const over = document.querySelector('#train').disabled;
    if (over && events < 2) press('.lane[data-lane="1"] ' + (events ? '.back' : '.away'));
    else if (over) press('#anew');
  }, 500)`;

(async () => {
  const browser = await start();
  const page = await browser.open_page('lessons/playground.html', { before: spy });
  await page.until(`document.querySelectorAll('#chart .moving g').length === 2`);
  await page.evaluate(reader);
  for (let minute = 1; minute <= minutes; ++minute) {
    await new Promise((resolve) => setTimeout(resolve, 60000));
    await page.call('HeapProfiler.collectGarbage');
    const { usedSize } = await page.call('Runtime.getHeapUsage');
    console.log(`minute ${minute}: WebAssembly ${(await page.evaluate('wasm_bytes') / 1e6).toFixed(2)} MB, ` +
      `script of the page ${(usedSize / 1e6).toFixed(2)} MB; ` +
      await page.evaluate(`document.querySelectorAll('.under')[1].textContent`));
  }
  await browser.stop();
})();
