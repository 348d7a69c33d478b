// The engine's thread (worker.js): how it is started, what it is told, and what becomes of it when it ends.

let worker = null, state = null, ready = false, changes = 0, waiting = [], heard = 0;
let failure = null;  // { name, error }: what is said of an engine that has ended
let replaying = 0;   // the step to which the models of a link are trained again, before there is a state
const send = (message) => {
  if (ready) worker.postMessage(message);
  else waiting.push(message);
};
// What changes the models, or what is shown of them; a question alone (`send`) changes nothing.
const tell = (message) => {
  noted = null;
  document.documentElement.classList.add('stale');
  send({ ...message, changes: ++changes });
};
const stop_engine = () => {
  if (worker) worker.terminate();
  worker = null;
  ready = false;
  waiting = [];
};
const start_engine = () => {
  stop_engine();
  failure = null;
  const source = URL.createObjectURL(new Blob([one('#worker').textContent], { type: 'text/javascript' }));
  worker = new Worker(source);
  worker.onerror = () => fail('killed');
  worker.onmessage = ({ data }) => {
    heard = performance.now();
    if (data.none) return no_engine();
    if (data.error) return fail('error', { error: data.error });
    if (data.ready) {
      ready = true;
      headline();
      for (const message of waiting.splice(0)) worker.postMessage(message);
    } else if (data.attention) show_attention(data.attention);
    else if (data.again) show_progress(data.again);
    else if (data.codes) codes[data.codes.index] = data.codes;
    else receive(data);
  };
  const bytes = Uint8Array.from(atob(one('#engine').textContent.trim()), (c) => c.charCodeAt(0));
  worker.postMessage({ packed: bytes }, [bytes.buffer]);
};
const fail = (name, values) => {
  failure = { name, ...values };
  stop_engine();
  if (state) state.running = false;
  document.documentElement.classList.remove('stale');
  headline();
  buttons();
};
// A link with many steps takes a while.
const show_progress = (done) => {
  const bar = one('#again');
  bar.hidden = !done;
  if (done) Object.assign(bar, { value: done.step, max: done.of });
};
// Nothing that was told before the last change of the reader counts.
const unread = () => !state || state.changes < changes;
// A thread that trains is heard from many times a second. (A page that was frozen hears nothing, and proves nothing.)
let looked = performance.now();
setInterval(() => {
  const now = performance.now();
  if (now - looked > 5000) heard = now;
  looked = now;
  if (ready && state && state.running && !document.hidden && performance.now() - heard > 15000) fail('killed');
}, 2000);
document.addEventListener('visibilitychange', () => { heard = performance.now(); });
const no_engine = () => {
  stop_engine();
  document.documentElement.classList.remove('scripted');
  one('#live').hidden = true;
};

const listeners = new Set();
let drawing = false;
// What was told before the thread had read the last change of the reader is out of date.
const receive = (data) => {
  if (data.changes < changes) return;
  state = data;
  replaying = 0;
  document.documentElement.classList.remove('stale');
  show_progress(null);
  for (const listener of [...listeners]) listener();
  draw_soon();
};
const draw_soon = () => {
  if (drawing) return;
  drawing = true;
  requestAnimationFrame(() => { drawing = false; draw(); });
};
const until = (condition, signal) => new Promise((resolve, reject) => {
  const check = () => {
    if (!state || !condition()) return;
    listeners.delete(check);
    resolve();
  };
  signal.addEventListener('abort', () => { listeners.delete(check); reject(signal.reason); }, { once: true });
  listeners.add(check);
  check();
});
