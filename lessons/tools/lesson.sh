#!/usr/bin/env bash
# What a learner's commands do. The Makefile builds all of a chapter but the learner's own files, and then calls
#
#   lesson.sh path                  make lessons     the chapters, what is done, what is next
#   lesson.sh run 01 [FOLDER]       make lesson-01   the first step that fails, or else the experiment
#   lesson.sh hint 01               make hint-01     the next hint
#   lesson.sh watch 01              make watch-01    `run` again at every save
#   lesson.sh locus 01              make locus-01    build/locus-01, the whole program, also with lines that a step refuses
#                                   make near-01     slips/near.sh: whether one symbol is wrong
#   lesson.sh reset 01              make reset-01    the exercise as it was; what was there is kept
#   lesson.sh keep 01               make keep-01     keeps the learner's files of the chapter
#   lesson.sh restore 01            make restore-01  brings back what was kept last; with WHICH=2 what was kept as 2
#   lesson.sh blank 01 FOLDER                        the exercise as it was, in another folder
#   lesson.sh originals 01                           the files of src/ and of solutions/ that the chapter is about
#
# FOLDER holds the exercise files, if not the chapter's own folder. What belongs to which chapter is written in src/
# alone, by the markers `// exercise 1.2: ...`. Progress, guesses, figures and kept lines are in runs/lessons.
# Git ignores the exercise files: path, run, hint and watch write those that were not there yet.
set -u
keep=${KEEP:-runs/lessons}

say_and_stop() { echo "$*" >&2; exit 1; }
folder() { for f in lessons/"$1"_*/; do [ -d "$f" ] && echo "${f%/}"; done; }
ready() { for f in lessons/[0-9]*_*/; do basename "$f" | cut -d_ -f1; done; }
originals() { if [ -n "${found:-}" ]; then echo "$found"; else find_originals "$1"; fi; }
# (home: the folder of the chapter.)
find_originals() { grep -rlE "// exercise $((10#$1))\.[0-9]" src "$home/solutions" 2>/dev/null | sort; }
title() { sed -n '1s/^# //p' "$home/README.md"; }
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
# The folder of what is kept of a chapter. If nothing can be written there, nothing is begun.
open_keep() {  # CHAPTER
  local part hint why
  why=$(mkdir -p "$keep/$1" 2>&1) && [ -w "$keep" ] && [ -w "$keep/$1" ] && return
  for part in "${keep%%/*}" "$keep" "$keep/$1"; do
    [ -n "$part" ] || continue
    hint="give it another name: mv $part $part.old"
    if [ -L "$part" ] && [ ! -e "$part" ]; then why="$part is a link to $(readlink "$part"), which is not there"
    elif [ -e "$part" ] && [ ! -d "$part" ]; then why="$part is a file"
    elif [ -d "$part" ] && [ ! -w "$part" ]; then
      # shellcheck disable=SC2012
      why="you may not write in $part: it belongs to $(ls -ld "$part" | awk '{ print $3 }')"
      hint="sudo chown -R \"\$USER\" $part  (a \`sudo make\` leaves such folders)"
    else continue; fi
    say_and_stop "$why. Your lines, guesses and progress are kept in the folder $keep/$1, so nothing was done. Hint: $hint"
  done
  say_and_stop "$keep/$1 cannot be made, so nothing was done: $why"
}

# Waits while another process has this lock, a link that names the process. After half a minute it goes on all the same:
# the lock keeps things tidy, and no lines depend on it. A process gives its lock back before it ends, so one that has ended
# and is named twice was killed, and its lock is removed.
locks=
lock() {  # LINK
  local holder tries dead=
  for ((tries = 0; tries < 300; ++tries)); do
    if ln -s "pid$$" "$1" 2>/dev/null; then locks+=" $1"; trap leave EXIT; return; fi
    holder=$(readlink "$1")
    [ "$holder" != "pid$$" ] || return
    [ -n "$holder" ] || [ -w "$(dirname "$1")" ] || return  # no link can be made here
    if [ -z "$holder" ] || kill -0 "${holder#pid}" 2>/dev/null; then dead=
    elif [ "$dead" = "$holder" ]; then rm -f "$1"
    else dead=$holder; fi
    sleep 0.1
  done
}
# shellcheck disable=SC2086
unlock() { rm -f $locks; locks=; }
leave() { unlock; rm -rf "${blanks:-}"; }

