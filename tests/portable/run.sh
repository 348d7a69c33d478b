#!/usr/bin/env bash
# Builds and tries Locus as other machines would have it. `make portable` and `make emulated` run it; ONLY="g++-11 tools"
# picks some of its parts. What this machine has no packages for is skipped, with a word.
#
#   clang    clang++ 16 or newer with libc++, as on a Mac: no warnings, and all tests in float
#   g++-11   as on Ubuntu 22.04: the same
#   tools    a learner's commands and the mutants with other awks, and with busybox in place of GNU's tools
#   nehalem  built without ARCH and run on an x86 processor of 2008, which qemu emulates: a training, the numeric tests
#   arm64    built for arm64 and run by qemu: the same
#   bits     are trained weights, results and answers the same to the last bit, whatever compiler, tuning and vector width?
#
# Each build trains a model for 100 steps; its weights and accuracies are held against those of build/locus.
set -u
: "${MAKE:?is set by make}" "${BUILD:?}" "${PARTS:?}"
home=$BUILD/portable passed=0 failed=0
mkdir -p "$home"

# check WHAT COMMAND: the command must succeed; what it prints is shown when it does not.
check() {
  local out
  if out=$("${@:2}" 2>&1); then passed=$((passed + 1)); else failed=$((failed + 1)) && echo "failed: $part: $1" && echo "$out" | tail -40; fi
}
skip() { echo "  skipped: needs $1"; }
has() { command -v "$1" > /dev/null; }

# Builds the program, and the tests $1 (all of them when it is empty), with these settings of the Makefile.
build() {
  $MAKE --no-print-directory BUILD="$home/$part" ${1:+"TESTS=$1"} "${@:2}" "$home/$part/locus" "$home/$part/test-float" \
    > "$home/$part.log" 2>&1 || { grep -m1 -A5 'error' "$home/$part.log"; return 1; }
}
no_warnings() { ! grep -A4 'warning' "$home/$part.log"; }
tests_pass() { LOCUS=$home/$part/locus "$@" "$home/$part/test-float"; }
numeric_tests() { find tests/main.cpp tests/{support,base,tensor,autograd,positional,train} -name '*.cpp' | tr '\n' ' '; }

train() {  # FOLDER PROGRAM...
  rm -rf "$1"
  "${@:2}" train --task reverse --scheme sinusoidal --steps 100 --full --threads 1 --test-examples 500 --out "$1" 2> /dev/null
}
accuracies() { awk '$1 ~ /^[0-9]+$/ { printf "%s ", $2 }' "$1"; }
# The parameters of a run: the first third of its file, before the two halves of the optimizer's state.
weights() {
  local header
  header=$(od -An -N8 -tu8 "$1" | tr -d ' ')
  od -An -v -tf4 -j $((8 + header)) "$1" | tr -s ' ' '\n' | sed '/^$/d' | awk '{ w[NR] = $1 } END { for (i = 1; i <= NR / 3; ++i) print w[i] }'
}
trains_the_same() {  # by the program called in these words
  train "$home/$part.run" "$@" > "$home/$part.table" || { cat "$home/$part.table"; return 1; }
  paste <(weights "$home/native.run/model.safetensors") <(weights "$home/$part.run/model.safetensors") |
    awk -v here="$(accuracies "$home/native.table")" -v there="$(accuracies "$home/$part.table")" '
      { d = $1 - $2; if (d < 0) d = -d; if (d > most) most = d }
      END {
        printf "weights after 100 steps differ by at most %.1e; accuracies %s(here %s)\n", most, there, here
        exit !(NR > 10000 && most < 0.003)  # one step at the full learning rate
      }' > "$home/$part.difference" || { cat "$home/$part.difference"; return 1; }
}

newest_clang() {
  local n
  for n in 21 20 19 18 17 16 ""; do
    echo '#include <version>
      #if !defined(_LIBCPP_VERSION) || __clang_major__ < 16
      #error too old
      #endif' | "clang++${n:+-$n}" -stdlib=libc++ -std=c++20 -fsyntax-only -x c++ - 2> /dev/null && echo "clang++${n:+-$n}" && return
  done
}

compiler() {  # of this machine: all tests
  check "builds" build "" CXX="$1"
  check "builds without a warning" no_warnings
  check "all tests pass" tests_pass
  check "trains to the same weights" trains_the_same "$home/$part/locus"
  sed 's/^/  /' "$home/$part.difference"
}

emulated() {  # RUNNER MAKE-SETTING...: the numeric tests
  check "builds" build "$(numeric_tests)" ARCH= "${@:2}"
  check "builds without a warning" no_warnings
  # shellcheck disable=SC2086
  check "numeric tests pass" tests_pass $1
  # shellcheck disable=SC2086
  check "trains to the same weights" trains_the_same $1 "$home/$part/locus"
  sed 's/^/  /' "$home/$part.difference"
}

