// The curve of each lane, accuracy by length, and what a scheme gives to each position.

const lanes = all('.lane');
// Sizes are asked for once: asking after a change makes the browser lay out the page.
const sizes = new Map();
const size_of = (place) => {
  if (!sizes.has(place)) {
    sizes.set(place, [place.clientWidth, place.clientHeight]);
    resized.observe(place);
  }
  const [width, height] = sizes.get(place);
  return [width || 320, height || 84];
};
const resized = new ResizeObserver((entries) => {
  for (const { target, contentRect } of entries) sizes.set(target, [contentRect.width, contentRect.height]);
  if (state) draw();
});
// Draws only when `key`, a text of all that the picture depends on, has changed.
const keys = new WeakMap();
const changed = (place, key) => keys.get(place) !== key && Boolean(keys.set(place, key));
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
// The right end of the curves. A training that begins later gets half of its steps until it needs more.
const most_steps = () => Math.max(...state.lanes.map((lane) =>
  Math.max(lane.step, lane.began + model().steps * (lane.events.length ? 0.5 : 1))));
// What was done to a model. Clocks are compared with those that it began with.
const name_of = (lane, { to, back }, named = clocks_in) => {
  if (to === 'none' || back) return word(back ? 'event-back' : 'event-away');
  const [was, now] = [lane.first, to].map((scheme) => (stopped_in(scheme) || '').split('/').filter(Boolean));
  const stopped = now.filter((one) => !was.includes(one)), moving = was.filter((one) => !now.includes(one));
  return word(stopped.length ? 'event-stopped' : moving.length ? 'event-go' : 'event-scheme', {
    scheme: to, clocks: named(`rope:still=${(stopped.length ? stopped : moving).join('/')}`) });
};

// The frame of a curve is drawn when it changes, its line and its last point many times a second.
const draw_curve = (place, lane) => {
  const [width, height] = size_of(place), right = 8, bottom = 4;
  const most = most_steps(), x = (step) => 1 + step / most * (width - right);
  const y = (value) => 6 + (1 - value) * (height - 6 - bottom);
  const ceiling = lane.blind === 2 || is_bare(lane) ? ceiling_at(lane.trained) : 1;  // where it binds the model
  const names = lane.events.map((event) => word('event', { name: name_of(lane, event), step: event.step })).join(', ');
  if (changed(place, [width, height, most, ceiling, names, hides_limits()].join())) {
    const parts = [], labels = [];
    for (const value of [0, 0.5, 1])
      parts.push(svg('line', { class: 'grid', x1: 0, x2: width, y1: y(value), y2: y(value) }));
    if (ceiling < 0.98 && !hides_limits())
      parts.push(svg('line', { class: 'ceiling', x1: 0, x2: width, y1: y(ceiling), y2: y(ceiling) }));
    lane.events.forEach((event, i) => {
      const at = x(event.step), name = name_of(lane, event), room = width - 7 * name.length;  // for its letters
      parts.push(svg('line', { class: 'event', x1: at, x2: at, y1: 2, y2: height }));
      if (i === lane.events.length - 1)  // all are in the picture's description
        labels.push(svg('text', { class: 'event', x: Math.max(0, Math.min(at + 4, room)),
          y: lane.curve.findLast(([, value]) => value >= 0)[1] > 0.5 ? height - 8 : 20 }, name));
    });
    place.setAttribute('viewBox', `0 0 ${width} ${height}`);
    place.replaceChildren(...parts, svg('path', { class: 'line' }), svg('circle', { class: 'dot', r: 4 }), ...labels);
  }
  const line = one('.line', place), dot = one('.dot', place), last = lane.curve[lane.curve.length - 1];
  if (!last || !changed(line, [lane.began, lane.curve.length, last, most, width, height].join())) return;
  line.setAttribute('d', path(lane.curve, x, y));
  dot.setAttribute('cx', x(last[0]));
  dot.setAttribute('cy', y(last[1]));
  place.setAttribute('aria-label', word('curve', { accuracy: percent(last[1]), step: lane.step, events: names }));
};

