// The curve of each lane, accuracy by length, and what a scheme gives to each position.

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
// The right end of the curves. A training that begins later gets half of its steps until it needs more.
const most_steps = () => Math.max(...state.lanes.map((lane) =>
  Math.max(lane.step, lane.began + facts.steps[setup.model] * (lane.events.length ? 0.5 : 1))));
const name_of = (event) => event.to === 'none' ? word('event-away')
  : event.back ? word('event-back') : word('event-scheme', { scheme: event.to });

const draw_curve = (place, lane) => {
  const width = place.clientWidth || 300, height = place.clientHeight || 84, right = 8, bottom = 4;
  place.setAttribute('viewBox', `0 0 ${width} ${height}`);
  const most = most_steps(), x = (step) => 1 + step / most * (width - right);
  const y = (value) => 6 + (1 - value) * (height - 6 - bottom);
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
  const left = 34, right = 100, top = 10, bottom = 26;
  const x = (at) => left + (at - 4) / 44 * (width - left - right);
  const y = (value) => top + (1 - value) * (height - top - bottom);
  const parts = [];
  const label = (text, [at, down], attributes) => parts.push(svg('text', { x: at, y: down, ...attributes }, text));
  for (const value of [0, 0.25, 0.5, 0.75, 1]) {
    parts.push(svg('line', { class: 'grid', x1: left, x2: width - right, y1: y(value), y2: y(value) }));
    label(value, [left - 6, y(value) + 4], { 'text-anchor': 'end' });
  }
  const trained = state.lanes[0].trained;
  for (const at of [4, 12, 24, 36, 48])
    label(at === trained ? word('trained-at', { length: at }) : at, [x(at), height - 8], { 'text-anchor': 'middle' });
  parts.push(svg('line', { class: 'trained', x1: x(trained), x2: x(trained), y1: top, y2: height - bottom }));
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
    const away = lane.without || (lane.scheme === 'none' && lane.first !== 'none');
    ends.push([away ? word('event-away') : lane.scheme, y(points[points.length - 1][1]), `name lane${index}`]);
  });
  // Names at the right end, moved apart.
  ends.sort((a, b) => a[1] - b[1]);
  let above = -99;
  for (const end of ends) end.push(above = Math.max(end[1] + 4, above + 14));
  let below = height - bottom + 4;
  for (const end of [...ends].reverse()) below = (end[3] = Math.min(end[3], below)) - 14;
  for (const [text, , look, at] of ends) label(text, [width - right + 8, at], { class: look });
  const here = x(state.length);
  parts.unshift(svg('line', { class: 'here', x1: here, x2: here, y1: top, y2: height - bottom }));
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
  const none = lane.scheme === 'none' || lane.without, canvas = one('canvas', place);
  const { kind, rows, columns, values } = none ? { kind: 0 } : lane.codes;
  place.classList.toggle('plain', none);
  const name = none ? 'codes-none' : `codes-${kind}`;
  const caption = one('figcaption', place);
  if (caption.textContent !== word(name)) caption.textContent = word(name);
  canvas.hidden = kind === 0 && !none;
  canvas.setAttribute('aria-label', word(name));
  if (kind === 0 && !none) return;
  if (none) {
    Object.assign(canvas, { width: 1, height: 1 });
    canvas.getContext('2d').fillStyle = `rgb(${facts.diverging[32]})`;
    canvas.getContext('2d').fillRect(0, 0, 1, 1);
    return;
  }
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
