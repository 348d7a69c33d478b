// What the reader has seen so far, as an ablation has it: a row for each model, and below it one for each change of it,
// with what was right at the length trained on, and at twice.
const seen = new Map(), most_rows = 16;
const lives = [1, 2];  // of the models on the page: each has a number of its own
const new_life = (index) => { lives[index] = Math.max(...lives) + 1; };
const row_of_lane = (lane, longer) => {
  const change = lane.events[lane.events.length - 1], is_new_scheme = change && change.to !== 'none' && !change.back;
  const name = !change ? title(lane.scheme)
    : word('then', { change: is_new_scheme ? title(change.to) : name_of(change) });
  const steps = (lane.step - (change ? change.step : 0)).toLocaleString('en');
  const right = percent(accuracy_of(lane, lane.trained));
  return [setup.task, setup.model, setup.seed, name, change ? `+ ${steps}` : steps, right, longer];
};
const life_of = (key) => Math.floor(key / 100);
const rows_of = (life) => [...seen.keys()].filter((key) => life_of(key) === life);
// Whether the reader has seen what the model of this lane gets at twice the length.
const knows_longer = (lane) => [...seen.values()].some(([of, kind, seed, name, , , longer]) => of === setup.task &&
  kind === setup.model && seed === setup.seed && name === title(lane.scheme) && longer !== '–');
listeners.add(() => {
  if (state.running || looking_back || !state.lanes.some((lane) => lane.learned)) return;
  const { trained } = state.lanes[0], fresh = (lane, at) => lane.accuracy[at] && !lane.accuracy[at].old;
  state.lanes.forEach((lane, index) => {
    if (!lane.step || !fresh(lane, trained)) return;
    const change = lane.events[lane.events.length - 1], is_fresh = change && change.step === lane.step;
    const key = 100 * lives[index] + 2 * lane.events.length - (is_fresh ? 1 : 0), known = seen.get(key);
    const longer = longer_seen && fresh(lane, 2 * trained) ? percent(accuracy_of(lane, 2 * trained)) : '–';
    if (known && longer === '–' && known[6] !== '–') return;
    const row = row_of_lane(lane, longer);
    for (const [other, its] of seen)
      if (life_of(other) !== lives[index] && its.join() === row.join() && rows_of(life_of(other)).length === 1)
        seen.delete(other);
    seen.set(key, row);
  });
  while (seen.size > most_rows) rows_of(life_of(Math.min(...seen.keys()))).forEach((key) => seen.delete(key));
  one('#seen').hidden = seen.size < 3;
  const rows = [...seen.entries()].sort(([a], [b]) => a - b).map(([, row]) => row);
  if (!changed(one('#seen'), rows.join())) return;
  one('#seen tbody').replaceChildren(...rows.map((row) =>
    make('tr', {}, row.map((cell) => make('td', { textContent: cell })))));
});