const chart = one('#chart'), range = one('#slider input');
const lengths = [4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48];  // those that the thread tests by itself (worker.js)
const stale = 20;  // steps: a length that was tested longer ago is not shown
const is_stale = (lane, at) => lane.step - lane.accuracy[at].step > stale;

const show_length = (at) => {
  const { shortest, trained } = state.lanes[0];
  put(one('#slider output'), at);
  put(one('#slider i'), word(at >= shortest && at <= trained ? 'length-trained' : 'length-new'));
};

// As of a curve: what stands still (`still`) is drawn when it changes, the lines of the models many times a second.
const draw_chart = () => {
  const [width, height] = size_of(chart), left = 34, right = 132, top = 10, bottom = 26;
  if (document.activeElement !== range || range.value != state.length) range.value = state.length;
  show_length(state.length);
  const x = (at) => left + (at - 4) / 44 * (width - left - right);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const box = { x, y, left, right: width - right, top, bottom: height - bottom };
  if (changed(chart, JSON.stringify([width, height, state.length, state.ceilings, longer_seen,
    hides_limits(), state.lanes.map((lane) => [lane.blind, lane.trained])]))) {
    chart.setAttribute('viewBox', `0 0 ${width} ${height}`);
    chart.replaceChildren(svg('g', { class: 'still' }), svg('g', { class: 'moving' }));
    keys.delete(one('.moving', chart));
    draw_frame(one('.still', chart), box);
    one('#slider').style.setProperty('--left', `${left}px`);
    one('#slider').style.setProperty('--right', `${right}px`);
  }
  const moving = one('.moving', chart);
  if (changed(moving, JSON.stringify(state.lanes.map((lane) => [lane.scheme, lane.last,
    Object.entries(lane.accuracy).map(([at, { value }]) => [at, value, is_stale(lane, at)])]))))
    draw_lines(moving, box);
};

