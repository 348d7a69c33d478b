#!/usr/bin/env bash
# A learner's lines are never lost, and a verdict is of the lines that are there: in a copy of the lessons, with a script in
# place of the compiler, which takes a moment. `make wrong-turns` runs it. ROUNDS=200: more rounds of what happens at once.
#
#   written at first   the exercise files, and again when their originals have changed, but over no lines of the learner's
#   nowhere to keep    runs/ is a file, a link to nothing, of another user, or on a full disk: nothing is written
#   at once            two and eight resets: what was there is kept
#   while it compiles  a save is judged, or named
set -u
tree=$(mktemp -d) passed=0 failed=0 rounds=${ROUNDS:-5}
trap 'umount "$tree/small" 2> /dev/null; rm -rf "$tree"' EXIT

# check WHAT COMMAND: the command must succeed.
check() {
  if "${@:2}"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $1" && cat "$tree/answer"; fi
}
says() { grep -qE -e "$1" "$tree/answer"; }

# (Of the sources the one that chapter 1 is about: all of them would be read by every command.)
mkdir -p "$tree/lessons" "$tree/src/model" "$tree/src/positional" "$tree/tests/positional" "$tree/build/float/src/model" || exit 1
cp -a lessons/tools lessons/00_* lessons/01_* lessons/15_* "$tree/lessons" && cp src/model/attention.cpp "$tree/src/model" && cp .gitignore "$tree" && cd "$tree" || exit 1
touch answer
# An object is the source; the program of a lesson says the last line of its attention.cpp, which it takes for a mistake.
cat > compile <<'STUB'
#!/usr/bin/env bash
while [ $# -gt 0 ]; do case $1 in -c) from=$2 ;; -o) to=$2 ;; esac; shift; done
cat "$from" > "$to.part" && sleep 0.15 && mv "$to.part" "$to"
STUB
cat > link <<'STUB'
#!/usr/bin/env bash
for word; do case $word in */attention.o) says=$(tail -1 "$word") ;; esac; to=$word; done
{ echo '#!/bin/sh'; echo "echo '  1.1  not yet  it is'; echo; echo '$says'; exit 1"; } > "$to" && chmod +x "$to"
STUB
chmod +x compile link
objects=$(for one in $(lessons/tools/lesson.sh originals 01); do echo "build/float/${one%.cpp}.o"; done | tr '\n' ' ')
export BUILD=build MAKE=false COMPILE=./compile LINK=./link STEPS="$objects" OBJECTS="$objects" PROGRAM_OBJECT="" LESSON_OBJECTS=""
lesson() { lessons/tools/lesson.sh "$@"; }  # COMMAND CHAPTER
learn() { lesson "$@" < /dev/null > answer 2>&1; }
refused() { ! learn "$@"; }
exercise=lessons/01_attention/attention.cpp other=lessons/01_attention/moves_along.cpp form=lessons/15_own_scheme/evidence.txt
lesson blank 01 blank01 && lesson blank 15 blank15
for one in blank01/*; do rm -f "lessons/01_attention/${one##*/}"; done  # the author's, who may be a learner, too
rm -f "$form"
blank() { cmp -s "$exercise" blank01/attention.cpp && cmp -s "$other" blank01/moves_along.cpp; }
write() { { cat blank01/attention.cpp; echo "// $1"; } > "$exercise"; }
has() { [ "$(tail -1 "$exercise")" = "// $1" ]; }
kept() { grep -rqFx -e "// $1" runs/; }

