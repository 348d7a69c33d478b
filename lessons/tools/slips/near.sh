#!/usr/bin/env bash
# Whether one symbol of a learner's lines is wrong: `make near-06`. Tries every change of one symbol of these lines, of the
# step that fails, and says in which line the change is that passes; which change it is stays to be found.
#
#   near.sh 06           CHAPTER
#   near.sh --part ...   compiles and tries a part of the variations: FILE FROM TO
#
# `lesson.sh run` leaves the objects of the learner's files, and its verdict, in $BUILD/lessons/06/yours.
set -u
: "${COMPILE_SLIPS:?is set by make}" "${LINK:?}" "${STEPS:?}" "${BUILD:?}" "${SLIPS:?}"
slips() { "$SLIPS" near "$@"; }
source "$(dirname "$0")/compile.sh"

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

if [ "${1:-}" = --part ]; then
  read -r file from to <<<"$2"
  part=$work/$(basename "$file" .cpp)-$from
  if [ -s "$work/found" ]; then exit 0; fi
  mkdir -p "$part"
  for original in $originals; do
    [ "$(basename "$original")" != "$(basename "$file")" ] || include=(-iquote "$(dirname "$file")" -I"$(dirname "$original")")
  done
  compile "$file" "$from" "$to" "$part" 2> /dev/null
  left=$(wc -l < "$part/list")
  printf '%*s' $((to - from + 1 - left)) '' >> "$work/tried"
  [ -s "$part/slips.o" ] || exit 0
  # shellcheck disable=SC2046
  $LINK $(objects_with "$file" "$part/slips.o") -o "$part/lesson" || exit 1
  cut -f1 "$part/list" | "$part/lesson" slips "$seconds" -tc="$step *" 2> /dev/null | grep --line-buffered '^slip ' |
    while read -r _ number _ status; do
      if [ "$status" = 0 ]; then echo "$file line $(awk -v n="$number" '$1 == n { print $5 }' FS='\t' "$part/list")" > "$work/found"; fi
      printf ' ' >> "$work/tried"
      [ ! -s "$work/found" ] || break
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
: > "$work/found"
: > "$work/tried"
TIMEFORMAT='%U %S' && { time "$out/lesson" -tc="$step *" > /dev/null 2>&1; } 2> "$work/seconds"
seconds=$(awk '{ s = 4 * ($1 + $2); print s < 0.25 ? 0.25 : s }' "$work/seconds")  # for each variation, which may run without an end
processors=$(getconf _NPROCESSORS_ONLN)
for file in $(grep -lE "// exercise $step:" "$folder"/*.cpp); do
  slips "$file" "$chapter" | while read -r of from to; do
    [ "$of" = "$step" ] || continue
    size=$(((to - from) / (2 * processors) + 1))
    [ $size -ge 50 ] || size=50
    [ $size -le 400 ] || size=400
    for ((; from <= to; from += size)); do echo "$file $from $((from + size - 1 < to ? from + size - 1 : to))"; done
  done
done > "$work/parts"
all=$(awk '{ n += $3 - $2 + 1 } END { print n + 0 }' "$work/parts")
export work step chapter seconds originals out SLIPS
set -m  # a process group of its own, which can be ended
tr '\n' '\0' < "$work/parts" | xargs -0 -n 1 -P "$processors" "$0" --part &
search=$!
trap 'kill -- "-$search" 2> /dev/null' EXIT
echo "Step $step: $all changes of one symbol of your lines are tried, each for itself: about $((3 + all / (25 * processors))) s."
start=$SECONDS
while kill -0 "$search" 2> /dev/null && [ ! -s "$work/found" ]; do
  sleep 0.2
  tried=$(wc -c < "$work/tried")
  if [ -t 1 ] && [ "$tried" -gt 0 ]; then printf '\r%d tried, about %d s left  ' "$tried" $(((SECONDS - start) * (all - tried) / tried)); fi
done
if [ -t 1 ]; then printf '\r%40s\r' ''; fi
if [ -s "$work/found" ]; then
  echo "One symbol from right: $(head -1 "$work/found"). Read that line again, symbol by symbol."
else
  echo "No change of one symbol makes it right: more than that is wrong, or something is missing. \`make hint-$number\` gives a hint."
  exit 1
fi