// The lines that the question needs, with their values at each length that is shown: the most for a model on the page,
// and the higher of what is right without order and what is right without reading.
const guides = () => {
  if (hides_limits()) return [];
  const [blind, , baseline] = state.ceilings[state.lanes[0].trained] || [], kinds = [];
  const bound = (by) => state.lanes.some((lane) => lane.blind === by || (by === 2 && is_bare(lane)));
  if (bound(2) || !(baseline > blind)) kinds.push(['blind', 0, 'ceiling']);
  if (!(blind >= baseline && blind <= 0.98)) kinds.push(['baseline', 2, 'baseline']);
  if (bound(1)) kinds.push(['mirror', 1, 'ceiling mirror']);
  return kinds.map(([name, which, look]) => ({ name, look, points: Object.entries(state.ceilings)
    .map(([at, values]) => [Number(at), values[which]])
    .filter(([at, value]) => Number.isFinite(value) && (longer_seen || at <= state.lanes[0].trained)) }))
    .filter(({ name, points }) => points.length && !(name !== 'baseline' && points[0][1] > 0.98));
};
const draw_frame = (place, { x, y, left, right, top, bottom }) => {
  const parts = [], { trained, shortest } = state.lanes[0], here = x(state.length);
  const label = (text, [at, down], anchor) => parts.push(svg('text', { x: at, y: down, 'text-anchor': anchor }, text));
  parts.push(svg('line', { class: 'here', x1: here, x2: here, y1: top, y2: bottom }));
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(svg('line', { class: 'grid', x1: left, x2: right, y1: y(value), y2: y(value) }));
    label(`${100 * value}${value === 1 ? ' %' : ''}`, [left - 6, y(value) + 4], 'end');
  }
  for (const at of shortest < trained ? [12, 24, 36, 48] : [4, 12, 24, 36, 48])
    label(at !== trained ? at : word(shortest < trained ? 'trained-from' : 'trained-at', { from: shortest, at }),
      [x(at), bottom + 18], 'middle');
  const from = x(Math.max(4, shortest)) - 4;
  parts.push(svg('rect', { class: 'trained', x: from, width: x(trained) + 4 - from, y: top, height: bottom - top }));
  for (const { look, points } of guides()) parts.push(svg('path', { class: look, d: path(points, x, y) }));
  if (!longer_seen) {
    const middle = (x(trained) + right) / 2;
    label(word('not-yet'), [middle, y(0.62)], 'middle');
    label(word('not-yet-how'), [middle, y(0.62) + 16], 'middle');
  }
  place.replaceChildren(...parts);
};
const draw_lines = (place, { x, y, right, bottom }) => {
  const parts = [], ends = guides().map(({ name, points }) =>
    [word(name), y(points[points.length - 1][1]), 'small']);
  state.lanes.forEach((lane, index) => {
    // A line joins lengths between which all were tested; a task may have no inputs of some.
    const is_there = (at) => at in lane.accuracy && !is_stale(lane, at);
    const line = [...new Set([...lengths, ...Object.keys(lane.accuracy).map(Number)])].sort((a, b) => a - b)
      .filter((at) => longer_seen || at <= lane.trained).map((at) => [at, is_there(at) ? accuracy_of(lane, at) : NaN])
      .filter(([at, value]) => !is_there(at) || Number.isFinite(value));
    const points = line.filter(([, value]) => Number.isFinite(value)), group = svg('g', { class: `lane${index}` });
    parts.push(group);
    if (!points.length) return;
    const was = whole[index];
    if (lane.events.length && was) {
      const past = Object.entries(was).map(([at, { value }]) => [Number(at), value])
        .filter(([at, value]) => Number.isFinite(value) && (longer_seen || at <= lane.trained));
      group.append(svg('path', { class: 'was', d: path(past, x, y) }));
      if (past.length) ends.push([word('before'), y(past[past.length - 1][1]), 'small']);
    }
    group.append(svg('path', { class: 'line', d: path(line, x, y) }));
    for (const [at, value] of points)
      group.append(svg('circle', { class: 'dot', cx: x(at), cy: y(value), r: at === state.length ? 5.5 : 2.5 }));
    ends.push([is_bare(lane) ? word('event-away') : name_of_lane(lane, short), y(points[points.length - 1][1]),
      `name lane${index}`]);
  });
  // Names at the right end, moved apart.
  ends.sort((a, b) => a[1] - b[1]);
  let above = -99;
  for (const end of ends) end.push(above = Math.max(end[1] + 4, above + 14));
  let below = bottom + 4;
  for (const end of [...ends].reverse()) below = (end[3] = Math.min(end[3], below)) - 14;
  for (const [text, , look, at] of ends) parts.push(svg('text', { class: look, x: right + 8, y: at }, text));
  place.replaceChildren(...parts);
  const { shortest: low, trained: high } = state.lanes[0];
  put(one('#only'), word(low === high ? 'only-one' : 'only-some', { low, high }));
  put(one('#lines'), guides().map(({ name }) =>
    word(`${name}-means`, { unread: has_one_answer() ? '' : word('baseline-places') })).join(' '));
  const values = state.lanes.map((lane) => `${name_of_lane(lane)} ${[4, 12, 24, 48]
    .filter((at) => longer_seen || at <= lane.trained)
    .map((at) => word('value-at', { value: percent(accuracy_of(lane, at)), at })).join(', ')}`).join('; ');
  chart.setAttribute('aria-label', word('chart', { values }));
};

