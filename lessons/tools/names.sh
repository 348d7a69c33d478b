#!/usr/bin/env bash
# Does a chapter call things by one name? Prints each name of code that its hints, its tasks or its text use and that the
# learner cannot find anywhere, and fails if there is one.
#
#   names.sh lessons/03_learning BLANKS      BLANKS: a folder with the chapter's exercise files
#
#   hints   in the text, in contract.h, or in an exercise file; or the hint itself gives it a value, as `slope = ...`
#   tasks   (comments at a marker) in the text, or in code: of an exercise file, of contract.h, of a header of src/
#   text    (`code` above "What you should see") in that code, or as the name of something that src/ registers
#
# Of hints and tasks only what has the form of a name of code counts: with an underscore, or called.
set -u
folder=$1
files=("$2"/*.cpp)
for one in check claims experiment; do if [ -f "$folder/$one.cpp" ]; then files+=("$folder/$one.cpp"); fi; done
if [ -f "$folder/contract.h" ]; then files+=("$folder/contract.h"); fi

code() { cat "$@" | sed 's:^ *//.*::'; }
names() { grep -oE '(std::)?[A-Za-z][A-Za-z0-9]*(_[A-Za-z0-9]*)+|(std::)?[A-Za-z][A-Za-z0-9_]*\(' | grep -v '^std::' | tr -d '(' | sort -u; }
missing() {  # WHERE WORDS: of the names on standard input, those that WORDS do not have
  local name lost=0
  while read -r name; do
    grep -qwF -- "$name" <<<"$2" || { echo "$1: the learner can find \`$name\` nowhere"; lost=1; }
  done
  return $lost
}

registered=$(grep -rhoE '\{?"[a-z_0-9-]+"' src/positional src/tasks src/cli src/train src/model)
headers=$(find src -name '*.h' -exec cat {} + | code) own=$(code "${files[@]}")
hints=$(cat "$folder/hints.txt")
tasks=$(awk '/\/\/ exercise [0-9.]+:/ { on = 1; sub(/.*\/\/ exercise [0-9.]+:/, "") } on && !/^ *\/\/ |^ [a-zA-Z]/ { on = 0 } on' "${files[@]}")
text=$(awk '/^## What you should see/ { exit } /^```/ { inside = !inside; next } !inside' "$folder/README.md" |
  grep -oE '`[^`]+`' | tr -d '`' | grep -vE '^(make|build/|cp|git|cd|locus) ?|\.(h|cpp|md)$')

ok=0
names <<<"$hints" | missing "$folder/hints.txt" \
  "$(cat "$folder/README.md" "${files[@]}") $(grep -oE '[A-Za-z_]+(\[[a-z]\])? = ' "$folder/hints.txt")" || ok=1
names <<<"$tasks" | missing "the tasks of $folder" "$own $headers $(cat "$folder/README.md")" || ok=1
grep -oE '[A-Za-z_][A-Za-z0-9_]+' <<<"$text" | sort -u | missing "$folder/README.md" \
  "$own $headers $registered" || ok=1
exit $ok
