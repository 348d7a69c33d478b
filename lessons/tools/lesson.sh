#!/usr/bin/env bash
# What a learner's commands do. The Makefile builds all of a chapter but the learner's own files, and then calls
#
#   lesson.sh path                  make lessons     the chapters, what is done, what is next
#   lesson.sh run 01 [FOLDER]       make lesson-01   the first step that fails, or else the experiment
#   lesson.sh hint 01               make hint-01     the next hint
#   lesson.sh watch 01              make watch-01    `run` again at every save
#   lesson.sh reset 01              make reset-01    the exercise as it was
#   lesson.sh blank 01 FOLDER                        the exercise as it was, in another folder
#   lesson.sh originals 01                           the files of src/ and of solutions/ that the chapter is about
#
# FOLDER holds the exercise files, if not the chapter's own folder. What belongs to which chapter is written in src/
# alone, by the markers `// exercise 1.2: ...`. Progress, guesses and figures are kept in runs/lessons.
set -u
keep=${KEEP:-runs/lessons}

say_and_stop() { echo "$*" >&2; exit 1; }
number() { echo $((10#$1)); }
folder() { for f in lessons/"$1"_*/; do [ -d "$f" ] && echo "${f%/}"; done; }
ready() { for f in lessons/[0-9]*_*/; do basename "$f" | cut -d_ -f1; done; }
originals() { grep -rlE "// exercise $(number "$1")\.[0-9]" src "$(folder "$1")/solutions" 2>/dev/null | sort; }
title() { sed -n '1s/^# //p' "$(folder "$1")/README.md"; }
place() { grep -nE "// exercise $2:" "${@:3}" /dev/null | head -1; }  # of step $2 in these files: FILE:LINE: the marker
# CHAPTER STEP FILES: where the step is in these files, and its task: the comment at the marker in the original, with the
# lines in which it goes on. (In the learner's file comments of their own may follow.)
task() {
  local where original
  where=$(place "$@" | cut -d: -f1,2)
  [ -n "$where" ] || return
  # shellcheck disable=SC2046
  original=$(place "$1" "$2" $(originals "$1") | cut -d: -f1,2)
  awk -v line="${original##*:}" -v where="$where" '
    NR == line { sub(/.*\/\/ exercise [^:]*: /, ""); words = $0; next }
    NR > line && !/^ *\/\/ / { exit }
    NR > line && !/^ *\/\/ end$/ { sub(/^ *\/\/ /, ""); words = words " " $0 }
    END { print where " is the place: " words }' "${original%%:*}"
}
recall() { sed -n "s/^$1 //p" "$keep/progress" 2>/dev/null; }
remember() {  # KEY VALUE; no value: forget it
  mkdir -p "$keep"
  { grep -v "^$1 " "$keep/progress" 2>/dev/null; [ $# -eq 1 ] || echo "$1 $2"; } > "$keep/progress.new"
  mv "$keep/progress.new" "$keep/progress"
}

# Compiles the exercise files of a folder, as far as they changed, and links them in place of their originals, into the
# lesson's program and the whole of locus. What a compiler says is cut down to its first error.
build() {  # CHAPTER FOLDER OUT LOCUS
  local original file object replaced before after objects=" $OBJECTS " yours=
  mkdir -p "$3"
  for original in $(originals "$1"); do
    file=$2/$(basename "$original") object=$3/$(basename "$original" .cpp).o replaced=$BUILD/float/${original%.cpp}.o
    [ -f "$file" ] || say_and_stop "$file is gone: \`make reset-$1\` writes it anew"
    before=${objects%% "$replaced" *} after=${objects#* "$replaced" }
    objects="$before $after" yours+=" $object"  # first: of inline functions the linker takes the first, with checks
    if [ ! "$object" -nt "$file" ] || [ ! "$object" -nt "$replaced" ]; then
      rm -f "$object"
      [ "$4" != "$BUILD/locus-$1" ] || rm -rf "${keep:?}/$1/trained"  # by other lines than these
      $COMPILE -I"$(dirname "$original")" -c "$file" -o "$object" 2> "$object.errors" &
    fi
  done
  wait
  for original in $(originals "$1"); do
    object=$3/$(basename "$original" .cpp).o
    [ -f "$object" ] || say_and_stop "$(grep -m1 -A4 -E 'error' "$object.errors")"
  done
  # shellcheck disable=SC2086
  $LINK $yours $objects $PROGRAM_OBJECT -o "$4" 2> "$3/errors.program" &
  # shellcheck disable=SC2086
  $LINK $yours $objects $LESSON_OBJECTS -o "$3/lesson" 2> "$3/errors" && wait $! ||
    say_and_stop "It compiles, but something that others call is missing: $(cat "$3"/errors* | grep -m1 -E 'undefined|multiple|duplicate')"
}

# The question of the chapter's text, before the first step. The answer is a number, or one of the words behind "One of:"; it
# is kept, and an empty one counts. What was typed while the compiler ran is no answer. GUESS=0.5 answers without being asked,
# also later.
ask() {
  local guess question words
  question=$(sed -n 's/^> //p' "$(folder "$1")/README.md")
  if [ -z "$question" ]; then return; fi
  words=$(tr '\n' ' ' <<<"$question" | sed -nE 's/.*\(One of: ([^)]*)\.\).*/\1/p')
  refuse() {  # GUESS: says what would be right, if it is no answer
    if [ -n "$words" ]; then
      case ", $words," in *", $1,"*) return 1 ;; *) echo "One of these, please: $words." ;; esac
    else
      case $1 in *[!0-9.]*) echo "A number, please, such as 0.5." ;; *) return 1 ;; esac
    fi
  }
  if [ -n "${GUESS:-}" ]; then
    if refuse "$GUESS"; then exit 1; fi
    guess=$GUESS
  elif [ -t 0 ] && [ -t 1 ] && [ ! -f "$keep/$1/guess" ]; then
    echo "First a guess, before you write or read any further. No clock is running."
    echo
    echo "$question"
    while read -r -t 0.01; do :; done
    while printf '\nYour guess: ' && read -r guess && [ -n "$guess" ] && refuse "$guess"; do :; done
    [ -n "$guess" ] || echo "No guess. To give one later: make lesson-$1 GUESS=..."
    echo
  else
    return
  fi
  mkdir -p "$keep/$1"
  echo "$guess" > "$keep/$1/guess"
}

lines_of() { awk -v step="// exercise $2:" 'index($0, step) { on = 1; next } on && /^ *\/\/ end$/ { exit } on' "$1"; }

# What else there is to say about the step that fails: a `fail` line that was left in, a warning of the compiler.
note() {  # CHAPTER STEP FOLDER OUT
  local file given=$BUILD/lessons/$1/given
  file=$(place "$1" "$2" "$3"/*.cpp)
  file=${file%%:*}
  if ! grep -q 'still to be written' "$4/verdict"; then
    cat "$4"/*.errors | grep -m1 -A2 'warning:' | sed '1s/^/The compiler warns: /'
    return
  fi
  blank "$1" "$given"
  if [ "$(lines_of "$file" "$2")" = "$(lines_of "$given/$(basename "$file")" "$2")" ]; then return; fi
  if grep -q "fail(\"exercise $2\"" "$file"; then
    echo "There are lines of yours in this step, but the line \`fail(\"exercise $2\", ...)\` is still there: remove it."
  else
    echo "There are lines of yours in $file, but not the function that contract.h declares."
  fi
}

# A chapter with a guide.sh judges more than lines: the guide says which step is next, in the same form. With EXAMPLE=NAME
# it judges a worked example instead of the learner's own, and progress stays as it is. FOLDER: of the author's checks.
guided() { [ -f "$(folder "$1")/guide.sh" ]; }
run_guided() {  # CHAPTER [FOLDER]
  local chapter=$1 status step
  if [ $# -eq 2 ] && [ -z "${EXAMPLE:-}" ]; then  # the blank form must be refused, the first example must stand
    case $2 in */blank) mkdir -p "$2" && cp "$(folder "$chapter")/form.txt" "$2/evidence.txt" ;; *) local EXAMPLE=wheel ;; esac
  fi
  echo "Chapter $(number "$chapter"): $(title "$chapter")"
  echo
  if [ -n "${EXAMPLE:-}" ]; then
    "$(folder "$chapter")/guide.sh" example "$keep/$chapter" "$EXAMPLE"
    status=$?  # to a learner a verdict is an answer, good or bad
    if [ $status -gt 1 ] || [ $# -eq 2 ]; then return $status; else return 0; fi
  fi
  if [ $# -eq 1 ]; then ask "$chapter"; fi
  mkdir -p "$keep/$chapter"
  "$(folder "$chapter")/guide.sh" run "$keep/$chapter" "${@:2}" 2>&1 | tee "$keep/$chapter/verdict"
  status=${PIPESTATUS[0]}
  if [ "$status" -ne 0 ]; then
    step=$(awk '$2 " " $3 == "not yet" { print $1; exit }' "$keep/$chapter/verdict")
    remember "$chapter step" "${step:-$(awk '{ print $1; exit }' "$(folder "$chapter")/hints.txt")}"
    echo
    echo "\`make hint-$chapter\` gives a hint."
    exit 1
  fi
  remember "$chapter step"
  remember "$chapter passed" yes
}

run() {
  local chapter=$1 from out locus step original
  if guided "$chapter"; then run_guided "$@"; return; fi
  if [ $# -eq 1 ]; then from=$(folder "$chapter") out=$BUILD/lessons/$chapter/yours locus=$BUILD/locus-$chapter
  else from=$2 out=$2 locus=$2/locus; fi
  echo "Chapter $(number "$chapter"): $(title "$chapter")"
  echo
  if [ $# -eq 1 ]; then ask "$chapter"; fi
  build "$chapter" "$from" "$out" "$locus"
  "$out/lesson" 2>&1 | sed -E "s/^.*Assertion '(.*)' failed\.$/The standard library checks '\1', which does not hold here./" | tee "$out/verdict"
  if [ "${PIPESTATUS[0]}" -ne 0 ]; then
    step=$(awk '$2 " " $3 == "not yet" { print $1 }' "$out/verdict")
    remember "$chapter step" "$step"
    echo
    note "$chapter" "$step" "$from" "$out" > "$out/note"
    if [ -s "$out/note" ]; then cat "$out/note" && echo; fi
    task "$chapter" "$step" "$from"/*.cpp
    if [ -n "$(recall "$chapter passed")" ]; then echo "This chapter is done, and stays done while you break it."
    else echo "\`make hint-$chapter\` gives a hint."; fi
    exit 1
  fi
  remember "$chapter step"
  remember "$chapter passed" yes
  if [ -n "${STEPS_ONLY:-}" ]; then return; fi  # the author's checks run the experiment later, or have run it
  if [ -n "$(originals "$chapter")" ]; then echo; fi  # below the steps
  if [ -t 2 ]; then echo "The experiment runs with your lines now: up to half a minute on two idle cores, longer if they are busy." >&2; fi
  "$out/lesson" experiment "$keep/$chapter" || exit 1
  echo
  echo "Figures:" "$keep/$chapter"/*.svg
  [ -n "$(originals "$chapter")" ] || return 0
  echo "The whole program, with your lines in it: $locus"
  # shellcheck disable=SC2046
  echo "To compare, the originals:" $(originals "$chapter")
}

hint() {
  local chapter=$1 hints step shown all original
  hints=$(folder "$chapter")/hints.txt
  [ -f "$hints" ] || { echo "There is nothing to write in chapter $(number "$chapter"), and so there are no hints."; return; }
  step=$(recall "$chapter step")
  [ -n "$step" ] || [ -z "$(recall "$chapter passed")" ] || { echo "Chapter $(number "$chapter") is done; there is nothing left to hint at."; return; }
  step=${step:-$(awk '{ print $1; exit }' "$hints")}
  shown=$(($(recall "$chapter hints $step") + 1))
  all=$(grep -c "^$step " "$hints")
  if [ "$shown" -gt "$all" ]; then
    if guided "$chapter"; then echo "There are no more hints for step $step. Read how the worked examples do it: $(folder "$chapter")/examples"; return; fi
    # shellcheck disable=SC2046
    original=$(place "$chapter" "$step" $(originals "$chapter") | cut -d: -f1,2)
    echo "There are no more hints for step $step. The original is ${original:-$(originals "$chapter")}: read it, close it, and write yours from memory."
    return
  fi
  remember "$chapter hints $step" "$shown"
  echo "Step $step, hint $shown of $all: $(sed -n "s/^$step //p" "$hints" | sed -n "${shown}p")"
}

watch() {
  [ -t 1 ] || say_and_stop "watching needs a terminal; \`make lesson-$1\` looks once"
  local stamp
  stamp=$(mktemp)
  while true; do
    touch "$stamp"
    printf '\033[2J\033[H'
    (run "$1")
    echo
    echo "(watching $(folder "$1"); Ctrl-C ends it)"
    until [ -n "$(find "$(folder "$1")" -name '*.cpp' -newer "$stamp")" ]; do sleep 0.3; done
  done
}

blank() {  # CHAPTER FOLDER
  local original
  mkdir -p "$2"
  for original in $(originals "$1"); do
    awk -v chapter="$(number "$1")" -f lessons/tools/blank.awk "$original" > "$2/$(basename "$original")" || exit 1
  done
}

# Moves a file into a folder, beside what was set aside there before: name, name.1, name.2. Prints where it is.
set_aside() {  # FILE FOLDER
  local to=$2/${1##*/} n=0
  while [ -e "$to" ]; do n=$((n + 1)) to=$2/${1##*/}.$n; done
  mv "$1" "$to" && echo "$to"
}
export -f set_aside  # for the guide of a chapter

reset() {
  local chapter=$1 original file fresh
  if guided "$chapter"; then "$(folder "$chapter")/guide.sh" reset "$keep/$chapter"; fi
  fresh=$BUILD/lessons/$chapter/blank
  blank "$chapter" "$fresh"
  mkdir -p "$keep/$chapter"
  for original in $(originals "$chapter"); do
    file=$(folder "$chapter")/$(basename "$original")
    if ! cmp -s "$fresh/$(basename "$file")" "$file"; then
      [ ! -f "$file" ] || echo "your lines are kept in $(set_aside "$file" "$keep/$chapter")"
      cp "$fresh/$(basename "$file")" "$file"
    fi
    echo "blank: $file"
  done
  rm -f "$keep/$chapter/guess"
  remember "$chapter hints"
  remember "$chapter passed"
  remember "$chapter step"
}

path() {
  local n chapter question gives state next= planned=
  while IFS='|' read -r _ n question gives _; do
    chapter=$(printf %02d "$((n))")
    question=$(sed -E 's/^ *\[?//; s/\]\(.*//; s/ *$//' <<<"$question")
    if [ -z "$(folder "$chapter")" ]; then planned+="  $chapter  $question"$'\n'; continue
    elif [ -n "$(recall "$chapter passed")" ]; then state="done"
    elif [ -n "$(recall "$chapter step")" ]; then state="step $(recall "$chapter step")"
    else state="ready"; fi
    [ "$state" = "done" ] || next=${next:-$chapter}
    printf '  %s  %-10s %s\n                 you write:%s\n' "$chapter" "$state" "$question" "${gives% }"
  done < <(grep -E '^\| [0-9]+ \|' lessons/README.md)
  echo
  if [ -n "$next" ]; then echo "Next: read $(folder "$next")/README.md, then \`make lesson-$next\`"
  else echo "All chapters that are written are done."; fi
  echo "The ledger, \`make claims\`: $(cat lessons/*/claims.cpp | grep -c '^const Settles') of $(grep -c '^[0-9]' lessons/claims.txt) claims settled."
  [ -n "$planned" ] || return 0
  echo
  echo "Planned:"
  printf '%s' "$planned"
}

command=$1 chapter=${2:-}
if [ "$command" != path ] && [ -z "$(folder "$chapter")" ]; then
  if [ -n "$(folder "0$chapter")" ]; then say_and_stop "There is no chapter '$chapter'; did you mean 0$chapter, as in: make ${command/run/lesson}-0$chapter?"; fi
  say_and_stop "There is no chapter '$chapter'. These are written: $(ready | tr '\n' ' ')(for example: make lesson-$(ready | head -1))"
fi
"$command" "${@:2}"
