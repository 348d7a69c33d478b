#!/usr/bin/env bash
# Proves that adding a scheme is adding one file, and a task likewise. The samples in tests/one_file/src are copied into
# a copy of the tree, which is then built: nothing else may be touched, or even compiled. The program must list them, the
# ablation must train them, all tests must hold with them; and when the scheme is spoilt, the tests must say so.
# `make one-file` runs it.
set -u
: "${MAKE:?is set by make}" "${BUILD:?}"
tree=$BUILD/one-file passed=0 failed=0

# check WHAT COMMAND: the command must succeed.
check() {
  if "${@:2}"; then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $1"; fi
}
says() { grep -qE -e "$2" "$tree/$1"; }  # FILE PATTERN
build() { $MAKE -C "$tree" --no-print-directory BUILD=build build/locus build/test-float build/test-double > "$tree/build.log" 2>&1; }
compiles_only() {  # OBJECT ...: these and nothing else
  printf 'compile %s\n' "$@" | sort > "$tree/expected"
  sed -n 's/^\[[0-9]*\/[0-9]*\] compile/compile/p' "$tree/build.log" | sort | diff - "$tree/expected"
}
locus() { (cd "$tree" && build/locus "$@") > "$tree/$1.txt" 2>&1; }
tests() { (cd "$tree" && "build/test-$1" "${@:2}") > "$tree/tests.txt" 2>&1; }  # VARIANT ARGUMENT...

# Times of change are copied as well: what was built here is up to date there. A repository, since files that git does
# not know are compiled alone.
rm -rf "$tree" && mkdir -p "$tree/build"
cp -a Makefile README.md src tests lessons datasets "$tree" && cp -a "$BUILD/float" "$BUILD/double" "$BUILD/batches" "$BUILD/texts" "$tree/build" || exit 1
(cd "$tree" && git init -q && git add Makefile src tests) || exit 1
cp -r tests/one_file/src "$tree"
check "it builds" build
check "nothing else is compiled" compiles_only {float,double}/src/positional/zigzag float/src/tasks/swap

check "locus schemes runs" locus schemes --long
check "locus schemes lists it" says schemes.txt '^zigzag +embedding +even or odd, .* bounded, extrapolates'
check "locus schemes NAME runs" locus schemes zigzag
check "locus schemes NAME shows its card" says schemes.txt '^  formula +x_p, p mod 2'
check "locus tasks runs" locus tasks --long
check "locus tasks lists it" says tasks.txt '^swap +labelling .*3 1 2 0 5 -> 1 3 0 2 5'
check "an ablation runs" locus ablate --tasks before,swap --schemes none,zigzag --seeds 1 --steps 50 --test-examples 100
check "the ablation has a row for the task" says ablate.txt '^swap$'
check "the ablation has rows for the scheme" test "$(grep -cE '^zigzag +[01]\.' "$tree/ablate.txt")" = 2

# The one thing that a task needs besides its file.
asks='brute force: every task has a solver*'
check "the tests in double hold with them" tests double
check "the tests of tasks and claims hold with them" tests float -tc="*task*,*claims*,*registr*" -tce="$asks,ceiling: *"
check "the tests ask for a solver of the task ..." eval '! tests float -tc="$asks"'
check "... and say where" says tests.txt 'write a solver for swap into brute_force_test.cpp'

# Three faults: a claim that is false, a wrong number of parameters, and a factor that no gradient goes through.
sed -e 's/^#include <cmath>$/&\
\
#include "autograd\/ops.h"/' -e 's/{.bounded = true/{.direction_aware = true, .bounded = true/' -e 's/join_parameters()}/0}/' \
  -e 's/^  Claims claims/  Tensor embedding(Tensor x, const Inputs\& inputs) const override {\
    return (1 + x.value()[0]) * CodeScheme::embedding(x, inputs);\
  }\
&/' tests/one_file/src/positional/zigzag.cpp > "$tree/src/positional/zigzag.cpp"
check "it builds when spoilt" build
check "nothing but it is compiled" compiles_only {float,double}/src/positional/zigzag
check "the claim tests fail" eval '! tests double -tc="claims: *"'
check "they refute the claim" says tests.txt \
  "zigzag in the encoder claims 'direction-aware', but: tokens .* at positions .*4 3 2 1 0 give the same logits"
check "they count the parameters" says tests.txt 'zigzag in the encoder: the model has'
check "the gradient tests fail" eval '! tests double -tc="*gradients of whole models*"'
check "they name it" says tests.txt 'spec := "?zigzag'

echo "[one-file] $passed passed | $failed failed"
[ "$failed" -eq 0 ] && rm -rf "$tree"
