// Uses lessons/playground.html in a headless Chromium as a reader would, and says what is not as it should be.
//   node tests/playground/drive.js lessons/playground.html [controls,story]
//   BROWSER=firefox node --experimental-websocket ... controls,sentences,guesses,schemes,everything
'use strict';
const { start } = require(process.env.BROWSER === 'firefox' ? './firefox.js' : './browser.js');
const { count, check } = require('./drive/reader.js');
const parts = Object.assign({}, ...['controls', 'sentences', 'schemes', 'failures', 'looks', 'story', 'next']
  .map((name) => require(`./drive/${name}.js`)));

(async () => {
  const browser = await start();
  try {
    for (const [name, part] of Object.entries(parts)) {
      if (process.argv[3] && !process.argv[3].split(',').includes(name)) continue;
      await part(browser).catch((error) => check(name, false, error.stack));
    }
  } finally {
    await browser.stop();
  }
  console.log(`[playground] ${count.checks - count.faults} passed | ${count.faults} failed`);
  process.exit(count.faults ? 1 : 0);
})();