# Written at first, and again.
git init -q . && git add -A . && git -c user.name=- -c user.email=- commit -q -m before || exit 1
check "keep before anything is written" learn keep 01
check "... says so" says '^You have not written any lines in chapter 1 yet\.$'
check "the first look at blank files" refused run 01
check "... has written them" blank
check "... and builds the steps alone" test ! -e build/locus-01
check "... and says so" says '^written: lessons/01_attention/attend\.cpp lessons/01_attention/attention\.cpp lessons/01_attention/moves_along\.cpp; your lines go there$'
check "... which git does not show" eval '[ -z "$(git status --porcelain lessons)" ]'
check "the whole program, when it is asked for" learn locus 01
check "... is built" test -x build/locus-01
check "the second look writes nothing" refused run 01
check "... and says nothing of it" eval '! says written'
original=src/model/attention.cpp
changed() { "$@" < "$original" > changed && cat changed > "$original"; }  # by a pull, later than the blanks were made
changed awk '{ print } /^namespace locus/ { print "using Pulled = int;" }'
check "an original that has changed" refused run 01
check "... changes its blank" grep -qx 'using Pulled = int;' "$exercise"
check "... which is said" says "^written: $exercise; your lines go there$"
echo "// mine" >> "$exercise"
changed sed 's/using Pulled = int;/using Pulled = long;/'
check "a changed original of a file with lines" refused run 01
check "... leaves them" has mine
check "... and what may not compile is said" says "^$exercise lacks a line that $original has outside of the exercises: using Pulled = long;$"
check "... with what to do" says '^If it does not compile: `make reset-01` keeps your lines and writes the file anew; copy your lines into it\.$'
check "... again" refused run 01
check "... until it is done" says 'lacks a line'
sed 's/using Pulled = int;/using Pulled = long;  \/\/ by hand/' "$exercise" > edited && cat edited > "$exercise"
changed sed 's/^using Pulled.*/&  \/\/ a comment/; s/softmax(scores, mask)/softmax(mask, scores)/'
check "an original with other comments and other lines in an exercise" refused run 01
check "... is not worth a word" eval '! says lacks'
rm "$other"
check "one file that is gone is refused" refused run 01
check "... with what to do" says "^$other is gone: \`make reset-01\` writes it anew, \`make restore-01\` brings back what you kept$"
check "... and the others are left" has mine
check "reset" learn reset 01
check "... makes blank" cmp -s "$other" blank01/moves_along.cpp
rm lessons/01_attention/{attend,attention,moves_along}.cpp
check "all that are gone" refused hint 77
check "... are written anew" learn hint 01
check "... which is said" says '^written: .*attend\.cpp .*attention\.cpp .*moves_along\.cpp; your lines go there$'
check "... and what was kept" says '^`make restore-01` brings back the lines that you kept\.$'
check "the path" learn path
check "... writes the files of the chapter that is next" test -f "$exercise"
git checkout -q "$original"
learn reset 01
check "the form" refused run 15
check "... is written" says '^written: lessons/15_own_scheme/evidence\.txt; your lines go there$'
check "... and git does not show it" eval '[ -z "$(git status --porcelain lessons)" ]'
rm -rf runs

# Keep, reset, restore.
check "keep of a blank" learn keep 01
check "... says that there is nothing" says '^You have not written any lines in chapter 1 yet\.$'
check "restore of nothing is refused" refused restore 01
check "... with what to do" says '^You have not kept any lines of chapter 1 yet\. Hint: `make keep-01` keeps them$'
write first
check "keep" learn keep 01
check "... says where" says '^Your lines are kept in runs/lessons/01/kept/1: attend\.cpp attention\.cpp moves_along\.cpp\. `make restore-01` brings them back\.$'
check "... and leaves them" has first
check "keep of the same" learn keep 01
check "... says so" says '^Your lines are kept already, in runs/lessons/01/kept/1\.$'
write broken
check "restore" learn restore 01
check "... brings the kept lines back" has first
check "... and keeps what was there" says '^what was there is kept in runs/lessons/01/kept/2-replaced: `make restore-01 WHICH=2-replaced` brings it back$'
write broken-again
check "a second restore" learn restore 01
check "... brings the same lines back" has first
WHICH=2-replaced check "restore of others" learn restore 01
check "... brings them back" has broken
WHICH=7 check "restore of what is not there is refused" refused restore 01
check "... with what is" says '^runs/lessons/01/kept/7 does not exist\. Hint: give one of these: WHICH=1 WHICH=2-replaced WHICH=3-replaced'
WHICH=../.. check "... nor is a folder elsewhere" refused restore 01
write third
check "reset" learn reset 01
check "... makes blank" blank
check "... and keeps the lines" says '^your lines are kept in runs/lessons/01/kept/5: `make restore-01` brings them back$'
check "restore after a reset" learn restore 01
check "... brings the lines back" has third
check "restore of what is there" learn restore 01
check "... says so" says 'are in their places already'
for lines in first broken broken-again third; do check "$lines: kept all the while" kept "$lines"; done
rm "$exercise"
check "restore of a file that is gone" learn restore 01
check "... brings it back" has third
mkdir elsewhere && mv "$exercise" elsewhere/ && ln -s ../../elsewhere/attention.cpp "$exercise"
check "reset of a link" learn reset 01
check "... makes blank" blank
check "... leaves what it led to" grep -qx '// third' elsewhere/attention.cpp
check "... and keeps it, too" grep -qx '// third' runs/lessons/01/kept/6/attention.cpp
rm "$exercise" && mkdir "$exercise"
check "a folder in the place of a file is refused" refused reset 01
check "... in words" says "^$exercise is a folder: rename it$"
rmdir "$exercise"

