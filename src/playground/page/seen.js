// What the reader has seen so far, as an ablation has it: a row for each model, and below it one for each change of it,
// with what was right at the length trained on, and at twice.
const seen = new Map(), most_rows = 16;
const lives = [1, 2];  // of the models on the page: each has a number of its own
const new_life = (index) => { lives[index] = Math.max(...lives) + 1; };
const untested = '–';
const row_of_lane = (lane, at_twice) => {
  const change = lane.events[lane.events.length - 1], is_new_scheme = change && change.to !== 'none' && !change.back;
  const name = !change ? title(lane.scheme)
    : word('then', { change: is_new_scheme ? title(change.to) : name_of(change) });
  const steps = (lane.step - (change ? change.step : 0)).toLocaleString('en');
  return { task: setup.task, model: setup.model, seed: setup.seed, name, steps: change ? `+ ${steps}` : steps,
           right: percent(accuracy_of(lane, lane.trained)), at_twice };
};
const cells_of = (row) => Object.values(row);
const life_of = (key) => Math.floor(key / 100);
const rows_of = (life) => [...seen.keys()].filter((key) => life_of(key) === life);
// Whether the reader has seen what the model of this lane gets at twice the length.
const knows_longer = (lane) => [...seen.values()].some(({ task, model, seed, name, at_twice }) => task === setup.task &&
  model === setup.model && seed === setup.seed && name === title(lane.scheme) && at_twice !== untested);
listeners.add(() => {
  if (state.running || looking_back || !state.lanes.some((lane) => lane.learned)) return;
  const { trained } = state.lanes[0], fresh = (lane, at) => lane.accuracy[at] && !lane.accuracy[at].old;
  state.lanes.forEach((lane, index) => {
    if (!lane.step || !fresh(lane, trained)) return;
    // In order of time: what a change leaves, and what training makes of it.
    const change = lane.events[lane.events.length - 1], is_fresh = change && change.step === lane.step;
    const key = 100 * lives[index] + 2 * lane.events.length - (is_fresh ? 1 : 0), known = seen.get(key);
    const at_twice = longer_seen && fresh(lane, 2 * trained) ? percent(accuracy_of(lane, 2 * trained)) : untested;
    if (known && at_twice === untested && known.at_twice !== untested) return;
    const row = row_of_lane(lane, at_twice), same = cells_of(row).join();
    for (const [other, its] of seen)  // the same training once more
      if (life_of(other) !== lives[index] && cells_of(its).join() === same && rows_of(life_of(other)).length === 1)
        seen.delete(other);
    seen.set(key, row);
  });
  while (seen.size > most_rows) rows_of(life_of(Math.min(...seen.keys()))).forEach((key) => seen.delete(key));
  one('#seen').hidden = seen.size < 3;
  const rows = [...seen.keys()].sort((a, b) => a - b).map((key) => cells_of(seen.get(key)));
  if (!changed(one('#seen'), rows.join())) return;
  one('#seen tbody').replaceChildren(...rows.map((cells) =>
    make('tr', {}, cells.map((cell) => make('td', { textContent: cell })))));
});
