#!/usr/bin/env bash
# Where a learner's lines are wrong: `make near-06`. In the step that fails, each piece of these lines is exchanged for each
# piece of the original, the smallest first: if a step passes then, all other pieces are right. In that piece (in all of
# them, if none is found) each change of one symbol is tried after that. It says which place or line it is; what is right
# there stays to be found.
#
#   near.sh 06           CHAPTER
#   near.sh --part ...   compiles and tries a part of the variations: FILE FROM TO
#
# `lesson.sh run` leaves the objects of the learner's files, and its verdict, in $BUILD/lessons/06/yours.
set -u
: "${COMPILE_SLIPS:?is set by make}" "${LINK:?}" "${STEPS:?}" "${BUILD:?}" "${SLIPS:?}"
source "$(dirname "$0")/compile.sh"

# The original of a learner's file.
original_of() {  # FILE
  local original
  for original in $originals; do [ "$(basename "$original")" != "$(basename "$1")" ] || echo "$original"; done
}

# The objects of the chapter's program, with the learner's in place of the originals, and the variations' first.
objects_with() {  # FILE OBJECT
  local original objects=" $STEPS " replaced yours="$2"
  for original in $originals; do
    replaced=$BUILD/float/${original%.cpp}.o
    objects="${objects%% "$replaced" *} ${objects#* "$replaced" }"
    [ "$(basename "$original")" = "$(basename "$1")" ] || yours+=" $out/$(basename "$original" .cpp).o"
  done
  echo "$yours $objects"
}

# Whether a variation below this number has passed.
passed_below() { [ "$(cut -f1 "$work/found" | sort -n | head -1)" -lt "$1" ] 2> /dev/null; }

if [ "${1:-}" = --part ]; then
  [ -n "${2:-}" ] || exit 0  # there was nothing to try
  read -r file from to <<<"$2"
  ! passed_below "$from" || exit 0
  part=$work/$(basename "$file" .cpp)-$from original=$(original_of "$file")
  slips() { "$SLIPS" near "$original" "$@"; }
  mkdir -p "$part"
  include=(-iquote "$(dirname "$file")" -I"$(dirname "$original")")
  slips "$file" "$chapter" "$part/all.cpp" "$from" "$to" |
    awk -F '\t' -v within="$within" 'BEGIN { split(within, w, " ") } within != "" && ($7 < w[1] || $8 > w[2]) { print $1 }' > "$part/left_out"
  compile "$file" "$from" "$to" "$part" 2> /dev/null
  left=$(wc -l < "$part/list")
  printf '%*s' $((to - from + 1 - left)) '' >> "$work/tried"
  [ -s "$part/slips.o" ] || exit 0
  # shellcheck disable=SC2046
  $LINK $(objects_with "$file" "$part/slips.o") -o "$part/lesson" || exit 1
  cut -f1 "$part/list" | "$part/lesson" slips "$seconds" -tc="$step *" 2> /dev/null | grep --line-buffered '^slip ' |
    while read -r _ number _ status; do
      if [ "$status" = 0 ]; then awk -F '\t' -v OFS='\t' -v n="$number" -v file="$file" '$1 == n { print n, file, $5, $7, $8, $9, $10 }' "$part/list" >> "$work/found"; fi
      printf ' ' >> "$work/tried"
      ! passed_below $((number + 1)) || break
    done
  rm -f "$part/lesson"
  exit 0
fi

