// The engine's thread: it trains both lanes in turn, tests them, answers, and tells the page what has changed, about 30
// times a second. The page sends one kind of message for each thing a reader can do (`commands`).
'use strict';
let wasm = null;
const bytes = () => new Uint8Array(wasm.memory.buffer);
const words = (from, count) => new TextDecoder().decode(bytes().slice(from, from + count));
const give = (text) => bytes().set(new TextEncoder().encode(text.slice(0, 16000) + '\0'), wasm.text_buffer());
const text = () => {
  const from = wasm.text_buffer();
  return words(from, bytes().indexOf(0, from) - from);
};
const numbers = (count) => new Float64Array(wasm.memory.buffer, wasm.number_buffer(), count).slice();

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

// On so many inputs a lane is tested: at the length trained on after every few steps, which is its curve; at the length
// of the slider when that is shown; and at these lengths, one test at a time between two parts of training.
const lengths = [4, 6, 8, 10, 12, 14, 16, 20, 24, 28, 32, 40, 48], tested = 128, every = 5, lengths_every = 150;
let lanes = [], task = '', decoder = 0, seed = 1, length = 12, input = '', running = false, changes = 0, ceilings = {};

// `first` is the scheme that a lane began with, `last` the last one that told it positions.
const fresh = (scheme) => ({ scheme, first: scheme, last: scheme === 'none' ? '' : scheme, accuracy: {},
                             learned: false, curve: [], step: 0, status: 0, events: [] });
const read = (index, steps) => {
  const lane = lanes[index], before = lane.step;
  const [step, solved, status, , , size, generates, trained, began, shortest] = numbers(wasm.train(index, steps));
  Object.assign(lane, { step, solved, status, size, generates, trained, began, shortest });
  lane.learned = lane.learned || solved > 0 || status !== 0;  // and stays so when its scheme is changed
  if (step !== before) for (const one of Object.values(lane.accuracy)) one.old = true;
};
const is_old = (lane, at) => !lane.accuracy[at] || lane.accuracy[at].old;
const measure = (index, at) => {
  const lane = lanes[index];
  const value = wasm.accuracy(index, at, tested), [tokens, answers] = numbers(2);
  lane.accuracy[at] = { value, tokens, answers, step: lane.step, old: false };
  if (!(at in ceilings)) ceilings[at] = numbers(wasm.ceilings(index, at)).slice(0, 3);
};
// Other lengths than that of the curve, whose answers may be long: while the models train, such a test is followed by
// three times as long without one.
let rests_until = 0;
const may_test = () => !running || performance.now() >= rests_until;
const measure_beside = (index, at) => {
  const begun = performance.now();
  measure(index, at);
  rests_until = performance.now() + 3 * (performance.now() - begun);
};
const point = (index) => {
  const lane = lanes[index], last = lane.curve[lane.curve.length - 1];
  if (is_old(lane, lane.trained)) measure(index, lane.trained);
  if (!last || last[0] !== lane.step) lane.curve.push([lane.step, lane.accuracy[lane.trained].value]);
};
// A lane whose scheme hides order, or sides, stops where it has been at the most that is then possible for 150 steps.
// (The steps that a link asks for are done all the same.)
const at_limit = 5, steps_at_limit = 150, points_at_limit = steps_at_limit / every, close = 0.015;
const stop_at_limit = (lane) => {
  const most = (ceilings[lane.trained] || [])[2 - lane.blind], last = lane.curve.slice(-points_at_limit);
  const mean = last.reduce((sum, [, value]) => sum + value, 0) / points_at_limit;
  const is_early = lane.step - lane.began < steps_at_limit;
  if (lane.status !== 0 || is_early || !lane.blind || most > 0.98 || !(mean > most - close)) return;
  Object.assign(lane, { status: at_limit, learned: true });
};
const train = (index, steps) => {
  const lane = lanes[index];
  for (const end = lane.step + steps; lane.step < end && lane.status === 0;) {
    read(index, Math.min(end - lane.step, every - lane.step % every));
    if (lane.step % every === 0) point(index);
  }
};

const ask = (index) => {
  const lane = lanes[index];
  give(input);
  wasm.answer(index);
  const [said, right, wrong] = text().split('\n');
  lane.answer = { said, right, wrong };
};
// What the scheme gives to each position: told when there is something new to draw.
const heads = [0, 0], drawn = [];
const draw = (index) => {
  const lane = lanes[index], head = heads[index];
  const key = [lane.scheme, head, Math.floor(lane.step / every), lane.began].join();
  if (drawn[index]?.key === key) return;
  const told = numbers(wasm.codes(index, 24, head)), before = drawn[index]?.told;
  drawn[index] = { key, told };
  if (before && before.length === told.length && told.every((value, i) => Object.is(value, before[i]))) return;
  const [kind, rows, columns, ...values] = told;
  postMessage({ codes: { index, head, kind, rows, columns, values } });
};

