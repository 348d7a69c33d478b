// The page: what the engine's thread tells is drawn here, and what the reader does is told to the thread. It computes
// nothing about models. The parts: words, the engine, drawing, the controls, the address, the guess, the story.
'use strict';
(() => {
  const one = (selector, from = document) => from.querySelector(selector);
  const all = (selector, from = document) => [...from.querySelectorAll(selector)];
  const make = (name, properties = {}, children = []) => {
    const element = Object.assign(document.createElement(name), properties);
    element.append(...children);
    return element;
  };
  const facts = JSON.parse(one('#facts').textContent);

  // --- words ---
  const templates = {};
  for (const item of all('[data-word]', one('#words').content))
    templates[item.dataset.word] = item.textContent.replace(/\s+/g, ' ').trim();
  const word = (name, values = {}) => templates[name].replace(/\{(\w+)\}/g, (_, key) => values[key] ?? '');
  const rate = (value) => Number.isFinite(value) ? value.toFixed(2) : '–';
  const percent = (value) => Number.isFinite(value) ? `${Math.floor(value * 100 + 1e-9)} %` : '–';
  const code = (scheme) => '`' + scheme + '`';
  // Text in which schemes stand between backquotes.
  const prose = (element, text) => element.replaceChildren(
      ...text.split('`').map((part, i) => i % 2 ? make('b', { textContent: part }) : part));
  let said = '';
  const say = (name, values) => {
    const text = word(name, values);
    if (text === said) return;
    said = text;
    prose(one('#say'), text);
  };
  const find = (stage) => {
    const scheme = setup.schemes.find((name) => name !== 'none') || 'none';
    const found = ((facts.findings[setup.task] || {})[scheme] || {})[stage];
    const place = one('#finding');
    place.hidden = !found || setup.model !== 'encoder';
    if (!place.hidden) {
      prose(place, found.text);
      place.prepend(make('strong', { textContent: found.lead + '. ' }));
    }
  };

  // --- the setup: what is trained, as the address has it ---
  const usual = { task: 'reverse', schemes: ['none', 'sinusoidal'], model: 'encoder', seed: 1, length: 12 };
  let setup = { ...usual };
  const task = () => facts.tasks[setup.task];

  // --- the engine ---
  let worker = null, state = null, ready = false, changes = 0, waiting = [], heard = 0, failed = false;
  const packed = () => Uint8Array.from(atob(one('#engine').textContent.trim()), (c) => c.charCodeAt(0));
  const tell = (message) => {
    message.changes = ++changes;
    if (ready) worker.postMessage(message);
    else waiting.push(message);
  };
  const stop_engine = () => {
    if (worker) worker.terminate();
    worker = null;
    ready = false;
    waiting = [];
  };
  const start_engine = () => {
    stop_engine();
    failed = false;
    const source = URL.createObjectURL(new Blob([one('#worker').textContent], { type: 'text/javascript' }));
    worker = new Worker(source);
    worker.onerror = () => fail('killed');
    worker.onmessage = ({ data }) => {
      heard = performance.now();
      if (data.none) return no_engine();
      if (data.error) return fail('error', { error: data.error });
      if (data.ready) {
        ready = true;
        for (const message of waiting.splice(0)) worker.postMessage(message);
      } else if (data.attention) show_attention(data.attention);
      else receive(data);
    };
    const bytes = packed();
    worker.postMessage({ packed: bytes }, [bytes.buffer]);
  };
  const fail = (name, values) => {
    failed = true;
    stop_engine();
    say(name, values);
    if (state) state.running = false;
    buttons();
  };
  // A thread that trains is heard from many times a second.
  setInterval(() => {
    if (ready && state && state.running && !document.hidden && performance.now() - heard > 10000) fail('killed');
  }, 2000);
  document.addEventListener('visibilitychange', () => { heard = performance.now(); });
  const no_engine = () => {
    stop_engine();
    document.documentElement.classList.remove('scripted');
    one('#live').hidden = true;
    one('#why').textContent = word('no-engine');
  };

  const listeners = new Set();
  let drawing = false;
  const receive = (data) => {
    state = data;
    for (const listener of [...listeners]) listener();
    if (drawing) return;
    drawing = true;
    requestAnimationFrame(() => { drawing = false; draw(); });
  };
  const until = (condition, signal) => new Promise((resolve, reject) => {
    const check = () => {
      if (!state || !condition()) return;
      listeners.delete(check);
      resolve();
    };
    signal.addEventListener('abort', () => { listeners.delete(check); reject(signal.reason); }, { once: true });
    listeners.add(check);
    check();
  });

  // --- drawing ---
  const lanes = all('.lane');
  const svg = (name, attributes, text) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const path = (points, x, y) => {
    let pen = false, d = '';
    for (const [at, value] of points) {
      if (Number.isFinite(value)) d += `${pen ? 'L' : 'M'}${x(at).toFixed(1)} ${y(value).toFixed(1)}`;
      pen = Number.isFinite(value);
    }
    return d;
  };
  const own_ceiling = (lane, at) =>
    (state.ceilings[at] || [])[lane.scheme === 'none' || lane.without ? 0 : lane.blind === 1 ? 1 : lane.blind === 2 ? 0 : 9];
  const most_steps = () => Math.max(facts.steps[setup.model], ...state.lanes.map((lane) => lane.began + facts.steps[setup.model] *
      (lane.events.length ? 0.5 : 1)), ...state.lanes.map((lane) => lane.step));
  const name_of = (event) => event.to === 'none' ? word('event-away')
    : event.back ? word('event-back') : word('event-scheme', { scheme: event.to });

  const draw_curve = (place, lane) => {
    const width = place.clientWidth || 300, height = place.clientHeight || 84, right = 8, bottom = 4;
    place.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const most = most_steps(), x = (step) => 1 + step / most * (width - right), y = (value) => 6 + (1 - value) * (height - 6 - bottom);
    const parts = [];
    for (const value of [0, 0.5, 1])
      parts.push(svg('line', { class: 'grid', x1: 0, x2: width, y1: y(value), y2: y(value) }));
    const ceiling = (state.ceilings[lane.trained] || [])[0];
    if (Number.isFinite(ceiling) && ceiling < 0.98)
      parts.push(svg('line', { class: 'ceiling', x1: 0, x2: width, y1: y(ceiling), y2: y(ceiling) }));
    lane.events.forEach((event, i) => {
      const at = x(event.step), left = at > width * 0.6;
      parts.push(svg('line', { class: 'event', x1: at, x2: at, y1: 2, y2: height }));
      parts.push(svg('text', { class: 'event', x: at + (left ? -4 : 4), y: height - 8 - 13 * (i % 3),
        'text-anchor': left ? 'end' : 'start' }, name_of(event)));
    });
    parts.push(svg('path', { class: 'line', d: path(lane.curve, x, y) }));
    const last = lane.curve[lane.curve.length - 1];
    if (last) parts.push(svg('circle', { class: 'dot', cx: x(last[0]), cy: y(last[1]), r: 4 }));
    place.replaceChildren(...parts);
    place.setAttribute('aria-label', word('curve', { accuracy: rate(last && last[1]), step: lane.step,
      events: lane.events.map((event) => `${name_of(event)} at step ${event.step}`).join(', ') }));
  };

  const chart = one('#chart'), range = one('#slider input');
  const draw_chart = () => {
    const width = chart.clientWidth || 420, height = chart.clientHeight || 300;
    chart.setAttribute('viewBox', `0 0 ${width} ${height}`);
    const left = 34, right = 12, top = 14, bottom = 26;
    const x = (at) => left + (at - 4) / 44 * (width - left - right), y = (value) => top + (1 - value) * (height - top - bottom);
    const parts = [], label = (text, at, attributes) => parts.push(svg('text', { x: at[0], y: at[1], ...attributes }, text));
    for (const value of [0, 0.25, 0.5, 0.75, 1]) {
      parts.push(svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }));
      label(value, [left - 6, y(value) + 4], { 'text-anchor': 'end' });
    }
    for (const at of [4, 12, 24, 36, 48]) label(at, [x(at), height - 8], { 'text-anchor': 'middle' });
    const trained = state.lanes[0].trained;
    parts.push(svg('line', { class: 'trained', x1: x(trained), x2: x(trained), y1: top, y2: height - bottom }));
    label(word('trained-at'), [x(trained) + 5, top + 9], { class: 'small' });
    const guides = [['blind', 0, 'ceiling'], ['baseline', 2, 'baseline']];
    if (state.lanes.some((lane) => lane.blind === 1)) guides.push(['mirror', 1, 'ceiling']);
    const ends = [];
    for (const [name, which, look] of guides) {
      const points = Object.entries(state.ceilings).map(([at, values]) => [Number(at), values[which]])
        .filter(([, value]) => Number.isFinite(value)).sort((a, b) => a[0] - b[0]);
      if (!points.length || (look === 'ceiling' && points[0][1] > 0.98)) continue;
      parts.push(svg('path', { class: look, d: path(points, x, y) }));
      ends.push([word(name), y(points[points.length - 1][1]), 'small']);
    }
    state.lanes.forEach((lane, index) => {
      const points = Object.entries(lane.accuracy).map(([at, { value }]) => [Number(at), value])
        .filter(([, value]) => Number.isFinite(value)).sort((a, b) => a[0] - b[0]);
      if (!points.length) return;
      const group = svg('g', { class: `lane${index}` });
      group.append(svg('path', { class: 'line', d: path(points, x, y) }));
      for (const [at, value] of points)
        group.append(svg('circle', { class: 'dot', cx: x(at), cy: y(value), r: at === state.length ? 5.5 : 2.5 }));
      parts.push(group);
      ends.push([lane.without ? 'without' : lane.scheme, y(points[points.length - 1][1]), `name lane${index}`]);
    });
    // Names at the right end, moved apart.
    ends.sort((a, b) => a[1] - b[1]);
    let above = -99;
    for (const end of ends) end[2] += '', end.push(above = Math.max(end[1] - 5, above + 14));
    let below = height - bottom - 3;
    for (const end of [...ends].reverse()) below = (end[3] = Math.min(end[3], below)) - 14;
    for (const [text, , look, at] of ends) label(text, [width - right, at], { class: look, 'text-anchor': 'end' });
    parts.splice(0, 0, svg('line', { class: 'here', x1: x(state.length), x2: x(state.length), y1: top, y2: height - bottom }));
    chart.replaceChildren(...parts);
    const values = state.lanes.map((lane) => `${lane.scheme} ${[4, 12, 24, 48].map((at) =>
      `${rate((lane.accuracy[at] || {}).value)} at ${at}`).join(', ')}`).join('; ');
    chart.setAttribute('aria-label', word('chart', { values }));
    one('#slider').style.setProperty('--left', `${left}px`);
    one('#slider').style.setProperty('--right', `${right}px`);
    if (document.activeElement !== range || range.value != state.length) range.value = state.length;
    one('#slider output').textContent = state.length;
  };

  const draw_codes = (place, lane) => {
    const { kind, rows, columns, values } = lane.codes, canvas = one('canvas', place);
    const name = lane.scheme === 'none' ? 'codes-none' : `codes-${kind}`;
    const caption = one('figcaption', place);
    if (caption.textContent !== word(name)) caption.textContent = word(name);
    canvas.hidden = kind === 0;
    canvas.setAttribute('aria-label', word(name));
    if (kind === 0) return;
    Object.assign(canvas, { width: columns, height: rows });
    const image = canvas.getContext('2d').createImageData(columns, rows);
    const low = kind === 3 ? Math.min(...values) : 0, size = Math.max(...values.map(Math.abs)) || 1;
    values.forEach((value, i) => {
      const shade = kind === 1 ? (value / size + 1) / 2 : kind === 2 ? (Math.sin(value) + 1) / 2
        : low < 0 ? 1 - value / low : 1;
      const palette = kind === 3 ? facts.sequential : facts.diverging;
      const colour = palette[Math.round(shade * (palette.length - 1))] || [128, 128, 128];
      image.data.set([...colour, 255], 4 * i);
    });
    canvas.getContext('2d').putImageData(image, 0, 0);
  };

  // --- the answer, token by token, and where a head looks ---
  const looking = [null, null];  // the token of the answer that is pointed at
  let head = 0;
  const draw_answer = (place, lane, index) => {
    const input = state.input.split(' '), answer = lane.answer.said ? lane.answer.said.split(' ') : [];
    const { right, wrong } = lane.answer, rights = right ? right.split(' ') : [];
    const paired = !lane.generates && answer.length === input.length;
    let columns = one('.columns', place);
    const count = Math.max(input.length, answer.length);
    if (!columns || columns.children.length !== count) {
      columns = make('div', { className: 'columns' });
      for (let i = 0; i < count; ++i) {
        const button = make('button', { type: 'button', tabIndex: i ? -1 : 0 }, [make('i'), make('b')]);
        button.addEventListener('pointerenter', () => look(index, i));
        button.addEventListener('focus', () => look(index, i));
        button.addEventListener('click', () => look(index, i));
        columns.append(button);
      }
      columns.addEventListener('keydown', (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key], now = [...columns.children].indexOf(event.target);
        const next = columns.children[now + step];
        if (!step || !next) return;
        event.target.tabIndex = -1;
        next.tabIndex = 0;
        next.focus();
        event.preventDefault();
      });
      columns.addEventListener('pointerleave', () => look(index, null));
      columns.addEventListener('focusout', () => look(index, null));
      place.replaceChildren(columns, make('p', { className: 'count' }), make('p', { className: 'look' }));
      looking[index] = null;
    }
    columns.classList.toggle('long', count > 24);
    [...columns.children].forEach((button, i) => {
      const [above, below] = button.children;
      above.textContent = input[i] ?? '';
      below.textContent = answer[i] ?? '';
      below.className = answer[i] === undefined || !right ? '' : wrong[i] === '1' ? 'wrong' : 'right';
      button.setAttribute('aria-label', `${paired ? `${input[i]}: ` : ''}${answer[i] ?? ''}` +
        (below.className === 'wrong' && rights[i] !== undefined ? `, should be ${rights[i]}` : ''));
      button.title = below.className === 'wrong' && rights[i] !== undefined ? `should be ${rights[i]}` : '';
    });
    const wrongs = [...wrong].filter((bit) => bit === '1').length, many = Math.max(rights.length, answer.length);
    one('.count', place).textContent = !lane.answer.said ? word('none')
      : right ? word('right', { right: Math.max(0, many - wrongs), all: many }) : word('unknown');
    if (looking[index] === null) {
      for (const button of columns.children) button.style.removeProperty('--seen');
      one('.look', place).textContent = word('look-hint');
    }
  };
  const look = (index, i) => {
    looking[index] = i;
    if (i === null) return state && draw();
    tell({ do: 'attend', index });
  };
  const show_attention = ({ index, maps, size, weights, read }) => {
    const i = looking[index], lane = state && state.lanes[index];
    if (i === null || !lane || !maps) return;
    const input = state.input.split(' '), before = lane.generates ? 1 : 0;
    const query = Math.min(size - 1, lane.generates ? input.length + 1 + i : i);
    const map = Math.min(head, maps - 1), row = weights.slice((map * size + query) * size, (map * size + query + 1) * size);
    const buttons = all('.columns button', lanes[index]);
    buttons.forEach((button, key) => button.style.setProperty('--seen', (row[key + before] || 0).toFixed(3)));
    const best = row.map((value, key) => [value, key]).sort((a, b) => b[0] - a[0]).slice(0, 2)
      .map(([value, key]) => `“${read[key]}” at ${key - before} (${rate(value)})`).join(', ');
    const place = one('.look', lanes[index]);
    if (!place.firstChild || place.firstChild.nodeName !== 'BUTTON') {
      const next = make('button', { type: 'button', className: 'plain' });
      place.replaceChildren(next, make('span'));
    }
    const layers = 2, heads = maps / layers;
    place.firstChild.textContent = '';
    place.lastChild.textContent = word('look', { layer: Math.floor(map / heads), head: map % heads,
      token: read[query], at: query - before, seen: best });
  };

  const draw = () => {
    if (!state) return;
    lanes.forEach((place, index) => {
      const lane = state.lanes[index], look = facts.schemes[setup.schemes[index]] || facts.schemes.none;
      place.style.setProperty('--light', look.light);
      place.style.setProperty('--dark', look.dark);
      chart.style.setProperty(`--light${index}`, look.light);
      chart.style.setProperty(`--dark${index}`, look.dark);
      const value = (lane.accuracy[state.length] || {}).value;
      one('.number b', place).textContent = percent(value);
      one('.number span', place).textContent = word(lane.generates ? 'answers' : 'tokens', { length: state.length });
      one('.under', place).textContent = word('under', { step: lane.step, most: lane.began + facts.steps[setup.model],
        solved: lane.solved ? word('under-solved', { step: lane.solved }) : '' });
      place.classList.toggle('bare', lane.without || (lane.scheme === 'none' && setup.schemes[index] !== 'none'));
      draw_curve(one('.curve', place), lane);
      draw_answer(one('.answer', place), lane, index);
      draw_codes(one('.codes', place), lane);
    });
    chart.classList.toggle('alike', facts.schemes[setup.schemes[0]].light === facts.schemes[setup.schemes[1]].light);
    draw_chart();
    if (document.activeElement !== one('#input')) one('#input').value = state.input;
    buttons();
    remember();
  };

  // --- the controls ---
  const buttons = () => {
    const running = !!state && state.running && !failed, over = !!state && state.lanes.every((lane) => lane.status !== 0);
    one('#train').textContent = word(running ? 'pause' : 'train');
    one('#train').disabled = over && !failed;
    one('#step').disabled = running || over || failed;
    lanes.forEach((place, index) => {
      const lane = state && state.lanes[index], none = setup.schemes[index] === 'none', away = lane && lane.scheme === 'none';
      one('.once', place).hidden = none || away;
      one('.once', place).setAttribute('aria-pressed', !!lane && lane.without);
      one('.away', place).hidden = none || away;
      one('.back', place).hidden = none || !away;
      one('.tools', place).hidden = none;
    });
  };
  const begin = (options = {}) => {
    if (!worker) start_engine();
    guessed.none = guessed.length = false;
    one('#guess').hidden = true;
    tell({ do: 'begin', task: setup.task, schemes: setup.schemes, model: setup.model, seed: setup.seed,
           at: setup.length, ...options });
    one('#task').value = setup.task;
    one('#model').value = setup.model;
    lanes.forEach((place, index) => { one('.scheme', place).value = setup.schemes[index]; });
    const chapter = setup.schemes.map((scheme) => facts.schemes[scheme].lesson).filter(Boolean)[0];
    one('#lesson').hidden = !chapter;
    if (chapter) Object.assign(one('#lesson'), { href: `../lessons/${chapter}/README.md`,
      textContent: word('lesson', { chapter: chapter.replace(/_/g, ' ') }) });
    one('#command').hidden = true;
    one('#input').maxLength = 400;
  };
  const run = (on) => { tell({ do: 'run', on }); say(on ? 'training' : 'paused', { task: setup.task,
    step: state ? Math.max(...state.lanes.map((lane) => lane.step)) : 0 }); find(on ? 'trained' : ''); };
  const change = (index, to, event) => {
    tell({ do: 'change', index, to });
    if (event) say(event, { scheme: code(to) });
  };
  const scheme_of = (index) => setup.schemes[index];

  one('#train').addEventListener('click', () => {
    if (failed) { begin(); say('start'); return; }
    const on = !(state && state.running);
    if (on && guess_none()) return;
    run(on);
  });
  one('#step').addEventListener('click', () => { tell({ do: 'step' }); });
  const choose = (what) => { setup = { ...setup, ...what }; begin(); say('start'); find(''); remember(true); };
  one('#task').addEventListener('change', ({ target }) => choose({ task: target.value, length: 12,
    model: facts.tasks[target.value].form === 'generation' ? 'decoder' : setup.model }));
  one('#model').addEventListener('change', ({ target }) => choose({
    model: facts.tasks[setup.task].form === 'generation' ? 'decoder' : target.value }));
  lanes.forEach((place, index) => {
    one('.scheme', place).addEventListener('change', ({ target }) => choose({
      schemes: setup.schemes.map((scheme, i) => i === index ? target.value : scheme) }));
    one('.once', place).addEventListener('click', ({ target }) => {
      const on = target.getAttribute('aria-pressed') !== 'true';
      tell({ do: 'without', index, on });
      if (on) { say('away', { scheme: code(scheme_of(index)) }); find('taken'); }
    });
    one('.away', place).addEventListener('click', () => {
      change(index, 'none', 'without-now');
      find('without');
      one('.back', place).hidden = false;
      one('.back', place).focus();
    });
    one('.back', place).addEventListener('click', () => {
      change(index, scheme_of(index), 'put-back');
      find('');
      one('.away', place).hidden = false;
      one('.away', place).focus();
    });
  });
  let asked_length = 0;
  range.addEventListener('input', () => {
    const at = Number(range.value);
    one('#slider output').textContent = at;
    if (at > state.lanes[0].trained && guess_length()) {
      asked_length = at;
      range.value = state.length;
      return;
    }
    setup.length = at;
    tell({ do: 'length', at });
    if (at > state.lanes[0].trained) find('longer');
  });
  one('#own').addEventListener('submit', (event) => {
    event.preventDefault();
    const tokens = one('#input').value.trim().split(/\s+/).filter(Boolean), known = task().alphabet;
    const wrong = tokens.find((token) => !known.includes(token));
    const refused = one('#refused');
    refused.textContent = !tokens.length ? `Give 1 to 48 tokens, such as ${known.slice(0, 3).join(' ')}.`
      : tokens.length > 48 ? `These are ${tokens.length} tokens; give 48 at most.`
      : wrong !== undefined ? `“${wrong}” is no token of ${setup.task}. Its tokens: ${known.join(' ')}.` : '';
    if (!refused.textContent) tell({ do: 'input', own: tokens.join(' ') });
  });
  let example = 0;
  one('#another').addEventListener('click', () => {
    one('#refused').textContent = '';
    one('#input').blur();
    tell({ do: 'length', at: state.length, number: ++example });
  });

  // --- the address: the setup, and the steps at which schemes were changed ---
  const address = () => {
    const parts = [`task=${setup.task}`, `schemes=${setup.schemes.join(',')}`];
    if (setup.model !== usual.model) parts.push(`model=${setup.model}`);
    if (setup.seed !== usual.seed) parts.push(`seed=${setup.seed}`);
    parts.push(`length=${state ? state.length : setup.length}`);
    (state ? state.lanes : []).forEach((lane, index) => {
      const past = [...lane.events.map((event) => `${event.step}:${event.to}`), `${lane.step}`];
      if (lane.step) parts.push(`${'ab'[index]}=${past.join(',')}`);
    });
    return '#' + parts.join('&');
  };
  let remembered = 0, shown_address = '';
  const remember = (push) => {
    if (push) {
      shown_address = '';
      state = null;
      history.pushState(null, '', shown_address = address());
    } else if (state && !state.running && !state.lanes.some((lane) => lane.without) && performance.now() - remembered > 400) {
      remembered = performance.now();
      const now = address();
      if (now !== location.hash && now !== shown_address) history.replaceState(null, '', shown_address = now);
    }
  };
  // What the address asks for; `broken` names the first thing that there is not.
  const read_address = () => {
    const asked = new URLSearchParams(location.hash.slice(1)), found = { ...usual, past: [[], []], broken: '' };
    const take = (name, check, put) => {
      if (!asked.has(name)) return;
      if (check(asked.get(name))) put(asked.get(name));
      else found.broken = found.broken || `${name}=${asked.get(name)}`.slice(0, 60);
    };
    const whole = (low, high) => (text) => /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high;
    take('task', (name) => Object.hasOwn(facts.tasks, name), (name) => { found.task = name; });
    take('model', (name) => ['encoder', 'decoder'].includes(name), (name) => { found.model = name; });
    if (facts.tasks[found.task].form === 'generation') found.model = 'decoder';
    take('schemes', (names) => names.split(',').length === 2 && names.split(',').every((name) => Object.hasOwn(facts.schemes, name)),
         (names) => { found.schemes = names.split(','); });
    take('seed', whole(1, 1e6), (text) => { found.seed = Number(text); });
    take('length', whole(4, 48), (text) => { found.length = Number(text); });
    for (const index of [0, 1])
      take('ab'[index], (past) => past.split(',').length < 20 && past.split(',').every((item) => {
        const [step, to] = item.split(':');
        return whole(0, 20000)(step) && (to === undefined || Object.hasOwn(facts.schemes, to));
      }), (past) => { found.past[index] = past.split(',').map((item) => {
        const [step, to] = item.split(':');
        return [Number(step), to];
      }); });
    return found;
  };
  const go_to_address = () => {
    end_story();
    const { past, broken, ...found } = read_address();
    setup = broken ? { ...usual } : found;
    begin(broken ? {} : { past });
    if (broken) say('broken', { what: broken });
    else say(past.flat().length ? 'paused' : 'start', { step: Math.max(0, ...past.flat().map((item) => item[0])) });
    find('');
  };
  addEventListener('popstate', go_to_address);

  const commands = () => state.lanes.map((lane, index) => {
    const base = ['build/locus train', `--task ${setup.task}`, `--scheme ${setup.schemes[index]}`];
    if (setup.model !== 'encoder') base.push(`--model ${setup.model}`);
    if (setup.seed !== 1) base.push(`--seed ${setup.seed}`);
    const runs = `runs/playground/${setup.task}-${'ab'[index]}`;
    const lines = [`${base.join(' ')} --out ${runs}`];
    lane.events.forEach((event, i) => {
      if (lane.ends[i] === false) lines.push(word('early', { step: event.step }));
      if (facts.schemes[setup.schemes[index]].parameters) lines.push(word('not-native', { scheme: setup.schemes[index] }));
      lines.push(`build/locus train --from ${runs}${i ? `-${i}` : ''} --scheme ${event.to} --out ${runs}-${i + 1}`);
    });
    return lines.join('\n');
  }).join('\n');
  const copy = (button, text) => {
    Object.assign(one('#command'), { hidden: false, textContent: text });
    const before = button.textContent;
    Promise.resolve(navigator.clipboard && navigator.clipboard.writeText(text)).then(() => {
      if (!navigator.clipboard) return;
      button.textContent = word('copied');
      setTimeout(() => { button.textContent = before; }, 1500);
    }, () => getSelection().selectAllChildren(one('#command')));
  };
  one('#copy').addEventListener('click', ({ target }) => { if (state) copy(target, commands()); });
  one('#link').addEventListener('click', ({ target }) => {
    if (state) copy(target, location.href.replace(/#.*/, '') + address());
  });

  // --- guess first ---
  const guessed = { none: false, length: false };
  const ask_guess = (question, choices, then) => {
    prose(one('#question'), question);
    one('#guess .choices').replaceChildren(...[...choices, word('skip')].map((choice) => {
      const button = make('button', { type: 'button', textContent: choice });
      button.addEventListener('click', () => {
        one('#guess').hidden = true;
        then(choice === word('skip') ? '' : choice);
      });
      return button;
    }));
    one('#guess').hidden = false;
    if (!telling) one('#guess button').focus({ preventScroll: false });
    return true;
  };
  const choices = ['1 in 10', 'a quarter', 'half', 'nearly all'];
  let my_guess = '';
  const guess_none = () => {
    const untrained = state && state.lanes.every((lane) => lane.step === 0);
    if (guessed.none || !untrained || !setup.schemes.includes('none') || !task().order) return false;
    guessed.none = true;
    return ask_guess(word('guess-none', { task: setup.task, summary: task().summary }), choices, (guess) => {
      my_guess = guess;
      run(true);
    });
  };
  const guess_length = () => {
    const index = state.lanes.findIndex((lane) => lane.scheme !== 'none' && lane.solved);
    if (guessed.length || telling || index < 0) return false;
    guessed.length = true;
    const lane = state.lanes[index];
    return ask_guess(word('guess-length', { scheme: code(lane.scheme), length: lane.trained,
      a: rate((lane.accuracy[lane.trained] || {}).value) }), choices, (guess) => {
      const value = (lane.accuracy[24] || {}).value;
      setup.length = guess ? 24 : asked_length || 24;
      tell({ do: 'length', at: setup.length });
      if (guess) say('guess-told', { guess, a: rate(value) });
      find('longer');
      range.focus();
    });
  };
  // When both lanes have ended, or the second has solved its task, it is said once.
  let announced = '';
  listeners.add(() => {
    if (telling) return;
    const over = state.lanes.every((lane) => lane.status !== 0), key = over + setup.task + state.lanes.map((lane) => lane.began);
    const solved = state.lanes.find((lane) => lane.solved);
    if (over && announced !== key && state.lanes.some((lane) => lane.step)) {
      announced = key;
      const at = state.lanes[0].trained, [a, b] = state.lanes.map((lane) => rate((lane.accuracy[at] || {}).value));
      say('ended', { first: code(setup.schemes[0]), second: code(setup.schemes[1]), a, b, length: at });
      if (my_guess) {
        const none = state.lanes.find((lane) => lane.scheme === 'none');
        if (none) say('guess-told', { guess: my_guess, a: rate((none.accuracy[at] || {}).value) });
        my_guess = '';
      }
      find('trained');
    } else if (solved && state.running && announced !== 'solved' + key) {
      announced = 'solved' + key;
      say('solved', { scheme: code(solved.scheme), step: solved.solved });
    }
  });

  // --- the story ---
  let telling = null;
  const end_story = () => {
    if (!telling) return;
    telling.abort(new Error('the reader took over'));
    telling = null;
    document.documentElement.classList.remove('telling');
    one('#guess').hidden = true;
  };
  const story = async () => {
    const mine = telling = new AbortController(), { signal } = mine;
    document.documentElement.classList.add('telling');
    const pause = (seconds) => new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, 1000 * seconds);
      signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
    });
    const value = (index, at) => rate((state.lanes[index].accuracy[at] || {}).value);
    try {
      setup = { ...usual };
      begin();
      await until(() => state.lanes[1].step === 0 && state.lanes[1].scheme === 'sinusoidal', signal);
      guessed.none = guessed.length = true;
      ask_guess(word('guess-none', { task: setup.task, summary: task().summary }), choices, (guess) => {
        end_story();
        my_guess = guess;
        run(true);
      });
      say('start');
      find('');
      await pause(1.8);
      one('#guess').hidden = true;
      run(true);
      await until(() => state.lanes[1].solved > 0, signal);
      say('solved', { scheme: code('sinusoidal'), step: state.lanes[1].solved });
      find('trained');
      await until(() => state.lanes[1].status !== 0, signal);
      await pause(0.4);
      say('longer', { length: 24 });
      find('longer');
      for (const at of [14, 16, 18, 20, 22, 24]) {
        tell({ do: 'length', at });
        await pause(0.16);
      }
      await pause(1);
      tell({ do: 'length', at: 12 });
      tell({ do: 'without', index: 1, on: true });
      say('away', { scheme: code('sinusoidal') });
      find('taken');
      await pause(1);
      await until(() => state.lanes[1].without && state.lanes[1].accuracy[12], signal);
      say('remains', { a: value(1, 12), ceiling: rate((state.ceilings[12] || [])[0]) });
      await pause(1);
      tell({ do: 'change', index: 1, to: 'none' });
      run(true);
      find('without');
      await pause(2.4);
      await until(() => state.lanes[1].step - state.lanes[1].began >= 20, signal);
      say('without', { a: value(1, 12) });
      telling = null;
      document.documentElement.classList.remove('telling');
    } catch (error) {
      if (!signal.aborted) throw error;
      if (state && state.lanes.some((lane) => lane.without)) tell({ do: 'without', index: 1, on: false });
    }
  };
  // Any key or touch hands over control.
  for (const kind of ['pointerdown', 'keydown', 'wheel'])
    addEventListener(kind, (event) => {
      const own = event.target.closest && event.target.closest('#guess, #story');
      if (!telling || own) return;
      end_story();
      say('yours');
    }, { capture: true, passive: true });
  one('#story').addEventListener('click', () => { end_story(); story(); });

  // --- the beginning ---
  if (typeof WebAssembly !== 'object' || typeof DecompressionStream !== 'function' || typeof Worker !== 'function')
    return no_engine();
  one('#live').hidden = false;
  say('loading');
  if (location.hash.length > 1) go_to_address();
  else {
    begin();
    say('start');
    find('');
    const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
    if (!still) {
      const waiting_for_reader = setTimeout(() => { if (!telling) story(); }, 2000);
      for (const kind of ['pointerdown', 'keydown', 'wheel'])
        addEventListener(kind, () => clearTimeout(waiting_for_reader), { once: true, capture: true, passive: true });
    }
  }
  addEventListener('resize', draw);
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
})();
