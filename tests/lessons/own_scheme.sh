#!/usr/bin/env bash
# Chapter 15 as a newcomer would go through it, from an empty file to the verdict, with every wrong turn on the way: each must
# get a clear answer. In a copy of the tree; `make wrong-turns` runs it. The trainings are tiny here.
set -u
: "${MAKE:?is set by make}" "${BUILD:?}"
tree=$PWD/$BUILD/own-scheme passed=0 failed=0
form=lessons/15_own_scheme/evidence.txt scheme=src/positional/ends.cpp tests=tests/positional/ends_test.cpp

# check WHAT COMMAND: the command must succeed.
check() {
  if "${@:2}"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $1" && cat "$tree/answer"; fi
}
learn() { (cd "$tree" && $MAKE --no-print-directory BUILD=build "$@") < /dev/null > "$tree/answer" 2>&1; }
# not_yet WHAT STEP WORDS: make lesson-15 ends at this step, and says so. (Lines of an answer are joined.)
says() { tr '\n' ' ' < "$tree/answer" | grep -qE -e "$1"; }
not_yet() {
  check "$1 is refused" eval '! learn lesson-15'
  check "... at step $2" grep -qE "^  $2 +not yet" "$tree/answer"
  check "... in words" says "$3"
}
refused_form() {
  check "$1 is refused" eval '! learn lesson-15'
  check "... in words" says "$2"
}
fill() { sed "s#^$1:.*#$1: $2#" "$tree/$form" > "$tree/changed.txt" && cp "$tree/changed.txt" "$tree/$form"; }  # KEY VALUE
change() { sed "$2" "$tree/$1" > "$tree/changed.txt" && cp "$tree/changed.txt" "$tree/$1"; }
runs() { (cd "$tree" && build/locus ablate --tasks reverse --train-lengths 6 --test-examples 400 --batch 16 --no-aa "$@") > "$tree/answer" 2>&1; }

rm -rf "$tree" && mkdir -p "$tree/build"
cp -a Makefile src tests lessons datasets "$tree" && cp -a "$BUILD/float" "$BUILD/batches" "$BUILD/texts" "$tree/build" || exit 1
rm -f "$tree/$form"  # the author's own

not_yet "a blank form, which was not there before" 15.1 'The form names no scheme'
fill scheme "My Scheme"
not_yet "a name with capitals" 15.1 "has 'M' in it"
fill scheme rope
not_yet "a control's name" 15.1 'needs a name of its own'
fill scheme ends
not_yet "a scheme without a file" 15.2 'There is no src/positional/ends.cpp yet'

cat > "$tree/$scheme" <<'CODE'
#include "positional/support/code_scheme.h"
#include "positional/support/registry.h"

namespace locus::schemes::ends {

class Ends : public CodeScheme {
 public:
  Ends(const Options&, const SchemeContext& context, ParameterTable& table)
      : CodeScheme(Join::concat, 1, context, table) {}

  std::vector<double> code(double position, int length, const Real*) const override {
    return {std::min(position, length - 1 - position)}
  }
  Claims claims() const override { return {.extrapolates = true, .direction_aware = true}; }
};

}  // namespace locus::schemes::ends
CODE
not_yet "a syntax error" 15.2 'does not compile. The first error: src/positional/ends.cpp:1[23]'
change $scheme 's/position)}$/position)};/'
not_yet "claims in another order" 15.2 'Hint: claims in braces have the order of src/positional/scheme.h: order_blind'
change $scheme 's/{.extrapolates = true, .direction_aware = true}/{.direction_aware = true, .extrapolates = true}/'
not_yet "no registration" 15.2 'compiles, but registers nothing'
change $scheme 's:^}  // namespace.*:const RegisterScheme registered{{.name = "end", .summary = "the nearer end", .source = "you", .stage = Stage\:\:embedding, .options = {}, .make = make<Ends>}};\n}:'
not_yet "another name" 15.2 "no scheme registers as 'ends'"
change $scheme 's/"end"/"ends"/'
not_yet "false claims" 15.3 "claims 'direction-aware'.*give the same logits"
check "... and a claim that was not written" says "'causal prefix', as every scheme that does not set it to false"
check "... and the parameters" says 'the claim is 0 more'
change $scheme 's/return {.direction_aware.*};/return {.causal_prefix = false, .parameters = join_parameters()};/'
not_yet "no claim" 15.3 'claims nothing of its own, though these claims were not refuted: .*extrapolates'
change $scheme 's/return {.causal/return {.extrapolates = true, .causal/'

mv "$tree/$scheme" "$tree/src/positional/end.cpp"
not_yet "a file of another name" 15.2 "src/positional/end.cpp registers 'ends'"
mv "$tree/src/positional/end.cpp" "$tree/$scheme"

