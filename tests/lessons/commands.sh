#!/usr/bin/env bash
# Runs every command of the lessons' texts, in order, twice, in a copy of the tree that did nothing else before: first
# lessons/README.md, where the exercises are still blank, then chapter by chapter. In a chapter the blank must be refused;
# then the solutions are put in, as a learner would have written them by then. `make lessons-commands` runs it (ONLY=10:
# one chapter; TIMES=1: seconds of processor and of clock before each command).
#
# A command is a line `$ ...` of a console block, an indented line that begins with make or build/, or `make ...` and
# `build/...` in a sentence. Of equal commands of a text one runs in each round. What was trained or measured in the first
# round is found in the second, as it is for a learner. Left out are commands with ... or NN in them, `make watch`, which needs
# a terminal, `make setup`, `make reset`, which takes the learner's lines away, and what takes minutes: commands with
# --preset. (Those whose output is recorded in a text stand in a block of another kind. The ledger of `make claims` is
# worked out once, for lessons-check too.)
set -u
: "${MAKE:?is set by make}" "${BUILD:?}"
tree=$PWD/$BUILD/commands passed=0 failed=0

commands_of() {
  awk '
    { while (/\\$/ && (getline more) > 0) { sub(/ *\\$/, ""); sub(/^ */, " ", more); $0 = $0 more } }
    /^```/ { console = /^```console/ && !console; next }
    console && /^\$ / { print substr($0, 3); next }
    /^    (make|build\/)/ { sub(/^ */, ""); sub(/ +#.*/, ""); print; next }
    { while (match($0, /`(make |build\/)[^`]*`/)) { print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }
    ' "$1" | grep -vE '\.\.\.|NN|make (watch|setup|reset-|lessons-|wrong)|--preset|^build/locus-?[0-9]*$' | awk '!seen[$0]++'
}

# The commands are the text's own, and so trusted as much as the text.
TIMEFORMAT='%U %R'
run() { (cd "$tree" && PATH=$tree/build/bin:$PATH bash -c "$1") < /dev/null > "$tree/build/answer" 2>&1; }
check() {  # TEXT COMMAND
  if { time run "$2"; } 2> "$tree/build/seconds" || { [ "$folder" = lessons ] && grep -qE 'still to be written|You have not kept any lines' "$tree/build/answer"; }; then passed=$((passed + 1)); else
    failed=$((failed + 1)) && echo "failed: $1: $2" && tail -5 "$tree/build/answer"
  fi
  [ -z "${TIMES:-}" ] || echo "$(cat "$tree/build/seconds") $1: $2"
}

rm -rf "$tree" && mkdir -p "$tree/build/bin" || exit 1
git ls-files | tar cf - -T - | (cd "$tree" && tar xf -) || exit 1
# What is built already is not built again: to save the time.
for built in float batches texts lessons locus; do
  if [ -e "$BUILD/$built" ]; then cp -a "$BUILD/$built" "$tree/build"; fi
done
# What `make` means to a learner is this make, with its compiler. (PATH without the copy's own make: it would find itself.)
printf '#!/bin/sh\nPATH="%s"\nexec %s --no-print-directory BUILD=build "$@"\n' "$PATH" "$MAKE" > "$tree/build/bin/make" && chmod +x "$tree/build/bin/make"

for text in lessons/README.md lessons/[0-9]*_*/README.md; do
  folder=$(dirname "$text") chapter=$(basename "$folder" | cut -d_ -f1)
  [ -z "${ONLY:-}" ] || [ "$chapter" = "$ONLY" ] || continue
  if [ -f "$folder/check.cpp" ] || [ -f "$folder/guide.sh" ]; then
    if run "make lesson-$chapter"; then failed=$((failed + 1)) && echo "failed: $text: the blank is not refused"; fi
    for original in $(cd "$tree" && lessons/tools/lesson.sh originals "$chapter"); do cp "$tree/$original" "$tree/$folder/"; done
    [ ! -f "$folder/solve.sh" ] || run "$folder/solve.sh" || { failed=$((failed + 1)) && echo "failed: $folder/solve.sh" && tail -5 "$tree/build/answer"; }
  fi
  for round in first second; do
    while IFS= read -r command; do check "$text, $round time" "$command"; done < <(commands_of "$text")
  done
done
echo "[lessons-commands] $passed passed | $failed failed"
[ "$failed" -eq 0 ] && rm -rf "$tree"
