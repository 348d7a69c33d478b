#!/bin/sh
# Records the studies factor-32 and factor-64: `sort`, one model for each seed, read with several factors and temperatures.
# Run from the top folder: lessons/results/factor.sh. Interrupted, the same command goes on.
set -e
locus=${LOCUS:-build/locus}
base=rope:base=100
yarn=$base,extend=yarn,factor=4,original=16,beta_fast=4
for size in "32 2" "64 4"; do
  set -- $size
  $locus ablate --tasks sort --trained-as $base --schemes "$base" "$base,extend=pi,factor=2" "$base,extend=pi,factor=4" \
    "$base,extend=pi,factor=4,temperature=on" "$base,extend=ntk,factor=4" "$yarn" "$yarn,temperature=off" \
    --train-lengths "16;4-16" --lr 0.01 --seeds 3 --d-model "$1" --heads "$2" --test-lengths 16,32,64 \
    --test-examples 1000 --no-aa --jobs "${JOBS:-2}" --out "${RECORDED:-lessons/results}/factor-$1"
done
