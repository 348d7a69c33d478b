// Guess first: before none is trained on a task that needs order, and before the first longer input.

const guessed = { none: false, length: false };
const ask_guess = (question, choices, then) => {
  prose(one('#question'), question);
  one('#guess .choices').replaceChildren(...[...choices, word('skip')].map((choice) => {
    const button = make('button', { type: 'button', textContent: choice });
    button.addEventListener('click', () => {
      one('#guess').hidden = true;
      then(choice === word('skip') ? '' : choice);
    });
    return button;
  }));
  one('#guess').hidden = false;
  if (!telling) one('#guess button').focus({ preventScroll: false });
  return true;
};
const choices = word('choices').split('; ');
let my_guess = '';
const guess_none = () => {
  const untrained = state && state.lanes.every((lane) => lane.step === 0);
  if (guessed.none || !untrained || !setup.schemes.includes('none') || !task().order) return false;
  guessed.none = true;
  return ask_guess(word('guess-none', { task: setup.task, summary: task().summary }), choices, (guess) => {
    my_guess = guess;
    run(true);
  });
};
const guess_length = () => {
  const index = state.lanes.findIndex((lane) => lane.scheme !== 'none' && lane.solved);
  if (guessed.length || telling || index < 0) return false;
  guessed.length = true;
  const lane = state.lanes[index];
  return ask_guess(word('guess-length', { scheme: code(lane.scheme), length: lane.trained,
    a: rate((lane.accuracy[lane.trained] || {}).value) }), choices, (guess) => {
    const value = (lane.accuracy[24] || {}).value;
    setup.length = guess ? 24 : asked_length || 24;
    tell({ do: 'length', at: setup.length });
    if (guess) say('guess-told', { guess, a: rate(value) });
    find('longer');
    range.focus();
  });
};
// When both lanes have ended, or the second has solved its task, it is said once.
let announced = '';
listeners.add(() => {
  if (telling) return;
  const over = state.lanes.every((lane) => lane.status !== 0);
  const key = over + setup.task + state.lanes.map((lane) => lane.began);
  const solved = state.lanes.find((lane) => lane.solved);
  if (over && announced !== key && state.lanes.some((lane) => lane.step)) {
    announced = key;
    const at = state.lanes[0].trained, [a, b] = state.lanes.map((lane) => rate((lane.accuracy[at] || {}).value));
    say('ended', { first: code(state.lanes[0].scheme), second: code(state.lanes[1].scheme), a, b, length: at });
    if (my_guess) {
      const none = state.lanes.find((lane) => lane.scheme === 'none');
      if (none) say('guess-told', { guess: my_guess, a: rate((none.accuracy[at] || {}).value) });
      my_guess = '';
    }
    find('trained');
  } else if (solved && state.running && announced !== 'solved' + key) {
    announced = 'solved' + key;
    say('solved', { scheme: code(solved.scheme), step: solved.solved });
    find('trained');
  }
});
