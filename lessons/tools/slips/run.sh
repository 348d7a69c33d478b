#!/usr/bin/env bash
# Proves that no one-symbol variation of a chapter's originals (FOLDER) passes its step: `make lessons-slips ONLY=06`. All
# variations of a region, in parts of PART, are one file (slips.cpp). STEPS="6.1 6.2" or PARTS=1 keeps to some, EVERY=10 to
# one of ten. Steps that judge a learner's test are left out: judge() itself says what a changed test does not notice.
#
# Outcomes of a variation: passed, named (by mistakes.txt), crashes, hangs, noticed (with other words), and elsewhere: a
# step before or after its own is blamed, which must not be. One may pass only if it is right as well: check.cpp says why,
# above the step, for each line of the original that has such variations:
#
#   // same, 3 of `w.push_back(std::pow(base, -2.0 * i / width));`: the reason
set -u
: "${FOLDER:?}"
name=$(basename "$FOLDER") chapter=$((10#${name%%_*}))
originals() { grep -rlE "// exercise $chapter\.[0-9]" src "$FOLDER/solutions" 2> /dev/null | sort; }
: "${COMPILE_SLIPS:?is set by make}" "${LINK:?}" "${OBJECTS:?}" "${BUILD:?}" "${SLIPS:?}"
work=${work:-$BUILD/slips/$name}
slips() { "$SLIPS" "$@"; }
source "$(dirname "$0")/compile.sh"

# The object files of the chapter's program, with $2, which comes first, in place of $1.
objects_with() {
  local object
  echo "$2"
  for object in $OBJECTS; do [ "$object" = "$1" ] || echo "$object"; done
}

# Of each variation in the list one line: number, step, outcome, line in the original, the line itself.
# (MALLOC_PERTURB_ fills fresh memory, so that what is read before it is written is wrong.)
try() {  # LIST
  cut -f1 "$1" | MALLOC_PERTURB_=85 "$folder/test" slips "$seconds" 2>&1 | awk -F '\t' -v OFS='\t' '
    NR == FNR { step[$1] = $2; line[$1] = $5; code[$1] = $6; next }
    /still running when time was up/ { hangs = 1 }
    / crash|Assertion .|more memory than/ { crashes = 1 }
    /Likely cause:/ { named = 1 }
    /^  [0-9.]+  not yet/ { split($0, word, " "); failed = word[1] }
    /^slip [0-9]+ exit / {
      split($0, word, " ")
      number = word[2]
      outcome = hangs ? "hangs" : crashes ? "crashes" : named ? "named" : "noticed"
      if (word[4] == 0) outcome = "passed"
      else if (failed != step[number] && !(crashes && !hangs && failed == "")) outcome = "elsewhere"
      print number, step[number], outcome, line[number], code[number]
      hangs = crashes = named = 0
      failed = ""
    }' "$1" -
}

# A part: file, first and last number.
if [ "${1:-}" = --part ]; then
  read -r file from to <<<"$2"
  folder=$work/$(basename "$file" .cpp)-$(printf %04d "$from") include=(-I"$(dirname "$file")")
  mkdir -p "$folder"
  : > "$folder/results"
  seq "$from" "$to" | awk -v every="${EVERY:-1}" '$1 % every != 0' > "$folder/left_out"
  compile "$file" "$from" "$to" "$folder"
  case $? in
    0) # shellcheck disable=SC2046
      $LINK $(objects_with "$BUILD/float/${file%.cpp}.o" "$folder/slips.o") -o "$folder/test" || exit 1
      TIMEFORMAT='%U %S' && { time "$folder/test" > /dev/null; } 2> "$folder/seconds"
      seconds=$(awk '{ s = 5 * ($1 + $2); print s < 0.3 ? 0.3 : s }' "$folder/seconds")
      try "$folder/list" > "$folder/results"
      rm -f "$folder/test" ;;
    2) exit 1 ;;
  esac
  echo "$(basename "$file") $from to $to: $(wc -l < "$folder/results") of $((to - from + 1)) compile"
  exit
fi

rm -rf "$work" && mkdir -p "$work"
judged=$(awk '/^TEST_CASE/ { step = substr($1, 12) } /judge[(<]/ { print step }' "$FOLDER/check.cpp")
for file in $(originals); do
  slips "$file" "$chapter" | while read -r step from to; do
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
tr '\n' '\0' < "$work/parts" | work="$work" xargs -0 -n 1 -P "${AT_ONCE:-$(getconf _NPROCESSORS_ONLN)}" "$0" --part || exit 1
cat "$work"/*/results > "$work/results"

# Where all were tried, as many must be right as check.cpp has reasons for; else, at most as many.
awk -F '\t' -v all="${EVERY:-1}${STEPS:+some}${PARTS:+some}" '
  FILENAME ~ /check.cpp$/ {
    if (/^\/\/ same, [0-9]+ of `/) {
      split($0, words, " ")
      line = substr($0, index($0, "`") + 1)
      line = substr(line, 1, index(line, "`: ") - 1)
      waiting[line] += words[3]
    } else if (/^TEST_CASE\("/) {
      split(substr($0, 12), words, " ")
      for (line in waiting) right[words[1] FS line] = waiting[line]
      delete waiting
    }
    next
  }
  FILENAME ~ /made$/ { split($0, made, " "); if (!((made[1], "made") in count)) steps[++n] = made[1]; count[made[1], "made"] += made[2]; next }
  { ++count[$2, "compiled"]; ++count[$2, $3] }
  $3 == "passed" { ++passed[$2 FS $5] }
  $3 == "elsewhere" { print "elsewhere: " $2 ", line " $4 ": " $5 " (variation " $1 ")"; ++bad }
  END {
    for (key in passed) if (passed[key] > right[key]) {
      print "passed: " passed[key] " variations, not " right[key] + 0 ", of step " key ". Hint: an input in check.cpp that shows the difference, or `// same, " passed[key] " of ...` above the step, with the reason"; ++bad }
    for (key in right) if (all == "1" && passed[key] < right[key]) { print "check.cpp: " passed[key] + 0 " variations are right, not " right[key] ", of step " key; ++bad }
    split("made compiled passed named noticed crashes hangs elsewhere", columns, " ")
    head = "step"
    for (c = 1; c <= 8; ++c) head = head " " columns[c]
    print head
    for (i = 1; i <= n; ++i) {
      row = steps[i]
      for (c = 1; c <= 8; ++c) row = row " " count[steps[i], columns[c]] + 0
      print row
    }
    exit bad > 0
  }' "$FOLDER/check.cpp" "$work/made" "$work/results"