// What the scheme gives to each position, as the engine last told it (exports.cpp, `codes`, names the kinds).
const codes = [{ kind: 0 }, { kind: 0 }];
// Where a value stands in the palette, from 0 to 1, and the values at both ends.
const shade_of = (kind, values) => {
  const known = values.filter(Number.isFinite);
  const low = Math.min(...known), high = Math.max(...known), size = Math.max(-low, high) || 1;
  if (kind === 3) return { shade: (bias) => high > low ? (bias - low) / (high - low) : 1, ends: [low, high] };
  return { shade: (value) => (value / size + 1) / 2, ends: [-size, size] };
};
const shaded = (palette, shade) => palette[Math.round(shade * (palette.length - 1))];
// A pixel for each colour, row by row; nothing where there is none.
const paint = (canvas, width, height, colours) => {
  Object.assign(canvas, { width, height });
  const context = canvas.getContext('2d'), image = context.createImageData(width, height);
  colours.forEach((colour, i) => image.data.set(colour ? [...colour, 255] : [0, 0, 0, 0], 4 * i));
  context.putImageData(image, 0, 0);
};
const draw_scale = (place, palette, ends) => {
  const canvas = one('canvas', place);
  all('span', place).forEach((span, i) => put(span, String(Number(ends[i].toPrecision(2))).replace('-', '−')));
  if (changed(canvas, palette)) paint(canvas, palette.length, 1, palette);
};
// What a head was last seen to read: pale, while a model trains, until it is asked again.
const tokens_beside = 16;  // longer inputs leave no room for them
const draw_map = (place, lane, index) => {
  const seen = reading[index], is_now = Boolean(seen) && seen.of === reading_of(lane), canvas = one('canvas', place);
  const is_same = seen && seen.scheme === lane.scheme;
  place.hidden = !is_now && !(is_same && lane.learned);
  if (place.hidden) return;
  const { size, map, tokens } = seen, words = is_now ? seen.words : word('reads-then',
    { ...seen, when: word(seen.input === state.input ? 'reads-then-at' : 'reads-then-other', seen) });
  place.classList.toggle('named', size <= tokens_beside);
  place.classList.toggle('past', !is_now);
  place.classList.toggle('no-map', Boolean(seen.hides_map));
  if (size <= tokens_beside && changed(one('.keys', place), tokens.join(' ')))
    for (const side of ['.keys', '.queries'])
      one(side, place).replaceChildren(...tokens.map((token) => make('span', { textContent: token })));
  const caption = seen.hides_map ? words : `${words} ${word('map-scale')}`;
  if (put(one('figcaption', place), caption)) canvas.setAttribute('aria-label', words);
  if (changed(canvas, map)) paint(canvas, size, size, map.map((weight) => shaded(facts.sequential, weight)));
};

