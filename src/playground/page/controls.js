// What the reader can press, choose, move and type.

const buttons = () => {
  const running = !!state && state.running && !failure;
  const ended = is_over() && !failure && !telling;
  put(one('#train'), word(telling ? 'next' : running ? 'pause' : ended ? 'trained' : 'train'));
  one('#train').disabled = ended;
  one('#step').disabled = running || is_over() || !!failure;
  for (const button of ['#step', '#anew'])  // at first there is one thing to press
    one(button).hidden = telling || !state || state.lanes.every((lane) => lane.step === 0);
  lanes.forEach((place, index) => {
    const lane = state && state.lanes[index];
    if (!lane) return;
    const none = lane.scheme === 'none', chooser = one('.scheme', place);
    one('.away', place).hidden = none;
    one('.back', place).hidden = !none || !lane.last;
    const name = name_of_lane(lane), in_heading = name.length > 24 ? name_of_lane(lane, short) : name;
    const shown = [lane.scheme, is_bare(lane) ? word('was', { scheme: name_before(lane) }) : in_heading];
    if (changed(chooser, shown.join())) show_scheme(chooser, ...shown);
  });
};
// A menu begins with a few items. Its last one, "more …", is no choice: it brings the others and opens the menu again.
const not_listed = new Map(all('#task, .scheme').map((menu) => [menu, [...menu.children].slice(1)]));
for (const [menu, items] of not_listed) {
  for (const item of items) item.remove();
  menu.append(make('option', { value: 'more', textContent: word('more') }));
}
const list_all = (menu) => {
  menu.lastElementChild.remove();
  menu.append(...not_listed.get(menu));
  not_listed.delete(menu);
};
const has_option = (menu, value) => [...menu.options].some((option) => option.value === value);
const show_choice = (menu, value) => {
  if (!has_option(menu, value) && not_listed.has(menu)) list_all(menu);
  menu.value = value;
};
const opened_again = (menu, chosen) => {
  if (menu.value !== 'more') return false;
  list_all(menu);
  menu.value = chosen;
  if (navigator.userActivation?.isActive) menu.showPicker?.();
  return true;
};
// Clocks can stand still in 256 ways: an option is made for those that are wanted, as long as they are.
const show_scheme = (chooser, scheme, name = title(scheme)) => {
  all('.made', chooser).filter((option) => option.value !== scheme).forEach((option) => option.remove());
  if (stopped_in(scheme) && !has_option(chooser, scheme))
    chooser.prepend(make('option', { value: scheme, className: 'made' }));
  for (const option of chooser.options)
    if (option.value !== 'more') put(option, option.value === scheme ? name : title(option.value));
  show_choice(chooser, scheme);
};
// Untrained models of the setup.
const begin = (options = {}) => {
  if (!worker || replaying) start_engine();
  typed = false;
  state = null;
  replaying = Math.max(0, ...(options.past || []).flat().map(([step]) => step));
  if (setup.length > usual.length || replaying) longer_seen = true;
  one('#refused').textContent = '';
  reading.fill(null);
  whole.fill(null);
  asked.fill('');
  forget_guess();
  forget_ideas();
  if (!telling) clear_boxes();  // they are about the demo's models
  tell({ do: 'begin', task: setup.task, schemes: setup.schemes, model: setup.model, seed: setup.seed,
         at: setup.length, of: head, ...options });
  show_choice(one('#task'), setup.task);
  one('#model').value = setup.model;
  offer_heads();
  lanes.forEach((place, index) => {
    show_scheme(one('.scheme', place), setup.schemes[index]);
    // Nothing of the models before.
    for (const part of ['.number b', '.number span', '.number em', '.what', '.under']) put(one(part, place), '');
    for (const part of ['.answer', '.curve']) one(part, place).replaceChildren();
    for (const part of all('.read, .codes, .clocks', place)) part.hidden = true;
    keys.delete(one('.curve', place));
  });
  buttons();
  one('#command').hidden = true;
  headline();
};
// The chapter of the scheme in use.
listeners.add(() => {
  setup.schemes = state.lanes.map((lane) => lane.first);
  const chapter = [state.lanes[1], state.lanes[0]]
    .map((lane) => scheme_of(lane.last || 'none').lesson).filter(Boolean)[0];
  one('#lesson').hidden = !chapter;
  if (chapter && put(one('#lesson'), word('lesson', { chapter: chapter.replace(/_/g, ' ') })))
    one('#lesson').href = `../lessons/${chapter}/README.md`;
});

one('#train').addEventListener('click', () => {
  if (failure) return begin();
  if (telling) return skipped = true;
  tell({ do: 'run', on: !(state && state.running) });
});
one('#step').addEventListener('click', () => { tell({ do: 'step' }); });
const choose = (what) => {
  setup = { ...setup, ...what };
  begin();
  remember(true);
};
one('#anew').addEventListener('click', () => choose({
  schemes: state ? state.lanes.map((lane) => lane.last || lane.scheme) : setup.schemes }));
