#!/usr/bin/env bash
# Runs the wrong lines of a chapter's mistakes.txt (MUTANTS), and writes below each by which numbers its answer is known
# again: `make lessons-record`. Nothing is written unless all of them ran.
set -u
RECORD=$(mktemp) && export RECORD
trap 'rm -f "$RECORD" "$RECORD".*' EXIT
tests/mutants/run.sh > "$RECORD.log" || { grep -v '^caught' "$RECORD.log"; exit 1; }
awk '
  NR == FNR { number = $1; sub(/^[0-9]+ /, ""); answers[number] = $0; next }
  /^answer:/ { next }
  /^name:/ { n++ }
  { print }
  /^says:/ && n in answers { print answers[n] }' "$RECORD" "$MUTANTS" > "$RECORD.new" && cp "$RECORD.new" "$MUTANTS"
echo "$MUTANTS: $(grep -c '^name:' "$MUTANTS") mistakes, $(grep -c '^answer:' "$MUTANTS") answers recorded"
