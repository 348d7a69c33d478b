// The engine's thread: it trains both lanes in turn, tests them, answers, and tells the page what has changed, at most
// 30 times a second. The page sends one kind of message for each thing a reader can do (`commands`).
'use strict';
let wasm = null;
const bytes = () => new Uint8Array(wasm.memory.buffer);
const words = (from, count) => new TextDecoder().decode(bytes().slice(from, from + count));
const give = (text) => bytes().set(new TextEncoder().encode(text.slice(0, 16000) + '\0'), wasm.text_buffer());
const text = () => {
  const from = wasm.text_buffer();
  return words(from, bytes().indexOf(0, from) - from);
};
const numbers = (count) => [...new Float64Array(wasm.memory.buffer, wasm.number_buffer(), count)];

const start = async (packed) => {
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const module = await WebAssembly.compile(await new Response(stream).arrayBuffer());
  const nothing = () => 8;  // "bad file descriptor": there are no files
  wasm = (await WebAssembly.instantiate(module, {
    page: { error: (from, count) => { throw new Error(words(from, count)); } },
    wasi_snapshot_preview1: {
      clock_time_get: (id, precision, to) => {
        new DataView(wasm.memory.buffer).setBigUint64(to, BigInt(Math.round(performance.now() * 1e6)), true);
        return 0;
      },
      fd_close: nothing, fd_seek: nothing, fd_write: nothing,
    },
  })).exports;
  wasm._initialize();
};

// At these lengths, and at that of the slider, a lane is tested; one test at a time, between two parts of training.
const lengths = [4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48], tested = 128;
let lanes = [], decoder = 0, length = 12, input = '', running = false, changes = 0;
const stale = (lane) => { for (const one of Object.values(lane.accuracy)) one.old = true; };

const fresh = (scheme) => ({ scheme, first: scheme, accuracy: {}, without: false, curve: [], step: 0, status: 0,
                            events: [], ends: [] });
const read = (index, steps) => {
  const lane = lanes[index], before = lane.step;
  const [step, solved, status, loss, probed, parameters, generates, trained, began] =
      numbers(wasm.train(index, steps));
  Object.assign(lane, { step, solved, status, loss, parameters, generates, trained, began });
  if (step !== before) stale(lane);
};
const measure = (index, at) => {
  const lane = lanes[index];
  lane.accuracy[at] = { value: wasm.accuracy(index, at, tested, lane.without ? 1 : 0), step: lane.step, old: false };
  if (!(at in ceilings)) ceilings[at] = numbers(wasm.ceilings(index, at)).slice(0, 3);
};
let ceilings = {};
const point = (index) => {
  const lane = lanes[index], last = lane.curve[lane.curve.length - 1];
  if (lane.without) return;
  const at = lane.trained, value = lane.accuracy[at];
  if (!value || value.old) measure(index, at);
  if (!last || last[0] !== lane.step) lane.curve.push([lane.step, lane.accuracy[at].value]);
};

const ask = (index) => {
  const lane = lanes[index];
  give(input);
  const probabilities = numbers(wasm.answer(index, lane.without ? 1 : 0));
  const [said, right, wrong] = text().split('\n');
  lane.answer = { said, right, wrong, probabilities };
};
const draw = (index) => {
  const [kind, rows, columns, ...values] = numbers(wasm.codes(index, 24));
  lanes[index].codes = { kind, rows, columns, values };
};

// While they train, the lanes are tested in turn: a test takes about as long as a step.
let told = 0, turn = 0;
const tell = (now) => {
  if (!now && performance.now() - told < 33) return;
  told = performance.now();
  ++turn;
  lanes.forEach((lane, index) => {
    if (now || !running || turn % lanes.length === index || !lane.accuracy[length]) {
      point(index);
      if (!lane.accuracy[length] || lane.accuracy[length].old) measure(index, length);
    }
    ask(index);
    lane.blind = numbers(wasm.ceilings(index, lane.trained))[3];
    if (!lane.codes || lane.codes.of !== lane.step) { draw(index); lane.codes.of = lane.step; }
  });
  postMessage({ lanes, ceilings, length, input, running, changes, memory: wasm.memory.buffer.byteLength });
};

