#!/usr/bin/env bash
# Writes a chapter's text anew: every block that shows code or output is filled in from a fresh run, all else is kept.
#
#   fresh.sh 01 README.md    to standard output
#
#   ```console              each line `$ command` is run, with the originals as the learner's files; its output follows
#   ```console blank        the same with the exercise still blank
#   ```console broken attention.cpp s/a/b/    the same in a chapter that is done, with this change (of sed) in that file
#   ```cpp src/x.cpp exercise 1.2    the lines of that file from below this marker to the next `// end`
#   ```cpp src/x.cpp Tensor f(       the function of that file whose first line begins so
#
# With EVERY=30, one of three console blocks is run, beside the blank and the first of the chapter; the others stay as they are.
# $KEEP/blocks says how many were run, of how many.
#
# A console block may end in `tolerance=0.05`: how far its numbers may be off elsewhere (agree.awk). A paragraph of three
# lines or more that an earlier block of the text has shown, such as the legend of a table, is cut after its first line.
set -u -o pipefail
chapter=$1 text=$2
tools=$(dirname "$0")

# Where commands run: all files of the project, but runs/ and the program of the chapter are this block's own.
here=$KEEP/here
mkdir -p "$here/build"
for file in "$PWD"/*; do case $(basename "$file") in build | runs) ;; *) ln -sfn "$file" "$here/" ;; esac; done
ln -sf "$PWD/$BUILD/locus" "$here/build/locus"

# A command as a reader would type it; `make lesson-01` runs on the files this block is about.
run() {
  case $1 in
    "make lesson-$chapter"*" | "*) run "${1%% | *}" "$2" | bash -c "${1#* | }" ;;
    "make lesson-$chapter" | "make lesson-$chapter "*)  # with NAME=VALUE, for the experiment
      rm -f "$KEEP/progress"
      if [[ $2 == */broken ]]; then echo "$chapter passed yes" > "$KEEP/progress"; fi
      # shellcheck disable=SC2086
      env ${1#"make lesson-$chapter"} "$tools/lesson.sh" run "$chapter" "$2" ;;
    "make "*) $MAKE --no-print-directory "${1#make }" ;;
    *) (cd "$here" && bash -c "$1" 2>/dev/null) ;;
  esac < /dev/null 2>&1 | sed -e "s:$KEEP:runs/lessons:g" -e "s:$2/locus:build/locus-$chapter:g" \
    -e "s:$2/:$(echo lessons/"$chapter"_*)/:g" -e 's/ *$//' -e '/^make: \*\*\*/d' |
    sed -E 's/( [0-9]{5,} +)[0-9.]+($| +[▁▂▃▄▅▆▇█])/\1...\2/'  # the times of an ablation
}

# The chapter's files with one change, built. Its program is there even if a step refuses the change.
broken() {  # FILE SED
  rm -rf "$files" && mkdir -p "$files"
  cp "$BUILD/lessons/$chapter/original"/*.cpp "$files/"
  sed "$2" "$BUILD/lessons/$chapter/original/$1" > "$files/$1"
  if cmp -s "$files/$1" "$BUILD/lessons/$chapter/original/$1"; then echo "$text: '$2' changes nothing in $1" >&2 && exit 1; fi
  STEPS_ONLY=program "$tools/lesson.sh" run "$chapter" "$files" > "$files/log" 2>&1
  [ -f "$files/locus" ] || { echo "$text: '$2' does not compile in $1:" >&2 && cat "$files/log" >&2 && exit 1; }
}

quoted() {  # FILE WORDS
  case $2 in
    exercise*) awk -v words="// $2" 'index($0, words) { on = 1; next } on && /^ *\/\/ end$/ { exit } on' "$1" ;;
    *) awk -v words="$2" 'index($0, words) == 1 { on = 1 } on { print } on && /^}/ { exit }' "$1" ;;
  esac
}

# In blocks of output, of a paragraph that stood in an earlier one the first line alone. (Tables, with their rule, stay.)
without_repetitions() {
  awk '
    function flush() {
      if (lines < 3 || index(all, "─") || !seen[all]++) printf "%s", all
      else print first "\n... as above"
      all = ""; lines = 0
    }
    /^```/ { flush(); inside = !inside && /^```console/; print; next }
    !inside || /^$/ || /^\$ / { flush(); print; next }
    { if (!lines++) first = $0; all = all $0 "\n" }
    END { flush() }'
}

kind=text blocks=0 others=0 ran=0
chosen() {  # LINE: whether the block that begins so is run
  blocks=$((blocks + 1))
  case $1 in
    '```console blank'*) return ;;
    *) others=$((others + 1)); [ $others -eq 1 ] || [ "${EVERY:-1}" -eq 1 ] || [ $(((others + 10#$chapter) % 3)) -eq 0 ] ;;
  esac
}
while IFS= read -r line; do
  case $kind$line in
    'text```console'*) if chosen "$line"; then ran=$((ran + 1)); else kind=kept; fi ;;
  esac
  case $kind$line in
    'text```console'*)
      kind=console files=$BUILD/lessons/$chapter/original
      case $line in
        '```console blank'*) files=$BUILD/lessons/$chapter/blank ;;
        '```console broken '*)
          files=$BUILD/lessons/$chapter/broken
          read -r _ _ file words <<< "$line"
          broken "$file" "${words% tolerance=*}" ;;
      esac
      ln -sf "$PWD/$files/locus" "$here/build/locus-$chapter"
      rm -rf "$here/runs" ;;  # what other lines have trained
    'text```cpp src/'* | 'text```cpp lessons/'*)
      kind=code
      read -r _ file words <<< "$line" ;;
    'console$ '*) run "${line#$ }" "$files" > "$KEEP/output" ;;
    'console```') kind=text ;;
    'kept```') kind=text ;;
    'code```') quoted "$file" "$words"; kind=text ;;
    console* | code*) continue ;;
  esac
  echo "$line"
  if [[ $kind$line == 'console$ '* ]]; then cat "$KEEP/output"; fi
  echo "$ran of $blocks" > "$KEEP/blocks"
done < "$text" | without_repetitions