number=$1 chapter=$((10#$1))
folder=$(echo lessons/"$number"_*) out=$BUILD/lessons/$number/yours work=$BUILD/lessons/$number/near
log=$(STEPS_ONLY=1 lessons/tools/lesson.sh run "$number" < /dev/null 2>&1) &&
  { echo "All steps of chapter $chapter pass: no symbol is wrong."; exit; }
step=$(awk '$2 " " $3 == "not yet" { print $1 }' <<<"$log")
[ -n "$step" ] || { echo "$log"; exit 1; }
if grep -q 'still to be written' <<<"$log"; then
  echo "Step $step is still to be written: \`make near-$number\` looks at lines that are there. \`make hint-$number\` gives a hint."
  exit 1
fi
originals=$(lessons/tools/lesson.sh originals "$number")
rm -rf "$work" && mkdir -p "$work" || exit 1
TIMEFORMAT='%U %S' && { time "$out/lesson" -tc="$step *" > /dev/null 2>&1; } 2> "$work/seconds"
seconds=$(awk '{ s = 4 * ($1 + $2); if (s < 0.25) s = 0.25; if (s > 4) s = 4; print s }' "$work/seconds")  # for each; may be endless
processors=$(getconf _NPROCESSORS_ONLN)
export work step chapter seconds originals out SLIPS
set -m  # a process group of its own, which can be ended
trap 'kill -- "-$search" 2> /dev/null' EXIT

# Tries the grafts, or the changes of one symbol, WITHIN two places of the file if they are given; WORDS say what is tried.
# In $work/first is the first that passes.
search() {  # WHAT WITHIN WORDS
  local what=$1 file of first last grafts from to size all tried start=$SECONDS
  export within="${2:-}"
  : > "$work/found"
  : > "$work/tried"
  for file in $(grep -lE "// exercise $step:" "$folder"/*.cpp); do
    "$SLIPS" near "$(original_of "$file")" "$file" "$chapter" | while read -r of first last grafts; do
      [ "$of" = "$step" ] || continue
      if [ "$what" = grafts ]; then from=$grafts to=$last; else from=$first to=$((grafts - 1)); fi
      size=$(((to - from) / (2 * processors) + 1))
      [ $size -ge 50 ] || size=50
      [ $size -le 400 ] || size=400
      [ -z "$within" ] || size=$(((to - from) / processors + 1))  # few of them are left in each part
      for ((; from <= to; from += size)); do echo "$file $from $((from + size - 1 < to ? from + size - 1 : to))"; done
    done
  done > "$work/parts"
  all=$(awk '{ n += $3 - $2 + 1 } END { print n + 0 }' "$work/parts")
  [ -n "$within" ] || [ "$all" = 0 ] || echo "Step $step: $all $3: about $((5 + all / (12 * processors))) s."
  tr '\n' '\0' < "$work/parts" | xargs -0 -n 1 -P "$processors" "$0" --part &
  search=$!
  while kill -0 "$search" 2> /dev/null; do
    sleep 0.2
    tried=$(wc -c < "$work/tried")
    if [ -t 1 ] && [ "$tried" -gt 0 ]; then printf '\r%d tried, about %d s left  ' "$tried" $(((SECONDS - start) * (all - tried) / tried)); fi
  done
  if [ -t 1 ]; then printf '\r%40s\r' ''; fi
  sort -n "$work/found" | head -1 > "$work/first"
}

search grafts "" "ways to exchange a piece of your lines for one of the original"
IFS=$'\t' read -r _ file line begin end last_line place < "$work/first"
if [ -z "${place:-}${file:-}" ]; then
  search symbols "" "changes of one symbol of your lines"
elif [ "$place" != missing ]; then
  search symbols "$begin $end"
fi
IFS=$'\t' read -r _ symbol_file symbol_line _ < "$work/first"
# A function from blank is written otherwise than the original, so a statement of the original may repair another one than
# the one whose place it takes.
case $(original_of "${file:-none}") in
  lessons/*) doubt=" (It may also be right, and another statement wrong: the one that was tried here can repair both.)" ;;
  *) doubt= ;;
esac
if [ "$place" != missing ] && [ -n "${symbol_file:-}" ]; then
  echo "One symbol from right: $symbol_file line $symbol_line. Read that line again, symbol by symbol."
elif [ -z "${file:-}" ]; then
  echo "No change of one symbol, and of one piece, makes it right: more than one place is wrong, or something is missing. \`make hint-$number\` gives a hint."
  exit 1
elif [ "$place" = missing ]; then
  echo "A statement is missing: $file, near line $line. With it, the step passes."
elif [ -n "$place" ]; then
  echo "One place is wrong: $file line $line, $place. With that alone mended, the step passes."
elif [ "$line" = "$last_line" ]; then
  echo "One statement is wrong: $file line $line. With that alone mended, the step passes.$doubt"
else
  echo "The wrong lines are among these: $file lines $line to $last_line. With that alone mended, the step passes.$doubt"
fi
