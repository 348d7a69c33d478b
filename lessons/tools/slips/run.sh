#!/usr/bin/env bash
# Runs all one-symbol variations of the regions of a chapter (FOLDER), and keeps in its slips.txt by which numbers each
# is known again: `make lessons-slips ONLY=06`. All variations of a region, in parts of PART, are one file (slips.cpp).
# With CHECK=1, nothing is written; each variation (EVERY=10: one of ten) must get a name. STEPS="6.1 6.2" or PARTS=1 keeps to some.
# Steps that judge a learner's test are left out: judge() itself says what a changed test does not notice.
#
# Outcomes: hand     named by mistakes.txt        check    the check's own words say what is wrong
#           machine  known by its numbers alone   crashes, hangs   ended, with a sentence on memory or loops
# and those that must not be:
#           passed (unless equivalent.txt says why), elsewhere (another step is blamed), memory (what it computes
#           depends on memory that is not its own)
set -u
: "${FOLDER:?}"
name=$(basename "$FOLDER") chapter=$((10#${name%%_*}))
originals() { grep -rlE "// exercise $chapter\.[0-9]" src "$FOLDER/solutions" 2> /dev/null | sort; }
if [ "${1:-}" = --sum ]; then  # by which slips.txt knows of which lines it was made
  # shellcheck disable=SC2046
  awk -v marker="// exercise $chapter[.]" '$0 ~ marker { on = 1 } on; /^ *\/\/ end$/ { on = 0 }' $(originals) | cksum | cut -d' ' -f1
  exit
fi
: "${COMPILE:?is set by make}" "${LINK:?}" "${OBJECTS:?}" "${BUILD:?}" "${SLIPS:?}"
work=${work:-$BUILD/slips/$name}

# The object files of the chapter's program, with $2, which comes first, in place of $1.
objects_with() {
  local object
  echo "$2"
  for object in $OBJECTS; do [ "$object" = "$1" ] || echo "$object"; done
}

# Writes and compiles the variations of $1 from $2 to $3 in the folder $4, without those that do not compile: the lines
# in the compiler's errors tell which.
compile() {
  local wrong=$4/$(basename "$1")
  seq "$2" "$3" | awk -v every="${EVERY:-1}" '$1 % every != 0' > "$4/left_out"
  for _ in {1..12}; do
    "$SLIPS" "$1" "$chapter" "$wrong" "$2" "$3" "$4/left_out" > "$4/list" || return 1
    [ -s "$4/list" ] || return 1  # none is left
    if $COMPILE -w -fsyntax-only $many_errors -I"$(dirname "$1")" "$wrong" 2> "$4/errors"; then
      $COMPILE -w -I"$(dirname "$1")" -c "$wrong" -o "$4/slips.o"
      return
    fi
    awk -F '\t' -v file="$wrong" '
      NR == FNR { number[FNR] = $1; from[FNR] = $3; to[FNR] = $4; n = FNR; next }
      { line = $0
        while ((at = index(line, file ":")) > 0) {
          line = substr(line, at + length(file) + 1)
          for (i = 1; i <= n; ++i) if (line + 0 >= from[i] && line + 0 <= to[i]) out[number[i]] = 1
        } }
      END { for (i in out) print i }' "$4/list" FS=' ' "$4/errors" > "$4/more"
    [ -s "$4/more" ] || break
    cat "$4/more" >> "$4/left_out"
  done
  echo "$wrong: $(grep -m1 error "$4/errors")" >&2
  return 2
}

# What the program says with variation $1. MALLOC_PERTURB_ fills fresh memory with $2.
run() {
  { LESSON_SECONDS=$seconds MALLOC_PERTURB_=$2 LESSON_SLIP=$1 "$folder/test"; } > "$folder/log.$1" 2>&1
}

# Prints one line: number, step, outcome, answer, words.
try() {
  local number=$1 step=$2 says=$3 status log failed= outcome answer=
  run "$number" 85
  status=$?
  log=$(<"$folder/log.$number")
  if [[ $'\n'$log =~ $'\n  '([0-9.]+)'  not yet' ]]; then failed=${BASH_REMATCH[1]}; fi
  if [[ $log =~ $'\n'answer:\ ([^$'\n']*) ]]; then answer=${BASH_REMATCH[1]}; fi
  case $log in
    *'still running when time was up'*) outcome=hangs ;;
    *' crash'* | *"Assertion '"* | *'more memory than'*) outcome=crashes ;;
    *'This is what you get when'*) outcome=hand ;;
    *'The next time these lines give other numbers'*) outcome=check ;;
    *' values are not. The first of them'* | *'wrong shape. '* | *' is right. Is there a'*) outcome=machine ;;
    *) outcome=check ;;
  esac
  if [ -n "$answer" ] && [ $outcome = check ]; then outcome=machine; fi
  if [ "$status" -eq 0 ]; then outcome=passed
  elif [ "$failed" != "$step" ] && ! { [ $outcome = crashes ] && [ -z "$failed" ]; }; then outcome=elsewhere; fi
  if [ $outcome = machine ] || [ $outcome = passed ]; then
    run "$number" 170
    [ "$log" = "$(<"$folder/log.$number")" ] || outcome=memory
  fi
  printf '%s\t%s\t%s\t%s\t%s\n' "$number" "$step" "$outcome" "$answer" "$says"
}