# The learner's commands in a copy of the tree, under the PATH $1; what they say goes to a file.
tree=$home/tree
learner() {
  local command
  rm -rf "$tree/runs"
  for command in help lessons lesson-01 hint-01 hint-01 lessons reset-01 reset-05 "mutants ONLY=p-rope"; do
    echo "\$ make $command"
    # shellcheck disable=SC2086
    (cd "$tree" && PATH="$1$PATH" $MAKE --no-print-directory BUILD=build $command) < /dev/null 2>&1
  done | grep -vE '^(compile|link) ' > "$2"
}
blanks() { diff -r "$tree/lessons" lessons; }
says_the_same() { learner "$1:" "$home/tools.$2" && diff "$home/tools.here" "$home/tools.$2" && blanks; }
agreement() { PATH=$1:$PATH awk -v tolerance=0.1 -f lessons/tools/agree.awk "$home/one" "$home/$2"; }
disagreement() { ! agreement "$@"; }

other_tools() {
  local script other folder
  for script in .ci/run tests/*/*.sh tests/*.sh lessons/*/*.sh; do check "$script can be parsed" bash -n "$script"; done
  rm -rf "$tree" && mkdir -p "$tree/build"
  cp -a Makefile src tests lessons datasets "$tree" && cp -a "$BUILD/float" "$BUILD/texts" "$BUILD/test-float" "$tree/build" || exit 1
  learner "" "$home/tools.here"
  check "the learner's commands work" grep -q 'still to be written' "$home/tools.here"
  check "... and the mutants" grep -q '^\[mutants\] 1 caught | 0 not' "$home/tools.here"
  printf 'a 1.25 b\n' > "$home/one" && printf 'a 1.30 b\n' > "$home/near" && printf 'a 1.50 b\n' > "$home/far"
  for other in mawk original-awk gawk busybox; do
    has "$other" || { skip "$other (a package of that name)"; continue; }
    folder=$PWD/$home/with-$other
    rm -rf "$folder" && mkdir -p "$folder"
    if [ "$other" = busybox ]; then
      for tool in awk basename cat cksum cmp cp cut diff dirname find grep head ls mkdir mktemp mv rm sed sleep sort tail \
        tee touch tr uniq wc xargs; do
        busybox --list | grep -qx "$tool" && ln -s "$(command -v busybox)" "$folder/$tool"
      done
    else
      ln -s "$(command -v "$other")" "$folder/awk"
    fi
    check "the same is said with $other" says_the_same "$folder" "$other"
    check "numbers that are near agree with $other" agreement "$folder" near
    check "numbers that are far do not with $other" disagreement "$folder" far
  done
  rm -rf "$tree"
}

reference() { train "$home/native.run" "$BUILD/locus" > "$home/native.table"; }
# shellcheck disable=SC2016
says_why() { qemu-x86_64 -cpu Nehalem "$BUILD/locus" help 2>&1 | grep -qF 'built for another processor: `make clean && make`'; }

part=native
check "trains" reference
for part in ${ONLY:-$PARTS}; do
  echo "$part"
  case $part in
    clang)
      clang=$(newest_clang)
      if [ -n "$clang" ]; then compiler "$clang -stdlib=libc++"; else skip "clang++ 16 or newer with libc++ (clang-16 libc++-16-dev libc++abi-16-dev)"; fi ;;
    g++-11)
      if has g++-11; then compiler g++-11; else skip "g++-11 (a package of that name)"; fi ;;
    tools) other_tools ;;
    nehalem)
      if has qemu-x86_64 && [ "$(uname -m)" = x86_64 ]; then
        emulated "qemu-x86_64 -cpu Nehalem"
        if grep -qw avx /proc/cpuinfo; then check "a program built for this processor says so" says_why; fi
      else skip "an x86-64 processor and qemu-x86_64 (qemu-user)"; fi ;;
    arm64)
      if has qemu-aarch64 && has aarch64-linux-gnu-g++ && [ -d /usr/include/doctest ]; then
        mkdir -p "$home/include" && ln -sfn /usr/include/doctest "$home/include/doctest"
        emulated "qemu-aarch64 -L /usr/aarch64-linux-gnu" CXX="aarch64-linux-gnu-g++ -isystem $home/include"
      else skip "aarch64-linux-gnu-g++ and qemu-aarch64 (g++-aarch64-linux-gnu qemu-user), doctest in /usr/include"; fi ;;
    bits) if tests/portable/bits.sh; then passed=$((passed + 1)); else failed=$((failed + 1)); fi ;;
    *) echo "there is no part '$part'" >&2; exit 2 ;;
  esac
done

echo "[portable] $passed passed | $failed failed"
[ "$failed" -eq 0 ]
