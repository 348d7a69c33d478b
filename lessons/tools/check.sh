#!/usr/bin/env bash
# What keeps the chapters true; `make lessons-check` runs it (ONLY=10: one chapter; REFRESH=1: writes texts and figures
# anew instead of comparing them, and records wrong answers; WITHOUT=mutants: saves their minutes). For each chapter:
#
#   drift    its exercise files are what blanking src/ makes of them
#   blank    the blank fails, with a first message that names what to write
#   original the framework's own files pass
#   hints    each step has three
#   names    what hints, tasks and text call by a name of code has that name where the learner sees it (names.sh)
#   slips    with EVERY=10, no variation of one symbol passes, of a few of them (make lessons-slips tries all)
#   mistakes each wrong answer of mistakes.txt fails its own step, with words of its own (tests/mutants/run.sh)
#   text     its code and output are those of fresh runs, its figures as well; each decimal number in its sentences
#            stands in one of its outputs or in the ledger; its links lead somewhere
set -u
tools=$(dirname "$0")
passed=0 failed=0
KEEP=$(mktemp -d) && export KEEP
ledger_job=""
trap 'rm -rf "$KEEP"; kill ${ledger_job:+-- "-$ledger_job"} $(jobs -p) 2>/dev/null' EXIT

# check WHAT COMMAND: the command must succeed; what it prints is shown when it does not.
check() {
  local out
  if out=$("${@:2}" 2>&1); then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $1" && echo "$out"; fi
}

# A file the learner is working on need not be blank; outside the markers it must be the framework's all the same.
no_drift() {
  local blank file
  for blank in "$files/blank"/*.cpp; do
    file=$folder/$(basename "$blank")
    cmp -s "$blank" "$file" && continue
    if git diff --quiet HEAD -- "$file" 2>/dev/null; then
      echo "$file is not the blank of its original: make reset-$chapter"; return 1
    fi
    diff <(skeleton "$blank") <(skeleton "$file") || { echo "$file differs from its original outside the markers"; return 1; }
  done
}
skeleton() { awk -v chapter=$((10#$chapter)) -v skeleton=1 -f "$tools/blank.awk" "$1"; }

lesson() { STEPS_ONLY=1 "$tools/lesson.sh" run "$chapter" "$files/$1"; }  # the text runs the experiments
blank_fails() {
  local out
  out=$(lesson blank) && { echo "the blank passes"; return 1; }
  grep -q 'still to be written' <<<"$out" || { echo "the first message does not say what is missing:"; echo "$out"; return 1; }
  echo "  blank $chapter: $(grep -A2 'not yet' <<<"$out" | tr -s ' \n' ' ')" >&9
}

# The same for a chapter with a guide: its form, and its steps as the worked example shows them.
form_is_blank() {
  cmp -s "$folder/form.txt" "$folder/evidence.txt" || ! git diff --quiet HEAD -- "$folder/evidence.txt" 2>/dev/null ||
    { echo "$folder/evidence.txt is not blank: make reset-$chapter"; return 1; }
}
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
  local -x ONLY="" MUTANTS=$folder/mistakes.txt OBJECTS="$OBJECTS $LESSON_OBJECTS"
  if [ -n "${REFRESH:-}" ]; then EVERY=1 "$tools/record.sh" || return 1; fi
  tests/mutants/run.sh
}

a_few_slips_fail() {  # make lessons-slips tries all
  FOLDER=$folder OBJECTS="$OBJECTS $LESSON_OBJECTS" PARTS=1 "$tools/slips/run.sh"
}

text_is_fresh() {
  "$tools/fresh.sh" "$chapter" "$folder/README.md" > "$KEEP/README.md" || return 1
  if [ -n "${REFRESH:-}" ]; then cp "$KEEP/README.md" "$folder/README.md"; fi
  awk -f "$tools/agree.awk" "$folder/README.md" "$KEEP/README.md"
}

# Elsewhere a model trains to other numbers in the end: of a figure called trained_* only the words must agree.
figures_are_fresh() {
  local figure known tolerance
  if [ -n "${REFRESH:-}" ]; then mkdir -p "$folder/figures" && cp "$KEEP/$chapter"/*.svg "$folder/figures/"; fi
  for figure in "$KEEP/$chapter"/*.svg; do
    known=$folder/figures/$(basename "$figure")
    [ -f "$known" ] || { echo "there is no $known"; return 1; }
    case $(basename "$figure") in trained_*) tolerance=10000 ;; *) tolerance=3 ;; esac
    awk -v tolerance=$tolerance -f "$tools/agree.awk" "$known" "$figure" || { echo "in $known"; return 1; }
  done
  for figure in "$folder"/figures/*.svg; do
    [ -f "$KEEP/$chapter/$(basename "$figure")" ] || { echo "nothing draws $figure any more"; return 1; }
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

# With ONLY, an older ledger will do to look numbers up in. To measure it again takes minutes, beside the chapters.
measure_ledger() {
  local ledger=$BUILD/lessons/ledger.txt status=0
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

framework=$OBJECTS
exec 9>&1  # not 3 or 4, which make uses to count jobs
set -m  # a process group of its own, so that its programs end with this script
measure_ledger > "$KEEP/ledger.log" 9>&- &
ledger_job=$!
set +m
check "lessons/CLAIMS.md" page_is_of_the_ledger
for text in lessons/README.md lessons/CLAIMS.md lessons/*/README.md; do check "links of $text" links_lead_somewhere "$text"; done
folders=$(for one in ${ONLY:-[0-9]}; do echo lessons/$one*_*; done)
for folder in $folders; do
  chapter=$(basename "$folder" | cut -d_ -f1) files=$BUILD/lessons/$chapter
  eval "LESSON_OBJECTS=\$LESSON_OBJECTS_$chapter; OBJECTS=\"$framework \$SOLUTIONS_$chapter\"" && export LESSON_OBJECTS OBJECTS
  rm -rf "$files/original" && mkdir -p "$files/original"
  "$tools/lesson.sh" blank "$chapter" "$files/blank"
  if [ -f "$folder/check.cpp" ]; then  # there is something to write
    # shellcheck disable=SC2046
    cp $("$tools/lesson.sh" originals "$chapter") "$files/original/"
    check "$chapter: no drift" no_drift
    check "$chapter: the blank fails and says what to do" blank_fails
    check "$chapter: hints" three_hints_a_step
    check "$chapter: names" "$tools/names.sh" "$folder"
    [ "${WITHOUT:-}" = mutants ] || check "$chapter: mutants" mutants_have_own_words
    [ "${WITHOUT:-}" = mutants ] || [ "${EVERY:-1}" -eq 1 ] || check "$chapter: slips" a_few_slips_fail
  fi
  if [ -f "$folder/guide.sh" ]; then  # it judges results
    check "$chapter: no drift" form_is_blank
    check "$chapter: the blank fails" blank_form_fails
    check "$chapter: hints" three_hints_a_guided_step
  fi
  check "$chapter: the original passes" lesson original
  check "$chapter: blocks of the text" text_is_fresh
  check "$chapter: figures" figures_are_fresh
done
wait "$ledger_job"  # here: a function that check calls is another shell, and cannot wait for it
ledger_status=$?
check "the ledger" every_verdict_is_supported
for folder in $folders; do
  chapter=$(basename "$folder" | cut -d_ -f1)
  check "$chapter: numbers of the text" numbers_are_seen
done

echo "[lessons-check] $passed passed | $failed failed"
[ "$failed" -eq 0 ]
