'use strict';
(() => {
  const place = document.getElementById('explorer'), scene = JSON.parse(place.dataset.scene);
  const make = (name, from, properties) =>
    from.appendChild(Object.assign(document.createElement(name), properties));
  let reading = 0, query = scene.readings[0].read.length - 1;
  // One change at a time: a head is silenced by its button, or two tokens change places.
  const controls = make('div', place, { className: 'tools' });
  const swap = make('select', make('label', controls, { textContent: 'Swap two tokens: ' }), {});
  const readingOf = (change) => scene.readings.findIndex((one) => one.change === change);
  make('option', swap, { value: 0, textContent: 'none' });
  scene.input.forEach((first, a) => scene.input.forEach((second, b) => {
    const value = readingOf(`positions ${a} and ${b} swapped`);
    if (value > 0) make('option', swap, { value, textContent: `${a}: ${first}, ${b}: ${second}` });
  }));
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

  // Colours and numbers of the chosen query; the table stays.
  const shade = () => {
    const now = scene.readings[reading], length = now.read.length;
    table.querySelectorAll('.query button')
      .forEach((one, i) => one.setAttribute('aria-pressed', i === query));
    table.querySelectorAll('.heads').forEach((row, head) => row.querySelectorAll('td').forEach((cell, key) => {
      const percent = now.maps[head][query * length + key];
      cell.firstChild.style.opacity = Math.sqrt(percent / 100);  // a share of 0.1 can be seen, on dark as well
      cell.lastChild.textContent = percent >= 10 ? percent : '';
      cell.setAttribute('aria-label', `${percent} % on ${now.read[key]}`);
    }));
    said.textContent = `From ${now.read[query]} at position ${query}, in percent of each head's attention.`;
  };
  const draw = () => {
    const now = scene.readings[reading];
    query = Math.min(query, now.read.length - 1);
    swap.value = reading;
    if (swap.selectedIndex < 0) swap.value = 0;  // a head is silenced
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
  swap.addEventListener('change', () => go(+swap.value));
  draw();
})();
