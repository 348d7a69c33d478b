// What this run shows, in sentences made of its own numbers, a line for each thing: about the two models on the page,
// at the length on the page. While they have learned nothing it says what the task is.
const solved_from = 0.97, near = 0.03, much = 0.1;
const accuracy_of = (lane, at) => (lane.accuracy[at] || {}).value;
const is_bare = (lane) => lane.scheme === 'none' && lane.last !== '';
// One whose scheme was changed after a part of its training says so.
const called = (lane) => {
  if (is_bare(lane)) return word('bare', { scheme: '`' + name_before(lane) + '`' });
  const change = lane.events[lane.events.length - 1], scheme = '`' + name_of_lane(lane) + '`';
  return change && !change.back ? word('called-since', { scheme, step: change.step }) : scheme;
};
// Two standard errors of a test of 128 inputs, where each counts as one answer.
const by_chance = (share) => 2 * Math.sqrt(share * (1 - share) / 128);
const points_of = (share) => Math.max(1, Math.round(100 * by_chance(share)));
const ceiling_at = (at) => (state.ceilings[at] || [])[0];

// The most that is possible for a model that cannot see order (blind: 2) or sides (1), and whether that explains what
// it has: one that cannot see order ends there, one that cannot see sides may stay below.
const limit_of = (lane) => (state.ceilings[lane.trained] || [])[2 - lane.blind];
const is_at_limit = (lane) => lane.blind > 0 && limit_of(lane) < 0.98 && lane.step >= 100 &&
  (lane.blind === 1 || lane.status === at_limit ||
   Math.abs(accuracy_of(lane, lane.trained) - limit_of(lane)) <= (has_one_answer() ? by_chance(limit_of(lane)) : near));
// Why a model without order ends where it does: in `sort` an answer may be any digit of the input, in two others any of
// the other tokens.
const why_blind = () => {
  const which = { sort: 'of-all', reverse: 'of-others', previous: 'of-others' }[setup.task];
  return which ? word('why-commonest', { which: word(which) }) : word('why-blind');
};
// The clocks of a model that were stopped since it last trained.
const just_stopped = (lane) => {
  const change = lane.events.find(({ step }) => step === lane.step), from = change ? change.from : '';
  const still = (scheme) => (stopped_in(scheme) || '').split('/').filter(Boolean);
  return from === 'rope' || stopped_in(from) ? still(lane.scheme).filter((one) => !still(from).includes(one)) : [];
};
const said_of_stopped = (lane, { trained, length }) => {
  const before = whole[state.lanes.indexOf(lane)] || {}, stopped = just_stopped(lane).map(Number);
  const fastest = [0, 1, 2, 3, 4, 5, 6, 7].find((clock) => !stopped_in(lane.scheme).split('/').includes(`${clock}`));
  const was = (before[length] || {}).value, now = accuracy_of(lane, length);
  const about = { length, turn: turn_of(speed_of(fastest)), clocks: clocks_in(`rope:still=${stopped.join('/')}`),
    was: percent(was), now: percent(now),
    why: now > was && stopped.some((one) => has_new_angles(lane, one)) ? word('why-angles') : '' };
  if (accuracy_of(lane, trained) < (before[trained] || {}).value - much) return word('insight-stopped', about) +
    (fastest > 1 ? ` ${word('insight-stopped-left', about)}` : '');
  const is_little = length <= trained || !(Math.abs(now - was) >= (has_one_answer() ? by_chance(was) : near));
  return word(is_little ? 'insight-stopped-little' : 'insight-stopped-longer', about);
};
// A length below the trained one at which the model fails, too, though no position or distance is new there.
const fails_shorter = (lane, trained) => lane.shortest === trained &&
  Object.keys(lane.accuracy).map(Number).findLast((at) => at < trained && accuracy_of(lane, at) < 0.9);