// One test that is missing or old; false when there is none. A lane in training is tested anew at a length after
// 100 more steps.
const test_one = () => {
  for (const at of lengths)
    for (const index of lanes.keys()) {
      const known = lanes[index].accuracy[at];
      if (known && !(known.old && (!running || lanes[index].step - known.step >= 100))) continue;
      measure(index, at);
      return true;
    }
  return false;
};

const channel = new MessageChannel();
let waiting = false, turns = 0;
const again = () => { if (!waiting) { waiting = true; channel.port2.postMessage(0); } };
channel.port1.onmessage = () => {
  waiting = false;
  if (failed) return;
  guarded(() => {
    if (running) {
      const until = performance.now() + 20;
      while (performance.now() < until && lanes.some((lane) => lane.status === 0))
        lanes.forEach((lane, index) => { if (lane.status === 0) read(index, 1); });
      if (lanes.every((lane) => lane.status !== 0)) running = false;
    }
    const more = running && ++turns % 3 ? true : test_one();
    tell(!running && !more);
    if (running || more) again();
  });
};

let failed = false;
const guarded = (work) => {
  try {
    work();
  } catch (error) {
    failed = true;
    running = false;
    postMessage({ error: error.message });
  }
};

const new_input = (number) => {
  wasm.example(0, length, number);
  input = text();
};
const commands = {
  // Both lanes from the start, and then, step by step, what a link says that was done to them.
  begin: ({ task, schemes, model, seed, at, past = [[], []], own }) => {
    decoder = model === 'decoder' ? 1 : 0;
    length = at;
    ceilings = {};
    lanes = schemes.map(fresh);
    schemes.forEach((scheme, index) => {
      give(`${task}\n${scheme}`);
      wasm.new_model(index, decoder, seed);
      read(index, 0);
      point(index);
      for (const [step, to] of past[index]) {
        while (lanes[index].step < step && lanes[index].status === 0) {
          read(index, Math.min(10, step - lanes[index].step));
          point(index);
        }
        if (to) commands.change({ index, to, quiet: true });
      }
    });
    if (own) input = own;
    else new_input(0);
  },
  run: ({ on }) => { running = on && lanes.some((lane) => lane.status === 0); },
  step: () => {
    running = false;
    lanes.forEach((lane, index) => { if (lane.status === 0) read(index, 1); });
  },
  change: ({ index, to }) => {
    const lane = lanes[index];
    give(to);
    wasm.change_scheme(index);
    lane.events.push({ step: lane.step, to, back: to === lane.first });
    lane.ends.push(lane.status !== 0);  // whether the training before it had ended
    Object.assign(lane, { scheme: to, without: false, status: 0 });
    stale(lane);
    read(index, 0);
    lane.codes = null;
    delete lane.accuracy[lane.trained];
    lane.curve.push([lane.step, NaN]);
    measure(index, lane.trained);
    lane.curve.push([lane.step, lane.accuracy[lane.trained].value]);
  },
  without: ({ index, on }) => {
    lanes[index].without = on;
    lanes[index].accuracy = {};
  },
  length: ({ at, number = 0 }) => {
    if (at !== length || number) { length = at; new_input(number); }
  },
  input: ({ own }) => { input = own; },
  attend: ({ index }) => {
    const lane = lanes[index];
    give(input);
    const [maps, size, ...weights] = numbers(wasm.attention(index, lane.without ? 1 : 0));
    postMessage({ attention: { index, maps, size, weights, read: text().split(' ') } });
  },
};

onmessage = async ({ data }) => {
  if (data.packed) {
    try {
      await start(data.packed);
      postMessage({ ready: true });
    } catch (error) {
      postMessage({ none: String(error) });
    }
    return;
  }
  if (failed) return;
  guarded(() => {
    commands[data.do](data);
    changes = data.changes || changes;
    if (data.do !== 'attend') tell(true);
    again();
  });
};
