// What this run shows, in a sentence made of its own numbers: about the two models on the page, at the length on the
// page. While they have learned nothing it says what the task is.
const solved_from = 0.97, near = 0.03, much = 0.1;
const accuracy_of = (lane, at) => (lane.accuracy[at] || {}).value;
const is_bare = (lane) => lane.without || (lane.scheme === 'none' && lane.last !== '');
const called = (lane) => is_bare(lane) ? word('bare', { scheme: code(lane.last) }) : code(lane.scheme);
const ceiling_at = (at) => (state.ceilings[at] || [])[0];

// What lets a model solve the task without positions: the mask of a decoder, or that no order is needed.
const without_positions = (lane) => lane.generates && task().needs_order ? 'insight-decoder' : 'insight-unneeded';
// The lengths next to the trained one, where the model is much worse at both: a spike.
const spike_of = (lane, trained) => {
  const tested = Object.keys(lane.accuracy).map(Number).sort((a, b) => a - b);
  const beside = [tested.filter((at) => at < trained).pop(), tested.find((at) => at > trained)];
  const drops = (at) => accuracy_of(lane, at) < 0.5;
  return lane.shortest === lane.trained && !lane.events.length && beside.every(drops) ? beside : null;
};
// A model whose positions were taken away and put back: in how many steps it comes to what it had before, as its curve
// has it (every five steps), and in how many it came there from nothing.
const returned = (lane) => {
  const { curve, events, trained } = lane, [away, back] = events.slice(-2);
  if (!back || !back.back || back.step === away.step || lane.step === back.step) return '';
  const [, before] = curve.find(([step]) => step === away.step), goal = Math.min(0.99, before);
  const [, low] = curve.findLast(([step]) => step === back.step), there = ([, value]) => value >= goal;
  const found = curve.find((point) => point[0] > back.step && there(point)), [step] = found || [lane.step];
  return word(low >= goal ? 'insight-kept' : found ? 'insight-returned' : 'insight-returning', {
    scheme: code(lane.scheme), goal: percent(goal), before: percent(before), low: percent(low),
    without: back.step - away.step, steps: step - back.step, first: curve.find(there)[0],
    a: percent(accuracy_of(lane, trained)) });
};
const insight_longer = (lanes, { trained, length }) => {
  const able = lanes.filter((lane) => accuracy_of(lane, trained) >= solved_from && !is_bare(lane));
  const values = able.map((lane) => accuracy_of(lane, length));
  if (!able.length || !values.every(Number.isFinite)) return '';
  const best = values.indexOf(Math.max(...values)), worst = values.indexOf(Math.min(...values));
  const [better, worse] = [able[best], able[worst]].map(called);
  const about = { length, trained, scheme: worse, better, worse };
  const free = Math.max(...[0, 2].map((which) => (state.ceilings[length] || [])[which]).filter(Number.isFinite));
  if (able.length > 1 && free < 0.98 && values[best] < free - near)
    return word('insight-both-below', { free: percent(free) });
  if (values[best] - values[worst] >= much)
    return word(able[worst].scheme === 'rope' && stopped_in(able[best].scheme) === '1/2' ? 'insight-clocks'
      : able[best].scheme === 'none' ? 'insight-better-without' : 'insight-one', about);
  const spike = spike_of(able[worst], trained), value = values[worst];
  if (spike) return word('insight-places', { ...about, shorter: spike[0], longer: spike[1] });
  if (free < 0.98 && value < free - near) return word('insight-below', { ...about, free: percent(free) });
  return word(value < 0.9 ? 'insight-part' : able.length > 1 ? 'insight-both-carry' : 'insight-carries', about);
};
const insight = () => {
  const { lanes, length } = state, { trained } = lanes[0], ceiling = ceiling_at(trained);
  const baseline = (state.ceilings[trained] || [])[2];
  const is_guessing = (lane) => lane.step >= 200 && accuracy_of(lane, trained) < baseline + near;
  if (length === trained && lanes.every(is_guessing)) return word('insight-nothing');
  if (!lanes.some((lane) => lane.learned)) return '';
  if (length !== trained) return insight_longer(lanes, { trained, length });
  const about = { trained, task: code(setup.task), ceiling: percent(ceiling) };
  const bare = lanes.find((lane) => is_bare(lane) && lane.learned);
  const limited = ceiling < 0.98, value = bare && accuracy_of(bare, trained);
  if (bare) {
    const fresh = bare.without || bare.step === bare.began;
    if (value >= solved_from) return word(without_positions(bare), about);
    if (!limited || !Number.isFinite(value)) return '';
    return word(value >= ceiling - near ? 'insight-back' : fresh ? 'insight-expects' : 'insight-climbs', about);
  }
  const back = lanes.find((lane) => lane.step === lane.began && (lane.events[lane.events.length - 1] || {}).back);
  if (back && accuracy_of(back, trained) < solved_from) return word('insight-forgot');
  const again = lanes.map(returned).find(Boolean);
  if (again) return again;
  const none = lanes.find((lane) => lane.scheme === 'none'), got = none && accuracy_of(none, trained);
  if (none && got >= solved_from) return word(without_positions(none), about);
  if (none && limited && Math.abs(got - ceiling) <= near) return word('insight-none', about);
  if (!longer_seen && lanes.every((lane) => accuracy_of(lane, trained) >= solved_from))
    return word('insight-both', about);
  return '';
};
const find = () => {
  const { summary } = facts.tasks[setup.task];
  const text = (state && insight()) || word('task', { task: code(setup.task), summary });
  if (changed(one('#finding'), text)) prose(one('#finding'), text);
};
