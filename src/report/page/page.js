'use strict';
(() => {
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (name, from, properties) =>
    from.appendChild(Object.assign(document.createElement(name), properties));

  // Highlights one scheme in the whole page: drawings of every other scheme fade, and its words turn pale.
  let chosen = null;
  const choose = (name) => {
    chosen = name === chosen ? null : name;
    for (const one of all('[data-series]:not(button)'))
      one.classList.toggle('faded', chosen !== null && one.dataset.series !== chosen);
    for (const button of all('button.name')) button.setAttribute('aria-pressed', button.dataset.series === chosen);
    const row = all('tr[data-series]').find((one) => one.dataset.series === chosen && one.checkVisibility());
    if (row) row.scrollIntoView({ block: 'nearest' });
  };
  const names = new Set(all('tr[data-series]').map((row) => row.dataset.series));
  for (const one of all('b[data-series]')) {
    if (!names.has(one.dataset.series)) continue;
    const onclick = () => choose(one.dataset.series);
    const button = make('button', one.parentNode, { type: 'button', className: 'name', onclick });
    button.append(...one.childNodes);
    button.dataset.series = one.dataset.series;
    button.setAttribute('aria-pressed', 'false');
    one.replaceWith(button);
    const after = button.nextSibling;  // a line must not begin with the comma after a name
    if (!after || !/^[.,;:)]/.test(after.textContent)) continue;
    const word = make('span', button.parentNode, { className: 'word' });
    button.replaceWith(word);
    word.append(button, after.textContent[0]);
    after.textContent = after.textContent.slice(1);
  }
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape' && chosen !== null) choose(chosen);
  });

  // The browser shows what a cell says where the pointer rests. A click on a figure chooses its scheme.
  for (const svg of all('td svg')) svg.closest('td').title = svg.getAttribute('aria-label');
  document.addEventListener('click', (event) => {
    const series = event.target.closest('figure svg [data-series]');
    if (series && getSelection().isCollapsed) choose(series.dataset.series);
  });

  // A cell in large, with what its small drawing leaves out: press it.
  for (const legend of all('#accuracy .legend')) make('span', legend, { textContent: 'Press a cell to enlarge it.' });
  const large = make('dialog', document.body, { className: 'large' });
  const label = (drawing, cell) => {  // its axes
    const { width, height } = drawing.viewBox.baseVal;
    const lengths = JSON.parse(cell.closest('.grid').dataset.lengths || '[""]');
    drawing.setAttribute('viewBox', `-5 -2 ${width + 10} ${height + 6}`);
    for (const [x, y, words] of [[-2, 4, '1'], [-2, height - 2, '0'], [3, height + 3, lengths[0]],
                                 [width - 6, height + 3, `${lengths.at(-1)} tokens`]]) {
      const text = drawing.appendChild(document.createElementNS(drawing.namespaceURI, 'text'));
      Object.entries({ x, y }).forEach(([name, value]) => text.setAttribute(name, value));
      text.textContent = words;
    }
  };
  const enlarge = (cell) => {
    large.replaceChildren();
    const svg = cell.querySelector('svg'), drawing = svg.cloneNode(true);
    drawing.removeAttribute('aria-label');
    label(drawing, cell);
    large.append(drawing);
    make('p', large, { textContent: cell.title });
    const { trained, commands } = JSON.parse(cell.dataset.more);
    make('p', large, { textContent: trained });
    const block = commands.length ? make('pre', large, {}) : null;
    for (const command of commands) make('code', block, { textContent: command });
    make('button', large, { type: 'button', textContent: 'Close', onclick: () => large.close() });
    large.showModal();
  };
  large.addEventListener('click', (event) => { if (event.target === large) large.close(); });
  for (const cell of all('td[data-at]')) {
    if (!cell.querySelector('svg')) continue;
    cell.tabIndex = 0;
    cell.setAttribute('role', 'button');
    cell.setAttribute('aria-label', `${cell.title}: enlarge`);
    cell.addEventListener('click', () => enlarge(cell));
    cell.addEventListener('keydown', (event) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      enlarge(cell);
    });
  }

  // The length at which a grid shows its numbers, colours and the order of its rows. data-at of a cell holds, for each
  // length: [x of the length in the drawing, accuracy, gain or null, standing].
  const withSlider = (grid) => {
    const lengths = JSON.parse(grid.dataset.lengths), last = lengths.length - 1, body = grid.tBodies[0];
    const box = grid.parentNode, rows = [...body.rows];
    const reading = box.previousElementSibling.querySelector('.reading span');
    const at = (cell, place) => JSON.parse(cell.dataset.at)[place];
    const gain = (row, place) => {
      const gains = all('td[data-at]', row).map((cell) => at(cell, place)[2]).filter((one) => one !== null);
      return gains.reduce((sum, one) => sum + one, 0) / Math.max(gains.length, 1);
    };
    const draw = (place) => {
      reading.textContent = `at ${lengths[place]} tokens`;
      for (const cell of all('td[data-at]', body)) {
        const [x, accuracy, , standing] = at(cell, place), svg = cell.firstElementChild;
        cell.className = standing;
        cell.lastElementChild.textContent = accuracy;
        const lines = all('polyline, path', svg);
        for (const one of lines.slice(lines.length > 2 ? 1 : 0)) one.style.stroke = `var(--${standing})`;
        let line = svg.querySelector('.here');
        if (!line) {
          line = svg.appendChild(document.createElementNS(svg.namespaceURI, 'line'));
          line.setAttribute('class', 'here');
          line.setAttribute('y2', svg.viewBox.baseVal.height);
        }
        for (const end of ['x1', 'x2']) line.setAttribute(end, x);
        line.style.stroke = place === last ? 'none' : 'var(--pale)';
      }
      for (const kept of all('.kept', body)) {
        const percent = Math.round(100 * gain(kept.closest('tr'), place));
        kept.textContent = `${percent}\u00a0%`.replace('-', '\u2212');
        kept.nextElementSibling.value = percent / 100;
      }
      const [control, ...others] = rows;  // as they are at the last length
      others.sort((a, b) => place === last ? 0 : gain(b, place) - gain(a, place));
      body.append(control, ...others);
    };
    const tools = make('div', document.body, { className: 'tools' });
    box.before(tools);
    const label = make('label', tools, { textContent: 'Length ' });
    const slider = make('input', label, { type: 'range', min: 0, max: last, value: last });
    const shown = make('output', label, { textContent: lengths[last] });
    const move = (place) => {
      slider.value = place;
      shown.textContent = lengths[place];
      slider.setAttribute('aria-valuetext', lengths[place] + ' tokens');
      draw(place);
    };
    slider.addEventListener('input', () => move(+slider.value));
    return { grid, slider, rows, lengths, last, gain, move };
  };
  const sliders = all('.grid[data-lengths]').map(withSlider);

  // The guess stands before any answer. While it is open, findings and drawings are hidden, and the numbers are those
  // of the shortest inputs.
  const addGuess = ({ grid, slider, rows, lengths, last, gain, move }) => {
    const asked = document.querySelector('.subject') || document.querySelector('h1');
    const start = make('button', asked, { type: 'button', className: 'start', textContent: 'Guess first' });
    const title = document.querySelector('h1'), found = [...title.childNodes];
    const place = make('div', document.body, { className: 'guess tools' });
    asked.after(place);
    const said = make('span', place, {});
    said.setAttribute('role', 'status');
    const choices = make('div', place, { className: 'choices', hidden: true });
    const hide = (hidden) => {
      choices.hidden = !hidden;
      slider.disabled = hidden;
      start.hidden = hidden;
      document.body.classList.toggle('guessing', hidden);
      title.replaceChildren(...(hidden ? [`Which scheme will do best at ${lengths[last]} tokens?`] : found));
    };
    const end = (name) => {
      hide(false);
      move(last);
      said.textContent = '';
      if (name === null) return;
      const ranking = [...rows].sort((a, b) => gain(b, last) - gain(a, last)), furthest = ranking[0];
      const mine = rows.find((row) => row.dataset.series === name);
      mine.classList.add('guessed');
      furthest.classList.add('furthest');
      const percent = (row) => String(Math.round(100 * gain(row, last))).replace('-', '\u2212') + ' %';
      said.textContent =
        `Your guess, ${name}, is number ${ranking.indexOf(mine) + 1} of ${rows.length}: ` +
        `${percent(mine)} at ${lengths[last]} tokens. ` +
        (mine === furthest ? 'No other scheme has more.'
                           : `Furthest: ${furthest.dataset.series}, ${percent(furthest)}.`);
    };
    const offer = (name, textContent) =>
      make('button', choices, { type: 'button', textContent, onclick: () => end(name) });
    for (const row of rows) offer(row.dataset.series, row.dataset.series);
    offer(null, 'Show the answer');
    start.addEventListener('click', () => {
      for (const row of rows) row.classList.remove('guessed', 'furthest');
      if (chosen !== null) choose(chosen);
      move(0);
      hide(true);
      said.textContent = `Below are the numbers at ${lengths[0]} tokens. Choose:`;
      choices.firstElementChild.focus();
    });
    document.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' && !choices.hidden) end(null);
    });
  };
  if (sliders.length && sliders[0].rows.length > 2) addGuess(sliders[0]);

  const tellOfScrolling = () => {
    for (const box of all('.scroll')) box.classList.toggle('scrolls', box.scrollWidth > box.clientWidth + 1);
  };
  addEventListener('resize', tellOfScrolling);
  addEventListener('toggle', tellOfScrolling, true);  // a fold that was opened
  tellOfScrolling();

  for (const block of all('pre')) {
    const copy = make('button', document.body, { type: 'button', className: 'copy', textContent: 'Copy' });
    copy.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(block.innerText);
        copy.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(block);
        copy.textContent = 'Selected';
      }
    });
    block.after(copy);
  }
})();
