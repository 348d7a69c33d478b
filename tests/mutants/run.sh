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
# What is left out of file, from and step is as in the mutant above.
# The lessons' mutants (MUTANTS=lessons/.../mistakes.txt) have instead of `test`:
#   step:   which step of the chapter must notice, no earlier and no later one
#   says:   what must then be said, and nothing else: other mistakes must have other answers
#   answer: how the program knows the mistake again (lessons/tools/mistakes.h), and the checksum of the wrong line.
#           RECORD=FILE appends it to that file, after the mutant's number; none, if the check itself says the words.
#           With NEW=1 too, an answer of the lines that are there is kept, and only the others are run
set -u
: "${COMPILE:?is set by make}" "${LINK:?}" "${OBJECTS:?}" "${BUILD:?}"
field() { sed -n "s/^$1: *//p" <<<"$2"; }

# The object files of the test program, with $2, which comes first, in place of $1.
objects_with() {
  local object
  echo "$2"
  for object in $OBJECTS; do [ "$object" = "$1" ] || echo "$object"; done
}

# The batch of the build that a file is compiled in; fails for a file that is compiled alone.
batch_of() {
  local batch
  for batch in $(grep -rlF "\"$1\"" "$BUILD/batches" --include='batch-*.cpp'); do
    case " $OBJECTS " in *" $BUILD/float/$(sed "s|^$BUILD/batches/||; s/cpp$/o/" <<< "$batch") "*) echo "$batch"; return ;; esac
  done
  return 1
}

