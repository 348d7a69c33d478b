// How often lessons/playground.html draws while it trains: in a headless Chromium at full speed and with the page's
// thread slowed 6 times (the engine has a thread of its own, which the DevTools protocol does not slow); in Firefox.
//   node tests/playground/frames.js [SECONDS] [chromium|firefox]
'use strict';
const os = require('os');
const seconds = Number(process.argv[2] || 6), name = process.argv[3] || 'chromium';
const { start } = require(name === 'firefox' ? './firefox.js' : './browser.js');
// Keeps, of each picture that the page draws, when it began and how long it took.
const spy = `window.drawn = [];
  const real = requestAnimationFrame;
  window.requestAnimationFrame = (draw) => real((at) => {
    const begun = performance.now();
    draw(at);
    drawn.push([at, performance.now() - begun]);
  });`;
const part = (values, share) => values.sort((a, b) => a - b)[Math.floor(share * (values.length - 1))].toFixed(1);

(async () => {
  const browser = await start();
  for (const slower of name === 'firefox' ? [1] : [1, 6]) {
    const page = await browser.open_page('lessons/playground.html', { before: spy });
    await page.until(`document.querySelectorAll('#chart .moving g').length === 2`);
    if (page.call) await page.call('Emulation.setCPUThrottlingRate', { rate: slower });
    await page.evaluate(`document.querySelector('#train').click();
      drawn = []`);
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    const drawn = await page.evaluate('drawn'), gaps = drawn.slice(1).map(([at], i) => at - drawn[i][0]);
    console.log(`${name}, page slowed ${slower} times: ${(drawn.length / seconds).toFixed(1)} frames a second; ` +
      `between two ${part(gaps, 0.5)} ms, of 95 % at most ${part(gaps, 0.95)}; drawing ` +
      `${part(drawn.map((one) => one[1]), 0.5)} ms; ` +
      await page.evaluate(`document.querySelector('.under').textContent`) + `; load ${os.loadavg()[0].toFixed(1)}`);
    await page.close();
  }
  await browser.stop();
})();
