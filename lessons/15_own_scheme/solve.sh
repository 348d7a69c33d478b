#!/usr/bin/env bash
# Does what a learner would have done by the end of the chapter, with the first worked example as the learner's own scheme.
# `make lessons-commands` runs it in a copy of the tree, before the commands of the text.
set -eu
here=$(dirname "$0")
cp "$here/examples/wheel/wheel.cpp" src/positional/
cp "$here/examples/wheel/wheel_test.cpp" tests/positional/
cp "$here/examples/wheel/evidence.txt" "$here/"
mkdir -p runs/lessons/15
cp "$here/examples/wheel/predicted.txt" runs/lessons/15/
make build/locus
build/locus report "$here/examples/wheel/results" --best-lr > /dev/null
