// The stages of the demo: a box for each, filled with the numbers of this run, and what the page showed then. Pressing
// a box shows its stage again; pressing it once more, or using a control, returns to the models as they are. They wait
// meanwhile.
const stages = ['guess', 'trained', 'longer', 'away', 'without'];
const kept = new Map();   // stage → what the page showed
let looking_back = null;  // while it lasts: the stage, and what the page showed of the models as they are
let current = '';         // the stage that the demo is at
let wanted = '';          // the stage to which the reader has told the demo to go on

const shown_now = () => ({ state, codes: [...codes], longer_seen, said });
const show_again = (page) => {
  ({ state, longer_seen } = page);
  codes.splice(0, codes.length, ...page.codes);
  looking.fill(null);
  document.documentElement.classList.toggle('looking-back', !!looking_back);
  dress_boxes();
  draw_soon();
};
const keep = (stage) => {
  const now = shown_now(), lanes = state.lanes.map((lane) => ({ ...lane }));
  kept.set(stage, { ...now, state: { ...state, lanes, running: false } });
};
const look_back = (stage) => {
  const { running } = looking_back || state;
  if (state.running) tell({ do: 'run', on: false });
  looking_back = { ...(looking_back || shown_now()), stage, running };
  const then = kept.get(stage);
  show_again(then);
  say(word('back', { said: stage === 'guess' ? word('untrained') : then.said }));
  find();
};
const come_back = () => {
  if (!looking_back) return;
  const now = looking_back;
  looking_back = null;
  show_again(now);
  if (telling) {
    say(now.said);
    find();
  }
  for (const listener of [...listeners]) listener();
  if (now.running) tell({ do: 'run', on: true });
};

const boxes = new Map(stages.map((stage) => {
  const title = word(`stage-${stage}`, { trained: usual.length, longer: 2 * usual.length });
  const button = make('button', { type: 'button' }, [make('b', { textContent: title }), make('span')]);
  button.addEventListener('click', () => {
    if (looking_back ? looking_back.stage === stage : stage === current) return come_back();
    if (stage !== current && kept.has(stage)) return look_back(stage);
    come_back();
    wanted = stage;
  });
  one('#told').append(make('li', {}, [button]));
  return [stage, button];
}));
// While the demo lasts, a box that is empty leads on to its stage; afterwards there is nothing to see in it.
const dress_boxes = () => {
  for (const [stage, button] of boxes) {
    button.disabled = !telling && !kept.has(stage);
    button.className = stage === current ? 'now' : kept.has(stage) ? 'seen' : '';
    button.setAttribute('aria-pressed', looking_back !== null && looking_back.stage === stage);
  }
};
const fill = (stage, text) => prose(one('span', boxes.get(stage)), text);
const box = (stage, text) => {
  current = stage;
  if (stage) {
    fill(stage, text);
    keep(stage);
  }
  dress_boxes();
};
const clear_boxes = () => {
  one('#demo').hidden = true;
  kept.clear();
  current = wanted = '';
  for (const stage of stages) fill(stage, '');
  dress_boxes();
};
// Whatever acts on the models acts on them as they are.
for (const kind of ['click', 'input', 'change', 'submit'])
  addEventListener(kind, ({ target }) => {
    if (target.closest('button, select, input, form') && !target.closest('#told')) come_back();
  }, { capture: true });
