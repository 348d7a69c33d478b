// What the reader has seen so far, a row for each model, as an ablation has it: at the length trained on, and at twice.
const seen = new Map();
listeners.add(() => {
  if (state.running || looking_back || !state.lanes.some((lane) => lane.learned)) return;
  const { trained } = state.lanes[0], fresh = (lane, at) => lane.accuracy[at] && !lane.accuracy[at].old;
  for (const lane of state.lanes) {
    if (!lane.step || !fresh(lane, trained)) continue;
    const name = called(lane).replaceAll('`', ''), key = [setup.task, setup.model, setup.seed, name].join();
    const longer = longer_seen && fresh(lane, 2 * trained) ? percent(accuracy_of(lane, 2 * trained)) : '–';
    const steps = lane.step.toLocaleString('en');
    seen.set(key, [setup.task, setup.model, name, steps, percent(accuracy_of(lane, trained)), longer]);
  }
  one('#seen').hidden = seen.size < 3;
  const rows = [...seen.values()];
  if (!changed(one('#seen'), rows.join())) return;
  one('#seen tbody').replaceChildren(...rows.map((row) =>
    make('tr', {}, row.map((cell) => make('td', { textContent: cell })))));
});
