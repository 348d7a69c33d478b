// What the parts of the browser test share: checks that are counted, and a page with its controls.
'use strict';
const file = process.argv[2];
const count = { checks: 0, faults: 0 };
const check = (name, well, seen = '') => {
  ++count.checks;
  if (well) return;
  ++count.faults;
  console.log(`not so: ${name}${seen === '' ? '' : ` (${JSON.stringify(seen)})`}`);
};
const fault = (name) => (error) => check(name, false, error.message);
const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const shown = '!document.querySelector("SELECTOR").hidden';
const visible = (selector) => shown.replace('SELECTOR', selector);
const lane = (index) => `.lane[data-lane="${index}"]`;

// A page with helpers for its controls.
const with_page = async (browser, options, use) => {
  const page = await browser.open_page(file, options);
  const ask = (expression) => page.evaluate(expression);
  const text = (selector) => ask(`document.querySelector('${selector}').textContent.replace(/\\s+/g, ' ').trim()`);
  const click = (selector) => ask(`document.querySelector('${selector}').click()`);
  const set = (selector, value, kind) => ask(`(() => {
    const it = document.querySelector('${selector}');
    it.value = '${value}';
    it.dispatchEvent(new Event('${kind}', { bubbles: true }));
  })()`);
  // As a reader does: by way of "more …" to what the short menu does not have.
  const pick = async (selector, value) => {
    const has = `[...document.querySelector('${selector}').options].some((option) => option.value === '${value}')`;
    if (!(await ask(has))) await set(selector, 'more', 'change');
    await set(selector, value, 'change');
  };
  const slide = (value) => set('#slider input', value, 'input');
  const type = async (words) => {
    await set('#input', words, 'input');
    await ask(`document.querySelector('#own').requestSubmit()`);
  };
  const step_of = (index) => text(`${lane(index)} .under`).then((words) => Number(words.match(/step (\d+)/)[1]));
  const number_of = (index) => text(`${lane(index)} .number b`);
  try {
    await use({ ...page, ask, text, click, pick, slide, type, step_of, number_of });
  } finally {
    check(`nothing to complain of (${JSON.stringify(options)})`, page.complaints.length === 0, page.complaints);
    await page.close();
  }
};
const says = (index, words) => `document.querySelectorAll('.under')[${index}].textContent.includes('${words}')`;
const [first, second] = [0, 1].map((index) => (words) => says(index, words));
const events = (count) => `document.querySelectorAll('${lane(1)} .curve line.event').length === ${count}`;
const started = `document.querySelectorAll('#chart .moving g').length === 2 &&
  document.querySelectorAll('.columns b').length > 2`;
const training = (lane = 0) => `/step [1-9]/.test(document.querySelectorAll('.under')[${lane}].textContent)`;
const sentence = (words) => `document.querySelector('#say').textContent.includes('${words}')`;
module.exports = { count, check, fault, wait, visible, lane, with_page, first, second, events, started, training,
                   sentence };
