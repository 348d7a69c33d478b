#!/bin/sh
# Uses the playground in a headless Chromium. ONLY=controls,story: some parts of drive.js.
set -eu
if ! command -v node >/dev/null; then
  echo "skipped: there is no node here to drive a browser"
  exit 0
fi
if [ -z "$(node -p 'require("./tests/playground/browser.js").chromium()')" ]; then
  echo "skipped: there is no Chromium here to show the page"
  exit 0
fi
node tests/playground/drive.js lessons/playground.html "${ONLY:-}"