try() {
  local right batch mutant=$1 number=$2 name file from to test step failed says answer line folder source before after once wrong
  name=$(field name "$mutant") file=$(field file "$mutant") from=$(field from "$mutant") to=$(field to "$mutant")
  test=$(field test "$mutant") step=$(field step "$mutant") says=$(field says "$mutant")
  answer=$(field answer "$mutant") hint="make lessons-record ONLY=$(printf %02d "$((10#0${step%%.*}))")" line=$(cksum <<<"$file $step $from $to" | cut -d' ' -f1)
  if [ -n "$answer" ] && [ "${answer##* of }" != "$line" ] && [ -z "${RECORD:-}" ]; then
    echo "stale: $name: its answer was recorded of other lines. Hint: $hint"
    return
  fi
  if [ -n "${RECORD:-}" ] && [ -n "${NEW:-}" ] && [ "${answer##* of }" = "$line" ]; then
    echo "$number answer: $answer" >> "$RECORD"
    echo "caught: $step | $name | recorded before"
    return
  fi
  folder=$BUILD/mutants/$(cksum <<<"$mutant" | cut -d' ' -f1)
  mkdir -p "$folder"
  [ -f "$file" ] || { echo "broken: $name: there is no file $file"; return; }
  source=$(cat "$file")
  before=${source%%"$from"*} after=${source#*"$from"}
  once=${after#*"$from"}  # unless it is there again
  if [ -z "$from" ] || [ "$before$from$after" != "$source" ] || [ "$once" != "$after" ]; then
    echo "broken: $name: '$from' is not exactly once in $file. Hint: copy a part of the line that is there once"
    return
  fi
  wrong=$folder/$(basename "$file")
  printf '%s\n' "$before$to$after" > "$wrong"
  right=$BUILD/float/${file%.cpp}.o
  if batch=$(batch_of "$file"); then  # the whole batch, with the wrong file in it
    right=$BUILD/float/${batch#"$BUILD/batches/"} right=${right%.cpp}.o
    sed "s|\"$file\"|\"$wrong\"|" "$batch" > "$folder/batch.cpp"
    wrong=$folder/batch.cpp
  fi
  if ! $COMPILE -I"$(dirname "$file")" -c "$wrong" -o "$folder/mutant.o" 2> "$folder/errors"; then
    echo "broken: $name: it does not compile: $(grep -m1 'error' "$folder/errors")"
    return
  fi
  # shellcheck disable=SC2046
  $LINK $(objects_with "$right" "$folder/mutant.o") -o "$folder/test" || { echo "broken: $name: does not link"; return; }
  (ulimit -t 120 && exec env ${RECORD:+LESSON_MARKS=1} "$folder/test" -tc="${test:-*}") > "$folder/log" 2>&1  # what loops without end is ended
  local status=$?
  if grep -q '| *0 passed | 0 failed' "$folder/log"; then echo "broken: $name: no test is called '$test'"
  elif [ $status -eq 0 ] && [ -n "$step" ]; then
    echo "survived: $name: step $step accepts it. Hint: if it is right, take it out; if not, give $(dirname "$MUTANTS")/check.cpp an input that shows it"
  elif [ $status -eq 0 ]; then echo "survived: $name: '$test' does not notice"
  elif [ -n "$step" ]; then
    failed=$(awk '$2 " " $3 == "not yet" { print $1 }' "$folder/log")
    if [ "$failed" != "$step" ]; then echo "misplaced: $name: step $failed fails, not $step. It says: $(problem)"
    elif [ -n "${RECORD:-}" ]; then record
    elif ! grep -qF -e "$says" "$folder/log"; then
      [ -n "$answer" ] || echo "unrecorded: $name: it has no answer yet, and the check does not say '$says' by itself. Hint: $hint"
      [ -z "$answer" ] || echo "misnamed: $name: not '$says' is said, but: $(problem). Hint: if that is as it should be, $hint"
    elif [ -n "$answer" ] && grep '^Likely cause:' "$folder/log" | grep -qvF -e "$says"; then
      echo "ambiguous: $name: another mistake has the same answer: $(grep '^Likely cause:' "$folder/log" | tr '\n' ' ')Hint: give the check an input that tells them apart, or make them one entry"
    else echo "caught: $step | $name | $(problem)"
    fi
  elif [ $status -lt 128 ] && ! grep -q '^\[doctest\] ' "$folder/log"; then echo "broken: $name: no test ran: $(head -1 "$folder/log")"
  else echo "caught: $name ($(grep -c 'ERROR:' "$folder/log") failed checks)"
  fi
  rm -f "$folder/test"
}

# What the program of a chapter says is wrong, without the numbers.
problem() { awk '/not yet/ { on = 1; getline; next } on && !/^  at / && !/^\[doctest\]/' "$folder/log" | tr '\n' ' '; }

# Of the mutant that try() has run.
record() {
  if grep -qF -e "$says" "$folder/log"; then echo "caught: $step | $name | in the check's own words"
  elif grep -q '^answer: ' "$folder/log"; then
    echo "$number $(grep '^answer: ' "$folder/log") | of $line" >> "$RECORD"
    echo "caught: $step | $name | $(grep '^answer: ' "$folder/log")"
  else echo "broken: $name: no comparison fails that could record an answer, and '$says' is not said, but: $(problem)"; fi
}

if [ "${1:-}" = --one ]; then
  try "$(cat "$2")" "${2##*-}"
  exit
fi

# One file for each mutant, and a line with that file's name.
each_in_a_file() {
  mkdir -p "$BUILD/mutants"
  # shellcheck disable=SC2086
  awk -v RS= -v start="$BUILD/mutants/$$-" -v every="${EVERY:-1}" '
    FNR == 1 { delete above }
    /(^|\n)name:/ {
      for (i = split("file from step", keys, " "); i > 0; --i)
        if (match($0, "(^|\n)" keys[i] ":[^\n]*")) { above[keys[i]] = substr($0, RSTART, RLENGTH); sub(/^\n/, "", above[keys[i]]) }
        else if (keys[i] in above) $0 = $0 "\n" above[keys[i]]
    }
    /(^|\n)name:/ && tolower($0) ~ tolower(ENVIRON["ONLY"]) && ++n % every == 0 { file = start n; print > file; close(file); print file }
    ' ${MUTANTS:-tests/mutants/*.txt}
}

log=$(mktemp)
files=$(each_in_a_file)
if [ -z "$files" ]; then
  [ -z "${ONLY:-}" ] || echo "no mutant has '$ONLY' in its lines. Hint: they are in ${MUTANTS:-tests/mutants}" >&2
  echo "[mutants] 0 caught | 0 not"
  exit 1
fi
xargs -n 1 -P "${AT_ONCE:-$(getconf _NPROCESSORS_ONLN)}" "$0" --one <<< "$files" | tee "$log"
rm -f "$BUILD/mutants/$$-"*
caught=$(grep -c '^caught' "$log") missed=$(grep -vc '^caught' "$log")
rm -f "$log"
echo "[mutants] $caught caught | $missed not"
[ "$missed" -eq 0 ] && [ "$caught" -gt 0 ]
