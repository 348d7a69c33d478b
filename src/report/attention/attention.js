'use strict';
(() => {
  const place = document.getElementById('explorer'), scene = JSON.parse(place.dataset.scene);
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_';
  const make = (name, from, properties) =>
    from.appendChild(Object.assign(document.createElement(name), properties));
  let reading = 0, query = scene.readings[0].read.length - 1;
  // One change at a time: a head is silenced, or two tokens change places. A list of the heads and two of positions.
  const chooser = (words) => {
    const label = make('label', controls, { textContent: words });
    return make('select', label, {});
  };
  const controls = make('div', place, { className: 'tools' });
  const silenced = chooser('Model '), first = chooser('Swap position '), second = chooser('with ');
  const option = (select, value, words) => make('option', select, { value, textContent: words });
  const readingOf = (change) => scene.readings.findIndex((one) => one.change === change);
  const swapOf = (a, b) => readingOf(`positions ${Math.min(a, b)} and ${Math.max(a, b)} swapped`);
  const positions = [...Array(scene.input.length).keys()];
  option(silenced, 0, 'as it is');
  for (const name of scene.heads) {
    const change = `without head ${name}`;
    if (readingOf(change) > 0) option(silenced, readingOf(change), change);
  }
  option(first, '', 'none');
  for (const a of positions)
    if (positions.some((b) => a !== b && swapOf(a, b) > 0)) option(first, a, `${a}: ${scene.input[a]}`);
  const offerSecond = () => {
    second.replaceChildren();
    second.disabled = first.value === '';
    if (second.disabled) return;
    for (const b of positions)
      if (b !== +first.value && swapOf(+first.value, b) > 0) option(second, b, `${b}: ${scene.input[b]}`);
  };
  // The lists as they are for the reading that is shown.
  const showChoice = () => {
    const swap = scene.readings[reading].change.match(/^positions (\d+) and (\d+) swapped$/);
    silenced.value = swap ? 0 : reading;
    if (swap && [swap[1], swap[2]].includes(first.value)) return;
    first.value = swap ? swap[1] : '';
    offerSecond();
    if (swap) second.value = swap[2];
  };
  const note = make('p', place, {});
  note.setAttribute('role', 'status');
  const box = make('div', place, { className: 'scroll', tabIndex: 0 });
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', 'Where each head looks from the chosen token');
  const table = make('table', box, {}), said = make('p', place, {});

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
      cell.firstChild.style.opacity = share;
      cell.lastChild.textContent = share >= 0.095 ? Math.round(100 * share) : '';
      cell.setAttribute('aria-label', `${Math.round(100 * share)} % on ${now.read[key]}`);
    }));
    said.textContent = `From ${now.read[query]} at position ${query}, in percent of each head's attention. ` +
      'Press a head to silence it.';
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
  silenced.addEventListener('change', () => go(+silenced.value));
  first.addEventListener('change', () => {
    offerSecond();
    go(first.value === '' ? 0 : swapOf(+first.value, +second.value));
  });
  second.addEventListener('change', () => go(swapOf(+first.value, +second.value)));
  draw();
})();
