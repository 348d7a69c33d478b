#!/usr/bin/env bash
# Writes a chapter's text anew: every block that shows code or output is filled in from a fresh run, all else is kept.
#
#   fresh.sh 01 README.md    to standard output
#
#   ```console              each line `$ command` is run, with the originals as the learner's files; its output follows
#   ```console blank        the same with the exercise still blank
#   ```cpp src/x.cpp words  the lines of that file from below the marker `// words` to the next `// end`
#
# A console block may end in `tolerance=0.05`: how far its numbers may be off elsewhere (agree.awk).
set -u
chapter=$1 text=$2
tools=$(dirname "$0")

# A command as a reader would type it; `make lesson-01` runs on the files this block is about.
run() {
  local program=build/locus-$chapter
  case $1 in
    "make lesson-$chapter") rm -f "$KEEP/progress"; "$tools/lesson.sh" run "$chapter" "$2" ;;
    "make "*) $MAKE --no-print-directory "${1#make }" ;;
    *) bash -c "${1//$program/$2/locus}" ;;
  esac < /dev/null 2>&1 | sed -e "s:$KEEP:runs/lessons:g" -e "s:$2/locus:build/locus-$chapter:g" \
    -e "s:$2/:$(echo lessons/"$chapter"_*)/:g" -e 's/ *$//' -e '/^make: \*\*\*/d'
}

marked() { awk -v words="// $2" 'index($0, words) { on = 1; next } on && /^ *\/\/ end$/ { exit } on' "$1"; }

kind=text
while IFS= read -r line; do
  case $kind$line in
    'text```console'*)
      kind=console files=$BUILD/lessons/$chapter/original
      if [[ $line == '```console blank'* ]]; then files=$BUILD/lessons/$chapter/blank; fi ;;
    'text```cpp src/'* | 'text```cpp lessons/'*)
      kind=code
      read -r _ file words <<< "$line" ;;
    'console$ '*) run "${line#$ }" "$files" > "$BUILD/lessons/output" ;;
    'console```') kind=text ;;
    'code```') marked "$file" "$words"; kind=text ;;
    console* | code*) continue ;;
  esac
  echo "$line"
  if [[ $kind$line == 'console$ '* ]]; then cat "$BUILD/lessons/output"; fi
done < "$text"
