#!/bin/sh
# Compares what the engine computes as WebAssembly with what it computes natively, bit for bit.
set -eu
if ! command -v node >/dev/null; then
  echo "skipped: there is no node here to run WebAssembly"
  exit 0
fi
"$BUILD"/playground-numbers > "$BUILD"/playground-native.txt &
node tests/playground/numbers.js "$BUILD"/playground.wasm > "$BUILD"/playground-wasm.txt
wait $!
if ! cmp "$BUILD"/playground-native.txt "$BUILD"/playground-wasm.txt; then
  diff "$BUILD"/playground-native.txt "$BUILD"/playground-wasm.txt | cut -c 1-200 | head -6
  echo "WebAssembly and the native program differ" >&2
  exit 1
fi
echo "the same bits: $(wc -l < "$BUILD"/playground-wasm.txt) models in WebAssembly and natively"
