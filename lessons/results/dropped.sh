#!/usr/bin/env bash
# Records the study "Positions taken away after training" of README.md: from the top folder,
#   lessons/results/dropped.sh 32       and 64
# Models with RoPE are trained once for each seed, then read in other ways, at once and after more steps, each at
# several learning rates; beside them, models without positions from the first step, and encoders, which must fail.
# Interrupted, the same command goes on.
set -eu
width=$1
locus=${LOCUS:-build/locus} recorded=${RECORDED:-lessons/results}
rope=rope:base=100
case $width in
  32) heads=2 trained=0.01 scratch=0.003,0.01,0.03 ;;
  64) heads=4 trained=0.003 scratch=0.001,0.003,0.01 ;;
  *) echo "usage: lessons/results/dropped.sh 32|64" >&2; exit 2 ;;
esac
decoder="--model decoder --d-model $width --heads $heads --full --seeds 3 --no-aa --jobs ${JOBS:-1}
  --test-lengths 12,24 --test-examples 300"

for task in reverse copy; do
  $locus ablate --out "$recorded/dropped-$width-$task" --tasks $task $decoder --steps 1000 --lr $trained \
    --trained-as $rope --schemes $rope none --control $rope \
    --recalibrate 0,5,20,100,500 --recalibrate-lr 0.001,0.003,0.01,0.03
  $locus ablate --out "$recorded/dropped-$width-$task-read" --tasks $task $decoder --steps 1000 --lr $trained \
    --trained-as $rope --schemes $rope,extend=pi,factor=2 $rope,extend=ntk,factor=2 \
    $rope,extend=yarn,factor=2,original=26,beta_fast=4 --recalibrate 0,20,100 --recalibrate-lr 0.001,0.003,0.01
  $locus ablate --out "$recorded/dropped-$width-$task-none" --tasks $task $decoder --steps 1500 --lr $scratch --schemes none
done
$locus ablate --out "$recorded/dropped-$width-encoder" --model encoder --d-model $width --heads $heads --full --seeds 3 \
  --no-aa --jobs "${JOBS:-1}" --test-lengths 12,24 --tasks reverse,previous --steps 1000 --trained-as $rope \
  --schemes $rope none --control $rope --recalibrate 0,5,20,100,500 --recalibrate-lr 0.003,0.01
