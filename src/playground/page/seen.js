// What the reader has seen so far, as an ablation has it: a row for each model, and one for each change of it, with
// what was right at the length trained on, and at twice.
const seen = new Map();
const row_name = ({ scheme, events }) => {
  const change = events[events.length - 1];
  return change ? word('then', { change: name_of(change) }) : title(scheme);
};
listeners.add(() => {
  if (state.running || looking_back || !state.lanes.some((lane) => lane.learned)) return;
  const { trained } = state.lanes[0], fresh = (lane, at) => lane.accuracy[at] && !lane.accuracy[at].old;
  for (const lane of state.lanes) {
    if (!lane.step || !fresh(lane, trained)) continue;
    const changes = lane.events.map(({ step, to }) => [step, to]);
    const key = [setup.task, setup.model, setup.seed, lane.first, ...changes].join(), known = seen.get(key);
    const longer = longer_seen && fresh(lane, 2 * trained) ? percent(accuracy_of(lane, 2 * trained)) : '–';
    if (known && longer === '–' && known[5] !== '–') continue;  // it says more
    const steps = lane.step.toLocaleString('en');
    seen.set(key, [setup.task, setup.model, row_name(lane), steps, percent(accuracy_of(lane, trained)), longer]);
  }
  one('#seen').hidden = seen.size < 3;
  const rows = [...seen.values()];
  if (!changed(one('#seen'), rows.join())) return;
  one('#seen tbody').replaceChildren(...rows.map((row) =>
    make('tr', {}, row.map((cell) => make('td', { textContent: cell })))));
});
