// The demo, which any key or touch ends, Tab aside; and the beginning of the page.
//
// Training goes on until the task is solved, which takes two seconds where nothing else is done; the stages after it
// share what is left of the time, but never less than they need to be read. Each stage fills its box with the numbers
// of this run, and the boxes stay when the demo has ended, until another begins.
const lasting = 11.2, guessing = 1.8, readable = 6.2;  // seconds; what comes after training is `readable` in so many
const slow = 4.5, enough = 40;  // seconds of training: after these it is said; after those the demo goes on as it is
const shares = { trained: 0.22, longer: 0.26, away: 0.28, without: 0.24 };  // of what is left
const stages = ['guess', ...Object.keys(shares)];

let telling = null;
const boxes = new Map(stages.map((stage) => [stage, make('li', {}, [make('b', { textContent: word(`stage-${stage}`) }),
  make('span', { textContent: '' })])]));
one('#told').append(...boxes.values());
const fill = (stage, text) => {
  boxes.get(stage).classList.add('seen');
  prose(one('span', boxes.get(stage)), text);
};
const box = (stage, text) => {
  for (const [name, item] of boxes) item.classList.toggle('now', name === stage);
  if (stage) fill(stage, text);
};
const clear_boxes = () => {
  one('#told').hidden = true;
  for (const item of boxes.values()) {
    item.className = '';
    one('span', item).textContent = '';
  }
};
const end_story = (name) => {
  if (!telling) return;
  telling.abort(new Error('the reader took over'));
  telling = null;
  box('');
  document.documentElement.classList.remove('telling');
  put(one('#story'), word('replay'));
  if (state && state.lanes.some((lane) => lane.without)) tell({ do: 'without', index: 1, on: false });
  if (name) note(name);
};
const story = async () => {
  const { signal } = telling = new AbortController(), begun = performance.now();
  const given = guess && !guess.settled ? guess.given : '';
  const elapsed = () => (performance.now() - begun) / 1000;
  const pause = (seconds) => new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
  let planned = 0, left = 0;
  const read = (stage) => {
    planned += left * shares[stage];
    return pause(planned - elapsed());
  };
  const value = (index, at) => rate(accuracy_of(state.lanes[index], at));
  const measured = (index, at) =>
    until(() => !unread() && Number.isFinite(accuracy_of(state.lanes[index], at)), signal);
  clearTimeout(soon);
  soon = 0;
  try {
    setup = { ...usual };
    begin();
    clear_boxes();
    one('#told').hidden = false;
    document.documentElement.classList.add('telling');
    put(one('#story'), word('stop'));
    say(word('demo', { seconds: Math.round(lasting) }));
    await until(() => !unread() && state.lanes[1].step === 0, signal);
    find('');
    if (given) take_guess(given);
    box('guess', word('told-guess', { first: code('none') }));
    await pause(guessing);
    say(word('demo-training'));
    tell({ do: 'run', on: true });
    const start = elapsed();
    await until(() => {
      if (elapsed() > start + slow) say(word('demo-slow'));
      return state.lanes[1].solved > 0 || elapsed() > start + enough;
    }, signal);
    const [none, other] = state.lanes, scheme = code(other.scheme), { trained } = other;
    const limit = rate((state.ceilings[trained] || [])[0]);
    planned = elapsed();
    left = Math.max(readable, lasting - planned);
    say(word(other.solved ? 'demo-solved' : 'demo-so-far', { scheme, step: other.solved || other.step }));
    box('trained', word(other.solved ? 'told-trained' : 'told-so-far', { first: code(none.scheme), second: scheme,
      a: value(0, trained), b: value(1, trained), length: trained, step: other.step }));
    if (guess && guess.settled) fill('guess', guess.outcome);
    const found = (stage) => find(other.learned ? stage : '', other.scheme);
    found('trained');
    await read('trained');
    look_longer(2 * trained);
    say(word('demo-longer', { length: 2 * trained }));
    found('longer');
    await measured(1, 2 * trained);
    box('longer', word('told-longer', { first: code(none.scheme), second: scheme, a: value(0, 2 * trained),
      b: value(1, 2 * trained), length: 2 * trained }));
    await read('longer');
    tell({ do: 'run', on: false });
    tell({ do: 'length', at: trained });
    tell({ do: 'without', index: 1, on: true });
    setup.length = trained;
    say(word('demo-away', { scheme }));
    found('taken');
    await until(() => !unread() && state.lanes[1].without, signal);
    await measured(1, trained);
    box('away', word('told-away', { a: value(1, trained), limit }));
    await read('away');
    tell({ do: 'change', index: 1, to: 'none' });
    tell({ do: 'run', on: true });
    say(word('demo-without'));
    found('without');
    box('without', '');
    await read('without');
    await until(() => !unread() && state.lanes[1].scheme === 'none', signal);
    const { step, began } = state.lanes[1];
    box('without', word('told-without', { a: value(1, trained), steps: step - began, limit }));
    telling = null;
    box('');
    document.documentElement.classList.remove('telling');
    put(one('#story'), word('replay'));
    note('demo-over');
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};
// Any key or touch hands over control. (Tab and the like only look around; the guess and the button are part of it.)
const aside = ['Tab', 'Shift', 'Control', 'Alt', 'Meta'];
let soon = 0;
for (const kind of ['pointerdown', 'keydown'])
  addEventListener(kind, (event) => {
    if (aside.includes(event.key) || event.target.closest?.('#guess, #story')) return;
    if (telling) end_story('yours');
    else if (soon) note('yours');
    clearTimeout(soon);
    soon = 0;
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
else {
  begin();
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
    note('demo-soon', { seconds: Math.round(lasting) });
    soon = setTimeout(() => { if (!telling) story(); }, 2000);
  }
}
