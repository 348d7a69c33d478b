// The sentence at the top. It follows from the state, whatever was done to come there. A note about what the reader has
// just done stands in its place until the state is another.

const is_over = () => !!state && state.lanes.every((lane) => lane.status !== 0);
const steps_done = () => {
  const [a, b] = state.lanes.map((lane) => lane.step);
  return word(a === b ? 'at-step' : 'at-steps', { a, b });
};

// Which sentence, and what it is about.
const moment = () => {
  if (failure) return failure;
  if (!state) return { name: replaying ? 'again' : ready ? 'fresh' : 'loading', step: replaying };
  const { lanes, length, running } = state, trained = lanes[0].trained;
  const [first, second] = lanes.map(called), [a, b] = lanes.map((lane) => percent(accuracy_of(lane, length)));
  const { shortest } = lanes[0], range = shortest === trained ? trained : word('range', { shortest, trained });
  const both = { first, second, a, b, length, trained, range, at: steps_done(), task: setup.task };
  const bare = lanes.find((lane) => lane.scheme === 'none' && lane.last);
  const found = lanes.some((lane) => lane.learned), other = length !== trained;
  if (bare && (running || bare.step === bare.began) && bare.status === 0)
    return { ...both, lane: bare.last, scheme: '`' + name_before(bare) + '`', a: percent(accuracy_of(bare, length)),
             name: running ? 'training-without' : !bare.learned ? 'taken-untrained'
               : accuracy_of(bare, trained) >= solved_from || other ? 'taken-kept' : 'taken' };
  const solved = lanes.filter((lane) => lane.solved).map(called).join(' and ');
  if (running && other) return { ...both, name: 'training-length' };
  const ended = lanes.find((lane) => lane.status !== 0), on = lanes.find((lane) => lane.status === 0);
  if (running && ended && on)
    return { ...both, name: 'training-one', other: called(ended), step: ended.step, scheme: called(on) };
  if (running && solved) return { ...both, name: 'training-solved', scheme: solved };
  if (running) return { ...both, name: 'training' };
  if (lanes.every((lane) => lane.step === 0)) return { ...both, name: 'start' };
  if (found && other) return { ...both, name: 'other-length' };
  return { ...both, name: is_over() ? 'ended' : 'paused' };
};

let noted = null;  // { text, key }: a note, and the moment at which it was first shown
const note = (name, values) => {
  noted = { text: word(name, values), key: '' };
  headline();
};
const key_of = ({ name, lane, length, task, at }) => JSON.stringify([name, lane, length, task, !state.running && at]);
const headline = () => {
  if (telling) return;
  const now = moment();
  if (noted && state && !failure) {
    if (!noted.key && !unread()) noted.key = key_of(now);
    if (noted.key && noted.key !== key_of(now)) noted = null;
  }
  if (noted && !failure) say(noted.text);
  else say(word(now.name, now));
  find();
};
listeners.add(headline);
