#!/usr/bin/env bash
# make test: all tests in float, then those in double; ONLY=word: those with the word in their names. The tests that start
# the program take as long as all others, so they run at the same time, and are shown afterwards.
set -u
log=$BUILD/test-logs
rm -rf "$log" && mkdir -p "$log"
trap 'kill $(jobs -p) 2>/dev/null' INT TERM
starts_program='program: *,readme: *'

if [ -n "${ONLY:-}" ]; then
  "$BUILD/test-float" --test-case="*$ONLY*" 2>&1 | tee "$log/float"
  "$BUILD/test-double" --test-case="*$ONLY*" 2>&1 | tee "$log/double"
else
  "$BUILD/test-float" --test-case="$starts_program" > "$log/program" 2>&1 &
  "$BUILD/test-float" --test-case-exclude="$starts_program" 2>&1 | tee "$log/float"
  "$BUILD/test-double" 2>&1 | tee "$log/double"
  wait
  cat "$log/program"
fi

status=0
for part in "$log"/*; do
  grep -q 'Status: SUCCESS' "$part" || status=1
done
if ! grep -qE 'test cases: +[1-9]' "$log"/*; then echo "no test has '$ONLY' in its name" >&2; status=1; fi
rm -r "$log"
exit $status
