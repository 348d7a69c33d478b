// The demo, which a press begins and any key or touch ends, Tab aside; and the beginning of the page. Each stage waits
// for "Next", which is where Train is, or for a guess.
const enough = 40;  // seconds of training: after these the demo goes on as it is

// A box for each stage, filled with the numbers of this run when it comes.
const boxes = new Map(['trained', 'longer', 'away', 'encoder', 'decoder'].map((stage) => {
  const title = word(`stage-${stage}`, { trained: usual.length, longer: 2 * usual.length });
  const box = make('li', {}, [make('b', { textContent: title }), make('span')]);
  one('#told').append(box);
  return [stage, box];
}));
const fill = (stage, text) => prose(one('span', boxes.get(stage)), text);
const box = (stage, text) => {
  for (const [other, it] of boxes) it.classList.toggle('now', other === stage);
  if (stage) fill(stage, text);
};
const clear_boxes = () => {
  one('#demo').hidden = true;
  for (const stage of boxes.keys()) fill(stage, '');
};

let telling = null, skipped = false;  // by "Next"
const hand_over = () => {
  telling = null;
  box('');
  document.documentElement.classList.remove('telling');
  put(one('#story'), word('replay'));
  buttons();
  show_guess();
};
const end_story = (name) => {
  if (!telling) return;
  telling.abort(new Error('the reader took over'));
  hand_over();
  if (name) note(name);
};
const story = async () => {
  const { signal } = telling = new AbortController();
  skipped = false;
  const given = guess && !guess.settled ? guess.given : '';
  const next = async (is_given = () => false) => {
    while (!skipped && !is_given()) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      signal.throwIfAborted();
    }
    skipped = false;
  };
  const value = (index, at) => percent(accuracy_of(state.lanes[index], at));
  const measured = (index, at) =>
    until(() => !unread() && Number.isFinite(accuracy_of(state.lanes[index], at)), signal);
  const start_anew = async (what) => {
    setup = { ...usual, ...what };
    longer_seen = false;
    begin();
    await until(() => !unread() && state.lanes[1].step === 0, signal);
    find();
  };
  const asked = async (stage) => {
    box(stage, word('told-waits'));
    await next(() => guess && guess.given);
  };
  // Trains until this lane has solved the task, or to the end, and tells of both.
  const trained_until = async (stage, index, is_done) => {
    say(word('demo-training'));
    box(stage, '');
    tell({ do: 'run', on: true });
    const end = performance.now() + 1000 * enough;
    await until(() => is_done() || performance.now() > end || skipped, signal);
    skipped = false;
    tell({ do: 'run', on: false });
    await until(() => !unread() && !state.running, signal);
    const lane = state.lanes[index], about = { scheme: code(lane.scheme), step: lane.solved || lane.step };
    const all_solved = state.lanes.every(({ solved }) => solved);
    say(word(all_solved ? 'demo-both' : lane.solved ? 'demo-solved' : 'demo-so-far', about));
    box(stage, both(lane.trained));
    find();
    await next();
  };
  const both = (at) => word('told-both', { first: code(state.lanes[0].scheme), second: code(state.lanes[1].scheme),
    a: value(0, at), b: value(1, at) });
  try {
    head = clearest;
    document.documentElement.classList.add('telling');
    put(one('#story'), word('stop'));
    say(word('demo'));
    clear_boxes();
    one('#demo').hidden = false;
    await start_anew({});
    if (given) take_guess(given);
    await asked('trained');
    await trained_until('trained', 1, () => state.lanes[1].solved > 0);
    const { trained, scheme } = state.lanes[1], limit = percent(ceiling_at(trained));
    look_longer(2 * trained);
    say(word('demo-longer', { length: 2 * trained }));
    await measured(0, 2 * trained);
    await measured(1, 2 * trained);
    box('longer', both(2 * trained));
    find();
    await next();
    tell({ do: 'length', at: trained });
    whole[1] = state.lanes[1].accuracy;
    tell({ do: 'change', index: 1, to: 'none' });
    setup.length = trained;
    say(word('demo-away', { scheme: code(scheme) }));
    await until(() => !unread() && state.lanes[1].scheme === 'none', signal);
    await measured(1, trained);
    box('away', word('told-away', { a: value(1, trained), limit }));
    find();
    await next();
    const other_task = { task: 'before', schemes: ['none', 'rope'] };
    say(word('demo-encoder'));
    await start_anew(other_task);
    await asked('encoder');
    await trained_until('encoder', 1, () => state.lanes[1].solved > 0);
    say(word('demo-decoder'));
    await start_anew({ ...other_task, model: 'decoder' });
    await asked('decoder');
    await trained_until('decoder', 0, is_over);
    offering = true;
    hand_over();
    note('demo-over');
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
// Any key or press hands over control, scrolling does not. (Tab and the like only look around; the guess, "Next" and
// "Stop demo" are part of the demo.)
const aside = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];
for (const kind of ['click', 'keydown'])
  addEventListener(kind, (event) => {
    if (aside.includes(event.key) || event.target.closest?.('#guess, #story, #train, .columns, details')) return;
    if (telling) end_story('yours');
  }, { capture: true, passive: true });
one('#story').addEventListener('click', () => {
  if (telling) end_story('yours');
  else story();
});

if (typeof WebAssembly !== 'object' || typeof DecompressionStream !== 'function' || typeof Worker !== 'function')
  return no_engine();
one('#live').hidden = false;
put(one('#story'), word('show'));
if (location.hash.length > 1) go_to_address();
else begin();
