// What the reader has seen so far, as an ablation has it: a row for each model, and below it one for each change of it,
// with what was right at the length trained on, and at twice. The same setting trained again takes its row.
const seen = new Map();  // task, model, seed and scheme → the rows of that model, by what was done to it
const untested = '–';
const setting_of = (scheme) => [setup.task, setup.model, setup.seed, title(scheme)].join();
// What the reader has seen a model with this scheme get right at twice the length.
const right_at_twice = (scheme) => seen.get(setting_of(scheme))?.get('')?.at_twice ?? untested;
listeners.add(() => {
  if (state.running || telling || !state.lanes.some((lane) => lane.learned)) return;
  const { trained } = state.lanes[0], fresh = (lane, at) => lane.accuracy[at] && !lane.accuracy[at].old;
  state.lanes.forEach((lane, index) => {
    if (!lane.step || !fresh(lane, trained)) return;
    const change = lane.events[lane.events.length - 1], since = change ? lane.step - change.step : lane.step;
    // What a change leaves, and what training makes of it, are two rows.
    const rows = seen.get(setting_of(lane.first)) || new Map();
    const path = lane.events.map((event) => event.step + name_of(lane, event)).join() + (change && since ? '+' : '');
    const right_at = (at) => {  // after a change: what was, and what is
      const was = change && whole[index] ? (whole[index][at] || {}).value : NaN, now = percent(accuracy_of(lane, at));
      return Number.isFinite(was) ? `${parseInt(percent(was))} → ${now}` : now;
    };
    const at_twice = longer_seen && fresh(lane, 2 * trained) ? right_at(2 * trained) : untested;
    const known = rows.get(path), steps = since.toLocaleString('en');
    const row = { name: title(lane.first) + (change ? ` (${change.step}), ${name_of(lane, change)}` : ''),
      steps: !change ? steps : since ? `+ ${steps}` : word('at-once'),
      right: right_at(trained), at_twice };
    if (known && at_twice === untested && known.steps === row.steps) return;
    rows.set(path, row);
    seen.set(setting_of(lane.first), rows);
  });
  const rows = [...seen].flatMap(([setting, rows]) =>
    [...rows.values()].map((row) => [...setting.split(',').slice(0, 3), ...Object.values(row)]));
  one('#seen').hidden = rows.length < 3;
  one('#why').hidden = !rows.some(([, model, , name]) => model === 'decoder' && name === 'none');
  if (!changed(one('#seen'), rows.join())) return;
  one('#seen tbody').replaceChildren(...rows.map((cells) =>
    make('tr', {}, cells.map((cell) => make('td', { textContent: cell })))));
});