// What lets a model solve the task without positions: the mask of a decoder, or that no order is needed.
const without_positions = (lane) => lane.generates && task().needs_order ? 'insight-decoder' : 'insight-unneeded';
// The lengths next to the trained one, where the model is much worse at both: a spike.
const spike_of = (lane, trained) => {
  const tested = Object.keys(lane.accuracy).map(Number).sort((a, b) => a - b);
  const beside = [tested.filter((at) => at < trained).pop(), tested.find((at) => at > trained)];
  const drops = (at) => accuracy_of(lane, at) < 0.5;
  return lane.shortest === lane.trained && !lane.events.length && beside.every(drops) ? beside : null;
};
// A model whose positions were taken away and put back: in how many steps it solved its task again, and from nothing.
const returned = (lane) => {
  const { curve, events } = lane, [away, back] = events.slice(-2);
  if (!back || !back.back || back.step === away.step || lane.step === back.step) return '';
  const [, low] = curve.findLast(([step]) => step === back.step);
  return !away.solved || !lane.solved || low >= 0.99 ? '' : word('insight-returned', {
    scheme: code(lane.scheme), low: percent(low), steps: lane.solved - back.step, first: away.solved });
};
const line_by_place = () => word('baseline') + (has_one_answer() ? '' : ` ${word('baseline-unread')}`);
// Accuracy by length of each model as it was trained, before it was changed.
const whole = [null, null];
// What is right without order or without reading: of both that which is higher at the trained length, as in the chart.
const level_at = (length) => {
  const levels = (at) => (state.ceilings[at] || []).map((value) => Number.isFinite(value) ? value : -1);
  const [blind, , baseline] = levels(state.lanes[0].trained), by = blind < baseline ? 2 : 0;
  const free = levels(length)[by] ?? -1;
  return { free, is_free: free >= 0 && free < 0.98, line: by ? line_by_place() : word('blind') };
};
// A test that came out above what is possible on average.
const above_limit = (lanes, length) => {
  const most = (lane) => lane.blind ? (state.ceilings[length] || [])[2 - lane.blind] : 1;
  const lucky = lanes.find((lane) => accuracy_of(lane, length) > most(lane) + near);
  return lucky ? word('above-limit', { scheme: called(lucky), limit: percent(most(lucky)),
    got: percent(accuracy_of(lucky, length)) }) : '';
};
const insight_longer = (lanes, { trained, length }) => {
  const bare = lanes.findIndex((lane) => is_bare(lane) && lane.step === lane.began);
  const was = bare < 0 || !whole[bare] ? NaN : (whole[bare][length] || {}).value;
  const now = bare < 0 ? NaN : accuracy_of(lanes[bare], length);
  if (Number.isFinite(now - was)) return word(now - was >= near ? 'insight-repaired' : 'insight-bare',
    { length, scheme: name_before(lanes[bare]), now: percent(now), was: percent(was) });
  const able = lanes.filter((lane) => accuracy_of(lane, trained) >= solved_from && !is_bare(lane));
  if (!able.length) return '';
  const values = able.map((lane) => accuracy_of(lane, length));
  if (!values.every(Number.isFinite)) return '';
  const best = values.indexOf(Math.max(...values)), worst = values.indexOf(Math.min(...values));
  const [better, worse] = [able[best], able[worst]].map(called);
  const { free, line, is_free } = level_at(length), value = values[worst];
  const lane = able[worst], shorter = fails_shorter(lane, trained), none = right_at_twice('none');
  // What training never showed: positions, where a scheme gives each its code, and otherwise distances.
  const why_new = () => {
    if (length >= lane.shortest && length <= trained) return '';
    if (length > trained && shorter)
      return word('new-shorter', { shorter, trained, got: percent(accuracy_of(lane, shorter)), scheme: worse });
    const unseen = codes[state.lanes.indexOf(lane)].kind === 1 ? 'new-positions' : 'new-distances';
    return word(length < trained || lane.scheme === 'none' ? 'new-length' : unseen, { length, scheme: worse });
  };
  const about = { length, trained, at: steps_done(), scheme: worse, better, worse, free: percent(free), line,
                  best: percent(values[best]), value: percent(value), new: why_new(),
                  seeds: setup.task === 'needle' ? ` ${word('insight-clocks-seeds')}` : '',
                  none: none === untested ? '' : ` ${word('insight-clocks-none', { none })}` };
  if (values[best] - value >= much && able.every((lane) => !lane.events.length) &&
      stopped_in(able[best].scheme) === '1/2' && lane.scheme !== 'none')
    return word(stopped_in(lane.scheme) ? 'insight-control' : 'insight-clocks', about);
  const spike = spike_of(lane, trained);
  if (spike) {
    const input = state.input.split(' ').slice(0, trained), said = lane.answer.said.split(' ');
    const is_backwards = input.length === trained && input.every((token, at) => token === said[trained - 1 - at]);
    return word('insight-places', { ...about, shorter: spike[0], longer: spike[1],
      trick: is_backwards ? ` ${word('trick', about)}` : '' });
  }
  if (is_free && value < free - near) return word('insight-below', about);
  return value < solved_from ? why_new() : word(able.length > 1 ? 'insight-both-carry' : 'insight-carries', about);
};
// Longer inputs and no positions: what shows the order all the same.
const mask_enough = (lanes, length) => {
  const got = Math.max(...lanes.map((lane) => lane.first === 'none' && lane.generates ? accuracy_of(lane, length) : 0));
  return got >= solved_from && task().needs_order ? word('insight-mask', { got: percent(got) }) : '';
};
const insight = () => {
  const { lanes, length } = state, { trained } = lanes[0], ceiling = ceiling_at(trained);
  const state_at = { trained, length };
  const limits = lanes.filter(is_at_limit).map((lane) => {
    const value = accuracy_of(lane, trained), limit = limit_of(lane);
    return word(lane.blind === 2 ? 'insight-none' : 'insight-mirror', {
      scheme: called(lane), got: percent(value), limit: percent(limit), why: why_blind(),
      luck: Math.abs(value - limit) < near ? '' : word('luck', { points: points_of(limit) }) });
  });
  const not_here = lanes.filter((lane) => lane.last && !is_bare(lane) && !is_at_limit(lane) && lane.status !== 0 &&
    !lane.solved && !lane.events.length).map((lane) => word('insight-not-here', { scheme: code(lane.scheme),
    summary: scheme_of(lane.scheme).summary, steps: lane.step, got: percent(accuracy_of(lane, trained)),
    needs: setup.task === 'reverse' ? ` ${word('needs-reverse')}` : '' }));
  const why = hides_limits() ? '' : [...new Set([...limits, ...not_here])].join('\n');
  if (!lanes.some((lane) => lane.learned)) return length === trained ? why : '';
  const stopped = lanes.find((lane) => just_stopped(lane).length);
  if (length !== trained) {
    const what = stopped ? said_of_stopped(stopped, state_at) : insight_longer(lanes, state_at);
    return [what, above_limit(lanes, length), mask_enough(lanes, length)].filter(Boolean).join('\n');
  }
  const about = { trained, task: code(setup.task), ceiling: percent(ceiling) };
  const bare = lanes.find((lane) => is_bare(lane) && lane.learned);
  const limited = ceiling < 0.98, value = bare && accuracy_of(bare, trained);
  if (bare) {
    const fresh = bare.step === bare.began;
    if (value >= solved_from) return word(fresh ? 'insight-unused' : without_positions(bare), about);
    if (!Number.isFinite(value) || (!limited && !fresh)) return '';
    if (!limited) return word('insight-expects-free', { got: percent(value),
      why: word(bare.generates && task().needs_order ? 'why-mask' : 'why-no-order', about) });
    const least = ceiling - (has_one_answer() ? by_chance(ceiling) : near);
    const input = state.input.split(' '), said = bare.answer.said.split(' ');
    const token = fresh && said.find((token) => !input.includes(token));
    return word(value >= least ? 'insight-back' : fresh ? 'insight-expects' : 'insight-climbs',
      { ...about, scheme: called(bare), got: percent(value) }) + (token ? ` ${word('insight-absent', { token })}` : '');
  }
  const back = lanes.find((lane) => lane.step === lane.began && (lane.events[lane.events.length - 1] || {}).back);
  if (back && accuracy_of(back, trained) < solved_from) return word('insight-forgot');
  if (stopped) return said_of_stopped(stopped, state_at);
  const again = lanes.map(returned).find(Boolean);
  if (again) return again;
  const none = lanes.find((lane) => lane.scheme === 'none'), got = none && accuracy_of(none, trained);
  if (none && got >= solved_from) return word(without_positions(none), about);
  if (why) return why;
  if (!longer_seen && lanes.every((lane) => lane.solved && accuracy_of(lane, trained) >= solved_from))
    return word('insight-both', about);
  return '';
};
// Two equal tokens of the input with different answers: why a model without positions cannot solve the task. (A phone
// has no room for it.)
const alike = () => {
  const input = state.input.split(' '), right = state.lanes[0].answer.right.split(' ');
  const fits = task().form === 'labelling' && setup.model === 'encoder' && right.length === input.length && without();
  if (!fits || matchMedia('(max-width: 40rem)').matches) return '';
  const other = (token, at) => input.findIndex((it, i) => i > at && it === token && right[i] !== right[at]);
  const pair = input.map((token, at) => [at, other(token, at)]).find(([, later]) => later > 0);
  return pair ? `\n${word('alike', { token: input[pair[0]], places: pair.map((at) => at + 1).join(' and '),
    answers: pair.map((at) => right[at]).join(' and ') })}` : '';
};
const find = () => {
  const { summary } = facts.tasks[setup.task], untrained = state && state.lanes.every((lane) => lane.step === 0);
  const text = (state && insight()) ||
    word('task', { task: code(setup.task), summary }) + (untrained ? alike() : '');
  if (changed(one('#finding'), text)) prose(one('#finding'), text);
};
