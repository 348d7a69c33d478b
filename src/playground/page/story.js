// The story, which any key or touch ends; and the beginning of the page.
//
// It lasts about as long on any machine: training has a limit, within which it takes as many steps as it can, and
// the sentences after it share the time that is left. (Training goes on behind the first of them.)
const lasting = 11, guessing = 1.3, training = 4.2, readable = 0.8;  // seconds; a sentence stays `readable` at least
const shares = { solved: 0.18, slide: 0.12, longer: 0.2, away: 0.14, remains: 0.2, without: 0.16 };  // of what is left

let telling = null;
const end_story = () => {
  if (!telling) return;
  telling.abort(new Error('the reader took over'));
  telling = null;
  document.documentElement.classList.remove('telling');
  one('#guess').hidden = true;
};
const story = async () => {
  const mine = telling = new AbortController(), { signal } = mine, begun = performance.now();
  const elapsed = () => (performance.now() - begun) / 1000;
  document.documentElement.classList.add('telling');
  const pause = (seconds) => new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
  let planned = 0, left = 0;
  const read = (stage) => {
    planned += left * shares[stage];
    return pause(Math.max(readable, planned - elapsed()));
  };
  const value = (index, at) => rate((state.lanes[index].accuracy[at] || {}).value);
  try {
    setup = { ...usual };
    begin();
    await until(() => state.lanes[1].step === 0 && state.lanes[1].scheme === 'sinusoidal', signal);
    guessed.none = guessed.length = true;
    ask_guess(word('guess-none', { task: setup.task, summary: task().summary }), choices, (guess) => {
      end_story();
      my_guess = guess;
      run(true);
    });
    say('start');
    find('');
    await pause(guessing);
    one('#guess').hidden = true;
    run(true);
    const stop = elapsed() + training;
    await until(() => state.lanes[1].solved > 0 || elapsed() > stop, signal);
    const [none, other] = state.lanes, schemes = { first: code(none.scheme), second: code(other.scheme) };
    planned = elapsed();
    left = lasting - planned;
    if (other.solved) say('solved', { scheme: schemes.second, step: other.solved });
    else say('so-far', { ...schemes, step: other.step, a: value(0, 12), b: value(1, 12) });
    find('trained');
    await read('solved');
    say('longer', { length: 24 });
    find('longer');
    for (const at of [14, 16, 18, 20, 22, 24]) {
      tell({ do: 'length', at });
      await pause(left * shares.slide / 6);
    }
    planned += left * shares.slide;
    await read('longer');
    tell({ do: 'run', on: false });
    tell({ do: 'length', at: 12 });
    tell({ do: 'without', index: 1, on: true });
    say('away', { scheme: schemes.second });
    find('taken');
    await read('away');
    await until(() => state.lanes[1].without && state.lanes[1].accuracy[12], signal);
    say('remains', { a: value(1, 12), ceiling: rate((state.ceilings[12] || [])[0]) });
    await read('remains');
    tell({ do: 'change', index: 1, to: 'none' });
    tell({ do: 'run', on: true });
    say('without-now');
    find('without');
    await read('without');
    await until(() => state.lanes[1].scheme === 'none', signal);
    say('without', { step: state.lanes[1].step - state.lanes[1].began, a: value(1, 12) });
    telling = null;
    document.documentElement.classList.remove('telling');
  } catch (error) {
    if (!signal.aborted) throw error;
    if (state && state.lanes.some((lane) => lane.without)) tell({ do: 'without', index: 1, on: false });
  }
};
// Any key or touch hands over control.
for (const kind of ['pointerdown', 'keydown', 'wheel'])
  addEventListener(kind, (event) => {
    const own = event.target.closest && event.target.closest('#guess, #story');
    if (!telling || own) return;
    end_story();
    say('yours');
  }, { capture: true, passive: true });
one('#story').addEventListener('click', () => { end_story(); story(); });

if (typeof WebAssembly !== 'object' || typeof DecompressionStream !== 'function' || typeof Worker !== 'function')
  return no_engine();
one('#live').hidden = false;
say('loading');
if (location.hash.length > 1) go_to_address();
else {
  begin();
  say('start');
  find('');
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (!still) {
    const waiting_for_reader = setTimeout(() => { if (!telling) story(); }, 2000);
    for (const kind of ['pointerdown', 'keydown', 'wheel'])
      addEventListener(kind, () => clearTimeout(waiting_for_reader), { once: true, capture: true, passive: true });
  }
}