not_yet "a scheme without tests" 15.4 'There is no tests/positional/ends_test.cpp yet'
echo '#include <doctest/doctest.h>' > "$tree/$tests"
not_yet "a file without tests" 15.4 'has no TEST_CASE'
cat >> "$tree/$tests" <<'CODE'
#include "positional/support/spec.h"
using namespace locus;
TEST_CASE("ends: the distance to the nearer end") {
  ParameterTable table;
  const auto ends = make_scheme("ends", {.d_model = 8, .heads = 2, .causal = false}, table);
  CHECK(ends->code(3, 12, nullptr).siz() == 1);
}
CODE
not_yet "a test that does not compile" 15.4 'The first error: tests/positional/ends_test.cpp:7'
change $tests 's/siz() == 1/at(0) == 4/'
not_yet "a test that fails what is right" 15.4 'does not pass them:.*values: CHECK\( 3 == 4 \)'
change $tests 's/at(0) == 4/size() == 1/'
not_yet "a test that notices nothing" 15.4 'notice 0 of 9 broken schemes.*it counts backwards'
change $tests 's/CHECK(.*/for (int p = 0; p < 12; ++p) CHECK(ends->code(p, 12, nullptr)[0] == (p < 6 ? p : 11 - p));/'

not_yet "no prediction" 15.5 'The form has none'
fill prediction "ends is great"
refused_form "another form" 'does not say on which task'
fill prediction "ends is better than none on revrse at 6"
not_yet "an unknown task" 15.5 "did you mean 'reverse'"
fill prediction "ends is better than none on reverse at 6"
fill prediction "ends is better than none on reverse at 100000"
not_yet "a length that takes hours" 15.5 'to test at 100000 tokens would take hours'
fill prediction "ends is better than none on reverse at 6"
printf 'prediction: ends is worse than none on reverse at 6\n' >> "$tree/$form"
not_yet "two predictions of one comparison" 15.5 'are about one comparison'
change "$form" '$d'
not_yet "no runs" 15.6 'build/locus ablate --tasks reverse --schemes ends,none,rope --seeds 5'
check "... and the prediction is kept" grep -q "^ends is better than none on reverse at 6$" "$tree/runs/lessons/15/predicted.txt"

fill runs runs/nowhere
not_yet "a folder that is not there" 15.6 'there is no such folder'
fill runs runs/a
check "some runs" runs --schemes ends,none --seeds 2 --steps 60 --lr 0.01 --out runs/a
not_yet "a control left out" 15.6 'no run of rope'
check "... and few seeds" says 'There are 2 seeds of'
check "... and one rate" says 'Only 0.01 was tried'
check "... and no sentence" says '15.11: The form has none'
check "the control elsewhere" runs --schemes rope --seeds 2 --steps 40 --lr 0.01 --out runs/b
fill runs "runs/a runs/b"
not_yet "another budget" 15.8 'run with --steps 60, and rope with --steps 40'
fill runs runs/c
check "all runs" runs --schemes ends,none,rope --seeds 5 --steps 150 --lr 0.003,0.01,0.03,0.1 --out runs/c
fill sentence "ends is worse than none on reverse at 6"
not_yet "a sentence against the numbers" 15.11 'The difference has the other sign'
fill sentence "ends is better than none on reverse at 6"
not_yet "a page of all rates" 15.12 'report runs/c --best-lr'
report() { (cd "$tree" && build/locus report runs/c --best-lr) > "$tree/answer" 2>&1; }
check "a page" report
check "hints are there" learn hint-15

fill prediction "ends is worse than none on reverse at 6"
learn lesson-15
check "a prediction that was changed afterwards is noticed" says 'written or changed after it was measured'
fill prediction "ends is better than none on reverse at 6"
learn lesson-15
check "one from before the runs counts" says 'a prediction, from before the runs'
check "... and came true" says 'Predicted: ends is better than none on reverse at 6. It came true'
check "... and the sentence is supported" says '15.11 done'
change $scheme 's/position, length - 1 - position/position, 3.0/'
change $tests 's/p < 6 ? p : 11 - p/p < 3 ? p : 3/'
not_yet "a scheme that was changed after the runs" 15.10 'belong to another version of the scheme'

check "an unknown example is refused" eval '! learn lesson-15 EXAMPLE=weel'
check "... with those that are there" says 'These are there: nudge stripes wheel'
check "try-scheme asks for a name" eval '! learn try-scheme'
check "... in words" says 'there is no NAME'
check "try-scheme with a misspelt name is refused" eval '! learn try-scheme NAME=endz'
check "... with the nearest" says "did you mean 'ends'"
check "reset keeps the form" learn reset-15
check "... there" grep -q '^scheme: ends' "$tree/runs/lessons/15/kept/1/evidence.txt"
check "... writes a blank one" cmp -s "$tree/$form" "$tree/lessons/15_own_scheme/form.txt"
check "... and leaves the scheme" test -f "$tree/$scheme"
check "restore brings the form back" learn restore-15
check "... with its scheme" grep -q '^scheme: ends' "$tree/$form"
check "... and the prediction from before the runs" grep -q "^ends is better" "$tree/runs/lessons/15/predicted.txt"

echo "[wrong-turns] $passed passed | $failed failed"
[ "$failed" -eq 0 ] && rm -rf "$tree"
