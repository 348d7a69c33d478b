// The half of `make playground-check` in WebAssembly; numbers.cpp is the other, and says what is printed.
'use strict';
const { engine } = require('./engine.js');
const { wasm, give, text, numbers } = engine(process.argv[2]);

const hash = (bytes) => {
  let value = 0xcbf29ce484222325n;
  for (const byte of bytes) value = BigInt.asUintN(64, (value ^ BigInt(byte)) * 0x100000001b3n);
  return value.toString(16).padStart(16, '0');
};
const bits = (number) => {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, number);
  return view.getBigUint64(0).toString(16).padStart(16, '0');
};
const train = (steps) => numbers(wasm.train(0, steps));
const printed = () => {
  const count = train(0)[5];
  let line = ` parameters ${hash(new Uint8Array(wasm.memory.buffer, wasm.parameters(0), 4 * count).slice())}`;
  for (const length of [6, 12, 24]) line += ` accuracy ${bits(wasm.accuracy(0, length, 64))}`;
  for (let i = 0; i < 3; ++i) {
    wasm.example(0, 12, i);
    const probabilities = numbers(wasm.answer(0));
    line += ` answer ${text().split('\n')[0]} probabilities ${hash(new Uint8Array(probabilities.buffer))}`;
  }
  return line;
};

for (const decoder of [0, 1])
  for (const task of ['reverse', 'sort', 'previous'])
    for (const scheme of ['none', 'sinusoidal', 'rope', 'rope:still=1/2', 't5']) {
      const name = `${decoder ? 'decoder' : 'encoder'} ${task} ${scheme}`;
      give(`${task}\n${scheme}`);
      wasm.new_model(0, decoder, 1);
      const [step] = train(500);
      console.log(`${name}: step ${step}${printed()}`);
      if (scheme !== 'rope') continue;
      give('none');
      wasm.change_scheme(0);
      train(30);
      give(scheme);
      wasm.change_scheme(0);
      console.log(`${name} again: step ${train(0)[0]}${printed()}`);
    }