# A part: file, first and last number.
if [ "${1:-}" = --part ]; then
  read -r file from to <<<"$2"
  folder=$work/$(basename "$file" .cpp)-$(printf %04d "$from") many_errors=
  mkdir -p "$folder"
  if $COMPILE --version 2> /dev/null | grep -q clang; then many_errors=-ferror-limit=0; fi
  : > "$folder/results"
  compile "$file" "$from" "$to" "$folder"
  case $? in
    0) # shellcheck disable=SC2046
      $LINK $(objects_with "$BUILD/float/${file%.cpp}.o" "$folder/slips.o") -o "$folder/test" || exit 1
      TIMEFORMAT='%U %S' && { time "$folder/test" > /dev/null; } 2> "$folder/seconds"
      seconds=$(awk '{ s = 5 * ($1 + $2); print s < 0.3 ? 0.3 : s }' "$folder/seconds")
      while IFS=$'\t' read -r number step _ _ says; do try "$number" "$step" "$says"; done < "$folder/list" > "$folder/results"
      rm -f "$folder/test" ;;
    2) exit 1 ;;
  esac
  echo "$(basename "$file") $from to $to: $(wc -l < "$folder/results") of $((to - from + 1)) compile"
  exit
fi

if [ -n "${CHECK:-}" ]; then work=$work-check && unset LESSON_MARKS
else
  export LESSON_MARKS=slips EVERY=1
fi
if [ -z "${COLLECT:-}" ]; then  # COLLECT=1 runs nothing again
rm -rf "$work" && mkdir -p "$work"
judged=$(awk '/^TEST_CASE/ { step = substr($1, 12) } /judge[(<]/ { print step }' "$FOLDER/check.cpp")
for file in $(originals); do
  "$SLIPS" "$file" "$chapter" | while read -r step from to; do
    [[ " "${STEPS:-$step}" " = *" $step "* ]] && ! grep -qx "$step" <<<"$judged" || continue
    echo "$step $((to - from + 1))" >> "$work/made"
    for ((; from <= to; from += ${PART:-150})); do
      echo "$file $from $((from + ${PART:-150} - 1 < to ? from + ${PART:-150} - 1 : to))"
    done
  done
done > "$work/parts"
if [ -n "${PARTS:-}" ]; then  # this many of them, from the middle
  sed -n "$((($(wc -l < "$work/parts") + 1) / 2)),+$((PARTS - 1))p" "$work/parts" > "$work/some" && mv "$work/some" "$work/parts"
fi
tr '\n' '\0' < "$work/parts" | work="$work" xargs -0 -n 1 -P "$(getconf _NPROCESSORS_ONLN)" "$0" --part || exit 1
cat "$work"/*/results > "$work/results"
fi

# Variations that are right must be in equivalent.txt, with the reason: blocks of `why:` and then lines `6.1: words`.
touch "$work/equivalent"
[ ! -f "$FOLDER/equivalent.txt" ] || cp "$FOLDER/equivalent.txt" "$work/equivalent"
awk -F '\t' -v check="${CHECK:-}" -v all="${EVERY:-1}${STEPS:+some}${PARTS:+some}" -v slips="$work/slips" -v sum="$("$0" --sum)" '
  FILENAME ~ /equivalent$/ { if (/^[0-9.]+: /) { at = index($0, ": "); right[substr($0, 1, at - 1) FS substr($0, at + 2)] = 1 }; next }
  FILENAME ~ /made$/ { split($0, made, " "); step = made[1]; steps[++n] = step; count[step, "made"] = made[2]; next }
  { step = $2; key = step FS $5; ++count[step, "compiled"] }
  $3 == "passed" && key in right { $3 = "equivalent"; found[key] = 1 }
  { ++count[step, $3] }
  $3 == "passed" || $3 == "elsewhere" || $3 == "memory" || (check && $3 == "machine") {
    print (check && $3 == "machine" ? "without a name" : $3) ": " step ": " $5; ++bad }
  $3 == "machine" {
    answer = step FS $4
    if (answer in words) ++others[answer]
    else { words[answer] = $5; order[++answers] = answer } }
  END {
    for (key in right) if (all == "1" && !(key in found)) { print "equivalent.txt: no such variation is right: " key; ++bad }
    split("made compiled equivalent hand check machine crashes hangs passed elsewhere memory", columns, " ")
    for (c = 1; c <= 11; ++c) head = head " " columns[c]
    table = "# of " sum "\n# step" head
    for (i = 1; i <= n; ++i) {
      table = table "\n# " steps[i]
      for (c = 1; c <= 11; ++c) table = table " " count[steps[i], columns[c]] + 0
    }
    print table
    print table > slips
    for (i = 1; i <= answers; ++i) {
      answer = order[i]
      more = others[answer] ? " (or one of " others[answer] + 1 " changes of one symbol that give the same)" : ""
      print answer FS words[answer] more > slips
    }
    exit bad > 0
  }' "$work/equivalent" "$work/made" "$work/results"
status=$?
[ -n "${CHECK:-}${STEPS:-}${PARTS:-}" ] || cp "$work/slips" "$FOLDER/slips.txt"
exit $status