const frame = 16;  // ms: with the step that is then begun, about 30 times a second
let told = 0;
const tell = () => {
  lanes.forEach((lane, index) => {
    if (!running) point(index);
    const known = lane.accuracy[length];
    const is_wanted = !known || (known.old && (!running || lane.step - known.step >= every));
    if (is_wanted && may_test()) measure_beside(index, length);
    ask(index);
    draw(index);
  });
  postMessage({ lanes, ceilings, length, input, running, changes, memory: wasm.memory.buffer.byteLength });
  told = performance.now();
};

// One test that is missing or old; false when there is none.
const test_one = () => {
  for (const at of lengths)
    for (const [index, lane] of lanes.entries()) {
      const known = lane.accuracy[at];
      if (known && !(known.old && (!running || lane.step - known.step >= lengths_every))) continue;
      measure_beside(index, at);
      return true;
    }
  return false;
};

// A part of the work, and then the next: between two, commands of the page are heard.
const channel = new MessageChannel();
let waiting = false, turns = 0;
const again = () => { if (!waiting) { waiting = true; channel.port2.postMessage(0); } };
channel.port1.onmessage = () => {
  waiting = false;
  if (failed) return;
  guarded(() => {
    const was_running = running, more = (!running || (++turns % 3 === 0 && may_test())) && test_one();
    if (running) do {  // a step in each turn, however long the rest takes
      for (const index of lanes.keys()) {
        train(index, 1);
        stop_at_limit(lanes[index]);
      }
      running = lanes.some((lane) => lane.status === 0);
    } while (running && performance.now() - told < frame);
    if (!more || performance.now() - told >= frame) tell();
    if (was_running || more) again();  // when training has ended by itself, the tests are made to their end
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
const new_lane = (index, scheme) => {
  lanes[index] = fresh(scheme);
  give(`${task}\n${scheme}`);
  wasm.new_model(index, decoder, seed);
  read(index, 0);
  lanes[index].blind = numbers(wasm.ceilings(index, lanes[index].trained))[3];
  point(index);
};
const commands = {
  // Both lanes from the start, and then, step by step, what a link says that was done to them.
  begin: ({ schemes, model, at, of, past = [[], []], ...setup }) => {
    ({ task, seed } = setup);
    heads.fill(Math.max(0, of));
    decoder = model === 'decoder' ? 1 : 0;
    length = at;
    ceilings = {};
    running = false;
    drawn.length = 0;
    lanes = schemes.map(fresh);
    const total = past.reduce((sum, items) => sum + Math.max(0, ...items.map(([step]) => step)), 0);
    let done = 0;
    schemes.forEach((scheme, index) => {
      new_lane(index, scheme);
      for (const [step, to] of past[index]) {
        while (lanes[index].step < step && lanes[index].status === 0) {
          const before = lanes[index].step;
          train(index, Math.min(25, step - before));
          done += lanes[index].step - before;
          postMessage({ again: { step: done, of: total } });
        }
        point(index);
        if (to) commands.change({ index, to });
      }
    });
    new_input(0);
  },
  run: ({ on }) => { running = on && lanes.some((lane) => lane.status === 0); },
  step: () => {
    running = false;
    for (const index of lanes.keys()) train(index, 1);
  },
  // Another scheme from here on: in a new model (`afresh`, or if it has no steps or its parameters do not fit), or in
  // this one.
  change: ({ index, to, afresh = false }) => {
    const lane = lanes[index];
    give(to);
    if (afresh || lane.step === 0 || !wasm.takes_scheme(index)) {
      new_lane(index, to);
      drawn[index] = null;
      return;
    }
    point(index);
    give(to);
    wasm.change_scheme(index);
    const back = lane.scheme === 'none' && to === lane.last, ended = ![0, at_limit].includes(lane.status);
    const last = lane.events[lane.events.length - 1];
    if (last && last.step === lane.step && last.from === to && !back) lane.events.pop();  // a clock goes on as before
    else lane.events.push({ step: lane.step, from: lane.scheme, to, back, ended, solved: lane.solved });
    Object.assign(lane, { scheme: to, last: to === 'none' ? lane.last : to, accuracy: {} });
    read(index, 0);
    lane.blind = numbers(wasm.ceilings(index, lane.trained))[3];
    measure(index, lane.trained);
    lane.curve.push([lane.step, NaN], [lane.step, lane.accuracy[lane.trained].value]);
  },
  length: ({ at, number = 0 }) => {
    if (at !== length || number) { length = at; new_input(number); }
  },
  input: ({ own }) => { input = own; },
  head: ({ of, index }) => {
    heads[index] = of;
    draw(index);
  },
  attend: ({ index }) => {
    const lane = lanes[index];
    give(input);
    const [maps, size, ...weights] = numbers(wasm.attention(index));
    const read = text().split(' '), of = [lane.step, lane.scheme].join();
    const right_without = (_, head) => wasm.accuracy_without_head(index, head, tested);
    if (lane.alone?.of !== of && (!running || lane.status !== 0))
      lane.alone = { of, right: Array.from({ length: maps }, right_without) };
    const right = lane.alone?.of === of ? lane.alone.right : [];
    postMessage({ attention: { index, maps, size, weights, read, right } });
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
    if (!data.changes) return;
    ({ changes } = data);
    tell();
    again();
  });
};
