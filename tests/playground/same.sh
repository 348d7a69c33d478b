#!/bin/sh
# Compares what the engine in lessons/playground.html computes as WebAssembly with what today's computes natively, bit for
# bit.
set -eu
if ! command -v node >/dev/null; then
  echo "skipped: there is no node here to run WebAssembly"
  exit 0
fi
gzip -d -c "$BUILD"/committed.wasm.gz > "$BUILD"/committed.wasm
"$BUILD"/playground-numbers > "$BUILD"/playground-native.txt &
node tests/playground/numbers.js "$BUILD"/committed.wasm > "$BUILD"/playground-wasm.txt
wait $!
if ! cmp "$BUILD"/playground-native.txt "$BUILD"/playground-wasm.txt; then
  diff "$BUILD"/playground-native.txt "$BUILD"/playground-wasm.txt | cut -c 1-200 | head -6
  echo "the engine in lessons/playground.html is not today's. Hint: \`make playground\` makes the page anew" >&2
  exit 1
fi
echo "the same bits: $(wc -l < "$BUILD"/playground-wasm.txt) models in WebAssembly and natively"