// The pairs of channels that turn, as clocks: a hand stands at the angle between two tokens that are so far apart, and
// the dots are the distances of training. Those of RoPE stop and go on when they are pressed.
const seconds_a_distance = 0.5;
const speed_of = (clock) => 10000 ** (-clock / 8);  // of RoPE, in radians a token
const turn_of = (speed) => Math.round(2 * Math.PI / speed).toLocaleString('en');  // in tokens
// The largest distance: a decoder reads marks at both ends of the input, and its answer. And whether a clock comes much
// further round than in training; an encoder looks to both sides.
const reach_of = (lane, at) => lane.generates ? at + 1 + (has_one_answer() ? 1 : at) : at - 1;
const has_new_angles = (lane, clock) => {
  const sides = lane.generates ? 1 : 2, round = (at) => sides * speed_of(clock) * reach_of(lane, at);
  return Math.min(2 * Math.PI, round(state.length)) - round(lane.trained) > Math.PI / 6;
};
const pairs = [null, null];  // the place of a token that is pointed at, and of the one that it reads most
const draw_clocks = (place, lane, index, { kind, columns, values }) => {
  place.hidden = kind !== 2;
  if (kind !== 2) return;
  const speeds = [...values.slice(columns, 2 * columns)];  // radians a position
  const stopped = (stopped_in(lane.scheme) || '').split('/').filter(Boolean);
  const ours = lane.scheme === 'rope' || stopped.length > 0, { trained } = lane, { length } = state;
  const reach = (at) => reach_of(lane, at);
  const clocks = [...speeds.keys()].filter((clock) => speeds[clock] > 0 && has_new_angles(lane, clock));
  const longer = word(clocks.length ? 'clocks-new' : 'clocks-known', { length,
    clocks: word(clocks.length > 1 ? 'clocks-named' : 'clock-named', { clocks: clocks.join(', ') }) });
  const caption = !ours ? word('clocks-fixed') : length > trained ? longer : word('clocks', { far: reach(trained) });
  // What a clock that was just pressed has cost, or given.
  const latest = lane.events.findLast(({ step }) => step === lane.step);
  const cost_at = (at) => {
    const [was, now] = [whole[index], lane.accuracy].map((known) => percent((known?.[at] || {}).value));
    return word(was === now ? 'clocks-same' : 'clocks-changed', { was, now, length: at });
  };
  const cost = latest && whole[index] ? word('clocks-cost', { change: name_of(lane, latest),
    all: [...new Set([length, trained])].map(cost_at).join('; ') }) : '';
  if (!changed(place, [lane.scheme, trained, length, speeds, caption, cost].join())) return;
  const at = (angle, far) => ({ x: 20 + far * Math.sin(angle), y: 20 - far * Math.cos(angle) });
  place.replaceChildren(...speeds.map((speed, clock) => {
    const stands = speed === 0, turn = turn_of(speed);
    const face = svg('svg', { viewBox: '0 0 40 40' });
    face.append(svg('circle', { cx: 20, cy: 20, r: 18 }));
    for (let far = lane.generates ? 0 : -reach(trained); far <= reach(trained) && !stands; ++far) {
      const dot = at(far * speed, 16);
      face.append(svg('circle', { class: 'dot', cx: dot.x, cy: dot.y, r: 1.4 }));
    }
    const hand = svg('line', { x1: 20, y1: 20, x2: 20, y2: 7 });
    Object.assign(hand.dataset, { speed, known: reach(trained), most: reach(Math.max(length, trained)) });
    face.append(hand);
    const name = word(stands ? 'clock-still' : 'clock', { clock, turn });
    const button = make('button', { type: 'button', disabled: !ours, title: name, ariaLabel: name },
      [make('b', { textContent: clock }), face, make('span', { textContent: stands ? '–' : turn })]);
    button.setAttribute('aria-pressed', stands);
    button.addEventListener('click', () => {
      const now = stands ? stopped.filter((one) => Number(one) !== clock) : [...stopped, clock].sort((a, b) => a - b);
      change(index, now.length ? `rope:still=${now.join('/')}` : 'rope');
    });
    return button;
  }), make('p', { className: 'cost', textContent: cost }), make('p', { className: 'small apart' }),
    make('p', { className: 'small', textContent: caption }));
  tick();
};
let ticks = 0;
const tick = () => lanes.forEach((place, index) => {
  const pair = looking[index] === null ? null : pairs[index];
  for (const hand of all('.clocks line', place)) {
    const { speed, known, most } = hand.dataset, far = pair ? pair[0] - pair[1] : ticks % (Number(most) + 1);
    hand.classList.toggle('new', speed > 0 && Math.abs(far) > known);
    hand.setAttribute('transform', `rotate(${(speed * far * 180 / Math.PI).toFixed(1)} 20 20)`);
    put(one('.clocks .apart', place), word(pair ? 'clocks-pair' : 'clocks-apart', { far: Math.abs(far) }));
  }
});
if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
  setInterval(() => {
    ++ticks;
    if (!document.hidden) tick();
  }, 1000 * seconds_a_distance);

const draw_codes = (place, lane, index) => {
  const canvas = one('canvas', place), none = lane.scheme === 'none';
  const told = none ? { kind: 0 } : codes[index], { kind, rows, columns, values } = told;
  draw_clocks(one('.clocks', place.parentNode), lane, index, told);
  place.hidden = kind === 2 || (kind === 0 && !one('.read', place.parentNode).hidden);  // clocks, or a map, say it
  if (place.hidden) return;
  canvas.hidden = one('.scale', place).hidden = kind === 0;
  const own = `codes-${kind}-${lane.scheme}`, known = templates[own] ? own : `codes-${kind}`;
  const caption = word(none ? 'codes-none' : known, { head: name_of_head(told.head || 0) });
  if (put(one('figcaption', place), caption)) canvas.setAttribute('aria-label', caption);
  if (canvas.hidden || !changed(canvas, told)) return;
  const { shade, ends } = shade_of(kind, values), palette = kind === 3 ? facts.sequential : facts.diverging;
  draw_scale(one('.scale', place), palette, ends);
  paint(canvas, columns, rows, values.map((value) => shaded(palette, shade(value))));
};
