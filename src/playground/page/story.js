// The demo, which a press begins and any key or touch ends, Tab aside; and the beginning of the page.
//
// Training goes on until the task is solved, which takes two seconds where nothing else is done; each stage after it
// lasts as long as its words need to be read. Meanwhile the models wait, but for the last stage, so
// the numbers that are read do not change.
const guessing = 12, shortest = 5, words_a_second = 3.5;  // seconds of the guess, of a stage
const slow = 4.5, enough = 40;  // seconds of training: after these it is said; after those the demo goes on as it is
const words_in = (text) => text.split(/[ \n]+/).filter(Boolean).length;  // “27 %” is one

let telling = null;
const hand_over = () => {
  telling = null;
  box('');
  document.documentElement.classList.remove('telling');
  put(one('#story'), word('replay'));
  show_guess();
};
const end_story = (name) => {
  if (!telling) return;
  telling.abort(new Error('the reader took over'));
  hand_over();
  if (name) note(name);
};
const story = async () => {
  const { signal } = telling = new AbortController(), begun = performance.now();
  const given = guess && !guess.settled ? guess.given : '';
  const elapsed = () => (performance.now() - begun) / 1000;
  // Time passes while the reader neither looks back nor has told the demo to go on, and nothing is `seen`; `during` is
  // done all the while.
  const pause = async (stage, seconds, during = () => {}, seen = () => false) => {
    const goes_on = () => stages.indexOf(wanted) > stages.indexOf(stage) || seen();
    for (let left = seconds, before = elapsed(); (left > 0 && !goes_on()) || looking_back; before = elapsed()) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      signal.throwIfAborted();
      if (looking_back) continue;
      left -= elapsed() - before;
      during();
    }
    if (!state.running) keep(stage);  // by now all lengths are tested
  };
  // Long enough for the sentence, for the text of the box, and for what has become of the reader's guess.
  const read = (stage, during) => {
    const verdict = stage === 'trained' && guess && guess.settled && guess.given;
    find();
    const words = words_in(said) + words_in(one('span', boxes.get(stage)).textContent) +
      words_in(one('#finding').textContent) +
      (verdict ? words_in(guess.told) - words_in(guess.said_back) : 0);
    return pause(stage, Math.max(shortest, words / words_a_second), during);
  };
  const value = (index, at) => percent(accuracy_of(state.lanes[index], at));
  const measured = (index, at) =>
    until(() => !unread() && Number.isFinite(accuracy_of(state.lanes[index], at)), signal);
  try {
    setup = { ...usual };
    longer_seen = false;
    head = clearest;
    begin();
    clear_boxes();
    one('#demo').hidden = false;
    document.documentElement.classList.add('telling');
    put(one('#story'), word('stop'));
    say(word('demo'));
    await until(() => !unread() && state.lanes[1].step === 0, signal);
    find();
    if (given) take_guess(given);
    const asks = word('told-guess', { first: code('none') });
    box('guess', `${asks} ${word('told-waits', { seconds: guessing })}`);
    await pause('guess', guessing, () => {}, () => guess && guess.given);
    fill('guess', asks);
    say(word('demo-training'));
    box('trained', word('told-training'));
    tell({ do: 'run', on: true });
    const start = elapsed();
    await until(() => {
      if (elapsed() > start + slow) say(word('demo-slow'));
      return state.lanes[1].solved > 0 || elapsed() > start + enough;
    }, signal);
    tell({ do: 'run', on: false });
    await until(() => !unread() && !state.running, signal);
    const [none, other] = state.lanes, scheme = code(other.scheme), { trained } = other;
    const limit = percent((state.ceilings[trained] || [])[0]);
    const both = { first: code(none.scheme), second: scheme };
    const over = { limit, b: value(1, trained), trained, longer: 2 * trained };
    say(word(other.solved ? 'demo-solved' : 'demo-so-far', { scheme, step: other.step }));
    box('trained', word(other.solved ? 'told-both' : 'told-so-far',
      { ...both, a: value(0, trained), b: value(1, trained), at: steps_done() }));
    if (guess && guess.settled) fill('guess', guess.told);
    await until(() => !other.learned || (reading[1] || {}).of === reading_of(state.lanes[1]), signal);
    await read('trained');
    look_longer(2 * trained);
    say(word('demo-longer', { length: 2 * trained }));
    await measured(0, 2 * trained);
    await measured(1, 2 * trained);
    box('longer', word('told-both', { ...both, a: value(0, 2 * trained), b: value(1, 2 * trained), at: steps_done() }));
    over.c = value(1, 2 * trained);
    await read('longer');
    tell({ do: 'length', at: trained });
    whole[1] = state.lanes[1].accuracy;
    tell({ do: 'change', index: 1, to: 'none' });
    setup.length = trained;
    say(word('demo-away', { scheme }));
    await until(() => !unread() && state.lanes[1].scheme === 'none', signal);
    await measured(1, trained);
    box('away', word('told-away', { a: value(1, trained), limit }));
    await read('away');
    tell({ do: 'run', on: true });
    say(word('demo-without'));
    await until(() => !unread() && state.running, signal);
    const tell_steps = () => {
      const { step, began } = state.lanes[1];
      box('without', word('told-without', { a: value(1, trained), steps: step - began, limit }));
      find();
    };
    tell_steps();
    await read('without', tell_steps);
    tell({ do: 'run', on: false });
    await until(() => !unread() && !state.running, signal);
    tell_steps();
    tried.add('away');
    offering = true;
    hand_over();
    note('demo-over', over);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
// Any key or press hands over control, scrolling does not. (Tab and the like only look around; the guess, the boxes and
// the button are part of the demo.)
const aside = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];
for (const kind of ['click', 'keydown'])
  addEventListener(kind, (event) => {
    if (aside.includes(event.key) || event.target.closest?.('#guess, #story, #told')) return;
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
