// The exported functions of build/committed.wasm, for tests in node: what src/playground/worker.js does in a browser.
'use strict';
const fs = require('fs');

exports.engine = (file) => {
  const bytes = () => new Uint8Array(wasm.memory.buffer);
  const words = (from, count) => new TextDecoder().decode(bytes().slice(from, from + count));
  const instance = new WebAssembly.Instance(new WebAssembly.Module(fs.readFileSync(file)), {
    page: { error: (from, count) => { throw new Error(words(from, count)); } },
    wasi_snapshot_preview1: {
      clock_time_get: (id, precision, to) => {
        new DataView(wasm.memory.buffer).setBigUint64(to, process.hrtime.bigint(), true);
        return 0;
      },
      fd_close: () => 8, fd_seek: () => 8, fd_write: () => 8,
    },
  });
  const wasm = instance.exports;
  wasm._initialize();
  const give = (text) => {
    const encoded = new TextEncoder().encode(text + '\0');
    bytes().set(encoded, wasm.text_buffer());
  };
  const text = () => {
    const from = wasm.text_buffer();
    return words(from, bytes().indexOf(0, from) - from);
  };
  const numbers = (count) => new Float64Array(wasm.memory.buffer, wasm.number_buffer(), count).slice();
  return { wasm, give, text, numbers };
};
