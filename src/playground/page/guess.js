// Guess first: what a model without positions will get right, and what becomes of a solved task on longer inputs. The
// card stands beside the sentence and waits for nothing; a guess is said back, and answered when the answer is known.

const choices = new Map(word('choices').split('; ').map((choice) => choice.split(' = ')));
let guess = null;         // { of, question, given, settled, said_back, told, before }: the question on the card
let longer_seen = false;  // the chart keeps longer inputs to itself until the reader has guessed, or looked
const card = one('#guess');
const show_guess = () => {
  card.hidden = !guess;
  if (!guess) return;
  card.classList.toggle('settled', guess.settled);
  prose(one('#before'), guess.before);
  prose(one('#question'), guess.settled ? '' : guess.question);
  one('#choices').hidden = guess.settled || guess.given !== '';
  guess.said_back = guess.given ? word('guess-given', { guess: guess.given }) : '';
  prose(one('#outcome'), guess.settled ? guess.told : guess.said_back);
};
const ask_guess = (of, question, before = '') => {
  guess = { of, question, given: '', settled: false, said_back: '', told: '', before };
  show_guess();
};
const forget_guess = () => {
  guess = null;
  show_guess();
};
// Who has not guessed is told nothing.
const settle_guess = (lane, at) => {
  if (!guess.given) return forget_guess();
  const value = accuracy_of(lane, at);
  const far = (choice) => Math.abs(choices.get(choice) - value);
  const nearest = [...choices.keys()].reduce((best, choice) => far(choice) < far(best) ? choice : best);
  const result = { scheme: called(lane), guess: guess.given, nearest, length: at };
  guess.settled = true;
  guess.told = word(nearest === guess.given ? 'guess-right' : 'guess-told', result);
  show_guess();
};
const take_guess = (choice) => {
  if (!guess) return;
  guess.given = choice;
  show_guess();
};
for (const choice of choices.keys()) {
  const button = make('button', { type: 'button', textContent: choice });
  button.addEventListener('click', () => {
    take_guess(choice);
    one('#outcome').focus();
    if (guess && guess.of === 'longer') look_longer(2 * state.lanes[0].trained);
  });
  one('#choices').append(button);
}
// The most that is possible would give the answer away.
const hides_limits = () => guess !== null && guess.of === 'none' && !guess.settled;
const look_longer = (at) => {
  longer_seen = true;
  setup.length = at;
  tell({ do: 'length', at });
};
const without = () => state.lanes.find((lane) => lane.scheme === 'none' && !lane.last);
const follow_guess = () => {
  const none = without(), told = state.lanes.find((lane) => lane.scheme !== 'none'), { trained } = state.lanes[0];
  const untrained = state.lanes.every((lane) => lane.step === 0);
  const known = (lane, at) => Number.isFinite(accuracy_of(lane, at)) && lane.step - lane.accuracy[at].step < 10;
  if (guess && !guess.settled && !(guess.of === 'none' ? none : told)) forget_guess();
  if (!guess && untrained && none) {
    const question = { task: setup.task, summary: task().summary };
    ask_guess('none', word(none.generates || has_one_answer() ? 'guess-answers' : 'guess-none', question));
  } else if (guess && guess.of === 'none' && !guess.settled) {
    if ((none.status !== 0 || (told && told.learned)) && known(none, trained)) settle_guess(none, trained);
  } else if (!telling && !longer_seen && told && told.solved && !told.without && (!guess || guess.settled)) {
    ask_guess('longer', word('guess-longer', { scheme: code(told.scheme), longer: 2 * trained }),
              guess ? guess.told : '');
  } else if (guess && guess.of === 'longer' && !guess.settled && longer_seen && told && known(told, 2 * trained))
    settle_guess(told, 2 * trained);
};
listeners.add(follow_guess);
