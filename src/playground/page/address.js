// The address: the setup, and the steps at which schemes were changed. And the commands that repeat it natively.

const address = () => {
  const firsts = state ? state.lanes.map((lane) => lane.first) : setup.schemes;
  const parts = [`task=${setup.task}`, `schemes=${firsts.join(',')}`];
  if (setup.model !== usual.model) parts.push(`model=${setup.model}`);
  if (setup.seed !== usual.seed) parts.push(`seed=${setup.seed}`);
  parts.push(`length=${state ? state.length : setup.length}`);
  (state ? state.lanes : []).forEach((lane, index) => {
    const past = [...lane.events.map((event) => `${event.step}:${event.to}`), `${lane.step}`];
    if (lane.step) parts.push(`${'ab'[index]}=${past.join(',')}`);
  });
  return '#' + parts.join('&');
};
let remembered = 0, shown_address = '';
const remember = (push) => {
  if (push) {
    shown_address = '';
    state = null;
    history.pushState(null, '', shown_address = address());
  } else if (state && !state.running && performance.now() - remembered > 400) {
    remembered = performance.now();
    const now = address();
    if (now !== location.hash && now !== shown_address) history.replaceState(null, '', shown_address = now);
  }
};
// "300:rope:still=1/2": a step, and a scheme, whose name may hold a colon.
const parted = (item) => {
  const at = item.indexOf(':');
  return at < 0 ? [item] : [item.slice(0, at), item.slice(at + 1)];
};
// What the address asks for; `broken` names the first thing that there is not.
const read_address = () => {
  const asked = new URLSearchParams(location.hash.slice(1)), found = { ...usual, past: [[], []], broken: '' };
  const take = (name, check, put) => {
    if (!asked.has(name)) return;
    if (check(asked.get(name))) put(asked.get(name));
    else found.broken = found.broken || `${name}=${asked.get(name)}`.slice(0, 60);
  };
  const whole = (low, high) => (text) => /^\d+$/.test(text) && Number(text) >= low && Number(text) <= high;
  take('task', (name) => Object.hasOwn(facts.tasks, name), (name) => { found.task = name; });
  take('model', (name) => ['encoder', 'decoder'].includes(name), (name) => { found.model = name; });
  if (facts.tasks[found.task].form === 'generation') found.model = 'decoder';
  take('schemes', (names) => names.split(',').length === 2 && names.split(',').every(is_scheme),
       (names) => { found.schemes = names.split(','); });
  take('seed', whole(1, 1e6), (text) => { found.seed = Number(text); });
  take('length', whole(4, 48), (text) => { found.length = Number(text); });
  const changes_of = (past) => past.split(',').map(parted);
  const is_change = ([step, to]) => whole(0, 20000)(step) && (to === undefined || is_scheme(to));
  for (const index of [0, 1])
    take('ab'[index], (past) => changes_of(past).length < 20 && changes_of(past).every(is_change),
         (past) => { found.past[index] = changes_of(past).map(([step, to]) => [Number(step), to]); });
  return found;
};
const go_to_address = () => {
  end_story();
  const { past, broken, ...found } = read_address();
  setup = broken ? { ...usual } : found;
  begin(broken ? {} : { past });
  if (broken) note('broken', { what: broken });
};
addEventListener('popstate', go_to_address);

const commands = () => state.lanes.map((lane, index) => {
  const base = ['build/locus train', `--task ${setup.task}`, `--scheme ${lane.first}`];
  if (setup.model !== 'encoder') base.push(`--model ${setup.model}`);
  if (setup.seed !== 1) base.push(`--seed ${setup.seed}`);
  const at = [4, 8, 12, 24, 48].filter((length) => Number.isFinite((lane.accuracy[length] || {}).value)).join(',');
  const tests = `--test-lengths ${at || 12} --test-examples 128`;
  const runs = `runs/playground/${setup.task}-${'ab'[index]}`;
  const lines = [`${base.join(' ')} ${tests} --out ${runs}`];
  lane.events.forEach((event, i) => {
    if (!event.ended) lines.push(word('early', { step: event.step }));
    const scheme = [i ? lane.events[i - 1].to : lane.first, event.to].find((name) => scheme_of(name).parameters);
    if (scheme) lines.push(word('not-native', { scheme }));
    lines.push(`build/locus train --from ${runs}${i ? `-${i}` : ''} --scheme ${event.to} --out ${runs}-${i + 1}`);
  });
  return lines.join('\n');
}).join('\n');
const copy = (button, text) => {
  Object.assign(one('#command'), { hidden: false, textContent: text });
  const before = button.textContent;
  Promise.resolve(navigator.clipboard && navigator.clipboard.writeText(text)).then(() => {
    if (!navigator.clipboard) return;
    button.textContent = word('copied');
    setTimeout(() => { button.textContent = before; }, 1500);
  }, () => getSelection().selectAllChildren(one('#command')));
};
one('#copy').addEventListener('click', ({ target }) => { if (state) copy(target, commands()); });
one('#link').addEventListener('click', ({ target }) => {
  if (!state) return;
  const from_disk = location.protocol === 'file:';
  copy(target, from_disk ? address() : location.href.replace(/#.*/, '') + address());
  if (from_disk) one('#command').textContent = `${word('link-file')}\n${address()}`;
});
// The chart as it is seen, with the looks of each part written into it.
one('#picture').addEventListener('click', () => {
  const from = one('#chart'), to = from.cloneNode(true), parts = all('*', from);
  const looks = ['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity', 'font', 'text-anchor'];
  all('*', to).forEach((part, i) => {
    const style = getComputedStyle(parts[i]);
    for (const name of looks) part.style.setProperty(name, style.getPropertyValue(name));
  });
  to.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  to.style.background = getComputedStyle(document.body).backgroundColor;
  const file = URL.createObjectURL(new Blob([to.outerHTML], { type: 'image/svg+xml' }));
  make('a', { href: file, download: `locus-${setup.task}.svg` }).click();
  URL.revokeObjectURL(file);
});
