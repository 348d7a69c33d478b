#!/usr/bin/env bash
# Proves that tests can fail: each mutant is one wrong line, most of them bugs that were published. Its file is compiled
# and linked, in place of the right one, into a test program; the test that the mutant names must then fail. `make
# mutants` runs all; a word of a mutant's name picks some:  make mutants ONLY=rope  EVERY=5 runs one of five.
#
# tests/mutants/*.txt hold the mutants, separated by empty lines:
#   name: what is wrong, and where it was seen
#   file: src/...
#   from: the right text, to be found exactly once
#   to:   the wrong one
#   test: which test cases must notice (doctest's pattern; it has no commas, so * stands for one)
# The lessons' mutants (MUTANTS=lessons/.../mutants.txt) have instead of `test`:
#   step: which step of the chapter must notice, no earlier and no later one
#   says: words that must then be printed
set -u
: "${COMPILE:?is set by make}" "${LINK:?}" "${OBJECTS:?}" "${BUILD:?}"
field() { sed -n "s/^$1: *//p" <<<"$2"; }

# The object files of the test program, with $2, which comes first, in place of $1.
objects_with() {
  local object
  echo "$2"
  for object in $OBJECTS; do [ "$object" = "$1" ] || echo "$object"; done
}

try() {
  local mutant=$1 name file from to test step failed says folder source before after once wrong
  name=$(field name "$mutant") file=$(field file "$mutant") from=$(field from "$mutant") to=$(field to "$mutant")
  test=$(field test "$mutant") step=$(field step "$mutant") says=$(field says "$mutant")
  folder=$BUILD/mutants/$(cksum <<<"$mutant" | cut -d' ' -f1)
  mkdir -p "$folder"
  [ -f "$file" ] || { echo "broken: $name: there is no file $file"; return; }
  source=$(cat "$file")
  before=${source%%"$from"*} after=${source#*"$from"}
  once=${after#*"$from"}  # unless it is there again
  if [ -z "$from" ] || [ "$before$from$after" != "$source" ] || [ "$once" != "$after" ]; then
    echo "broken: $name: '$from' is not exactly once in $file"
    return
  fi
  wrong=$folder/$(basename "$file")
  printf '%s\n' "$before$to$after" > "$wrong"
  if ! $COMPILE -I"$(dirname "$file")" -c "$wrong" -o "$folder/mutant.o" 2> "$folder/errors"; then
    echo "broken: $name: does not compile: $(head -1 "$folder/errors")"
    return
  fi
  # shellcheck disable=SC2046
  $LINK $(objects_with "$BUILD/float/${file%.cpp}.o" "$folder/mutant.o") -o "$folder/test" || { echo "broken: $name: does not link"; return; }
  (ulimit -t 120 && exec "$folder/test" -tc="${test:-*}") > "$folder/log" 2>&1  # what loops without end is ended
  local status=$?
  if grep -q '| *0 passed | 0 failed' "$folder/log"; then echo "broken: $name: no test is called '$test'"
  elif [ $status -eq 0 ]; then echo "survived: $name: '$test' does not notice"
  elif [ -n "$step" ]; then
    failed=$(awk '$2 " " $3 == "not yet" { print $1 }' "$folder/log")
    if [ "$failed" != "$step" ]; then echo "misplaced: $name: step $failed fails, not $step"
    elif grep -qF -e "$says" "$folder/log"; then echo "caught: $step | $name | $(awk '/not yet/ { on = 1; getline; next } on && !/^  at / && !/^\[doctest\]/' "$folder/log" | tr '\n' ' ')"
    else echo "misnamed: $name: not a word of '$says', but: $(tail -n +2 "$folder/log" | tr '\n' ' ')"; fi
  elif [ $status -lt 128 ] && ! grep -q '^\[doctest\] ' "$folder/log"; then echo "broken: $name: no test ran: $(head -1 "$folder/log")"
  else echo "caught: $name ($(grep -c 'ERROR:' "$folder/log") failed checks)"
  fi
  rm -f "$folder/test"
}

if [ "${1:-}" = --one ]; then
  try "$(cat "$2")"
  exit
fi

# One file for each mutant, and a line with that file's name.
each_in_a_file() {
  mkdir -p "$BUILD/mutants"
  # shellcheck disable=SC2086
  awk -v RS= -v start="$BUILD/mutants/$$-" -v every="${EVERY:-1}" '
    /(^|\n)name:/ && tolower($0) ~ tolower(ENVIRON["ONLY"]) && ++n % every == 0 { file = start n; print > file; close(file); print file }
    ' ${MUTANTS:-tests/mutants/*.txt}
}

log=$(mktemp)
each_in_a_file | xargs -n 1 -P "$(getconf _NPROCESSORS_ONLN)" "$0" --one | tee "$log"
rm -f "$BUILD/mutants/$$-"*
caught=$(grep -c '^caught' "$log") missed=$(grep -vc '^caught' "$log")
rm -f "$log"
echo "[mutants] $caught caught | $missed not"
[ "$missed" -eq 0 ] && [ "$caught" -gt 0 ]
