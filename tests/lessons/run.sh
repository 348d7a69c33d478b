#!/usr/bin/env bash
# Takes every wrong turn a learner can take in chapter 1, in a copy of the tree: each must get a clear answer. Then every
# wrong turn an author can take: `make lessons-check` must notice each. `make wrong-turns` runs it.
set -u
: "${MAKE:?is set by make}" "${BUILD:?}"
tree=$PWD/$BUILD/wrong-turns passed=0 failed=0
lesson=lessons/01_attention exercise=$lesson/attention.cpp first=$lesson/attend.cpp

# check WHAT COMMAND: the command must succeed.
check() {
  if "${@:2}"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $1" && cat "$tree/answer"; fi
}
learn() { (cd "$tree" && $MAKE --no-print-directory BUILD=build "$@") < /dev/null > "$tree/answer" 2>&1; }
refused() { ! learn "$@"; }
says() { grep -qE -e "$1" "$tree/answer"; }
does_not_say() { ! says "$1"; }
lines_with() { [ "$(grep -cE -e "$2" "$tree/answer")" -eq "$1" ]; }
# The solved exercises, with one change in the first of them.
write() {
  sed -e "$1" "$tree/src/model/attention.cpp" > "$tree/$exercise"
  cp "$tree"/lessons/01_attention/solutions/*.cpp "$tree/lessons/01_attention/"
}

rm -rf "$tree" && mkdir -p "$tree/build"
cp -a Makefile src tests lessons datasets "$tree" && cp -a "$BUILD/float" "$BUILD/batches" "$BUILD/texts" "$tree/build" || exit 1
git ls-files -oi --exclude-standard lessons | (cd "$tree" && xargs rm -f)  # the author's own exercises

check "a blank is refused" refused lesson-01
check "... which was not there before" says "^written: .*$exercise .*; your lines go there$"
check "... with what is missing" says '^\[exercise 1\.1\] still to be written$'
check "... and where" says "^$first:[0-9]+ is the place: attend\(\), from blank"
check "... and one step only" lines_with 1 '^  1\.'

awk '{ print } /exercise 1\.1:/ { print "    // my own note" }' "$tree/$first" > "$tree/changed" && cp "$tree/changed" "$tree/$first"
check "a comment of the learner's below the marker" refused lesson-01
check "... is not quoted as a part of the task" does_not_say 'my own note'
check "... which is quoted as before" says 'is the place: attend\(\), from blank'

write 's/weights = softmax(scores, mask)/weights = softmax(scores mask)/'
check "a syntax error is refused" refused lesson-01
check "... with the line of the lesson" says "^$exercise:[0-9]+:[0-9]+: error: expected"
check "... and the first error only" lines_with 1 'error:'

write 's/weights = softmax(scores, mask)/for (int i = 1; i > 0; i = 1 - i + 1) scores.value()[0] += Real(i)/'
check "an endless loop is refused" refused lesson-01
check "... after some seconds" says 'still running when time was up: a loop without an end, or far too many calls\?'

write 's/Tensor scores = .*/Tensor scores = matmul(q, transpose(k), Real(0) \/ Real(0));/'
check "NaN is refused" refused lesson-01
check "... by that name" says 'scores, without a mask: not a number \(NaN\) at example 0, head 0, query 0, key 0'

write 's/Tensor q = .*/Tensor q = query_(x);/'
check "a wrong shape is refused" refused lesson-01
check "... as a shape" says 'q, without a mask: wrong shape\. Yours is \(2,5,12\), right is \(2,4,5,3\)'

write 's/weights = softmax(scores, mask)/weights = scores/'
check "wrong values are refused" refused lesson-01
check "... as values" says 'weights, without a mask: the shape is right, 200 of 200 values are not'
check "... with the mistake named" says 'Likely cause: the scores are passed on as they are'
write 's/^    weights = softmax(scores, mask);/    Tensor weights = softmax(scores, mask);/'
check "a variable declared again is refused" refused lesson-01
check "... at its own step" says '^  1\.4  not yet'
check "... with the compiler's warning" says 'The compiler warns: .*shadows'
write 's/^    weights = softmax(scores, mask);/&  fail("exercise 1.4", "still to be written");/
       s/^#include <cmath>/#include "base\/error.h"/'  # as in the blank; <cmath> is in the precompiled header
check "a fail line that was left in is refused" refused lesson-01
check "... with what to do" says 'is still there: remove it'
write 's/^  Tensor mixed = /  fail("exercise 1.5", "still to be written"); &/
       s/^#include <cmath>/#include "base\/error.h"/'
check "the next step is refused" refused lesson-01
check "... below a prize from the last" says '^    What a head with your weights reads'
write ''
sed -e 's/^  for (const std::size_t T : .*/  return true;&/' "$tree/$lesson/solutions/moves_along.cpp" > "$tree/$lesson/moves_along.cpp"
check "a test that always passes is refused" refused lesson-01
check "... as what it is" says 'Your test passes whatever it is given, and notices none of 15'
sed -e 's/{2u, 5u, 12u}/{2u}/' "$tree/$lesson/solutions/moves_along.cpp" > "$tree/$lesson/moves_along.cpp"
check "a test that misses some is refused" refused lesson-01
check "... with what it misses" says 'the index is added from the seventh token on'
write 's/weights = softmax(scores, mask)/scores.value()[0] += Real(5), &/'
check "one query that is wrong" refused lesson-01
check "... is where all wrong values are" says '^All wrong values are at example 0, head 0, query 0\.$'
write 's/1 \/ std::sqrt(context_.d_head())/3.5 \/ std::cbrt(context_.d_head())/'
check "a slip without a name is refused" refused lesson-01
check "... with what its values have in common" says '^Each wrong value is [0-9.]+ times what is right\.$'
check "... and a search is offered" says '`make near-01` finds the wrong place'
check "two wrong symbols in a bracket" learn near-01
check "... are one wrong place" says "^One place is wrong: .*/attention\.cpp line $(grep -n 'Tensor scores = ' "$tree/$lesson/attention.cpp" | cut -d: -f1), in the brackets of .matmul.\. With that alone mended, the step passes\.$"
write 's/split_heads(query_(x), context_.heads)/split_heads(query_(query_(x)), 1)/
       s/split_heads(key_(x), context_.heads)/split_heads(key_(key_(x)), 1)/'
check "two wrong places" refused near-01
check "... are not one" says '^No change of one symbol, and of one piece, makes it right'
write 's/split_heads(query_(x), context_.heads)/split_heads(key_(x), context_.heads)/'
check "one wrong name" learn near-01
check "... is in this line" says "^One symbol from right: .*/attention\.cpp line $(grep -n 'Tensor q = split_heads' "$tree/$lesson/attention.cpp" | cut -d: -f1)\."
write 's/weights = softmax(scores, mask)/weights = scores/'
check "wrong values again" refused lesson-01
for _ in 1 2 3; do check "three hints" learn hint-01; done
check "... for this step" says '^Step 1\.4, hint 3 of 3'
check "a hint past the last" learn hint-01
check "... points to the original" says 'all hints for step 1\.4\. The original is src/model/attention\.cpp:[0-9]+'
check "the path knows the step" learn lessons
check "... " says '^  01  step 1\.4 '

write ''
check "without a terminal a solved chapter passes" learn lesson-01
check "... asks nothing" does_not_say 'Your guess:'
check "... and runs the experiment" says '^none +0\.50 +0\.50$'
check "what it drew is put on one page" learn portfolio
check "... " says '^[0-9]+ figures: open runs/lessons/portfolio\.html in a browser$'
guess() { (cd "$tree" && $MAKE --no-print-directory BUILD=build "lesson-$1" GUESS="$2") > "$tree/answer" 2>&1; }
check "a word is no guess where a number is asked" eval '! guess 01 none'
check "... and is told so" says '^A number from 0 to 1, please, such as 0\.5\.$'
check "a number is one" guess 01 0.75
check "... and the experiment replies" says '^You guessed 0\.75; it is 0\.50'
check "a number that is none of the words is no guess" eval '! guess 06 0.5'
check "... and is told so" says '^One of these, please: 10, 100, 10000, 1000000\.$'
check "a word is one, before the first step is done" eval '! guess 06 10000'
check "... and is kept" grep -qx 10000 "$tree/runs/lessons/06/guess"
trained=runs/lessons/01/trained/before/none-encoder-seed1_steps=2/results.jsonl
train() { (cd "$tree" && build/locus-01 train --task before --scheme none --steps 2) > "$tree/answer" 2>&1; }
check "the program of the chapter trains" train
check "... in a folder of its own" test -f "$tree/$trained"
write 's/Tensor scores = .*/&  \/\/ changed/'
check "with other lines the chapter passes" learn lesson-01
check "... what the old ones trained is not taken for theirs" test ! -e "$tree/$trained"
check "... and is kept" test -f "$tree/${trained/trained/trained-before}"
check "... where it says" says '^What your earlier lines trained stands in runs/lessons/01/trained-before now\.$'
check "the path knows it is done" learn lessons
check "... " says '^  01  done '
check "near lines that are right" learn near-01
check "... there is nothing to find" says 'All steps of chapter 1 pass'
into_head() { (cd "$tree" && $MAKE --no-print-directory BUILD=build lessons | head -1) > "$tree/answer" 2>&1; }
check "the path goes into head" into_head
check "... without a complaint" lines_with 1 .
check "watching without a terminal is refused" refused watch-01
check "... with what to do" says 'watching needs a terminal; `make lesson-01` looks once'

train() { (cd "$tree" && build/locus-01 train --task previous --scheme sinusoidal --steps 200 --test-lengths 12) 2>/dev/null | grep '^ *12 '; }
right=$(train)
write 's/weights = softmax(scores, mask)/weights = softmax(0 * scores, mask)/'
check "a changed line is refused" refused lesson-01
check "... but the chapter stays done" says 'This chapter is done, and stays done'
check "... on the path, too" learn lessons
check "... " says '^  01  done '
check "the whole program runs on it all the same" test "$right" != "$(train)"

rm "$tree/$exercise"
check "a deleted exercise is refused" refused lesson-01
check "... with what to do" says "^$exercise is gone: \`make reset-01\` writes it anew"
check "make reset writes it anew" learn reset-01
(cd "$tree" && lessons/tools/lesson.sh blank 01 build/blank)
check "... blank" cmp -s "$tree/$exercise" "$tree/build/blank/attention.cpp"
for lines in first second; do
  echo "// my $lines lines" >> "$tree/$exercise"
  check "make reset takes the $lines lines away" learn reset-01
done
check "... and keeps both" test "$(cat "$tree"/runs/lessons/01/kept/*/*.cpp | grep -cE '^// my (first|second) lines$')" = 2

sed 's:x = x + positions;://&:' lessons/00_tour/whole.cpp > "$tree/lessons/00_tour/whole.cpp"
check "the tour without THE LINE" learn lesson-00 GUESS=0.3
check "... says what the file lacks" says '^THE LINE is not in your whole.cpp: the model is told no codes\.'
check "... and answers the guess with the original codes" says '^You guessed 0\.3; it is 1\.00: 0\.70 more'
cp lessons/00_tour/whole.cpp "$tree/lessons/00_tour/whole.cpp"
check "a guess out of range is refused" refused lesson-00 GUESS=1.7
check "... with the range" says '^A number from 0 to 1, please'
check "a hint of the tour" learn hint-00
check "... says that there are none" says "^Chapter 0 has no exercises, so it has no hints"

check "a chapter that does not exist is refused" refused lesson-77
check "... with those that do" says "^There is no chapter '77'\. These are written: 00 01"

check "a misspelt target is refused" refused lessn
check "... with where to look" says "^nothing here is called 'lessn', .*did you mean .make lessons."

# An author's.
spoil() {  # FILE WITH
  sed -e "$2" "$tree/$lesson/$1" > "$tree/spoilt" && cp "$tree/spoilt" "$tree/$lesson/$1"
}
spoil README.md 's/ends at 0.50/ends at 0.4321/'                                  # a number that no run has printed
spoil README.md 's/^none  *0.50 /none              0.58 /'                         # output that is not what is printed
spoil README.md 's:](\.\./05_[^)]*):](../READER.md):'                             # a dead link
spoil hints.txt '/^1\.3 scores/d'                                                 # a missing hint
spoil mistakes.txt 's/^to: weights = softmax(softmax(scores, mask), mask);/to: weights = softmax(softmax(scores), mask);/'  # another wrong line
spoil figures/maps.svg 's/>dog</>cat</'                                           # a figure of something else
spoil claims.cpp 's/return Evidence{encoder < 1e-4/return Evidence{encoder > 1e-4/'   # a verdict without support
for claims in "$tree"/lessons/*/claims.cpp; do  # the evidence of the other chapters takes two minutes
  [ "$claims" = "$tree/$lesson/claims.cpp" ] || rm "$claims"
done
check "lessons-check fails" refused lessons-check ONLY=01 MISTAKE='softmax of a softmax'
check "... for a number that no run has printed" says 'line [0-9]+: where does 0\.4321 come from\?'
check "... for output that is not what is printed" says 'then: none +0\.58'
check "... for a dead link" says 'there is no \.\./READER\.md'
check "... for a missing hint" says 'step 1\.3 needs three hints'
check "... for an answer recorded of another line" says 'stale: softmax of a softmax: .*make lessons-record ONLY=01'
check "... for a figure of something else" says "in $lesson/figures/maps\.svg"
check "... for a verdict without support" says 'BUT THE EVIDENCE SAYS OTHERWISE'

mkdir "$tree/doctest" && echo '#error not here' > "$tree/doctest/doctest.h"
check "no doctest is refused" refused lesson-01
check "... with what to do" says 'need doctest: `make setup` installs it'

echo "[wrong-turns] $passed passed | $failed failed"
[ "$failed" -eq 0 ] && rm -rf "$tree"
