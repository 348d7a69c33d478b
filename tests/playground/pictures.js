// Pictures of every stage of lessons/playground.html, to look at: node tests/playground/pictures.js FOLDER [1280l,390d]
// `node tests/playground/pictures.js lessons/figures readme` makes the one in README.md.
'use strict';
const fs = require('fs');
const { start } = require('./browser.js');
const [folder, only] = process.argv.slice(2);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

const stages = async (page, save) => {
  const click = (selector) => page.evaluate(`document.querySelector('${selector}').click()`);
  const slide = (value) => page.evaluate(`(() => {
    const it = document.querySelector('#slider input');
    it.value = ${value};
    it.dispatchEvent(new Event('input', { bubbles: true })); })()`);
  const second = '.lane[data-lane="1"]', under = `document.querySelectorAll('.under')[1].textContent`;
  await page.until(`document.querySelectorAll('#chart .moving g').length === 2`);
  await wait(1500);
  await save('1-start');
  await click('#choices button:nth-child(2)');
  await wait(300);
  await save('2-guess');
  await click('#train');
  await page.until(`${under}.includes("solved at")`, 240);
  await save('3-solved');
  await page.until(`document.querySelector('#train').disabled`, 550);
  await wait(3000);
  await save('4-ended');
  await click('#choices button:nth-child(2)');
  await wait(1500);
  await save('5-longer');
  await slide(12);
  await click(`${second} .away`);
  await wait(1500);
  await save('6-taken-away');
  await click('#train');
  await page.until(`/step 4[3-9]\\d/.test(${under})`, 90);
  await page.evaluate(`document.querySelector('${second} .columns button:nth-child(3)').focus()`);
  await wait(500);
  await save('7-without');
  await click('#copy');
  await wait(300);
  await save('8-command');
  await page.evaluate(`(() => {
    const it = document.querySelector('${second} .scheme');
    it.value = 't5';
    it.dispatchEvent(new Event('change', { bubbles: true })); })()`);
  await wait(4000);
  await save('9-scheme');
};

// The picture of the README: a state that its address makes again, to the bit.
const readme = async (browser) => {
  const page = await browser.open_page('lessons/playground.html',
    { height: 1090, hash: '#task=reverse&schemes=none,sinusoidal&length=12&a=1000&b=300:none,500:sinusoidal,650' });
  await page.call('Emulation.setScrollbarsHidden', { hidden: true });
  await page.until(`document.querySelectorAll('.under')[1].textContent.includes('step 650')`, 300);
  await page.until(`/% at 48;.*% at 48/.test(document.querySelector('#chart').ariaLabel)`, 120);
  await wait(500);
  const clip = { x: 0, y: 0, width: 1280, height: 1090, scale: 0.7 };
  const { data } = await page.call('Page.captureScreenshot', { clip });
  fs.writeFileSync(`${folder}/playground.png`, Buffer.from(data, 'base64'));
  await page.close();
};

(async () => {
  const browser = await start();
  if (only === 'readme') {
    await readme(browser);
    return browser.stop();
  }
  for (const width of [1280, 390])
    for (const dark of [false, true]) {
      const name = `${width}${dark ? 'd' : 'l'}`, options = { width, dark, height: width < 500 ? 844 : 900 };
      if (only && !only.split(',').includes(name)) continue;
      const page = await browser.open_page('lessons/playground.html', options);
      const save = (stage) => page.picture(`${folder}/${name}-${stage}.png`);
      await stages(page, save).catch((error) => console.log(error.message));
      await page.close();
    }
  await browser.stop();
})();
