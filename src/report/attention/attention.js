'use strict';
(() => {
  const place = document.getElementById('explorer'), scene = JSON.parse(place.dataset.scene);
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';
  const make = (name, from, properties) =>
    from.appendChild(Object.assign(document.createElement(name), properties));
  let reading = 0, query = scene.readings[0].read.length - 1;
  // One change at a time: a head is silenced by its button, or two tokens change places.
  const chooser = (words) => {
    const label = make('label', controls, { textContent: words });
    return make('select', label, {});
  };
  const controls = make('div', place, { className: 'tools' });
  const first = chooser('Swap position '), second = chooser('with ');
  const option = (select, value, words) => make('option', select, { value, textContent: words });
  const readingOf = (change) => scene.readings.findIndex((one) => one.change === change);
  const swapOf = (a, b) => readingOf(`positions ${Math.min(a, b)} and ${Math.max(a, b)} swapped`);
  const positions = [...Array(scene.input.length).keys()];
  option(first, '', 'none');
  for (const a of positions)
    if (positions.some((b) => a !== b && swapOf(a, b) > 0)) option(first, a, `${a}: ${scene.input[a]}`);
  const offerSecond = () => {
    second.replaceChildren();
    const partners = (a) => positions.filter((b) => a !== b && swapOf(a, b) > 0);
    const offered = first.value === '' ? positions.filter((a) => partners(a).length) : partners(+first.value);
    if (first.value === '') option(second, '', 'none');
    for (const b of offered) option(second, b, `${b}: ${scene.input[b]}`);
  };
  // The lists as they are for the reading that is shown.
  const showChoice = () => {
    const swap = scene.readings[reading].change.match(/^positions (\d+) and (\d+) swapped$/);
    if (swap && [swap[1], swap[2]].includes(first.value)) return;
    first.value = swap ? swap[1] : '';
    offerSecond();
    if (swap) second.value = swap[2];
  };
  const worthOf = scene.readings[0].right;
  make('p', place, { textContent: 'Press a head to silence it: what does the model lose?' +
    (worthOf ? ` With all heads ${worthOf} of its answers are right.` : '') });
  const note = make('p', place, {});
  note.setAttribute('role', 'status');
  const box = make('div', place, { className: 'scroll', tabIndex: 0 });
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', 'Where each head looks from the chosen token');
  const table = make('table', box, {}), said = make('p', place, {});
  place.append(controls);

  const weight = (map, length, key) => {
    const at = 2 * (query * length + key);
    return (64 * digits.indexOf(map[at]) + digits.indexOf(map[at + 1])) / 4095;
  };
  // Colours and numbers of the chosen query; the table stays.
  const shade = () => {
    const now = scene.readings[reading], length = now.read.length;
    table.querySelectorAll('.query button')
      .forEach((one, i) => one.setAttribute('aria-pressed', i === query));
    table.querySelectorAll('.heads').forEach((row, head) => row.querySelectorAll('td').forEach((cell, key) => {
      const share = weight(now.maps[head], length, key);
      cell.firstChild.style.opacity = Math.sqrt(share);  // a share of 0.1 can be seen, on dark as well
      cell.lastChild.textContent = share >= 0.095 ? Math.round(100 * share) : '';
      cell.setAttribute('aria-label', `${Math.round(100 * share)} % on ${now.read[key]}`);
    }));
    said.textContent = `From ${now.read[query]} at position ${query}, in percent of each head's attention.`;
  };
  const draw = () => {
    const now = scene.readings[reading];
    query = Math.min(query, now.read.length - 1);
    showChoice();
    note.textContent = now.note;
    table.replaceChildren();
    const row = (name, kind) => {
      const line = make('tr', table, { className: kind });
      const head = make('th', line, { textContent: name });
      head.setAttribute('scope', 'row');
      return [line, head];
    };
    const [tokens] = row('query: choose a token', 'query');
    now.read.forEach((token, i) => {
      const button = make('button', make('td', tokens, {}), { type: 'button', textContent: token });
      button.setAttribute('aria-label', `${token}, position ${i}`);
      const choose = () => { query = i; shade(); };
      for (const event of ['pointerenter', 'focus', 'click']) button.addEventListener(event, choose);
      button.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const next = tokens.querySelectorAll('button')[i + step];
        if (next) next.focus();
      });
    });
    scene.heads.forEach((name) => {
      const [line, head] = row('', 'heads'), without = readingOf(`without head ${name}`);
      const button = make('button', head, { type: 'button', textContent: `head ${name}` });
      button.setAttribute('aria-pressed', without === reading);
      button.setAttribute('aria-label', `head ${name}: silence it`);
      button.addEventListener('click', () => {
        go(without === reading ? 0 : without);
        document.querySelectorAll('.heads button')[scene.heads.indexOf(name)].focus();
      });
      if (without > 0) make('small', head, { textContent: `${scene.readings[without].right} without it` });
      for (let key = 0; key < now.read.length; ++key) {
        const cell = make('td', line, {});
        make('i', cell, {});
        make('span', cell, {});
      }
    });
    const [answers] = row(now.known ? 'answer (wrong: underlined)' : 'answer', 'answers');
    const before = scene.generates ? now.read.length - now.answer.length : 0;
    if (before > 0) make('td', answers, { colSpan: before });
    now.answer.forEach((one) => {
      const cell = make('td', answers, { title: `probability ${one.probability}` });
      make('b', cell, { textContent: one.token, className: one.target === undefined ? '' : 'wrong' });
      const beside = one.target === undefined ? `${Math.round(100 * one.probability)} %` : `not ${one.target}`;
      make('small', cell, { textContent: beside });
    });
    shade();
  };
  const go = (next) => { reading = next; draw(); };
  first.addEventListener('change', () => {
    offerSecond();
    go(first.value === '' ? 0 : swapOf(+first.value, +second.value));
  });
  second.addEventListener('change', () => {
    if (first.value === '') {  // the nearest position that it can change places with
      const b = +second.value;
      const [a] = positions.filter((one) => one !== b && swapOf(one, b) > 0)
        .sort((x, y) => Math.abs(x - b) - Math.abs(y - b));
      first.value = a;
      offerSecond();
      second.value = b;
    }
    go(swapOf(+first.value, +second.value));
  });
  draw();
})();