printf 'scheme: ends\nmine\n' > "$form"
echo mine > src/positional/ends.cpp
mkdir -p runs/lessons/15 && echo mine | tee runs/lessons/15/predicted.txt > tests/positional/ends_test.cpp
check "keep of chapter 15" learn keep 15
check "... takes four files" says 'kept/1: ends\.cpp ends_test\.cpp evidence\.txt predicted\.txt\.'
echo more >> src/positional/ends.cpp
check "reset of chapter 15" learn reset 15
check "... makes the form blank" cmp -s "$form" blank15/evidence.txt
check "... and leaves the scheme" grep -qx more src/positional/ends.cpp
WHICH=1 check "restore of chapter 15" learn restore 15
check "... brings all back" cmp -s src/positional/ends.cpp tests/positional/ends_test.cpp
check "... with the prediction" grep -qx mine runs/lessons/15/predicted.txt
check "... and keeps the scheme that was there" grep -qx more runs/lessons/15/kept/3-replaced/ends.cpp
check "a chapter without exercises has nothing to keep" learn keep 00

# Nowhere to keep: whatever is asked, the lines are where they were.
nowhere() {  # WHAT WORDS
  local what
  for what in reset keep restore; do
    write precious
    check "$1: $what is refused" refused "$what" 01
    check "... in words" says "$2"
    check "... and the lines are there" has precious
    printf 'scheme: precious\n' > "$form"
    check "$1: $what of the form is refused" refused "$what" 15
    check "... and the form is there" grep -q precious "$form"
  done
}
rm -rf runs && echo mine > runs
nowhere "runs is a file" '^runs is a file\. Your lines, guesses and progress are kept in the folder runs/lessons/01, so nothing was done\. Hint: give it another name: mv runs runs\.old$'
check "... which is there, too" grep -qx mine runs
check "runs is a file: lesson is refused" refused run 01
rm runs && ln -s nowhere runs
nowhere "runs is a link to nothing" '^runs is a link to nowhere, which is not there\.'
rm runs && mkdir there && ln -s there runs && write linked
check "runs is a link to a folder: reset" learn reset 01
check "... keeps the lines there" grep -qx '// linked' there/lessons/01/kept/1/attention.cpp
rm -rf runs there

mkdir -p runs/lessons/01/kept runs/lessons/15/kept
if [ "$(id -u)" -ne 0 ]; then
  chmod a-w runs/lessons runs/lessons/*
  nowhere "runs cannot be written" '^you may not write in runs/lessons: it belongs to .* Hint: sudo chown -R'
  chmod u+w runs/lessons runs/lessons/*
elif command -v setpriv > /dev/null; then  # another user learns, after a `sudo make`
  chown -R 65534:65534 . && chown -R 0:0 runs && chmod 755 .
  lesson() { setpriv --reuid=65534 --regid=65534 --clear-groups lessons/tools/lesson.sh "$@"; }
  nowhere "runs is of another user" '^you may not write in runs: it belongs to root\. .* Hint: sudo chown -R "\$USER" runs '
  chown -R 65534:65534 runs/lessons && chown -R 0:0 runs/lessons/01/kept runs/lessons/15/kept
  write precious
  check "what is kept is of another user: reset is refused" refused reset 01
  check "... in words" says '^Your lines could not be kept in runs/lessons/01/kept, so nothing was changed: they are where they were\.$'
  check "... and the lines are there" has precious
  lesson() { lessons/tools/lesson.sh "$@"; }
  chown -R 0:0 .
else echo "  skipped: another user (needs setpriv)"; fi
rm -rf runs

mkdir small
if mount -t tmpfs -o size=64k tmpfs small 2> /dev/null; then
  ln -s small runs && mkdir -p small/lessons/01 small/lessons/15
  echo "09 passed yes" > small/lessons/progress
  write precious
  learn hint 01
  cat /dev/zero > small/filled 2> /dev/null
  nowhere "the disk is full" 'could not be (made|kept) in runs/lessons/01|cannot be made'
  check "... and what was there is, too" grep -qx '09 passed yes' small/lessons/progress
  learn hint 01
  check "a hint on a full disk leaves the progress" grep -qx '09 passed yes' small/lessons/progress
  check "... and says so" says '^Your progress could not be written to runs/lessons/progress; what was there is unchanged'
  rm -rf small/lessons/01/blank
  head -c 8192 small/filled > filled && cat filled > small/filled  # now room for the blanks alone
  head -c 40960 /dev/zero > small/more 2> /dev/null
  for room in 4 8 12 16 20 24; do
    head -c $((65536 - 4096 * 3 - room * 1024)) /dev/zero > small/filled; rm -f small/more
    { cat blank01/attention.cpp; seq 3000; echo "// precious $room"; } > "$exercise"
    cp "$exercise" before
    learn reset 01
    if cmp -s "$exercise" before; then check "$room kB are free: nothing is lost" true
    else check "$room kB are free: the lines are kept" eval 'cmp -s before "$(ls -d small/lessons/01/kept/*/attention.cpp | tail -1)"'; fi
    rm -rf small/lessons/01/kept
  done
  umount small