one('#reseed').addEventListener('click', () => choose({ seed: setup.seed % 1e6 + 1 }));
// A menu that is opened says what each of its items is.
const explain = (menu, summary_of) => {
  const explained = (is_open) => {
    menu.style.width = is_open ? `${menu.offsetWidth}px` : '';
    for (const option of menu.options)
      if (is_open && option.value !== 'more') option.label = `${option.textContent}: ${summary_of(option.value)}`;
      else option.removeAttribute('label');
  };
  for (const kind of ['pointerdown', 'keydown']) menu.addEventListener(kind, () => explained(true));
  for (const kind of ['change', 'blur']) menu.addEventListener(kind, () => explained(false));
};
explain(one('#task'), (name) => facts.tasks[name].summary);
let new_task = false;  // until it is known at which length it is trained
one('#task').addEventListener('change', ({ target }) => {
  if (opened_again(target, setup.task)) return;
  const needs_decoder = facts.tasks[target.value].form === 'generation', was = setup.model;
  new_task = true;
  longer_seen = false;
  choose({ task: target.value, length: usual.length, model: needs_decoder ? 'decoder' : was });
  if (needs_decoder && was !== 'decoder') note('needs-decoder', { task: target.value });
});
listeners.add(() => {
  if (new_task && state.length !== state.lanes[0].trained) tell_length(setup.length = state.lanes[0].trained);
  new_task = false;
});
one('#model').addEventListener('change', ({ target }) => choose({
  model: facts.tasks[setup.task].form === 'generation' ? 'decoder' : target.value }));
// Another scheme for a lane; the other lane goes on as it is. The menu begins a new model with it; a button or a clock
// changes the model that is there, which keeps its weights.
const change = (index, to, afresh = false) => {
  const lane = state && state.lanes[index];
  if (lane && lane.scheme === to) return;
  if (afresh || !lane) whole[index] = null;
  else if (!lane.events.some(({ step }) => step === lane.step)) whole[index] = lane.accuracy;
  if (guess && (guess.settled || afresh)) forget_guess();  // it was about the models as they were
  if (afresh) {
    clear_boxes();
    typed = false;
    one('#refused').textContent = '';
  }
  tell({ do: 'change', index, to, afresh });
  one('#command').hidden = true;
  if (!lane || lane.step === 0) {
    setup.schemes = setup.schemes.map((scheme, i) => i === index ? to : scheme);
    return remember(true);
  }
  const back = lane.scheme === 'none' && to === lane.last;
  const before = whole[index] || lane.accuracy;
  // So the page is right before the engine has answered.
  lane.scheme = to;
  lane.accuracy = {};
  draw_soon();
  buttons();
  const told = () => {
    listeners.delete(told);
    const name = state.lanes[index].step === 0 ? 'anew' : to === 'none' ? '' : back ? 'put-back' : 'changed';
    const { length } = state, now = state.lanes[index], a = percent(accuracy_of(now, length));
    const tested = [...new Set([now.trained, length])].filter((at) => at in before && at in now.accuracy);
    const at = tested.map((at) => word('changed-at', { was: percent(before[at].value),
      now: percent(accuracy_of(now, at)), length: at })).join(', ');
    const beside = state.lanes[1 - index], about = { other: called(beside), step: beside.step };
    const other = beside.step === 0 ? '' : word(beside.status === 0 ? 'anew-goes-on' : 'anew-stopped', about);
    if (name) note(name, { scheme: '`' + name_of_lane(now) + '`', a, at, length, other });
  };
  listeners.add(told);
};
lanes.forEach((place, index) => {
  explain(one('.scheme', place), (scheme) => scheme_of(scheme).summary);
  one('.scheme', place).addEventListener('change', ({ target }) => {
    if (!opened_again(target, state ? state.lanes[index].scheme : setup.schemes[index]))
      change(index, target.value, true);
  });
  // The focus goes to the button that undoes it.
  for (const [press, undo, to] of [['.away', '.back', () => 'none'], ['.back', '.away', (lane) => lane.last]])
    one(press, place).addEventListener('click', () => {
      change(index, to(state.lanes[index]));
      one(undo, place).hidden = false;
      one(undo, place).focus({ preventScroll: true });
    });
});
// Another length has another input: what was typed goes.
const tell_length = (at, number = 0) => {
  one('#refused').textContent = '';
  typed = false;
  tell({ do: 'length', at, number });
};
range.addEventListener('input', () => {
  if (!state) return;
  const at = Number(range.value);
  show_length(at);
  if (at > state.lanes[0].trained) longer_seen = true;
  setup.length = at;
  tell_length(at);
});
let typed = false;  // an input that is not asked yet: nothing replaces it
one('#input').maxLength = 400;
one('#input').addEventListener('input', () => { typed = true; });
one('#own').addEventListener('submit', (event) => {
  event.preventDefault();
  const known = task().alphabet, words = one('#input').value.trim().split(/[\s,]+/).filter(Boolean);
  // 31415 is 3 1 4 1 5, where these are tokens and it is none.
  const is_word = (one) => known.includes(one) || ![...one].every((letter) => known.includes(letter));
  const letters = (one) => is_word(one) ? [one] : [...one];
  const tokens = words.flatMap(letters);
  const wrong = tokens.find((token) => !known.includes(token));
  const refused = one('#refused');
  refused.textContent = !tokens.length ? word('no-tokens', { some: known.slice(0, 3).join(' ') })
    : tokens.length > 48 ? word('many-tokens', { count: tokens.length })
    : wrong !== undefined ? word('no-token', { token: wrong, known: known.join(' ') }) : '';
  if (refused.textContent) return;
  typed = false;
  tell({ do: 'input', own: tokens.join(' ') });
});
let example = 0;
one('#another').addEventListener('click', () => tell_length(state.length, ++example));
