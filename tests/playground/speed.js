// How long the engine takes as WebAssembly, in node: processor time of a training step of the usual model (reverse,
// sinusoidal, batch 64), and of what the page asks in between.
'use strict';
const { engine } = require('./engine.js');
const { wasm, give, text, numbers } = engine(process.argv[2] || 'build/committed.wasm');

const time = (name, times, work) => {
  work();
  const start = process.cpuUsage().user;
  for (let i = 0; i < times; ++i) work();
  console.log(`${name}: ${((process.cpuUsage().user - start) / times / 1000).toFixed(2)} ms`);
};
give('reverse\nsinusoidal');
wasm.new_model(0, 0, 1);
time('a training step', 200, () => wasm.train(0, 1));
for (const length of [4, 12, 24, 48])
  time(`accuracy on 128 inputs of ${length}`, 20, () => wasm.accuracy(0, length, 128));
wasm.example(0, 12, 0);
const input = text();
time('an answer', 50, () => { give(input); wasm.answer(0); });
time('codes', 50, () => numbers(wasm.codes(0, 24)));
time('attention', 50, () => { give(input); wasm.attention(0); });
console.log(`memory: ${(wasm.memory.buffer.byteLength / 1e6).toFixed(1)} MB`);