else echo "  skipped: a full disk (needs root, to mount a small one)"; fi
rm -rf runs

# At once.
lost=0 unfinished=0
for ((round = 1; round <= rounds; ++round)); do
  for number in 2 8; do
    write "round $round of $number"
    echo "// other $round of $number" >> "$other"
    for ((i = 0; i < number; ++i)); do lesson reset 01 > /dev/null 2>> answer & done
    wait
    kept "round $round of $number" || lost=$((lost + 1))
    kept "other $round of $number" || lost=$((lost + 1))
    blank || unfinished=$((unfinished + 1))
    rm -rf runs/lessons/01/kept
  done
done
echo "  resets at once, two and eight, $rounds rounds each: lines lost $lost, files not blank $unfinished"
check "resets at once lose nothing" test "$lost" -eq 0
check "... and leave blanks" test "$unfinished" -eq 0
lost=0
for ((round = 1; round <= rounds; ++round)); do  # an editor saves at the same moments
  write "before $round"
  { sleep "0.0$((RANDOM % 10))"; write "saved $round"; } &
  for i in 1 2; do lesson reset 01 > answer 2>&1 & done
  wait
  has "saved $round" || kept "saved $round" || lost=$((lost + 1))
done
echo "  saves during resets, $rounds rounds: lines lost $lost"
check "saves during resets are not lost" test "$lost" -eq 0
rm -rf runs && mkdir -p runs/lessons && echo "09 passed yes" > runs/lessons/progress
for i in 2 3 4 5 6 7 8; do mkdir "lessons/0${i}_more" && cp lessons/01_attention/hints.txt "lessons/0${i}_more/"; done
for i in 1 2 3 4 5 6 7 8; do lesson hint "0$i" > /dev/null 2>&1 & done
wait
check "progress at once: nothing is lost" test "$(grep -c . runs/lessons/progress)" -eq 9

# While it compiles. The file is renamed into its place, as editors do, or written; new, or as old as the blank.
for one in $objects; do mkdir -p "$(dirname "$one")" && touch -t 200001010000 "$one"; done
stale=0 unnamed=0
for ((round = 1; round <= rounds; ++round)); do
  write "before $round"
  lesson run 01 < /dev/null > first 2>&1 &
  sleep "0.$((RANDOM % 4))$((RANDOM % 10))"
  write "saved $round"
  during=$(jobs -r)  # empty: the verdict was there before, on the lines of then
  if [ $((round % 2)) -eq 0 ]; then touch -t 200101010000 "$exercise"; fi  # an older file is put back
  wait
  [ -z "$during" ] || grep -qxE "// saved $round" first || grep -q "was saved while its lines were tried" first || unnamed=$((unnamed + 1))
  lesson run 01 < /dev/null > answer 2>&1
  says "^// saved $round\$" || stale=$((stale + 1))
  says "was saved while" && stale=$((stale + 1))
done
echo "  saves while it compiles, $rounds rounds: stale verdicts $stale, first verdicts on older lines without a word $unnamed"
check "no stale verdict" test "$stale" -eq 0
check "a verdict on older lines says so" test "$unnamed" -eq 0

echo "[wrong-turns] $passed passed | $failed failed"
[ "$failed" -eq 0 ]
