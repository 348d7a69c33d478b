// Guess first: what a model without positions will get right, and what becomes of a solved task on longer inputs. The
// card stands beside the sentence and waits for nothing; a guess is said back, and answered when training has stopped,
// with the number that the page then shows.

const choices = [0.1, 0.25, 0.5, 0.75, 1];
const score = [];         // of each guess, whether it was the nearest
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
  const waits = !telling && state && state.lanes.every((lane) => lane.step === 0) && !state.running;
  const press = waits ? ` ${word('guess-press')}` : '';
  guess.said_back = guess.given ? word('guess-given', { guess: guess.given }) + press : '';
  const nearest = word('guess-score', { right: score.filter(Boolean).length, all: score.length });
  const outcome = !guess.settled ? guess.said_back : score.length < 2 ? guess.told : `${guess.told} ${nearest}`;
  if (changed(one('#outcome'), outcome)) prose(one('#outcome'), outcome);
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
  const value = accuracy_of(lane, at), far = (choice) => Math.abs(parseInt(choice) - parseInt(percent(value)));
  const nearest = choices.map(percent).reduce((best, choice) => far(choice) < far(best) ? choice : best, guess.given);
  if (!guess.settled) score.push(nearest === guess.given);
  const result = { scheme: guess.of === 'none' ? word('guess-without') : called(lane), guess: guess.given, nearest,
                   length: at, step: lane.step, value: percent(value) };
  Object.assign(guess, { settled: true, index: state.lanes.indexOf(lane), at });
  guess.told = word(nearest === guess.given ? 'guess-right' : 'guess-told', result);
  show_guess();
};
const take_guess = (choice) => {
  if (!guess) return;
  guess.given = choice;
  show_guess();
};
for (const choice of choices.map(percent)) {
  const onclick = () => {
    take_guess(choice);
    one('#outcome').focus();
    if (state) follow_guess();
  };
  one('#choices').append(make('button', { type: 'button', textContent: choice, onclick }));
}
// The most that is possible would give the answer away.
const hides_limits = () => guess !== null && guess.of === 'none' && !guess.settled;
const look_longer = (at) => {
  longer_seen = true;
  setup.length = at;
  tell_length(at);
};
const without = () => state.lanes.find((lane) => lane.scheme === 'none' && !lane.last);
const follow_guess = () => {
  const none = without(), { trained } = state.lanes[0], all_told = state.lanes.filter((lane) => lane.scheme !== 'none');
  const is_news = (lane) => right_at_twice(lane.first) === untested;  // at twice the length
  const told = all_told.findLast(is_news) || all_told[all_told.length - 1];
  const untrained = state.lanes.every((lane) => lane.step === 0);
  if (guess && guess.given && !guess.settled) show_guess();
  const known = (lane, at) => Number.isFinite(accuracy_of(lane, at)) &&
    lane.step - lane.accuracy[at].step < (is_moving(lane) ? 10 : 1);
  const longer = () => word('guess-longer', { scheme: code(told.scheme), longer: 2 * trained });
  if (guess && !guess.settled && !(guess.of === 'none' ? none : told)) forget_guess();
  if (guess && guess.of === 'longer' && !guess.given && longer_seen) forget_guess();
  const is_unknown = told && !longer_seen && is_news(told);
  if (untrained && (none || is_unknown)) {
    const question = none
      ? word(none.generates || has_one_answer() ? 'guess-answers' : 'guess-none') : longer();
    if (!guess || guess.question !== question) ask_guess(none ? 'none' : 'longer', question);
  } else if (guess && guess.of === 'none' && !guess.settled) {
    if (!guess.given && none.solved) forget_guess();  // it can be seen
    else if ((none.status !== 0 || (!state.running && told && told.learned)) && known(none, trained))
      settle_guess(none, trained);
  } else if (!telling && is_unknown && told.solved && (!guess || guess.settled)) {
    ask_guess('longer', longer(), guess ? guess.told : '');
  } else if (guess && guess.of === 'longer' && !guess.settled) {
    const is_able = told.status !== 0 || (!state.running && told.solved > 0);
    if (is_able && guess.given && !longer_seen && state.lanes.every((lane) => known(lane, trained)))
      look_longer(2 * trained);
    else if (longer_seen && is_able && known(told, 2 * trained)) settle_guess(told, 2 * trained);
  } else if (guess && guess.settled && !telling && !state.running) {  // after more training of the same models
    const same = state.lanes.every((lane) => !lane.events.length), lane = state.lanes[guess.index];
    if (same && known(lane, guess.at)) settle_guess(lane, guess.at);
  }
};
listeners.add(follow_guess);
