#!/usr/bin/env bash
# What `make lesson-15` does, called by lessons/tools/lesson.sh: builds the framework with the learner's scheme, then says
# which step is next, and judges the evidence (judge.cpp).
#
#   guide.sh run KEEP [FORMS] the learner's own: evidence.txt here, src/positional/NAME.cpp, tests/positional/NAME_test.cpp
#   guide.sh example KEEP X   a worked example, examples/X; with RUNS=FOLDER its other runs. Status 1: it lacks something
#   guide.sh files KEEP       the learner's files, those of the scheme that the form names
#   guide.sh place KEEP NAME  where a file of this name belongs
#
# KEEP is runs/lessons/15: predictions as they were before the first run, and figures.
set -u
: "${MAKE:?is set by make}" "${BUILD:?}"
here=$(dirname "$0") keep=$2

value_of() { sed -n "s/^$1: *//p" "$2" | sed 's/ *$//;q'; }
step="15.2  not yet  the scheme, one file"
not_yet() { echo "  $step"; echo; echo "$*"; exit 1; }

hint_for() {  # ERROR
  case $1 in
    *designator*Claims* | *Claims*designator*)
      echo "claims in braces have the order of src/positional/scheme.h: $(sed -nE 's/^ *CLAIM\(([a-z_]+),.*/\1/p' src/positional/scheme.h | tr '\n' ' ')parameters" ;;
    *designator* | *RegisterScheme* | *SchemeInfo*)
      echo "the fields of .name and the others have the order of src/positional/support/registry.h; those that you do not need are left out" ;;
    tests/*) echo "$here/examples/wheel/wheel_test.cpp does compile" ;;
    *"abstract"*) echo "claims() is missing, or has another type than 'Claims claims() const override'" ;;
    *"marked 'override'"* | *"marked ‘override’"*) echo "the types of a hook are those of src/positional/scheme.h, to the last const" ;;
    *) echo "\`make\` shows all errors. src/positional/sandwich.cpp (a bias) and $here/examples/wheel/wheel.cpp (a code) do compile" ;;
  esac
}

is_ours() {  # FILE: the framework has it
  local first
  first=$(git log -1 --format=%H -- "$here/form.txt" 2> /dev/null)
  [ -n "$name" ] && [ -n "$first" ] && git cat-file -e "$first:$1" 2> /dev/null
}

build() {  # PROGRAM ...
  local log=$keep/build.log
  mkdir -p "$keep"
  if ! $MAKE --no-print-directory "$@" > "$log" 2>&1; then
    if grep -q 'error:' "$log"; then
      if grep -m1 'error:' "$log" | grep -q '^tests/'; then step="15.4  not yet  its tests"; fi
      not_yet "It does not compile. The first error:
$(grep -m1 -A2 'error:' "$log" | grep -v '^make' | sed 's|^\./||')
Hint: $(hint_for "$(grep -m1 'error:' "$log")")"
    fi
    not_yet "The program could not be built:
$(tail -3 "$log")"
  fi
}

figure_in() {  # NAME RUNS: where judge.cpp draws how accurate the scheme is in these runs
  local folder
  folder=$(basename "${2%% *}")
  if [ "$folder" = "$1" ]; then folder=results; fi
  echo "$keep/$1_$folder.svg"
}

draw() {  # PROGRAM NAME RUNS: what the scheme does, beside the figure of its accuracy
  "$BUILD/$1" inspect "$2" --length 24 --svg "$keep/$2.svg" > /dev/null 2>&1
  echo
  echo "Figures:" "$keep/$2.svg" "$(figure_in "$2" "$3")"
}

# To the guess that the first `make lesson-15` asked for, once the example that was guessed, or the sound one, is seen.
reply() {  # EXAMPLE
  local guess names=(none wheel nudge stripes)
  guess=$(cat "$keep/guess" 2> /dev/null)
  case $guess in [123]) ;; *) return 0 ;; esac
  if [ "${names[$guess]}" = "$1" ] && [ "$guess" = 1 ]; then printf '\nYou guessed this one, and its sentences are all supported.\n'
  elif [ "${names[$guess]}" = "$1" ]; then printf '\nYou guessed this one. Read what it lacks; the sentences of wheel are all supported.\n'
  elif [ "$1" = wheel ]; then printf '\nYou guessed %s, %s. It is this one, 1: its sentences are all supported.\n' "$guess" "${names[$guess]}"; fi
}

case $1 in
  run)
    forms=${3:-$here} form=${3:-$here}/evidence.txt  # another folder: of the author's checks
    [ -f "$form" ] || { echo "$form is gone: \`make reset-15\` writes it anew"; exit 1; }
    name=$(value_of scheme "$form")
    source=src/positional/$name.cpp
    if is_ours "$source"; then
      echo "  15.1  not yet  a name"
      echo
      echo "Locus has a scheme called $name already. Hint: another name; \`build/locus schemes\` lists those that are taken"
      exit 1
    fi
    if is_ours "tests/positional/${name}_test.cpp"; then
      echo "  15.1  not yet  a name"
      echo
      echo "Locus has a file tests/positional/${name}_test.cpp already: your tests would overwrite it. Hint: another name"
      exit 1
    fi
    build "$BUILD/lessons/judge" "$BUILD/locus"
    runs=$(value_of runs "$form")
    "$BUILD/lessons/judge" "$forms" "$keep" "$source" "tests/positional/${name}_test.cpp" "${runs%% *}/report.html" \
      "$(figure_in "$name" "$runs")"
    status=$?
    if [ $status -eq 0 ]; then draw locus "$name" "$runs"; fi
    exit $status ;;
  example)
    name=$3 from=$here/examples/$3
    if [ ! -d "$from" ]; then
      echo "There is no example '$name'. These are there: $(cd "$here/examples" && echo *)"
      exit 2
    fi
    build "$BUILD/lessons/judge" "$BUILD/locus-15"
    runs=${RUNS:-$(value_of runs "$from/evidence.txt")}
    mkdir -p "$keep"
    "$BUILD/locus-15" report $runs --best-lr --out "$keep/$name.html" > /dev/null 2>&1
    grep -v '^#' "$from/evidence.txt" | grep -v '^$' | sed "s|^runs:.*|runs: $runs|; s/^/    /"
    echo
    "$BUILD/lessons/judge" "$from" "$from" "$from/$name.cpp" "$from/${name}_test.cpp" "$keep/$name.html" \
      "$(figure_in "$name" "$runs")" ${RUNS:-}
    status=$?
    draw locus-15 "$name" "$runs"
    reply "$name"
    exit $status ;;
  files)
    name=$(value_of scheme "$here/evidence.txt" 2> /dev/null)
    echo "$here/evidence.txt"
    echo "$keep/predicted.txt"
    for file in "src/positional/$name.cpp" "tests/positional/${name}_test.cpp"; do is_ours "$file" || echo "$file"; done ;;
  place)
    case $3 in
      evidence.txt) echo "$here/$3" ;;
      predicted.txt) echo "$keep/$3" ;;
      *_test.cpp) echo "tests/positional/$3" ;;
      *) echo "src/positional/$3" ;;
    esac ;;
esac