recall() { sed -n "s/^$1 //p" "$keep/progress" 2>/dev/null; }
remember() {  # KEY VALUE; no value: forget it
  local new=$keep/progress.$$
  lock "$keep/lock"  # two at once: neither loses a line
  if { grep -v "^$1 " "$keep/progress" 2>/dev/null; [ $? -le 1 ] || [ ! -e "$keep/progress" ]; } > "$new" &&
    { [ $# -eq 1 ] || echo "$1 $2" >> "$new"; } && mv "$new" "$keep/progress"; then :
  else
    rm -f "$new"
    echo "Your progress could not be written to $keep/progress; what was there is unchanged. Is the disk full?" >&2
  fi
  unlock
}

# Compiles copies of the exercise files of a folder, those whose lines are not the compiled ones, and links them in place of
# their originals, into the program of the steps. (By contents: a file that is put back is older than an object of other
# lines.) What a compiler says is cut down to its first error.
build() {  # CHAPTER FOLDER OUT LOCUS
  local original name file copy object replaced
  mkdir -p "$3/lines" || say_and_stop "$3/lines cannot be made, so nothing was compiled"
  for original in $(originals "$1"); do
    name=${original##*/} file=$2/$name object=$3/${name%.cpp}.o replaced=$BUILD/float/${original%.cpp}.o copy=$3/lines/$name
    [ -f "$file" ] || say_and_stop "$file is gone: \`make reset-$1\` writes it anew, \`make restore-$1\` brings back what you kept"
    cp "$file" "$copy.now" || say_and_stop "$file could not be copied to $3/lines, so nothing was compiled"
    if [ "$object" -nt "$replaced" ] && cmp -s "$copy.now" "$copy"; then continue; fi
    rm -f "$object"
    mv "$copy.now" "$copy"
    rm -f "$4"  # of other lines than these
    if [ "$4" = "$BUILD/locus-$1" ] && [ -d "$keep/$1/trained" ]; then
      rm -rf "${keep:?}/$1/trained-before" && mv "$keep/$1/trained" "$keep/$1/trained-before" &&
        echo "What your earlier lines trained stands in $keep/$1/trained-before now."
    fi
    {
      $COMPILE -iquote "$2" -I"$(dirname "$original")" -c "$copy" -o "$object.new" 2> "$object.log" && mv "$object.new" "$object"
      sed "s|$3/lines/|$2/|g" "$object.log" > "$object.errors"
    } &
  done
  wait
  for original in $(originals "$1"); do
    name=${original##*/} object=$3/${name%.cpp}.o
    [ -f "$object" ] || say_and_stop "$(awk '/error:/ && ++errors == 1 { left = 5 } /^In file included/ { left = 0 } left-- > 0' "$object.errors")"
  done
  rm -f "$3"/errors*
  link "$1" "$3" "$3/lesson" "$STEPS" || missing "$3"
}
# Links a program of objects, with the learner's, which are in OUT, in place of the originals', and first: of inline functions
# the linker takes the first, with checks. A program that is newer than all of them stays.
link() {  # CHAPTER OUT PROGRAM OBJECTS
  local original name replaced object objects=" $4 " yours= old=
  for original in $(originals "$1"); do
    name=${original##*/} replaced=$BUILD/float/${original%.cpp}.o
    objects="${objects%% "$replaced" *} ${objects#* "$replaced" }" yours+=" $2/${name%.cpp}.o"
  done
  for object in $yours $objects "$BUILD/sources"; do [ "$3" -nt "$object" ] || old=1; done
  # shellcheck disable=SC2086
  [ -z "$old" ] || $LINK $yours $objects -o "$3" 2> "$2/errors.${3##*/}"
}
missing() { say_and_stop "It compiles, but something that others call is missing: $(cat "$1"/errors* | grep -m1 -E 'undefined|multiple|duplicate')"; }

# What the steps do not need: the rest of the framework, which the make target REST compiles, and with it the program of the
# experiment and the whole of locus.
complete() {  # CHAPTER OUT LOCUS
  if [ -n "${REST:-}" ]; then
    $MAKE --no-print-directory "$REST" >&2 || exit 1
  fi
  link "$1" "$2" "$3" "$OBJECTS $PROGRAM_OBJECT" &
  link "$1" "$2" "$2/experiment" "$OBJECTS $LESSON_OBJECTS" && wait $! || missing "$2"
}

# The question of the chapter's text, before the first step. The answer is a number, or one of the words behind "One of:"; it
# is kept, and an empty one counts. "from 0 to 1" in the question is the range of a number. What was typed while the compiler
# ran is no answer. GUESS=0.5 answers without being asked, also later.
ask() {
  local guess question words range
  question=$(sed -n 's/^> //p' "$home/README.md" | tr '\n' ' ')
  if [ -z "$question" ]; then return; fi
  words=$(sed -nE 's/.*\(One of: ([^)]*)\.\).*/\1/p' <<<"$question")
  range=$(grep -oE 'from [0-9]+ to [0-9]+' <<<"$question" | tail -1)
  refuse() {  # GUESS: says what would be right, if it is no answer
    if [ -n "$words" ]; then
      case ", $words," in *", $1,"*) return 1 ;; *) echo "One of these, please: $words." ;; esac
    else
      awk -v guess="$1" -v range="$range" 'BEGIN {
        split(range, part, " ")
        if (guess ~ /^([0-9]+\.?[0-9]*|\.[0-9]+)$/ && (range == "" || (guess >= part[2] + 0 && guess <= part[4] + 0))) exit 1
        print "A number" (range == "" ? "" : " " range) ", please, such as " (part[4] > 1 ? part[2] : "0.5") "." }'
    fi
  }
  if [ -n "${GUESS:-}" ]; then
    if refuse "$GUESS"; then exit 1; fi
    guess=$GUESS
  elif [ -t 0 ] && [ -t 1 ] && [ ! -f "$keep/$1/guess" ]; then
    if [ -f "$home/check.cpp" ] || guided; then echo "First a guess, before you write or read any further. No clock is running."
    else echo "What did you guess?"; fi
    echo
    fit <<<"$question"
    while read -r -t 0.01; do :; done
    while printf '\nYour guess: ' && read -r guess && [ -n "$guess" ] && refuse "$guess"; do :; done
    [ -n "$guess" ] || echo "No guess. To give one later: make lesson-$1 GUESS=..."
  else
    return
  fi
  echo "$guess" > "$keep/$1/guess"
  [ -z "$guess" ] || echo "guess kept: $guess"
  echo
}

lines_of() { awk -v step="// exercise $2:" 'index($0, step) { on = 1; next } on && /^ *\/\/ end$/ { exit } on' "$1"; }

# Prose in lines that fit the terminal; tables, and what is no terminal's, stay.
fit() {
  local columns=
  if [ -t 1 ]; then columns=$(tput cols 2>/dev/null); fi
  awk -v most="${columns:-100000}" '
    length($0) <= most || /[^ ]   +[^ ]|[─━█▓▒░]/ { print; fflush(); next }
    { match($0, /^ */); indent = substr($0, 1, RLENGTH); line = ""
      for (i = 1; i <= NF; ++i) {
        if (line != "" && length(indent line " " $i) > most) { print indent line; line = "" }
        line = line (line == "" ? "" : " ") $i
      }
      print indent line; fflush() }'
}

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
  if [ "$(lines_of "$file" "$2")" = "$(lines_of "$given/${file##*/}" "$2")" ]; then return; fi
  if grep -q "fail(\"exercise $2\"" "$file"; then
    echo "You have written lines in this step, but the line \`fail(\"exercise $2\", ...)\` is still there: remove it."
  else
    echo "You have written lines in $file, but not the function that contract.h declares."
  fi
}

# A verdict is of the lines that were there when it began. Says so if they have changed since.
saved_since() {  # CHAPTER FOLDER OUT
  local original name
  for original in $(originals "$1"); do
    name=${original##*/}
    cmp -s "$2/$name" "$3/lines/$name" || printf '\n%s\n' "$2/$name was saved while its lines were tried: this is the verdict on the lines before. \`make lesson-$1\` again tries the new ones."
  done
}

# A chapter with a guide.sh judges more than lines: the guide says which step is next, in the same form. With EXAMPLE=NAME
# it judges a worked example instead of the learner's own, and progress stays as it is. FOLDER: of the author's checks.
guided() { [ -f "$home/guide.sh" ]; }
run_guided() {  # CHAPTER [FOLDER]
  local chapter=$1 status step
  if [ $# -eq 2 ] && [ -z "${EXAMPLE:-}" ]; then  # the blank form must be refused, the first example must stand
    case $2 in */blank) ;; *) local EXAMPLE=wheel ;; esac
  fi
  if [ -n "${EXAMPLE:-}" ]; then
    "$home/guide.sh" example "$keep/$chapter" "$EXAMPLE"
    status=$?  # to a learner a verdict is an answer, good or bad
    if [ $status -gt 1 ] || [ $# -eq 2 ]; then return $status; else return 0; fi
  fi
  if [ $# -eq 1 ]; then ask "$chapter"; fi
  "$home/guide.sh" run "$keep/$chapter" "${@:2}" 2>&1 | tee "$keep/$chapter/verdict"
  status=${PIPESTATUS[0]}
  if [ "$status" -ne 0 ]; then
    step=$(awk '$2 " " $3 == "not yet" { print $1; exit }' "$keep/$chapter/verdict")
    remember "$chapter step" "${step:-$(awk '{ print $1; exit }' "$home/hints.txt")}"
    echo
    echo "\`make hint-$chapter\` gives a hint."
    exit 1
  fi
  remember "$chapter step"
  remember "$chapter passed" yes
}

run() {
  local chapter=$1 from out locus step status passed with=
  open_keep "$chapter"
  echo "Chapter $((10#$chapter)): $(title "$chapter")"
  echo
  if [ $# -eq 1 ]; then provide "$chapter"; fi
  if guided "$chapter"; then run_guided "$@"; return; fi
  if [ $# -eq 1 ]; then from=$home out=$BUILD/lessons/$chapter/yours locus=$BUILD/locus-$chapter
  else from=$2 out=$2 locus=$2/locus; fi
  if [ $# -eq 1 ] || [ -n "${GUESS:-}" ]; then ask "$chapter"; fi
  mkdir -p "$out" && lock "$out/lock"  # another terminal may watch
  build "$chapter" "$from" "$out" "$locus"
  passed=$(recall "$chapter passed")
  local new_from=  # a learner is shown at once what each new step makes
  if [ -t 1 ] && [ $# -eq 1 ] && [ -z "$passed" ]; then new_from=$(recall "$chapter step") new_from=${new_from:-first}; fi
  NEW_FROM=$new_from "$out/lesson" 2>&1 | sed -E "s/^.*Assertion '(.*)' failed\.$/The standard library checks '\1', which does not hold here./" | tee "$out/verdict" | fit
  status=${PIPESTATUS[0]}
  # A program of lines that fail is for a chapter that is done. STEPS_ONLY: of the author's checks, which run the experiment
  # later, or have run it.
  case ${STEPS_ONLY:-} in
    program) complete "$chapter" "$out" "$locus" ;;
    "") [ "$status" -ne 0 ] && [ -z "$passed" ] || complete "$chapter" "$out" "$locus" ;;
  esac
  if [ "$status" -ne 0 ]; then
    step=$(awk '$2 " " $3 == "not yet" { print $1 }' "$out/verdict")
    unlock
    remember "$chapter step" "$step"
    echo
    note "$chapter" "$step" "$from" "$out" > "$out/note"
    if [ -s "$out/note" ]; then cat "$out/note" && echo; fi
    task "$chapter" "$step" "$from"/*.cpp | fit
    if [ -n "$passed" ]; then echo "This chapter is done, and stays done while you break it."
    else echo "\`make hint-$chapter\` gives a hint."; fi
    offer_near "$chapter" "$out/verdict"
    saved_since "$chapter" "$from" "$out"
    exit 1
  fi
  unlock
  saved_since "$chapter" "$from" "$out"
  remember "$chapter step"
  remember "$chapter passed" yes
  if [ -n "${STEPS_ONLY:-}" ]; then return; fi
  if [ -n "$(originals "$chapter")" ]; then echo; fi  # below the steps
  if [ -t 2 ]; then
    [ -n "$(originals "$chapter")" ] && with=" with your lines"
    echo "The experiment runs$with now: up to half a minute on two idle cores, longer if they are busy." >&2
  fi
  "$out/experiment" experiment "$keep/$chapter" || exit 1
  echo
  echo "Figures:" "$keep/$chapter"/*.svg
  [ -n "$(originals "$chapter")" ] || return 0
  echo "The whole program, with your lines in it: $locus"
  # shellcheck disable=SC2046
  echo "To compare, the originals:" $(originals "$chapter")
}

locus() {
  guided "$1" && say_and_stop "In chapter $((10#$1)) your scheme is a file of the framework: \`make\` builds build/locus with it."
  local out=$BUILD/lessons/$1/yours
  open_keep "$1"
  provide "$1"
  mkdir -p "$out" && lock "$out/lock"
  build "$1" "$home" "$out" "$BUILD/locus-$1"
  link "$1" "$out" "$BUILD/locus-$1" "$OBJECTS $PROGRAM_OBJECT" || missing "$out"
  unlock
}

# If lines are wrong and nothing says where.
offer_near() {  # CHAPTER VERDICT
  grep -qE 'still to be written|Likely cause:|It does not notice:' "$2" ||
    echo "\`make near-$1\` finds the wrong place: half a minute, some minutes for a test."
}
near() { say_and_stop "Chapter $((10#$1)) judges no lines of code; near-NN works in chapters 1 to 14."; }  # others: slips/near.sh

hint() {
  local chapter=$1 hints step shown all original
  hints=$home/hints.txt
  [ -f "$hints" ] || { echo "Chapter $((10#$chapter)) has no exercises, so it has no hints."; return; }
  step=$(recall "$chapter step")
  [ -n "$step" ] || [ -z "$(recall "$chapter passed")" ] || { echo "Chapter $((10#$chapter)) is done: no step is left that needs a hint."; return; }
  open_keep "$chapter"
  provide "$chapter"
  step=${step:-$(awk '{ print $1; exit }' "$hints")}
  shown=$(($(recall "$chapter hints $step") + 1))
  all=$(grep -c "^$step " "$hints")
  if [ "$shown" -gt "$all" ]; then
    if guided "$chapter"; then echo "You have seen all hints for step $step. Read how the worked examples do it: $home/examples"; return; fi
    # shellcheck disable=SC2046
    original=$(place "$chapter" "$step" $(originals "$chapter") | cut -d: -f1,2)
    echo "You have seen all hints for step $step. The original is ${original:-$(originals "$chapter")}: read it, close it, and write yours from memory." | fit
    return
  fi
  remember "$chapter hints $step" "$shown"
  echo "Step $step, hint $shown of $all: $(sed -n "s/^$step //p" "$hints" | sed -n "${shown}p")" | fit
}

watch() {
  [ -t 1 ] || say_and_stop "watching needs a terminal; \`make lesson-$1\` looks once"
  local seen news
  contents() { cat "$home"/*.cpp 2>/dev/null | cksum; }
  news=$(open_keep "$1" && provide "$1") || exit 1
  while true; do
    seen=$(contents "$1")  # before: what is saved while it runs is tried next
    printf '\033[2J\033[H%s\n' "$news" | fit
    news=
    (run "$1")
    echo
    echo "(watching $home; Ctrl-C ends it)"
    while [ "$(contents "$1")" = "$seen" ]; do sleep 0.3; done
  done
}

blank() {  # CHAPTER FOLDER
  local original
  mkdir -p "$2" || exit 1
  if guided "$1"; then cp "$home/form.txt" "$2/evidence.txt" || exit 1; fi
  for original in $(originals "$1"); do
    awk -v chapter="$((10#$1))" -f lessons/tools/blank.awk "$original" > "$2/${original##*/}" || exit 1
  done
}

# What a learner wrote. `make keep-01` and `make reset-01` store all files of a chapter, as they are, in a new folder
# runs/lessons/01/kept/1, kept/2 ...; `make restore-01` brings the newest of these back, and stores what was there as
# kept/3-replaced. Nothing in kept/ is ever changed, and nothing is written over a file before it is stored.

# The blanks of a chapter, in a folder of their own while this script runs.
make_blanks() {  # CHAPTER
  found=$(find_originals "$1")  # once: all of src/ is read
  trap leave EXIT
  blanks=$(mktemp -d "$keep/$1/blank.XXXXXX") && (blank "$1" "$blanks") ||
    say_and_stop "The blanks of chapter $((10#$1)) could not be made in $keep/$1, so nothing was changed. Is the disk full?"
}

# Writes the exercise files of a chapter that were not there yet. $keep/01/blank holds the blanks as they were written.
# A file that still is one of these follows its original; one with the learner's lines stays as it is, and if its original
# has other lines outside of the exercises by now, so that it may not compile, that is said.
provide() {  # CHAPTER
  local one name file original line new= known=$keep/$1/blank old=
  found=$(find_originals "$1")
  for original in $found "$home/form.txt"; do  # has any of them changed since?
    [ -f "$original" ] || continue
    name=${original##*/} name=${name/#form.txt/evidence.txt}
    if [ ! -e "$home/$name" ] || [ ! "$known/$name" -nt "$original" ]; then old=1; fi
  done
  [ -n "$old" ] || return 0
  lock "$keep/lock"
  make_blanks "$1"
  mkdir -p "$known"
  [ -n "$(yours "$1")" ] || rm -f "$known"/*  # all are gone: as at first
  for one in "$blanks"/*; do
    name=${one##*/} file=$home/$name line=
    if [ ! -e "$file" ] && [ -e "$known/$name" ]; then continue; fi  # it was written, and is gone: build() says so
    if ! cmp -s "$one" "$file" && { [ ! -e "$file" ] || cmp -s "$known/$name" "$file"; }; then
      put "$one" "$file" "$known" || say_and_stop "$file could not be written, so nothing was done."
      new+=" $file"
    fi
    if cmp -s "$one" "$file" || [ ! -e "$known/$name" ]; then cp "$one" "$known/$name"; fi
    for original in $found; do
      if [ "${original##*/}" != "$name" ] || cmp -s "$one" "$file"; then continue; fi
      line=$(diff <(outside "$1" "$one") <(outside "$1" "$file") | sed -n 's/^< //p' | head -1)
      [ -z "$line" ] || printf '%s\n' "$file lacks a line that $original has outside of the exercises: $line" \
        "If it does not compile: \`make reset-$1\` keeps your lines and writes the file anew; copy your lines into it." ""
    done
    [ -n "$line" ] || touch "$known/$name"
  done
  [ -z "$new" ] || printf '%s\n\n' "written:$new; your lines go there" | fit
  [ -z "$new" ] || [ -z "$(kept_of "$1")" ] || printf '%s\n\n' "\`make restore-$1\` brings back the lines that you kept."
  rm -rf "$blanks"
  unlock
}
# The code of a file outside of the exercises, without comments.
outside() { awk -v chapter="$((10#$1))" -v skeleton=1 -f lessons/tools/blank.awk "$2" 2>/dev/null | sed -E 's: *//.*::; s/^ +//; /^$/d'; }

# The learner's files of a chapter that are there, and where a file of this name belongs.
yours() {  # CHAPTER
  local original
  if guided "$1"; then "$home/guide.sh" files "$keep/$1"; else
    for original in $(originals "$1"); do echo "$home/${original##*/}"; done
  fi | while read -r original; do [ ! -f "$original" ] || echo "$original"; done
}
place_of() {  # CHAPTER NAME
  if guided "$1"; then "$home/guide.sh" place "$keep/$1" "$2"; else echo "$home/$2"; fi
}
kept_of() { (cd "$keep/$1/kept" 2>/dev/null && find . -type f ! -name part | cut -d/ -f2 | sort -u | sort -n); }

# Whether these files hold lines of the learner's: one is not its blank.
written() {  # FILES
  local file
  for file; do cmp -s "$blanks/${file##*/}" "$file" || return 0; done
  return 1
}

begin() {  # CHAPTER: for the three commands below
  open_keep "$1"
  lock "$keep/lock"
  make_blanks "$1"
  [ -n "$found" ] || guided "$1" || { echo "Chapter $((10#$1)) has no exercises, so it has no lines of yours."; exit; }
}

# Stores copies of files in the next free folder, and prints its name.
store() {  # CHAPTER SUFFIX FILES
  local n to file why
  why=$(mkdir -p "$keep/$1/kept" 2>&1) || { echo "$why" >&2; return 1; }
  # shellcheck disable=SC2010
  n=$(ls "$keep/$1/kept" | grep -oE '^[0-9]+' | sort -n | tail -1)
  n=$((10#${n:-0} + 1)) to=$keep/$1/kept/$n$2
  until why=$(mkdir "$to" 2>&1); do
    [ -e "$to" ] || { echo "$why" >&2; return 1; }
    n=$((n + 1)) to=$keep/$1/kept/$n$2  # another took this number
  done
  for file in "${@:3}"; do
    cp "$file" "$to/part" && mv "$to/part" "$to/${file##*/}" || { rm -rf "$to"; return 1; }
  done
  echo "$to"
}

# Puts a copy of NEW where FILE is, if FILE is still what the folder STORED has of it. What an editor saves at this very
# moment stays.
put() {  # NEW FILE STORED
  local new=$2.new.$$ old=$2.old.$$
  [ ! -d "$2" ] || { echo "$2 is a folder: rename it" >&2; return 1; }
  cp "$1" "$new" || { rm -f "$new"; return 1; }
  if mv "$2" "$old" 2>/dev/null; then
    if cmp -s "$old" "$3/${2##*/}" || cmp -s "$old" "$1"; then rm "$old"; else mv -n "$old" "$2"; fi
  fi
  mv -n "$new" "$2"  # over no file
  [ -e "$new" ] || return 0
  rm "$new"
  echo "$2 was saved at this moment, and is left as it is" >&2
  [ ! -e "$old" ] || echo "what was there a moment before is $old" >&2
  return 1
}

keep() {
  local chapter=$1 newest file stored
  begin "$chapter"
  # shellcheck disable=SC2046
  written $(yours "$chapter") || { echo "You have not written any lines in chapter $((10#$chapter)) yet."; return; }
  newest=$(kept_of "$chapter" | grep -vF -- - | tail -1)
  for file in $(yours "$chapter"); do cmp -s "$file" "$keep/$chapter/kept/$newest/${file##*/}" || newest=; done
  [ -z "$newest" ] || { echo "Your lines are kept already, in $keep/$chapter/kept/$newest."; return; }
  # shellcheck disable=SC2046
  stored=$(store "$chapter" "" $(yours "$chapter")) || say_and_stop "Your lines could not be kept in $keep/$chapter/kept. They are where they were."
  echo "Your lines are kept in $stored: $(cd "$stored" && echo *). \`make restore-$chapter\` brings them back."
}

restore() {
  local chapter=$1 all which from one file changed= there= stored=
  begin "$chapter"
  all=$(kept_of "$chapter")
  [ -n "$all" ] || say_and_stop "You have not kept any lines of chapter $((10#$chapter)) yet. Hint: \`make keep-$chapter\` keeps them"
  which=${WHICH:-$(grep -vF -- - <<<"$all" | tail -1)}
  grep -qxF -e "$which" <<<"$all" ||
    say_and_stop "$keep/$chapter/kept/$which does not exist. Hint: give one of these: $(for one in $all; do printf 'WHICH=%s ' "$one"; done)"
  from=$keep/$chapter/kept/$which
  for one in "$from"/*; do
    file=$(place_of "$chapter" "${one##*/}")
    cmp -s "$one" "$file" && continue
    changed+=" $file"
    [ ! -f "$file" ] || there+=" $file"
  done
  [ -n "$changed" ] || { echo "The lines of $from are in their places already."; return; }
  # shellcheck disable=SC2086,SC2046
  if written $there; then
    stored=$(store "$chapter" -replaced $(printf '%s\n' $(yours "$chapter") $there | sort -u)) ||
      say_and_stop "The lines that are there could not be kept in $keep/$chapter/kept, so nothing was changed."
    echo "what was there is kept in $stored: \`make restore-$chapter WHICH=${stored##*/}\` brings it back"
  fi
  for file in $changed; do
    put "$from/${file##*/}" "$file" "${stored:-$blanks}" || say_and_stop "$from/${file##*/} could not be put there."
    echo "as in $from: $file"
  done
  [ ! -x "$BUILD/locus-$chapter" ] || echo "\`make lesson-$chapter\` builds $BUILD/locus-$chapter of these lines."
}

reset() {
  local chapter=$1 one file stored=
  begin "$chapter"
  # shellcheck disable=SC2046
  if written $(yours "$chapter"); then
    stored=$(store "$chapter" "" $(yours "$chapter")) ||
      say_and_stop "Your lines could not be kept in $keep/$chapter/kept, so nothing was changed: they are where they were."
    echo "your lines are kept in $stored: \`make restore-$chapter\` brings them back"
  fi
  for one in "$blanks"/*; do
    file=$(place_of "$chapter" "${one##*/}")
    cmp -s "$one" "$file" || put "$one" "$file" "${stored:-$blanks}" || say_and_stop "$file was not made blank."
    mkdir -p "$keep/$chapter/blank" && cp "$one" "$keep/$chapter/blank/"
    echo "blank: $file"
  done
  if guided "$chapter"; then rm -f "$keep/$chapter/predicted.txt" && echo "(Your scheme and its tests stay where they are.)"; fi
  rm -f "$keep/$chapter/guess"
  remember "$chapter hints"
  remember "$chapter passed"
  remember "$chapter step"
}

path() {
  local n chapter question gives state next= begun= planned=
  rest() { fold -s -w 62 <<<"$1" | sed '2,$s/^/                 /; s/ *$//'; }  # within 80 columns
  while IFS='|' read -r _ n question gives _; do
    chapter=$(printf %02d "$((n))")
    question=$(sed -E 's/^ *\[?//; s/\]\(.*//; s/ *$//' <<<"$question")
    if [ -z "$(folder "$chapter")" ]; then planned+="  $chapter  $question"$'\n'; continue
    elif [ -n "$(recall "$chapter passed")" ]; then state="done"
    elif [ -n "$(recall "$chapter step")" ]; then state="step $(recall "$chapter step")"
    else state="ready"; fi
    [ "$state" = "done" ] || next=${next:-$chapter}
    case $state in step*) begun=${begun:-$chapter} ;; esac
    printf '  %s  %-10s %s\n                 %s\n' "$chapter" "$state" "$(rest "$question")" "$(rest "you write:${gives% }")"
  done < <(grep -E '^\| [0-9]+ \|' lessons/README.md)
  echo
  next=${begun:-$next}  # rather than one that is not begun
  if [ -n "$next" ]; then
    home=$(folder "$next")
    (open_keep "$next" && provide "$next") 2>/dev/null
    echo "Next: read $home/README.md, then \`make lesson-$next\`"
  else echo "All chapters that are written are done."; fi
  [ -n "$planned" ] || return 0
  echo
  echo "Planned:"
  printf '%s' "$planned"
}

# All figures that the learner's lines have drawn, on one page that can be sent to somebody.
portfolio() {
  local home chapter file page=$keep/portfolio.html count=0
  compgen -G "$keep/[0-9][0-9]/*.svg" > /dev/null ||
    say_and_stop "No chapter has drawn a figure yet. Begin with: make lesson-01"
  {
    printf '<!doctype html>\n<meta charset="utf-8">\n<meta name="viewport" content="width=device-width">\n'
    printf '<title>What I drew in Locus</title>\n<style>body { font: 16px/1.5 sans-serif; max-width: 760px; margin: 2em auto;'
    printf ' padding: 0 1em; background: #fff; color: #222 } img { max-width: 100%%; height: auto }</style>\n'
    printf '<h1>What I drew in Locus</h1>\n'
    for home in lessons/[0-9][0-9]_*; do
      chapter=${home#lessons/} chapter=${chapter%%_*}
      compgen -G "$keep/$chapter/*.svg" > /dev/null || continue
      printf '<h2>%s. %s</h2>\n' "$((10#$chapter))" "$(sed -n '1{s/^# //; s/&/\&amp;/g; s/</\&lt;/g; p;}' "$home/README.md")"
      for file in "$keep/$chapter"/*.svg; do
        printf '<p><img alt="%s" src="data:image/svg+xml;base64,%s"></p>\n' "$(basename "$file" .svg)" "$(base64 < "$file" | tr -d '\n')"
      done
    done
  } > "$page.new" && mv "$page.new" "$page"
  count=$(grep -c '^<p><img' "$page")
  echo "$count figures: open $page in a browser"
}

# A make called from here has jobs of its own: those of the make that called this are not handed on.
case ${MAKEFLAGS:-} in *-j*) MAKEFLAGS=$(sed -E 's/(^| )(-j[0-9]*|--jobserver-[^ ]*)//g' <<<"$MAKEFLAGS") ;; esac
command=$1 chapter=${2:-} home=$(folder "${2:-}")
if [ "$command" != path ] && [ "$command" != portfolio ] && [ -z "$home" ]; then
  if [ -n "$(folder "0$chapter")" ]; then say_and_stop "There is no chapter '$chapter'; did you mean 0$chapter, as in: make ${command/run/lesson}-0$chapter?"; fi
  say_and_stop "There is no chapter '$chapter'. These are written: $(ready | tr '\n' ' ')(for example: make lesson-$(ready | head -1))"
fi
"$command" "${@:2}"
