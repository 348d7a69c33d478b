// What the reader can press, choose, move and type.

const buttons = () => {
  const running = !!state && state.running && !failed, over = !!state && state.lanes.every((lane) => lane.status !== 0);
  one('#train').textContent = word(running ? 'pause' : 'train');
  one('#train').disabled = over && !failed;
  one('#step').disabled = running || over || failed;
  lanes.forEach((place, index) => {
    const lane = state && state.lanes[index], none = setup.schemes[index] === 'none';
    const away = lane && lane.scheme === 'none';
    one('.once', place).hidden = none || away;
    one('.once', place).setAttribute('aria-pressed', !!lane && lane.without);
    one('.away', place).hidden = none || away;
    one('.back', place).hidden = none || !away;
    one('.never', place).hidden = !none;
  });
};
const begin = (options = {}) => {
  if (!worker) start_engine();
  guessed.none = guessed.length = typed = false;
  one('#guess').hidden = true;
  tell({ do: 'begin', task: setup.task, schemes: setup.schemes, model: setup.model, seed: setup.seed,
         at: setup.length, ...options });
  one('#task').value = setup.task;
  one('#model').value = setup.model;
  lanes.forEach((place, index) => { one('.scheme', place).value = setup.schemes[index]; });
  const chapter = [...setup.schemes].sort((a, b) => (a === 'none') - (b === 'none'))
    .map((scheme) => facts.schemes[scheme].lesson).filter(Boolean)[0];
  one('#lesson').hidden = !chapter;
  if (chapter) Object.assign(one('#lesson'), { href: `../lessons/${chapter}/README.md`,
    textContent: word('lesson', { chapter: chapter.replace(/_/g, ' ') }) });
  dress();
  buttons();
  one('#command').hidden = true;
  one('#input').maxLength = 400;
};
const run = (on) => { tell({ do: 'run', on }); say(on ? 'training' : 'paused', { task: setup.task,
  step: state ? Math.max(...state.lanes.map((lane) => lane.step)) : 0 }); };
const change = (index, to, event) => {
  tell({ do: 'change', index, to });
  if (event) say(event, { scheme: code(to) });
};
const scheme_of = (index) => setup.schemes[index];

one('#train').addEventListener('click', () => {
  if (failed) { begin(); say('start'); return; }
  const on = !(state && state.running);
  if (on && guess_none()) return;
  run(on);
});
one('#step').addEventListener('click', () => { tell({ do: 'step' }); });
const choose = (what) => { setup = { ...setup, ...what }; begin(); say('start'); find(''); remember(true); };
one('#task').addEventListener('change', ({ target }) => choose({ task: target.value, length: 12,
  model: facts.tasks[target.value].form === 'generation' ? 'decoder' : setup.model }));
one('#model').addEventListener('change', ({ target }) => choose({
  model: facts.tasks[setup.task].form === 'generation' ? 'decoder' : target.value }));
lanes.forEach((place, index) => {
  one('.scheme', place).addEventListener('change', ({ target }) => choose({
    schemes: setup.schemes.map((scheme, i) => i === index ? target.value : scheme) }));
  one('.once', place).addEventListener('click', ({ target }) => {
    const on = target.getAttribute('aria-pressed') !== 'true';
    tell({ do: 'without', index, on });
    if (on) { say('away', { scheme: code(scheme_of(index)) }); find('taken'); }
  });
  one('.away', place).addEventListener('click', () => {
    change(index, 'none', 'without-now');
    find('without');
    one('.back', place).hidden = false;
    one('.back', place).focus();
  });
  one('.back', place).addEventListener('click', () => {
    change(index, scheme_of(index), 'put-back');
    find('');
    one('.away', place).hidden = false;
    one('.away', place).focus();
  });
});
let asked_length = 0;
range.addEventListener('input', () => {
  const at = Number(range.value);
  one('#slider output').textContent = at;
  if (at > state.lanes[0].trained && guess_length()) {
    asked_length = at;
    range.value = state.length;
    return;
  }
  setup.length = at;
  tell({ do: 'length', at });
  if (at > state.lanes[0].trained) find('longer');
});
let typed = false;  // an input that is not asked yet: nothing replaces it
one('#input').addEventListener('input', () => { typed = true; });
one('#own').addEventListener('submit', (event) => {
  event.preventDefault();
  const tokens = one('#input').value.trim().split(/\s+/).filter(Boolean), known = task().alphabet;
  const wrong = tokens.find((token) => !known.includes(token));
  const refused = one('#refused');
  refused.textContent = !tokens.length ? `Give 1 to 48 tokens, such as ${known.slice(0, 3).join(' ')}.`
    : tokens.length > 48 ? `These are ${tokens.length} tokens; give 48 at most.`
    : wrong !== undefined ? `“${wrong}” is no token of ${setup.task}. Its tokens: ${known.join(' ')}.` : '';
  if (refused.textContent) return;
  typed = false;
  tell({ do: 'input', own: tokens.join(' ') });
});
let example = 0;
one('#another').addEventListener('click', () => {
  one('#refused').textContent = '';
  typed = false;
  tell({ do: 'length', at: state.length, number: ++example });
});
