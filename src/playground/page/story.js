// The story of ten seconds, which any key or touch ends; and the beginning of the page.

let telling = null;
const end_story = () => {
  if (!telling) return;
  telling.abort(new Error('the reader took over'));
  telling = null;
  document.documentElement.classList.remove('telling');
  one('#guess').hidden = true;
};
const story = async () => {
  const mine = telling = new AbortController(), { signal } = mine;
  document.documentElement.classList.add('telling');
  const pause = (seconds) => new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, 1000 * seconds);
    signal.addEventListener('abort', () => { clearTimeout(timer); reject(signal.reason); }, { once: true });
  });
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
    await pause(1.8);
    one('#guess').hidden = true;
    run(true);
    await until(() => state.lanes[1].solved > 0, signal);
    say('solved', { scheme: code('sinusoidal'), step: state.lanes[1].solved });
    find('trained');
    await until(() => state.lanes[1].status !== 0, signal);
    await pause(0.4);
    say('longer', { length: 24 });
    find('longer');
    for (const at of [14, 16, 18, 20, 22, 24]) {
      tell({ do: 'length', at });
      await pause(0.16);
    }
    await pause(1);
    tell({ do: 'length', at: 12 });
    tell({ do: 'without', index: 1, on: true });
    say('away', { scheme: code('sinusoidal') });
    find('taken');
    await pause(1);
    await until(() => state.lanes[1].without && state.lanes[1].accuracy[12], signal);
    say('remains', { a: value(1, 12), ceiling: rate((state.ceilings[12] || [])[0]) });
    await pause(1);
    tell({ do: 'change', index: 1, to: 'none' });
    run(true);
    find('without');
    await pause(2.4);
    await until(() => state.lanes[1].step - state.lanes[1].began >= 20, signal);
    say('without', { a: value(1, 12) });
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
addEventListener('resize', draw);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', draw);
