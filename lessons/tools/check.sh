#!/usr/bin/env bash
# What keeps the chapters true; `make lessons-check` runs it (ONLY=10: one chapter; REFRESH=1: writes texts and figures
# anew instead of comparing them, and records wrong answers; WITHOUT=mutants: saves their minutes). For each chapter:
#
#   blank    the blank fails, with a first message that names what to write
#   original the framework's own files pass
#   hints    each step has three
#   names    what hints, tasks and text call by a name of code has that name where the learner sees it (names.sh)
#   slips    with EVERY=30, no variation of one symbol passes, of a few of them (make lessons-slips tries all)
#   mistakes each wrong answer of mistakes.txt fails its own step, with words of its own (tests/mutants/run.sh)
#   text     its code and output are those of fresh runs, its figures as well; each decimal number in its sentences
#            stands in one of its outputs or in the ledger; its links lead somewhere
#
# EVERY=30 takes one of 30 mistakes, a third of the blocks, a tenth of the ledger's rows, and says so.
set -u
tools=$(dirname "$0")
passed=0 failed=0

# check WHAT COMMAND: the command must succeed; what it prints is shown when it does not. TIMES=1: and its seconds, user, system, clock.
TIMEFORMAT='%U %S %R'
check() {
  local out status
  { time out=$("${@:2}" 2>&1); } 2> "$KEEP/seconds"
  status=$?
  [ -z "${TIMES:-}" ] || echo "  $(cat "$KEEP/seconds") $1"
  if [ $status -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $1" && echo "$out"; fi
}

# The text runs the experiments, and the program of the originals, so that is built with them.
lesson() { STEPS_ONLY=${2:-1} "$tools/lesson.sh" run "$chapter" "$files/$1"; }
blank_fails() {
  local out
  out=$(lesson blank) && { echo "the blank passes"; return 1; }
  grep -q 'still to be written' <<<"$out" || { echo "the first message does not say what is missing:"; echo "$out"; return 1; }
  echo "  blank $chapter: $(grep -A2 'not yet' <<<"$out" | tr -s ' \n' ' ')" >&9
}

# The same for a chapter with a guide: its form, and its steps as the worked example shows them.
blank_form_fails() { if lesson blank; then echo "the blank passes" && return 1; fi; }
three_hints_a_guided_step() {
  local step steps
  steps=$(lesson original | awk '/^  [0-9.]+ +(done|not yet)/ { print $1 }')
  [ -n "$steps" ] || { echo "the worked example shows no steps"; return 1; }
  for step in $steps; do
    [ "$(grep -c "^$step " "$folder/hints.txt")" -eq 3 ] || { echo "step $step needs three hints"; return 1; }
  done
}

three_hints_a_step() {
  local step
  for step in $(sed -nE 's/^TEST_CASE\("([0-9.]+) .*/\1/p' "$folder/check.cpp"); do
    [ "$(grep -c "^$step " "$folder/hints.txt")" -eq 3 ] || { echo "step $step needs three hints"; return 1; }
  done
}

mutants_have_own_words() {
  [ "$(grep -c '^says:' "$folder/mistakes.txt")" -ge 25 ] || { echo "fewer than 25 mistakes"; return 1; }
  local -x ONLY=${MISTAKE:-} MUTANTS=$folder/mistakes.txt OBJECTS=$STEPS
  if [ -n "${REFRESH:-}" ]; then EVERY=1 "$tools/record.sh" || return 1; fi
  tests/mutants/run.sh
}

a_few_slips_fail() {  # make lessons-slips tries all
  FOLDER=$folder OBJECTS=$STEPS STEPS="" PARTS=1 "$tools/slips/run.sh"
}

text_is_fresh() {
  "$tools/fresh.sh" "$chapter" "$folder/README.md" > "$KEEP/README.md" || return 1
  if [ "${EVERY:-1}" -gt 1 ]; then echo "  text $chapter: $(cat "$KEEP/blocks") blocks run" >&9; fi
  if [ -n "${REFRESH:-}" ]; then cp "$KEEP/README.md" "$folder/README.md"; fi
  awk -f "$tools/agree.awk" "$folder/README.md" "$KEEP/README.md" || return 1
  awk '/^```/ { inside = !inside; above = 0 } inside && /^$/ && above { print "line " FNR ": two empty lines in a row"; twice = 1 }
    { above = inside && /^$/ } END { exit twice }' "$KEEP/README.md"
}

# Elsewhere a model trains to other numbers in the end: of a figure called trained_* only the words must agree.
figures_are_fresh() {
  local figure known tolerance
  if [ -n "${REFRESH:-}" ]; then mkdir -p "$folder/figures" && cp "$KEEP/$chapter"/*.svg "$folder/figures/"; fi
  for figure in "$KEEP/$chapter"/*.svg; do
    [ -f "$figure" ] || continue  # with EVERY=30 the block that draws them may be left out
    known=$folder/figures/$(basename "$figure")
    [ -f "$known" ] || { echo "there is no $known"; return 1; }
    case $(basename "$figure") in trained_*) tolerance=10000 ;; *) tolerance=3 ;; esac
    awk -v tolerance=$tolerance -f "$tools/agree.awk" "$known" "$figure" || { echo "in $known"; return 1; }
  done
  for figure in "$folder"/figures/*.svg; do
    [ "${EVERY:-1}" -gt 1 ] || [ -f "$KEEP/$chapter/$(basename "$figure")" ] || { echo "nothing draws $figure any more"; return 1; }
  done
}

# Outside of blocks, `code` and links, a number with a decimal point was measured: somewhere it must be seen.
numbers_are_seen() {
  awk -v chapter=$((10#$chapter)) '
    NR == FNR { seen = seen " " $0; next }
    /^```/ { inside = !inside; next }
    inside { seen = seen " " $0; next }
    { gsub(/`[^`]*`|\]\([^)]*\)/, ""); gsub(/[Ss]teps? [0-9.]+( (and|to) [0-9.]+)?/, ""); text[FNR] = $0 }
    END {
      for (line in text)
        while (match(text[line], /-?[0-9]+\.[0-9]+/)) {
          number = substr(text[line], RSTART, RLENGTH)
          text[line] = substr(text[line], RSTART + RLENGTH)
          if (index(seen, number) == 0) { print "line " line ": where does " number " come from?"; lost = 1 }
        }
      exit lost
    }' "$KEEP/ledger" "$folder/README.md"
}

links_lead_somewhere() {  # FILE
  local link
  for link in $(awk '/^```/ { inside = !inside } !inside' "$1" | grep -oE '\]\([^)#]+' | cut -c3- | grep -vE '^https?:'); do
    [ -e "$(dirname "$1")/$link" ] || { echo "$1: there is no $link"; return 1; }
  done
}

# With ONLY, an older ledger will do to look numbers up in. To measure it again takes minutes, beside the chapters. With EVERY=30
# one row of ten is measured.
measure_ledger() {
  local ledger=$BUILD/lessons/ledger.txt status=0
  if [ "${EVERY:-1}" -gt 1 ]; then
    # shellcheck disable=SC2046
    "$BUILD/lessons/ledger" $(seq 10 10 100) > "$KEEP/ledger"
    return
  fi
  if [ -z "${ONLY:-}" ] || [ ! -f "$ledger" ]; then $MAKE --no-print-directory "$ledger" 2>&1 || status=1; fi
  # if a verdict is not supported, the numbers of the texts can be looked up all the same
  if [ $status -eq 0 ]; then cp "$ledger" "$KEEP/ledger"; else cp "$ledger.new" "$KEEP/ledger"; fi
  return $status
}
every_verdict_is_supported() { [ $ledger_status -eq 0 ] || { cat "$KEEP/ledger.log"; return 1; }; }

page_is_of_the_ledger() {
  [ -z "${REFRESH:-}" ] || "$BUILD/lessons/ledger" page > lessons/CLAIMS.md
  "$BUILD/lessons/ledger" page | diff lessons/CLAIMS.md - || { echo "Hint: $BUILD/lessons/ledger page > lessons/CLAIMS.md"; return 1; }
}

# All checks of a chapter but those that need the ledger; the last line says how many passed and failed.
check_chapter() {  # FOLDER
  export KEEP=$KEEP/of-$chapter && mkdir -p "$KEEP"
  eval "LESSON_OBJECTS=\$LESSON_OBJECTS_$chapter; STEPS=\$STEPS_$chapter; OBJECTS=\"\$OBJECTS \$SOLUTIONS_$chapter\""
  export LESSON_OBJECTS STEPS OBJECTS
  rm -rf "$files/original" && mkdir -p "$files/original"
  "$tools/lesson.sh" blank "$chapter" "$files/blank"
  if [ -f "$folder/check.cpp" ]; then  # there is something to write
    # shellcheck disable=SC2046
    cp $("$tools/lesson.sh" originals "$chapter") "$files/original/"
    check "$chapter: the blank fails and says what to do" blank_fails
    check "$chapter: hints" three_hints_a_step
    check "$chapter: names" "$tools/names.sh" "$folder" "$files/blank"
    [ "${WITHOUT:-}" = mutants ] || check "$chapter: mutants" mutants_have_own_words
    [ "${WITHOUT:-}" = mutants ] || [ "${EVERY:-1}" -eq 1 ] || check "$chapter: slips" a_few_slips_fail
  fi
  if [ -f "$folder/guide.sh" ]; then  # it judges results
    check "$chapter: the blank fails" blank_form_fails
    check "$chapter: hints" three_hints_a_guided_step
  fi
  check "$chapter: the original passes" lesson original program
  check "$chapter: blocks of the text" text_is_fresh
  check "$chapter: figures" figures_are_fresh
  echo "$passed $failed"
}

if [ "${1:-}" = --chapter ]; then
  folder=$2 chapter=$(basename "$2" | cut -d_ -f1)
  files=$BUILD/lessons/$chapter log=$KEEP/$chapter
  { exec 9>&1; check_chapter; } > "$log.part" 2>&1
  mv "$log.part" "$log"
  exit
fi

KEEP=$(mktemp -d) && export KEEP
at_work=""
trap 'rm -rf "$KEEP"; for job in $at_work; do kill -- "-$job" 2>/dev/null; done' EXIT
set -m  # process groups of their own, so that their programs end with this script
measure_ledger > "$KEEP/ledger.log" 2>&1 &
ledger_job=$! at_work=$!
# As many chapters at once as there are processors; what they say is printed in their order.
folders=$(for one in ${ONLY:-[0-9]}; do echo lessons/$one*_*; done)
processors=$(getconf _NPROCESSORS_ONLN)
if [ "$(wc -w <<<"$folders")" -ge "$processors" ]; then export AT_ONCE=1; fi  # programs for each of them
tr ' ' '\n' <<<"$folders" | xargs -n 1 -P "$processors" "$0" --chapter &
chapters=$! at_work+=" $!"
set +m
check "lessons/CLAIMS.md" page_is_of_the_ledger
for text in lessons/README.md lessons/CLAIMS.md lessons/*/README.md; do check "links of $text" links_lead_somewhere "$text"; done
for folder in $folders; do
  log=$KEEP/$(basename "$folder" | cut -d_ -f1)
  until [ -f "$log" ] || ! kill -0 "$chapters" 2>/dev/null; do sleep 0.2; done
  [ -f "$log" ] || { echo "failed: the checks of $folder ended early"; failed=$((failed + 1)); continue; }
  sed '$d' "$log"
  read -r of_passed of_failed <<<"$(tail -1 "$log")"
  passed=$((passed + of_passed)) failed=$((failed + of_failed))
done
wait "$ledger_job"  # here: a function that check calls is another shell, and cannot wait for it
ledger_status=$?
check "the ledger" every_verdict_is_supported
for folder in $folders; do
  chapter=$(basename "$folder" | cut -d_ -f1)
  if [ "${EVERY:-1}" -eq 1 ]; then check "$chapter: numbers of the text" numbers_are_seen
  else echo "  numbers $chapter: $(numbers_are_seen | wc -l) could stand in rows of the ledger that were not measured"; fi
done

echo "[lessons-check] $passed passed | $failed failed"
[ "$failed" -eq 0 ]
